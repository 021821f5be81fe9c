//! `table_insert`: insert a table.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{Edit, Header};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Insert table", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts an empty table behind the block at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// With the header row.
    #[schemars(range(min = 1, max = 1000))]
    rows: usize,
    #[schemars(range(min = 1, max = 1000))]
    cols: usize,
    #[schemars(extend("default" = true))]
    with_header_row: Option<bool>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    let header = if input.with_header_row.unwrap_or(true) { Header::Row } else { Header::Empty };
    let edit = Edit::InsertTable { at, rows: input.rows, columns: input.cols, header };
    Ok(prose.edit(cx, edit, EditOptions::default())?.answer())
}
