//! `document_find`: where text stands in a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::Case;

use crate::{
    cx::Cx,
    digest::search,
    error::ToolError,
    tool::{About, Hints, Set},
    tools::document_search::Matched,
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Find text", sets: &[Set::Core], hints: Hints::READ };

/// Finds text in the document, also across formatting; each match with the id of its block, paragraph or cell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    query: String,
    #[serde(default)]
    case_sensitive: bool,
    offset: Option<usize>,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    count: usize,
    matches: Vec<Matched>,
    revision: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    const PAGE: usize = 50;
    let case = if input.case_sensitive { Case::Sensitive } else { Case::Insensitive };
    let offset = input.offset.unwrap_or(0);
    let found = search(cx, input.window_id, &input.query, case, (offset, PAGE))?;
    let next = offset + found.matches.len();
    let more = (next < found.total).then(|| format!("pass offset={next}"));
    Ok(Output { count: found.total, matches: found.matches, revision: found.revision, more })
}
