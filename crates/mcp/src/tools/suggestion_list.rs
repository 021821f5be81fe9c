//! `suggestion_list`: what waits for a decision.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::{DocId, Kind, Status, Suggestion, markdown::{Markdown, View}};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{self, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "List suggestions", sets: &[Set::Core, Set::Markdown], hints: Hints::READ };

/// The pending and stale suggestions of the document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

/// All suggestions of a document that are not decided.
pub(crate) fn list(cx: &Cx<'_>, document: DocId) -> Result<Vec<Value>, ToolError> {
    let view = match cx.workspace.status(document)?.kind {
        Kind::Markdown => Some(cx.workspace.snapshot::<Markdown>(document)?.view),
        _ => None,
    };
    let suggestions = cx.workspace.suggestions(document)?;
    Ok(suggestions.iter().map(|suggestion| told(suggestion, view.as_ref())).collect())
}

/// A suggestion with its place in characters, as far as its document has characters.
pub(crate) fn told(suggestion: &Suggestion, view: Option<&View>) -> Value {
    let mut told = json!({
        "id": suggestion.id.to_string(),
        "summary": suggestion.summary,
        "author": suggestion.author,
        "status": match suggestion.status {
            Status::Pending => "pending",
            Status::Stale { .. } => "stale",
            Status::Accepted(_) => "accepted",
            Status::Rejected(_) => "rejected",
        },
    });
    if let Status::Stale { why } = &suggestion.status {
        told["why"] = why.clone().into();
    }
    if let Some(view) = view {
        let changes: Vec<Value> = suggestion.changes.iter().map(|change| prose::told(view, change)).collect();
        if let Some(Value::Object(first)) = changes.first() {
            for (name, value) in first {
                told[name.as_str()] = value.clone();
            }
        }
        if changes.len() > 1 {
            told["changes"] = changes.into();
        }
    }
    if let Some(group) = &suggestion.group {
        told["group"] = group.clone().into();
    }
    told
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let (window, document) = cx.document(input.window_id)?;
    let listed = list(cx, document)?;
    let count = listed.iter().filter(|told| told["status"] == "pending").count();
    let mut told = json!({ "suggestions": listed, "count": count });
    if let Some(selection) = cx.workspace.selection(document, &window)? {
        let focused = cx.workspace.suggestions(document)?.into_iter().find(|suggestion| {
            let at = selection.range.end;
            suggestion.changes.iter().any(|change| change.range.start <= at && at <= change.range.end)
        });
        if let Some(focused) = focused {
            told["focusedId"] = focused.id.to_string().into();
        }
    }
    Ok(reply(told))
}
