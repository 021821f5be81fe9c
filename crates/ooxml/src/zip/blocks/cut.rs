//! Places between two symbols of a block.
//!
//! Packers make blocks of a megabyte of XML. To pack less than that after an edit, a block is ended early, with
//! its own code for it, and what lies far enough behind the edit is begun again as a block of its own, by
//! writing the codes of the old block once more.

use std::ops::Range;

use super::super::bits;
use super::{
    Bits, Boundary, END_OF_BLOCK, FIRST_BITS, KIND, LONGEST, SECOND, Symbol, Tables, coded_tables, symbol,
};

/// A place between two symbols of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::zip) struct Cut {
    pub(in crate::zip) at: Boundary,
    /// The bits of the block before its first symbol.
    pub(in crate::zip) header: Range<usize>,
    /// Its code for the end of the block.
    pub(in crate::zip) end: bits::Code,
}

/// Finds such places in a stream. Blocks are long and edits many, so it goes on from the last place it found instead
/// of from the beginning of the block.
pub(in crate::zip) struct Cuts<'a> {
    stream: &'a [u8],
    /// Of the block that was looked at last.
    tables: Tables,
    block: Option<Block>,
}

struct Block {
    header: Range<usize>,
    end: bits::Code,
    /// A place between two symbols of it.
    reached: Boundary,
}

impl<'a> Cuts<'a> {
    pub(in crate::zip) fn of(stream: &'a [u8]) -> Self {
        Self { stream, tables: Tables::new(), block: None }
    }

    /// The last place before which the block at `block` has no more than `unpacked` bytes of the part. `None` if the
    /// block has no codes or is not understood.
    pub(in crate::zip) fn last_before(&mut self, block: Boundary, unpacked: usize) -> Option<Cut> {
        let (block, _) = self.walk(block, unpacked)?;
        Some(block.cut_at(block.reached))
    }

    /// The first place in the block at `block` that has at least `unpacked` bytes of the part before it. `None` also
    /// if the block ends earlier.
    pub(in crate::zip) fn first_behind(&mut self, block: Boundary, unpacked: usize) -> Option<Cut> {
        let (block, next) = self.walk(block, unpacked)?;
        let at = if block.reached.unpacked == unpacked { block.reached } else { next? };
        Some(block.cut_at(at))
    }

    /// Goes to the last place that has no more than `until` bytes before it. With that comes the place behind the
    /// symbol that passes it; none if the block ends before.
    fn walk(&mut self, start: Boundary, until: usize) -> Option<(&Block, Option<Boundary>)> {
        let known = self.block.take().filter(|block| block.header.start == start.bit);
        let mut block = match known {
            Some(block) => block,
            None => self.enter(start)?,
        };
        if block.reached.unpacked > until {
            block.reached = Boundary { bit: block.header.end, unpacked: start.unpacked };
        }
        if block.reached.unpacked > until {
            // The block begins behind the place.
            return None;
        }
        let mut bits = Bits::at(self.stream, block.reached.bit)?;
        let next = loop {
            let unpacked = match symbol(&mut bits, &self.tables)? {
                Symbol::Literal(_) => 1,
                Symbol::Match { length, .. } => length,
                Symbol::End => break None,
            };
            let next = Boundary { bit: bits.position(), unpacked: block.reached.unpacked + unpacked };
            if next.unpacked > until {
                break Some(next);
            }
            block.reached = next;
        };
        Some((self.block.insert(block), next))
    }

    fn enter(&mut self, start: Boundary) -> Option<Block> {
        let mut bits = Bits::at(self.stream, start.bit)?;
        bits.take(1)?;
        coded_tables(&mut bits, &mut self.tables)?;
        let header = start.bit..bits.position();
        let reached = Boundary { bit: header.end, unpacked: start.unpacked };
        Some(Block { header, end: end_code(&self.tables)?, reached })
    }
}

impl Block {
    fn cut_at(&self, at: Boundary) -> Cut {
        Cut { at, header: self.header.clone(), end: self.end }
    }
}

/// The code for the end of a block. Of the slots that it fills, the lowest has nothing else in it.
pub(super) fn end_code(tables: &Tables) -> Option<bits::Code> {
    let (first, _) = tables.literal.split_at_checked(1 << FIRST_BITS)?;
    for (index, code) in first.iter().enumerate() {
        if code & KIND == END_OF_BLOCK {
            return Some((index as u128, (code >> 8 & 0x1F) as usize));
        }
        if code & KIND != SECOND {
            continue;
        }
        let second = (code >> 16) as usize;
        let slots = tables.literal.get(second..second + (1 << (LONGEST - FIRST_BITS)))?;
        if let Some(rest) = slots.iter().position(|code| code & KIND == END_OF_BLOCK) {
            let length = slots.get(rest)? >> 8 & 0x1F;
            return Some(((rest << FIRST_BITS | index) as u128, length as usize));
        }
    }
    None
}
