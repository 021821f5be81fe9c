//! `workspace_new_document`: make a new document.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{Kind, OpenIn};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::reply,
    tool::{About, Hints, Reply, Set},
};

pub(crate) const ABOUT: About =
    About { title: "New document", sets: &[Set::Core, Set::Workspace], hints: Hints::EDIT };

/// Makes a new, empty Markdown document in a tab of the focused window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    title: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let opened = cx.workspace.create(input.title.as_deref(), Kind::Markdown, OpenIn::Tab(None))?;
    let status = cx.workspace.status(opened.document)?;
    let mut told = json!({ "message": format!("Created {}", status.title), "title": status.title });
    if let Some((window, tab)) = opened.tab {
        told["windowId"] = window.to_string().into();
        told["tabId"] = tab.to_string().into();
    }
    Ok(reply(told))
}
