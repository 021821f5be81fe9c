//! Ids and positions for whoever goes through a document from its start to its end.
//!
//! Asked one by one, each id counts the blocks before it and each position the characters before it, which for a table
//! of forty thousand cells is ten seconds. Walked along, both cost what lies between one question and the next.

use crate::block::{NodeId, Prefix};
use crate::view::{Node, View};

/// The ids of blocks that are asked for in document order.
#[derive(Debug)]
pub struct Ids<'a> {
    view: &'a View,
    counts: [usize; Prefix::COUNT],
    /// The first block that is not counted yet: its chunk, and its place there.
    next: (usize, usize),
}

impl<'a> Ids<'a> {
    pub fn new(view: &'a View) -> Self {
        Self { view, counts: [0; Prefix::COUNT], next: (0, 0) }
    }

    /// A block before the last one that was asked for is counted from the start.
    pub fn of(&mut self, node: &Node<'_>) -> Option<NodeId> {
        let prefix = node.kind().prefix()?;
        let place = node.place();
        if place < self.next {
            *self = Self::new(self.view);
        }
        self.view.count_between(&mut self.next, place, &mut self.counts);
        Some(NodeId { prefix, ordinal: self.counts[prefix.index()] })
    }
}

/// Positions in characters, of bytes that are asked for in about their order.
#[derive(Debug)]
pub struct Places<'a> {
    view: &'a View,
    last: (usize, usize),
}

impl<'a> Places<'a> {
    pub fn new(view: &'a View) -> Self {
        Self { view, last: (0, 0) }
    }

    pub fn chars(&mut self, byte: usize) -> usize {
        let byte = byte.min(self.view.len());
        let (at, chars) = self.last;
        let chars = if at <= byte {
            chars + self.view.slice(at..byte).chars().count()
        } else {
            chars - self.view.slice(byte..at).chars().count()
        };
        self.last = (byte, chars);
        chars
    }
}
