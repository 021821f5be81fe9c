//! `workspace_new_document`: make a new document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{Kind, OpenIn};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
};

pub(crate) const ABOUT: About =
    About { title: "New document", sets: &[Set::Markdown, Set::Core, Set::Workspace], hints: Hints::EDIT };

/// Makes a new, empty Markdown document in a tab of the focused window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    title: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    window_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tab_id: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let opened = cx.workspace.create(input.title.as_deref(), Kind::Markdown, OpenIn::Tab(None))?;
    let title = cx.workspace.status(opened.document)?.title;
    let (window_id, tab_id) = opened.tab.map(|(window, tab)| (window.to_string(), tab.to_string())).unzip();
    Ok(Output { message: format!("Created {title}"), title, window_id, tab_id })
}
