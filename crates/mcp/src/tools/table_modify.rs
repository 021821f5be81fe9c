//! `table_modify`: several changes to one table.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use workspace::markdown::{Edit, TableAt, TableOperation};

use crate::{
    cx::Cx,
    error::ToolError,
    operation::{Fields, Named, OnNode, operations},
    prose::{Answer, Mode},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Modify table", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Operations in turn: setCellContent {row, col, content}, addRow {index?, cells?}, deleteRow {index}, addColumn {index?,
/// header?, cells?}, deleteColumn {index}, setHeaderRow {cells}. Row 0 is the header.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    node_id: String,
    #[schemars(schema_with = "shape")]
    operations: Vec<Map<String, Value>>,
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    window_id: Option<Window>,
}

fn shape(_: &mut SchemaGenerator) -> Schema {
    operations(&json!({
        "type": {"type": "string", "enum": [
            "setCellContent", "addRow", "deleteRow", "addColumn", "deleteColumn", "setHeaderRow"
        ]},
        "row": {"type": "integer"},
        "col": {"type": "integer"},
        "index": {"type": "integer"},
        "content": {"type": "string"},
        "header": {"type": "string"},
        "cells": {"type": "array", "items": {"type": "string"}}
    }))
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
            return Err(fields
                .unknown(name, "setCellContent, addRow, deleteRow, addColumn, deleteColumn, setHeaderRow"));
        }
    })
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<Named>, ToolError> {
    let Input { node_id, operations, mode, window_id } = input;
    let asked = OnNode { node_id, operations, mode, window_id };
    asked.make(cx, operation, |node, operations| Edit::Table { table: TableAt::Node(node), operations })
}
