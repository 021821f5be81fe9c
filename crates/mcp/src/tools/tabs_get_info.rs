//! `tabs_get_info`: facts about a tab.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::TabId;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    tools::tabs_list::Tab,
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Tab info", sets: &[Set::Workspace], hints: Hints::GLANCE };

/// Facts about a tab, the active one by default.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    tab_id: Option<String>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Tab, ToolError> {
    let tab = input.tab_id.map(|tab| tab.parse::<TabId>()).transpose()?;
    Ok(cx.workspace.tab_of(input.window_id.as_ref().map(Window::as_str), tab)?.1.into())
}
