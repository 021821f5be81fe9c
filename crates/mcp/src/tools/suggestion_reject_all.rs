//! `suggestion_reject_all`: reject all suggestions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::refused,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Reject all", sets: &[Set::Markdown], hints: Hints::SET };

/// Rejects all suggestions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    count: usize,
    rejected: Vec<String>,
    file: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    let rejected = cx.workspace.reject_all(document).map_err(refused)?;
    let rejected: Vec<String> = rejected.iter().map(ToString::to_string).collect();
    let (message, count) = (format!("Rejected {} suggestions", rejected.len()), rejected.len());
    Ok(Output { message, count, rejected, file: cx.file(document)? })
}
