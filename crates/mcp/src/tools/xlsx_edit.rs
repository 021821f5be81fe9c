//! `xlsx_edit`: edits of a workbook, all or none.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};
use workspace::{Mode, sheet::Sheet};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    workbook::{self, Edited},
};

pub(crate) const ABOUT: About = About { title: "Edit workbook", sets: &[Set::Sheet], hints: Hints::EDIT };

/// Edits an .xlsx, all or none, in turn, and recalculates. Answers what the written cells show, what else changed, and new
/// errors. Edits: {op:"set", cell:"Inputs!B5" or a name, value} with value as typed into Excel (1.1, "25%", "=A1*2",
/// null clears); {op:"insert_rows", sheet, at:5, count:2} and delete_rows, insert_columns, delete_columns; set_cells,
/// set_style, add_sheet, rename_sheet, merge, set_columns, freeze, set_validation, add_conditional_format, add_table,
/// define_name, set_note, set_link, add_chart, set_page and more: an unknown op is answered with all of them, a wrong
/// field with those that its op takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The one in front otherwise.
    path: Option<String>,
    #[schemars(schema_with = "shape")]
    edits: Vec<Map<String, Value>>,
    #[serde(default)]
    dry_run: bool,
    /// Refuse what others changed since.
    base_revision: Option<String>,
}

fn shape(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array", "minItems": 1, "maxItems": 1000,
        "items": { "type": "object", "listedProperties": { "op": { "type": "string" } }, "listedRequired": ["op"] }
    })
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let written = workbook::read(Value::Array(input.edits.into_iter().map(Value::Object).collect()))?;
    let document = workbook::open(cx, input.path.as_deref())?;
    let edits = cx.workspace.read::<Sheet, _>(document, |view| workbook::resolved(view, written))??;
    let mode = if input.dry_run { Mode::DryRun } else { Mode::Apply };
    workbook::edit(cx, document, edits, mode, input.base_revision.as_deref())
}
