//! `document_insert_at_cursor`: insert text where the cursor is.

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
    About { title: "Insert at cursor", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts Markdown at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    text: String,
    window_id: Option<Window>,
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    position: usize,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    let edit = Edit::Replace { range: at..at, expect: None, with: input.text };
    let edited = prose.edit(cx, edit, EditOptions::default())?;
    Ok(edited.with(More { position: prose.position(at) }))
}
