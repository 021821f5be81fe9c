//! `get_section`: a heading with what belongs to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use workspace::markdown::section;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, heading, refused},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Get section", sets: &[Set::Markdown], hints: Hints::READ };

/// A section: its heading and everything up to the next heading of its level or above.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    /// Of the heading, such as h-0.
    node_id: Option<String>,
    /// Its title, instead of the id.
    heading: Option<String>,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    node_id: String,
    level: u8,
    title: String,
    content: String,
    from: usize,
    to: usize,
    revision: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let prose = Prose::read(cx, input.window_id)?;
    let target = input.heading.as_deref().map(|text| json!({ "heading": text }));
    let id = heading(cx, &prose, input.node_id.as_deref(), target, None)?;
    let found = section(&prose.view, id).map_err(refused)?;
    Ok(Output {
        node_id: prose.told(id),
        level: found.level,
        content: prose.view.slice(found.range.clone()).into_owned(),
        from: prose.position(found.range.start),
        to: prose.position(found.range.end),
        title: found.title,
        revision: prose.revision.to_string(),
    })
}
