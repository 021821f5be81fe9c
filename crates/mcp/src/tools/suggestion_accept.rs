//! `suggestion_accept`: accept one suggestion.

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
    About { title: "Accept suggestion", sets: &[Set::Review, Set::Markdown], hints: Hints::EDIT };

/// Accepts a suggestion, as one undo step.
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
    accepted: Vec<String>,
    revision: String,
    file: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let id: SuggestionId = input.suggestion_id.parse().map_err(refused)?;
    let document = match input.window_id {
        Some(window) => cx.document(Some(window))?.1,
        None => cx.workspace.document_of(&id).map_err(refused)?,
    };
    cx.cancel.check()?;
    let done = cx.workspace.accept(document, &id).map_err(refused)?;
    let accepted: Vec<String> = done.accepted.iter().map(ToString::to_string).collect();
    let message = format!("Accepted {}; editor_undo takes it back", accepted.join(", "));
    Ok(Output { message, accepted, revision: done.revision.to_string(), file: cx.file(document)? })
}
