//! Where blocks begin, from where unpacking stopped.
//!
//! Unpacking can stop at the end of each block for next to nothing, so all blocks could be known when a part was
//! read. But it tells which bytes it has taken, and not how many bits of the last one belong to what follows. Of
//! the eight places that leaves, one is right; the others are found out by what they would have to mean.

use super::cut::end_code;
use super::{Bits, Boundary, Symbol, Tables, dynamic_tables, fixed_tables, symbol};

/// Where unpacking was between two blocks.
#[derive(Clone, Copy, Debug)]
pub(in crate::zip) struct Stop {
    /// Packed bytes that were taken. Up to seven bits of the last may be left.
    pub(in crate::zip) taken: usize,
    /// Bytes that were unpacked.
    pub(in crate::zip) unpacked: usize,
}

/// So many symbols are read where more than one place seems possible.
const SYMBOLS: usize = 64;

/// The blocks of a stream that unpacks to `plain`, from its beginning on, as far as there is no doubt.
pub(in crate::zip) fn settle(stream: &[u8], plain: &[u8], stops: &[Stop]) -> Vec<Boundary> {
    let mut known = Vec::with_capacity(stops.len() + 2);
    known.push(Boundary { bit: 0, unpacked: 0 });
    let mut fixed = Tables::new();
    let mut places = Vec::with_capacity(8);
    for stop in stops {
        let (before, last) = (known.last().map_or(0, |block: &Boundary| block.bit), stop.taken * 8);
        places.clear();
        places.extend((last.saturating_sub(7)..=last).filter(|bit| *bit > before && may_begin(stream, *bit)));
        if places.len() > 1 {
            places.retain(|bit| begins(stream, *bit, plain, stop.unpacked, &mut fixed));
        }
        if places.len() > 1 {
            places.retain(|bit| may_end(stream, before, *bit));
        }
        let [bit] = *places else { break };
        known.push(Boundary { bit, unpacked: stop.unpacked });
    }
    known
}

/// Whether a block could begin at a bit, by what costs little to look at.
fn may_begin(stream: &[u8], bit: usize) -> bool {
    const MOST: usize = 7;
    let kind = || {
        let mut bits = Bits::at(stream, bit)?;
        bits.take(1)?;
        match bits.take(2)? {
            0 => Some(stored(&bits).is_some()),
            1 => Some(true),
            2 => {
                bits.take(10)?;
                let given = bits.take(4)? + 4;
                // A code for lengths is complete: it has something to say about all sequences of bits.
                let mut used = 0;
                for _ in 0..given {
                    bits.refill();
                    let length = bits.take(3)?;
                    used += if length > 0 { 1 << (MOST - length) } else { 0 };
                }
                Some(used == 1 << MOST)
            }
            _ => None,
        }
    };
    kind().unwrap_or(false)
}

/// What is in a stored block that has been read as far as its kind.
fn stored<'a>(bits: &Bits<'a>) -> Option<&'a [u8]> {
    let start = bits.position().div_ceil(8);
    let header = bits.stream.get(start..)?.first_chunk::<4>()?;
    let length = u16::from_le_bytes([header[0], header[1]]);
    let bytes = bits.stream.get(start + 4..start + 4 + usize::from(length))?;
    (length == !u16::from_le_bytes([header[2], header[3]])).then_some(bytes)
}

/// Whether a block that begins at a bit would unpack to the bytes at `at`, as far as it is read.
fn begins(stream: &[u8], bit: usize, plain: &[u8], mut at: usize, fixed: &mut Tables) -> bool {
    let mut own = Tables::new();
    let mut read = || {
        let mut bits = Bits::at(stream, bit)?;
        bits.take(1)?;
        let tables = match bits.take(2)? {
            0 => return plain.get(at..)?.starts_with(stored(&bits)?).then_some(()),
            1 => {
                if fixed.literal.is_empty() {
                    fixed_tables(fixed)?;
                }
                &*fixed
            }
            2 => {
                dynamic_tables(&mut bits, &mut own)?;
                &own
            }
            _ => return None,
        };
        for _ in 0..SYMBOLS {
            match symbol(&mut bits, tables)? {
                Symbol::Literal(byte) => {
                    (*plain.get(at)? == byte).then_some(())?;
                    at += 1;
                }
                Symbol::Match { length, distance } => {
                    let from = at.checked_sub(distance)?;
                    (plain.get(at..at + length)? == plain.get(from..from + length)?).then_some(())?;
                    at += length;
                }
                Symbol::End => return Some(()),
            }
        }
        Some(())
    };
    read().is_some()
}

/// Whether the block at a bit could end with what stands before another. Stored blocks begin with zeros, of which some
/// may also belong to the end of the block before.
fn may_end(stream: &[u8], block: usize, end: usize) -> bool {
    let mut tables = Tables::new();
    let mut read = || {
        let mut bits = Bits::at(stream, block)?;
        bits.take(1)?;
        match bits.take(2)? {
            0 => return end.is_multiple_of(8).then_some(()),
            1 => fixed_tables(&mut tables)?,
            2 => dynamic_tables(&mut bits, &mut tables)?,
            _ => return None,
        }
        let (code, length) = end_code(&tables)?;
        let mut bits = Bits::at(stream, end.checked_sub(length)?)?;
        (bits.take(length as u32)? as u128 == code).then_some(())
    };
    read().is_some()
}
