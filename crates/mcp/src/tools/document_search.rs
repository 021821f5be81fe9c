//! `document_search`: find text in a document.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::Range;
use workspace::markdown::{Case, find};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Search", sets: &[Set::Markdown], hints: Hints::READ };

/// Finds text, also across inline formatting. Matches do not overlap.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    query: String,
    #[serde(default)]
    case_sensitive: bool,
    offset: Option<usize>,
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    window_id: Option<Window>,
}

/// A match with its place in every unit a caller may want.
pub(crate) fn matched(prose: &Prose, range: &Range<usize>) -> Value {
    let view = &prose.view;
    let place = view.line_column(range.start);
    let line = view.slice(view.line_start(range.start)..view.line_end(range.end));
    let context: String = line.chars().take(160).collect();
    let (from, to) = (prose.position(range.start), prose.position(range.end));
    json!({ "from": from, "to": to, "line": place.line, "column": place.column, "text": view.slice(range.clone()), "context": context })
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let case = if input.case_sensitive { Case::Sensitive } else { Case::Insensitive };
    let found = find(&prose.view, &input.query, case);
    let (offset, limit) = (input.offset.unwrap_or(0), input.limit.unwrap_or(200));
    let mut matches: Vec<Value> =
        found.iter().skip(offset).take(limit).map(|found| matched(&prose, &found.range)).collect();
    if offset + matches.len() < found.len() {
        let next = offset + matches.len();
        matches.push(json!({ "more": found.len() - next, "hint": format!("pass offset={next}") }));
    }
    Ok(reply(Value::Array(matches)))
}
