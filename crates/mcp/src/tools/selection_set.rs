//! `selection_set`: select a range.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Set selection", sets: &[Set::Markdown], hints: Hints::SET };

/// Selects a range; `from` = `to` sets the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    from: u64,
    /// Exclusive.
    to: u64,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    message: String,
    text: String,
    from: u64,
    to: u64,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let Input { from, to, window_id } = input;
    let prose = Prose::open(cx, window_id)?;
    if from > to {
        return Err(ToolError::invalid(format!("from: {from} is behind to: {to}")));
    }
    let range = prose.byte("from", from)?..prose.byte("to", to)?;
    prose.select(cx, range.clone())?;
    let text = prose.view.slice(range).into_owned();
    Ok(Output { message: format!("Selected {from}..{to}"), text, from, to })
}
