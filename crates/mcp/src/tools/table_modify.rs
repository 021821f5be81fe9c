//! `table_modify`: several changes to one table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use workspace::markdown::{Edit, TableAt, TableOperation};

use crate::{
    cx::Cx,
    error::ToolError,
    operation::{Fields, each},
    prose::{Answer, Asked, Mode, Prose, node_id},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Modify table", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Operations in turn: setCellContent {row, col, content}, addRow {index?, cells?}, deleteRow {index}, addColumn {index?,
/// header?, cells?}, deleteColumn {index}, setHeaderRow {cells}; each has `type`. Row 0 is the header.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    node_id: String,
    #[schemars(length(min = 1, max = 100))]
    operations: Vec<Map<String, Value>>,
    mode: Option<Mode>,
    window_id: Option<Window>,
}

pub(crate) fn operation(name: &str, fields: &mut Fields) -> Result<TableOperation, ToolError> {
    Ok(match name {
        "setCellContent" | "update_cell" => TableOperation::SetCell {
            row: fields.index(&["row", "rowIndex"])?,
            column: fields.index(&["col", "column", "colIndex", "columnIndex"])?,
            content: fields.text(&["content", "text", "value"])?,
        },
        "addRow" | "add_row" => TableOperation::AddRow {
            at: fields.optional_index(&["index", "at", "row", "rowIndex"])?,
            cells: fields.texts(&["cells", "values"])?,
        },
        "deleteRow" | "delete_row" => {
            TableOperation::DeleteRow { at: fields.index(&["index", "at", "row", "rowIndex"])? }
        }
        "addColumn" | "add_column" => TableOperation::AddColumn {
            at: fields.optional_index(&["index", "at", "col", "column", "colIndex"])?,
            header: fields.optional_text(&["header", "title"])?.unwrap_or_default(),
            cells: fields.texts(&["cells", "values"])?,
        },
        "deleteColumn" | "delete_column" => {
            TableOperation::DeleteColumn { at: fields.index(&["index", "at", "col", "column", "colIndex"])? }
        }
        "setHeaderRow" | "set_header" => {
            let cells = fields.texts(&["cells", "values", "headers"])?;
            if cells.is_empty() { TableOperation::ToggleHeader } else { TableOperation::SetHeader { cells } }
        }
        _ => {
            return Err(fields.unknown(
                name,
                "setCellContent, addRow, deleteRow, addColumn, deleteColumn, setHeaderRow",
            ));
        }
    })
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    node_id: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let table = TableAt::Node(node_id(&input.node_id)?);
    let operations = each(input.operations, operation)?;
    let edited = prose.edit(cx, Edit::Table { table, operations }, Asked::mode(input.mode))?;
    Ok(edited.with(More { node_id: input.node_id }))
}
