//! What is put together from pieces unpacks to what was meant, whatever the pieces.

use super::*;
use crate::zip::blocks::settle;
use crate::zip::inflate::{Inflated, inflate_to};
use crate::zip::sums::Sums;
use edit::{Content, PartName, Patch};
use miniz_oxide::inflate::stream::InflateState;
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use proptest::prelude::*;
use zlib_rs::{DeflateConfig, Strategy as Codes};

fn boundaries(packed: &[u8], size: usize) -> Option<Vec<Boundary>> {
    let mut found = Vec::new();
    explore(packed, size, usize::MAX, &mut found).map(|()| found)
}

/// What unpacking finds out by the way.
fn settled(packed: &[u8], plain: &[u8]) -> Vec<Boundary> {
    let Inflated { bytes, stops, sums } = inflate_to(packed, plain.len()).unwrap();
    assert_eq!(sums, Sums::of(&bytes));
    assert!(*bytes == *plain);
    settle(packed, plain, &stops)
}

/// Repacks behind other bytes, and checks what is said of the result.
fn repacked(
    after: &Blob,
    before: &Blob,
    packed: &[u8],
    blocks: Vec<Boundary>,
) -> Option<(Vec<u8>, Repacked)> {
    let shared = after.shared_with(before);
    let mut out = b"header".to_vec();
    let repacked =
        repack(after, &shared, Before { plain: before, packed, blocks, stretches: None }, &mut out).unwrap();
    let stream = out.strip_prefix(b"header").expect("what was there stays").to_vec();
    let Some(repacked) = repacked else {
        assert!(stream.is_empty());
        return None;
    };
    assert!(inflate(&stream, after.len()) == *after.bytes());
    assert_ne!(repacked.seams.holds(&stream, after), Some(false));
    let real = boundaries(&stream, after.len()).expect("every stream is understood");
    let is_real = |block: &Boundary| {
        real.binary_search_by_key(&(block.bit, block.unpacked), |real| (real.bit, real.unpacked)).is_ok()
    };
    assert!(repacked.blocks.iter().all(is_real), "{:?}", repacked.blocks);
    Some((stream, repacked))
}

/// By code that has nothing in common with ours, with nothing left over.
fn inflate(packed: &[u8], size: usize) -> Vec<u8> {
    let mut out = vec![0; size + 64];
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let result = miniz_oxide::inflate::stream::inflate(&mut state, packed, &mut out, MZFlush::Finish);
    assert_eq!(result.status, Ok(MZStatus::StreamEnd), "{} of {size} bytes out", result.bytes_written);
    assert_eq!(result.bytes_consumed, packed.len());
    out.truncate(result.bytes_written);
    out
}

/// Text such as parts hold: repetitive near and far, with some noise.
pub(in crate::zip) fn text(seed: u64, size: usize) -> Vec<u8> {
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
pub(in crate::zip) fn pack(
    plain: &[u8],
    level: i32,
    strategy: Codes,
    flushes: &[(usize, DeflateFlush)],
) -> Vec<u8> {
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

/// With codes of their own, as all packers make them, and with stored, empty and short blocks in between.
#[test]
fn whoever_unpacks_a_part_knows_all_blocks_of_it() {
    let flushes = [
        (100_000, DeflateFlush::SyncFlush),
        (200_000, DeflateFlush::PartialFlush),
        (200_500, DeflateFlush::Block),
        (300_000, DeflateFlush::FullFlush),
    ];
    for (level, seed) in [(5, 1), (6, 2), (6, 3), (9, 4)] {
        let plain = text(seed, 700_000);
        let packed = pack(&plain, level, Codes::Default, &flushes);
        let mut all = boundaries(&packed, plain.len()).unwrap();
        all.pop();
        assert_eq!(settled(&packed, &plain), all, "level {level}, seed {seed}");
    }
}

#[test]
fn blocks_that_are_many_and_short_are_not_counted() {
    let plain = text(5, 700_000);
    let flushes: Vec<_> = (1..7_000).map(|n| (n * 100, DeflateFlush::Block)).collect();
    let packed = pack(&plain, 6, Codes::Default, &flushes);
    let all = boundaries(&packed, plain.len()).unwrap();
    let known = settled(&packed, &plain);
    assert!(known.len() < 20 && all.starts_with(&known), "{known:?}");
}

#[test]
fn one_edit_in_a_large_part_keeps_nearly_all_blocks() {
    let plain = text(7, 3_000_000);
    let packed = pack(&plain, 6, Codes::Default, &[]);
    let before = Blob::from(plain);
    for at in [0, 5, 1_500_000, 2_999_990, 3_000_000] {
        let after = edited(&before, &[(at, 3, b"inserted".to_vec())]);
        let (stream, repacked) = repacked(&after, &before, &packed, Vec::new()).unwrap();
        assert!(stream.len() < packed.len() + 2000, "{} from {}", stream.len(), packed.len());
        assert_eq!(repacked.seams.holds(&stream, &after), Some(true));
    }
}

#[test]
fn inside_a_large_block_no_more_is_packed_than_the_edit_and_its_reach() {
    let words = ["agreement ", "party ", "shall ", "term ", "notice ", "<w:r><w:t>", "</w:t></w:r>"];
    let plain: Vec<u8> = (0..400_000u64)
        .flat_map(|n| words[(n.wrapping_mul(n).wrapping_mul(2_654_435_761) >> 29) as usize % 7].bytes())
        .collect();
    for level in [1, 6, 9] {
        let packed = pack(&plain, level, Codes::Default, &[]);
        let mut all = boundaries(&packed, plain.len()).unwrap();
        assert!(all.windows(2).any(|two| two[1].unpacked - two[0].unpacked > 300_000), "{all:?}");
        let mut before = Blob::from(plain.clone());
        let (mut packed, mut blocks) = (packed, all.clone());
        for at in [1_000_000, 1_000_100, 990_000, 1_040_000, 5, 2_000_000, 2_000_000] {
            let after = edited(&before, &[(at, 3, b"inserted".to_vec())]);
            let (stream, next) = repacked(&after, &before, &packed, blocks).unwrap();
            // As much again where the reach ends among blocks that an earlier edit left.
            let end = next.seams.0.iter().map(|seam| seam.to.unpacked).max().unwrap();
            assert!(end < at + 2 * WINDOW + 3 * NEAR, "to {end} at {at}");
            // What came before is as it was, but for the bit of the last block.
            let block = *all.iter().rev().find(|block| block.unpacked <= at).unwrap();
            let bytes = Cuts::of(&packed)
                .last_before(block, at)
                .map_or(0, |cut| (cut.at.bit / 8).saturating_sub(2 * NEAR));
            let others = stream.iter().zip(&packed).take(bytes).filter(|(new, old)| new != old).count();
            assert!(others <= 1, "{others} of {bytes}");
            all = next.blocks.clone();
            (before, packed, blocks) = (after, stream, next.blocks);
        }
    }
}

/// Small edits need no more than the old codes once again, and twice where a byte has none in them.
#[test]
fn symbols_behind_an_edit_are_kept() {
    let plain: Vec<u8> = text(9, 1_000_000).into_iter().filter(|byte| *byte < 128 && *byte != b'~').collect();
    let size = plain.len();
    let packed = pack(&plain, 6, Codes::Default, &[]);
    let header =
        |block: &Boundary| Cuts::of(&packed).last_before(*block, block.unpacked).unwrap().header.len() / 8;
    let before = Blob::from(plain);
    let all = boundaries(&packed, size).unwrap();
    let most = all[..all.len() - 1].iter().map(header).max().unwrap();
    // Over the ends of some blocks, too.
    for at in (30_000..size - 100_000).step_by(17_777) {
        for (removed, with, headers) in
            [(3, "<w:r>", 1), (0, "0", 1), (200, "", 1), (1, "~", 2), (9, "a~b~", 2)]
        {
            let after = edited(&before, &[(at, removed, with.into())]);
            let (stream, next) = repacked(&after, &before, &packed, all.clone()).unwrap();
            let grown = stream.len() as isize - packed.len() as isize;
            assert!(grown < (headers * most + 250 + 2 * removed) as isize, "{grown} by {with} at {at}");
            assert_eq!(next.seams.holds(&stream, &after), Some(true));
        }
        // What is worth packing is packed.
        for (removed, with) in [(20_000, ""), (0, "~unlike anything else".repeat(1_000).as_str())] {
            let after = edited(&before, &[(at, removed, with.into())]);
            let (stream, _) = repacked(&after, &before, &packed, all.clone()).unwrap();
            assert!(stream.len() < packed.len() + 3_000, "{} by {removed} at {at}", stream.len());
        }
    }
}

#[test]
fn a_wrong_byte_at_a_seam_is_noticed() {
    let plain = text(3, 3_000_000);
    let packed = pack(&plain, 6, Codes::Default, &[]);
    let before = Blob::from(plain);
    let after = edited(&before, &[(1_000_000, 3, b"inserted".to_vec())]);
    let (good_stream, good) = repacked(&after, &before, &packed, Vec::new()).unwrap();
    let seam = &good.seams.0[0];
    for at in [seam.from.bit / 8 + 100, seam.to.bit / 8 - 50, seam.to.bit / 8 + 500] {
        let mut stream = good_stream.clone();
        stream[at] ^= 4;
        assert_eq!(good.seams.holds(&stream, &after), Some(false), "{at}");
    }
    let elsewhere = edited(&before, &[(1_000_000, 3, b"insorted".to_vec())]);
    assert_eq!(good.seams.holds(&good_stream, &elsewhere), Some(false));
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
        let known = settled(&packed, &plain);
        prop_assert!(all.starts_with(&known), "{:?} in {:?}", known, all);
        let before = Blob::from(plain);
        repacked(&edited(&before, &edits), &before, &packed, Vec::new());
        repacked(&edited(&before, &edits), &before, &packed, known);
        // Whatever block the known ones begin with.
        let middle = edits.first().map_or(0, |(at, ..)| at % all.len());
        repacked(&edited(&before, &edits), &before, &packed, all[middle..].to_vec());
        repacked(&edited(&before, &edits), &before, &packed, vec![all[middle]]);
        // Again and again, each on what the last one left.
        let (mut plain, mut packed, mut blocks) = (before, packed, Vec::new());
        for edit in edits {
            let after = edited(&plain, &[edit]);
            let Some((stream, next)) = repacked(&after, &plain, &packed, blocks) else { break };
            (plain, packed, blocks) = (after, stream, next.blocks);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// Close together and far apart, so that some stretches between them are copied and others are in reach of an edit.
    #[test]
    fn what_many_edits_leave_is_reused_as_well(
        seed in any::<u64>(),
        size in 200_000usize..900_000,
        level in 1i32..10,
        flushes in proptest::collection::vec((any::<usize>(), prop_oneof![
            Just(DeflateFlush::SyncFlush), Just(DeflateFlush::Block)
        ]), 0..4),
        groups in proptest::collection::vec((any::<usize>(), 1usize..60, 1usize..3_000), 1..5),
        with in proptest::collection::vec(any::<u8>(), 0..12),
    ) {
        let plain = text(seed, size);
        let packed = pack(&plain, level, Codes::Default, &flushes);
        let edits: Vec<(usize, usize, Vec<u8>)> = groups
            .iter()
            .flat_map(|(at, count, step)| (0..*count).map(move |number| at % size + number * step))
            .map(|at| (at, at % 5, with.clone()))
            .collect();
        let before = Blob::from(plain);
        let after = edited(&before, &edits);
        if let Some((stream, next)) = repacked(&after, &before, &packed, Vec::new()) {
            let again = edited(&after, &edits);
            repacked(&again, &after, &stream, next.blocks);
        }
    }

    #[test]
    fn places_are_the_same_in_whatever_order_they_are_asked_for(
        seed in any::<u64>(),
        level in 0i32..10,
        flushes in proptest::collection::vec((any::<usize>(), Just(DeflateFlush::Block)), 0..6),
        asked in proptest::collection::vec((any::<usize>(), any::<bool>(), any::<bool>()), 1..40),
    ) {
        let plain = text(seed, 150_000);
        let packed = pack(&plain, level, Codes::Default, &flushes);
        let all = boundaries(&packed, plain.len()).unwrap();
        let mut cuts = Cuts::of(&packed);
        for (at, behind, other) in asked {
            let at = at % (plain.len() + 1);
            let index = all.partition_point(|block| block.unpacked <= at).saturating_sub(1 + usize::from(other));
            let block = all[index.min(all.len() - 2)];
            let ask = |cuts: &mut Cuts<'_>| match behind {
                true => cuts.first_behind(block, at),
                false => cuts.last_before(block, at),
            };
            let found = ask(&mut cuts);
            prop_assert_eq!(&found, &ask(&mut Cuts::of(&packed)));
            if let Some(cut) = found {
                prop_assert_eq!(cut.at.unpacked >= at, behind || cut.at.unpacked == at, "{:?} at {}", cut, at);
            }
        }
    }
}
