//! `block_toggle`: turn the current block into a type, or back.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    tools::block_set_type::BlockType,
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Toggle block type", sets: &[Set::Markdown], hints: Hints::EDIT };

/// As block_set_type; back to a paragraph if it is of that type.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[serde(rename = "type")]
    kind: BlockType,
    /// For headings.
    #[schemars(range(min = 1, max = 6))]
    level: Option<u8>,
    language: Option<String>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    let level = input.level.or(Some(1));
    let to = input.kind.with(level, input.language)?;
    Ok(prose.edit(cx, Edit::ToggleBlock { range, to }, EditOptions::default())?.answer())
}
