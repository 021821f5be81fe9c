//! `workspace_get_info`: the folder that is worked in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::Scope;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Workspace info", sets: &[Set::Core, Set::Workspace], hints: Hints::GLANCE };

/// The workspace root that relative paths start at, and whether a folder or a single file was opened.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    is_workspace_mode: bool,
    root_path: Option<String>,
    workspace_name: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    // Every window has the same folder, but a window that is not there is still a mistake.
    cx.window(input.window_id)?;
    let folder = cx.workspace.folder();
    let is_folder = folder.scope == Scope::Folder;
    Ok(Output {
        is_workspace_mode: is_folder,
        root_path: folder.root.filter(|_| is_folder).map(|root| root.display().to_string()),
        workspace_name: folder.name.filter(|_| is_folder),
    })
}
