//! `get_capabilities`: what this server can do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
};

pub(crate) const ABOUT: About = About {
    title: "Server capabilities",
    sets: &[Set::Core, Set::Markdown, Set::Workspace],
    hints: Hints::GLANCE,
};

/// The server's version, enabled tools, resources and features.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    version: &'static str,
    tools: Vec<&'static str>,
    resources: Vec<&'static str>,
    features: Features,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Features {
    formats: &'static [&'static str],
    read_only: bool,
    suggestions: bool,
    revisions: bool,
    undo: bool,
}

pub(crate) fn run(cx: &Cx<'_>, Input {}: Input) -> Result<Output, ToolError> {
    Ok(Output {
        version: env!("CARGO_PKG_VERSION"),
        tools: cx.catalogue.tools.clone(),
        resources: cx.catalogue.resources.clone(),
        features: Features {
            formats: &["docx", "xlsx", "xlsm", "xls", "md", "txt"],
            read_only: cx.catalogue.read_only,
            suggestions: true,
            revisions: true,
            undo: true,
        },
    })
}
