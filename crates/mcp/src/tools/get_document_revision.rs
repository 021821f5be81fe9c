//! `get_document_revision`: the state of a document, for optimistic locking.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::{Milliseconds, Window},
};

pub(crate) const ABOUT: About = About {
    title: "Document revision",
    sets: &[Set::Core, Set::Word, Set::Sheet, Set::Markdown, Set::Workspace],
    hints: Hints::READ,
};

/// The current revision of the document. Pass it as `baseRevision` to an edit to be refused if somebody else
/// changed the document meanwhile.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    revision: String,
    hash: String,
    timestamp: Milliseconds,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let (_, document) = cx.document(input.window_id)?;
    let state = cx.workspace.revision(document)?;
    Ok(Output {
        revision: state.revision.to_string(),
        hash: state.hash,
        timestamp: Milliseconds::from_seconds(state.at),
    })
}
