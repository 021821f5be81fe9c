//! `batch_edit`: several edits at once, all or none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::markdown::{Edit, Mark, NodeId};

use crate::{
    block_ids::Reliance,
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Mode, Prose, is_front_matter, parsed},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Batch edit", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Up to 100 operations, all or none, all on the document as it is now. `update` and `insert` take Markdown in `content`
/// (or `text`), `insert` goes `after` or `before` a node, `move` `after` one, `format` toggles `marks`; `update` of meta-0
/// sets front matter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1, max = 100))]
    operations: Vec<Operation>,
    base_revision: Option<String>,
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    /// Makes a retry safe.
    request_id: Option<String>,
    window_id: Option<Window>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Operation {
    #[serde(rename = "type")]
    kind: OperationKind,
    node_id: Option<String>,
    after: Option<String>,
    before: Option<String>,
    text: Option<String>,
    content: Option<String>,
    marks: Option<Value>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OperationKind {
    Update,
    Insert,
    Delete,
    Format,
    Move,
}

impl Operation {
    /// One edit, so that a refusal counts operations as they were sent.
    fn edit(self, name: impl Fn(&str) -> Result<NodeId, ToolError>) -> Result<Edit, ToolError> {
        let missing =
            |field: &str| ToolError::invalid(format!("{field}: required for this type of operation"));
        let front_matter = self.node_id.as_deref().is_some_and(is_front_matter);
        let named =
            |id: &Option<String>, field: &str| id.as_deref().ok_or_else(|| missing(field)).and_then(&name);
        let (node, after) = (|| named(&self.node_id, "nodeId"), || named(&self.after, "after"));
        let content = self.content.clone().or(self.text.clone()).ok_or_else(|| missing("content"));
        Ok(match self.kind {
            OperationKind::Update if front_matter => Edit::SetFrontMatter { content: content? },
            OperationKind::Update => Edit::Update { node: node()?, content: content? },
            OperationKind::Insert if self.before.is_some() => {
                Edit::InsertBefore { node: named(&self.before, "before")?, content: content? }
            }
            OperationKind::Insert => {
                let place = if self.after.is_some() { &self.after } else { &self.node_id };
                Edit::InsertAfter { node: named(place, "after")?, content: content? }
            }
            OperationKind::Delete => Edit::Delete { node: node()? },
            OperationKind::Move => Edit::Move { node: node()?, after: after()? },
            OperationKind::Format => {
                let node = node()?;
                let marks = marks(self.marks.clone().ok_or_else(|| missing("marks"))?)?;
                Edit::Group { edits: marks.into_iter().map(|mark| Edit::Format { node, mark }).collect() }
            }
        })
    }
}

/// `"bold"`, `["bold"]` or `[{"type": "bold"}]`.
fn marks(value: Value) -> Result<Vec<Mark>, ToolError> {
    let each = match value {
        Value::Array(each) => each,
        one => vec![one],
    };
    each.into_iter()
        .map(|mark| {
            let name = mark.get("type").cloned().unwrap_or(mark);
            parsed("marks", name)
        })
        .collect()
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    success: bool,
    changed_node_ids: Vec<String>,
    suggestion_ids: Vec<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    prose.based(cx, input.base_revision.as_deref())?;
    let mut edits = Vec::with_capacity(input.operations.len());
    for (index, operation) in input.operations.into_iter().enumerate() {
        let name = |id: &str| prose.named(cx, id, input.base_revision.as_deref(), Reliance::Block);
        edits.push(operation.edit(name).map_err(|error| error.within(format_args!("operations[{index}]")))?);
    }
    let asked = EditOptions { mode: input.mode, base: input.base_revision, request: input.request_id };
    let edited = prose.edit(cx, Edit::Group { edits }, asked)?;
    let suggestion_ids = edited.suggestion().into_iter().collect();
    Ok(edited.with(More { success: true, changed_node_ids: edited.changed_ids(), suggestion_ids }))
}
