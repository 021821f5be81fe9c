//! `suggestion_wait`: until somebody decided on suggestions.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;
use workspace::{Status, SuggestionId};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{refused, reply},
    tool::{About, Hints, Reply, Set},
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

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
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
    let told: Vec<Value> = stands.iter().map(|(id, status)| {
        let (status, detail) = match status {
            Status::Pending => ("pending", None),
            Status::Stale { why } => ("stale", Some(why.clone())),
            Status::Accepted(decision) => ("accepted", Some(decision.by.clone())),
            Status::Rejected(decision) => ("rejected", Some(decision.by.clone())),
        };
        let mut told = json!({ "id": id.to_string(), "status": status });
        if let Some(detail) = detail {
            told["detail"] = detail.into();
        }
        told
    }).collect();
    Ok(reply(json!({ "suggestions": told })))
}
