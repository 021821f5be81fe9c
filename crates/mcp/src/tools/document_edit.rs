//! `document_edit`: edits of a Markdown document, all or none.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use workspace::markdown::{Case, Edit, NodeId, TableAt, Which};

use crate::{
    cx::Cx,
    error::ToolError,
    operation::{Fields, each},
    prose::{Answer, Asked, ChangedNodes, Mode, Prose, Within, node_or_heading, parsed},
    tool::{About, Hints, Set},
    tools::{list_modify, table_modify},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Edit Markdown", sets: &[Set::Core], hints: Hints::EDIT };

/// Edits a Markdown document, all operations or none, all on the document as it is now. Types: replaceText {find, with,
/// all?}; update {nodeId, content}; insert {after, content}; delete {nodeId}; move {nodeId, after}; format {nodeId, mark};
/// updateSection {nodeId, content}; insertSection {after, level, title, content?}; moveSection {nodeId, after}; table and
/// list {nodeId, operations}, as table_modify and list_modify.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1, max = 100))]
    operations: Vec<Map<String, Value>>,
    /// Default suggest.
    mode: Option<Mode>,
    base_revision: Option<String>,
    /// Makes a retry safe.
    request_id: Option<String>,
    window_id: Option<Window>,
}

fn operation(prose: &Prose, name: &str, fields: &mut Fields) -> Result<Edit, ToolError> {
    fn node(prose: &Prose, fields: &mut Fields, name: &str) -> Result<NodeId, ToolError> {
        node_or_heading(prose, &fields.text(&[name])?)
    }
    const CONTENT: &[&str] = &["content", "text"];
    Ok(match name {
        "replaceText" => Edit::Substitute {
            find: fields.text(&["find", "search", "original"])?,
            with: fields.text(&["with", "replace", "replacement"])?,
            which: if fields.flag("all")?.unwrap_or(false) { Which::All } else { Which::Only },
            case: Case::Sensitive,
            within: fields.optional_text(&["within"])?.map_or(Ok(Within::All), |text| parsed("within", text.into()))?.into(),
        },
        "update" => Edit::Update { node: node(prose, fields, "nodeId")?, content: fields.text(CONTENT)? },
        "insert" => match fields.optional_text(&["before"])? {
            Some(before) => {
                Edit::InsertBefore { node: node_or_heading(prose, &before)?, content: fields.text(CONTENT)? }
            }
            None => Edit::InsertAfter { node: node(prose, fields, "after")?, content: fields.text(CONTENT)? },
        },
        "delete" => Edit::Delete { node: node(prose, fields, "nodeId")? },
        "move" => Edit::Move { node: node(prose, fields, "nodeId")?, after: node(prose, fields, "after")? },
        "format" => Edit::Format {
            node: node(prose, fields, "nodeId")?,
            mark: parsed("mark", fields.text(&["mark"])?.into())?,
        },
        "updateSection" => {
            Edit::UpdateSection { heading: node(prose, fields, "nodeId")?, content: fields.text(CONTENT)? }
        }
        "insertSection" => Edit::InsertSection {
            after: node(prose, fields, "after")?,
            level: u8::try_from(fields.index(&["level"])?).unwrap_or(u8::MAX),
            title: fields.text(&["title"])?,
            content: fields.optional_text(CONTENT)?.unwrap_or_default(),
        },
        "moveSection" => {
            Edit::MoveSection { heading: node(prose, fields, "nodeId")?, after: node(prose, fields, "after")? }
        }
        "table" => Edit::Table {
            table: TableAt::Node(node(prose, fields, "nodeId")?),
            operations: each(fields.objects("operations")?, table_modify::operation)?,
        },
        "list" => Edit::List {
            node: node(prose, fields, "nodeId")?,
            operations: each(fields.objects("operations")?, list_modify::operation)?,
        },
        _ => {
            return Err(fields.unknown(
                name,
                "replaceText, update, insert, delete, move, format, updateSection, insertSection, moveSection, table, list",
            ));
        }
    })
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<ChangedNodes>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let edits = each(input.operations, |name, fields| operation(&prose, name, fields))?;
    let asked = Asked { mode: input.mode, base: input.base_revision, request: input.request_id };
    let edited = prose.edit(cx, Edit::Group { edits }, asked)?;
    Ok(edited.with(edited.changed_nodes()))
}
