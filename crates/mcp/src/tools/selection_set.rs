//! `selection_set`: select a range.

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
    About { title: "Set selection", sets: &[Set::Markdown], hints: Hints::SET };

/// Selects a range; `from` = `to` sets the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    from: u64,
    /// Exclusive.
    to: u64,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    if input.from > input.to {
        return Err(ToolError::invalid(format!("from: {} is behind to: {}", input.from, input.to)));
    }
    let range = prose.byte("from", input.from)?..prose.byte("to", input.to)?;
    prose.select(cx, range.clone())?;
    Ok(reply(json!({
        "message": format!("Selected {}..{}", input.from, input.to),
        "text": prose.view.slice(range),
        "from": input.from,
        "to": input.to,
    })))
}
