//! `apply_diff`: find text and replace it, with a policy for several matches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::{Case, Edit, Which};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Mode, Prose, Within},
    tool::{About, Hints, Set},
    tools::document_search::{Matched, matched},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Apply diff", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Replaces exact text, also across inline formatting. No match is `matchCount` 0.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    original: String,
    replacement: String,
    #[schemars(extend("default" = "first"))]
    match_policy: Option<Policy>,
    /// From 0, for `nth`.
    nth: Option<usize>,
    /// `prose` leaves out code, math, HTML, link targets and URLs.
    #[serde(default)]
    within: Within,
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    base_revision: Option<String>,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Policy {
    First,
    All,
    Nth,
    ErrorIfMultiple,
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    match_count: usize,
    applied_count: usize,
    matches: Vec<Matched>,
    suggestion_ids: Vec<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let which = match input.match_policy.unwrap_or(Policy::First) {
        Policy::First => Which::First,
        Policy::All => Which::All,
        Policy::Nth => {
            Which::Nth(input.nth.ok_or_else(|| ToolError::invalid("nth: required for matchPolicy nth"))?)
        }
        Policy::ErrorIfMultiple => Which::Only,
    };
    let edit = Edit::Substitute {
        find: input.original,
        with: input.replacement,
        which,
        case: Case::Sensitive,
        within: input.within.into(),
    };
    let asked = EditOptions { mode: input.mode, base: input.base_revision, request: None };
    let edited = prose.edit(cx, edit, asked)?;
    let report = edited.reports();
    if let (Which::Nth(nth), true) = (which, report.replaced == 0 && !report.matches.is_empty()) {
        return Err(ToolError::invalid(format!(
            "nth: {nth}, but there are {} matches, counted from 0",
            report.matches.len()
        )));
    }
    Ok(edited.with(More {
        match_count: report.matches.len(),
        applied_count: edited.made(report.replaced),
        matches: report.matches.iter().take(100).map(|found| matched(&prose, &found.range)).collect(),
        suggestion_ids: edited.suggestion().into_iter().collect(),
    }))
}
