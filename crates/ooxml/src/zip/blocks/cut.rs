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

/// The last place before which the block at `block` has no more than `unpacked` bytes of the part. `None` if the
/// block has no codes or is not understood.
pub(in crate::zip) fn last_before(stream: &[u8], block: Boundary, unpacked: usize) -> Option<Cut> {
    let walked = walk(stream, block, None, unpacked)?;
    Some(Cut { at: walked.last, header: walked.header, end: walked.end })
}

/// The first place in the block at `block` that has at least `unpacked` bytes of the part before it. `None` also
/// if the block ends earlier. If an earlier place in the block is known, that is where to begin.
pub(in crate::zip) fn first_behind(
    stream: &[u8],
    block: Boundary,
    known: Option<&Cut>,
    unpacked: usize,
) -> Option<Cut> {
    let known = known.filter(|cut| cut.header.start == block.bit && cut.at.unpacked <= unpacked);
    let walked = walk(stream, block, known.map(|cut| cut.at), unpacked)?;
    let at = if walked.last.unpacked == unpacked { walked.last } else { walked.next? };
    Some(Cut { at, header: walked.header, end: walked.end })
}

struct Walked {
    last: Boundary,
    /// Behind the symbol that passes the place; none if the block ends before it.
    next: Option<Boundary>,
    header: Range<usize>,
    end: bits::Code,
}

fn walk(stream: &[u8], block: Boundary, from: Option<Boundary>, until: usize) -> Option<Walked> {
    let mut bits = Bits::at(stream, block.bit)?;
    let mut tables = Tables::new();
    bits.take(1)?;
    coded_tables(&mut bits, &mut tables)?;
    let header = block.bit..bits.position();
    let end = end_code(&tables)?;
    let mut last = from.unwrap_or(Boundary { bit: header.end, unpacked: block.unpacked });
    bits = Bits::at(stream, last.bit)?;
    while last.unpacked <= until {
        let unpacked = match symbol(&mut bits, &tables)? {
            Symbol::Literal(_) => 1,
            Symbol::Match { length, .. } => length,
            Symbol::End => return Some(Walked { last, next: None, header, end }),
        };
        let next = Boundary { bit: bits.position(), unpacked: last.unpacked + unpacked };
        if next.unpacked > until {
            return Some(Walked { last, next: Some(next), header, end });
        }
        last = next;
    }
    // The block begins behind the place.
    None
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
