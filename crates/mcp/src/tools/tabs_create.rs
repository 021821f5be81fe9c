//! `tabs_create`: a new, empty tab.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{Kind, OpenIn};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "New tab", sets: &[Set::Workspace], hints: Hints::EDIT };

/// Makes a new tab with an empty document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    tab_id: String,
    window_id: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let place = OpenIn::Tab(cx.window(input.window_id)?);
    let opened = cx.workspace.create(None, Kind::Markdown, place)?;
    let (window, tab) =
        opened.tab.ok_or_else(|| ToolError::new(ToolError::INTERNAL, "the tab was not shown"))?;
    Ok(Output { tab_id: tab.to_string(), window_id: window.to_string() })
}
