//! `document_outline`: the sections of a document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::OpenIn;

use crate::{
    cx::Cx,
    digest::{Digest, digest},
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Outline", sets: &[Set::Core], hints: Hints::READ };

/// The sections of a Markdown or Word document, or the sheets of a workbook, with ids and word counts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    path: Option<String>,
    offset: Option<usize>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Digest, ToolError> {
    if let Some(path) = &input.path {
        cx.workspace.open(path, OpenIn::Tab(None))?;
    }
    digest(cx, input.window_id, input.offset.unwrap_or(0))
}
