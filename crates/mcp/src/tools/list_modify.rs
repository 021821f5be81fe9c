//! `list_modify`: several changes to one list.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use workspace::markdown::{Edit, ListOperation};

use crate::{
    cx::Cx,
    error::ToolError,
    operation::{Fields, Named, OnNode, operations},
    prose::{Answer, Mode},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Modify list", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Operations in turn on the list's direct items, counted from 0: setItemContent {index, content}, addItem {index?, content,
/// checked?}, deleteItem, indent, outdent {index}, setChecked {index, checked}, reorder {from, to}, renumber {}. Ordered
/// lists go on counting.
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
            "setItemContent", "addItem", "deleteItem", "indent", "outdent", "setChecked", "reorder", "renumber"
        ]},
        "index": {"type": "integer"},
        "content": {"type": "string"},
        "checked": {"type": "boolean"},
        "from": {"type": "integer"},
        "to": {"type": "integer"}
    }))
}

pub(crate) fn operation(name: &str, fields: &mut Fields) -> Result<ListOperation, ToolError> {
    const INDEX: &[&str] = &["index", "at", "item", "itemIndex"];
    const CONTENT: &[&str] = &["content", "text"];
    Ok(match name {
        "setItemContent" | "update_item" => {
            ListOperation::SetItem { index: fields.index(INDEX)?, content: fields.text(CONTENT)? }
        }
        "addItem" | "add_item" => ListOperation::AddItem {
            at: fields.optional_index(INDEX)?,
            content: fields.text(CONTENT)?,
            checked: fields.flag("checked")?,
        },
        "deleteItem" | "delete_item" => ListOperation::DeleteItem { index: fields.index(INDEX)? },
        "indent" => ListOperation::Indent { index: fields.index(INDEX)? },
        "outdent" => ListOperation::Outdent { index: fields.index(INDEX)? },
        "set_indent" => {
            let index = fields.index(INDEX)?;
            match fields.index(&["indent", "level"])? {
                0 => ListOperation::Outdent { index },
                1 => ListOperation::Indent { index },
                // An item stands at most one level below the one before it.
                deeper => {
                    return Err(ToolError::invalid(format!(
                        "`indent` is {deeper}, but must be 0 (one level out) or 1 (one level in)"
                    )));
                }
            }
        }
        "setChecked" => ListOperation::SetChecked {
            index: fields.index(INDEX)?,
            checked: Some(fields.flag("checked")?.unwrap_or(true)),
        },
        "toggle_check" => ListOperation::SetChecked { index: fields.index(INDEX)?, checked: None },
        "renumber" => ListOperation::Renumber,
        "reorder" => ListOperation::Reorder {
            from: fields.index(&["from", "index"])?,
            to: fields.index(&["to", "at"])?,
        },
        _ => {
            return Err(fields.unknown(
                name,
                "setItemContent, addItem, deleteItem, indent, outdent, setChecked, reorder, renumber",
            ));
        }
    })
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<Named>, ToolError> {
    let Input { node_id, operations, mode, window_id } = input;
    let asked = OnNode { node_id, operations, mode, window_id };
    asked.make(cx, operation, |node, operations| Edit::List { node, operations })
}
