//! `cursor_get_context`: what is around the cursor.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::markdown::place;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Cursor context", sets: &[Set::Markdown], hints: Hints::READ };

/// The text around the cursor and the block it is in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Default 3.
    #[schemars(range(max = 1000))]
    lines_before: Option<usize>,
    /// Default 3.
    #[schemars(range(max = 1000))]
    lines_after: Option<usize>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    let found = place(&prose.view, at, input.lines_before.unwrap_or(3), input.lines_after.unwrap_or(3));
    let block = match found.block {
        None => json!({ "type": "none", "position": prose.position(at) }),
        Some(block) => {
            let mut told = json!({ "type": block.kind.name(), "position": prose.position(block.start) });
            if let Some(level) = block.kind.level() {
                told["level"] = level.into();
            }
            if let Some(language) = block.language {
                told["language"] = language.into();
            }
            if let Some(list) = block.in_list {
                told["inList"] = json!(list);
            }
            if block.in_quote {
                told["inBlockquote"] = true.into();
            }
            if block.in_table {
                told["inTable"] = true.into();
            }
            if let Some(id) = block.id {
                told["nodeId"] = id.to_string().into();
            }
            told
        }
    };
    Ok(reply(json!({
        "before": found.before,
        "after": found.after,
        "currentLine": found.current_line,
        "currentParagraph": found.current_paragraph,
        "block": block,
    })))
}
