//! Text beside tables, where a paragraph stands and where none does.

use super::*;

fn cell(inner: &str) -> String {
    format!("<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/>{inner}</w:tc></w:tr></w:tbl>")
}

fn beside(
    content: &Content,
    table: usize,
    position: Position,
    markup: Markup,
) -> Result<Checked<Word>, Refusal> {
    let view = View::read(content).expect("viewed");
    let table = view.tables().nth(table).expect("that many").id;
    let (text, style_source) = ("New\n\nText".to_owned(), None);
    check(content, Edit::InsertBesideTable(InsertBesideTable { table, position, text, style_source, markup }))
}

#[test]
fn text_goes_before_and_behind_every_table() {
    let heading = p(&format!("<w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr>{}", r("Heading")));
    let body = cell(&(cell(&p(&r("inner"))) + &p(&r("outer"))))
        + &cell(&p(&r("second")))
        + &heading
        + &p(&format!("<w:pPr><w:jc w:val=\"both\"/></w:pPr>{}", rr("<w:i/>", "last")));
    let before = document(&body);
    let old = ["inner", "outer", "second", "Heading", "last"];
    for (table, position, at) in [
        (0, Position::Before, 0),
        (0, Position::After, 2),
        (1, Position::Before, 0),
        (1, Position::After, 1),
        (2, Position::Before, 2),
        (2, Position::After, 3),
    ] {
        let mut wanted: Vec<&str> = old.to_vec();
        wanted.splice(at..at, ["New", "Text"]);
        for markup in [Markup::Plain, Markup::Tracked] {
            let done = beside(&before, table, position, markup).expect("inserted");
            sound(&before, &done.content);
            assert_eq!(lines(&done.view, Side::Final), wanted, "{table} {position:?}");
            let tables = done.view.tables().count();
            assert_eq!(tables, 3);
            if markup == Markup::Tracked {
                let reject = ResolveChanges { resolution: Resolution::Reject, which: Which::All };
                let back = check(&done.content, Edit::ResolveChanges(reject)).expect("rejected");
                assert_eq!(body_of(&back.content), body_of(&before), "{table} {position:?}");
            }
        }
    }
    // Between the first two tables it looks like plain text nearby, not like the heading that is nearer.
    let done = beside(&before, 0, Position::After, Markup::Plain).expect("inserted");
    let like = "</w:tbl><w:p><w:pPr><w:jc w:val=\"both\"/></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t>New</w:t></w:r></w:p>";
    assert!(body_of(&done.content).contains(like), "{}", body_of(&done.content));
    // In the cell it stands before the inner table.
    let done = beside(&before, 1, Position::Before, Markup::Plain).expect("inserted");
    assert!(body_of(&done.content).contains("<w:tcPr/><w:p>"), "{}", body_of(&done.content));
}

fn body_of(content: &Content) -> String {
    part(content, "word/document.xml")
}

#[test]
fn a_paragraph_that_keeps_two_tables_apart_stays_and_says_why() {
    let before = document(&(cell(&p(&r("a"))) + &p(&r("between")) + &cell(&p(&r("b"))) + &p("")));
    let view = View::read(&before).expect("views");
    for markup in [Markup::Plain, Markup::Tracked] {
        let paragraph = id(&before, 1);
        let edit = Edit::DeleteParagraph(DeleteParagraph { paragraph, expect: None, markup });
        let planned = crate::vocabulary::plan(&view, &edit, &testkit::context()).expect("planned");
        let notes: Vec<&str> = planned.step.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(matches!(notes.as_slice(), [only] if only.contains("one table of two")), "{notes:?}");
        let done = check(&before, edit).expect("deleted");
        assert_eq!(lines(&done.view, Side::Final), ["a", "", "b", ""]);
    }
}
