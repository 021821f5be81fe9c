//! What other programs get wrong.

use super::*;
use crate::{Resolution, ResolveChanges, Which, changes};

#[test]
fn revisions_of_other_authors_survive() {
    let theirs = "<w:ins w:id=\"4\" w:author=\"Theirs\" w:date=\"2020-01-01T00:00:00Z\"><w:r><w:t>added</w:t></w:r></w:ins>";
    let before = document(&(p(&(r("a ") + theirs)) + &p(&r("ours"))));
    let done = smart_edit(&before, 1, "ours", "mine", Markup::Tracked).expect("safe");
    assert!(main_part(&done.content).contains(theirs));
    let author = testkit::context().author;
    let accept = ResolveChanges { resolution: Resolution::Accept, which: Which::Author(author) };
    let accepted = made(&done.content, Edit::ResolveChanges(accept)).expect("accepted");
    assert!(main_part(&accepted.content).contains(theirs));
    assert_eq!(changes(&accepted.view).expect("listed").len(), 1);
}

#[test]
fn nested_fields_are_read_as_one_text() {
    let inner = field("MERGEFIELD", "Ann");
    let nested = format!(
        "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> IF </w:instrText></w:r>{inner}<w:r><w:instrText> = x </w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>",
        r("Yes")
    );
    let before = document(&p(&(r("Say ") + &nested + &r(" now."))));
    assert_eq!(nodes(&before)[0].text, "Say Yes now.");
    let done = smart_edit(&before, 0, "now", "later", Markup::Plain).expect("safe");
    assert!(main_part(&done.content).contains(&nested));
}

#[test]
fn a_text_box_is_read_once() {
    let inner = format!("<w:txbxContent>{}</w:txbxContent>", p(&r("boxed")));
    let both = format!(
        "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wp:inline><wps:wsp><wps:txbx>{inner}</wps:txbx></wps:wsp></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{inner}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    );
    let content = document(&p(&(r("host") + &both)));
    let view = Word::view(&content).expect("viewed");
    let boxed = lines(&view, Side::Final).into_iter().filter(|line| line.contains("boxed"));
    assert_eq!(boxed.count(), 1);
}

#[test]
fn a_saved_file_is_deflated_and_not_larger_than_its_edit() {
    let file = include_bytes!("../../../../samples/contract.docx");
    let (package, content) =
        Word::unpack(std::sync::Arc::new(file.to_vec()), &ooxml::Limits::default()).expect("opened");
    let view = Word::view(&content).expect("viewed");
    let place = view
        .body()
        .find(|place| view.paragraph(*place).expect("read").text(Side::Final).text.contains("thirty (30)"));
    let paragraph = view.id(place.expect("the paragraph"));
    let (old, new, expect, markup) = ("thirty (30)".into(), "sixty (60)".into(), None, Markup::Tracked);
    let edit = Edit::ReplaceText(ReplaceText { paragraph, old, new, expect, markup, clear_highlight: false });
    let done = made(&content, edit).expect("made");
    let saved = Word::pack(&package, &done.content).expect("packed");
    assert!(saved.len() < file.len() + 1024, "{} became {}", file.len(), saved.len());
}
