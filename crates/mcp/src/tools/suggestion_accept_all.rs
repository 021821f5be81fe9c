//! `suggestion_accept_all`: accept all suggestions.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{refused, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Accept all", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Accepts all pending suggestions in document order, as one undo step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    cx.cancel.check()?;
    let accepted = cx.workspace.accept_all(document, &cx.actor).map_err(refused)?;
    let ids: Vec<String> = accepted.accepted.iter().map(ToString::to_string).collect();
    let left: Vec<Value> = accepted
        .left
        .iter()
        .map(|(id, why)| json!({ "id": id.to_string(), "why": why.to_string() }))
        .collect();
    let mut told = json!({
        "message": format!("Accepted {} suggestions", ids.len()),
        "count": ids.len(),
        "accepted": ids,
        "revision": accepted.revision.to_string(),
    });
    if !left.is_empty() {
        told["left"] = left.into();
    }
    Ok(reply(told))
}
