//! `workspace_save_document`: write a document to its file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{Overwrite, SaveReport};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::{self, Window},
};

pub(crate) const ABOUT: About = About {
    title: "Save document",
    sets: &[Set::Markdown, Set::Review, Set::Core, Set::Workspace],
    hints: Hints::OVERWRITE,
};

/// Saves the document to its file, in one step and without touching what was not edited. Refuses if another
/// program changed the file meanwhile.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Replace the file even if another program changed it.
    #[serde(default)]
    overwrite: bool,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    file_path: String,
    revision: String,
    /// Whether the file changed.
    written: bool,
    bytes: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl From<SaveReport> for Output {
    fn from(report: SaveReport) -> Self {
        let path = report.path.display().to_string();
        let message = match report.written {
            true => format!("Saved {path}"),
            false => format!("{path} is up to date; nothing had to be written"),
        };
        Self {
            message,
            file_path: path,
            revision: report.revision.to_string(),
            written: report.written,
            bytes: report.bytes,
            notes: wire::notes(&report.notes),
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    // Not `Cx::document`: what another program wrote is for saving to notice, not to be taken in first.
    let (_, document) = cx.unrefreshed(input.window_id)?;
    cx.cancel.check()?;
    let overwrite = if input.overwrite { Overwrite::Allow } else { Overwrite::Refuse };
    Ok(cx.workspace.save(document, overwrite)?.into())
}
