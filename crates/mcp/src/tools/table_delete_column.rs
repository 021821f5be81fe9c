//! `table_delete_column`: delete the current column.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{Edit, TableAt, TableOperation};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Delete column", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Deletes the column of the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let table = TableAt::Place(prose.selection(cx)?.end);
    let operations = vec![TableOperation::DeleteColumnHere];
    Ok(prose.edit(cx, Edit::Table { table, operations }, EditOptions::default())?.answer())
}
