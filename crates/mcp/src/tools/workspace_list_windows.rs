//! `workspace_list_windows`: the open windows.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    error::ToolError,
    resources::{WindowEntry, windows},
    tool::{About, Hints, Set},
};

pub(crate) const ABOUT: About =
    About { title: "List windows", sets: &[Set::Workspace], hints: Hints::GLANCE };

/// The open windows and the document in front of each.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

pub(crate) fn run(cx: &Cx<'_>, Input {}: Input) -> Result<Vec<WindowEntry>, ToolError> {
    Ok(windows(cx.workspace))
}
