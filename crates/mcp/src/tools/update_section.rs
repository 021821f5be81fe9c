//! `update_section`: new content for a section.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Mode, Prose, heading},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Update section", sets: &[Set::Markdown], hints: Hints::EDIT };

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
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    base_revision: Option<String>,
    window_id: Option<Window>,
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    node_id: String,
    changed_node_ids: Vec<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let content =
        input.content.or(input.new_content).ok_or_else(|| ToolError::invalid("content: required"))?;
    let heading =
        heading(cx, &prose, input.node_id.as_deref(), input.target, input.base_revision.as_deref())?;
    let asked = EditOptions { mode: input.mode, base: input.base_revision, request: None };
    let edited = prose.edit(cx, Edit::UpdateSection { heading, content }, asked)?;
    Ok(edited.with(More { node_id: prose.told(heading), changed_node_ids: edited.changed_ids() }))
}
