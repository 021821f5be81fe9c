//! `review_documents`: where there is something to decide.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{
    DocumentStatus, Kind, Recoverable, Status,
    word::{self, Word},
};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire,
};

pub(crate) const ABOUT: About =
    About { title: "Documents to review", sets: &[Set::Review], hints: Hints::READ };

/// Lists every document that somebody has open, and those that an earlier run left with unsaved work, each with what
/// there is to decide in it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    documents: Vec<Listed>,
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

pub(crate) fn run(cx: &Cx<'_>, _input: Input) -> Result<Output, ToolError> {
    let open = cx.workspace.documents();
    let mut documents = Vec::new();
    for status in &open {
        cx.cancel.check()?;
        documents.push(listed(cx, status)?);
    }
    let is_open =
        |left: &Recoverable| left.path.is_some() && open.iter().any(|status| status.path == left.path);
    let left = cx.workspace.recoverable().into_iter().filter(|left| !left.aside && !is_open(left));
    documents.extend(left.map(of_the_journal));
    Ok(Output { documents })
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
