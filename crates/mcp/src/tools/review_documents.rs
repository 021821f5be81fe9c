//! `review_documents`: where there is something to decide.

use std::collections::BTreeSet;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{
    DocumentStatus, Kind, Recoverable, Status,
    word::{self, Word},
};

use crate::{
    cx::Cx,
    error::ToolError,
    review::page,
    tool::{About, Hints, Set},
    wire,
};

pub(crate) const ABOUT: About =
    About { title: "Documents to review", sets: &[Set::Review], hints: Hints::READ };

/// Lists every document that somebody has open, and those that an earlier run left with unsaved work, each with what
/// there is to decide in it. Goes on at next_offset.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    #[serde(default)]
    offset: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    /// All, on whatever page.
    total: usize,
    documents: Vec<Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Listed {
    /// What review_items takes: the id of an open document, else the file, else the name of what was left.
    document: String,
    /// The file, or the title of a document that has none.
    file: String,
    title: String,
    open: bool,
    format: String,
    /// Whether the file lacks changes.
    unsaved: bool,
    pending: usize,
    stale: usize,
    /// Word's own tracked changes.
    tracked: Vec<Tracked>,
    /// Who suggested.
    authors: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Tracked {
    author: String,
    changes: usize,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let open = cx.workspace.documents();
    let paths: BTreeSet<&Path> = open.iter().filter_map(|status| status.path.as_deref()).collect();
    let is_open = |left: &Recoverable| left.path.as_deref().is_some_and(|path| paths.contains(path));
    let mut left = cx.workspace.recoverable();
    left.retain(|left| !left.aside && !is_open(left));
    // In an order that stays while the pages are asked for.
    left.sort_by(|one, other| (&one.path, &one.id).cmp(&(&other.path, &other.id)));
    let total = open.len() + left.len();
    let rest = open.iter().skip(input.offset).map(|status| {
        cx.cancel.check()?;
        listed(cx, status)
    });
    let left = left.into_iter().skip(input.offset.saturating_sub(open.len()));
    let documents = page(rest.chain(left.map(|left| Ok(of_the_journal(left)))))?;
    let next = input.offset + documents.len();
    Ok(Output { total, documents, next_offset: (next < total).then_some(next) })
}

fn listed(cx: &Cx<'_>, status: &DocumentStatus) -> Result<Listed, ToolError> {
    let suggestions = cx.workspace.suggestions(status.id)?;
    let pending = suggestions.iter().filter(|suggestion| suggestion.status == Status::Pending).count();
    let authors: BTreeSet<&str> = suggestions.iter().map(|suggestion| suggestion.author.as_str()).collect();
    let tracked = match status.kind {
        Kind::Word => cx.workspace.read::<Word, _>(status.id, |view| word::authors(view, None))??,
        Kind::Markdown | Kind::Text | Kind::Sheet => Default::default(),
    };
    Ok(Listed {
        document: status.id.to_string(),
        file: cx.file(status.id)?,
        title: status.title.clone(),
        open: true,
        format: wire::format(status.kind),
        unsaved: status.dirty,
        pending,
        stale: suggestions.len() - pending,
        tracked: tracked.into_iter().map(|(author, changes)| Tracked { author, changes }).collect(),
        authors: authors.into_iter().map(str::to_owned).collect(),
    })
}

fn of_the_journal(left: Recoverable) -> Listed {
    let format = left.path.as_deref().map(Kind::of).map_or_else(|| "unknown".to_owned(), wire::format);
    let file = left.path.map(|path| path.display().to_string());
    Listed {
        document: file.clone().unwrap_or(left.id),
        file: file.unwrap_or_else(|| left.title.clone()),
        title: left.title,
        open: false,
        format,
        unsaved: left.edits > 0,
        pending: left.suggestions,
        stale: 0,
        tracked: Vec::new(),
        authors: left.suggested_by,
    }
}
