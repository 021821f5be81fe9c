//! `tabs_close`: close a tab.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{Closing, TabId};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::reply,
    tool::{About, Hints, Reply, Set},
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

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let label = input.window_id.map(Window::label);
    let tab = input.tab_id.map(|tab| tab.parse::<TabId>()).transpose()?;
    let closed = cx.workspace.tab(label.as_ref(), tab)?;
    let closing = if input.force { Closing::Force } else { Closing::Careful };
    cx.workspace.close_tab(label.as_ref(), tab, closing)?;
    Ok(reply(json!({ "message": format!("Closed {}", closed.document.title), "tabId": closed.id.to_string() })))
}
