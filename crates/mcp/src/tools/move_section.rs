//! `move_section`: a section to another place.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::Edit;

use crate::{
    block_ids::Reliance,
    cx::Cx,
    error::ToolError,
    prose::{Answer, ChangedNodes, EditOptions, Mode, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Move section", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Moves a section behind another section or block.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Of the heading, or its title.
    node_id: String,
    after: String,
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    base_revision: Option<String>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<ChangedNodes>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let base = input.base_revision.as_deref();
    let heading = prose.named(cx, &input.node_id, base, Reliance::Section)?;
    let after = prose.named(cx, &input.after, base, Reliance::Block)?;
    let asked = EditOptions { mode: input.mode, base: input.base_revision, request: None };
    let edited = prose.edit(cx, Edit::MoveSection { heading, after }, asked)?;
    Ok(edited.with(edited.changed_nodes()))
}
