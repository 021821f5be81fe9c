//! `tabs_list`: the tabs of a window.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::TabStatus;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::reply,
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "List tabs", sets: &[Set::Workspace], hints: Hints::GLANCE };

/// The tabs of a window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

/// A tab as lists show it.
pub(crate) fn told(tab: &TabStatus) -> Value {
    let mut told = json!({
        "id": tab.id.to_string(),
        "title": tab.document.title,
        "isDirty": tab.document.dirty,
        "isActive": tab.active,
    });
    if let Some(path) = &tab.document.path {
        told["filePath"] = path.display().to_string().into();
    }
    told
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let label = input.window_id.map(Window::label);
    let tabs = cx.workspace.tabs(label.as_ref())?;
    Ok(reply(tabs.iter().map(told).collect()))
}
