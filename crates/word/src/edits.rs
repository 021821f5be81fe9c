//! What can be asked of a Word document.
//!
//! Paragraphs are named by their id, text by quoting it. Every edit that changes text says whether the change
//! is to be tracked; the same planner serves both, so that a change looks the same once it is accepted.

// A paragraph on the table: its bytes, its tree, its spelling.
pub(crate) mod anatomy;
pub(crate) mod dialect;
pub(crate) mod marks;
pub(crate) mod open_paragraph;
pub(crate) mod run_properties;
pub(crate) mod schema;
pub(crate) mod siblings;

// How a text becomes another one.
pub(crate) mod rewrite;
pub(crate) mod roles;
pub(crate) mod surgeon;

// The edits.
mod bookmark;
pub(crate) mod changes;
mod comment;
pub(crate) mod controls;
mod delete;
mod insert;
mod link;
mod note;
mod replace;
mod running;
mod several;
mod template;

// What goes with them.
mod anchorage;
mod bound;
mod control;
mod control_state;
mod fallback;
mod guard;
pub(crate) mod lint;
mod orphans;
mod pieces;
pub(crate) mod renumber;
mod side_part;
mod targets;
mod tracked;

use std::collections::BTreeMap;

use edit::{Context, Level, Lost, Note, Patch, Planned, Refusal, Step};
use serde::{Deserialize, Serialize};

use bound::Writes;

pub(crate) use control_state::operate_telling;
pub(crate) use delete::as_deleted;
pub(crate) use insert::{body_look, check_controls};
pub(crate) use orphans::take_along;
pub(crate) use tracked::tracked;

use crate::ParagraphId;
use crate::document::finders::AUTHOR;
use crate::document::index::{BoxKind, digest};
use crate::document::tables::TableId;
use crate::document::view::{Place, View};
use crate::edits::changes::{Resolution, ResolveChanges};
use crate::edits::open_paragraph::shown_text;
use crate::op::{self, Answer, Operation, Span};
pub use bookmark::{DeleteBookmark, RenameBookmark};
pub use comment::{AddComment, DeleteComment, ReplyToComment, ResolveComment};
pub use link::{AddBookmark, AddHyperlink};
pub use note::{AddNote, DeleteNote, NoteKind};
pub use running::{Edge, Pages, SetRunningText};
pub use template::FillTemplate;

/// One edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum Edit {
    /// An operation of the common vocabulary.
    Op(Box<Operation>),
    /// Several, each on what the one before it left, as one change.
    Ops {
        operations: Vec<Operation>,
    },
    ReplaceText(ReplaceText),
    InsertParagraphs(InsertParagraphs),
    InsertBesideTable(InsertBesideTable),
    InsertTable(InsertTable),
    DeleteParagraph(DeleteParagraph),
    ResolveChanges(ResolveChanges),
    AddComment(AddComment),
    ReplyToComment(ReplyToComment),
    ResolveComment(ResolveComment),
    DeleteComment(DeleteComment),
    FillTemplate(FillTemplate),
    AddNote(AddNote),
    DeleteNote(DeleteNote),
    AddBookmark(AddBookmark),
    RenameBookmark(RenameBookmark),
    DeleteBookmark(DeleteBookmark),
    AddHyperlink(AddHyperlink),
    SetRunningText(SetRunningText),
    /// An edit that waits, with the bytes that it replaces; see [`edit::Format::anchor`].
    Anchored {
        of: Box<Edit>,
        replaces: Vec<Span>,
    },
}

/// Whether a change is made, or made as a tracked change that somebody can still reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Markup {
    #[default]
    Plain,
    Tracked,
}

/// Replace one stretch of text in a paragraph. Words that both texts share keep their formatting; semantic
/// tags in `new` override it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaceText {
    pub paragraph: ParagraphId,
    /// As it was read; small differences in quotes and blanks are forgiven, more than one place is not.
    pub old: String,
    pub new: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    #[serde(default)]
    pub markup: Markup,
}

/// Insert paragraphs beside another one. A blank line starts a new paragraph, a line end a new line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertParagraphs {
    pub anchor: ParagraphId,
    pub position: Position,
    pub text: String,
    /// The paragraph to look like; the anchor if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style_source: Option<ParagraphId>,
    #[serde(default)]
    pub markup: Markup,
}

/// The same directly before or behind a table, also where no paragraph stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertBesideTable {
    pub table: TableId,
    pub position: Position,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style_source: Option<ParagraphId>,
    #[serde(default)]
    pub markup: Markup,
}

/// Insert a table beside a paragraph: rows of cells with their texts, each line a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertTable {
    pub anchor: ParagraphId,
    pub position: Position,
    pub rows: Vec<Vec<String>>,
    #[serde(default)]
    pub markup: Markup,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteParagraph {
    pub paragraph: ParagraphId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    #[serde(default)]
    pub markup: Markup,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Position {
    Before,
    After,
}

/// What the caller believes the paragraph says; the edit is refused if it says something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expect {
    /// See [`text_hash`].
    pub text_hash: String,
}

/// What an edit has to report beside its patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    Replaced {
        paragraph: ParagraphId,
        before: String,
        after: String,
    },
    Inserted {
        paragraphs: Vec<ParagraphId>,
    },
    /// `kept`: the paragraph had to stay, without its text.
    Deleted {
        paragraph: ParagraphId,
        text: String,
        kept: bool,
    },
    Commented {
        comment: String,
    },
    /// The id of the note in the file.
    Noted {
        note: String,
    },
    /// The name of the bookmark, or what the link points at.
    Linked {
        name: String,
    },
    /// How often each value was put in, values that had no place, and placeholders that had no value.
    Filled {
        filled: BTreeMap<String, usize>,
        unused: Vec<String>,
        missing: Vec<String>,
    },
    /// The ids of the changes that were accepted or rejected.
    Resolved {
        resolution: Resolution,
        changes: Vec<String>,
    },
    Op {
        answer: Answer<Span>,
    },
    /// One answer for each operation, in bytes of the document after all of them.
    Ops {
        answers: Vec<Answer<Span>>,
        /// Where an operation put the selection.
        selection: Option<Span>,
    },
}

/// A short name for what a paragraph says, to be given back as [`Expect`].
pub fn text_hash(text: &str) -> String {
    format!("{:016x}", digest(0x7e87, text.as_bytes()))
}

pub(crate) fn anchor(view: &View, edit: &Edit) -> Result<Edit, Refusal> {
    let fixed = match edit {
        Edit::Op(operation) => Edit::Op(Box::new(op::anchor(view, operation)?)),
        Edit::Ops { operations } => Edit::Ops { operations: op::anchor_all(view, operations)? },
        // A replacement is held by the text it quotes; a deletion quotes nothing, so what it meant is noted.
        Edit::DeleteParagraph(edit @ DeleteParagraph { expect: None, .. }) => {
            let text = shown_text(view, &view.paragraph(view.find(edit.paragraph)?)?).text;
            let expect = Some(Expect { text_hash: text_hash(&text) });
            Edit::DeleteParagraph(DeleteParagraph { expect, ..edit.clone() })
        }
        edit => edit.clone(),
    };
    guard::fix(view, fixed)
}

/// Ids of paragraphs outlive edits, so what an edit with one means is decided when it is planned again.
pub(crate) fn carry(edit: &Edit, patch: &Patch) -> Result<Edit, Lost> {
    match edit {
        Edit::Op(operation) => Ok(Edit::Op(Box::new(op::carry(operation, patch)?))),
        Edit::Ops { operations } => {
            let operations = operations.iter().map(|operation| op::carry(operation, patch));
            Ok(Edit::Ops { operations: operations.collect::<Result<_, Lost>>()? })
        }
        Edit::Anchored { of, replaces } => {
            let of = Box::new(carry(of, patch)?);
            Ok(Edit::Anchored { of, replaces: guard::carry(replaces, patch)? })
        }
        edit => Ok(edit.clone()),
    }
}

pub(crate) fn plan(view: &View, edit: &Edit, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    if let Edit::Anchored { of, replaces } = edit {
        guard::check(view, of, replaces)?;
        return plan(view, of, cx);
    }
    let mut planned = planned(view, edit, cx)?;
    let Step { patch, notes, .. } = &mut planned.step;
    let writes = match edit {
        Edit::ReplaceText(_)
        | Edit::InsertParagraphs(_)
        | Edit::InsertBesideTable(_)
        | Edit::DeleteParagraph(_) => Writes::Text,
        // Data has no tracked changes, and whoever rejects those of the text must have all as it was.
        Edit::Op(operation) if operation.markup == Markup::Tracked => Writes::Text,
        _ => Writes::Data,
    };
    *patch = bound::keep(view, std::mem::take(patch), writes, notes)?;
    // An edit that is made of others has their notes already.
    let Step { patch, notes, .. } = &mut planned.step;
    let told = [fallback::note(view, patch), targets::note(view, patch)];
    for note in told.into_iter().flatten() {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    // Operations answer with places in the bytes that they have written, which must then stay as they are.
    if !matches!(edit, Edit::Op(_) | Edit::Ops { .. }) {
        planned.step.patch = crate::edits::renumber::renumber(view, planned.step.patch)?;
    }
    if !matches!(edit, Edit::ResolveChanges(_)) {
        refuse_in_text_boxes(view, &planned.step.patch)?;
    }
    Ok(planned)
}

/// Word does not open a file with revisions inside a text box, whichever edit would write them.
fn refuse_in_text_boxes(view: &View, patch: &Patch) -> Result<(), Refusal> {
    for part in view.parts() {
        for splice in patch.splices(&part.name) {
            if !AUTHOR.is_in(&splice.with.bytes()) {
                continue;
            }
            let Some(boxed) = part.box_holding(&splice.range) else { continue };
            if part.around(boxed).any(|(_, block)| block.kind == BoxKind::TextBox) {
                return Err(Refusal::Unsafe {
                    why: "the paragraph is in a text box, and Word refuses files with tracked changes there"
                        .to_owned(),
                    instead: Some("make this edit without tracking, or as a suggestion".to_owned()),
                });
            }
        }
    }
    Ok(())
}

fn planned(view: &View, edit: &Edit, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    match edit {
        Edit::Op(operation) => op::plan(view, operation, cx),
        Edit::Ops { operations } => op::plan_all(view, operations, cx),
        Edit::ReplaceText(edit) => replace::plan(view, edit, cx),
        Edit::InsertParagraphs(edit) => insert::plan(view, edit, cx),
        Edit::InsertBesideTable(edit) => insert::beside_table(view, edit, cx),
        Edit::InsertTable(edit) => op::insert_table(view, edit, cx),
        Edit::DeleteParagraph(edit) => delete::plan(view, edit, cx),
        Edit::ResolveChanges(edit) => crate::edits::changes::plan(view, edit, cx),
        Edit::AddComment(edit) => comment::add(view, edit, cx),
        Edit::ReplyToComment(edit) => comment::reply(view, edit, cx),
        Edit::ResolveComment(edit) => comment::resolve(view, edit, cx),
        Edit::DeleteComment(edit) => comment::delete(view, edit, cx),
        Edit::FillTemplate(edit) => template::plan(view, edit, cx),
        Edit::AddNote(edit) => note::add(view, edit, cx),
        Edit::DeleteNote(edit) => note::delete(view, edit, cx),
        Edit::AddBookmark(edit) => link::bookmark(view, edit, cx),
        Edit::RenameBookmark(edit) => bookmark::rename(view, edit, cx),
        Edit::DeleteBookmark(edit) => bookmark::delete(view, edit, cx),
        Edit::AddHyperlink(edit) => link::hyperlink(view, edit, cx),
        Edit::SetRunningText(edit) => running::set(view, edit, cx),
        Edit::Anchored { of, .. } => planned(view, of, cx),
    }
}

fn check_expected(view: &View, place: Place, expect: Option<&Expect>, text: &str) -> Result<(), Refusal> {
    match expect {
        Some(expect) if expect.text_hash != text_hash(text) => Err(Refusal::Rule {
            code: "TEXT_CHANGED",
            why: format!("paragraph {} no longer says what was expected", view.id(place)),
            instead: Some(format!("now it says `{}`; read it again and repeat the edit", excerpt(text))),
        }),
        _ => Ok(()),
    }
}

/// Says of new text that it has what a page shows in the place of a note, a comment or a picture: there it is a mark,
/// in new text it is characters like all others.
fn told_of_marks(text: &str) -> Option<Note> {
    let mark = text.match_indices('[').find_map(|(at, _)| {
        let inner = text.get(at + 1..)?.split_once(']')?.0;
        let comment = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let is_mark = inner.strip_prefix('^').is_some_and(|mark| !mark.is_empty() && mark.len() < 8)
            || inner.strip_prefix('c').is_some_and(comment)
            || ["image: ", "equation: "].iter().any(|kind| inner.starts_with(kind));
        is_mark.then_some(inner)
    })?;
    let text = format!("`[{mark}]` was written as these characters; it makes no note, comment or picture");
    Some(Note { level: Level::Warning, text })
}

/// The start of a text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Text as it will be written: line ends as `\n`, and nothing that no XML file can hold.
pub(crate) fn clean(field: &'static str, text: &str) -> Result<String, Refusal> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // A page break has a character that XML does not; it becomes an element.
    match ooxml::xml::first_illegal(&text.replace('\u{c}', "")) {
        Some(character) => {
            let found = format!("the control character U+{:04X}", u32::from(character));
            Err(Refusal::invalid(field, found, "text without control characters"))
        }
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests;
