//! `suggestion_list`: what waits for a decision.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{
    DocId, Kind, Shown, Status, Suggestion,
    markdown::{Markdown, View},
};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{self, Changed},
    tool::{About, Hints, Set},
    tools::document_read::more,
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "List suggestions", sets: &[Set::Core, Set::Markdown], hints: Hints::READ };

/// The pending and stale suggestions of the document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    offset: Option<usize>,
    window_id: Option<Window>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    suggestions: Vec<Undecided>,
    /// Of those that are pending.
    count: usize,
    /// At the cursor, if there is one.
    focused_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

/// How many are told at once: a few hundred long ones are more than clients take.
pub(crate) const PAGE: usize = 150;

/// A suggestion, with its first change at the top level; of a stale one as it was when it was made.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Undecided {
    id: String,
    summary: String,
    author: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    /// Of a stale one: what it was to change when it was made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meant: Vec<Meant>,
    #[serde(flatten)]
    first: Option<Changed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<serde_json::Value>>")]
    changes: Option<Vec<Changed>>,
}

/// A change that has lost its place.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Meant {
    place: String,
    original_content: String,
    new_content: String,
}

/// All suggestions of a document that are not decided.
pub(crate) fn list(cx: &Cx<'_>, document: DocId) -> Result<Vec<Undecided>, ToolError> {
    let view = match cx.workspace.status(document)?.kind {
        Kind::Markdown => Some(cx.workspace.snapshot::<Markdown>(document)?.view),
        _ => None,
    };
    let suggestions = cx.workspace.suggestions(document)?;
    Ok(suggestions.iter().map(|suggestion| told(suggestion, view.as_ref())).collect())
}

/// A suggestion with its place in characters, as far as its document has characters.
fn told(suggestion: &Suggestion, view: Option<&View>) -> Undecided {
    let (status, why) = stands(&suggestion.status);
    let changes: Vec<Changed> = match view {
        Some(view) if matches!(suggestion.status, Status::Stale { .. }) => {
            suggestion.shown.iter().map(|shown| prose::lost(view, shown)).collect()
        }
        Some(view) => suggestion.changes.iter().map(|change| prose::told(view, change)).collect(),
        None => Vec::new(),
    };
    Undecided {
        id: suggestion.id.to_string(),
        summary: suggestion.summary.clone(),
        author: suggestion.author.clone(),
        status,
        why,
        group: suggestion.group.clone(),
        meant: match &suggestion.status {
            Status::Stale { .. } => suggestion.shown.iter().map(meant).collect(),
            _ => Vec::new(),
        },
        first: changes.first().cloned(),
        changes: (changes.len() > 1).then_some(changes),
    }
}

fn meant(shown: &Shown) -> Meant {
    Meant {
        place: shown.place.clone(),
        original_content: shown.before.clone(),
        new_content: shown.after.clone(),
    }
}

/// The name of a status, and who or what is behind it.
pub(crate) fn stands(status: &Status) -> (&'static str, Option<String>) {
    match status {
        Status::Pending => ("pending", None),
        Status::Stale { why } => ("stale", Some(why.clone())),
        Status::Accepted(decision) => ("accepted", Some(decision.by.clone())),
        Status::Rejected(decision) => ("rejected", Some(decision.by.clone())),
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let (window, document) = cx.document(input.window_id)?;
    let mut suggestions = list(cx, document)?;
    let count = suggestions.iter().filter(|told| told.status == "pending").count();
    let mut focused_id = None;
    if let Some(selection) = cx.workspace.selection(document, &window)? {
        let focused = cx.workspace.suggestions(document)?.into_iter().find(|suggestion| {
            let at = selection.range.end;
            suggestion.changes.iter().any(|change| change.range.start <= at && at <= change.range.end)
        });
        focused_id = focused.map(|focused| focused.id.to_string());
    }
    let (offset, total) = (input.offset.unwrap_or(0), suggestions.len());
    suggestions.drain(..offset.min(total));
    suggestions.truncate(PAGE);
    let more = more(offset, suggestions.len(), total);
    Ok(Output { suggestions, count, focused_id, more })
}
