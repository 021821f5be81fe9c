//! `document_replace`: replace text wherever it stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::{Case, Edit, Which};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose, Within},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Replace text", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Replaces text (case-sensitive), also across inline formatting.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    search: String,
    replace: String,
    /// All occurrences; otherwise the first.
    #[serde(default)]
    all: bool,
    /// `prose` leaves out code, math, HTML, link targets and URLs.
    #[serde(default)]
    within: Within,
    window_id: Option<Window>,
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    count: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestion_ids: Vec<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let which = if input.all { Which::All } else { Which::First };
    let edit = Edit::Substitute {
        find: input.search,
        with: input.replace,
        which,
        case: Case::Sensitive,
        within: input.within.into(),
    };
    let edited = prose.edit(cx, edit, EditOptions::default())?;
    let report = edited.reports();
    let suggestion_ids = edited.suggestion().into_iter().collect();
    let mut answer = edited.with(More { count: report.replaced, suggestion_ids });
    if report.matches.is_empty() {
        answer.message = "No matches found".to_owned();
    }
    Ok(answer)
}
