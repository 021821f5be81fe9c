//! `tabs_close`: close a tab.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{Closing, TabId};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Close tab", sets: &[Set::Workspace], hints: Hints::OVERWRITE };

/// Closes a tab, the active one by default. Refuses if it has unsaved changes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    tab_id: Option<String>,
    /// Close in spite of unsaved changes; tabs_reopen_closed brings them back.
    #[serde(default)]
    force: bool,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    tab_id: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let tab = input.tab_id.map(|tab| tab.parse::<TabId>()).transpose()?;
    let (label, closed) = cx.workspace.tab_of(input.window_id.as_ref().map(Window::as_str), tab)?;
    let closing = if input.force { Closing::Force } else { Closing::Careful };
    cx.workspace.close_tab(Some(&label), Some(closed.id), closing)?;
    Ok(Output { message: format!("Closed {}", closed.document.title), tab_id: closed.id.to_string() })
}
