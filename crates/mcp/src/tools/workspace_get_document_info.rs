//! `workspace_get_document_info`: path, state and size of a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{DocId, Workspace};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::{self, Window},
};

pub(crate) const ABOUT: About =
    About { title: "Document info", sets: &[Set::Core, Set::Workspace], hints: Hints::READ };

/// Path, title, format, word and character count of the document, and whether it has unsaved changes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    /// `null` for a document that was never saved.
    file_path: Option<String>,
    is_dirty: bool,
    title: String,
    word_count: usize,
    char_count: usize,
    format: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    describe(cx.workspace, document)
}

pub(crate) fn describe(workspace: &Workspace, document: DocId) -> Result<Output, ToolError> {
    let status = workspace.status(document)?;
    let count = workspace.count(document)?;
    Ok(Output {
        file_path: status.path.map(|path| path.display().to_string()),
        is_dirty: status.dirty,
        title: status.title,
        word_count: count.words,
        char_count: count.chars,
        format: wire::format(status.kind),
    })
}
