//! What a waiting edit may do: only what it would have done when it was made.
//!
//! Most edits name a paragraph by an id that outlives edits, and quote what they change. Others count (the second row
//! of a table, the third section), or speak of all there is (every tracked change, every match): they would do
//! something else once others have edited. So it is noted which bytes they replace. The bytes follow every patch; when
//! one of them has changed, or the edit would now replace others, it is refused.

use edit::{Context, Lost, Patch, Refusal};

use super::{Edit, planned};
use crate::document::span::Span;
use crate::document::view::View;
use crate::edits::Markup;
use crate::op::{Location, Op, Operation, Scope};

/// The edit with the bytes that it replaces, if it needs them.
pub(super) fn fix(view: &View, edit: Edit) -> Result<Edit, Refusal> {
    match is_held(&edit) {
        true => Ok(edit),
        false => {
            let replaces = replaced(view, &edit)?;
            Ok(Edit::Anchored { of: Box::new(edit), replaces })
        }
    }
}

pub(super) fn carry(replaces: &[Span], patch: &Patch) -> Result<Vec<Span>, Lost> {
    let carried = replaces.iter().map(|span| {
        let range = patch.carry(&span.part, span.range());
        let range = range.ok_or_else(|| Lost { why: "what it was made for has changed".to_owned() })?;
        Ok(Span { part: span.part.clone(), start: range.start, end: range.end })
    });
    carried.collect()
}

pub(super) fn check(view: &View, edit: &Edit, replaces: &[Span]) -> Result<(), Refusal> {
    match replaced(view, edit)? == replaces {
        true => Ok(()),
        false => Err(Refusal::Unsafe {
            why: "it would no longer change what it was made for, because the document has changed since"
                .to_owned(),
            instead: Some("read the document again and make the edit anew".to_owned()),
        }),
    }
}

/// Whether what an edit names and quotes is enough to know that it means the same.
fn is_held(edit: &Edit) -> bool {
    match edit {
        Edit::ReplaceText(_)
        | Edit::InsertParagraphs(_)
        | Edit::InsertBesideTable(_)
        | Edit::InsertTable(_)
        | Edit::DeleteParagraph(_)
        | Edit::AddComment(_)
        | Edit::AddNote(_)
        | Edit::AddBookmark(_)
        | Edit::RenameBookmark(_)
        | Edit::DeleteBookmark(_)
        | Edit::AddHyperlink(_)
        | Edit::Anchored { .. } => true,
        Edit::ResolveChanges(_)
        | Edit::ReplyToComment(_)
        | Edit::ResolveComment(_)
        | Edit::DeleteComment(_)
        | Edit::FillTemplate(_)
        | Edit::DeleteNote(_)
        | Edit::UpdateNote(_)
        | Edit::Redline(_)
        | Edit::SetRunningText(_) => false,
        Edit::Op(operation) => !overwrites(operation),
        Edit::Ops { operations } => operations.iter().all(|operation| operation.op.only_reads()),
    }
}

/// Whether an operation takes away what stands in its place, or counts to find it. The others follow their range.
fn overwrites(operation: &Operation) -> bool {
    let replaces = |scope: &Scope, location: Location| {
        let span = match scope {
            Scope::Selection => operation.places.selection.as_ref(),
            Scope::Range(id) | Scope::Table(id) => operation.places.named.get(id),
            _ => None,
        };
        location == Location::Replace && span.is_none_or(|span| span.start < span.end)
    };
    match &operation.op {
        Op::InsertText(op) => replaces(&op.scope, op.location),
        Op::InsertPicture(op) => replaces(&op.scope, op.location),
        Op::TableCreate(op) => replaces(&op.scope, op.location),
        Op::Replace(_)
        | Op::TableInsertRows(_)
        | Op::TableInsertColumns(_)
        | Op::TableDeleteRows(_)
        | Op::TableDeleteColumns(_)
        | Op::TableSetCellText(_)
        | Op::TableMergeCells(_) => true,
        Op::TableApplyStyle(_)
        | Op::ApplyStyle(_)
        | Op::GetSelection
        | Op::SetSelection(_)
        | Op::Search(_)
        | Op::ListStyles(_) => false,
    }
}

/// The bytes that an edit replaces in the stories, and those that say what it answers. Who makes the edit may make a
/// difference, because taking back one's own tracked text leaves no trace; so it is planned as if by nobody, and where
/// that is refused because it is not nobody's, as if nothing were tracked.
fn replaced(view: &View, edit: &Edit) -> Result<Vec<Span>, Refusal> {
    let nobody = Context::new("", 0, 0);
    let patch = match planned(view, edit, &nobody) {
        Ok(planned) => planned.step.patch,
        Err(refusal) => planned(view, &plain(edit).ok_or(refusal)?, &nobody)?.step.patch,
    };
    let mut spans = Vec::new();
    for part in view.parts() {
        let splices = patch.splices(&part.name).iter();
        spans.extend(splices.map(|splice| Span::new(&part.name, splice.range.clone())));
    }
    let comment = match edit {
        Edit::ReplyToComment(edit) => Some(&edit.comment),
        Edit::ResolveComment(edit) => Some(&edit.comment),
        _ => None,
    };
    let comment = comment.map(|name| view.comment_called(name)).transpose()?;
    for comment in view.comments()?.iter().filter(|known| Some(&known.id) == comment.as_ref()) {
        for place in &comment.places {
            if let Some(part) = view.part_of(*place) {
                spans.push(Span::new(part, view.span(*place)));
            }
        }
    }
    Ok(spans)
}

/// The operation without tracking; `None` for what has no such switch, or has it off.
fn plain(edit: &Edit) -> Option<Edit> {
    let markup = Markup::Plain;
    match edit {
        Edit::Op(operation) if operation.markup == Markup::Tracked => {
            Some(Edit::Op(Box::new(Operation { markup, ..(**operation).clone() })))
        }
        Edit::Ops { operations } if operations.iter().any(|op| op.markup == Markup::Tracked) => {
            let operations = operations.iter().map(|op| Operation { markup, ..op.clone() });
            Some(Edit::Ops { operations: operations.collect() })
        }
        _ => None,
    }
}
