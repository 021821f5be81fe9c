//! Comments: adding, answering, resolving and deleting them.
//!
//! A comment is in up to three places: its text in the comments part, its range and reference in the story,
//! and, for answers and resolved threads, a record in the extended part that finds it by the id of its last
//! paragraph.

mod parts;

use std::collections::BTreeSet;

use edit::{Context, Cut, Level, Note, PartName, Patch, Planned, Refusal, Step};
use ooxml::xml::{Document, Node, XmlLimits, escape_attribute, ns};
use serde::{Deserialize, Serialize};

use super::orphans::{self, Reference};
use super::quoted_ranges::{PlacedXml, insert_at, quoted};
use super::{Outcome, anchorage, clean, excerpt};
use crate::document::ids::ParagraphId;
use crate::document::index::digest;
use crate::document::stamp::Stamp;
use crate::document::view::View;
use crate::edits::anatomy::word_name;
use crate::edits::open_paragraph::{OpenParagraph, stamp, story_blobs};
use parts::Parts;

/// Comment on a text, or on the whole paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddComment {
    pub paragraph: ParagraphId,
    /// The text it is about; the whole paragraph without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// A line end starts a new paragraph of the comment.
    pub text: String,
}

/// Answer a comment, or the thread that it is in. `comment` is its id, also as `c3` or `[c3]`, or that of its paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyToComment {
    pub comment: String,
    pub text: String,
}

/// Mark a comment and its thread as done, or as open again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolveComment {
    pub comment: String,
    pub done: bool,
}

/// Delete a comment with its answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteComment {
    pub comment: String,
}

pub(crate) fn add(view: &View, edit: &AddComment, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let place = view.find(edit.paragraph)?;
    anchorage::check(view, place, anchorage::What::Comment)?;
    let text = clean("text", &edit.text)?;
    let opened = OpenParagraph::open(view, place)?;
    let full = opened.anatomy()?;
    let (anatomy, range) = match &edit.quote {
        None => {
            let range = 0..full.text.len();
            (full, range)
        }
        Some(quote) => match quoted(&full.text, quote, edit.paragraph) {
            Ok(range) => (full, range),
            Err(refusal) => {
                let bare = opened.bare_anatomy()?;
                let range = quoted(&bare.text, quote, edit.paragraph).map_err(|_| refusal)?;
                (bare, range)
            }
        },
    };
    let stamp = stamp(view, cx);
    let id = stamp.fresh_id().to_string();
    let mut parts = Parts::open(view)?;
    let number = new_paragraph_id(view, cx, &id);
    parts.append_comment(&comment_xml(view, &parts, &id, &text, (&number, false), &stamp));
    let dialect = &opened.dialect;
    let start = dialect.empty("commentRangeStart", &[("id", &id)]);
    let end =
        format!("{}{}", dialect.empty("commentRangeEnd", &[("id", &id)]), reference(view, &opened, &id));
    let splices = insert_at(
        &opened,
        &anatomy,
        &[PlacedXml::mark(range.start, &start), PlacedXml::mark(range.end, &end)],
    );
    let mut patch = Patch::new();
    opened.add_to(&mut patch, splices)?;
    parts.finish(view, &mut patch)?;
    done(patch, format!("Comment {id} on \"{}\"", excerpt(anatomy.text.cut(range)?)), id)
}

pub(crate) fn reply(view: &View, edit: &ReplyToComment, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let text = clean("text", &edit.text)?;
    let mut parts = Parts::open(view)?;
    let answered = view.comment_called(&edit.comment)?;
    let thread = parts.thread(&answered)?;
    let first = thread.first().unwrap_or(&answered);
    let parent = parts.paragraph_of(first, || new_paragraph_id(view, cx, first))?;
    let stamp = stamp(view, cx);
    let id = stamp.fresh_id().to_string();
    let number = new_paragraph_id(view, cx, &id);
    parts.append_comment(&comment_xml(view, &parts, &id, &text, (&number, true), &stamp));
    parts.record(&parent, None, None)?;
    parts.record(&number, Some(&parent), None)?;
    let mut patch = Patch::new();
    for (part, document) in stories(view, &thread)? {
        // Behind the last of the thread; some programs give answers no place of their own.
        let marks = |comment: &&String| document.root().descendants().any(|node| refers_to(&node, comment));
        let Some(last) = thread.iter().rev().find(marks) else { continue };
        for node in document.root().descendants().filter(|node| refers_to(node, last)) {
            let (at, xml) = beside(node, &id);
            patch.splice(&part, at..at, xml)?;
        }
    }
    parts.finish(view, &mut patch)?;
    done(patch, format!("Answer comment {answered} with comment {id}"), id)
}

/// A mark of another comment behind a mark, and where it goes.
fn beside(node: Node<'_>, id: &str) -> (usize, String) {
    let prefix = node.prefix();
    let colon = if prefix.is_empty() { "" } else { ":" };
    let name = word_name(&node);
    let mark = format!("<{prefix}{colon}{name} {prefix}{colon}id=\"{id}\"/>");
    if name != orphans::COMMENT {
        return (node.span().end, mark);
    }
    let run = node.parent().unwrap_or(node);
    let look = run.child(ns::W, "rPr").map(|look| String::from_utf8_lossy(look.source()).into_owned());
    let look = look.unwrap_or_default();
    (run.span().end, format!("<{prefix}{colon}r>{look}{mark}</{prefix}{colon}r>"))
}

pub(crate) fn resolve(view: &View, edit: &ResolveComment, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let mut parts = Parts::open(view)?;
    let meant = view.comment_called(&edit.comment)?;
    for comment in parts.thread(&meant)? {
        let paragraph = parts.paragraph_of(&comment, || new_paragraph_id(view, cx, &comment))?;
        parts.record(&paragraph, None, Some(edit.done))?;
    }
    let mut patch = Patch::new();
    parts.finish(view, &mut patch)?;
    let verb = if edit.done { "Resolve" } else { "Reopen" };
    done(patch, format!("{verb} comment {meant}"), meant)
}

pub(crate) fn delete(view: &View, edit: &DeleteComment, _cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let mut patch = Patch::new();
    let meant = view.comment_called(&edit.comment)?;
    let gone = remove(view, std::slice::from_ref(&meant), &mut patch)?;
    let comments = view.comments()?;
    let of = |id: &str| comments.iter().find(|comment| comment.id == id);
    let words = of(&meant).map_or_else(String::new, |comment| {
        format!(" of {}: \"{}\"", comment.author, excerpt(&comment.text))
    });
    let mut planned = done(patch, format!("Delete comment {meant}{words}"), meant.clone())?;
    let answers: Vec<String> = gone
        .iter()
        .filter(|id| **id != meant)
        .filter_map(|id| of(id))
        .map(|answer| format!("{} of {} (\"{}\")", answer.id, answer.author, excerpt(&answer.text)))
        .collect();
    if !answers.is_empty() {
        let text = format!("with the comment go the answers to it: {}", answers.join(", "));
        planned.step.notes.push(Note { level: Level::Warning, text });
    }
    Ok(planned)
}

/// Takes comments away with the answers to them and all of them that stands in text which the patch leaves; answers which
/// they were.
fn remove(view: &View, comments: &[String], patch: &mut Patch) -> Result<Vec<String>, Refusal> {
    let mut parts = Parts::open(view)?;
    let gone = parts.remove_threads(comments)?;
    for (part, document) in stories(view, &gone)? {
        let going = patch.splices(&part).to_vec();
        let is_gone = |node: &Node<'_>| {
            gone.iter().any(|id| refers_to(node, id)) && !orphans::is_cut(node.span().start, &going)
        };
        for node in document.root().descendants().filter(|node| is_gone(node)) {
            let run = node.parent().filter(|run| {
                let alone = run.elements().all(|child| word_name(&child) == "rPr" || is_gone(&child));
                word_name(run) == "r" && alone
            });
            let first = run.is_none_or(|run| {
                run.elements().find(|child| is_gone(child)).is_some_and(|c| c.id() == node.id())
            });
            if first {
                patch.splice(&part, run.unwrap_or(node).span(), "")?;
            }
        }
    }
    parts.finish(view, patch)?;
    Ok(gone)
}

/// Takes out the comments that nothing refers to any more.
pub(super) fn remove_all(view: &View, gone: &BTreeSet<Reference>, patch: &mut Patch) -> Result<(), Refusal> {
    if !gone.iter().any(|(name, _)| *name == orphans::COMMENT) {
        return Ok(());
    }
    let comments = view.comments()?.into_iter().map(|comment| comment.id);
    let gone: Vec<String> = comments.filter(|id| gone.contains(&(orphans::COMMENT, id.clone()))).collect();
    if !gone.is_empty() {
        remove(view, &gone, patch)?;
    }
    Ok(())
}

fn done(patch: Patch, summary: String, comment: String) -> Result<Planned<Outcome>, Refusal> {
    let step = Step { patch, summary, notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Commented { comment } })
}

/// The stories that these comments hang on, parsed.
fn stories(view: &View, comments: &[String]) -> Result<Vec<(PartName, Document)>, Refusal> {
    let mut out = Vec::new();
    for (story, part) in &view.layout().stories {
        let Some(blob) = view.content().read(part)?.filter(|_| *story != crate::Story::Comments) else {
            continue;
        };
        let bytes = blob.bytes();
        let mut marks = MARKS.into_iter().flat_map(|name| orphans::ids_of(&bytes, name));
        if !marks.any(|(_, id)| comments.iter().any(|known| *known == id)) {
            continue;
        }
        let document = Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(part))?;
        out.push((part.clone(), document));
    }
    Ok(out)
}

/// What of a comment stands in the text.
const MARKS: [&str; 3] = ["commentRangeStart", "commentRangeEnd", orphans::COMMENT];

fn refers_to(node: &Node<'_>, id: &str) -> bool {
    MARKS.contains(&word_name(node)) && node.value(ns::W, "id").as_deref() == Some(id)
}

fn has_style(view: &View, id: &str) -> bool {
    view.styles().get(id).is_some()
}

fn reference(view: &View, opened: &OpenParagraph, id: &str) -> String {
    let dialect = &opened.dialect;
    let look = match has_style(view, "CommentReference") {
        true => dialect.wrap("rPr", "", &dialect.empty("rStyle", &[("val", "CommentReference")])),
        false => String::new(),
    };
    dialect.wrap("r", "", &format!("{look}{}", dialect.empty("commentReference", &[("id", id)])))
}

fn comment_xml(
    view: &View,
    parts: &Parts,
    id: &str,
    text: &str,
    (number, needs_name): (&str, bool),
    stamp: &Stamp,
) -> String {
    let dialect = &parts.dialect;
    let lines = super::note::paragraphs_of(text);
    let mut paragraphs = String::new();
    for (index, line) in lines.iter().enumerate() {
        let mut inner = String::new();
        if has_style(view, "CommentText") {
            inner.push_str(&dialect.wrap("pPr", "", &dialect.empty("pStyle", &[("val", "CommentText")])));
        }
        if index == 0 {
            let look = match has_style(view, "CommentReference") {
                true => dialect.wrap("rPr", "", &dialect.empty("rStyle", &[("val", "CommentReference")])),
                false => String::new(),
            };
            inner.push_str(&dialect.wrap("r", "", &format!("{look}{}", dialect.empty("annotationRef", &[]))));
        }
        if !line.is_empty() {
            inner.push_str(&dialect.wrap("r", "", &dialect.content(line)));
        }
        // The extended record finds a comment by the id of its last paragraph.
        let named = index + 1 == lines.len() && (needs_name || parts.names_paragraphs());
        let id = if named { parts.paragraph_id_attribute(number) } else { String::new() };
        paragraphs.push_str(&dialect.wrap("p", &id, &inner));
    }
    let initials: String =
        stamp.author.split_whitespace().filter_map(|word| word.chars().next()).take(3).collect();
    let attributes = format!(
        " {0}id=\"{id}\" {0}author=\"{1}\" {0}date=\"{2}\" {0}initials=\"{3}\"",
        dialect.attribute,
        escape_attribute(&stamp.author),
        stamp.date(),
        escape_attribute(&initials)
    );
    dialect.wrap("comment", &attributes, &paragraphs)
}

/// A `w14:paraId` that no paragraph has.
fn new_paragraph_id(view: &View, cx: &Context, salt: &str) -> String {
    let blobs = story_blobs(view);
    let mut turn = digest(cx.seed, salt.as_bytes());
    loop {
        turn = digest(turn, b"comment");
        let number = (turn & 0x7FFF_FFFF) as u32;
        let id = format!("{number:08X}");
        let taken = blobs.iter().any(|blob| memchr::memmem::find(&blob.bytes(), id.as_bytes()).is_some());
        if number != 0 && !taken {
            return id;
        }
    }
}
