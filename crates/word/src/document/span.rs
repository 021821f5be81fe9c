//! A place in a document as bytes, which anybody can carry over any edit.

use std::ops::Range;

use edit::{Gravity, PartChange, PartName, Patch};
use serde::{Deserialize, Serialize};

/// Bytes of a part; a cursor if there are none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub part: String,
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub fn new(part: &PartName, range: Range<usize>) -> Self {
        Self { part: part.as_str().to_owned(), start: range.start, end: range.end }
    }

    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Where these bytes are after `patch`; `None` if they are gone. Changes inside are followed.
    pub(crate) fn carried(&self, patch: &Patch) -> Option<Span> {
        if let Some(moved) = patch.carry(&self.part, self.range()) {
            return Some(Span { start: moved.start, end: moved.end, ..self.clone() });
        }
        if matches!(patch.part(&self.part), Some(PartChange::Put(_) | PartChange::Remove)) {
            return None;
        }
        let crosses = |splice: &Range<usize>| {
            splice.start < self.start && splice.end > self.start
                || splice.start < self.end && splice.end > self.end
        };
        if patch.splices(&self.part).iter().any(|splice| crosses(&splice.range)) {
            return None;
        }
        let start = patch.map(&self.part, self.start, Gravity::Left);
        let end = patch.map(&self.part, self.end, Gravity::Left).max(start);
        (end > start).then(|| Span { start, end, ..self.clone() })
    }
}
