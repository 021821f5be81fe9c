//! `cjk_punctuation_convert`: punctuation between half and full width.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::{Edit, Width};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Convert CJK punctuation", sets: &[Set::Markdown], hints: Hints::SET };

/// Converts punctuation beside CJK text, in prose only: the selection, or the whole document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    direction: Direction,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Direction {
    ToFullwidth,
    ToHalfwidth,
}

impl From<Direction> for Width {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::ToFullwidth => Self::Full,
            Direction::ToHalfwidth => Self::Half,
        }
    }
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    count: usize,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = Some(prose.selection(cx)?).filter(|range| !range.is_empty());
    let edited =
        prose.edit(cx, Edit::CjkPunctuation { range, to: input.direction.into() }, EditOptions::default())?;
    Ok(edited.with(More { count: edited.reports().replaced }))
}
