//! `update_section`: new content for a section.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Asked, Mode, Prose, heading},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Update section", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Replaces the content below a heading, subsections included; starting with a heading of the same level, that too.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Of the heading.
    node_id: Option<String>,
    /// Markdown.
    content: Option<String>,
    /// {heading | byIndex {level, index} | sectionId}, instead of `nodeId`.
    target: Option<Value>,
    new_content: Option<String>,
    mode: Option<Mode>,
    base_revision: Option<String>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let heading = heading(&prose, input.node_id.as_deref(), input.target)?;
    let content = input.content.or(input.new_content).ok_or_else(|| ToolError::invalid("content: required"))?;
    let asked = Asked { mode: input.mode, base: input.base_revision, request: None };
    let edited = prose.edit(cx, Edit::UpdateSection { heading, content }, asked)?;
    Ok(edited.reply_with(json!({ "nodeId": heading.to_string(), "changedNodeIds": edited.changed_ids() })))
}
