//! A column of the index, in pieces that revisions share.
//!
//! An edit changes few entries and moves all offsets behind it. A piece that no entry of changes is not copied: how
//! far its offsets have moved is noted beside it. So an edit costs the same in a long document as in a short one.

use edit::Cut;

use std::ops::Range;
use std::sync::Arc;

/// Entries in a piece when a column is made. A copy of so many is quick, and there are few pieces to note moves at.
const PIECE: usize = 512;

/// What a column can have in it.
pub(crate) trait Entry: Copy + PartialEq {
    /// The entry when what it tells of has moved in its part. Only offsets change by that.
    fn moved(self, _by: i32) -> Self {
        self
    }
}

impl Entry for u8 {}
impl Entry for u16 {}
impl Entry for u64 {}

impl Entry for u32 {
    fn moved(self, by: i32) -> Self {
        self.wrapping_add_signed(by)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Column<T> {
    pieces: Arc<Vec<ColumnChunk<T>>>,
    len: usize,
}

/// Never empty.
#[derive(Debug, Clone)]
struct ColumnChunk<T> {
    /// How many entries stand before it.
    before: usize,
    /// How far its entries have moved since they were written down.
    by: i32,
    entries: Arc<[T]>,
}

impl<T: Entry> ColumnChunk<T> {
    fn end(&self) -> usize {
        self.before + self.entries.len()
    }

    fn get(&self, index: usize) -> Option<T> {
        self.entries.get(index.checked_sub(self.before)?).map(|entry| entry.moved(self.by))
    }

    fn set(&mut self, index: usize, entry: T) {
        let by = self.by.wrapping_neg();
        let at = index.wrapping_sub(self.before);
        if let Some(slot) = Arc::make_mut(&mut self.entries).get_mut(at) {
            *slot = entry.moved(by);
        }
    }

    /// The places in `range` that are this piece's.
    fn within(&self, range: &Range<usize>) -> Range<usize> {
        let from = range.start.clamp(self.before, self.end()) - self.before;
        let to = range.end.clamp(self.before, self.end()) - self.before;
        from..to.max(from)
    }

    fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.entries.iter().map(|entry| entry.moved(self.by))
    }
}

impl<T: Entry> Default for Column<T> {
    fn default() -> Self {
        Self { pieces: Arc::default(), len: 0 }
    }
}

impl<T: Entry> From<Vec<T>> for Column<T> {
    fn from(entries: Vec<T>) -> Self {
        Self { len: entries.len(), pieces: Arc::new(pieces(&entries, 0).collect()) }
    }
}

fn pieces<T: Entry>(entries: &[T], before: usize) -> impl Iterator<Item = ColumnChunk<T>> + '_ {
    let numbered = entries.chunks(PIECE).enumerate();
    numbered.map(move |(at, entries)| ColumnChunk {
        before: before + at * PIECE,
        by: 0,
        entries: entries.into(),
    })
}

impl<T: Entry> PartialEq for Column<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && (Arc::ptr_eq(&self.pieces, &other.pieces) || self.iter().eq(other.iter()))
    }
}

impl<T: Entry> Column<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, index: usize) -> Option<T> {
        self.pieces.get(self.piece_of(index))?.get(index)
    }

    /// The entry at a place that is known to be there.
    #[track_caller]
    pub(crate) fn at(&self, index: usize) -> T {
        match self.get(index) {
            Some(entry) => entry,
            None => panic!("entry {index} of {}", self.len),
        }
    }

    /// The piece with this entry, or the last one.
    fn piece_of(&self, index: usize) -> usize {
        // Where it was when the column was made, and mostly still is.
        let guess = index / PIECE;
        if self.pieces.get(guess).is_some_and(|piece| (piece.before..piece.end()).contains(&index)) {
            return guess;
        }
        self.pieces.partition_point(|piece| piece.end() <= index).min(self.pieces.len().saturating_sub(1))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.pieces.iter().flat_map(ColumnChunk::iter)
    }

    /// The entries at these places, as far as there are any.
    pub(crate) fn range(&self, range: Range<usize>) -> impl Iterator<Item = T> + '_ {
        let pieces = self.pieces.part(self.piece_of(range.start)..);
        let pieces = pieces.iter().take_while({
            let end = range.end;
            move |piece| piece.before < end
        });
        pieces.flat_map(move |piece| {
            let entries = piece.entries.part(piece.within(&range));
            entries.iter().map(|entry| entry.moved(piece.by))
        })
    }

    pub(crate) fn position(&self, entry: T) -> Option<usize> {
        self.pieces.iter().find_map(|piece| {
            let entry = entry.moved(piece.by.wrapping_neg());
            Some(piece.before + piece.entries.iter().position(|known| *known == entry)?)
        })
    }

    pub(crate) fn contains(&self, entry: T) -> bool {
        self.position(entry).is_some()
    }

    /// How many entries at the front meet a condition that all behind them do not.
    pub(crate) fn partition_point(&self, meets: impl Fn(T) -> bool) -> usize {
        let behind = self.pieces.partition_point(|piece| piece.get(piece.before).is_some_and(&meets));
        let Some(piece) = behind.checked_sub(1).and_then(|last| self.pieces.get(last)) else { return 0 };
        piece.before + piece.entries.partition_point(|entry| meets(entry.moved(piece.by)))
    }

    /// Writes only what is another entry, so that revisions can go on sharing the rest.
    pub(crate) fn set(&mut self, index: usize, entry: T) {
        if self.get(index).is_none_or(|known| known == entry) {
            return;
        }
        let at = self.piece_of(index);
        if let Some(piece) = Arc::make_mut(&mut self.pieces).get_mut(at) {
            piece.set(index, entry);
        }
    }

    /// Puts what `change` makes of an entry in its place.
    pub(crate) fn change(&mut self, index: usize, change: impl FnOnce(T) -> T) {
        if let Some(entry) = self.get(index) {
            self.set(index, change(entry));
        }
    }

    pub(crate) fn change_all(&mut self, change: impl Fn(T) -> T) {
        let all: Vec<T> = self.iter().map(change).collect();
        *self = all.into();
    }

    /// Moves the offsets at these places.
    pub(crate) fn shift(&mut self, range: Range<usize>, by: i32) {
        if by == 0 || range.is_empty() {
            return;
        }
        let first = self.piece_of(range.start);
        for piece in Arc::make_mut(&mut self.pieces).iter_mut().skip(first) {
            let within = piece.within(&range);
            if within.is_empty() {
                break;
            }
            if within.len() == piece.entries.len() {
                piece.by = piece.by.wrapping_add(by);
            } else {
                let entries = Arc::make_mut(&mut piece.entries).get_mut(within);
                entries.unwrap_or_default().iter_mut().for_each(|entry| *entry = entry.moved(by));
            }
        }
    }

    pub(crate) fn splice(&mut self, range: Range<usize>, with: &[T]) {
        let range = range.start.min(self.len)..range.end.min(self.len);
        if range.len() == with.len() {
            for (index, entry) in range.zip(with) {
                self.set(index, *entry);
            }
            return;
        }
        let (first, last) = (self.piece_of(range.start), self.piece_of(range.end));
        let pieces = Arc::make_mut(&mut self.pieces);
        // A column without entries has no piece.
        let known = if pieces.is_empty() { &[][..] } else { pieces.part(first..=last) };
        let before = known.first().map_or(0, |piece| piece.before);
        let end = known.last().map_or(0, ColumnChunk::end);
        let known = || known.iter().flat_map(ColumnChunk::iter);
        let (front, back) = (range.start - before, end - range.end);
        let mut entries: Vec<T> = known().take(front).collect();
        entries.extend_from_slice(with);
        entries.extend(known().skip(end - before - back));
        // A piece may grow to twice its size before it is divided: entries often come one by one at one place.
        let new: Vec<ColumnChunk<T>> = match entries.len() {
            0 => Vec::new(),
            len if len <= 2 * PIECE => vec![ColumnChunk { before, by: 0, entries: entries.into() }],
            _ => self::pieces(&entries, before).collect(),
        };
        let grown = with.len() as isize - range.len() as isize;
        let behind = first + new.len();
        pieces.splice(first..(last + 1).min(pieces.len()), new);
        for piece in pieces.iter_mut().skip(behind) {
            piece.before = piece.before.saturating_add_signed(grown);
        }
        self.len = self.len.saturating_add_signed(grown);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Step {
        Set(usize, u32),
        Shift(Range<usize>, i32),
        Splice(Range<usize>, Vec<u32>),
    }

    /// Places are taken modulo what there is.
    fn step() -> impl Strategy<Value = Step> {
        let range = || (0usize..4000, 0usize..1500).prop_map(|(from, len)| from..from + len);
        let few = proptest::collection::vec(0u32..1000, 0..4);
        let many = proptest::collection::vec(0u32..1000, 0..1600);
        prop_oneof![
            (0usize..4000, 0u32..1000).prop_map(|(at, entry)| Step::Set(at, entry)),
            (range(), -500i32..500).prop_map(|(range, by)| Step::Shift(range, by)),
            (0usize..4000, 0usize..4, few).prop_map(|(from, len, with)| Step::Splice(from..from + len, with)),
            (range(), many).prop_map(|(range, with)| Step::Splice(range, with)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn a_column_is_what_a_plain_list_is(
            start in proptest::collection::vec(0u32..1000, 0..3000),
            steps in proptest::collection::vec(step(), 0..12),
        ) {
            let (mut plain, mut column) = (start.clone(), Column::from(start));
            for step in steps {
                let (earlier, was) = (column.clone(), plain.clone());
                let fit = |range: Range<usize>| range.start.min(was.len())..range.end.min(was.len());
                match step {
                    Step::Set(at, entry) => {
                        if let Some(slot) = plain.get_mut(at) {
                            *slot = entry;
                        }
                        column.set(at, entry);
                    }
                    Step::Shift(range, by) => {
                        let range = fit(range);
                        plain[range.clone()].iter_mut().for_each(|entry| *entry = entry.moved(by));
                        column.shift(range, by);
                    }
                    Step::Splice(range, with) => {
                        let range = fit(range);
                        column.splice(range.clone(), &with);
                        plain.splice(range, with);
                    }
                }
                prop_assert_eq!(column.len(), plain.len());
                prop_assert!(column.iter().eq(plain.iter().copied()));
                prop_assert!((0..=plain.len()).all(|at| column.get(at) == plain.get(at).copied()));
                let part = plain.len() / 3..plain.len() * 2 / 3;
                prop_assert!(column.range(part.clone()).eq(plain[part].iter().copied()));
                for entry in plain.iter().take(3).chain([&7777]) {
                    prop_assert_eq!(column.position(*entry), plain.iter().position(|known| known == entry));
                }
                prop_assert!(earlier.iter().eq(was.iter().copied()), "an earlier revision changed");
                prop_assert!(column.pieces.iter().all(|piece| !piece.entries.is_empty()));
            }
            plain.sort_unstable();
            let sorted = Column::from(plain.clone());
            for limit in [0, 1, 250, 500, 999, 5000] {
                prop_assert_eq!(sorted.partition_point(|entry| entry < limit), plain.partition_point(|entry| *entry < limit));
            }
        }
    }

    #[test]
    fn an_edit_copies_the_piece_it_is_in_and_no_other() {
        let before = Column::from((0u32..10_000).collect::<Vec<_>>());
        let mut after = before.clone();
        after.set(5000, 7);
        after.shift(5001..10_000, 3);
        let pairs = before.pieces.iter().zip(after.pieces.iter());
        let copied = pairs.filter(|(before, after)| !Arc::ptr_eq(&before.entries, &after.entries)).count();
        assert_eq!((copied, after.get(9_999), before.get(9_999)), (1, Some(10_002), Some(9_999)));
    }
}
