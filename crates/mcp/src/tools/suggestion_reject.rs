//! `suggestion_reject`: reject one suggestion.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::SuggestionId;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::refused,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Reject suggestion", sets: &[Set::Review, Set::Markdown], hints: Hints::SET };

/// Rejects a suggestion; nothing of it stays.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    suggestion_id: String,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    rejected: Vec<String>,
    file: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let id: SuggestionId = input.suggestion_id.parse().map_err(refused)?;
    let document = match input.window_id {
        Some(window) => cx.document(Some(window))?.1,
        None => cx.workspace.document_of(&id).map_err(refused)?,
    };
    let rejected = cx.workspace.reject(document, &id).map_err(refused)?;
    let rejected: Vec<String> = rejected.iter().map(ToString::to_string).collect();
    Ok(Output { message: format!("Rejected {}", rejected.join(", ")), rejected, file: cx.file(document)? })
}
