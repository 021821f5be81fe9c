//! `workspace_focus_window`: bring a window to the front.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    tools::editor_focus::Output,
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Focus window", sets: &[Set::Workspace], hints: Hints::SET };

/// Brings a window to the front.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Window,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    Output::focus(cx, &cx.workspace.window_of(input.window_id.as_str())?)
}
