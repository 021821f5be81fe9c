//! `suggestion_accept`: accept one suggestion.

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
    About { title: "Accept suggestion", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Accepts a suggestion, as one undo step.
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
    let accepted = cx.workspace.accept(document, &id, &cx.actor).map_err(refused)?;
    let ids: Vec<String> = accepted.accepted.iter().map(ToString::to_string).collect();
    let message = format!("Accepted {}; editor_undo takes it back", ids.join(", "));
    Ok(reply(json!({ "message": message, "accepted": ids, "revision": accepted.revision.to_string() })))
}
