//! Files that cannot or must not be opened: each has its own answer, and the server goes on.

use std::fs;
use std::path::Path;

use ooxml::new_package;
use serde_json::json;

use crate::binary::{Session, root};

const TYPES: &[u8] = br#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#;
const RELATIONSHIPS: &[u8] = br#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;

/// A Word document with this main part, and more parts.
fn document(main: &[u8], more: &[(&str, &[u8])]) -> Vec<u8> {
    let mut parts =
        vec![("[Content_Types].xml", TYPES), ("_rels/.rels", RELATIONSHIPS), ("word/document.xml", main)];
    parts.extend(more);
    new_package(&parts).unwrap()
}

/// The outside of an encrypted document: a compound file that names the stream it hides.
fn encrypted() -> Vec<u8> {
    let mut file = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    file.resize(1024, 0);
    let mut entry: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    entry.resize(64, 0);
    entry.extend(34u16.to_le_bytes());
    entry.resize(128, 0);
    file.extend(entry);
    file
}

fn write_all(folder: &Path, outside: &Path) {
    let sample = fs::read(root().join("samples/contract.docx")).unwrap();
    let laughs = br#"<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><l>&b;</l>"#;
    let files: [(&str, Vec<u8>); 8] = [
        ("letter.docx", sample.clone()),
        ("cut.docx", sample[..sample.len() / 2].to_vec()),
        ("words.docx", b"These are only words.".to_vec()),
        ("secret.docx", encrypted()),
        ("picture.pdf", b"%PDF-1.7".to_vec()),
        ("bomb.docx", document(b"<a/>", &[("word/media/zeros.bin", &vec![0; 9 << 20])])),
        ("laughs.docx", document(laughs, &[])),
        ("empty.docx", Vec::new()),
    ];
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
    fs::create_dir(folder.join("folder.docx")).unwrap();
    fs::write(outside.join("private.docx"), sample).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.join("private.docx"), folder.join("link.docx")).unwrap();
}

#[test]
fn each_bad_file_has_its_own_answer_and_the_server_goes_on() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_all(folder.path(), outside.path());
    let private = outside.path().join("private.docx").display().to_string();
    let mut session = Session::start(folder.path(), &["--tools", "all"]);
    for (path, code, words) in [
        ("leter.docx", "FILE_NOT_FOUND", "letter.docx"),
        (&private, "PERMISSION_DENIED", "use a file in"),
        ("../private.docx", "PERMISSION_DENIED", "use a file in"),
        #[cfg(unix)]
        ("link.docx", "PERMISSION_DENIED", "lies outside"),
        ("folder.docx", "NOT_A_FILE", "it is a folder"),
        ("cut.docx", "CORRUPT_FILE", "it is cut off"),
        ("empty.docx", "CORRUPT_FILE", "it is empty"),
        ("words.docx", "CORRUPT_FILE", "it is plain text"),
        ("secret.docx", "ENCRYPTED", "password"),
        ("bomb.docx", "LIMIT_EXCEEDED", "compression ratio of word/media/zeros.bin"),
        ("laughs.docx", "UNSUPPORTED", "document type declaration in word/document.xml is not supported"),
    ] {
        for (tool, argument) in [("workspace_open_document", "path"), ("read_file", "file_path")] {
            let (said, failed) = session.call(tool, json!({ argument: path }));
            assert!(failed, "{tool} {path}: {said}");
            assert!(said.starts_with(&format!("{code}: ")) && said.contains(words), "{tool} {path}: {said}");
            assert!(said.contains("Nothing was changed."), "{tool} {path}: {said}");
        }
    }
    let (said, failed) = session.call("workspace_open_document", json!({ "path": "picture.pdf" }));
    assert!(failed && said.starts_with("UNSUPPORTED: a PDF file is not supported."), "{said}");
    let (said, failed) = session.call("read_file", json!({ "file_path": "letter.docx", "limit": 1 }));
    assert!(!failed, "{said}");
}

#[test]
fn a_document_that_word_has_open_is_read_but_not_overwritten() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_all(folder.path(), outside.path());
    fs::write(folder.path().join("~$letter.docx"), b"\x05Julia").unwrap();
    let before = fs::read(folder.path().join("letter.docx")).unwrap();
    let mut session = Session::start(folder.path(), &["--tools", "all"]);
    let (said, failed) = session.call("read_file", json!({ "file_path": "letter.docx", "limit": 1 }));
    assert!(!failed, "{said}");
    let (said, failed) = session.call("workspace_save_document", json!({}));
    assert!(failed && said.starts_with("LOCKED: "), "{said}");
    assert_eq!(fs::read(folder.path().join("letter.docx")).unwrap(), before);
}
