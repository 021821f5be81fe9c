//! `list_blocks`: the blocks of a document with their ids.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::{Node, is_kind};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Paged, Prose, known_kind, paged},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "List blocks", sets: &[Set::Markdown], hints: Hints::READ };

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

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Block {
    node_id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    content: String,
    position: usize,
    line: usize,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Vec<Paged<Block>>, ToolError> {
    let prose = Prose::read(cx, input.window_id)?;
    if let Some(kind) = input.kind.as_deref() {
        known_kind(kind)?;
    }
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
        listed.push(Block {
            node_id: prose.told(id),
            kind: node.kind().name(),
            level: node.kind().level(),
            content: workspace::excerpt(&node.plain(), 200),
            position: prose.position(node.range().start),
            line: prose.view.line_column(node.range().start).line,
        });
    }
    Ok(paged(listed, offset, total))
}
