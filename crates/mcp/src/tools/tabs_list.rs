//! `tabs_list`: the tabs of a window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::TabStatus;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "List tabs", sets: &[Set::Workspace], hints: Hints::GLANCE };

/// The tabs of a window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

/// A tab as lists show it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tab {
    id: String,
    title: String,
    /// `null` for a document that was never saved.
    file_path: Option<String>,
    is_dirty: bool,
    is_active: bool,
}

impl From<TabStatus> for Tab {
    fn from(tab: TabStatus) -> Self {
        Self {
            id: tab.id.to_string(),
            title: tab.document.title,
            file_path: tab.document.path.map(|path| path.display().to_string()),
            is_dirty: tab.document.dirty,
            is_active: tab.active,
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Vec<Tab>, ToolError> {
    let label = cx.window(input.window_id)?;
    Ok(cx.workspace.tabs(label.as_ref())?.into_iter().map(Tab::from).collect())
}
