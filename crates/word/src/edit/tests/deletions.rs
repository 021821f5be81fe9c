//! Whole paragraphs that go, and what goes or stays with them.

use super::*;

const TESTER: &str = "w:author=\"Tester\" w:date=\"2026-01-01T00:00:00Z\"";

fn inserted_by(author: &str, runs: &str) -> String {
    let who = TESTER.replace("Tester", author);
    format!(
        "<w:p><w:pPr><w:rPr><w:ins w:id=\"7\" {who}/></w:rPr></w:pPr><w:ins w:id=\"8\" {who}>{runs}</w:ins></w:p>"
    )
}

#[test]
fn a_paragraph_of_ones_own_insertion_goes_without_a_trace() {
    let others = [p(&r("one")), p(&r("two"))];
    for at in 0..=2 {
        let mut all = others.to_vec();
        all.insert(at, inserted_by("Tester", &(r("my ") + &rr("own", "<w:b/>"))));
        let done = delete(&document(&all.concat()), at, Markup::Tracked).expect("deleted");
        assert_eq!(body(&done.content), others.concat(), "{at}");
    }
    let marked = inserted_by("Tester", &r("own"))
        .replace("<w:ins w:id=\"8\"", "<w:proofErr w:type=\"spellStart\"/><w:ins w:id=\"8\"");
    let done = delete(&document(&(marked + &others.concat())), 0, Markup::Tracked).expect("deleted");
    assert_eq!(body(&done.content), others.concat());
}

#[test]
fn a_paragraph_that_another_inserted_is_marked_as_deleted() {
    let content = document(&(inserted_by("Ann", &r("hers")) + &p(&r("two"))));
    let done = delete(&content, 0, Markup::Tracked).expect("deleted");
    let after = body(&done.content);
    assert!(after.contains("<w:ins w:id=\"7\"") && after.contains(">hers</w:delText>"), "{after}");
}

#[test]
fn ones_own_words_in_a_paragraph_that_is_deleted_leave_no_empty_insertion() {
    let own = format!("<w:ins w:id=\"8\" {TESTER}>{}{}</w:ins>", r("my "), r("own"));
    let content = document(&(p(&(r("a ") + &own + &r(" b"))) + &p(&r("two"))));
    let done = delete(&content, 0, Markup::Tracked).expect("deleted");
    let after = body(&done.content);
    assert!(!after.contains("<w:ins") && !after.contains("own"), "{after}");
    assert_eq!(after.matches("<w:del ").count(), 3, "{after}");
}

#[test]
fn an_equation_goes_with_its_paragraph() {
    let equation = "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>";
    let alone = format!("<w:p><m:oMathPara>{equation}</m:oMathPara></w:p>");
    for before in [p(&(r("so ") + equation + &r(" holds"))), alone] {
        let content = document(&(before + &p(&r("two"))));
        let done = delete(&content, 0, Markup::Tracked).expect("deleted");
        let after = body(&done.content);
        assert!(after.contains("<w:del ") && !after.contains("<w:p><m:"), "{after}");
        assert_eq!(lines(&done.view, Side::Final), ["", "two"]);
        let all = ResolveChanges { resolution: Resolution::Accept, which: Which::All };
        let accepted = check(&done.content, Edit::ResolveChanges(all)).expect("accepted");
        assert_eq!(body(&accepted.content), p(&r("two")));
    }
}
