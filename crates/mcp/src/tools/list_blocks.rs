//! `list_blocks`: the blocks of a document with their ids.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::markdown::{Node, is_kind};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply, shorten},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "List blocks", sets: &[Set::Markdown], hints: Hints::READ };

/// All blocks with ids (h-0 heading, p-0 paragraph, code-0, ul-0, li-0, table-0 …), in document order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// heading, paragraph, codeBlock, blockquote, bulletList, listItem, table …
    #[serde(rename = "type")]
    kind: Option<String>,
    offset: Option<usize>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let wanted = |node: &Node<'_>| input.kind.as_deref().is_none_or(|kind| is_kind(node, kind));
    let (offset, limit) = (input.offset.unwrap_or(0), input.limit.unwrap_or(300));
    let mut listed = Vec::new();
    let mut total = 0;
    for (id, node) in prose.view.nodes() {
        let Some(id) = id.filter(|_| wanted(&node)) else { continue };
        total += 1;
        if total <= offset || listed.len() >= limit {
            continue;
        }
        let mut told = json!({
            "nodeId": id.to_string(),
            "type": node.kind().name(),
            "content": shorten(&node.plain(), 200),
            "position": prose.position(node.range().start),
            "line": prose.view.line_column(node.range().start).line,
        });
        if let Some(level) = node.kind().level() {
            told["level"] = level.into();
        }
        listed.push(told);
    }
    let next = offset + listed.len();
    if next < total {
        listed.push(json!({ "more": total - next, "hint": format!("pass offset={next}") }));
    }
    Ok(reply(Value::Array(listed)))
}
