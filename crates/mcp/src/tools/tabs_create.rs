//! `tabs_create`: a new, empty tab.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{Kind, OpenIn};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::reply,
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "New tab", sets: &[Set::Workspace], hints: Hints::EDIT };

/// Makes a new tab with an empty document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let place = OpenIn::Tab(input.window_id.map(Window::label));
    let opened = cx.workspace.create(None, Kind::Markdown, place)?;
    let (window, tab) = opened.tab.ok_or_else(|| ToolError::new(ToolError::INTERNAL, "the tab was not shown"))?;
    Ok(reply(json!({ "tabId": tab.to_string(), "windowId": window.to_string() })))
}
