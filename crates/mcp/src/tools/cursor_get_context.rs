//! `cursor_get_context`: what is around the cursor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::{ListKind, place};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Cursor context", sets: &[Set::Markdown], hints: Hints::READ };

/// The text around the cursor and the block it is in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(extend("default" = 3))]
    #[schemars(range(max = 1000))]
    lines_before: Option<usize>,
    #[schemars(extend("default" = 3))]
    #[schemars(range(max = 1000))]
    lines_after: Option<usize>,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    before: String,
    after: String,
    current_line: String,
    current_paragraph: String,
    block: Block,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Block {
    #[serde(rename = "type")]
    kind: &'static str,
    position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_list: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_blockquote: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_table: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_id: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    let found = place(&prose.view, at, input.lines_before.unwrap_or(3), input.lines_after.unwrap_or(3));
    let block = match found.block {
        None => Block { kind: "none", position: prose.position(at), ..Block::default() },
        Some(block) => Block {
            kind: block.kind.name(),
            position: prose.position(block.start),
            level: block.kind.level(),
            language: block.language,
            in_list: block.in_list.map(|list| match list {
                ListKind::Bullet => "bullet",
                ListKind::Ordered => "ordered",
                ListKind::Task => "task",
            }),
            in_blockquote: block.in_quote,
            in_table: block.in_table,
            node_id: block.id.map(|id| prose.told(id)),
        },
    };
    Ok(Output {
        before: found.before,
        after: found.after,
        current_line: found.current_line,
        current_paragraph: found.current_paragraph,
        block,
    })
}
