//! `editor_focus`: bring a window to the front.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::WindowLabel;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Focus editor", sets: &[Set::Markdown], hints: Hints::SET };

/// Brings the window to the front.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    window_id: String,
}

impl Output {
    /// Bring a window to the front and say so.
    pub(crate) fn focus(cx: &Cx<'_>, label: &WindowLabel) -> Result<Self, ToolError> {
        cx.workspace.focus(label)?;
        Ok(Self { message: format!("Focused {label}"), window_id: label.to_string() })
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let label = cx.window(input.window_id)?.unwrap_or_else(|| cx.workspace.focused());
    Output::focus(cx, &label)
}
