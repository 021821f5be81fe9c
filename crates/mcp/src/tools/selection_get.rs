//! `selection_get`: the selected text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Get selection", sets: &[Set::Markdown], hints: Hints::READ };

/// The selection of the window, in characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    text: String,
    from: usize,
    to: usize,
    is_empty: bool,
    line: usize,
    column: usize,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    let place = prose.view.line_column(range.start);
    Ok(Output {
        text: prose.view.slice(range.clone()).into_owned(),
        from: prose.position(range.start),
        to: prose.position(range.end),
        is_empty: range.is_empty(),
        line: place.line,
        column: place.column,
    })
}
