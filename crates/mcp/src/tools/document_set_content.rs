//! `document_set_content`: fill an empty document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Set content", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Writes the content of an EMPTY document. For others use document_insert_at_cursor, selection_replace or apply_diff.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Markdown.
    content: String,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    if !prose.view.text().trim().is_empty() {
        return Err(ToolError::new(
            "not_empty",
            "document_set_content is only allowed when the document is empty",
        )
        .hint("use document_insert_at_cursor, selection_replace or apply_diff for existing content"));
    }
    Ok(prose.edit(cx, Edit::Write { content: input.content }, EditOptions::default())?.answer())
}
