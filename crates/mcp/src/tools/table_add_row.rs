//! `table_add_row`: add a row beside the current one.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{self, Edit, TableAt, TableOperation};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Add row", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Adds a row before or after that of the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    position: Side,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    Before,
    After,
}

impl From<Side> for markdown::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::Before => Self::Before,
            Side::After => Self::After,
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let table = TableAt::Place(prose.selection(cx)?.end);
    let operations = vec![TableOperation::AddRowHere { side: input.position.into() }];
    Ok(prose.edit(cx, Edit::Table { table, operations }, EditOptions::default())?.answer())
}
