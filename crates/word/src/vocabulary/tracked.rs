//! The same edit written as tracked changes, for people who want to see them in Word before they count.
//!
//! Only where all that the edit changes is tracked: whoever rejects the changes must have the document as it was.

use super::Edit;
use crate::edits::{
    AddNote, DeleteNote, DeleteParagraph, InsertBesideTable, InsertParagraphs, InsertTable, Markup,
    ReplaceText, UpdateNote,
};
use crate::op::Operation;

pub(crate) fn tracked(edit: &Edit) -> Option<Edit> {
    let markup = Markup::Tracked;
    let operation = |operation: &Operation| Operation { markup, ..operation.clone() };
    Some(match edit {
        Edit::Op(only) => Edit::Op(Box::new(operation(only))),
        Edit::Ops { operations } => Edit::Ops { operations: operations.iter().map(operation).collect() },
        Edit::ReplaceText(edit) => Edit::ReplaceText(ReplaceText { markup, ..edit.clone() }),
        Edit::InsertParagraphs(edit) => Edit::InsertParagraphs(InsertParagraphs { markup, ..edit.clone() }),
        Edit::InsertBesideTable(edit) => Edit::InsertBesideTable(InsertBesideTable { markup, ..edit.clone() }),
        Edit::InsertTable(edit) => Edit::InsertTable(InsertTable { markup, ..edit.clone() }),
        Edit::DeleteParagraph(edit) => Edit::DeleteParagraph(DeleteParagraph { markup, ..edit.clone() }),
        Edit::AddNote(edit) => Edit::AddNote(AddNote { markup, ..edit.clone() }),
        Edit::UpdateNote(edit) => Edit::UpdateNote(UpdateNote { markup, ..edit.clone() }),
        Edit::DeleteNote(edit) => Edit::DeleteNote(DeleteNote { markup, ..edit.clone() }),
        // A comparison has its changes written out already.
        Edit::Redline(redline) => return (redline.markup == markup).then(|| edit.clone()),
        // The bytes it holds are those of the edit as it is.
        Edit::Anchored { of, .. } => return (tracked(of).as_ref() == Some(&**of)).then(|| edit.clone()),
        // What a content control is ticked for or dated by is not tracked, nor is the data behind it.
        Edit::FillTemplate(_)
        // A header that has to be made, and pages that get one of their own, are not tracked.
        | Edit::SetRunningText(_)
        // Decides on changes instead of making one.
        | Edit::ResolveChanges(_)
        // Word tracks neither comments nor bookmarks nor links.
        | Edit::AddComment(_)
        | Edit::ReplyToComment(_)
        | Edit::ResolveComment(_)
        | Edit::DeleteComment(_)
        | Edit::AddBookmark(_)
        | Edit::RenameBookmark(_)
        | Edit::DeleteBookmark(_)
        | Edit::AddHyperlink(_) => return None,
    })
}
