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

#[test]
fn notes_go_with_the_text_that_refers_to_them() {
    let before = noted();
    let done = delete(&before, 0, Markup::Plain).expect("deleted");
    sound(&before, &done.content);
    assert!(!notes(&done.content).contains("first") && notes(&done.content).contains("second"));
    let tracked = delete(&before, 0, Markup::Tracked).expect("deleted");
    assert_eq!(notes(&tracked.content), notes(&before));
}

#[test]
fn a_note_that_is_emptied_keeps_its_number() {
    let before = noted();
    for markup in [Markup::Plain, Markup::Tracked] {
        let done = delete(&before, 3, markup).expect("emptied");
        sound(&before, &done.content);
        let first = notes(&done.content);
        assert!(first.contains("<w:p><w:r><w:footnoteRef/></w:r>"), "{first}");
        assert_eq!(lines(&done.view, Side::Final)[3], "");
    }
}

#[test]
fn a_blank_line_in_a_note_or_comment_leaves_no_empty_paragraph() {
    let before = document(&p(&r("one two")));
    let comment = AddComment { paragraph: id(&before, 0), quote: None, text: "Why?\n\nSay more.\n".into() };
    let done = check(&before, Edit::AddComment(comment)).expect("commented");
    assert_eq!(lines(&done.view, Side::Final), ["one two", "Why?", "Say more."]);
    let kind = NoteKind::Endnote;
    let markup = Markup::Plain;
    let note = AddNote { paragraph: id(&before, 0), after: None, kind, text: "See\n\nbelow".into(), markup };
    let done = check(&before, Edit::AddNote(note)).expect("noted");
    assert_eq!(lines(&done.view, Side::Final), ["one two", "", "", " See", "below"]);
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
fn what_a_deleted_comment_was_about_is_no_longer_marked() {
    let before = commented();
    let done = delete(&before, 2, Markup::Plain).expect("deleted");
    sound(&before, &done.content);
    assert_eq!(comments_of(&done), ["5", "6"]);
    assert!(body(&done.content).starts_with(&p(&r("zero"))), "{}", body(&done.content));
    let done = delete(&before, 3, Markup::Plain).expect("deleted");
    assert_eq!(comments_of(&done), ["5", "6", "7"]);
}

#[test]
fn a_tracked_note_divides_the_insertion_of_somebody_else() {
    let ann = |id: u32, inner: &str| {
        format!("<w:ins w:id=\"{id}\" w:author=\"Ann\" w:date=\"2024-01-01T00:00:00Z\">{inner}</w:ins>")
    };
    let before = document(&p(&(r("Pay ") + &ann(5, &r("within days")) + &r(" of it"))));
    let noted = |after: &str| {
        let (paragraph, after) = (id(&before, 0), Some(after.to_owned()));
        let (kind, markup) = (NoteKind::Footnote, Markup::Tracked);
        let edit = AddNote { paragraph, after, kind, text: "Said".into(), markup };
        let done = check(&before, Edit::AddNote(edit)).expect("noted");
        sound(&before, &done.content);
        body(&done.content)
    };
    let (head, tail) = (p(&r("Pay ")).replace("</w:p>", ""), r(" of it") + "</w:p>");
    let divided = noted("within");
    let half = "<w:r><w:t>within</w:t></w:r>";
    assert!(divided.starts_with(&(head.clone() + &ann(5, half) + "<w:ins w:id=\"")), "{divided}");
    let rest = "</w:ins><w:ins w:id=\"7\" w:author=\"Ann\" w:date=\"2024-01-01T00:00:00Z\">";
    assert!(divided.ends_with(&format!("{rest}{}</w:ins>{tail}", r(" days"))), "{divided}");
    let behind = noted("days");
    assert!(behind.starts_with(&(head + &ann(5, &r("within days")) + "<w:ins w:id=\"6\"")), "{behind}");
    assert!(behind.ends_with(&format!("</w:r></w:ins>{tail}")), "{behind}");
}

#[test]
fn a_tracked_note_in_ones_own_insertion_is_part_of_it() {
    let before = document(&p(
        "<w:ins w:id=\"5\" w:author=\"Tester\" w:date=\"2024-01-01T00:00:00Z\"><w:r><w:t>new words</w:t></w:r></w:ins>",
    ));
    let (paragraph, after) = (id(&before, 0), Some("new".to_owned()));
    let edit =
        AddNote { paragraph, after, kind: NoteKind::Endnote, text: "Said".into(), markup: Markup::Tracked };
    let done = check(&before, Edit::AddNote(edit)).expect("noted");
    sound(&before, &done.content);
    assert_eq!(body(&done.content).matches("<w:ins ").count(), 1, "{}", body(&done.content));
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
