//! `cjk_spacing_fix`: spaces between CJK and Latin text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::{Edit, Spacing};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Fix CJK spacing", sets: &[Set::Markdown], hints: Hints::SET };

/// Adds or removes spaces between CJK and Latin text, in prose only: the selection, or the whole document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    action: Action,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Add,
    Remove,
}

impl From<Action> for Spacing {
    fn from(action: Action) -> Self {
        match action {
            Action::Add => Self::Add,
            Action::Remove => Self::Remove,
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
        prose.edit(cx, Edit::CjkSpacing { range, action: input.action.into() }, EditOptions::default())?;
    Ok(edited.with(More { count: edited.reports().replaced }))
}
