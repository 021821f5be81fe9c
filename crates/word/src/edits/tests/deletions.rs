//! Whole paragraphs that go, and what goes or stays with them.

use super::*;

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
