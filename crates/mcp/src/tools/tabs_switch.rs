//! `tabs_switch`: bring a tab to the front.

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

pub(crate) const ABOUT: About = About { title: "Switch tab", sets: &[Set::Workspace], hints: Hints::SET };

/// Brings a tab to the front of its window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    tab_id: String,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Tab, ToolError> {
    let label = cx.window(input.window_id)?;
    let tab: TabId = input.tab_id.parse()?;
    cx.workspace.switch_tab(label.as_ref(), tab)?;
    Ok(cx.workspace.tab(label.as_ref(), Some(tab))?.into())
}
