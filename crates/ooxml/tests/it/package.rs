//! Opening, editing and saving packages, also random ones.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use edit::{Blob, Content, PartName, Patch};
use ooxml::xml::ns;
use ooxml::{
    Conformance, ContentTypes, Family, Limits, NewRelationship, NewTarget, Package, Relationships, free_name,
    main_part, new_package, relative_target, rels_part_of, resolve_target,
};
use proptest::prelude::*;
use zip::write::SimpleFileOptions;

const DOCUMENT: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

fn types(rows: &str) -> String {
    format!("<Types xmlns=\"{}\">{rows}</Types>", ns::CONTENT_TYPES)
}

fn rels(rows: &str) -> String {
    format!("<Relationships xmlns=\"{}\">{rows}</Relationships>", ns::RELATIONSHIPS)
}

fn content(parts: &[(&str, &str)]) -> Content {
    let mut content = Content::new();
    for (name, text) in parts {
        content.insert(PartName::new(*name), Blob::from(*text));
    }
    content
}

fn text(content: &Content, name: &str) -> String {
    String::from_utf8(content.read(name).unwrap().unwrap().bytes().into_owned()).unwrap()
}

#[test]
fn the_main_part_is_found_in_both_classes() {
    let types = types(&format!("<Override PartName=\"/word/document.xml\" ContentType=\"{DOCUMENT}\"/>"));
    for (kind, conformance) in [
        (format!("{}/officeDocument", ns::R), Conformance::Transitional),
        (
            "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument".into(),
            Conformance::Strict,
        ),
    ] {
        for target in
            ["word/document.xml", "/word/document.xml", "/word/Document.xml", "./word/x/../document.xml"]
        {
            let rels = rels(&format!("<Relationship Id=\"a\" Type=\"{kind}\" Target=\"{target}\"/>"));
            let content = content(&[
                ("[Content_Types].xml", &types),
                ("_rels/.rels", &rels),
                ("word/document.xml", "<a/>"),
            ]);
            let main = main_part(&content).unwrap();
            assert_eq!(main.name, PartName::new("word/document.xml"));
            assert_eq!((main.family(), main.conformance), (Family::Word, conformance));
            assert!(!main.has_macros());
        }
    }
}

#[test]
fn targets_resolve_and_are_written_relatively() {
    let owner = PartName::new("xl/worksheets/sheet1.xml");
    for (target, part) in [
        ("../media/a.png", "xl/media/a.png"),
        ("/xl/media/a.png", "xl/media/a.png"),
        ("b.xml", "xl/worksheets/b.xml"),
        ("./sub/b.xml#frag", "xl/worksheets/sub/b.xml"),
        ("..\\media\\a.png", "xl/media/a.png"),
        ("../../../../a.xml", "a.xml"),
        ("#Sheet2!A1", "xl/worksheets/sheet1.xml"),
    ] {
        assert_eq!(resolve_target(Some(&owner), target), Some(PartName::new(part)), "{target}");
    }
    for part in
        ["xl/media/a.png", "xl/worksheets/b.xml", "docProps/app.xml", "root.xml", "xl/worksheets/x/y.xml"]
    {
        let part = PartName::new(part);
        for owner in [Some(&owner), None] {
            let target = relative_target(owner, &part);
            assert_eq!(resolve_target(owner, &target), Some(part.clone()), "{target}");
        }
    }
    assert_eq!(relative_target(Some(&owner), &PartName::new("xl/media/a.png")), "../media/a.png");
    assert_eq!(rels_part_of(Some(&owner)).as_str(), "xl/worksheets/_rels/sheet1.xml.rels");
    assert_eq!(rels_part_of(None).as_str(), "_rels/.rels");
}

#[test]
fn percent_encoded_and_external_targets_are_understood() {
    let rels = rels(
        "<Relationship Id=\"rId1\" Type=\"t\" Target=\"media/my%20image.png\"/>\
         <Relationship Id=\"rId2\" Type=\"t\" Target=\"http://example.com/?a=1&amp;b=2\" TargetMode=\"External\"/>\
         <Relationship Id=\"rId3\" Type=\"t\" Target=\"missing.xml\"/>",
    );
    let content = content(&[("word/_rels/document.xml.rels", &rels), ("word/media/my image.png", "")]);
    let list = Relationships::of_part(&content, &PartName::new("word/document.xml")).unwrap();
    assert_eq!(list.get("rId1").unwrap().part, Some(PartName::new("word/media/my image.png")));
    assert_eq!(list.get("rId2").unwrap().part, None);
    assert_eq!(list.get("rId2").unwrap().target, "http://example.com/?a=1&b=2");
    assert_eq!(list.get("rId3").unwrap().part, Some(PartName::new("word/missing.xml")));
    assert_eq!(list.of_kind("t").count(), 3);
}

#[test]
fn relationships_are_added_and_removed_by_splices() {
    let owner = PartName::new("word/document.xml");
    let image = PartName::new("word/media/image1.png");
    let new = [
        NewRelationship { kind: "image", target: NewTarget::Part(&image) },
        NewRelationship { kind: "link", target: NewTarget::External("http://x/?a&b") },
    ];
    let some = rels("<Relationship Id=\"rId7\" Type=\"t\" Target=\"a.xml\"/>");
    let empty = format!("<Relationships xmlns=\"{}\" />", ns::RELATIONSHIPS);
    let prefixed = format!("<p:Relationships xmlns:p=\"{}\"></p:Relationships>", ns::RELATIONSHIPS);
    for (existing, first) in
        [(Some(&some), "rId8"), (Some(&empty), "rId1"), (Some(&prefixed), "rId1"), (None, "rId1")]
    {
        let mut before = content(&[("word/document.xml", "<a/>")]);
        if let Some(existing) = existing {
            before.insert(PartName::new("word/_rels/document.xml.rels"), Blob::from(existing.as_str()));
        }
        let list = Relationships::of_part(&before, &owner).unwrap();
        let mut patch = Patch::new();
        let ids = list.add(&mut patch, &new).unwrap();
        assert_eq!(ids[0], first);
        let after = patch.apply(&before).unwrap();
        let list = Relationships::of_part(&after, &owner).unwrap();
        assert_eq!(list.get(&ids[0]).unwrap().part.as_ref(), Some(&image));
        assert_eq!(list.get(&ids[0]).unwrap().target, "media/image1.png");
        assert_eq!(list.get(&ids[1]).unwrap().target, "http://x/?a&b");
        assert_eq!(list.get(&ids[1]).unwrap().part, None);
        assert_eq!(patch.invert(&before).unwrap().apply(&after).unwrap(), before);

        let mut patch = Patch::new();
        list.remove(&mut patch, &ids[0]).unwrap();
        let left = Relationships::of_part(&patch.apply(&after).unwrap(), &owner).unwrap();
        assert!(left.get(&ids[0]).is_none() && left.get(&ids[1]).is_some());
        assert!(list.remove(&mut Patch::new(), "rId99").is_err());
    }
}

#[test]
fn the_first_relationship_parts_of_a_package_get_their_type_once() {
    let parts = ["a.xml", "b.xml"].map(PartName::new);
    let before = content(&[("[Content_Types].xml", &types("")), ("a.xml", "<a/>"), ("b.xml", "<b/>")]);
    let new = [NewRelationship { kind: "link", target: NewTarget::External("http://x/") }];
    let mut patch = Patch::new();
    for part in &parts {
        Relationships::of_part(&before, part).unwrap().add(&mut patch, &new).unwrap();
    }
    let after = ContentTypes::read(&patch.apply(&before).unwrap()).unwrap();
    let declared: Vec<_> = after.defaults().filter(|(extension, _)| *extension == "rels").collect();
    assert_eq!(declared, [("rels", "application/vnd.openxmlformats-package.relationships+xml")]);
}

#[test]
fn content_types_are_declared_once_and_forgotten() {
    let before = content(&[(
        "[Content_Types].xml",
        &types(
            "<Default Extension=\"xml\" ContentType=\"application/xml\"/><Default Extension=\"PNG\" ContentType=\"image/png\"/>\
             <Override PartName=\"/word/a.xml\" ContentType=\"t/a\"/>",
        ),
    )]);
    let list = ContentTypes::read(&before).unwrap();
    let part = PartName::new;
    assert_eq!(list.of(&part("word/A.xml")), Some("t/a"));
    assert_eq!(list.of(&part("word/b.xml")), Some("application/xml"));
    assert_eq!(list.of(&part("x.bin")), None);
    let (png, jpeg, other, b, a) =
        (part("m/i.png"), part("m/i.jpeg"), part("m/j.jpeg"), part("word/b.xml"), part("word/a.xml"));
    let mut patch = Patch::new();
    let wanted =
        [(&png, "image/png"), (&jpeg, "image/jpeg"), (&other, "image/jpeg"), (&b, "t/b"), (&a, "t/new")];
    list.declare(&mut patch, &wanted).unwrap();
    let after = patch.apply(&before).unwrap();
    let list = ContentTypes::read(&after).unwrap();
    for (part, kind) in wanted {
        assert_eq!(list.of(part), Some(kind));
    }
    assert_eq!(list.defaults().count(), 3);
    assert_eq!(list.overrides().collect::<Vec<_>>(), [("word/b.xml", "t/b"), ("word/a.xml", "t/new")]);
    let mut nothing = Patch::new();
    list.declare(&mut nothing, &wanted).unwrap();
    assert!(nothing.is_empty());
    let mut patch = Patch::new();
    list.forget(&mut patch, &b).unwrap();
    assert!(!text(&patch.apply(&after).unwrap(), "[Content_Types].xml").contains("t/b"));
}

#[test]
fn free_names_count_on_over_all_types() {
    let content = content(&[
        ("word/media/image2.png", ""),
        ("word/media/Image7.jpeg", ""),
        ("word/media/imagex.png", ""),
    ]);
    assert_eq!(free_name(&content, "word/media/image", "png").as_str(), "word/media/image8.png");
    assert_eq!(free_name(&content, "word/header", "xml").as_str(), "word/header1.xml");
}

#[test]
fn parts_can_be_removed_and_the_comment_stays() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.set_comment("keep me").unwrap();
    for name in ["[Content_Types].xml", "a.xml", "folder/b.xml"] {
        writer.start_file(name, SimpleFileOptions::default().large_file(name == "a.xml")).unwrap();
        writer.write_all(name.repeat(50).as_bytes()).unwrap();
    }
    writer.add_directory("folder", SimpleFileOptions::default()).unwrap();
    let file = writer.finish().unwrap().into_inner();
    let (package, content) = Package::open(file.clone(), &Limits::default()).unwrap();
    assert_eq!(package.save(&content).unwrap(), file);
    for changed in ["a.xml", "[Content_Types].xml"] {
        let mut patch = Patch::new();
        patch.remove(&PartName::new("folder/b.xml"));
        patch.splice(&PartName::new(changed), 0..1, "!").unwrap();
        let after = patch.apply(&content).unwrap();
        assert_eq!(
            package.touched(&after).unwrap().iter().map(PartName::as_str).collect::<Vec<_>>(),
            [changed, "folder/b.xml"]
        );
        let saved = package.save(&after).unwrap();
        let archive = zip::ZipArchive::new(Cursor::new(&saved[..])).unwrap();
        assert_eq!(archive.comment(), b"keep me");
        let names: Vec<String> =
            (0..archive.len()).map(|n| archive.name_for_index(n).unwrap().unwrap().into_owned()).collect();
        assert_eq!(names, ["[Content_Types].xml", "a.xml", "folder/"]);
        let (_, again) = Package::open(saved, &Limits::default()).unwrap();
        assert!(again == after);
    }
}

fn any_parts() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let bytes = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..300),
        (any::<u8>(), 0usize..5000).prop_map(|(byte, count)| vec![byte; count]),
    ];
    proptest::collection::btree_map("[a-zé]{1,8}(/[a-z0-9 ]{1,6}){0,2}\\.(xml|png)", bytes, 1..8)
}

/// An archive by the `zip` crate, with or without descriptors, zip64 fields, storing, times.
fn archive(parts: &BTreeMap<String, Vec<u8>>, style: u8) -> Vec<u8> {
    let mut plain = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut streaming = zip::ZipWriter::new_stream(Vec::new());
    let mut options = SimpleFileOptions::default().large_file(style & 2 != 0);
    if style & 4 != 0 {
        options = options.compression_method(zip::CompressionMethod::Stored);
    }
    for (name, bytes) in
        [("[Content_Types].xml".to_owned(), b"<Types/>".to_vec())].iter().map(|(n, b)| (n, b)).chain(parts)
    {
        if style & 1 == 0 {
            plain.start_file(name.as_str(), options).unwrap();
            plain.write_all(bytes).unwrap();
        } else {
            streaming.start_file(name.as_str(), options).unwrap();
            streaming.write_all(bytes).unwrap();
        }
    }
    if style & 1 == 0 {
        plain.finish().unwrap().into_inner()
    } else {
        streaming.finish().unwrap().into_inner()
    }
}

proptest! {
    #[test]
    fn random_archives_are_read_kept_and_changed(
        parts in any_parts(),
        style in 0u8..8,
        pick in any::<prop::sample::Index>(),
        with in proptest::collection::vec(any::<u8>(), 0..50),
        added in any_parts(),
    ) {
        let file = archive(&parts, style);
        let (package, content) = Package::open(file.clone(), &Limits::default()).unwrap();
        for (name, bytes) in &parts {
            prop_assert!(*content.read(name).unwrap().unwrap().bytes() == bytes[..]);
        }
        prop_assert_eq!(package.save(&content).unwrap(), file);

        let victim = pick.get(&parts.keys().collect::<Vec<_>>()).to_string();
        let mut expected = parts.clone();
        let mut patch = Patch::new();
        let length = parts[&victim].len();
        patch.splice(&PartName::new(victim.as_str()), length / 2..length, with.clone()).unwrap();
        let old = expected.get_mut(&victim).unwrap();
        old.truncate(length / 2);
        old.extend(&with);
        for (name, bytes) in &added {
            if !parts.contains_key(name) {
                patch.put(&PartName::new(name.as_str()), bytes.clone());
                expected.insert(name.clone(), bytes.clone());
            }
        }
        let saved = package.save(&patch.apply(&content).unwrap()).unwrap();
        let mut read = zip::ZipArchive::new(Cursor::new(&saved[..])).unwrap();
        prop_assert_eq!(read.len(), expected.len() + 1);
        for (name, bytes) in &expected {
            let mut data = Vec::new();
            read.by_name(name).unwrap().read_to_end(&mut data).unwrap();
            prop_assert_eq!(&data, bytes);
        }
        let (_, again) = Package::open(saved, &Limits::default()).unwrap();
        for (name, bytes) in &expected {
            prop_assert!(*again.read(name).unwrap().unwrap().bytes() == bytes[..]);
        }
    }

    #[test]
    fn random_bytes_are_refused_without_panic(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..400),
        head in prop_oneof![Just(&b""[..]), Just(&b"PK\x03\x04"[..]), Just(&b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"[..])],
        tail in prop_oneof![Just(&b""[..]), Just(&b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x40\0\0\0\x10\0\0\0\0\0"[..])],
    ) {
        bytes.splice(0..0, head.iter().copied());
        bytes.extend(tail);
        prop_assert!(Package::open(bytes, &Limits::default()).is_err());
    }
}

#[test]
fn a_new_package_opens() {
    let file = new_package(&[("[Content_Types].xml", types("")), ("word/é.xml", "<a/>".into())]).unwrap();
    let (_, content) = Package::open(file, &Limits::default()).unwrap();
    assert_eq!(text(&content, "word/é.xml"), "<a/>");
}
