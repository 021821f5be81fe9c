//! `cursor_set_position`: put the cursor somewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Set cursor", sets: &[Set::Markdown], hints: Hints::SET };

/// Sets the cursor, in characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    position: u64,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    position: u64,
    line: usize,
    column: usize,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let position = input.position;
    let at = prose.byte("position", position)?;
    prose.select(cx, at..at)?;
    let place = prose.view.line_column(at);
    Ok(Output { message: format!("Cursor at {position}"), position, line: place.line, column: place.column })
}
