//! `suggestion_accept_all`: accept all suggestions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{Refusal, SuggestionId};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::refused,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Accept all", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Accepts all pending suggestions in document order, as one undo step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    count: usize,
    accepted: Vec<String>,
    revision: String,
    file: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<Left>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Left {
    id: String,
    why: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    cx.cancel.check()?;
    let all = cx.workspace.accept_all(document).map_err(refused)?;
    let accepted: Vec<String> = all.accepted.iter().map(ToString::to_string).collect();
    let left = |(id, why): &(SuggestionId, Refusal)| Left { id: id.to_string(), why: why.to_string() };
    Ok(Output {
        message: format!("Accepted {} suggestions", accepted.len()),
        count: accepted.len(),
        accepted,
        revision: all.revision.to_string(),
        file: cx.file(document)?,
        left: all.left.iter().map(left).collect(),
    })
}
