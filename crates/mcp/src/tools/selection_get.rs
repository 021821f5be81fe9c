//! `selection_get`: the selected text.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Get selection", sets: &[Set::Markdown], hints: Hints::READ };

/// The selection of the window, in characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    let place = prose.view.line_column(range.start);
    Ok(reply(json!({
        "text": prose.view.slice(range.clone()),
        "from": prose.position(range.start),
        "to": prose.position(range.end),
        "isEmpty": range.is_empty(),
        "line": place.line,
        "column": place.column,
    })))
}
