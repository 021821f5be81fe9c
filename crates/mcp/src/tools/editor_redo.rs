//! `editor_redo`: make the change again that was taken back.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    tools::editor_undo::{self, Output},
    wire::Window,
};

pub(crate) const ABOUT: About = About {
    title: "Redo",
    sets: &[Set::Core, Set::Word, Set::Sheet, Set::Markdown, Set::Workspace],
    hints: Hints::EDIT,
};

/// Makes the last undone change again, in memory. Save to write it to disk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
    #[serde(rename = "session_id")]
    session_id: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let document = editor_undo::meant(cx, input.window_id, input.session_id.as_deref())?;
    cx.cancel.check()?;
    let step = cx.workspace.redo(document)?;
    Output::of(cx, document, step, "There is nothing to redo")
}
