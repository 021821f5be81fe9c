//! The built-in linter: what would make Word complain, or lose something, about a document.
//!
//! Real files have findings of their own, so what counts is [`new_problems`]: those that an edit brought. It
//! knows nothing about how we edit; everything is read from the bytes.
//!
//! That rejecting a tracked edit gives the text there was, and accepting it the text that was asked for, cannot be
//! read from the bytes: they do not say which changes were meant to be tracked. It is a law of the planners instead,
//! held by the random edits of `tests/it/random.rs` and by every kind of edit of every real file in
//! `tests/it/kinds.rs`.

mod nearby;
mod package;
mod story;

use std::collections::BTreeMap;

use edit::{Content, Refusal};
use serde::Serialize;

use crate::document::layout::Layout;

/// Something wrong in a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    pub kind: ProblemKind,
    pub part: String,
    /// For people: what, and where.
    pub what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    NotWellFormed,
    /// A field without its end, or an end without its field.
    UnbalancedField,
    /// A table cell that does not end with a paragraph.
    CellWithoutParagraph,
    /// A table row without a cell, or a table without a row.
    EmptyTable,
    /// Two bookmarks or two revisions with one id, or a revision with the id of a bookmark.
    DuplicateId,
    /// `w14:paraId` used twice, or too large.
    ParagraphId,
    /// A range that starts and does not end, or ends and does not start.
    UnpairedRange,
    /// A note or comment that is referred to and not there.
    MissingNote,
    /// A revision where none may be.
    MisplacedRevision,
    /// Properties in an order that the schema does not allow.
    PropertyOrder,
    MissingRelationship,
    MissingPart,
    /// A part that nothing points at.
    OrphanPart,
    MissingContentType,
}

/// Everything the linter finds, sorted.
pub fn lint(content: &Content) -> Result<Vec<Problem>, Refusal> {
    let layout = Layout::read(content)?;
    let mut problems = Vec::new();
    package::check(content, &mut problems)?;
    story::check(content, &layout, &mut problems)?;
    problems.sort();
    Ok(problems)
}

/// What `after` has and `before` had not. Problems are compared by kind, part and wording, and counted.
pub fn new_problems(before: &Content, after: &Content) -> Result<Vec<Problem>, Refusal> {
    Ok(compare(before, after)?.0)
}

/// What is new in `after`, and how many problems it has that are not, where finding out took reading all of it.
pub(crate) fn compare(before: &Content, after: &Content) -> Result<(Vec<Problem>, Option<usize>), Refusal> {
    let Some(near) = nearby::new_problems(before, after)? else {
        let (new, known) = compare_all(before, after)?;
        return Ok((new, Some(known)));
    };
    debug_assert_eq!(near, compare_all(before, after)?.0, "what is nearby is not all there is");
    Ok((near, None))
}

/// The same, by reading both from end to end.
fn compare_all(before: &Content, after: &Content) -> Result<(Vec<Problem>, usize), Refusal> {
    let mut known: BTreeMap<Problem, usize> = BTreeMap::new();
    // Where a part stops being XML moves with every edit before it.
    let wording = |problem: &Problem| match problem.kind {
        ProblemKind::NotWellFormed => Problem { what: String::new(), ..problem.clone() },
        _ => problem.clone(),
    };
    for problem in lint(before)? {
        *known.entry(wording(&problem)).or_default() += 1;
    }
    let mut fresh = lint(after)?;
    let all = fresh.len();
    fresh.retain(|problem| match known.get_mut(&wording(problem)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    let old = all - fresh.len();
    Ok((fresh, old))
}

#[cfg(test)]
mod tests;
