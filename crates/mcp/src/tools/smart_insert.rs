//! `smart_insert`: insert paragraphs beside one of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::targets::{Argument, Insertion};
use workspace::word::Position;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About =
    About { title: "Insert Word paragraphs", sets: &[Set::Core, Set::Word], hints: Hints::EDIT };

/// Inserts paragraphs before or after one (or a table, tbl_…) of a .docx, formatted like it or like style_source_id. A blank line in
/// new_string starts a new paragraph. Definitions and <header> tags take the document's own look.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    positional_anchor_node_id: String,
    #[schemars(length(min = 1))]
    new_string: String,
    #[serde(default)]
    position: Where,
    style_source_id: Option<String>,
    /// Why; comes back with the answer.
    instruction: Option<String>,
    /// Refuse if the document has changed since.
    expect_revision: Option<String>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Where {
    Before,
    #[default]
    After,
}

impl From<Where> for Position {
    fn from(side: Where) -> Self {
        match side {
            Where::Before => Position::Before,
            Where::After => Position::After,
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?
        .overriding(input.override_protection);
    let source = input.style_source_id.as_deref();
    let insertion = Insertion {
        beside: Argument { field: "positional_anchor_node_id", name: &input.positional_anchor_node_id },
        position: input.position.into(),
        text: input.new_string,
        style_source: source.map(|name| Argument { field: "style_source_id", name }),
        markup: input.track.markup(),
    };
    let edit = word::insertion(cx, &target, insertion)?;
    let edited =
        word::edit(cx, &target, vec![edit], input.track, input.dry_run, input.expect_revision.as_deref())?;
    Ok(Edited { instruction: input.instruction, ..edited })
}
