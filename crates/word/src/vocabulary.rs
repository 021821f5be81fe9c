//! What can be asked of a Word document: every edit by its name, and the road that each takes.
//!
//! Paragraphs are named by their id, text by quoting it. Every edit that changes text says whether the change
//! is to be tracked; the same planner serves both, so that a change looks the same once it is accepted.

mod guard;
pub(crate) mod house_rules;
mod tracked;

use edit::{Context, Lost, Patch, Planned, Refusal};
use serde::{Deserialize, Serialize};

use crate::document::span::Span;
use crate::document::view::View;
use crate::edits::changes::{self, ResolveChanges};
use crate::edits::finish::{About, finish};
use crate::edits::{
    AddBookmark, AddComment, AddHyperlink, AddNote, DeleteBookmark, DeleteComment, DeleteNote,
    DeleteParagraph, Expect, FillTemplate, InsertBesideTable, InsertParagraphs, InsertTable, Markup, Outcome,
    Redline, RenameBookmark, ReplaceText, ReplyToComment, ResolveComment, SetRunningText, UpdateNote,
    bookmark, comment, delete, insert, link, note, redline, replace, running, template,
};
use crate::op::{self, Operation};
use crate::text::quotation::{shown_text, text_hash};

pub(crate) use tracked::tracked;

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
    UpdateNote(UpdateNote),
    AddBookmark(AddBookmark),
    RenameBookmark(RenameBookmark),
    DeleteBookmark(DeleteBookmark),
    AddHyperlink(AddHyperlink),
    SetRunningText(SetRunningText),
    /// What a comparison found.
    Redline(Redline),
    /// An edit that waits, with the bytes that it replaces; see [`edit::Format::anchor`].
    Anchored {
        of: Box<Edit>,
        replaces: Vec<Span>,
    },
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
        // Marks are counted, and another note before it changes them; the paragraph stays what it is.
        Edit::DeleteNote(edit) => {
            Edit::DeleteNote(DeleteNote { note: note::lasting(view, edit.kind, &edit.note)?, ..edit.clone() })
        }
        Edit::UpdateNote(edit) => {
            Edit::UpdateNote(UpdateNote { note: note::lasting(view, edit.kind, &edit.note)?, ..edit.clone() })
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
        Edit::Redline(edit) => Ok(Edit::Redline(redline::carry(edit, patch)?)),
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
    let about = match edit {
        Edit::ReplaceText(_)
        | Edit::InsertParagraphs(_)
        | Edit::InsertBesideTable(_)
        | Edit::DeleteParagraph(_)
        | Edit::Redline(_) => About::Text,
        Edit::Op(operation) => About::Operation(operation.markup),
        Edit::Ops { .. } => About::Operation(Markup::Plain),
        Edit::ResolveChanges(_) => About::Changes,
        _ => About::Other,
    };
    finish(view, planned(view, edit, cx)?, about)
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
        Edit::ResolveChanges(edit) => changes::plan(view, edit, cx),
        Edit::AddComment(edit) => comment::add(view, edit, cx),
        Edit::ReplyToComment(edit) => comment::reply(view, edit, cx),
        Edit::ResolveComment(edit) => comment::resolve(view, edit, cx),
        Edit::DeleteComment(edit) => comment::delete(view, edit, cx),
        Edit::FillTemplate(edit) => template::plan(view, edit, cx),
        Edit::AddNote(edit) => note::add(view, edit, cx),
        Edit::DeleteNote(edit) => note::delete(view, edit, cx),
        Edit::UpdateNote(edit) => note::update(view, edit, cx),
        Edit::AddBookmark(edit) => link::bookmark(view, edit, cx),
        Edit::RenameBookmark(edit) => bookmark::rename(view, edit, cx),
        Edit::DeleteBookmark(edit) => bookmark::delete(view, edit, cx),
        Edit::AddHyperlink(edit) => link::hyperlink(view, edit, cx),
        Edit::SetRunningText(edit) => running::set(view, edit, cx),
        Edit::Redline(edit) => redline::plan(view, edit, cx),
        Edit::Anchored { of, .. } => planned(view, of, cx),
    }
}
