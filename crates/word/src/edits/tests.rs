use edit::{Content, Refusal};
use testkit::Checked;

use super::*;
use crate::edits::changes::{Resolution, ResolveChanges};
use crate::op::{self, Operation};
use crate::testing::{document, lines, p, r, rr};
use crate::vocabulary::{Edit, plan};
use crate::{Side, Which, Word};

fn id(content: &Content, index: usize) -> ParagraphId {
    let view = View::read(content).expect("viewed");
    let place = view.places().nth(index).expect("there are that many");
    view.id(place)
}

fn body(content: &Content) -> String {
    let blob = content.read("word/document.xml").expect("read").expect("there");
    let text = String::from_utf8(blob.bytes().into_owned()).expect("UTF-8");
    let start = text.find("<w:body>").expect("a body") + 8;
    text[start..text.find("<w:sectPr/></w:body>").expect("a body")].to_owned()
}

fn check(content: &Content, edit: Edit) -> Result<Checked<Word>, Refusal> {
    testkit::check::<Word>(content, &[edit])
}

fn replacing(content: &Content, index: usize, old: &str, new: &str, markup: Markup) -> Edit {
    let (paragraph, expect) = (id(content, index), None);
    Edit::ReplaceText(ReplaceText {
        paragraph,
        old: old.into(),
        new: new.into(),
        expect,
        markup,
        clear_highlight: false,
    })
}

fn replace(
    content: &Content,
    index: usize,
    old: &str,
    new: &str,
    markup: Markup,
) -> Result<Checked<Word>, Refusal> {
    check(content, replacing(content, index, old, new, markup))
}

fn insert(
    content: &Content,
    index: usize,
    position: Position,
    text: &str,
    markup: Markup,
) -> Result<Checked<Word>, Refusal> {
    let anchor = id(content, index);
    let edit = InsertParagraphs { anchor, position, text: text.into(), style_source: None, markup };
    check(content, Edit::InsertParagraphs(edit))
}

fn delete(content: &Content, index: usize, markup: Markup) -> Result<Checked<Word>, Refusal> {
    check(
        content,
        Edit::DeleteParagraph(DeleteParagraph { paragraph: id(content, index), expect: None, markup }),
    )
}

#[test]
fn an_inserted_paragraph_clones_no_identity() {
    let anchor = "<w:p w14:paraId=\"11111111\" w:rsidR=\"00AA\"><w:pPr><w:pStyle w:val=\"S\"/><w:numPr><w:numId w:val=\"3\"/></w:numPr><w:rPr><w:ins w:id=\"4\" w:author=\"You\" w:date=\"d\"/><w:b/></w:rPr><w:sectPr/></w:pPr><w:bookmarkStart w:id=\"1\" w:name=\"b\"/><w:commentRangeStart w:id=\"2\"/><w:r><w:rPr><w:i/><w:rPrChange w:id=\"5\" w:author=\"You\" w:date=\"d\"><w:rPr/></w:rPrChange></w:rPr><w:t>Item</w:t></w:r><w:bookmarkEnd w:id=\"1\"/><w:commentRangeEnd w:id=\"2\"/></w:p>";
    let mut before = document(anchor);
    let declared =
        part(&before, "word/document.xml").replacen("<w:document ", "<w:document mc:Ignorable=\"w14\" ", 1);
    before.insert(edit::PartName::new("word/document.xml"), edit::Blob::from(declared));
    let done = insert(&before, 0, Position::After, "One\nline\n\nTwo", Markup::Plain).expect("safe");
    let after = body(&done.content);
    let new = after.strip_prefix(anchor).expect("the anchor is untouched");
    for kept in ["sectPr", "bookmark", "comment", "11111111", "rPrChange", "w:ins", "rsid"] {
        assert!(!new.contains(kept), "{kept} in {new}");
    }
    assert_eq!(new.matches("<w:numId w:val=\"3\"/>").count(), 2);
    assert_eq!(new.matches("w14:paraId=\"").count(), 2);
    assert!(new.contains("<w:rPr><w:i/></w:rPr><w:t>One</w:t><w:br/><w:t>line</w:t>"), "{new}");
    let Outcome::Inserted { paragraphs } = &done.outcomes[0] else { panic!("inserted") };
    let places: Vec<_> = paragraphs.iter().map(|id| done.view.find(*id).expect("named")).collect();
    let texts: Vec<_> =
        places.iter().map(|place| done.view.paragraph(*place).unwrap().text(Side::Final).text).collect();
    assert_eq!(texts, ["One\nline", "Two"]);
}

#[test]
fn a_blank_line_in_a_replacement_is_told_to_begin_no_paragraph() {
    let before = document(&p(&r("One two")));
    let view = View::read(&before).expect("viewed");
    let told = |new: &str| {
        let edit = replacing(&before, 0, "One", new, Markup::Plain);
        plan(&view, &edit, &testkit::context()).expect("planned").step.notes.len()
    };
    assert_eq!([told("1\n\n2"), told("1\n2"), told("1")], [1, 0, 0]);
}

#[test]
fn an_expectation_that_fails_refuses() {
    let before = document(&p(&r("One")));
    let edit = ReplaceText {
        paragraph: id(&before, 0),
        old: "One".into(),
        new: "Two".into(),
        expect: Some(Expect { text_hash: text_hash("Other") }),
        markup: Markup::Plain,
        clear_highlight: false,
    };
    assert!(matches!(
        check(&before, Edit::ReplaceText(edit.clone())),
        Err(Refusal::Rule { code: "TEXT_CHANGED", .. })
    ));
    let edit = ReplaceText { expect: Some(Expect { text_hash: text_hash("One") }), ..edit };
    assert!(check(&before, Edit::ReplaceText(edit)).is_ok());
}

fn sound(before: &Content, after: &Content) {
    assert_eq!(crate::new_problems(before, after).expect("linted"), []);
}

#[test]
fn a_comment_tells_where_it_hangs_what_it_answers_and_whether_it_is_resolved() {
    let before = document(&p(&format!("{}{}", r("one "), rr("<w:b/>", "two three"))));
    let made = comment(&before, Some("one two"), "Why?");
    let first = made.view.comments().expect("listed")[0].id.clone();
    let reply = ReplyToComment { comment: first.clone(), text: "Because.".into() };
    let made = check(&made.content, Edit::ReplyToComment(reply)).expect("answered");
    let done = ResolveComment { comment: first.clone(), done: true };
    let made = check(&made.content, Edit::ResolveComment(done)).expect("resolved");
    let threads = made.view.threads().expect("told");
    let ids: Vec<String> = made.view.comments().expect("listed").into_iter().map(|one| one.id).collect();
    let (asked, answer) = (&threads[&ids[0]], &threads[&ids[1]]);
    assert_eq!((asked.paragraph, asked.quote.as_str()), (Some(id(&before, 0)), "one two"));
    assert_eq!((asked.resolved, asked.parent.as_deref()), (true, None));
    assert_eq!((answer.paragraph, answer.parent.as_deref()), (Some(id(&before, 0)), Some(first.as_str())));
}

fn comment(content: &Content, quote: Option<&str>, text: &str) -> Checked<Word> {
    let edit = AddComment { paragraph: id(content, 0), quote: quote.map(Into::into), text: text.into() };
    check(content, Edit::AddComment(edit)).expect("commented")
}

fn part(content: &Content, name: &str) -> String {
    let blob = content.read(name).expect("read").unwrap_or_default();
    String::from_utf8(blob.bytes().into_owned()).expect("UTF-8")
}

#[test]
fn a_comment_stands_exactly_around_what_it_quotes() {
    let before = document(&p(&rr("<w:b/>", "one two three")));
    let done = comment(&before, Some("two"), "Why & how?\nSay.");
    sound(&before, &done.content);
    let bold = |text: &str| format!("<w:r><w:rPr><w:b/></w:rPr>{text}</w:r>");
    assert_eq!(
        body(&done.content),
        p(&format!(
            "{}<w:commentRangeStart w:id=\"1\"/>{}<w:commentRangeEnd w:id=\"1\"/><w:r><w:commentReference w:id=\"1\"/></w:r>{}",
            bold("<w:t xml:space=\"preserve\">one </w:t>"),
            bold("<w:t>two</w:t>"),
            bold("<w:t xml:space=\"preserve\"> three</w:t>"),
        ))
    );
    let comments = done.view.comments().expect("read");
    assert_eq!(comments[0].text, "Why & how?\nSay.");
    assert_eq!(comments[0].author, "Tester");
}

#[test]
fn a_thread_is_answered_resolved_and_deleted() {
    let before = document(&p(&r("one two")));
    let first = comment(&before, Some("two"), "Why?").content;
    let reply = Edit::ReplyToComment(ReplyToComment { comment: "1".into(), text: "Because.".into() });
    let answered = check(&first, reply).expect("answered");
    sound(&before, &answered.content);
    assert_eq!(answered.view.comments().expect("read").len(), 2);
    assert!(part(&answered.content, "word/commentsExtended.xml").contains("w15:paraIdParent=\""));
    let resolve = Edit::ResolveComment(ResolveComment { comment: "1".into(), done: true });
    let resolved = check(&answered.content, resolve).expect("resolved");
    assert_eq!(part(&resolved.content, "word/commentsExtended.xml").matches("w15:done=\"1\"").count(), 2);
    let again = Edit::ResolveComment(ResolveComment { comment: "1".into(), done: false });
    let open = check(&resolved.content, again).expect("reopened");
    assert_eq!(
        part(&open.content, "word/commentsExtended.xml"),
        part(&answered.content, "word/commentsExtended.xml")
    );
    let deleted = check(&resolved.content, Edit::DeleteComment(DeleteComment { comment: "1".into() }))
        .expect("deleted");
    sound(&before, &deleted.content);
    assert!(!body(&deleted.content).contains("comment"));
    assert_eq!(deleted.view.comments().expect("read"), []);
    assert!(!part(&deleted.content, "word/commentsExtended.xml").contains("commentEx "));
    let missing = check(&first, Edit::DeleteComment(DeleteComment { comment: "9".into() }));
    assert!(matches!(missing, Err(Refusal::NotFound { .. })));
}

fn fill(content: &Content, pairs: &[(&str, &str)], markup: Markup) -> Result<Checked<Word>, Refusal> {
    let values = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    check(content, Edit::FillTemplate(FillTemplate { values, markup }))
}

#[test]
fn placeholders_are_filled_across_runs_and_keep_their_look() {
    let before = document(&p(&format!(
        "{}{}{}",
        r("Dear {{fir"),
        rr("<w:b/>", "st name}}"),
        r(", {{ city }} & {{other}}")
    )));
    for markup in [Markup::Plain, Markup::Tracked] {
        let done = fill(&before, &[("first name", "Ann <b>"), ("city", "Bonn"), ("zip", "1")], markup)
            .expect("filled");
        assert_eq!(lines(&done.view, Side::Final), ["Dear Ann <b>, Bonn & {{other}}"]);
        sound(&before, &done.content);
        let Outcome::Filled { filled, unused, missing } = &done.outcomes[0] else { panic!("filled") };
        assert_eq!(
            (filled.len(), unused.as_slice(), missing.as_slice()),
            (2, &["zip".to_owned()][..], &["other".to_owned()][..])
        );
    }
}

#[test]
fn a_tracked_deletion_of_the_last_paragraph_says_that_it_stays() {
    let before = document(&(p(&r("one")) + &p(&r("two"))));
    for (markup, stays) in [(Markup::Plain, false), (Markup::Tracked, true)] {
        let done = delete(&before, 1, markup).expect("deleted");
        assert!(matches!(done.outcomes[..], [Outcome::Deleted { kept, .. }] if kept == stays), "{markup:?}");
    }
}

#[test]
fn a_deleted_paragraph_takes_its_comments_along() {
    let before = document(&format!("{}{}", p(&r("one two")), p(&r("three"))));
    let first = comment(&before, Some("two"), "Why?").content;
    let reply = Edit::ReplyToComment(ReplyToComment { comment: "1".into(), text: "Because.".into() });
    let answered = check(&first, reply).expect("answered").content;
    let done = delete(&answered, 0, Markup::Plain).expect("deleted");
    sound(&before, &done.content);
    assert_eq!(body(&done.content), p(&r("three")));
    assert_eq!(done.view.comments().expect("read"), []);
    let tracked = delete(&answered, 0, Markup::Tracked).expect("deleted");
    sound(&before, &tracked.content);
    assert_eq!(tracked.view.comments().expect("read").len(), 2);
}

#[test]
fn accents_that_are_spelled_otherwise_are_found_and_stay_as_they_are() {
    let before = document(&p(&(r("Le cafe\u{301} ") + &rr("<w:b/>", "ferme\u{301}") + &r(" tard"))));
    let done =
        replace(&before, 0, "caf\u{e9} ferm\u{e9} tard", "caf\u{e9} ferm\u{e9} t\u{f4}t", Markup::Plain);
    let after = p(&(r("Le cafe\u{301} ") + &rr("<w:b/>", "ferme\u{301}") + &r(" t\u{f4}t")));
    assert_eq!(body(&done.expect("replaced").content), after);
    // Who quotes a text as it is, and asks for the other spelling, gets it.
    let done = replace(&before, 0, "ferme\u{301}", "ferm\u{e9}", Markup::Plain).expect("replaced");
    assert!(body(&done.content).contains(">ferm\u{e9}<"), "{}", body(&done.content));
    let done = comment(&before, Some("caf\u{e9}"), "Why?");
    assert_eq!(done.view.threads().expect("read").values().next().expect("one").quote, "cafe\u{301}");
}

mod bookmarks;
mod comments;
mod controls;
mod deletions;
mod notes;
mod refusals;
mod running;
mod staging;
mod tables;

#[test]
fn a_deletion_takes_phonetic_text_with_the_run_that_holds_it() {
    let ruby = |text: &str| {
        format!(
            "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:{text}>above</w:{text}></w:r></w:rt><w:rubyBase><w:r><w:{text}>base</w:{text}></w:r></w:rubyBase></w:ruby></w:r>"
        )
    };
    let content = document(&format!("{}{}", p(&ruby("t")), p(&r("next"))));
    let deleted = delete(&content, 0, Markup::Tracked).expect("deleted").content;
    assert_eq!(body(&deleted).matches("<w:del ").count(), 2, "the run and the mark");
    assert!(body(&deleted).contains(&format!(">{}</w:del>", ruby("delText"))), "{}", body(&deleted));
    let edit = ResolveChanges { resolution: Resolution::Reject, which: Which::All };
    let rejected = check(&deleted, Edit::ResolveChanges(edit)).expect("rejected").content;
    assert_eq!(body(&rejected), body(&content));
}

#[test]
fn what_is_written_anew_is_in_order_where_the_file_is_not() {
    let torn = "<w:pPr><w:jc w:val=\"left\"/><w:spacing w:after=\"0\"/><w:jc w:val=\"right\"/></w:pPr>";
    let content = document(&format!("<w:p>{torn}{}</w:p>", r("only")));
    for markup in [Markup::Plain, Markup::Tracked] {
        let after = insert(&content, 0, Position::After, "new", markup).expect("inserted").content;
        assert_eq!(crate::new_problems(&content, &after).expect("linted"), []);
        let new = "<w:spacing w:after=\"0\"/><w:jc w:val=\"right\"/>";
        assert!(body(&after).contains(new) && !body(&after).contains("pPrChange"), "{}", body(&after));
    }
}

/// Some programs put a table into a paragraph, and Word reads it.
#[test]
fn a_table_in_a_paragraph_is_edited_and_never_torn() {
    let inner = format!("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", p(&r("inner")));
    let outer = p(&format!("{}{inner}{}", r("outer text"), r(" behind")));
    let content = document(&format!("<w:tbl><w:tr><w:tc>{outer}</w:tc></w:tr></w:tbl>{}", p(&r("last"))));
    for (index, word) in ["behind", "inner", "last"].into_iter().enumerate() {
        for markup in [Markup::Plain, Markup::Tracked] {
            let edits = [
                replace(&content, index, word, "new words", markup),
                insert(&content, index, Position::After, "one\n\ntwo", markup),
                insert(&content, index, Position::Before, "one\n\ntwo", markup),
                delete(&content, index, markup),
            ];
            for (number, edit) in edits.into_iter().enumerate() {
                let told = format!("edit {number} of {word}, {markup:?}");
                if (index, number) == (0, 3) {
                    assert!(matches!(edit, Err(Refusal::Unsafe { .. })), "{told}");
                    continue;
                }
                let after = edit.unwrap_or_else(|refusal| panic!("{told}: {refusal}"));
                assert_eq!(crate::new_problems(&content, &after.content).expect("linted"), [], "{told}");
                let fresh = View::read(&after.content).expect("viewed");
                assert_eq!(lines(&after.view, Side::Final), lines(&fresh, Side::Final), "{told}");
            }
        }
    }
}

#[test]
fn a_break_outside_runs_is_deleted_with_its_paragraph() {
    let content = document(&format!("{}{}", p(&format!("<w:br/>{}", r("one"))), p(&r("two"))));
    let deleted = delete(&content, 0, Markup::Tracked).expect("deleted");
    assert_eq!(lines(&deleted.view, Side::Final).concat(), "two");
    assert_eq!(lines(&deleted.view, Side::Original).concat(), "\nonetwo");
}

#[test]
fn what_is_added_to_a_strict_document_is_strict() {
    let plain = document(&p(&r("one two")));
    let names: Vec<edit::PartName> = plain.names().cloned().collect();
    let mut content = Content::new();
    let office = "http://schemas.openxmlformats.org/";
    let loose =
        [format!("{office}wordprocessingml/2006/main"), format!("{office}officeDocument/2006/relationships")];
    let strict = ["wordprocessingml/main", "officeDocument/relationships"];
    for name in names {
        let text = String::from_utf8(plain.read(&name).expect("read").expect("there").bytes().into_owned());
        let mut text = text.expect("UTF-8");
        for (loose, strict) in loose.iter().zip(strict) {
            text = text.replace(loose, &format!("http://purl.oclc.org/ooxml/{strict}"));
        }
        content.insert(name, edit::Blob::from(text));
    }
    let paragraph = id(&content, 0);
    let edits = [
        Edit::AddComment(AddComment { paragraph, quote: Some("one".into()), text: "Why?".into() }),
        Edit::AddNote(AddNote {
            paragraph,
            after: Some("two".into()),
            text: "A note".into(),
            kind: NoteKind::Footnote,
            markup: Markup::Plain,
        }),
        Edit::AddHyperlink(AddHyperlink {
            paragraph,
            quote: "two".into(),
            target: "https://example.org/".into(),
        }),
        Edit::SetRunningText(SetRunningText {
            edge: Edge::Header,
            pages: Pages::Even,
            section: 1,
            text: "Page {PAGE}".into(),
            markup: Markup::Plain,
        }),
    ];
    for edit in edits {
        let told = format!("{edit:?}");
        let after = check(&content, edit).unwrap_or_else(|refusal| panic!("{told}: {refusal}")).content;
        for name in after.names() {
            let blob = after.read(name).expect("read").expect("there");
            let text = String::from_utf8_lossy(&blob.bytes()).into_owned();
            assert!(!loose.iter().any(|loose| text.contains(loose)), "{told}: {name}: {text}");
        }
    }
}
