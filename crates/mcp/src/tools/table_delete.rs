//! `table_delete`: delete the table at the cursor.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{Edit, TableAt};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Delete table", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Deletes the table at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let table = TableAt::Place(prose.selection(cx)?.end);
    Ok(prose.edit(cx, Edit::DeleteTable { table }, EditOptions::default())?.answer())
}
