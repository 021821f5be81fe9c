//! `insert_mermaid`: insert a diagram.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{Edit, fenced_code};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose, refused},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Insert Mermaid diagram", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts a Mermaid diagram behind the block at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    code: String,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    let edited = prose.edit(
        cx,
        Edit::InsertBlock { at, content: fenced_code("mermaid", &input.code).map_err(refused)? },
        EditOptions::default(),
    )?;
    Ok(edited.answer())
}
