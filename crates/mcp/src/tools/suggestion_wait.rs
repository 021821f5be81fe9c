//! `suggestion_wait`: until somebody decided on suggestions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use workspace::{Status, SuggestionId};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::refused,
    tool::{About, Hints, Set},
    tools::suggestion_list,
};

pub(crate) const ABOUT: About =
    About { title: "Wait for decisions", sets: &[Set::Core], hints: Hints::READ };

/// Waits until none of the suggestions is pending, or the time is up, and tells how each stands.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1, max = 100))]
    suggestion_ids: Vec<String>,
    /// At most; default 20.
    #[schemars(range(min = 0, max = 120))]
    seconds: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    suggestions: Vec<Decided>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Decided {
    id: String,
    status: &'static str,
    /// Who decided, or why it is stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let ids: Vec<SuggestionId> = input
        .suggestion_ids
        .iter()
        .map(|text| text.parse().map_err(refused))
        .collect::<Result<_, ToolError>>()?;
    let Some(first) = ids.first() else { return Err(ToolError::invalid("suggestionIds: at least one")) };
    let document = cx.workspace.document_of(first).map_err(refused)?;
    // In short turns, so that a cancelled call ends.
    let mut turns = input.seconds.unwrap_or(20) * 4;
    let stands = loop {
        let stands = cx.workspace.wait_decided(document, &ids, Duration::from_millis(250)).map_err(refused)?;
        if turns == 0 || stands.iter().all(|(_, status)| *status != Status::Pending) {
            break stands;
        }
        cx.cancel.check()?;
        turns -= 1;
    };
    let told = stands.iter().map(|(id, status)| {
        let (status, detail) = suggestion_list::stands(status);
        Decided { id: id.to_string(), status, detail }
    });
    Ok(Output { suggestions: told.collect() })
}
