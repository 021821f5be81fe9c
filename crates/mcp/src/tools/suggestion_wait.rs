//! `suggestion_wait`: until somebody decided on suggestions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use workspace::{Status, SuggestionId};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::refused,
    tool::{About, Hints, Output as _, Set, Shaped},
    tools::suggestion_list,
};

pub(crate) const ABOUT: About =
    About { title: "Wait for decisions", sets: &[Set::Review, Set::Core], hints: Hints::READ };

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

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Shaped<Output>, ToolError> {
    let ids: Vec<SuggestionId> = input
        .suggestion_ids
        .iter()
        .map(|text| text.parse().map_err(refused))
        .collect::<Result<_, ToolError>>()?;
    let stands = cx.workspace.decisions(&ids).map_err(refused)?;
    let told = stands.iter().map(|(id, status)| {
        let (status, detail) = suggestion_list::stands(status);
        Decided { id: id.to_string(), status, detail }
    });
    let mut reply = Output { suggestions: told.collect() }.reply()?;
    if stands.iter().any(|(_, status)| *status == Status::Pending) {
        reply.again = Some(Duration::from_secs(input.seconds.unwrap_or(20)));
    }
    Ok(reply.into())
}
