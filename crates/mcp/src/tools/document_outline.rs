//! `document_outline`: the sections of a Markdown document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::OpenIn;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    tools::get_document_digest::digest,
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Markdown outline", sets: &[Set::Core], hints: Hints::READ };

/// The sections of a Markdown document with ids, positions and word counts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    path: Option<String>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    if let Some(path) = &input.path {
        cx.workspace.open(path, OpenIn::Tab(None))?;
    }
    let prose = Prose::open(cx, input.window_id)?;
    Ok(reply(digest(&prose)))
}
