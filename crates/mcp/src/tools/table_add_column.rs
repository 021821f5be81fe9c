//! `table_add_column`: add a column beside the current one.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{Edit, TableAt, TableOperation};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    tools::table_add_row::Side,
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Add column", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Adds a column before or after that of the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    position: Side,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let table = TableAt::Place(prose.selection(cx)?.end);
    let operations = vec![TableOperation::AddColumnHere { side: input.position.into() }];
    Ok(prose.edit(cx, Edit::Table { table, operations }, EditOptions::default())?.answer())
}
