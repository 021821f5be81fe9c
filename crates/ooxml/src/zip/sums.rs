//! The checksum of a part in pieces.
//!
//! Zip wants one checksum for a whole part, and an edit changes a few bytes of it. Checksums of neighbours can
//! be joined without their bytes, so a part keeps one for each piece, and after an edit only the pieces around
//! it are read again.

use std::ops::Range;

use edit::{Blob, Shared};

/// Bytes of a piece, before edits: a power of two.
pub(super) const PIECE: usize = 128 << 10;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pieces: Vec<ChunkSum>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChunkSum {
    length: usize,
    crc: u32,
}

impl ChunkSum {
    fn of(bytes: &[u8]) -> Self {
        Self { length: bytes.len(), crc: crc32fast::hash(bytes) }
    }
}

impl Sums {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { pieces: bytes.chunks(PIECE).map(ChunkSum::of).collect() }
    }

    /// Adds one piece.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.pieces.push(ChunkSum::of(bytes));
        }
    }

    /// Those of neighbours, one behind the other.
    pub(super) fn joined<'a>(all: impl Iterator<Item = &'a Sums>) -> Self {
        Self { pieces: all.flat_map(|sums| &sums.pieces).copied().collect() }
    }

    pub(super) fn of_blob(blob: &Blob) -> Self {
        let mut pieces = Vec::with_capacity(blob.len() / PIECE + 1);
        add(&mut pieces, blob, 0..blob.len());
        Self { pieces }
    }

    /// Those of `blob`, which has `shared` in common with the bytes that these are of.
    pub(super) fn after(&self, blob: &Blob, shared: &[Shared]) -> Self {
        let mut pieces = Vec::with_capacity(self.pieces.len() + shared.len());
        let mut old = self.pieces.iter().peekable();
        let (mut start, mut done) = (0, 0);
        for run in shared {
            while let Some(piece) = old.peek().filter(|piece| start + piece.length <= run.there.end) {
                if start >= run.there.start {
                    let here = run.here.start + (start - run.there.start);
                    add(&mut pieces, blob, done..here);
                    pieces.push(**piece);
                    done = here + piece.length;
                }
                start += piece.length;
                old.next();
            }
        }
        add(&mut pieces, blob, done..blob.len());
        Self { pieces }
    }

    /// The checksum of all.
    pub(super) fn total(&self) -> u32 {
        self.pieces.iter().fold(0, |crc, piece| {
            let moved = if piece.length == PIECE { past_piece(crc) } else { past(crc, piece.length) };
            moved ^ piece.crc
        })
    }
}

fn add(pieces: &mut Vec<ChunkSum>, blob: &Blob, range: Range<usize>) {
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start + PIECE);
        pieces.push(ChunkSum { length: end - start, crc: crc32fast::hash(&blob.slice(start..end)) });
        start = end;
    }
}

// Polynomials over two elements, modulo that of the checksum; the highest bit is the coefficient of 1.

const X8: u32 = 1 << 23;
const MODULUS: u32 = 0xEDB8_8320;

const fn multiply(a: u32, mut b: u32) -> u32 {
    let mut product = 0;
    let mut bit = 32;
    while bit > 0 {
        bit -= 1;
        // Half of the bits are ones, in no order that a processor could guess.
        product ^= b & ((a >> bit) & 1).wrapping_neg();
        b = (b >> 1) ^ (MODULUS & (b & 1).wrapping_neg());
    }
    product
}

/// What `1 << n` more bytes do to a checksum: x to the power of eight times as many.
const POWERS: [u32; usize::BITS as usize] = {
    let mut powers = [X8; usize::BITS as usize];
    let mut n = 1;
    while n < powers.len() {
        powers[n] = multiply(powers[n - 1], powers[n - 1]);
        n += 1;
    }
    powers
};

/// What a checksum becomes by `bytes` more bytes, before those themselves.
fn past(crc: u32, bytes: usize) -> u32 {
    let powers = POWERS.iter().enumerate().filter(|(n, _)| bytes >> n & 1 == 1);
    powers.fold(crc, |crc, (_, power)| multiply(*power, crc))
}

/// [`past`] a whole piece, which most are: for each byte of a checksum what becomes of it.
static PAST_PIECE: [[u32; 256]; 4] = {
    let shift = POWERS[PIECE.trailing_zeros() as usize];
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 4 {
        let mut value = 0;
        while value < 256 {
            tables[byte][value] = multiply(shift, (value as u32) << (8 * byte));
            value += 1;
        }
        byte += 1;
    }
    tables
};

fn past_piece(crc: u32) -> u32 {
    let bytes = PAST_PIECE.iter().zip(crc.to_le_bytes());
    bytes.fold(0, |sum, (table, byte)| sum ^ table[usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use edit::{Content, PartName, Patch};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn pieces_give_the_checksum_of_the_whole_after_any_edits(
            seed in any::<u8>(),
            size in 0usize..700_000,
            edits in proptest::collection::vec((any::<usize>(), 0usize..300_000, 0usize..300_000), 0..6),
        ) {
            let bytes: Vec<u8> = (0..size).map(|at| (at * 31 + usize::from(seed)) as u8 ^ (at >> 9) as u8).collect();
            let sums = Sums::of(&bytes);
            prop_assert_eq!(sums.total(), crc32fast::hash(&bytes));
            let name = PartName::new("p");
            let before = Blob::from(bytes);
            prop_assert_eq!(Sums::of_blob(&before), sums.clone());
            let mut content = Content::single(name.clone(), before.clone());
            for (at, removed, added) in edits {
                let length = content.read("p").unwrap().unwrap().len();
                let start = at % (length + 1);
                let mut patch = Patch::new();
                patch.splice(&name, start..length.min(start + removed), vec![7; added]).unwrap();
                content = patch.apply(&content).unwrap();
            }
            let after = content.read("p").unwrap().unwrap();
            let now = sums.after(&after, &after.shared_with(&before));
            prop_assert_eq!(now.total(), crc32fast::hash(&after.bytes()));
            let length: usize = now.pieces.iter().map(|piece| piece.length).sum();
            prop_assert_eq!(length, after.len());
        }
    }
}
