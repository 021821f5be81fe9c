//! `tabs_get_active`: the tab in front.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    tools::tabs_list::Tab,
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Active tab", sets: &[Set::Workspace], hints: Hints::GLANCE };

/// The active tab of a window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Tab, ToolError> {
    Ok(cx.workspace.tab_of(input.window_id.as_ref().map(Window::as_str), None)?.1.into())
}
