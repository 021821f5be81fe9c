//! `suggestion_reject_all`: reject all suggestions.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{refused, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Reject all", sets: &[Set::Markdown], hints: Hints::SET };

/// Rejects all suggestions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    cx.cancel.check()?;
    let rejected = cx.workspace.reject_all(document, &cx.actor).map_err(refused)?;
    let ids: Vec<String> = rejected.iter().map(ToString::to_string).collect();
    let message = format!("Rejected {} suggestions", ids.len());
    Ok(reply(json!({ "message": message, "count": ids.len(), "rejected": ids })))
}
