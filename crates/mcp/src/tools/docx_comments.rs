//! `docx_comments`: the comments of a Word document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::Refusal;
use workspace::word::{AddComment, DeleteComment, Edit, ReplyToComment, ResolveComment, Word};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About =
    About { title: "Word comments", sets: &[Set::Core, Set::Word], hints: Hints::EDIT };

/// Lists, adds, answers, resolves, reopens or deletes comments of a .docx. add takes paragraph_id, text and a quote;
/// the others comment_id.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    action: Action,
    paragraph_id: Option<String>,
    quote: Option<String>,
    text: Option<String>,
    comment_id: Option<String>,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    List,
    Add,
    Reply,
    Resolve,
    Reopen,
    Delete,
}

/// A list, or what an edit came to.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Output {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<Vec<Comment>>,
    #[serde(flatten)]
    edited: Option<Edited>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Comment {
    id: String,
    author: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    text: String,
    // Told, but not listed: the list of tools has a budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    paragraph_id: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(skip)]
    quote: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    answers: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(skip)]
    resolved: bool,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?
        .overriding(input.override_protection);
    let text = || input.text.clone().ok_or_else(|| ToolError::invalid("text is needed for this action"));
    let comment =
        || input.comment_id.clone().ok_or_else(|| ToolError::invalid("comment_id is needed for this action"));
    let edit = match input.action {
        Action::List => return list(cx, &target),
        Action::Add => {
            let id = input
                .paragraph_id
                .as_deref()
                .ok_or_else(|| ToolError::invalid("paragraph_id is needed for add"))?;
            let paragraph = word::paragraph(cx, &target, "paragraph_id", id)?;
            Edit::AddComment(AddComment { paragraph, quote: input.quote.clone(), text: text()? })
        }
        Action::Reply => Edit::ReplyToComment(ReplyToComment { comment: comment()?, text: text()? }),
        Action::Resolve => Edit::ResolveComment(ResolveComment { comment: comment()?, done: true }),
        Action::Reopen => Edit::ResolveComment(ResolveComment { comment: comment()?, done: false }),
        Action::Delete => Edit::DeleteComment(DeleteComment { comment: comment()? }),
    };
    let edited = word::edit(cx, &target, vec![edit], Track::Auto, input.dry_run, None)?;
    Ok(Output { edited: Some(edited), ..Output::default() })
}

fn list(cx: &Cx<'_>, target: &word::Target) -> Result<Output, ToolError> {
    let (comments, mut threads) = cx
        .workspace
        .read::<Word, _>(target.document, |view| Ok::<_, Refusal>((view.comments()?, view.threads()?)))??;
    let shown = comments.into_iter().map(|comment| {
        let thread = threads.remove(&comment.id).unwrap_or_default();
        Comment {
            id: comment.id,
            author: comment.author,
            date: comment.date,
            text: comment.text,
            paragraph_id: thread.paragraph.map(|id| id.to_string()),
            quote: thread.quote,
            answers: thread.parent,
            resolved: thread.resolved,
        }
    });
    Ok(Output { session_id: Some(target.session.to_string()), comments: Some(shown.collect()), edited: None })
}
