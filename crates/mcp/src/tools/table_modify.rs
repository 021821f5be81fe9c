//! `table_modify`: several changes to one table.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{Edit, TableAt, TableOperation};

use crate::{
    cx::Cx,
    error::ToolError,
    operation::{Fields, Named, OnNode},
    prose::Answer,
    tool::{About, Hints, Set},
};

pub(crate) const ABOUT: About =
    About { title: "Modify table", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Operations in turn: setCellContent {row, col, content}, addRow {index?, cells?}, deleteRow {index}, addColumn {index?,
/// header?, cells?}, deleteColumn {index}, setHeaderRow {cells}; each has `type`. Row 0 is the header.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Input(OnNode);

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

pub(crate) fn run(cx: &Cx<'_>, Input(asked): Input) -> Result<Answer<Named>, ToolError> {
    asked.make(cx, operation, |node, operations| Edit::Table { table: TableAt::Node(node), operations })
}
