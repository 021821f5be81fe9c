//! Links on text that somebody inserted, and on none.

use super::*;

fn inserted(inner: &str) -> String {
    format!("<w:ins w:id=\"5\" w:author=\"Ann\" w:date=\"2024-01-01T00:00:00Z\">{inner}</w:ins>")
}

fn linked(before: &Content, quote: &str) -> String {
    let edit = AddHyperlink { paragraph: id(before, 0), quote: quote.into(), target: "#_top".into() };
    let done = check(before, Edit::AddHyperlink(edit)).expect("linked");
    sound(before, &done.content);
    body(&done.content)
}

#[test]
fn a_link_stays_in_the_insertion_that_its_words_are_in() {
    let link = |inner: &str| format!("<w:hyperlink w:anchor=\"_top\">{inner}</w:hyperlink>");
    let before = document(&p(&(r("Pay ") + &inserted(&r("within days")) + &r(" of it"))));
    let whole = r("Pay ") + &inserted(&link(&r("within days"))) + &r(" of it");
    assert_eq!(linked(&before, "within days"), p(&whole));
    // Halves of a run are marked for their blanks where they have any.
    let half = |text: &str| r(text).replace(" xml:space=\"preserve\"", "");
    let first = r("Pay ") + &inserted(&(link(&half("within")) + &r(" days"))) + &r(" of it");
    assert_eq!(linked(&before, "within"), p(&first));
    let last = r("Pay ") + &inserted(&(r("within ") + &link(&half("days")))) + &r(" of it");
    assert_eq!(linked(&before, "days"), p(&last));
    let two = document(&p(&inserted("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r>")));
    let tab = "<w:r><w:t>a</w:t><w:tab/></w:r>";
    assert_eq!(linked(&two, "b"), p(&inserted(&format!("{tab}{}", link("<w:r><w:t>b</w:t></w:r>")))));
}

#[test]
fn a_link_goes_around_what_somebody_deleted_between_its_words() {
    let gone = "<w:del w:id=\"6\" w:author=\"Bob\" w:date=\"2024-01-01T00:00:00Z\"><w:r><w:delText>x</w:delText></w:r></w:del>";
    let words = r("one ") + gone + &r("two");
    let before = document(&p(&inserted(&words)));
    let after = format!("<w:hyperlink w:anchor=\"_top\">{words}</w:hyperlink>");
    assert_eq!(linked(&before, "one two"), p(&inserted(&after)));
}

#[test]
fn a_quote_without_words_is_named_as_such() {
    let before = document(&p(&r("one two")));
    let (paragraph, quote) = (id(&before, 0), String::new());
    let comment = AddComment { paragraph, quote: Some(quote.clone()), text: "Why?".into() };
    let link = AddHyperlink { paragraph, quote, target: "#_top".into() };
    for edit in [Edit::AddComment(comment), Edit::AddHyperlink(link)] {
        let refusal = check(&before, edit).err().expect("refused").to_string();
        assert!(refusal.starts_with("quote: an empty text"), "{refusal}");
    }
}
