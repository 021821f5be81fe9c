//! What makes Word refuse a file.

use super::*;
use crate::{AddComment, AddNote, DeleteComment, Edge, NoteKind, Outcome, Pages, SetRunningText};

#[test]
fn a_page_field_has_a_cached_result() {
    let content = document(&p(&r("body")));
    let (edge, pages, section, text) = (Edge::Footer, Pages::Default, 1, "{PAGE}".into());
    let edit = SetRunningText { edge, pages, section, text, markup: Markup::Tracked };
    let done = made(&content, Edit::SetRunningText(edit)).expect("made");
    let footer = done.content.read("word/footer1.xml").expect("read").expect("there");
    let footer = String::from_utf8(footer.bytes().into_owned()).expect("UTF-8");
    assert!(footer.contains("\"separate\"/></w:r><w:r><w:t>1</w:t></w:r>"), "{footer}");
}

#[test]
fn no_comments_part_is_left_without_being_referred_to() {
    let content = document(&p(&r("words")));
    let (paragraph, text) = (id(&content, 0), "Why?".to_owned());
    let added = made(&content, Edit::AddComment(AddComment { paragraph, quote: None, text })).expect("added");
    let Outcome::Commented { comment } = &added.outcomes[0] else { panic!("no comment") };
    let deleted = Edit::DeleteComment(DeleteComment { comment: comment.clone() });
    let done = testkit::check::<Word>(&added.content, &[deleted]).expect("deleted");
    assert_eq!(new_problems(&content, &done.content).expect("linted"), []);
}

/// External attributes of the entries, by name, as the directory of the archive has them.
fn attributes(file: &[u8]) -> Vec<(String, [u8; 4])> {
    let starts = memchr::memmem::find_iter(file, b"PK\x01\x02");
    let entries = starts.filter_map(|at| {
        let entry = file.get(at..)?;
        let length = usize::from(u16::from_le_bytes(entry.get(28..30)?.try_into().ok()?));
        let name = String::from_utf8_lossy(entry.get(46..46 + length)?).into_owned();
        Some((name, entry.get(38..42)?.try_into().ok()?))
    });
    entries.collect()
}

#[test]
fn external_attributes_of_the_archive_stay() {
    let mut file = include_bytes!("../../../../samples/contract.docx").to_vec();
    let starts: Vec<usize> = memchr::memmem::find_iter(&file, b"PK\x01\x02").collect();
    for at in starts {
        file[at + 38..at + 42].copy_from_slice(&0x81A4_0000u32.to_le_bytes());
    }
    let (package, content) =
        Word::unpack(std::sync::Arc::new(file.clone()), &ooxml::Limits::default()).expect("opened");
    let done = smart_insert(&content, 0, "New", Markup::Plain);
    let saved = Word::pack(&package, &done.content).expect("packed");
    assert_eq!(attributes(&saved), attributes(&file));
}

#[test]
fn the_id_of_a_revision_is_no_bookmarks_id() {
    let content = document(&p(&format!(
        "<w:bookmarkStart w:id=\"41\" w:name=\"b\"/>{}<w:bookmarkEnd w:id=\"41\"/>",
        r("words")
    )));
    let done = smart_edit(&content, 0, "words", "text", Markup::Tracked).expect("safe");
    let ids: Vec<String> =
        crate::changes(&done.view).expect("listed").into_iter().map(|change| change.id).collect();
    assert!(ids.iter().all(|id| id.parse::<u32>().is_ok_and(|id| id > 41)), "{ids:?}");
}

#[test]
fn new_ids_stay_below_the_limits_of_word() {
    let anchor = "<w:p w14:paraId=\"7FFFFFFE\"><w:r><w:t>words</w:t></w:r></w:p>";
    let mut content = document(anchor);
    let declared = main_part(&content).replacen("<w:document ", "<w:document mc:Ignorable=\"w14\" ", 1);
    content.insert(edit::PartName::new("word/document.xml"), edit::Blob::from(declared));
    let done = smart_insert(&content, 0, &"line\n\n".repeat(20), Markup::Plain);
    let after = main_part(&done.content);
    let ids: Vec<u32> = after
        .split("w14:paraId=\"")
        .skip(1)
        .map(|rest| u32::from_str_radix(&rest[..8], 16).expect("a number"))
        .collect();
    assert_eq!(ids.len(), 21, "{after}");
    assert!(ids.iter().all(|id| *id > 0 && *id < 0x8000_0000));
    let noted = Edit::AddNote(AddNote {
        paragraph: id(&content, 0),
        after: None,
        kind: NoteKind::Footnote,
        text: "x".into(),
        markup: Markup::Plain,
    });
    let noted = made(&content, noted).expect("noted");
    let comment = AddComment { paragraph: id(&content, 0), quote: None, text: "x".into() };
    let commented = made(&noted.content, Edit::AddComment(comment)).expect("commented");
    for name in commented.content.names() {
        let text = commented.content.read(name).expect("read").expect("there");
        let text = String::from_utf8_lossy(&text.bytes()).into_owned();
        for rest in text.split("durableId=\"").skip(1) {
            let number = u32::from_str_radix(rest.split('"').next().unwrap_or(rest), 16);
            assert!(number.is_ok_and(|number| number < 0x7FFF_FFFF), "{rest}");
        }
    }
}
