//! `document_find`: where text stands in a Markdown document.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::markdown::{Case, find};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    tools::document_search::matched,
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Find in Markdown", sets: &[Set::Core], hints: Hints::READ };

/// Finds text in a Markdown document, also across inline formatting; each match with its block's id.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    query: String,
    #[serde(default)]
    case_sensitive: bool,
    offset: Option<usize>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    const PAGE: usize = 50;
    let prose = Prose::open(cx, input.window_id)?;
    let case = if input.case_sensitive { Case::Sensitive } else { Case::Insensitive };
    let found = find(&prose.view, &input.query, case);
    let offset = input.offset.unwrap_or(0);
    let page = found.iter().skip(offset).take(PAGE).map(|found| {
        let mut told = matched(&prose, &found.range);
        let node = prose.view.node_at(found.range.start);
        if let Some(id) = node.and_then(|node| node.chain().find_map(|node| node.id())) {
            told["nodeId"] = id.to_string().into();
        }
        told
    });
    let page: Vec<Value> = page.collect();
    let next = offset + page.len();
    let mut told = json!({ "count": found.len(), "matches": page, "revision": prose.revision.to_string() });
    if next < found.len() {
        told["more"] = format!("pass offset={next}").into();
    }
    Ok(reply(told))
}
