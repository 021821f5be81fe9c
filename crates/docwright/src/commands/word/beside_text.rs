//! Comments, notes, headers, templates, deletions and batches on the command line.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use serde_json::Value;
use workspace::Refusal;
use workspace::targets::{self, Argument};
use workspace::word::{
    AddComment, AddNote, DeleteComment, DeleteNote, DeleteParagraph, Edge, Edit, FillTemplate, Markup,
    NoteKind, Pages, ParagraphId, ReplyToComment, ResolveComment, SetRunningText, UpdateNote, Word as Engine,
};

use super::{make, make_all, open, resolved};
use crate::cli::Destined;
use crate::cli::word::Rules;
use crate::cli::word::beside_text::{
    Beside, CommentAction, NoteAction, PagesOf, WordBatch, WordComment, WordDelete, WordFill, WordNote,
    WordRunning,
};
use crate::one_file::OneFile;
use crate::report::{self, Failure, Verdict};

pub(crate) fn run(command: &Beside, json: bool) -> Result<Verdict, Failure> {
    match command {
        Beside::Delete(arguments) => delete(arguments, json),
        Beside::Batch(arguments) => batch(arguments, json),
        Beside::Comment(arguments) => comment(arguments, json),
        Beside::Note(arguments) => note(arguments, json),
        Beside::Header(arguments) => running(arguments, Edge::Header, json),
        Beside::Footer(arguments) => running(arguments, Edge::Footer, json),
        Beside::Fill(arguments) => fill(arguments, json),
    }
}

fn desk(file: &Path, rules: &Rules, into: &Destined) -> Result<OneFile, Failure> {
    Ok(rules.over(open(file, into.output.as_deref(), &into.author())?))
}

fn paragraph(desk: &OneFile, name: &str) -> Result<ParagraphId, Failure> {
    resolved(desk, |view| targets::paragraph(view, Argument { field: "--id", name }))
}

fn needed<'a>(value: Option<&'a String>, option: &str) -> Result<&'a String, Failure> {
    value.ok_or_else(|| Failure::new("USAGE", format!("{option} is needed for this")))
}

fn delete(arguments: &WordDelete, json: bool) -> Result<Verdict, Failure> {
    let desk = desk(&arguments.file, &arguments.rules, &arguments.into)?;
    let paragraph = paragraph(&desk, &arguments.id)?;
    let markup = arguments.rules.markup();
    let edit = Edit::DeleteParagraph(DeleteParagraph { paragraph, expect: None, markup });
    make(&desk, edit, &arguments.into.destination(), json)
}

fn batch(arguments: &WordBatch, json: bool) -> Result<Verdict, Failure> {
    let desk = desk(&arguments.file, &arguments.rules, &arguments.into)?;
    let given = json_in(&arguments.edits)?;
    let edits = mcp::batch_edits(&desk.workspace, desk.document, given, arguments.rules.markup())?;
    make_all(&desk, edits, &arguments.into.destination(), json)
}

fn comment(arguments: &WordComment, json: bool) -> Result<Verdict, Failure> {
    let desk = desk(&arguments.file, &arguments.rules, &arguments.into)?;
    let text = || needed(arguments.text.as_ref(), "--text").cloned();
    let comment = || needed(arguments.comment.as_ref(), "--comment").cloned();
    let edit = match arguments.action {
        CommentAction::List => return list_comments(&desk, json),
        CommentAction::Add => {
            let paragraph = paragraph(&desk, needed(arguments.id.as_ref(), "--id")?)?;
            Edit::AddComment(AddComment { paragraph, quote: arguments.quote.clone(), text: text()? })
        }
        CommentAction::Reply => Edit::ReplyToComment(ReplyToComment { comment: comment()?, text: text()? }),
        CommentAction::Resolve => Edit::ResolveComment(ResolveComment { comment: comment()?, done: true }),
        CommentAction::Reopen => Edit::ResolveComment(ResolveComment { comment: comment()?, done: false }),
        CommentAction::Delete => Edit::DeleteComment(DeleteComment { comment: comment()? }),
    };
    make(&desk, edit, &arguments.into.destination(), json)
}

#[derive(Debug, serde::Serialize)]
struct Listed {
    id: String,
    author: String,
    text: String,
    quote: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<String>,
    resolved: bool,
}

fn list_comments(desk: &OneFile, json: bool) -> Result<Verdict, Failure> {
    let (comments, mut threads) =
        desk.read::<Engine, _>(|view| Ok::<_, Refusal>((view.comments()?, view.threads()?)))??;
    let listed: Vec<Listed> = comments
        .into_iter()
        .map(|comment| {
            let thread = threads.remove(&comment.id).unwrap_or_default();
            let (quote, answers, resolved) = (thread.quote, thread.parent, thread.resolved);
            Listed { id: comment.id, author: comment.author, text: comment.text, quote, answers, resolved }
        })
        .collect();
    report::answer(json, &listed, |listed| {
        let line = |one: &Listed| {
            let answers = one.answers.as_ref().map_or(String::new(), |to| format!(" (answers {to})"));
            let resolved = if one.resolved { " (resolved)" } else { "" };
            format!("{}\t{}{answers}{resolved}\t{}\t{}\n", one.id, one.author, one.quote, one.text)
        };
        listed.iter().map(line).collect()
    })?;
    Ok(Verdict::Done)
}

fn note(arguments: &WordNote, json: bool) -> Result<Verdict, Failure> {
    let desk = desk(&arguments.file, &arguments.rules, &arguments.into)?;
    let kind = if arguments.endnote { NoteKind::Endnote } else { NoteKind::Footnote };
    let markup = arguments.rules.markup();
    let text = || needed(arguments.text.as_ref(), "--text").cloned();
    let note = || needed(arguments.note.as_ref(), "--note").cloned();
    let edit = match arguments.action {
        NoteAction::Add => {
            let paragraph = paragraph(&desk, needed(arguments.id.as_ref(), "--id")?)?;
            Edit::AddNote(AddNote { paragraph, after: arguments.quote.clone(), kind, text: text()?, markup })
        }
        NoteAction::Update => Edit::UpdateNote(UpdateNote { kind, note: note()?, text: text()?, markup }),
        NoteAction::Delete => Edit::DeleteNote(DeleteNote { kind, note: note()?, markup }),
    };
    make(&desk, edit, &arguments.into.destination(), json)
}

fn running(arguments: &WordRunning, edge: Edge, json: bool) -> Result<Verdict, Failure> {
    let desk = desk(&arguments.file, &arguments.rules, &arguments.into)?;
    let pages = match arguments.pages {
        PagesOf::Default => Pages::Default,
        PagesOf::First => Pages::First,
        PagesOf::Even => Pages::Even,
    };
    let (text, section, markup) = (arguments.text.clone(), arguments.section, arguments.rules.markup());
    let edit = Edit::SetRunningText(SetRunningText { edge, pages, section, text, markup });
    make(&desk, edit, &arguments.into.destination(), json)
}

fn fill(arguments: &WordFill, json: bool) -> Result<Verdict, Failure> {
    let desk = desk(&arguments.file, &arguments.rules, &arguments.into)?;
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    if let Some(file) = &arguments.values {
        let Value::Object(given) = json_in(file)? else {
            return Err(Failure::new("USAGE", "--values is to be a JSON object with values by name"));
        };
        for (name, value) in given {
            let value = match value {
                Value::String(text) => text,
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                _ => {
                    let message =
                        format!("the value of `{name}` is neither a text nor a number nor true or false");
                    return Err(Failure::new("USAGE", message));
                }
            };
            values.insert(name, value);
        }
    }
    for pair in &arguments.set {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| Failure::new("USAGE", format!("`{pair}` is no NAME=VALUE")))?;
        values.insert(name.to_owned(), value.to_owned());
    }
    let markup: Markup = arguments.rules.markup();
    make(&desk, Edit::FillTemplate(FillTemplate { values, markup }), &arguments.into.destination(), json)
}

/// JSON from a file, or from stdin for `-`.
fn json_in(file: &Path) -> Result<Value, Failure> {
    let mut text = String::new();
    let read = match file == Path::new("-") {
        true => std::io::stdin().read_to_string(&mut text).map(drop),
        false => std::fs::read_to_string(file).map(|read| text = read),
    };
    read.map_err(|error| Failure::new("DISK_ERROR", format!("{}: {error}", file.display())))?;
    serde_json::from_str(&text).map_err(|error| Failure::new("USAGE", format!("{}: {error}", file.display())))
}
