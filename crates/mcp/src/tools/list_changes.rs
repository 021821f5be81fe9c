//! `list_changes`: the tracked changes of a Word document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::word::{self as engine, Word};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word,
};

pub(crate) const ABOUT: About =
    About { title: "List tracked changes", sets: &[Set::Core, Set::Word], hints: Hints::READ };

/// Lists the tracked changes of a .docx in every story, with id, kind, author, date, paragraph and text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    /// Only those of this author.
    author: Option<String>,
    #[serde(default)]
    offset: usize,
    #[serde(default = "page")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn page() -> usize {
    100
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    session_id: String,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    changes: Vec<Change>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Change {
    id: String,
    kind: String,
    author: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    story: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    paragraph_id: Option<String>,
    text: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    let mut changes = cx.workspace.read::<Word, _>(target.document, engine::changes)??;
    if let Some(author) = &input.author {
        changes.retain(|change| change.author == *author);
    }
    let total = changes.len();
    let shown: Vec<Change> = changes
        .into_iter()
        .skip(input.offset)
        .take(input.limit)
        .map(|change| Change {
            id: change.id,
            kind: change.kind.name().to_owned(),
            author: change.author,
            date: change.date,
            story: change.story,
            paragraph_id: change.paragraph.map(|id| id.to_string()),
            text: change.text,
        })
        .collect();
    let next = input.offset + shown.len();
    Ok(Output {
        session_id: target.session.to_string(),
        total,
        next_offset: (next < total).then_some(next),
        changes: shown,
    })
}
