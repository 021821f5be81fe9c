//! `block_insert_horizontal_rule`: insert a horizontal rule.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Insert rule", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts a horizontal rule behind the block at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    let edited =
        prose.edit(cx, Edit::InsertBlock { at, content: "---".to_owned() }, EditOptions::default())?;
    Ok(edited.answer())
}
