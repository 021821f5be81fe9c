//! `document_search`: find text in a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use workspace::markdown::Case;

use crate::{
    cx::Cx,
    digest::search,
    error::ToolError,
    prose::{Paged, Prose, paged},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Search", sets: &[Set::Markdown], hints: Hints::READ };

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
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Matched {
    /// In the document; in Word in the paragraph, in a workbook in the cell.
    pub(crate) from: usize,
    pub(crate) to: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<usize>,
    pub(crate) text: String,
    pub(crate) context: String,
    /// Of the block or paragraph around it, or the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node_id: Option<String>,
}

pub(crate) fn matched(prose: &Prose, range: &Range<usize>) -> Matched {
    let view = &prose.view;
    let place = view.line_column(range.start);
    let line = view.slice(view.line_start(range.start)..view.line_end(range.end));
    let node = view.node_at(range.start);
    let id = node.and_then(|node| node.chain().find_map(|node| node.id()));
    Matched {
        from: prose.position(range.start),
        to: prose.position(range.end),
        line: Some(place.line),
        column: Some(place.column),
        text: view.slice(range.clone()).into_owned(),
        context: line.chars().take(160).collect(),
        node_id: id.map(|id| prose.told(id)),
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Vec<Paged<Matched>>, ToolError> {
    let case = if input.case_sensitive { Case::Sensitive } else { Case::Insensitive };
    let (offset, limit) = (input.offset.unwrap_or(0), input.limit.unwrap_or(200));
    let found = search(cx, input.window_id, &input.query, case, (offset, limit))?;
    Ok(paged(found.matches, offset, found.total))
}
