//! `selection_replace`: replace the selected text.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Asked, Prose},
    tool::{About, Hints, Reply, Set},
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

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    let original = prose.view.slice(range.clone()).into_owned();
    let edit = Edit::Replace { range: range.clone(), expect: Some(original.clone()), with: input.text };
    let edited = prose.edit(cx, edit, Asked::default())?;
    Ok(edited.reply_with(json!({ "range": prose.span(&range), "originalContent": original })))
}
