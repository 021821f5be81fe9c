//! `document_replace`: replace text wherever it stands.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::markdown::{Case, Edit, Which};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Asked, Prose},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Replace text", sets: &[Set::Markdown], hints: Hints::EDIT };

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
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let which = if input.all { Which::All } else { Which::First };
    let edit = Edit::Substitute { find: input.search, with: input.replace, which, case: Case::Sensitive };
    let edited = prose.edit(cx, edit, Asked::default())?;
    let report = edited.reports();
    let mut more = json!({ "count": report.replaced });
    if report.matches.is_empty() {
        more["message"] = "No matches found".into();
    }
    if let Some(id) = edited.suggestion() {
        more["suggestionIds"] = json!([id]);
    }
    Ok(edited.reply_with(more))
}
