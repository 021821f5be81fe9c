//! `insert_math_inline`: insert `$…$`.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose, formula},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Insert inline math", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts inline LaTeX math at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    latex: String,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    prose.in_text(at, "a formula")?;
    let latex = formula(&input.latex)?.split_whitespace().collect::<Vec<_>>().join(" ");
    let edit = Edit::Replace { range: at..at, expect: None, with: format!("${latex}$") };
    Ok(prose.edit(cx, edit, EditOptions::default())?.answer())
}
