//! `selection_replace`: replace the selected text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose, Span},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Replace selection", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Replaces the selected text with Markdown.
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
    range: Span,
    original_content: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    let original = prose.view.slice(range.clone()).into_owned();
    let edit = Edit::Replace { range: range.clone(), expect: Some(original.clone()), with: input.text };
    let edited = prose.edit(cx, edit, EditOptions::default())?;
    Ok(edited.with(More { range: prose.span(&range), original_content: original }))
}
