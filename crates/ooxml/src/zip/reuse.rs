//! Packing a changed part out of pieces of its old packing.
//!
//! A deflate block can be copied as it stands when everything its back references can reach, 32 KiB before it
//! and itself, is still the same at the same distance. So after an edit, the blocks before it are copied, the
//! edited bytes and what follows them up to the first block that lies 32 KiB behind the edit are packed anew,
//! and the rest is copied again. Blocks start at any bit, and stored blocks depend on where in the byte they
//! do; empty blocks are put between so that each copied block keeps its place in the byte.

use std::ops::Range;

use edit::{Blob, Refusal, Shared};
use zlib_rs::{Deflate, DeflateFlush};

use super::blocks::{Boundary, explore};
use super::deflate::{LEVEL, compress};
use super::inflate::unpacks_as;

/// How far back a reference can reach.
const WINDOW: usize = 32 << 10;
/// Copying less than this is not worth its seams.
const LEAST_BITS: usize = 4096;
/// Packed bytes behind a seam that are read back with it. They unpack to more than a reference can reach.
const BEHIND: usize = 64 << 10;

/// What a part was: its bytes, how it was packed, and the blocks of that as far as they are known.
pub(super) struct Before<'a> {
    pub(super) plain: &'a Blob,
    pub(super) packed: &'a [u8],
    pub(super) blocks: Vec<Boundary>,
}

/// A raw deflate stream put together from pieces.
#[derive(Debug)]
pub(super) struct Repacked {
    pub(super) stream: Vec<u8>,
    /// Its boundaries, from the start as far as they are known.
    pub(super) blocks: Vec<Boundary>,
    seams: Vec<Seam>,
}

/// Where new blocks stand between copied ones.
#[derive(Debug)]
struct Seam {
    /// One block before the new ones.
    from: Boundary,
    /// Behind the new ones.
    to: Boundary,
}

/// `blob` as a raw deflate stream, reusing blocks of what it was. `None` when there is nothing to reuse.
pub(super) fn repack(
    blob: &Blob,
    shared: &[Shared],
    before: Before<'_>,
) -> Result<Option<Repacked>, Refusal> {
    let Before { plain, packed, mut blocks } = before;
    let Some(copies) = copies(shared, blob.len(), plain.len(), packed, &mut blocks) else { return Ok(None) };
    let mut out = BitWriter { bytes: Vec::with_capacity(packed.len() + 4096), phase: 0 };
    let mut stream = Deflate::new(LEVEL, false, 15);
    let mut known = vec![Boundary { bit: 0, unpacked: 0 }];
    let mut seams = Vec::new();
    let mut old = blocks.iter().peekable();
    let mut done = 0;
    let mut ended = false;
    for copy in &copies {
        let from = one_before(&known);
        encode(&mut stream, blob, done..copy.here.start, DeflateFlush::SyncFlush, &mut out)?;
        out.fill_to(copy.bits.start % 8);
        let start = Boundary { bit: out.position(), unpacked: copy.here.start };
        if known.last() != Some(&start) {
            known.push(start);
        }
        if start.bit > 0 {
            seams.push(Seam { from, to: start });
        }
        out.copy(packed, copy.bits.clone());
        while old.next_if(|block| block.bit <= copy.bits.start).is_some() {}
        while let Some(block) = old.next_if(|block| block.bit <= copy.bits.end) {
            known.push(Boundary {
                bit: start.bit + (block.bit - copy.bits.start),
                unpacked: start.unpacked + (block.unpacked - copy.there),
            });
        }
        done = copy.here.end;
        ended = copy.bits.end == packed.len() * 8;
    }
    if !ended {
        let from = one_before(&known);
        encode(&mut stream, blob, done..blob.len(), DeflateFlush::Finish, &mut out)?;
        let end = Boundary { bit: out.bytes.len() * 8, unpacked: blob.len() };
        known.push(end);
        seams.push(Seam { from, to: end });
    }
    Ok(Some(Repacked { stream: out.bytes, blocks: known, seams }))
}

fn one_before(known: &[Boundary]) -> Boundary {
    let last = known.len().saturating_sub(2);
    known.get(last).copied().unwrap_or(Boundary { bit: 0, unpacked: 0 })
}

impl Repacked {
    /// Whether the stream unpacks to `blob` around each seam. The rest are copies of blocks that did so before,
    /// with the same bytes in reach of them. `None` when that would be no less work than reading all of it.
    pub(super) fn holds(&self, blob: &Blob) -> Option<bool> {
        let work: usize =
            self.seams.iter().map(|seam| seam.to.unpacked - seam.from.unpacked + 2 * BEHIND).sum();
        if work > blob.len() / 2 {
            return None;
        }
        Some(self.seams.iter().all(|seam| {
            let end = self.stream.len().min(seam.to.bit.div_ceil(8) + BEHIND);
            let mut piece = BitWriter { bytes: Vec::new(), phase: 0 };
            piece.fill_to(seam.from.bit % 8);
            piece.copy(&self.stream, seam.from.bit..end * 8);
            let start = seam.from.unpacked;
            let dictionary = blob.slice(start.saturating_sub(WINDOW)..start);
            unpacks_as(&piece.bytes, &dictionary, blob, start, seam.to.unpacked)
        }))
    }
}

/// Blocks to be copied: their bits in the old stream, the first of the old bytes and the new bytes they stand for.
struct Copy {
    bits: Range<usize>,
    there: usize,
    here: Range<usize>,
}

fn copies(
    shared: &[Shared],
    length: usize,
    length_before: usize,
    packed: &[u8],
    blocks: &mut Vec<Boundary>,
) -> Option<Vec<Copy>> {
    let last = shared.last()?;
    let keeps_end = last.there.end == length_before && last.here.end == length;
    let enough = if keeps_end { last.there.start + WINDOW } else { usize::MAX };
    explore(packed, length_before, enough, blocks)?;
    let end = Boundary { bit: packed.len() * 8, unpacked: length_before };
    // What was not explored is one block as far as copying goes.
    let ends = blocks.iter().skip(1).chain((blocks.last() != Some(&end)).then_some(&end));
    let mut copies: Vec<Copy> = Vec::new();
    let mut runs = shared.iter().peekable();
    for (start, end) in blocks.iter().zip(ends) {
        while runs.next_if(|run| run.there.end < end.unpacked).is_some() {}
        let Some(run) = runs.peek() else { break };
        let is_last = end.bit == packed.len() * 8;
        if run.there.start > start.unpacked.saturating_sub(WINDOW) || (is_last && !keeps_end) {
            continue;
        }
        add(&mut copies, run, start, end);
    }
    copies.retain(|copy| copy.bits.len() >= LEAST_BITS);
    (!copies.is_empty()).then_some(copies)
}

fn add(copies: &mut Vec<Copy>, run: &Shared, start: &Boundary, end: &Boundary) {
    let here = |there: usize| run.here.start + (there - run.there.start);
    let range = here(start.unpacked)..here(end.unpacked);
    match copies.last_mut() {
        Some(last) if last.bits.end == start.bit && last.here.end == range.start => {
            last.bits.end = end.bit;
            last.here.end = range.end;
        }
        _ => copies.push(Copy { bits: start.bit..end.bit, there: start.unpacked, here: range }),
    }
}

/// Packs `range` of `blob` behind what was written, with what comes before it as the dictionary.
fn encode(
    stream: &mut Deflate,
    blob: &Blob,
    range: Range<usize>,
    flush: DeflateFlush,
    out: &mut BitWriter,
) -> Result<(), Refusal> {
    if range.is_empty() && flush == DeflateFlush::SyncFlush {
        return Ok(());
    }
    out.fill_to(0);
    stream.reset();
    if range.start > 0 {
        let dictionary = blob.slice(range.start.saturating_sub(WINDOW)..range.start);
        let set = stream.set_dictionary(&dictionary);
        set.map_err(|_| Refusal::internal("the deflate encoder refused its dictionary"))?;
    }
    compress(stream, &blob.slice(range), flush, &mut out.bytes)
}

struct BitWriter {
    bytes: Vec<u8>,
    /// Bits used in the last byte; 0 when it is full.
    phase: usize,
}

/// An empty block with fixed codes: not the last, type 1, end of block.
const EMPTY: (u128, usize) = (0b010, 10);

/// An empty block of an odd number of bits, which only one that brings its own codes can have: two codes of
/// one bit each for lengths 18 and 1, with them 255 absent literals, two literals and two distances of one
/// bit, and the end of the block.
const EMPTY_ODD: (u128, usize) = empty_odd();

const fn empty_odd() -> (u128, usize) {
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

impl BitWriter {
    fn position(&self) -> usize {
        self.bytes.len() * 8 - (8 - self.phase) % 8
    }

    /// Writes empty blocks until the next bit is bit `phase` of its byte.
    fn fill_to(&mut self, phase: usize) {
        if (self.phase + phase) % 2 == 1 {
            self.push(EMPTY_ODD);
        }
        while self.phase != phase {
            self.push(EMPTY);
        }
    }

    fn push(&mut self, (value, length): (u128, usize)) {
        for bit in 0..length {
            if self.phase == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= (((value >> bit) & 1) as u8) << self.phase;
            }
            self.phase = (self.phase + 1) % 8;
        }
    }

    /// Appends `bits` of `source`, which start at the same bit of a byte as the next one here.
    fn copy(&mut self, source: &[u8], bits: Range<usize>) {
        let mut from = bits.start / 8;
        if self.phase != 0
            && let (Some(last), Some(first)) = (self.bytes.last_mut(), source.get(from))
        {
            *last |= first & (0xFF << self.phase);
            from += 1;
        }
        self.bytes.extend_from_slice(source.get(from..bits.end.div_ceil(8)).unwrap_or_default());
        self.phase = bits.end % 8;
        if self.phase != 0
            && let Some(last) = self.bytes.last_mut()
        {
            *last &= !(0xFF << self.phase);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edit::{Content, PartName, Patch};
    use proptest::prelude::*;
    use zlib_rs::{DeflateConfig, Inflate, InflateFlush, Status, Strategy as Codes};

    fn boundaries(packed: &[u8], size: usize) -> Option<Vec<Boundary>> {
        let mut found = Vec::new();
        explore(packed, size, usize::MAX, &mut found).map(|()| found)
    }

    /// Repacks and checks what is said of the result.
    fn repacked(after: &Blob, before: &Blob, packed: &[u8], blocks: Vec<Boundary>) -> Option<Repacked> {
        let shared = after.shared_with(before);
        let repacked = repack(after, &shared, Before { plain: before, packed, blocks }).unwrap()?;
        assert!(inflate(&repacked.stream, after.len()) == *after.bytes());
        assert_ne!(repacked.holds(after), Some(false));
        let real = boundaries(&repacked.stream, after.len()).expect("every stream is understood");
        let is_real = |block: &Boundary| {
            real.binary_search_by_key(&(block.bit, block.unpacked), |real| (real.bit, real.unpacked)).is_ok()
        };
        assert!(repacked.blocks.iter().all(is_real), "{:?}", repacked.blocks);
        Some(repacked)
    }

    fn inflate(packed: &[u8], size: usize) -> Vec<u8> {
        let mut out = vec![0; size + 64];
        let mut stream = Inflate::new(false, 15);
        let status = stream.decompress(packed, &mut out, InflateFlush::Finish);
        assert_eq!(status, Ok(Status::StreamEnd), "{} of {} bytes out", stream.total_out(), size);
        assert_eq!(stream.total_in() as usize, packed.len());
        out.truncate(stream.total_out() as usize);
        out
    }

    #[test]
    fn empty_blocks_lead_from_every_bit_to_every_bit() {
        assert_eq!(EMPTY_ODD.1 % 2, 1);
        for from in 0..8 {
            for to in 0..8 {
                let mut out = BitWriter { bytes: Vec::new(), phase: 0 };
                out.fill_to(from);
                out.fill_to(to);
                assert_eq!(out.phase, to);
                out.push((0b011, 10));
                assert_eq!(inflate(&out.bytes, 0), b"");
            }
        }
    }

    /// Text such as parts hold: repetitive near and far, with some noise.
    fn text(seed: u64, size: usize) -> Vec<u8> {
        let mut state = seed | 1;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut out = Vec::with_capacity(size + 300);
        while out.len() < size {
            match next() % 8 {
                0 => out.extend((0..next() % 200).map(|_| next() as u8)),
                1 if !out.is_empty() => {
                    let start = next() as usize % out.len();
                    let end = out.len().min(start + next() as usize % 300);
                    out.extend_from_within(start..end);
                }
                _ => out.extend(format!("<w:r><w:t>{}</w:t></w:r>", next() % 1000).bytes()),
            }
        }
        out.truncate(size);
        out
    }

    /// Packs with any level and kind of codes, and with blocks that end where `flushes` say.
    fn pack(plain: &[u8], level: i32, strategy: Codes, flushes: &[(usize, DeflateFlush)]) -> Vec<u8> {
        let config = DeflateConfig { level, strategy, window_bits: -15, ..DeflateConfig::default() };
        let mut stream = Deflate::new_with_config(config);
        let (mut out, mut done) = (Vec::new(), 0);
        for (at, flush) in flushes {
            let at = done.max(at % (plain.len() + 1));
            if at > done {
                compress(&mut stream, &plain[done..at], *flush, &mut out).unwrap();
                done = at;
            }
        }
        compress(&mut stream, &plain[done..], DeflateFlush::Finish, &mut out).unwrap();
        assert_eq!(inflate(&out, plain.len()), plain);
        out
    }

    fn edited(before: &Blob, edits: &[(usize, usize, Vec<u8>)]) -> Blob {
        let name = PartName::new("p");
        let mut content = Content::single(name.clone(), before.clone());
        for (at, removed, with) in edits {
            let length = content.read("p").unwrap().unwrap().len();
            let start = at % (length + 1);
            let mut patch = Patch::new();
            patch.splice(&name, start..length.min(start + removed), with.clone()).unwrap();
            content = patch.apply(&content).unwrap();
        }
        content.read("p").unwrap().unwrap()
    }

    #[test]
    fn one_edit_in_a_large_part_keeps_nearly_all_blocks() {
        let plain = text(7, 3_000_000);
        let packed = pack(&plain, 6, Codes::Default, &[]);
        let before = Blob::from(plain);
        for at in [0, 5, 1_500_000, 2_999_990, 3_000_000] {
            let after = edited(&before, &[(at, 3, b"inserted".to_vec())]);
            let repacked = repacked(&after, &before, &packed, Vec::new()).unwrap();
            let length = repacked.stream.len();
            assert!(length < packed.len() + 2000, "{length} from {}", packed.len());
            assert_eq!(repacked.holds(&after), Some(true));
        }
    }

    #[test]
    fn a_wrong_byte_at_a_seam_is_noticed() {
        let plain = text(3, 3_000_000);
        let packed = pack(&plain, 6, Codes::Default, &[]);
        let before = Blob::from(plain);
        let after = edited(&before, &[(1_000_000, 3, b"inserted".to_vec())]);
        let good = repacked(&after, &before, &packed, Vec::new()).unwrap();
        let seam = &good.seams[0];
        for at in [seam.from.bit / 8 + 100, seam.to.bit / 8 - 50, seam.to.bit / 8 + 500] {
            let mut stream = good.stream.clone();
            stream[at] ^= 4;
            let bad = Repacked { stream, blocks: good.blocks.clone(), seams: vec![Seam { ..*seam }] };
            assert_eq!(bad.holds(&after), Some(false), "{at}");
        }
        let elsewhere = edited(&before, &[(1_000_000, 3, b"insorted".to_vec())]);
        assert_eq!(good.holds(&elsewhere), Some(false));
    }

    /// Noise that repeats at a fixed distance, in blocks of 500 bytes: every block refers back exactly so far.
    #[test]
    fn references_as_far_back_as_they_go_stay_right() {
        for period in [100, 8_000, 20_000, 31_000, 32_400] {
            let mut plain = text(period as u64, 40);
            let mut state = 88_172_645_463_325_252u64;
            while plain.len() < 120_000 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                plain.push(if plain.len() < period { state as u8 } else { plain[plain.len() - period] });
            }
            let flushes: Vec<_> = (1..240).map(|n| (n * 500, DeflateFlush::Block)).collect();
            let packed = pack(&plain, 9, Codes::Default, &flushes);
            assert!(boundaries(&packed, plain.len()).unwrap().len() > 200);
            let before = Blob::from(plain);
            for at in (0..60_000).step_by(1_111) {
                let after = edited(&before, &[(at, 1, b"longer".to_vec())]);
                assert!(
                    repacked(&after, &before, &packed, Vec::new()).is_some(),
                    "period {period}, edit at {at}"
                );
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(192))]
        #[test]
        fn what_is_repacked_unpacks_to_the_new_bytes(
            seed in any::<u64>(),
            size in 0usize..400_000,
            level in 0i32..10,
            codes in prop_oneof![
                Just(Codes::Default), Just(Codes::Fixed), Just(Codes::HuffmanOnly), Just(Codes::Rle), Just(Codes::Filtered)
            ],
            flushes in proptest::collection::vec((any::<usize>(), prop_oneof![
                Just(DeflateFlush::SyncFlush), Just(DeflateFlush::Block), Just(DeflateFlush::PartialFlush)
            ]), 0..4),
            edits in proptest::collection::vec(
                (any::<usize>(), prop_oneof![0usize..4, 0usize..100_000], proptest::collection::vec(any::<u8>(), 0..40)),
                1..5,
            ),
        ) {
            let plain = text(seed, size);
            let packed = pack(&plain, level, codes, &flushes);
            let all = boundaries(&packed, plain.len()).expect("every stream is understood");
            prop_assert_eq!(all.last().copied(), Some(Boundary { bit: packed.len() * 8, unpacked: plain.len() }));
            let before = Blob::from(plain);
            repacked(&edited(&before, &edits), &before, &packed, Vec::new());
            // Again and again, each on what the last one left.
            let (mut plain, mut packed, mut blocks) = (before, packed, Vec::new());
            for edit in edits {
                let after = edited(&plain, &[edit]);
                let Some(next) = repacked(&after, &plain, &packed, blocks) else { break };
                (plain, packed, blocks) = (after, next.stream, next.blocks);
            }
        }
    }
}
