//! Places that stay where they are in the text while the text around them changes: selections and ranges.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Gravity, PartChange, PartName, Patch, Refusal};

use crate::ids::RangeId;

/// Ranges a document keeps; the oldest are forgotten first.
const MOST_RANGES: usize = 10_000;

/// A selection in a part, in bytes; a cursor when both ends are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    pub part: PartName,
    pub range: Range<usize>,
}

impl Selection {
    /// A cursor goes behind what is inserted at it. A selection leaves out what is inserted at its ends, and
    /// covers what its text is replaced by.
    pub(crate) fn carried(&self, patch: &Patch) -> Selection {
        let Range { start, end } = self.range;
        let map = |offset, gravity| patch.map(&self.part, offset, gravity);
        let range = match patch.part(&self.part) {
            Some(PartChange::Put(blob)) => start.min(blob.len())..end.min(blob.len()),
            Some(PartChange::Remove) => 0..0,
            _ if start == end => {
                let cursor = map(start, Gravity::Right);
                cursor..cursor
            }
            _ => match patch.carry(&self.part, self.range.clone()) {
                Some(range) => range,
                None => {
                    let start = map(start, Gravity::Left);
                    start..map(end, Gravity::Right).max(start)
                }
            },
        };
        Selection { part: self.part.clone(), range }
    }
}

/// A range that was given a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRange {
    pub part: PartName,
    pub range: Range<usize>,
    /// What it stood for when it was named.
    pub text: String,
    /// Whether anything inside it has changed since.
    pub touched: bool,
    /// Which caller named it.
    pub caller: String,
}

#[derive(Debug, Default)]
pub(crate) struct Ranges {
    alive: BTreeMap<RangeId, (u64, NamedRange)>,
    gone: BTreeMap<RangeId, (u64, String)>,
    count: u64,
}

impl Ranges {
    pub(crate) fn add(&mut self, id: RangeId, range: NamedRange) {
        self.count += 1;
        self.alive.insert(id, (self.count, range));
        forget_oldest(&mut self.alive);
    }

    /// What is there, the oldest first.
    pub(crate) fn all(&self) -> Vec<(&RangeId, &NamedRange)> {
        let mut all: Vec<_> = self.alive.iter().map(|(id, (count, range))| (count, id, range)).collect();
        all.sort_by_key(|(count, _, _)| **count);
        all.into_iter().map(|(_, id, range)| (id, range)).collect()
    }

    /// What those last stood for that are gone, the oldest first.
    pub(crate) fn all_gone(&self) -> Vec<(RangeId, String)> {
        let mut all: Vec<_> = self.gone.iter().collect();
        all.sort_by_key(|(_, (count, _))| *count);
        all.into_iter().map(|(id, (_, text))| (id.clone(), text.clone())).collect()
    }

    pub(crate) fn add_gone(&mut self, id: RangeId, text: String) {
        self.count += 1;
        self.gone.insert(id, (self.count, text));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.alive.is_empty() && self.gone.is_empty()
    }

    pub(crate) fn find(&self, id: &RangeId) -> Result<&NamedRange, Refusal> {
        match (self.alive.get(id), self.gone.get(id)) {
            (Some((_, range)), _) => Ok(range),
            (None, Some((_, last))) => {
                Err(Refusal::Gone { what: "range", id: id.to_string(), last: last.clone() })
            }
            (None, None) => Err(Refusal::not_found("range", id.to_string())),
        }
    }

    pub(crate) fn carry(&mut self, patch: &Patch) {
        for (id, (count, mut range)) in std::mem::take(&mut self.alive) {
            match carried(&range, patch) {
                Some((moved, touched)) => {
                    range.range = moved;
                    range.touched |= touched;
                    self.alive.insert(id, (count, range));
                }
                None => {
                    self.gone.insert(id, (count, range.text));
                }
            }
        }
        forget_oldest(&mut self.gone);
    }
}

/// Where a range is after a patch, and whether something inside it changed. Changes inside keep it alive; a
/// change across one of its ends, or one that leaves nothing of it, does not.
fn carried(range: &NamedRange, patch: &Patch) -> Option<(Range<usize>, bool)> {
    if let Some(moved) = patch.carry(&range.part, range.range.clone()) {
        return Some((moved, false));
    }
    if matches!(patch.part(&range.part), Some(PartChange::Put(_) | PartChange::Remove)) {
        return None;
    }
    let Range { start, end } = range.range;
    let crosses = |splice: &Range<usize>| {
        splice.start < start && splice.end > start || splice.start < end && splice.end > end
    };
    if patch.splices(&range.part).iter().any(|splice| crosses(&splice.range)) {
        return None;
    }
    let before = |splice: &edit::Splice| {
        splice.range.end <= start && splice.range.start < start
            || splice.range.is_empty() && splice.range.start == start
    };
    let (mut from, mut length) = (start as isize, (end - start) as isize);
    for splice in patch.splices(&range.part) {
        let growth = splice.with.len() as isize - splice.range.len() as isize;
        if before(splice) {
            from += growth;
        } else if splice.range.start < end {
            length += growth;
        }
    }
    let (from, length) = (usize::try_from(from).ok()?, usize::try_from(length).ok()?);
    (length > 0).then(|| (from..from + length, true))
}

fn forget_oldest<T>(ranges: &mut BTreeMap<RangeId, (u64, T)>) {
    while ranges.len() > MOST_RANGES {
        let Some(oldest) = ranges.iter().min_by_key(|(_, (count, _))| *count).map(|(id, _)| id.clone())
        else {
            return;
        };
        ranges.remove(&oldest);
    }
}
