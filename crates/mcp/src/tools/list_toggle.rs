//! `list_toggle`: make or unmake a list.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{Edit, ListKind};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Toggle list", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Makes the block at the cursor a list, changes the list's type, or unlists it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[serde(rename = "type")]
    kind: ListType,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ListType {
    Bullet,
    Ordered,
    Task,
}

impl From<ListType> for ListKind {
    fn from(kind: ListType) -> Self {
        match kind {
            ListType::Bullet => Self::Bullet,
            ListType::Ordered => Self::Ordered,
            ListType::Task => Self::Task,
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    Ok(prose.edit(cx, Edit::ToggleList { range, to: input.kind.into() }, EditOptions::default())?.answer())
}
