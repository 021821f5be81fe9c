//! `document_get_content`: the whole text of a document.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tool::{About, Hints, Set, Text},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Read content", sets: &[Set::Markdown], hints: Hints::READ };

/// The document's Markdown, as it stands. Positions everywhere count code points of this text from 0. Long documents:
/// pass `offset` and `limit` (characters).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    offset: Option<u64>,
    #[schemars(range(min = 1))]
    limit: Option<u64>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Text, ToolError> {
    let prose = Prose::read(cx, input.window_id)?;
    let start = prose.byte("offset", input.offset.unwrap_or(0))?;
    let end = match input.limit {
        None => prose.view.len(),
        Some(limit) => {
            let last = usize::try_from(input.offset.unwrap_or(0).saturating_add(limit)).unwrap_or(usize::MAX);
            prose.view.byte_of_char(last).unwrap_or(prose.view.len())
        }
    };
    Ok(Text(prose.view.slice(start..end).into_owned()))
}
