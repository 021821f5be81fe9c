//! `get_section`: a heading with what belongs to it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::markdown::section;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, heading, refused, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Get section", sets: &[Set::Markdown], hints: Hints::READ };

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

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let id = heading(&prose, input.node_id.as_deref(), input.heading.as_deref().map(|text| json!({ "heading": text })))?;
    let found = section(&prose.view, id).map_err(refused)?;
    Ok(reply(json!({
        "nodeId": id.to_string(),
        "level": found.level,
        "title": found.title,
        "content": prose.view.slice(found.range.clone()),
        "from": prose.position(found.range.start),
        "to": prose.position(found.range.end),
        "revision": prose.revision.to_string(),
    })))
}
