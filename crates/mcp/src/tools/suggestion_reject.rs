//! `suggestion_reject`: reject one suggestion.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::SuggestionId;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{refused, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Reject suggestion", sets: &[Set::Markdown], hints: Hints::SET };

/// Rejects a suggestion; nothing of it stays.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    suggestion_id: String,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let id: SuggestionId = input.suggestion_id.parse().map_err(refused)?;
    let document = match input.window_id {
        Some(window) => cx.document(Some(window))?.1,
        None => cx.workspace.document_of(&id).map_err(refused)?,
    };
    cx.cancel.check()?;
    let rejected = cx.workspace.reject(document, &id, &cx.actor).map_err(refused)?;
    let ids: Vec<String> = rejected.iter().map(ToString::to_string).collect();
    Ok(reply(json!({ "message": format!("Rejected {}", ids.join(", ")), "rejected": ids })))
}
