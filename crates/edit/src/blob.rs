//! A persistent string of bytes.
//!
//! A part of a document can be 40 MB, and a batch can hold a thousand edits of it. Copying the part for each
//! edit, or keeping a copy for each undo step, would cost seconds and gigabytes; so a [`Blob`] is a table of
//! pieces over shared buffers. Splicing copies what it touches of the table, never the text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

mod buffer;
mod table;

pub use buffer::{Buffer, Folded};
use table::{Builder, Table};

/// Past this many pieces a blob is copied into one buffer, so that reading stays fast after long sessions.
const MOST_PIECES: usize = 8192;

/// Immutable bytes; cloning is cheap, and so is replacing a range.
#[derive(Clone, Default)]
pub struct Blob {
    pieces: Table,
}

/// Bytes of one blob that are, by descent, the bytes of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    pub here: Range<usize>,
    pub there: Range<usize>,
}

impl Blob {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.pieces.length()
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The bytes of `range`, borrowed where they lie in one piece. The range is clamped to the blob.
    pub fn slice(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        let range = self.clamp(range);
        if range.is_empty() {
            return Cow::Borrowed(&[]);
        }
        let mut pieces = self.pieces.starting_at(range.start).take_while(|piece| piece.at < range.end);
        let Some(first) = pieces.next() else { return Cow::Borrowed(&[]) };
        if range.end <= first.end() {
            return first.buffer.slice(first.inside(range));
        }
        let mut copy = Vec::with_capacity(range.len());
        for piece in std::iter::once(first).chain(pieces) {
            let here = range.start.max(piece.at)..range.end.min(piece.end());
            copy.extend_from_slice(&piece.buffer.slice(piece.inside(here)));
        }
        Cow::Owned(copy)
    }

    /// All bytes, borrowed if they lie in one piece.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        self.slice(0..self.len())
    }

    /// Whether `word` occurs in `range`, which is clamped to the blob.
    pub fn contains(&self, range: Range<usize>, word: &[u8]) -> bool {
        let range = self.clamp(range);
        let reach = word.len().saturating_sub(1);
        if range.is_empty() || word.is_empty() {
            return word.is_empty();
        }
        self.pieces.starting_at(range.start).take_while(|piece| piece.at < range.end).any(|piece| {
            let here = piece.at.max(range.start)..piece.end().min(range.end);
            // What begins in this piece and ends in another.
            let over = here.end.saturating_sub(reach).max(range.start)..(here.end + reach).min(range.end);
            piece.buffer.contains(piece.inside(here.clone()), word)
                || here.end < range.end && memmem::find(&self.slice(over), word).is_some()
        })
    }

    /// All bytes in one shared buffer: the blob's own if it has just one, else a copy.
    pub fn to_buffer(&self) -> Buffer {
        match self.pieces.only() {
            Some(buffer) => buffer.clone(),
            None => Buffer::new(self.bytes().into_owned()),
        }
    }

    /// The bytes of `range` as a blob of its own, sharing the buffers.
    pub fn sub(&self, range: Range<usize>) -> Blob {
        let range = self.clamp(range);
        let mut builder = Builder::default();
        builder.copy(&self.pieces, range);
        Blob { pieces: builder.finish() }
    }

    /// The pieces in order, each with its place.
    pub fn chunks(&self) -> impl Iterator<Item = (usize, Cow<'_, [u8]>)> {
        self.pieces.iter().map(|piece| (piece.at, piece.buffer.slice(piece.range)))
    }

    /// This blob with each range replaced. The ranges must be sorted and disjoint and lie inside the blob.
    pub(crate) fn splice<'a>(&self, splices: impl IntoIterator<Item = (Range<usize>, &'a Blob)>) -> Blob {
        let mut builder = Builder::default();
        let mut done = 0;
        for (range, with) in splices {
            builder.copy(&self.pieces, done..range.start);
            builder.copy(&with.pieces, 0..with.len());
            done = range.end;
        }
        builder.copy(&self.pieces, done..self.len());
        let blob = Blob { pieces: builder.finish() };
        if blob.pieces.count() > MOST_PIECES { Blob::from(blob.bytes().into_owned()) } else { blob }
    }

    /// Whether both are the very same bytes by descent. Never reads the bytes; a `false` proves nothing.
    pub fn same(&self, other: &Blob) -> bool {
        let pieces = || self.pieces.iter().zip(other.pieces.iter());
        self.pieces.shares(&other.pieces)
            || self.len() == other.len()
                && self.pieces.count() == other.pieces.count()
                && pieces().all(|(ours, theirs)| ours.is(&theirs))
    }

    /// The stretches of this blob that were taken over from `origin`, in order in both.
    ///
    /// A writer that has `origin` in compressed form need only encode what lies between them.
    pub fn shared_with(&self, origin: &Blob) -> Vec<Shared> {
        let mut runs: Vec<Shared> = Vec::new();
        let mut reached = 0;
        // New text is looked for nowhere: after many edits that would be a search of all pieces for each of them.
        let known: HashSet<usize> = origin.pieces.iter().map(|source| source.buffer.address()).collect();
        for piece in self.pieces.iter().filter(|piece| known.contains(&piece.buffer.address())) {
            // Pieces are searched from the last hit on: edits keep the order of what they keep.
            for source in origin.pieces.starting_at(reached) {
                if !piece.buffer.is(source.buffer) {
                    continue;
                }
                let start = piece.range.start.max(source.range.start);
                let end = piece.range.end.min(source.range.end);
                if start >= end {
                    continue;
                }
                let here = piece.at + (start - piece.range.start);
                let there = source.at + (start - source.range.start);
                let run = Shared { here: here..here + (end - start), there: there..there + (end - start) };
                if run.there.start < reached {
                    continue;
                }
                reached = run.there.end;
                match runs.last_mut() {
                    Some(last) if last.here.end == run.here.start && last.there.end == run.there.start => {
                        last.here.end = run.here.end;
                        last.there.end = run.there.end;
                    }
                    _ => runs.push(run),
                }
                if end == piece.range.end {
                    break;
                }
            }
        }
        runs
    }

    /// Compares piece by piece; what both have from one buffer is not read. Lengths must be equal.
    fn equal_pieces(&self, other: &Blob) -> bool {
        let (mut left, mut right) = (self.pieces.iter(), other.pieces.iter());
        let (mut ours, mut theirs) = (left.next(), right.next());
        let mut at = 0;
        while let (Some(a), Some(b)) = (&ours, &theirs) {
            let end = a.end().min(b.end());
            let (in_a, in_b) = (a.inside(at..end), b.inside(at..end));
            let shared = a.buffer.is(b.buffer) && in_a == in_b;
            if !shared && a.buffer.slice(in_a) != b.buffer.slice(in_b) {
                return false;
            }
            let (a_ends, b_ends) = (a.end() == end, b.end() == end);
            at = end;
            if a_ends {
                ours = left.next();
            }
            if b_ends {
                theirs = right.next();
            }
        }
        true
    }

    fn clamp(&self, range: Range<usize>) -> Range<usize> {
        let end = range.end.min(self.len());
        range.start.min(end)..end
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(Arc::new(bytes))
    }
}

impl From<Arc<Vec<u8>>> for Blob {
    fn from(bytes: Arc<Vec<u8>>) -> Self {
        Self::from(Buffer::from(bytes))
    }
}

impl From<Buffer> for Blob {
    fn from(buffer: Buffer) -> Self {
        Self { pieces: Table::one(buffer) }
    }
}

impl From<&[u8]> for Blob {
    fn from(bytes: &[u8]) -> Self {
        Self::from(bytes.to_vec())
    }
}

impl From<String> for Blob {
    fn from(text: String) -> Self {
        Self::from(text.into_bytes())
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Self {
        Self::from(text.as_bytes())
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        self.same(other) || self.len() == other.len() && self.equal_pieces(other)
    }
}

impl Eq for Blob {}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        let start = self.slice(0..SHOWN);
        let more = if self.len() > SHOWN { "…" } else { "" };
        write!(f, "Blob({} bytes: {:?}{more})", self.len(), String::from_utf8_lossy(&start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reading_across_pieces_gives_the_bytes_in_order() {
        let blob = Blob::from("Hello world").splice([(5..6, &Blob::from(", wide "))]);
        assert_eq!(&*blob.bytes(), b"Hello, wide world");
        assert_eq!(&*blob.slice(3..9), b"lo, wi");
        assert!(matches!(blob.slice(0..5), Cow::Borrowed(b"Hello")));
        assert_eq!(&*blob.slice(12..999), b"world");
        assert_eq!(&*blob.slice(99..120), b"");
    }

    #[test]
    fn undoing_a_splice_joins_the_pieces_again() {
        let before = Blob::from("abcdef");
        let after = before.splice([(2..4, &Blob::from("XX"))]);
        let again = after.splice([(2..4, &before.sub(2..4))]);
        assert!(again.same(&before));
    }

    #[test]
    fn what_was_taken_over_is_known_without_reading_it() {
        let before = Blob::from("0123456789");
        let after = before.splice([(3..5, &Blob::from("new")), (8..8, &Blob::from("!"))]);
        assert_eq!(
            after.shared_with(&before),
            [
                Shared { here: 0..3, there: 0..3 },
                Shared { here: 6..9, there: 5..8 },
                Shared { here: 10..12, there: 8..10 },
            ]
        );
    }

    proptest! {
        #[test]
        fn a_blob_is_a_vec_with_cheap_splices(
            start in proptest::collection::vec(any::<u8>(), 0..200),
            edits in proptest::collection::vec((any::<u16>(), any::<u16>(), proptest::collection::vec(any::<u8>(), 0..20)), 0..40),
        ) {
            let mut model = start.clone();
            let mut blob = Blob::from(start);
            for (a, b, with) in edits {
                let n = model.len() + 1;
                let (a, b) = (a as usize % n, b as usize % n);
                let range = a.min(b)..a.max(b);
                let (origin, range_len) = (blob.clone(), range.len());
                blob = blob.splice([(range.clone(), &Blob::from(with.clone()))]);
                let undone = blob.splice([(range.start..range.start + with.len(), &origin.sub(range.clone()))]);
                prop_assert!(undone.same(&origin), "{} pieces of {}", undone.pieces.count(), origin.pieces.count());
                model.splice(range, with);
                prop_assert_eq!(&*blob.bytes(), &model[..]);
                prop_assert_eq!(blob.pieces.iter().map(|piece| piece.end() - piece.at).sum::<usize>(), model.len());
                let (mut here, mut there) = (0, 0);
                for run in blob.shared_with(&origin) {
                    prop_assert!(run.here.start >= here && run.there.start >= there, "{:?}", run);
                    (here, there) = (run.here.end, run.there.end);
                    prop_assert_eq!(blob.slice(run.here), origin.slice(run.there));
                }
                let kept: usize = blob.shared_with(&origin).iter().map(|run| run.here.len()).sum();
                prop_assert_eq!(kept, origin.len() - range_len);
                let (a, b) = (a.min(model.len()), b.min(model.len()));
                let range = a.min(b)..a.max(b);
                prop_assert_eq!(&*blob.slice(range.clone()), &model[range.clone()]);
                let word = &model[a..model.len().min(a + 3)];
                let found = |word: &[u8]| word.is_empty() || model[range.clone()].windows(word.len()).any(|at| at == word);
                prop_assert_eq!(blob.contains(range.clone(), word), found(word));
                prop_assert_eq!(blob.contains(range.clone(), b"\x01\x02"), found(b"\x01\x02"));
                let sub = blob.sub(range.clone());
                prop_assert_eq!(&*sub.bytes(), &model[range]);
                prop_assert_eq!(&blob, &Blob::from(model.clone()));
                prop_assert_eq!(blob == origin, blob.bytes() == origin.bytes());
            }
        }
    }
}
