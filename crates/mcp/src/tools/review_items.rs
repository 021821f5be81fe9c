//! `review_items`: everything there is to decide in a document.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{
    DocId, Kind, OpenIn, Status, Suggestion,
    markdown::{Markdown, sections},
    utc,
    word::Word,
};

use crate::{
    cx::Cx,
    error::ToolError,
    review::{self, Stretch},
    tool::{About, Hints, Set},
    tools::suggestion_list::stands,
    wire,
};

pub(crate) const ABOUT: About = About { title: "Items to review", sets: &[Set::Review], hints: Hints::READ };

/// Lists the suggestions of a document, pending and stale, and Word's tracked changes, in document order, with what each
/// would change as people read it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// As review_documents lists it: an id or a file path.
    #[schemars(length(min = 1, max = 4096))]
    document: String,
    /// Only those of this author.
    author: Option<String>,
    #[serde(default)]
    offset: usize,
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn most() -> usize {
    100
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    document: String,
    file: String,
    format: String,
    revision: String,
    /// Whether the file lacks changes.
    unsaved: bool,
    /// What accept_changes and reject_changes take for a Word document.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    total: usize,
    pending: usize,
    stale: usize,
    tracked: usize,
    items: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Item {
    /// `suggestion`, or the kind of a tracked change, such as `insertion`.
    kind: String,
    /// Whether it is one of Word's tracked changes.
    tracked: bool,
    id: String,
    author: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    /// Decided together with the others of this group.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    status: &'static str,
    /// Why it is stale.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    paragraph_id: Option<String>,
    /// The headings above it; for a tracked change, its paragraph with all changes accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    changes: Vec<Stretch>,
    /// Characters that were left out of `changes`.
    #[serde(skip_serializing_if = "is_none")]
    left_out: usize,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Where something stands: the part, in the order people read them, and the byte in it.
type Position = (usize, usize);

/// What lost its place is told last.
const NOWHERE: Position = (usize::MAX, usize::MAX);

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let document = meant(cx, &input.document)?;
    let status = cx.workspace.status(document)?;
    let mut found = items(cx, document, status.kind)?;
    if let Some(author) = &input.author {
        found.retain(|item| item.author == *author);
    }
    let total = found.len();
    let tracked = found.iter().filter(|item| item.tracked).count();
    let stale = found.iter().filter(|item| item.status == "stale").count();
    let items = review::page(found.into_iter().skip(input.offset).take(input.limit).map(Ok))?;
    let next = input.offset + items.len();
    Ok(Output {
        document: document.to_string(),
        file: cx.file(document)?,
        format: wire::format(status.kind),
        revision: status.revision.to_string(),
        unsaved: status.dirty,
        session_id: session(cx, document, status.kind)?,
        total,
        pending: total - stale - tracked,
        stale,
        tracked,
        items,
        next_offset: (next < total).then_some(next),
    })
}

/// A document by id or path, or an untitled one that an earlier run left.
fn meant(cx: &Cx<'_>, named: &str) -> Result<DocId, ToolError> {
    let left = cx.workspace.recoverable().into_iter().any(|left| left.path.is_none() && left.id == named);
    if left {
        return Ok(cx.workspace.recover(named, OpenIn::Beside)?.document);
    }
    match cx.workspace.meant(Some(named)) {
        Ok((_, document)) => {
            cx.workspace.refresh(document)?;
            Ok(document)
        }
        Err(refusal) => of_a_folder_that_is_gone(cx, named)?.ok_or_else(|| refusal.into()),
    }
}

/// Where not even the folder is there that a file was in, what was left unsaved of it is a document without a file.
fn of_a_folder_that_is_gone(cx: &Cx<'_>, named: &str) -> Result<Option<DocId>, ToolError> {
    let path = Path::new(named);
    if path.parent().is_none_or(Path::exists) {
        return Ok(None);
    }
    let left = cx.workspace.recoverable();
    let left = left.into_iter().find(|left| !left.aside && left.path.as_deref() == Some(path));
    left.map(|left| Ok(cx.workspace.recover(&left.id, OpenIn::Beside)?.document)).transpose()
}

/// The tools for tracked changes know documents without a file by their session.
fn session(cx: &Cx<'_>, document: DocId, kind: Kind) -> Result<Option<String>, ToolError> {
    if kind != Kind::Word {
        return Ok(None);
    }
    let session = match cx.workspace.session_of(document) {
        Some(session) => session,
        None => cx.workspace.begin_session(document)?,
    };
    Ok(Some(session.to_string()))
}

/// All items in document order, the stale ones last.
fn items(cx: &Cx<'_>, document: DocId, kind: Kind) -> Result<Vec<Item>, ToolError> {
    let suggestions = cx.workspace.suggestions(document)?;
    let mut placed: Vec<(Position, Item)> = match kind {
        Kind::Word => cx.workspace.read::<Word, _>(document, |view| -> Result<_, ToolError> {
            let parts: Vec<_> = view.layout().stories.iter().map(|(_, part)| part.clone()).collect();
            let position = |suggestion: &Suggestion| {
                let first = suggestion.changes.first()?;
                let part = parts.iter().position(|part| *part == first.part)?;
                Some((part, first.range.start))
            };
            let suggested = suggestions
                .iter()
                .map(|suggestion| (position(suggestion).unwrap_or(NOWHERE), suggested(suggestion)));
            let mut placed: Vec<(Position, Item)> = suggested.collect();
            for change in review::tracked(view, &parts)? {
                placed.push((change.position, tracked(change)));
            }
            Ok(placed)
        })??,
        Kind::Markdown => {
            let view = cx.workspace.snapshot::<Markdown>(document)?.view;
            let sections = sections(&view);
            let told = suggestions.iter().enumerate().map(|(order, one)| {
                let first = one.changes.first().map(|change| change.range.start);
                let context = first.and_then(|at| review::headings(&sections, at));
                ((0, order), Item { context, ..suggested(one) })
            });
            told.collect()
        }
        Kind::Text | Kind::Sheet => {
            suggestions.iter().enumerate().map(|(order, one)| ((0, order), suggested(one))).collect()
        }
    };
    placed.sort_by_key(|(position, _)| *position);
    Ok(placed.into_iter().map(|(_, item)| item).collect())
}

fn suggested(suggestion: &Suggestion) -> Item {
    let (status, why) = match &suggestion.status {
        Status::Pending => ("pending", None),
        other => stands(other),
    };
    let (changes, left_out) = review::stretches(&suggestion.shown);
    Item {
        kind: "suggestion".to_owned(),
        tracked: false,
        id: suggestion.id.to_string(),
        author: suggestion.author.clone(),
        at: Some(format!("{}Z", utc(suggestion.at))),
        group: suggestion.group.clone(),
        status,
        why,
        summary: suggestion.summary.clone(),
        paragraph_id: None,
        context: None,
        changes,
        left_out,
    }
}

fn tracked(found: review::PlacedChange) -> Item {
    let (changes, left_out) = review::stretches(&[found.shown]);
    Item {
        kind: found.change.kind.name().to_owned(),
        tracked: true,
        id: found.change.id,
        author: found.change.author,
        at: found.change.date,
        group: None,
        status: "pending",
        why: None,
        summary: format!("Tracked {}", found.change.kind.name().replace('_', " ")),
        paragraph_id: found.change.paragraph.map(|id| id.to_string()),
        context: found.context,
        changes,
        left_out,
    }
}
