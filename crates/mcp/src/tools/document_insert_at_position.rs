//! `document_insert_at_position`: insert text at a position.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Insert at position", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts Markdown at a character position.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    text: String,
    /// Characters before it.
    position: u64,
    window_id: Option<Window>,
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    position: u64,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.byte("position", input.position)?;
    let edit = Edit::Replace { range: at..at, expect: None, with: input.text };
    let edited = prose.edit(cx, edit, EditOptions::default())?;
    Ok(edited.with(More { position: input.position }))
}
