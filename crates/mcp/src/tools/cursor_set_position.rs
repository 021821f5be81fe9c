//! `cursor_set_position`: put the cursor somewhere.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Set cursor", sets: &[Set::Markdown], hints: Hints::SET };

/// Sets the cursor, in characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    position: u64,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.byte("position", input.position)?;
    prose.select(cx, at..at)?;
    let place = prose.view.line_column(at);
    Ok(reply(json!({
        "message": format!("Cursor at {}", input.position),
        "position": input.position,
        "line": place.line,
        "column": place.column,
    })))
}
