//! `ask`: a plain request, turned into operations without a model.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    cx::Cx,
    error::ToolError,
    request::{self, Done, RequestArguments},
    tool::{About, Hints, Set},
    word::Track,
};

pub(crate) const ABOUT: About = About {
    title: "Plain request",
    sets: &[Set::Core, Set::Word, Set::Sheet, Set::Markdown],
    hints: Hints::EDIT,
};

/// Carries out a plain request on a Word, Excel or Markdown file as one change: "Replace 2024 with 2025, then make
/// 'Total' bold", "Set B5 on Inputs to 1.1", "Add section Risks after Scope". Answers the operations chosen; does
/// nothing unless all is understood.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    request: String,
    /// Default: the document in front.
    file_path: Option<String>,
    session_id: Option<String>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Done, ToolError> {
    let asked = RequestArguments {
        request: &input.request,
        file_path: input.file_path.as_deref(),
        session_id: input.session_id.as_deref(),
        track: input.track,
        dry_run: input.dry_run,
        override_protection: false,
    };
    request::carry_out(cx, &asked)
}
