//! `workspace_save_document_as`: write a document to another file.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::Overwrite;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    tools::workspace_save_document::Output,
    wire::Window,
};

pub(crate) const ABOUT: About = About {
    title: "Save document as",
    sets: &[Set::Markdown, Set::Core, Set::Workspace],
    hints: Hints::OVERWRITE,
};

/// Saves the document to a new path, which is its file from then on. Refuses to replace an existing file unless
/// `overwrite` is set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// New file path.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// Replace an existing file.
    #[serde(default)]
    overwrite: bool,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    cx.cancel.check()?;
    let overwrite = if input.overwrite { Overwrite::Allow } else { Overwrite::Refuse };
    Ok(cx.workspace.save_as(document, &input.path, overwrite)?.into())
}
