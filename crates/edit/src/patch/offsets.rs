//! Where offsets of a part are after a patch.
//!
//! One question costs a sum over the splices before the offset. Whoever has as many questions as there are splices
//! (a replacement of every match, and every block around them) sums up once, with [`Offsets`].

use std::ops::Range;

use super::{Gravity, PartChange, Splice};

/// The offsets of one part across one patch.
#[derive(Debug)]
pub struct Offsets<'a> {
    change: Option<&'a PartChange>,
    /// What the splices before each one add, and all of them at the end.
    sums: Vec<isize>,
}

impl<'a> Offsets<'a> {
    pub(super) fn new(change: Option<&'a PartChange>) -> Self {
        let splices = match change {
            Some(PartChange::Splices(splices)) => splices.as_slice(),
            _ => &[],
        };
        let mut sum = 0;
        let mut sums = Vec::with_capacity(splices.len() + 1);
        for splice in splices {
            sums.push(sum);
            sum += growth(std::slice::from_ref(splice));
        }
        sums.push(sum);
        Self { change, sums }
    }

    /// As [`super::Patch::map`].
    pub fn map(&self, offset: usize, gravity: Gravity) -> usize {
        match self.change {
            Some(PartChange::Splices(splices)) => map(splices, offset, gravity, |before| self.sum(before)),
            _ => offset,
        }
    }

    /// As [`super::Patch::carry`].
    pub fn carry(&self, range: Range<usize>) -> Option<Range<usize>> {
        match self.change {
            None => Some(range),
            Some(PartChange::Splices(splices)) => carry(splices, range, |before| self.sum(before)),
            Some(PartChange::Put(_) | PartChange::Remove) => None,
        }
    }

    fn sum(&self, before: &[Splice]) -> isize {
        self.sums[before.len()]
    }
}

/// What splices add.
pub(super) fn growth(splices: &[Splice]) -> isize {
    splices.iter().map(|splice| splice.with.len() as isize - splice.range.len() as isize).sum()
}

pub(super) fn map(
    splices: &[Splice],
    offset: usize,
    gravity: Gravity,
    sum: impl Fn(&[Splice]) -> isize,
) -> usize {
    let count = splices.partition_point(|splice| match gravity {
        Gravity::Left => splice.range.start < offset,
        Gravity::Right => splice.range.start <= offset,
    });
    let before = &splices[..count];
    match before.split_last() {
        // They do not overlap, so it can only be inside the last one that starts before it.
        Some((last, earlier)) if offset < last.range.end => {
            let start = last.range.start.saturating_add_signed(sum(earlier));
            match gravity {
                Gravity::Left => start,
                Gravity::Right => start + last.with.len(),
            }
        }
        _ => offset.saturating_add_signed(sum(before)),
    }
}

pub(super) fn carry(
    splices: &[Splice],
    range: Range<usize>,
    sum: impl Fn(&[Splice]) -> isize,
) -> Option<Range<usize>> {
    let count = splices.partition_point(|splice| splice.range.end <= range.start);
    if splices.get(count).is_some_and(|next| next.range.start < range.end) {
        return None;
    }
    let shift = sum(&splices[..count]);
    Some(range.start.saturating_add_signed(shift)..range.end.saturating_add_signed(shift))
}
