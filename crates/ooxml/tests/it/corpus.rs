//! Every real Word and Excel file at hand.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use edit::{Blob, Content, PartName, Patch, Refusal};
use ooxml::xml::{Kind, Node, Tree, XmlFault, XmlLimits};
use ooxml::{Limits, Package};

fn corpus() -> Option<Vec<PathBuf>> {
    let root = std::env::var_os("DOCWRIGHT_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    let mut files = Vec::new();
    let mut folders = vec![root.join("docx"), root.join("xlsx")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).ok()? {
            let path = entry.ok()?.path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("docx" | "docm" | "dotx" | "xlsx" | "xlsm" | "xltx") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    Some(files)
}

fn each_file(mut check: impl FnMut(&Path, Arc<Vec<u8>>)) {
    let Some(files) = corpus() else {
        println!("SKIPPED: no corpus beside the workspace");
        return;
    };
    assert!(files.len() > 500, "the corpus has shrunk to {} files", files.len());
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        check(&path, Arc::new(bytes));
    }
}

/// The refusal with names and numbers taken out.
fn class(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Corrupt { why, .. } => format!("corrupt: {}", why.split(" at byte").next().unwrap()),
        Refusal::Limit { what, .. } => format!("limit: {what}"),
        Refusal::Unsupported { what, .. } => format!("unsupported: {what}"),
        Refusal::Encrypted => "encrypted".to_owned(),
        other => panic!("not a refusal of a package: {other:?}"),
    }
}

fn through_zip_crate(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut parts = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut data = Vec::new();
        file.read_to_end(&mut data).unwrap();
        let name = file.name().unwrap().replace('\\', "/");
        if !name.ends_with('/') {
            parts.insert(name, data);
        }
    }
    parts
}

#[test]
fn files_open_or_are_refused_with_a_reason() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    each_file(|path, bytes| {
        let outcome = match Package::open(Arc::clone(&bytes), &Limits::default()) {
            Ok((package, content)) => {
                assert!(package.save(&content).unwrap() == *bytes, "{path:?} is saved differently");
                match ooxml::main_part(&content) {
                    Ok(main) => format!("opens: {:?} {:?}", main.family(), main.conformance),
                    Err(refusal) => class(&refusal),
                }
            }
            Err(refusal) => class(&refusal),
        };
        if !outcome.starts_with("opens") {
            println!("{outcome}: {}", path.display());
        }
        *counts.entry(outcome).or_default() += 1;
    });
    for (outcome, count) in &counts {
        println!("{count:5} {outcome}");
    }
    let opened: usize = counts.iter().filter(|(k, _)| k.starts_with("opens")).map(|(_, count)| count).sum();
    let all: usize = counts.values().sum();
    assert!(opened * 100 >= all * 98, "only {opened} of {all} open");
}

#[test]
fn touching_one_part_leaves_every_other_byte() {
    let mut files = 0;
    each_file(|path, bytes| {
        let Ok((package, content)) = Package::open(Arc::clone(&bytes), &Limits::default()) else { return };
        let parts = readable(&content);
        if parts.len() != content.names().count() {
            return;
        }
        let target = ["docProps/app.xml", "docProps/core.xml", "[Content_Types].xml"]
            .into_iter()
            .find_map(|name| ooxml::find_part(&content, name))
            .unwrap();
        let end = parts[target.as_str()].len();
        let added = PartName::new("customXml/brandNew.xml");
        let mut patch = Patch::new();
        patch.splice(&target, end..end, "<!-- touched -->").unwrap();
        patch.put(&added, "<new/>");
        let after = patch.apply(&content).unwrap();
        let saved = package.save(&after).unwrap();
        assert_eq!(saved, package.save(&after).unwrap());

        let mut expected = parts.clone();
        expected.get_mut(target.as_str()).unwrap().extend_from_slice(b"<!-- touched -->");
        expected.insert(added.as_str().to_owned(), b"<new/>".to_vec());
        assert!(through_zip_crate(&saved) == expected, "{path:?}");
        let (again, content_again) = Package::open(saved.clone(), &Limits::default()).unwrap();
        assert!(readable(&content_again) == expected, "{path:?}");

        // Untouched entries are the same compressed bytes, and undoing the edit gives back the file.
        assert!(common_bytes_kept(&bytes, &saved), "{path:?}");
        let undone = patch.invert(&content).unwrap().apply(&after).unwrap();
        assert!(package.save(&undone).unwrap() == *bytes, "{path:?}");
        assert!(again.save(&content_again).unwrap() == saved);
        files += 1;
    });
    println!("{files} files touched and compared");
}

fn readable(content: &Content) -> BTreeMap<String, Vec<u8>> {
    content
        .names()
        .filter_map(|name| {
            let blob: Blob = content.read(name).ok()??;
            Some((name.as_str().to_owned(), blob.bytes().into_owned()))
        })
        .collect()
}

/// Whether every entry of `before` but the touched one occurs in `after` with its header and packed data.
fn common_bytes_kept(before: &[u8], after: &[u8]) -> bool {
    let raw = |bytes: &[u8]| -> BTreeMap<String, Vec<u8>> {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        (0..archive.len())
            .map(|index| {
                let file = archive.by_index_raw(index).unwrap();
                let end = file.data_start().unwrap() + file.compressed_size();
                let span = file.header_start() as usize..end as usize;
                (file.name().unwrap().into_owned(), bytes[span].to_vec())
            })
            .collect()
    };
    let (before, after) = (raw(before), raw(after));
    before.iter().filter(|(name, data)| after.get(*name) != Some(data)).count() <= 1
}

#[test]
fn python_agrees_about_saved_files() {
    const CHECK: &str = "
import sys, zipfile
for pair in sys.stdin.read().splitlines():
    before, after = (zipfile.ZipFile(path) for path in pair.split('\\t'))
    assert after.testzip() is None, pair
    names = [i.filename for i in before.infolist()]
    assert [i.filename for i in after.infolist()] == names + ['word/added.bin'], pair
    for a in before.infolist():
        b = after.getinfo(a.filename)
        same = ('date_time', 'extra', 'comment', 'create_system', 'create_version', 'external_attr', 'internal_attr')
        if a.filename != '[Content_Types].xml':
            same += ('CRC', 'file_size', 'compress_size', 'compress_type', 'flag_bits')
            assert before.read(a) == after.read(b), pair
        for field in same:
            assert getattr(a, field) == getattr(b, field), (pair, field)
    assert after.read('[Content_Types].xml') == before.read('[Content_Types].xml') + b'<!-- -->'
";
    let folder = std::env::temp_dir().join(format!("ooxml-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut pairs = String::new();
    let mut count = 0;
    each_file(|path, bytes| {
        count += 1;
        if count % 8 != 0 {
            return;
        }
        let Ok((package, content)) = Package::open(bytes, &Limits::default()) else { return };
        if readable(&content).len() != content.names().count() || !content.contains("[Content_Types].xml") {
            return;
        }
        let types = PartName::new("[Content_Types].xml");
        let end = content.read(&types).unwrap().unwrap().len();
        let mut patch = Patch::new();
        patch.splice(&types, end..end, "<!-- -->").unwrap();
        patch.put(&PartName::new("word/added.bin"), vec![7; 5]);
        let saved = package.save(&patch.apply(&content).unwrap()).unwrap();
        let target = folder.join(format!("{count}.zip"));
        std::fs::write(&target, saved).unwrap();
        pairs += &format!("{}\t{}\n", path.display(), target.display());
    });
    let python =
        std::process::Command::new("python3").args(["-c", CHECK]).stdin(std::process::Stdio::piped()).spawn();
    match python {
        Ok(mut child) => {
            use std::io::Write;
            child.stdin.take().unwrap().write_all(pairs.as_bytes()).unwrap();
            let status = child.wait().unwrap();
            std::fs::remove_dir_all(&folder).unwrap();
            assert!(status.success());
        }
        Err(error) => {
            std::fs::remove_dir_all(&folder).unwrap();
            println!("SKIPPED: python3 does not run here: {error}");
        }
    }
}

#[test]
fn every_xml_part_parses_and_its_spans_are_the_source() {
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut parts, mut nodes) = (0, 0);
    each_file(|path, bytes| {
        let Ok((_, content)) = Package::open(bytes, &Limits::default()) else { return };
        for name in content.names() {
            if !name.as_str().ends_with(".xml") && !name.as_str().ends_with(".rels") {
                continue;
            }
            let Ok(Some(blob)) = content.read(name) else { continue };
            let source = blob.bytes();
            match Tree::parse(&source, &XmlLimits::default()) {
                Ok(tree) => {
                    parts += 1;
                    nodes += tree.len();
                    let mut rebuilt = Vec::with_capacity(source.len());
                    rebuild(tree.document(&source), &source, &mut rebuilt);
                    assert!(rebuilt == *source, "{name} of {path:?}");
                    let expected = quick_elements(&source);
                    let ours: Vec<Vec<u8>> = tree
                        .document(&source)
                        .descendants()
                        .filter(|node| node.is_element())
                        .map(|node| node.qualified().as_bytes().to_vec())
                        .collect();
                    assert!(ours == expected, "{name} of {path:?}");
                }
                Err(error) => {
                    println!("{path:?} {name}: {error}");
                    assert_ne!(error.fault, XmlFault::Limit(256));
                    *refused.entry(error.what).or_default() += 1;
                }
            }
        }
    });
    println!("{parts} parts, {nodes} nodes; refused: {refused:?}");
    assert!(refused.values().sum::<usize>() <= 8, "{refused:?}");
}

pub(crate) fn rebuild(node: Node<'_>, source: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&source[node.tag_span()]);
    if matches!(node.kind(), Kind::Document | Kind::Element) {
        for child in node.children() {
            rebuild(child, source, out);
        }
        out.extend_from_slice(&source[node.end_tag_span()]);
    }
}

fn quick_elements(source: &[u8]) -> Vec<Vec<u8>> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_reader(source);
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => names.push(tag.name().as_ref().as_bytes().to_vec()),
            Event::Eof => return names,
            _ => {}
        }
    }
}

/// Real files come from many compressors; after edits in the middle of a large part, what is put together from
/// its old blocks has to unpack to the new bytes, and be little larger than before.
#[test]
fn large_parts_keep_their_blocks_when_edited() {
    let (mut parts, mut before_bytes, mut after_bytes) = (0, 0, 0);
    each_file(|path, bytes| {
        let Ok((package, content)) = Package::open(Arc::clone(&bytes), &Limits::default()) else { return };
        let largest = content
            .names()
            .filter(|name| name.as_str().ends_with(".xml"))
            .filter_map(|name| Some((content.read(name).ok()??, name.clone())))
            .max_by_key(|(blob, _)| blob.len());
        let Some((blob, name)) = largest.filter(|(blob, _)| blob.len() > 200_000) else { return };
        let mut patch = Patch::new();
        for at in [blob.len() / 3, blob.len() / 2, blob.len() - 10] {
            patch.splice(&name, at..at + 2, "an edit").unwrap();
        }
        let after = patch.apply(&content).unwrap();
        let saved = package.save(&after).unwrap();
        let read = through_zip_crate(&saved);
        assert!(read[name.as_str()] == *after.read(&name).unwrap().unwrap().bytes(), "{name} of {path:?}");
        parts += 1;
        before_bytes += bytes.len();
        after_bytes += saved.len();
    });
    println!("{parts} large parts edited; {before_bytes} bytes became {after_bytes}");
}
