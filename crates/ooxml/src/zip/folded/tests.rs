//! Whatever is read of a folded part is what unpacking all of it gives, and what is refused is refused alike.

use super::*;
use crate::zip::blocks::explore;
use crate::zip::reuse::tests::{pack, text};
use crate::zip::{EntryKind, Method, inflate};
use edit::{Blob, PartName};
use proptest::prelude::*;
use zlib_rs::{DeflateFlush, Strategy as Codes};

const SURVEY: Survey = Survey { words: &[b"<w:t>9", b"77</w:t></w:r><w:r>", b"nowhere"], dense: b"nowhere" };

fn entry(packed: &[u8], plain: &[u8]) -> Entry {
    Entry {
        name: PartName::new("sheet.xml"),
        kind: EntryKind::Part,
        central: 0..0,
        local: 0..packed.len(),
        data: 0..packed.len(),
        method: Method::Deflated,
        crc: crc32fast::hash(plain),
        size: plain.len() as u64,
        sums: OnceLock::new(),
        stretches: OnceLock::new(),
        blocks: OnceLock::new(),
        fresh: packed.len(),
    }
}

fn folded(packed: &[u8], plain: &[u8]) -> FoldedPart {
    let entry = entry(packed, plain);
    let folded = fold(&Arc::new(packed.to_vec()), &entry, &SURVEY).unwrap().unwrap();
    assert_eq!(entry.sums.get().map(Sums::total), Some(entry.crc));
    folded
}

#[test]
fn places_are_read_without_unpacking_the_rest() {
    let plain = text(11, 1_500_000);
    for level in [1, 6, 9] {
        let flushes: Vec<_> = (1..60).map(|n| (n * 24_001, DeflateFlush::Block)).collect();
        let part = folded(&pack(&plain, level, Codes::Default, &flushes), &plain);
        let stretches = &part.stretches.0;
        assert!(stretches.len() > 20, "{}", stretches.len());
        for at in (0..1_499_000).step_by(9_973) {
            assert_eq!(part.slice(at..at + 1_000), &plain[at..at + 1_000]);
        }
        let long = part.slice(700_000..800_000);
        assert_eq!(long, &plain[700_000..800_000]);
        assert!(part.all.get().is_none());
        assert!(stretches.iter().all(|stretch| matches!(stretch.bytes.get(), Some(Some(_)))));
        assert_eq!(part.slice(100_000..900_000), &plain[100_000..900_000]);
        let mut real = Vec::new();
        explore(part.packed(), plain.len(), usize::MAX, &mut real).unwrap();
        for offset in (0..1_500_000).step_by(50_000) {
            match part.stretches.boundary_before(offset, part.packed(), plain.len()) {
                Some(found) => assert!(real.contains(&found) && found.unpacked + STRETCH <= offset),
                None => assert!(offset < 200_000),
            }
        }
        assert!(part.all() == plain);
    }
}

#[test]
fn a_part_that_will_be_read_whole_is_not_folded() {
    let mut plain = text(5, 300_000);
    let early = Survey { words: &[b"<f>"], dense: b"<f>" };
    for (at, folds) in [(1_000, false), (200_000, true)] {
        plain.splice(at..at, *b"<f>");
        let packed = pack(&plain, 6, Codes::Default, &[]);
        let part = fold(&Arc::new(packed.clone()), &entry(&packed, &plain), &early).unwrap();
        assert_eq!(part.is_some(), folds);
        plain.drain(at..at + 3);
    }
}

/// What is wrong with a file is said in the same words on both roads.
#[test]
fn damage_is_refused_as_when_all_is_unpacked() {
    let plain = text(3, 200_000);
    let packed = pack(&plain, 6, Codes::Default, &[(70_000, DeflateFlush::SyncFlush)]);
    let alike = |packed: Vec<u8>, change: &dyn Fn(&mut Entry)| {
        let mut entry = entry(&packed, &plain);
        change(&mut entry);
        let whole = inflate(&packed, &entry).map(|_| ()).unwrap_err();
        let folded = fold(&Arc::new(packed), &entry, &SURVEY).map(|_| ()).unwrap_err();
        assert_eq!(folded, whole);
        assert!(entry.sums.get().is_none());
    };
    for at in (0..packed.len()).step_by(1_009) {
        let mut bad = packed.clone();
        bad[at] ^= 0x10;
        let entry = entry(&bad, &plain);
        let whole = inflate(&bad, &entry).map(|bytes| bytes.to_vec());
        let folded = fold(&Arc::new(bad), &entry, &SURVEY).map(|part| part.unwrap().all().to_vec());
        assert_eq!(folded.is_ok(), whole.is_ok());
    }
    alike(packed.clone(), &|entry| entry.crc ^= 1);
    alike(packed.clone(), &|entry| entry.size -= 100);
    alike(packed.clone(), &|entry| entry.size += 1);
    alike(packed[..packed.len() / 2].to_vec(), &|_| {});
    alike(packed[..packed.len() - 1].to_vec(), &|_| {});
    alike([&packed[..], b"more"].concat(), &|_| {});
    alike(Vec::new(), &|_| {});
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn every_range_of_every_stream_is_read_right(
        seed in any::<u64>(),
        size in 1usize..300_000,
        level in 0i32..10,
        codes in prop_oneof![
            Just(Codes::Default), Just(Codes::Fixed), Just(Codes::HuffmanOnly), Just(Codes::Rle), Just(Codes::Filtered)
        ],
        flushes in proptest::collection::vec((any::<usize>(), prop_oneof![
            Just(DeflateFlush::SyncFlush), Just(DeflateFlush::Block), Just(DeflateFlush::PartialFlush)
        ]), 0..30),
        ranges in proptest::collection::vec((any::<usize>(), prop_oneof![0usize..100, 0usize..60_000]), 1..30),
    ) {
        let plain = text(seed, size);
        let mut flushes = flushes;
        flushes.iter_mut().for_each(|(at, _)| *at %= size + 1);
        flushes.sort_by_key(|(at, _)| *at);
        let part = folded(&pack(&plain, level, codes, &flushes), &plain);
        let blob = Blob::from(Buffer::folded(part));
        prop_assert_eq!(blob.len(), plain.len());
        for (at, length) in ranges {
            let start = at % size;
            let range = start..size.min(start + length);
            prop_assert_eq!(&*blob.slice(range.clone()), &plain[range.clone()]);
            for word in SURVEY.words.iter().chain(&[&b"</w:t>"[..]]) {
                let found = memmem::find(&plain[range.clone()], word).is_some();
                prop_assert_eq!(blob.contains(range.clone(), word), found);
            }
        }
        prop_assert_eq!(&*blob.bytes(), &plain[..]);
    }
}
