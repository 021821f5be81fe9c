//! `workspace_open_document`: open a file in a tab of the focused window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::OpenIn;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire,
};

pub(crate) const ABOUT: About = About {
    title: "Open document",
    sets: &[Set::Markdown, Set::Core, Set::Word, Set::Sheet, Set::Workspace],
    hints: Hints::READ,
};

/// Opens a .docx, .xlsx, .md or text file in a tab and focuses it. A file that is open already is shown with its
/// unsaved edits. Relative paths start at the workspace root.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// File path to open.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// Take the file as it is now, away with unsaved edits.
    #[serde(default)]
    reload: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    window_id: String,
    tab_id: String,
    file_path: String,
    title: String,
    format: String,
    revision: String,
    is_dirty: bool,
    was_open: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let opened = cx.workspace.open(&input.path, OpenIn::Tab(None))?;
    if input.reload && opened.was_open {
        cx.workspace.reload(opened.document)?;
    }
    let status = cx.workspace.status(opened.document)?;
    let (window, tab) = match opened.tab {
        Some((window, tab)) => (window.to_string(), tab.to_string()),
        None => (cx.workspace.focused().to_string(), String::new()),
    };
    Ok(Output {
        window_id: window,
        tab_id: tab,
        file_path: status.path.map_or(input.path, |path| path.display().to_string()),
        title: status.title,
        format: wire::format(status.kind),
        revision: status.revision.to_string(),
        is_dirty: status.dirty,
        was_open: opened.was_open,
        notes: wire::notes(&opened.notes),
    })
}
