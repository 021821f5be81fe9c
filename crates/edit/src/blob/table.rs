//! The pieces of a blob, in groups that blobs share.
//!
//! A session of thousands of edits has thousands of pieces, and each edit changes two or three of them. A group that
//! an edit leaves alone is taken over as it is: where it begins is noted beside it.

use crate::Cut;
use std::ops::Range;
use std::sync::Arc;

use super::Buffer;

/// Pieces that are kept together. Few, so that the tests have many groups.
const GROUP: usize = if cfg!(test) { 3 } else { 64 };

/// Adjacent pieces, none empty.
#[derive(Clone, Default)]
pub(super) struct Table {
    groups: Arc<[Group]>,
}

/// Never empty.
#[derive(Clone)]
struct Group {
    at: usize,
    /// Each with its place in the group.
    pieces: Arc<[Piece]>,
}

#[derive(Clone)]
struct Piece {
    at: usize,
    buffer: Buffer,
    range: Range<usize>,
}

impl Piece {
    fn end(&self) -> usize {
        self.at + self.range.len()
    }
}

impl Group {
    fn end(&self) -> usize {
        self.at + self.pieces.last().map_or(0, Piece::end)
    }

    fn placed<'a>(&self, piece: &'a Piece) -> Placed<'a> {
        Placed { at: self.at + piece.at, buffer: &piece.buffer, range: piece.range.clone() }
    }
}

/// A piece where it is in the blob.
#[derive(Clone)]
pub(super) struct Placed<'a> {
    pub(super) at: usize,
    pub(super) buffer: &'a Buffer,
    /// Of the buffer.
    pub(super) range: Range<usize>,
}

impl Placed<'_> {
    pub(super) fn end(&self) -> usize {
        self.at + self.range.len()
    }

    /// A range of the blob as one of the buffer.
    pub(super) fn inside(&self, range: Range<usize>) -> Range<usize> {
        self.range.start + (range.start - self.at)..self.range.start + (range.end - self.at)
    }

    pub(super) fn is(&self, other: &Placed<'_>) -> bool {
        self.buffer.is(other.buffer) && self.range == other.range
    }
}

impl Table {
    pub(super) fn one(buffer: Buffer) -> Self {
        let range = 0..buffer.length();
        let mut builder = Builder::default();
        builder.push(&buffer, range);
        builder.finish()
    }

    pub(super) fn length(&self) -> usize {
        self.groups.last().map_or(0, Group::end)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    pub(super) fn count(&self) -> usize {
        self.groups.iter().map(|group| group.pieces.len()).sum()
    }

    pub(super) fn shares(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.groups, &other.groups)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Placed<'_>> {
        self.groups.iter().flat_map(|group| group.pieces.iter().map(|piece| group.placed(piece)))
    }

    /// The pieces from the one that holds `offset` on.
    pub(super) fn starting_at(&self, offset: usize) -> impl Iterator<Item = Placed<'_>> {
        let first = self.groups.partition_point(|group| group.end() <= offset);
        let groups = self.groups.part(first..);
        let (holding, behind) = groups.split_at(groups.len().min(1));
        let holding = holding.iter().flat_map(move |group| {
            let first = group.pieces.partition_point(|piece| group.at + piece.end() <= offset);
            group.pieces.part(first..).iter().map(|piece| group.placed(piece))
        });
        let behind = behind.iter();
        holding.chain(behind.flat_map(|group| group.pieces.iter().map(|piece| group.placed(piece))))
    }

    /// The piece that is all there is, if it is all of its buffer.
    pub(super) fn only(&self) -> Option<&Buffer> {
        match &*self.groups {
            [Group { pieces, .. }] => match &**pieces {
                [only] if only.range == (0..only.buffer.length()) => Some(&only.buffer),
                _ => None,
            },
            _ => None,
        }
    }
}

#[derive(Default)]
pub(super) struct Builder {
    groups: Vec<Group>,
    /// The group that is being filled; it begins at `at`.
    open: Vec<Piece>,
    at: usize,
}

impl Builder {
    /// Adds what `table` has in `range`, which lies inside.
    pub(super) fn copy(&mut self, table: &Table, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let first = table.groups.partition_point(|group| group.end() <= range.start);
        for group in table.groups.part(first..) {
            if group.at >= range.end {
                break;
            }
            if range.start <= group.at && group.end() <= range.end && !self.reaches_into(group) {
                self.take(group);
                continue;
            }
            let from = group.pieces.partition_point(|piece| group.at + piece.end() <= range.start);
            for piece in group.pieces.part(from..) {
                let placed = group.placed(piece);
                if placed.at >= range.end {
                    break;
                }
                let part = range.start.max(placed.at)..range.end.min(placed.end());
                self.push(placed.buffer, placed.inside(part));
            }
        }
    }

    /// Whether a group must be taken piece by piece: its first one goes on where the last one ended, or there are so
    /// few pieces before it that they would make a group of their own again and again.
    fn reaches_into(&self, group: &Group) -> bool {
        let few = !self.open.is_empty() && self.open.len() + group.pieces.len() <= GROUP;
        few || group.pieces.first().is_some_and(|first| self.goes_on(&first.buffer, &first.range))
    }

    /// Whether these are the bytes behind those that were added last.
    fn goes_on(&self, buffer: &Buffer, range: &Range<usize>) -> bool {
        let last = self.open.last().or_else(|| self.groups.last()?.pieces.last());
        last.is_some_and(|last| last.range.end == range.start && last.buffer.is(buffer))
    }

    fn take(&mut self, group: &Group) {
        self.close();
        let group = Group { at: self.at, pieces: Arc::clone(&group.pieces) };
        self.at = group.end();
        self.groups.push(group);
    }

    fn push(&mut self, buffer: &Buffer, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        if self.goes_on(buffer, &range) {
            self.reopen();
            // An edit that is undone leaves two halves of one piece side by side: join them again.
            if let Some(last) = self.open.last_mut() {
                last.range.end = range.end;
            }
            return;
        }
        if self.open.len() >= 2 * GROUP {
            self.close();
        }
        let at = self.open.last().map_or(0, Piece::end);
        self.open.push(Piece { at, buffer: buffer.clone(), range });
    }

    /// Goes on with the last group if none is open.
    fn reopen(&mut self) {
        if self.open.is_empty()
            && let Some(group) = self.groups.pop()
        {
            self.at = group.at;
            self.open.extend(group.pieces.iter().cloned());
        }
    }

    fn close(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let group = Group { at: self.at, pieces: self.open.drain(..).collect() };
        self.at = group.end();
        self.groups.push(group);
    }

    pub(super) fn finish(mut self) -> Table {
        self.close();
        Table { groups: self.groups.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spliced(table: &Table, at: usize, with: &Buffer) -> Table {
        let mut builder = Builder::default();
        builder.copy(table, 0..at);
        builder.push(with, 0..with.length());
        builder.copy(table, at + with.length()..table.length());
        builder.finish()
    }

    #[test]
    fn an_edit_takes_over_the_groups_that_it_leaves_alone() {
        let mut table = Table::one(Buffer::new(vec![0; 1000]));
        for at in (5..1000).step_by(10) {
            table = spliced(&table, at, &Buffer::new(vec![1]));
        }
        assert_eq!(table.count(), 201);
        let most = table.groups.len();
        assert!((201 / (2 * GROUP) + 1..=201 / GROUP + 1).contains(&most), "{most} groups");
        let edited = spliced(&table, 500, &Buffer::new(vec![2]));
        let known =
            |group: &Group| table.groups.iter().any(|known| Arc::ptr_eq(&known.pieces, &group.pieces));
        // The one it is in, which may have become too large and be two now.
        assert!((1..=2).contains(&edited.groups.iter().filter(|group| !known(group)).count()));
        assert_eq!(edited.count(), 203);
    }
}
