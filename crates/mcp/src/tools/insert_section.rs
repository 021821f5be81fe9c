//! `insert_section`: a new section.

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

pub(crate) const ABOUT: About = About { title: "Insert section", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts a section behind that of a heading, or behind another block.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Node id, or the title of a heading.
    after: String,
    #[schemars(range(min = 1, max = 6))]
    level: u8,
    #[schemars(length(min = 1))]
    title: String,
    /// Markdown.
    content: Option<String>,
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    base_revision: Option<String>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<ChangedNodes>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let after = prose.named(cx, &input.after, input.base_revision.as_deref(), Reliance::Block)?;
    let content = input.content.unwrap_or_default();
    let edit = Edit::InsertSection { after, level: input.level, title: input.title, content };
    let asked = EditOptions { mode: input.mode, base: input.base_revision, request: None };
    let edited = prose.edit(cx, edit, asked)?;
    Ok(edited.with(edited.changed_nodes()))
}
