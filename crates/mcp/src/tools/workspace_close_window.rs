//! `workspace_close_window`: close a window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::Closing;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Close window", sets: &[Set::Workspace], hints: Hints::OVERWRITE };

/// Closes a window. Refuses if a document in it has unsaved changes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Close in spite of unsaved changes; tabs_reopen_closed brings them back.
    #[serde(default)]
    force: bool,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let label = cx.window(input.window_id)?.unwrap_or_else(|| cx.workspace.focused());
    let closing = if input.force { Closing::Force } else { Closing::Careful };
    cx.workspace.close_window(Some(&label), closing)?;
    Ok(Output { message: format!("Closed {label}") })
}
