//! `workspace_get_focused`: which window is focused.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set, Text},
};

pub(crate) const ABOUT: About =
    About { title: "Focused window", sets: &[Set::Workspace], hints: Hints::GLANCE };

/// The label of the focused window.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

pub(crate) fn run(cx: &Cx<'_>, Input {}: Input) -> Result<Text, ToolError> {
    Ok(Text(cx.workspace.focused().to_string()))
}
