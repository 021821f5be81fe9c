//! Notes whose references are deleted, and what a note keeps of itself.

use super::*;
use crate::testing::document_with;

fn noted() -> Content {
    let note = |id: usize, text: &str| {
        format!(
            "<w:footnote w:id=\"{id}\">{}</w:footnote>",
            p(&format!("<w:r><w:footnoteRef/></w:r>{}", r(text)))
        )
    };
    let reference = |id: usize| format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>");
    let deleted = format!("<w:del w:id=\"9\" w:author=\"A\" w:date=\"d\">{}</w:del>", reference(3));
    let body = p(&(r("one") + &reference(1) + &r(" more")))
        + &p(&format!("<w:r><w:t>two</w:t><w:footnoteReference w:id=\"2\"/><w:t>.</w:t></w:r>{deleted}"))
        + &p(&r("three"));
    document_with(&body, &[("footnotes", &(note(1, "first") + &note(2, "second") + &note(3, "third")))])
}

fn notes(content: &Content) -> String {
    part(content, "word/footnotes.xml")
}

fn delete_note(content: &Content, note: &str, markup: Markup) -> Checked<Word> {
    let edit = DeleteNote { kind: NoteKind::Footnote, note: note.into(), markup };
    check(content, Edit::DeleteNote(edit)).expect("deleted")
}

fn resolved(content: &Content, resolution: Resolution) -> Checked<Word> {
    let which = Which::All;
    check(content, Edit::ResolveChanges(ResolveChanges { resolution, which })).expect("resolved")
}

#[test]
fn a_tracked_deletion_of_a_note_can_be_rejected() {
    let before = noted();
    for (note, gone) in [("1", "first"), ("2", "second")] {
        let done = delete_note(&before, note, Markup::Tracked);
        sound(&before, &done.content);
        assert_eq!(notes(&done.content), notes(&before), "the note stays with its reference");
        let reference = format!("<w:footnoteReference w:id=\"{note}\"/></w:r></w:del>");
        assert!(body(&done.content).contains(&reference), "{}", body(&done.content));
        let back = resolved(&done.content, Resolution::Reject);
        assert!(notes(&back.content).contains(gone));
        assert!(body(&back.content).contains(&format!("<w:footnoteReference w:id=\"{note}\"/>")));
        let accepted = resolved(&done.content, Resolution::Accept);
        sound(&before, &accepted.content);
        assert!(!notes(&accepted.content).contains(gone) && !notes(&accepted.content).contains("third"));
    }
    // Deleted by somebody else already: there is nothing to add.
    assert_eq!(body(&delete_note(&before, "3", Markup::Tracked).content), body(&before));
    let own = delete_note(&before, "2", Markup::Plain);
    assert!(body(&own.content).contains("<w:r><w:t>two</w:t><w:t>.</w:t></w:r>"), "{}", body(&own.content));
}

/// A note 1 with a comment on it, and a comment 7 that begins in the first paragraph and is named in the second.
fn commented() -> Content {
    let mark = |name: &str, id: u8| format!("<w:{name} w:id=\"{id}\"/>");
    let about = |id: u8, text: &str| {
        let reference = format!("<w:r>{}</w:r>", mark("commentReference", id));
        mark("commentRangeStart", id) + &r(text) + &mark("commentRangeEnd", id) + &reference
    };
    let comment = |id: u8| format!("<w:comment w:id=\"{id}\" w:author=\"A\">{}</w:comment>", p(&r("Why?")));
    let note = format!("<w:footnote w:id=\"1\">{}</w:footnote>", p(&about(5, "first")));
    let far = p(&(mark("commentRangeStart", 7) + &r("zero") + &mark("commentRangeEnd", 7)));
    let body = far
        + &p(&(r("one") + &format!("<w:r>{}</w:r>", mark("footnoteReference", 1)) + &about(6, " more")))
        + &p(&(r("two") + &format!("<w:r>{}</w:r>", mark("commentReference", 7))))
        + &p(&r("three"));
    let comments = comment(5) + &comment(6) + &comment(7);
    document_with(&body, &[("footnotes", &note), ("comments", &comments)])
}

fn comments_of(done: &Checked<Word>) -> Vec<String> {
    done.view.comments().expect("read").into_iter().map(|comment| comment.id).collect()
}

#[test]
fn a_comment_on_a_note_goes_with_the_note() {
    let before = commented();
    let done = delete(&before, 1, Markup::Plain).expect("deleted");
    sound(&before, &done.content);
    assert!(!notes(&done.content).contains("first"));
    assert_eq!(comments_of(&done), ["7"]);
    let done = delete_note(&before, "1", Markup::Plain);
    sound(&before, &done.content);
    assert_eq!(comments_of(&done), ["6", "7"]);
    let tracked = delete(&before, 1, Markup::Tracked).expect("deleted").content;
    let done = resolved(&tracked, Resolution::Accept);
    sound(&before, &done.content);
    assert_eq!(comments_of(&done), ["7"]);
}

#[test]
fn a_mark_that_the_author_chose_goes_with_its_note() {
    let custom = "<w:r><w:footnoteReference w:customMarkFollows=\"1\" w:id=\"1\"/><w:t>*</w:t></w:r>";
    let note = format!("<w:footnote w:id=\"1\">{}</w:footnote>", p(&r("* said")));
    let before = document_with(&p(&(r("one") + custom + &r(" two"))), &[("footnotes", &note)]);
    let plain = delete_note(&before, "1", Markup::Plain);
    sound(&before, &plain.content);
    assert_eq!(body(&plain.content), p(&(r("one") + &r(" two"))));
    let tracked = delete_note(&before, "1", Markup::Tracked);
    sound(&before, &tracked.content);
    assert_eq!(lines(&tracked.view, Side::Final)[0], "one two");
    let gone = "<w:r><w:footnoteReference w:customMarkFollows=\"1\" w:id=\"1\"/><w:delText>*</w:delText></w:r></w:del>";
    assert!(body(&tracked.content).contains(gone), "{}", body(&tracked.content));
    let back = resolved(&tracked.content, Resolution::Reject);
    assert_eq!(body(&back.content), body(&before));
}

#[test]
fn marks_of_a_page_in_new_text_are_told_to_be_no_more_than_characters() {
    let before = noted();
    let view = View::read(&before).expect("viewed");
    let told = |edit: Edit| {
        let notes = plan(&view, &edit, &testkit::context()).expect("planned").step.notes;
        notes.into_iter().map(|note| note.text).collect::<Vec<_>>().join("; ")
    };
    let quoted = |new: &str| told(replacing(&before, 0, "one[^1] more", new, Markup::Plain));
    assert_eq!(quoted("1[^1] more"), "");
    assert!(quoted("one[^1] more[^2]").contains("[^2]"));
    let anchor = id(&before, 0);
    for (text, mark) in
        [("See[^9].", "[^9]"), ("a [c3]", "[c3]"), ("b [image: x]", "[image: x]"), ("[clause] [^]", "")]
    {
        let insert = InsertParagraphs {
            anchor,
            position: Position::After,
            text: text.into(),
            style_source: None,
            markup: Markup::Plain,
        };
        let told = told(Edit::InsertParagraphs(insert));
        assert_eq!(told.is_empty(), mark.is_empty(), "{told}");
        assert!(told.contains(mark), "{told}");
    }
}
