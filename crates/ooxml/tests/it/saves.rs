//! Saving again and again: each file is read by programs that have nothing in common with ours.

use std::io::{Cursor, Read, Write};
use std::process::Command;

use edit::{Content, Packed, PartName, Patch};
use ooxml::{Limits, Package};
use proptest::prelude::*;
use zip::write::SimpleFileOptions;

const PART: &str = "word/document.xml";

/// Text as documents have it: few tags, many words, some of them rare.
fn document(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut out = b"<w:document><w:body>".to_vec();
    while out.len() < size {
        out.extend(b"<w:p><w:r><w:t>");
        for _ in 0..next() % 30 {
            out.extend(
                match next() % 4 {
                    0 => format!("{:x} ", next() % 100_000),
                    1 => "agreement ".into(),
                    2 => "the party ".into(),
                    _ => "shall ".into(),
                }
                .bytes(),
            );
        }
        out.extend(b"</w:t></w:r></w:p>");
    }
    out
}

fn file(part: &[u8], level: i64) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.start_file("[Content_Types].xml", options).unwrap();
    writer.write_all(b"<Types/>").unwrap();
    writer.start_file(PART, options.compression_level(Some(level))).unwrap();
    writer.write_all(part).unwrap();
    writer.finish().unwrap().into_inner()
}

/// The part, unpacked by one stranger and with size and checksum checked by another.
fn read(file: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).unwrap();
    let mut entry = archive.by_name(PART).unwrap();
    let (start, length) = (entry.data_start().unwrap() as usize, entry.compressed_size() as usize);
    let method = entry.compression();
    let mut bytes = Vec::new();
    // Fails when the checksum is another.
    entry.read_to_end(&mut bytes).unwrap();
    assert_eq!(entry.size(), bytes.len() as u64);
    let packed = &file[start..start + length];
    // What does not get smaller is stored.
    match method {
        zip::CompressionMethod::Stored => assert_eq!(packed, bytes),
        _ => assert_eq!(miniz_oxide::inflate::decompress_to_vec(packed).unwrap(), bytes),
    }
    bytes
}

fn edited(content: &Content, at: usize, removed: usize, with: &[u8]) -> Content {
    let name = PartName::new(PART);
    let length = content.read(&name).unwrap().unwrap().len();
    let start = at % (length + 1);
    let mut patch = Patch::new();
    patch.splice(&name, start..length.min(start + removed), with.to_vec()).unwrap();
    patch.apply(content).unwrap()
}

type Change = (usize, usize, Vec<u8>);

fn changes(most: usize) -> impl Strategy<Value = Vec<Change>> {
    let removed = prop_oneof![5 => 0usize..40, 1 => 0usize..60_000];
    let with = prop_oneof![
        5 => proptest::collection::vec(any::<u8>(), 0..40),
        1 => (any::<u64>(), 0usize..80_000).prop_map(|(seed, size)| document(seed, size)),
    ];
    proptest::collection::vec((any::<usize>(), removed, with), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_save_of_a_session_holds_what_was_meant(
        seed in any::<u64>(),
        size in prop_oneof![3 => 130_000usize..900_000, 1 => 0usize..130_000],
        level in 1i64..10,
        saves in proptest::collection::vec(changes(4), 1..8),
    ) {
        let (mut package, mut content) =
            Package::open(file(&document(seed, size), level), &Limits::default()).unwrap();
        for changes in saves {
            for (at, removed, with) in changes {
                content = edited(&content, at, removed, &with);
            }
            // Whatever was in the memory it is given.
            let room = vec![0xA5; edit::room_for(package.source().len())];
            let saved = package.save_on(&content, room).unwrap();
            let meant = content.read(PART).unwrap().unwrap();
            prop_assert!(saved.proof.holds());
            prop_assert!(read(&saved.file) == *meant.bytes());
            package = saved.source;
        }
    }
}

#[test]
fn a_long_session_neither_wears_the_file_out_nor_breaks_it() {
    let plain = document(11, 1_500_000);
    let opened = file(&plain, 6);
    let (mut package, mut content) = Package::open(opened.clone(), &Limits::default()).unwrap();
    let folder = std::env::temp_dir().join(format!("docwright-saves-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for round in 0..120usize {
        let at = round.wrapping_mul(7_919_113);
        content = edited(&content, at, round % 5, format!("round {round}").as_bytes());
        let Packed { file: bytes, source: next, proof } = package.save_on(&content, Vec::new()).unwrap();
        assert!(proof.holds());
        assert!(bytes.len() < opened.len() * 5 / 4 + (160 << 10), "{} after {round} saves", bytes.len());
        if round % 20 == 19 {
            assert!(read(&bytes) == *content.read(PART).unwrap().unwrap().bytes());
            let path = folder.join(format!("{round}.docx"));
            std::fs::write(&path, bytes.as_slice()).unwrap();
            paths.push(path);
        }
        package = next;
    }
    let script =
        "import sys, zipfile\nfor path in sys.argv[1:]:\n    assert zipfile.ZipFile(path).testzip() is None";
    match Command::new("python3").arg("-c").arg(script).args(&paths).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => println!("SKIPPED: asking Python about the archives: {error}"),
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
