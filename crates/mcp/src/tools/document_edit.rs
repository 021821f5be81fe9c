//! `document_edit`: edits of a Markdown document, all or none.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use workspace::markdown::{Case, Edit, NodeId, TableAt, Which};

use crate::{
    block_ids::Reliance,
    cx::Cx,
    error::ToolError,
    operation::{Fields, each, operations},
    prose::{Answer, ChangedNodes, EditOptions, Mode, Prose, Within, is_front_matter, parsed},
    tool::{About, Hints, Set},
    tools::{list_modify, table_modify},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Edit Markdown", sets: &[Set::Core], hints: Hints::EDIT };

/// Edits Markdown, all or none, all on the document as it is now. insert goes after or before a node, update of
/// meta-0 sets front matter, table and list take operations as table_modify and list_modify.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(schema_with = "shape")]
    operations: Vec<Map<String, Value>>,
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    base_revision: Option<String>,
    request_id: Option<String>,
    window_id: Option<Window>,
}

fn shape(_: &mut SchemaGenerator) -> Schema {
    let text = json!({"type": "string"});
    operations(&json!({
        "type": {"type": "string", "enum": [
            "replaceText", "update", "insert", "delete", "move", "format", "updateSection", "insertSection",
            "moveSection", "table", "list"
        ]},
        "nodeId": text, "after": text, "before": text, "content": text, "find": text, "with": text,
        "all": {"type": "boolean"},
        "within": {"enum": ["all", "prose"]},
        "mark": text,
        "level": {"type": "integer"},
        "title": text,
        "operations": {"type": "array"}
    }))
}

/// Whose blocks the operations name.
struct Naming<'a> {
    cx: &'a Cx<'a>,
    prose: &'a Prose,
    base: Option<&'a str>,
}

impl Naming<'_> {
    fn node(&self, fields: &mut Fields, field: &str) -> Result<NodeId, ToolError> {
        self.prose.named(self.cx, &fields.text(&[field])?, self.base, Reliance::Block)
    }

    fn section(&self, fields: &mut Fields, field: &str) -> Result<NodeId, ToolError> {
        self.prose.named(self.cx, &fields.text(&[field])?, self.base, Reliance::Section)
    }
}

fn operation(naming: &Naming<'_>, name: &str, fields: &mut Fields) -> Result<Edit, ToolError> {
    const CONTENT: &[&str] = &["content", "text"];
    Ok(match name {
        "replaceText" => Edit::Substitute {
            find: fields.text(&["find", "search", "original"])?,
            with: fields.text(&["with", "replace", "replacement"])?,
            which: if fields.flag("all")?.unwrap_or(false) { Which::All } else { Which::Only },
            case: Case::Sensitive,
            within: fields
                .optional_text(&["within"])?
                .map_or(Ok(Within::All), |text| parsed("within", text.into()))?
                .into(),
        },
        "update" if fields.names("nodeId", is_front_matter) => {
            fields.text(&["nodeId"])?;
            Edit::SetFrontMatter { content: fields.text(CONTENT)? }
        }
        "update" => Edit::Update { node: naming.node(fields, "nodeId")?, content: fields.text(CONTENT)? },
        "insert" => match fields.optional_text(&["before"])? {
            Some(before) => Edit::InsertBefore {
                node: naming.prose.named(naming.cx, &before, naming.base, Reliance::Block)?,
                content: fields.text(CONTENT)?,
            },
            None => Edit::InsertAfter { node: naming.node(fields, "after")?, content: fields.text(CONTENT)? },
        },
        "delete" => Edit::Delete { node: naming.node(fields, "nodeId")? },
        "move" => Edit::Move { node: naming.node(fields, "nodeId")?, after: naming.node(fields, "after")? },
        "format" => Edit::Format {
            node: naming.node(fields, "nodeId")?,
            mark: parsed("mark", fields.text(&["mark"])?.into())?,
        },
        "updateSection" => {
            Edit::UpdateSection { heading: naming.section(fields, "nodeId")?, content: fields.text(CONTENT)? }
        }
        "insertSection" => Edit::InsertSection {
            after: naming.node(fields, "after")?,
            level: u8::try_from(fields.index(&["level"])?).unwrap_or(u8::MAX),
            title: fields.text(&["title"])?,
            content: fields.optional_text(CONTENT)?.unwrap_or_default(),
        },
        "moveSection" => Edit::MoveSection {
            heading: naming.section(fields, "nodeId")?,
            after: naming.node(fields, "after")?,
        },
        "table" => Edit::Table {
            table: TableAt::Node(naming.node(fields, "nodeId")?),
            operations: each(fields.objects("operations")?, table_modify::operation)?,
        },
        "list" => Edit::List {
            node: naming.node(fields, "nodeId")?,
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
    prose.based(cx, input.base_revision.as_deref())?;
    let naming = Naming { cx, prose: &prose, base: input.base_revision.as_deref() };
    let edits = each(input.operations, |name, fields| operation(&naming, name, fields))?;
    let asked = EditOptions { mode: input.mode, base: input.base_revision, request: input.request_id };
    let edited = prose.edit(cx, Edit::Group { edits }, asked)?;
    Ok(edited.with(edited.changed_nodes()))
}
