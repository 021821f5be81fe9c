//! `editor_focus`: bring a window to the front.

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
    About { title: "Focus editor", sets: &[Set::Markdown], hints: Hints::SET };

/// Brings the window to the front.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let label = match input.window_id {
        Some(window) => window.label(),
        None => cx.workspace.focused(),
    };
    cx.workspace.focus(&label)?;
    Ok(reply(json!({ "message": format!("Focused {label}"), "windowId": label.to_string() })))
}
