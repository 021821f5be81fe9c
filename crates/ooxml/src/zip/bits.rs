//! Writing bits, as deflate wants them: the lowest of a byte first.

use edit::Cut;
use std::ops::Range;

/// Appends bits to bytes. What was there before counts for nothing: positions are from where it began.
#[derive(Debug)]
pub(super) struct BitWriter<'a> {
    pub(super) bytes: &'a mut Vec<u8>,
    base: usize,
    /// Bits used in the last byte; 0 when it is full.
    phase: usize,
}

/// Some bits, the first lowest, and how many.
pub(super) type Code = (u128, usize);

/// An empty block with fixed codes: not the last, type 1, end of block.
const EMPTY: Code = (0b010, 10);

/// An empty block of an odd number of bits, which only one that brings its own codes can have: two codes of
/// one bit each for lengths 18 and 1, with them 255 absent literals, two literals and two distances of one
/// bit, and the end of the block.
const EMPTY_ODD: Code = empty_odd();

const fn empty_odd() -> Code {
    const FIELDS: [(u128, usize); 13] = [
        (0, 1),       // not the last block
        (2, 2),       // its own codes
        (0, 5),       // 257 literal lengths
        (1, 5),       // 2 distance lengths
        (15, 4),      // 19 lengths of lengths, in their odd order:
        (1 << 6, 51), // of which the third is for 18
        (1, 3),       // and the eighteenth for 1
        (0, 3),
        (127 << 1 | 1, 8), // 18: 138 zeros
        (106 << 1 | 1, 8), // 18: 117 zeros
        (0, 2),            // 1, 1: the literals 255 and 256
        (0, 2),            // 1, 1: two distances
        (1, 1),            // 256, the second of its two codes
    ];
    let (mut value, mut length, mut index) = (0, 0, 0);
    while index < FIELDS.len() {
        value |= FIELDS[index].0 << length;
        length += FIELDS[index].1;
        index += 1;
    }
    (value, length)
}

impl<'a> BitWriter<'a> {
    pub(super) fn behind(bytes: &'a mut Vec<u8>) -> Self {
        let base = bytes.len();
        Self { bytes, base, phase: 0 }
    }

    pub(super) fn position(&self) -> usize {
        (self.bytes.len() - self.base) * 8 - (8 - self.phase) % 8
    }

    /// Writes empty blocks until the next bit is bit `phase` of its byte.
    pub(super) fn fill_to(&mut self, phase: usize) {
        if (self.phase + phase) % 2 == 1 {
            self.push(EMPTY_ODD);
        }
        while self.phase != phase {
            self.push(EMPTY);
        }
    }

    /// Appends a code of at most 120 bits, with nothing above them.
    pub(super) fn push(&mut self, (value, length): Code) {
        let (mut value, mut left) = (value << self.phase, self.phase + length);
        if self.phase != 0
            && let Some(last) = self.bytes.last_mut()
        {
            *last |= value as u8;
            (value, left) = (value >> 8, left.saturating_sub(8));
        }
        while left > 0 {
            self.bytes.push(value as u8);
            (value, left) = (value >> 8, left.saturating_sub(8));
        }
        self.phase = (self.phase + length) % 8;
    }

    /// Appends `bits` of `source`, which start at the same bit of a byte as the next one here.
    pub(super) fn copy(&mut self, source: &[u8], bits: Range<usize>) {
        let mut from = bits.start / 8;
        if self.phase != 0
            && let (Some(last), Some(first)) = (self.bytes.last_mut(), source.get(from))
        {
            *last |= first & (0xFF << self.phase);
            from += 1;
        }
        self.bytes.extend_from_slice(source.part(from..bits.end.div_ceil(8)));
        self.phase = bits.end % 8;
        self.clear_behind();
    }

    /// Appends `bits` of `source`, wherever in a byte they start.
    pub(super) fn copy_shifted(&mut self, source: &[u8], bits: Range<usize>) {
        const MOST: usize = 56;
        let mut at = bits.start;
        while at < bits.end {
            let rest = source.part(at / 8..);
            let word = rest.first_chunk().map_or_else(
                || rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
                |word| u64::from_le_bytes(*word),
            );
            let length = MOST.min(bits.end - at);
            self.push((u128::from(word >> (at % 8) & ((1 << length) - 1)), length));
            at += length;
        }
    }

    /// Takes back what was written from a bit on.
    pub(super) fn truncate(&mut self, bit: usize) {
        self.bytes.truncate(self.base + bit.div_ceil(8));
        self.phase = bit % 8;
        self.clear_behind();
    }

    /// What is not used of the last byte is zero.
    fn clear_behind(&mut self) {
        if self.phase != 0
            && let Some(last) = self.bytes.last_mut()
        {
            *last &= !(0xFF << self.phase);
        }
    }

    /// Makes a bit that was written 0.
    pub(super) fn clear(&mut self, bit: usize) {
        if let Some(byte) = self.bytes.get_mut(self.base + bit / 8) {
            *byte &= !(1 << (bit % 8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zlib_rs::{Inflate, InflateFlush, Status};

    #[test]
    fn empty_blocks_lead_from_every_bit_to_every_bit() {
        assert_eq!(EMPTY_ODD.1 % 2, 1);
        for from in 0..8 {
            for to in 0..8 {
                let mut bytes = vec![0xA5];
                let mut out = BitWriter::behind(&mut bytes);
                out.fill_to(from);
                out.fill_to(to);
                assert_eq!(out.position() % 8, to);
                out.push((0b011, 10));
                let written = bytes.strip_prefix(&[0xA5]).expect("what was there stays");
                let mut stream = Inflate::new(false, 15);
                let status = stream.decompress(written, &mut [0; 8], InflateFlush::Finish);
                assert_eq!(status, Ok(Status::StreamEnd));
                assert_eq!((stream.total_in() as usize, stream.total_out()), (written.len(), 0));
            }
        }
    }

    #[test]
    fn bits_are_copied_to_any_place_in_a_byte() {
        let source: Vec<u8> = (0..40u8).map(|byte| byte.wrapping_mul(73) ^ 0x5A).collect();
        let bit = |bytes: &[u8], at: usize| (bytes[at / 8] >> (at % 8)) & 1;
        for (from, lead) in (0..20).flat_map(|from| (0..9).map(move |lead| (from, lead))) {
            let mut bytes = vec![0xA5];
            let mut out = BitWriter::behind(&mut bytes);
            out.push((0, lead));
            out.copy_shifted(&source, from..from + 200);
            assert_eq!(out.position(), lead + 200);
            out.clear(lead + 7);
            let written = bytes.strip_prefix(&[0xA5]).expect("what was there stays");
            assert!((0..200).all(|at| at == 7 || bit(written, lead + at) == bit(&source, from + at)));
            assert_eq!(bit(written, lead + 7), 0);
            let mut out = BitWriter { bytes: &mut bytes, base: 1, phase: (lead + 200) % 8 };
            out.truncate(lead + 99);
            assert_eq!(out.position(), lead + 99);
            out.push((0b1_0110, 5));
            assert_eq!(bytes.len(), 1 + (lead + 104).div_ceil(8));
            let kept =
                (0..99).filter(|at| *at != 7).all(|at| bit(&bytes, 8 + lead + at) == bit(&source, from + at));
            assert!(
                kept && [0, 1, 1, 0, 1].iter().zip(8 + lead + 99..).all(|(one, at)| bit(&bytes, at) == *one)
            );
        }
    }
}
