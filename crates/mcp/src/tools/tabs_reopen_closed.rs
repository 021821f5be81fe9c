//! `tabs_reopen_closed`: bring a closed tab back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, OrBare, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Reopen tab", sets: &[Set::Workspace], hints: Hints::EDIT };

/// Reopens the tab that was closed last, with what was unsaved in it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    tab_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<String>,
    /// Instead of the rest, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<OrBare<Output>, ToolError> {
    let label = cx.window(input.window_id)?;
    let Some(opened) = cx.workspace.reopen_closed(label.as_ref())? else {
        return Ok(OrBare(Output { result: Some("No closed tabs to reopen"), ..Output::default() }));
    };
    let status = cx.workspace.status(opened.document)?;
    Ok(OrBare(Output {
        tab_id: opened.tab.map(|(_, tab)| tab.to_string()),
        title: Some(status.title),
        file_path: status.path.map(|path| path.display().to_string()),
        result: None,
    }))
}
