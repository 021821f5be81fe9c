//! `get_document_digest`: a document's structure in brief.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    digest::{Digest, digest},
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Document digest", sets: &[Set::Markdown], hints: Hints::READ };

/// Sections with ids and word counts, and counts of what the document holds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    offset: Option<usize>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Digest, ToolError> {
    digest(cx, input.window_id, input.offset.unwrap_or(0))
}
