//! `tabs_reopen_closed`: bring a closed tab back.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::reply,
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Reopen tab", sets: &[Set::Workspace], hints: Hints::EDIT };

/// Reopens the tab that was closed last, with what was unsaved in it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let label = input.window_id.map(Window::label);
    let Some(opened) = cx.workspace.reopen_closed(label.as_ref())? else {
        return Ok(reply("No closed tabs to reopen".into()));
    };
    let status = cx.workspace.status(opened.document)?;
    let mut told = json!({ "title": status.title });
    if let Some((_, tab)) = opened.tab {
        told["tabId"] = tab.to_string().into();
    }
    if let Some(path) = status.path {
        told["filePath"] = path.display().to_string().into();
    }
    Ok(reply(told))
}
