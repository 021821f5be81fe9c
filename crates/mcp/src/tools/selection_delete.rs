//! `selection_delete`: delete the selected text.

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
    About { title: "Delete selection", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Deletes the selected text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    range: Span,
    content: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    if range.is_empty() {
        return Err(
            ToolError::new("no_selection", "no text is selected").hint("select text with selection_set")
        );
    }
    let original = prose.view.slice(range.clone()).into_owned();
    let edit = Edit::Replace { range: range.clone(), expect: Some(original.clone()), with: String::new() };
    let edited = prose.edit(cx, edit, EditOptions::default())?;
    Ok(edited.with(More { range: prose.span(&range), content: original }))
}
