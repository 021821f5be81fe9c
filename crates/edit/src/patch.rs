//! A change to the bytes of a document.
//!
//! Patches can be applied, inverted, put one after another ([`Patch::then`]) and carried over one another
//! ([`Patch::rebase`]); positions can be carried over them ([`Patch::map`], [`Patch::carry`]). Everything the
//! product promises about undo, suggestions and concurrent edits rests on the laws at the end of this file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use crate::{Blob, Content, PartName, Refusal};

mod compose;
mod offsets;

pub use offsets::Offsets;

/// Bytes `range` of a part become `with`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    pub range: Range<usize>,
    pub with: Blob,
}

/// What becomes of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartChange {
    /// Sorted and disjoint. At one place, insertions come in the order they were made, before a replacement.
    Splices(Vec<Splice>),
    /// The part is added, or replaced whole.
    Put(Blob),
    Remove,
}

/// A change to the bytes of a document. All ranges are in the bytes as they were before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    parts: BTreeMap<PartName, PartChange>,
}

/// Which neighbour a position stays with when text is inserted exactly there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gravity {
    /// It stays before what is inserted.
    Left,
    /// It moves behind what is inserted.
    Right,
}

impl Patch {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub fn parts(&self) -> impl Iterator<Item = (&PartName, &PartChange)> {
        self.parts.iter()
    }

    pub fn part(&self, name: impl AsRef<str>) -> Option<&PartChange> {
        self.parts.get(name.as_ref())
    }

    /// The splices of a part; empty if it has none.
    pub fn splices(&self, name: impl AsRef<str>) -> &[Splice] {
        match self.parts.get(name.as_ref()) {
            Some(PartChange::Splices(splices)) => splices,
            _ => &[],
        }
    }

    /// Replace `range` of `part`. Refuses a range that overlaps one already in the patch.
    pub fn splice(
        &mut self,
        part: &PartName,
        range: Range<usize>,
        with: impl Into<Blob>,
    ) -> Result<(), Refusal> {
        let with = with.into();
        if range.start > range.end {
            return Err(Refusal::internal(format!("splice of {part} from {} to {}", range.start, range.end)));
        }
        if range.is_empty() && with.is_empty() {
            return Ok(());
        }
        let change = self.parts.entry(part.clone()).or_insert_with(|| PartChange::Splices(Vec::new()));
        let PartChange::Splices(splices) = change else {
            return Err(Refusal::internal(format!("splice of {part}, which the same patch replaces whole")));
        };
        let key = |range: &Range<usize>| (range.start, range.end);
        let index = splices.partition_point(|other| key(&other.range) <= key(&range));
        let left = index.checked_sub(1).and_then(|left| splices.get(left));
        let overlaps = left.is_some_and(|left| left.range.end > range.start)
            || splices.get(index).is_some_and(|right| right.range.start < range.end)
            || left.is_some_and(|left| left.range == range && !range.is_empty());
        if overlaps {
            return Err(Refusal::internal(format!("overlapping splices of {part} at {range:?}")));
        }
        splices.insert(index, Splice { range, with });
        Ok(())
    }

    /// Add a part, or replace it whole.
    pub fn put(&mut self, part: &PartName, blob: impl Into<Blob>) {
        self.parts.insert(part.clone(), PartChange::Put(blob.into()));
    }

    pub fn remove(&mut self, part: &PartName) {
        self.parts.insert(part.clone(), PartChange::Remove);
    }

    pub fn apply(&self, before: &Content) -> Result<Content, Refusal> {
        let mut after = before.clone();
        for (name, change) in &self.parts {
            match change {
                PartChange::Put(blob) => after.insert(name.clone(), blob.clone()),
                PartChange::Remove => after.remove(name.as_str()),
                PartChange::Splices(splices) => {
                    let blob = before.existing(name)?;
                    if let Some(last) = splices.last()
                        && last.range.end > blob.len()
                    {
                        let why = format!("splice at {:?} of {name}, which has {}", last.range, blob.len());
                        return Err(Refusal::internal(why));
                    }
                    after.insert(
                        name.clone(),
                        blob.splice(splices.iter().map(|s| (s.range.clone(), &s.with))),
                    );
                }
            }
        }
        Ok(after)
    }

    /// The patch that takes `self.apply(before)` back to `before`, byte for byte.
    pub fn invert(&self, before: &Content) -> Result<Patch, Refusal> {
        let mut inverse = Patch::new();
        for (name, change) in &self.parts {
            let back = match change {
                PartChange::Put(_) | PartChange::Remove => match before.read(name)? {
                    Some(blob) => PartChange::Put(blob),
                    None => PartChange::Remove,
                },
                PartChange::Splices(splices) => {
                    let blob = before.existing(name)?;
                    let mut shift = 0isize;
                    let back = splices.iter().map(|splice| {
                        let start = splice.range.start.saturating_add_signed(shift);
                        shift += splice.with.len() as isize - splice.range.len() as isize;
                        Splice {
                            range: start..start + splice.with.len(),
                            with: blob.sub(splice.range.clone()),
                        }
                    });
                    PartChange::Splices(back.collect())
                }
            };
            inverse.parts.insert(name.clone(), back);
        }
        Ok(inverse)
    }

    /// Both as one: the result takes what `self` takes to what `next` gives.
    pub fn then(&self, next: &Patch) -> Patch {
        let mut parts = self.parts.clone();
        for (name, second) in &next.parts {
            match parts.entry(name.clone()) {
                Entry::Vacant(slot) => {
                    slot.insert(second.clone());
                }
                Entry::Occupied(mut slot) => {
                    let both = match (slot.get(), second) {
                        (_, PartChange::Put(_) | PartChange::Remove) => second.clone(),
                        (PartChange::Put(blob), PartChange::Splices(splices)) => {
                            PartChange::Put(blob.splice(splices.iter().map(|s| (s.range.clone(), &s.with))))
                        }
                        (PartChange::Splices(first), PartChange::Splices(second)) => {
                            PartChange::Splices(compose::compose(first, second))
                        }
                        // Splicing a part that is not there never applies; keep the removal.
                        (PartChange::Remove, PartChange::Splices(_)) => PartChange::Remove,
                    };
                    slot.insert(both);
                }
            }
        }
        parts.retain(|_, change| !matches!(change, PartChange::Splices(splices) if splices.is_empty()));
        Patch { parts }
    }

    /// What it takes to keep it, about.
    pub fn bytes(&self) -> usize {
        const EACH: usize = 64;
        let part = |change: &PartChange| match change {
            PartChange::Splices(splices) => splices.iter().map(|splice| EACH + splice.with.len()).sum(),
            PartChange::Put(blob) => EACH + blob.len(),
            PartChange::Remove => EACH,
        };
        self.parts.values().map(part).sum()
    }

    /// Patches that follow one another as one.
    pub fn joined(patches: &[&Patch]) -> Patch {
        // In halves, because joining costs what both sides hold: a thousand one by one would cost half a million splices.
        match patches {
            [] => Patch::new(),
            [only] => (*only).clone(),
            many => {
                let (first, second) = many.split_at(many.len() / 2);
                Self::joined(first).then(&Self::joined(second))
            }
        }
    }

    /// This patch as it reads after `over`, when both were made on the same bytes. `None` if they touch the
    /// same bytes, or if either replaces or removes a part that the other changes.
    pub fn rebase(&self, over: &Patch) -> Option<Patch> {
        let mut parts = BTreeMap::new();
        for (name, change) in &self.parts {
            let moved = match (change, over.parts.get(name)) {
                (_, None) => change.clone(),
                (PartChange::Splices(splices), Some(PartChange::Splices(_))) => {
                    let offsets = over.offsets(name);
                    let moved: Option<Vec<Splice>> = splices
                        .iter()
                        .map(|splice| {
                            let range = offsets.carry(splice.range.clone())?;
                            Some(Splice { range, with: splice.with.clone() })
                        })
                        .collect();
                    PartChange::Splices(moved?)
                }
                _ => return None,
            };
            parts.insert(name.clone(), moved);
        }
        Some(Patch { parts })
    }

    /// Where `offset` of a part is after this patch. A position inside replaced bytes goes to their start or
    /// end, as its gravity says.
    pub fn map(&self, part: impl AsRef<str>, offset: usize, gravity: Gravity) -> usize {
        offsets::map(self.splices(part), offset, gravity, offsets::growth)
    }

    /// Where `range` of a part is after this patch, if the patch left its bytes alone.
    ///
    /// An insertion at either end does not touch a range; an insertion inside does. An empty range stands
    /// behind what is inserted at its place.
    pub fn carry(&self, part: impl AsRef<str>, range: Range<usize>) -> Option<Range<usize>> {
        match self.parts.get(part.as_ref()) {
            None => Some(range),
            Some(PartChange::Splices(splices)) => offsets::carry(splices, range, offsets::growth),
            Some(PartChange::Put(_) | PartChange::Remove) => None,
        }
    }

    /// For whoever asks [`Patch::map`] or [`Patch::carry`] of one part many times.
    pub fn offsets(&self, part: impl AsRef<str>) -> Offsets<'_> {
        Offsets::new(self.parts.get(part.as_ref()))
    }
}

#[cfg(test)]
mod tests;
