//! Two lists of splices, one after the other, as one list.

use std::ops::Range;

use super::Splice;
use crate::Blob;

/// The text after the first list, described as what it kept and what it brought.
#[derive(Clone)]
enum Segment {
    Kept(Range<usize>),
    New(Blob),
}

impl Segment {
    fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(blob) => blob.len(),
        }
    }

    fn sub(&self, range: Range<usize>) -> Segment {
        match self {
            Self::Kept(kept) => Self::Kept(kept.start + range.start..kept.start + range.end),
            Self::New(blob) => Self::New(blob.sub(range)),
        }
    }
}

pub(super) fn compose(first: &[Splice], second: &[Splice]) -> Vec<Splice> {
    let mut output = Output::default();
    let mut input = Input { segments: segments(first), index: 0, used: 0, position: 0 };
    for splice in second {
        let gap = splice.range.start - input.position;
        input.take(gap, |segment| output.push(segment));
        output.push(Segment::New(splice.with.clone()));
        input.take(splice.range.len(), |_| {});
    }
    input.take(usize::MAX, |segment| output.push(segment));
    output.splices
}

/// The bytes behind the last splice are of unknown number: the last segment has no end.
fn segments(splices: &[Splice]) -> Vec<Segment> {
    let mut segments = Vec::with_capacity(2 * splices.len() + 1);
    let mut done = 0;
    for splice in splices {
        segments.push(Segment::Kept(done..splice.range.start));
        segments.push(Segment::New(splice.with.clone()));
        done = splice.range.end;
    }
    segments.push(Segment::Kept(done..usize::MAX));
    segments
}

struct Input {
    segments: Vec<Segment>,
    index: usize,
    used: usize,
    position: usize,
}

impl Input {
    fn take(&mut self, mut count: usize, mut give: impl FnMut(Segment)) {
        while count > 0 {
            let Some(segment) = self.segments.get(self.index) else { return };
            let left = segment.len() - self.used;
            let now = left.min(count);
            if now > 0 {
                give(segment.sub(self.used..self.used + now));
            }
            self.used += now;
            self.position = self.position.saturating_add(now);
            count -= now;
            if self.used == segment.len() {
                self.index += 1;
                self.used = 0;
            }
        }
    }
}

/// Collects segments of the final text; what of the first text is skipped between two kept ones is replaced.
#[derive(Default)]
struct Output {
    splices: Vec<Splice>,
    kept_to: usize,
    pending: Option<Blob>,
}

impl Output {
    fn push(&mut self, segment: Segment) {
        match segment {
            Segment::New(blob) => {
                self.pending = Some(match self.pending.take() {
                    None => blob,
                    Some(before) => before.splice([(before.len()..before.len(), &blob)]),
                });
            }
            Segment::Kept(range) => {
                let with = self.pending.take().unwrap_or_default();
                if range.start > self.kept_to || !with.is_empty() {
                    self.splices.push(Splice { range: self.kept_to..range.start, with });
                }
                self.kept_to = range.end;
            }
        }
    }
}
