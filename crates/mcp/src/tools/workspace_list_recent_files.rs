//! `workspace_list_recent_files`: the files that were used last.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Milliseconds,
};

pub(crate) const ABOUT: About = About { title: "Recent files", sets: &[Set::Workspace], hints: Hints::READ };

/// Up to 10 recently opened or saved files, most recent first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct File {
    path: String,
    name: String,
    timestamp: Milliseconds,
}

pub(crate) fn run(cx: &Cx<'_>, Input {}: Input) -> Result<Vec<File>, ToolError> {
    let file = |file: workspace::RecentFile| File {
        path: file.path.display().to_string(),
        name: file.name,
        timestamp: Milliseconds::from_seconds(file.at),
    };
    Ok(cx.workspace.recent().into_iter().map(file).collect())
}
