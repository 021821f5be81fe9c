//! `format_toggle`: toggle a mark on the selection.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{self, Edit};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Toggle format", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Toggles a mark on the selected text, or on the word at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    mark: Mark,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    Bold,
    Italic,
    Code,
    Strike,
    Underline,
    Highlight,
}

impl From<Mark> for markdown::Mark {
    fn from(mark: Mark) -> Self {
        match mark {
            Mark::Bold => Self::Bold,
            Mark::Italic => Self::Italic,
            Mark::Code => Self::Code,
            Mark::Strike => Self::Strike,
            Mark::Underline => Self::Underline,
            Mark::Highlight => Self::Highlight,
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    Ok(prose.edit(cx, Edit::ToggleMark { range, mark: input.mark.into() }, EditOptions::default())?.answer())
}
