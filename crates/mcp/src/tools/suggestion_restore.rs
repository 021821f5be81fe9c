//! `suggestion_restore`: take back that suggestions were rejected.

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
    About { title: "Take back a rejection", sets: &[Set::Review], hints: Hints::SET };

/// Makes rejected suggestions pending again, all or none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    suggestion_ids: Vec<String>,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    restored: Vec<String>,
    file: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let document = cx.document(input.window_id)?.1;
    let ids = input.suggestion_ids.iter().map(|id| id.parse().map_err(refused));
    let ids: Vec<SuggestionId> = ids.collect::<Result<_, _>>()?;
    cx.workspace.restore(document, &ids).map_err(refused)?;
    let restored: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Ok(Output {
        message: format!("Pending again: {}", restored.join(", ")),
        restored,
        file: cx.file(document)?,
    })
}
