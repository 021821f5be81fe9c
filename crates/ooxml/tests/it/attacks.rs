//! Files made to harm, and files that are not what they say. Each gets its own answer.

use std::io::{Cursor, Write};

use edit::{PartName, Refusal};
use ooxml::xml::{Tree, XmlFault, XmlLimits};
use ooxml::{Limits, Package, new_package};
use zip::write::SimpleFileOptions;

const TYPES: (&str, &[u8]) = (
    "[Content_Types].xml",
    b"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
);

fn refusal(file: Vec<u8>) -> Refusal {
    refusal_with(file, &Limits::default())
}

/// The refusal on opening, or on reading the first part that cannot be read.
fn refusal_with(file: Vec<u8>, limits: &Limits) -> Refusal {
    match Package::open(file, limits) {
        Err(refusal) => refusal,
        Ok((_, content)) => content
            .names()
            .find_map(|name| content.read(name).err())
            .expect("the file was opened and read without complaint"),
    }
}

fn why(refusal: Refusal) -> String {
    match refusal {
        Refusal::Corrupt { why, .. } => why,
        other => panic!("{other:?}"),
    }
}

fn what(refusal: Refusal) -> String {
    match &refusal {
        Refusal::Limit { what, .. } => what.to_string(),
        Refusal::Unsupported { what, .. } => {
            assert!(refusal.hint().is_some());
            what.clone()
        }
        other => panic!("{other:?}"),
    }
}

fn simple() -> Vec<u8> {
    new_package(&[
        TYPES,
        ("word/document.xml", b"<a>some text, long enough to be deflated: aaaaaaaaaaaa</a>"),
    ])
    .unwrap()
}

/// An archive by the `zip` crate, which writes names we would not.
fn foreign(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn central_of(file: &[u8], name: &str) -> usize {
    let record = memchr::memmem::rfind(file, name.as_bytes()).unwrap() - 46;
    assert_eq!(&file[record..record + 4], b"PK\x01\x02");
    record
}

#[test]
fn what_is_no_package_is_named() {
    assert_eq!(why(refusal(Vec::new())), "it is empty");
    assert_eq!(why(refusal(b"Dear Sir,\nplease find".to_vec())), "it is plain text, not an Office package");
    assert!(why(refusal(b"<html><body>".to_vec())).contains("HTML"));
    assert_eq!(what(refusal(b"%PDF-1.7\n...".to_vec())), "a PDF file");
    assert!(what(refusal(b"{\\rtf1 hello}".to_vec())).contains("RTF"));
    assert!(why(refusal(vec![0x89, 0, 1, 2, 3, 4, 5])).contains("not a zip archive"));
    assert!(why(refusal(foreign(&[("readme.txt", b"hi")]))).contains("[Content_Types].xml is missing"));
    let odt = foreign(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", b"<a/>"),
    ]);
    assert_eq!(what(refusal(odt)), "an OpenDocument file");
    assert_eq!(
        why(refusal(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec())),
        "it is an empty zip archive"
    );
}

#[test]
fn compound_files_are_told_apart() {
    let compound = |name: &str| {
        let mut file = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
        file.resize(1024, 0);
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry.resize(64, 0);
        entry.extend((name.len() as u16 * 2 + 2).to_le_bytes());
        entry.resize(128, 0);
        file.extend(entry);
        file
    };
    assert_eq!(refusal(compound("EncryptedPackage")), Refusal::Encrypted);
    assert!(what(refusal(compound("WordDocument"))).contains(".doc"));
    assert!(what(refusal(compound("Workbook"))).contains(".xls"));
    assert!(what(refusal(compound("Strange"))).contains("neither"));
}

#[test]
fn truncation_and_garbage_are_told_apart() {
    let file = simple();
    assert!(why(refusal(file[..file.len() - 30].to_vec())).contains("cut off"));
    // What stands behind the archive belongs to no part, and every other reader passes it over.
    let (_, content) = Package::open([&file[..], b"garbage"].concat(), &Limits::default()).unwrap();
    assert!(content.names().all(|name| content.read(name).is_ok()));
    assert!(why(refusal([b"garbage", &file[..]].concat())).contains("7 bytes"));
    for length in 0..file.len() {
        refusal(file[..length].to_vec());
    }
}

#[test]
fn no_single_byte_can_be_changed_unnoticed_or_panic() {
    let file = simple();
    let (_, good) = Package::open(file.clone(), &Limits::default()).unwrap();
    for at in 0..file.len() {
        for flip in [1u8, 0x80, 0xFF] {
            let mut broken = file.clone();
            broken[at] ^= flip;
            let Ok((package, content)) = Package::open(broken.clone(), &Limits::default()) else { continue };
            // What opens and reads in full has the right bytes: only times and attributes differ.
            for name in good.names() {
                if let Ok(Some(blob)) = content.read(name) {
                    assert_eq!(Some(blob), good.read(name).unwrap(), "byte {at}");
                }
            }
            assert_eq!(package.save(&content).unwrap(), broken);
        }
    }
}

#[test]
fn bombs_are_refused_by_size_ratio_and_count() {
    // A picture of one colour is no bomb.
    let small = new_package(&[TYPES, ("word/media/a.bmp", &vec![0u8; 3 << 20])]).unwrap();
    assert!(Package::open(small, &Limits::default()).is_ok());
    let zeros = vec![0u8; 10 << 20];
    let bomb = new_package(&[TYPES, ("word/media/a.bin", &zeros)]).unwrap();
    assert!(bomb.len() < 50_000);
    assert!(what(refusal(bomb.clone())).contains("compression ratio"));
    let loose = Limits { ratio: u64::MAX, ..Limits::default() };
    assert!(Package::open(bomb.clone(), &loose).unwrap().1.read("word/media/a.bin").unwrap().is_some());
    let small = Limits { entry_bytes: 1 << 20, ..loose };
    assert!(what(refusal_with(bomb.clone(), &small)).contains("the size of word/media/a.bin"));
    let tight = Limits { total_bytes: 1 << 20, ..loose };
    assert!(what(refusal_with(bomb.clone(), &tight)).contains("unpacked size"));
    let few = Limits { entries: 1, ..loose };
    assert!(what(refusal_with(bomb.clone(), &few)).contains("number of files"));

    // A header that lies about the size gets no further: output stops at what it declares.
    let mut lying = bomb;
    let record = central_of(&lying, "word/media/a.bin");
    lying[record + 24..record + 28].copy_from_slice(&1000u32.to_le_bytes());
    assert_eq!(why(refusal(lying)), "it unpacks to more than declared");
}

#[test]
fn overlapping_and_repeated_entries_are_refused() {
    let mut file = simple();
    let first = central_of(&file, "[Content_Types].xml");
    let second = central_of(&file, "word/document.xml");
    // Both directory records point at the first entry.
    let offset = file[first + 42..first + 46].to_vec();
    file[second + 42..second + 46].copy_from_slice(&offset);
    assert!(why(refusal(file)).contains("another name"));

    let file = simple();
    let longer = central_of(&file, "[Content_Types].xml");
    let mut overlapping = file.clone();
    let packed = u32::from_le_bytes(file[longer + 20..longer + 24].try_into().unwrap());
    overlapping[longer + 20..longer + 24].copy_from_slice(&(packed + 10).to_le_bytes());
    assert!(why(refusal(overlapping)).contains("overlaps"));

    let twice = foreign(&[("[Content_Types].xml", b"<a/>"), ("word\\a.xml", b"1"), ("word/a.xml", b"2")]);
    assert!(why(refusal(twice)).contains("occurs twice"));
}

#[test]
fn names_that_lead_out_are_refused() {
    for name in ["../evil.xml", "word/../../evil", "..\\evil", "/etc/passwd", "\\evil", "C:/evil"] {
        // The crate tidies names itself, so a name of the same length is patched in.
        let plain: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { 'x' }).collect();
        let file = foreign(&[TYPES, (&plain, b"evil")]);
        let mut patched = file.clone();
        for at in memchr::memmem::find_iter(&file, plain.as_bytes()) {
            patched[at..at + name.len()].copy_from_slice(name.as_bytes());
        }
        let why = why(refusal(patched));
        assert!(why.contains("absolute path") || why.contains("leads out"), "{name}: {why}");
    }
}

#[test]
fn encrypted_and_unknown_entries_are_refused() {
    let file = simple();
    let record = central_of(&file, "word/document.xml");
    let mut encrypted = file.clone();
    encrypted[record + 8] |= 1;
    assert_eq!(refusal(encrypted), Refusal::Encrypted);
    let mut unknown = file.clone();
    unknown[record + 10] = 14;
    assert!(what(refusal(unknown)).contains("compression method 14"));
    let mut flipped = file;
    let data = memchr::memmem::find(&flipped, b"word/document.xml").unwrap() + 17 + 20;
    flipped[data] ^= 0x40;
    let why = why(refusal(flipped));
    assert!(why.contains("checksum") || why.contains("compressed data") || why.contains("declared"), "{why}");
}

fn xml_fault(source: &str) -> (XmlFault, &'static str) {
    let error = Tree::parse(source.as_bytes(), &XmlLimits::default()).expect_err(source);
    assert!(error.offset <= source.len());
    (error.fault, error.what)
}

#[test]
fn entities_neither_expand_nor_fetch() {
    let laughs = r#"<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><l>&b;</l>"#;
    assert_eq!(xml_fault(laughs).0, XmlFault::Unsupported);
    let external = r#"<?xml version="1.0"?><!DOCTYPE l SYSTEM "file:///etc/passwd"><l/>"#;
    assert_eq!(xml_fault(external).0, XmlFault::Unsupported);
    assert_eq!(xml_fault("<a>&xxe;</a>").0, XmlFault::Malformed);
    assert_eq!(xml_fault("<a b='&xxe;'/>").0, XmlFault::Malformed);
    let refusal =
        Tree::parse(laughs.as_bytes(), &XmlLimits::default()).unwrap_err().in_part(&PartName::new("x"));
    assert!(what(refusal).contains("document type declaration"));
}

#[test]
fn depth_width_and_length_are_limited() {
    let deep = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
    assert!(Tree::parse(deep(256).as_bytes(), &XmlLimits::default()).is_ok());
    assert_eq!(xml_fault(&deep(257)).0, XmlFault::Limit(256));
    assert_eq!(xml_fault(&"<a>".repeat(1_000_000)).0, XmlFault::Limit(256));

    let wide: String = (0..513).map(|n| format!(" a{n}='1'")).collect();
    assert_eq!(xml_fault(&format!("<a{wide}/>")).0, XmlFault::Limit(512));
    let fits: String = (0..512).map(|n| format!(" a{n}='1'")).collect();
    assert!(Tree::parse(format!("<a{fits}/>").as_bytes(), &XmlLimits::default()).is_ok());
    let repeated: String = (0..100).map(|n| format!(" a{}='1'", n % 99)).collect();
    assert_eq!(xml_fault(&format!("<a{repeated}/>")).1, "an attribute occurs twice");

    let limits = XmlLimits { attribute_bytes: 100, ..XmlLimits::default() };
    let long = format!("<a b='{}'/>", "x".repeat(101));
    assert_eq!(Tree::parse(long.as_bytes(), &limits).unwrap_err().fault, XmlFault::Limit(100));

    let spaces: String = (0..300).map(|n| format!(" xmlns:p{n}='u{n}'")).collect();
    assert_eq!(xml_fault(&format!("<a{spaces}/>")).0, XmlFault::Limit(256));
}
