use super::*;
use crate::Side as Reading;

fn insert(text: &str, scope: Scope, location: Location) -> InsertText {
    InsertText { text: text.into(), scope, location, ..InsertText::default() }
}

fn finals(done: &Checked<Word>) -> Vec<String> {
    lines(&done.view, Reading::Final)
}

#[test]
fn the_selection_is_replaced_and_named() {
    let before = document(&p(&format!("{}{}", r("Say "), rr("<w:b/>", "this now"))));
    let op = Op::InsertText(insert("Hello, Word!", Scope::Selection, Location::Replace));
    let done = act(&before, op, selecting(&before, "this"), Markup::Plain).expect("safe");
    assert_eq!(finals(&done), ["Say Hello, Word! now"]);
    let Answer::Text { range, length } = answer(&done) else { panic!() };
    assert_eq!((under(&done.view, range).as_str(), *length), ("Hello, Word!", 12));
    assert!(body(&done.content).contains("<w:b/>"));
}

#[test]
fn a_document_without_a_body_is_not_replaced() {
    let control =
        format!("<w:sdt><w:sdtPr><w:date/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>", r("then"));
    let mut before = document(&p(&(r("Now ") + &control)));
    let main = before.read("word/document.xml").expect("read").expect("there").bytes().into_owned();
    let main = String::from_utf8(main).expect("UTF-8").replace("w:body", "w:other");
    before.insert(edit::PartName::new("word/document.xml"), edit::Blob::from(main));
    let op = Op::InsertText(insert("Hello", Scope::Document, Location::Replace));
    let refusal = act(&before, op, Places::default(), Markup::Plain).err().expect("refused");
    assert!(refusal.to_string().contains("a document without a paragraph"), "{refusal}");
}

#[test]
fn a_new_paragraph_is_appended() {
    let before = document(&format!("{}{}", p(&r("One")), p(&rr("<w:i/>", "Two"))));
    for markup in [Markup::Plain, Markup::Tracked] {
        let op = InsertText { new_paragraph: true, ..insert("Thanks", Scope::Document, Location::End) };
        let done = act(&before, Op::InsertText(op), Places::default(), markup).expect("safe");
        assert_eq!(finals(&done), ["One", "Two", "Thanks"]);
        assert!(
            body(&done.content).contains("<w:rPr><w:i/></w:rPr><w:t>Thanks</w:t>"),
            "{}",
            body(&done.content)
        );
        let Answer::Text { range, .. } = answer(&done) else { panic!() };
        assert_eq!(under(&done.view, range), "Thanks");
    }
    let op = InsertText {
        new_paragraph: true,
        keep_formatting: false,
        ..insert("A\nB", Scope::Document, Location::Start)
    };
    let done = plain(&before, Op::InsertText(op));
    assert_eq!(finals(&done), ["A", "B", "One", "Two"]);
    assert!(
        body(&done.content)
            .starts_with("<w:p><w:r><w:t>A</w:t></w:r></w:p><w:p><w:r><w:t>B</w:t></w:r></w:p>")
    );
}

#[test]
fn a_line_end_is_a_paragraph_mark() {
    let before =
        document(&p(&format!("<w:pPr><w:jc w:val=\"center\"/></w:pPr>{}", rr("<w:b/>", "head tail"))));
    for markup in [Markup::Plain, Markup::Tracked] {
        let op = Op::InsertText(insert("one\ntwo\nthree ", Scope::Found("tail".into()), Location::Before));
        let done = act(&before, op, Places::default(), markup).expect("safe");
        assert_eq!(finals(&done), ["head one", "two", "three tail"], "{}", body(&done.content));
        assert_eq!(body(&done.content).matches("<w:jc w:val=\"center\"/>").count(), 3);
        let Answer::Text { range, length } = answer(&done) else { panic!() };
        assert_eq!((under(&done.view, range).as_str(), *length), ("one\ntwo\nthree ", 14));
        if markup == Markup::Tracked {
            assert_eq!(lines(&done.view, Reading::Original).concat(), "head tail");
        }
    }
}

#[test]
fn an_empty_paragraph_takes_text_whatever_its_spelling() {
    for empty in ["<w:p/>", "<w:p></w:p>", "<w:p><w:pPr><w:jc w:val=\"left\"/></w:pPr></w:p>"] {
        for markup in [Markup::Plain, Markup::Tracked] {
            for text in ["x", "x\ny"] {
                let before = document(&format!("{empty}{}", p(&r("z"))));
                let op = Op::InsertText(insert(text, Scope::Selection, Location::Replace));
                let done = act(&before, op, Places::default(), markup).expect("safe");
                let joined = finals(&done).join("\n");
                assert_eq!(joined, format!("{text}\nz"), "{}", body(&done.content));
                let Answer::Text { range, .. } = answer(&done) else { panic!() };
                assert_eq!(under(&done.view, range), text);
            }
        }
    }
}

#[test]
fn a_selection_over_paragraphs_becomes_one() {
    let before = document(&format!("{}{}{}", p(&r("first one")), p(&r("middle")), p(&r("last one"))));
    let view = View::read(&before).expect("viewed");
    let places: Vec<_> = view.places().collect();
    let start = place::span_of(&view, places[0], 6..9).expect("a span");
    let end = place::span_of(&view, places[2], 0..5).expect("a span");
    let span = Span { end: end.end, ..start };
    assert_eq!(under(&view, &span), "one\nmiddle\nlast ");
    let places = Places { selection: Some(span), ..Places::default() };
    let op = Op::InsertText(insert("and ", Scope::Selection, Location::Replace));
    let done = act(&before, op.clone(), places.clone(), Markup::Plain).expect("safe");
    assert_eq!(finals(&done), ["first and one"]);
    let done = act(&before, op, places, Markup::Tracked).expect("safe");
    assert_eq!(lines(&done.view, Reading::Original), ["first one", "middle", "last one"]);
    assert_eq!(body(&done.content).matches("<w:rPr><w:del ").count(), 2);
}

#[test]
fn search_tells_where_things_are() {
    let before =
        document(&format!("{}{}", p(&r("Invoice 1, invoices, INVOICE")), p(&rr("<w:b/>", "The Invoice"))));
    let view = View::read(&before).expect("viewed");
    let find = |search: Search| match read(&view, &Op::Search(search), &Places::default()) {
        Some(Ok((Answer::Found { results }, _))) => results,
        other => panic!("{other:?}"),
    };
    let whole = Matching { whole_word: true, ..Matching::default() };
    let hits = find(Search { query: "Invoice".into(), matching: whole, ..Search::default() });
    let shown: Vec<_> = hits.iter().map(|hit| (hit.text.as_str(), hit.start, hit.end)).collect();
    assert_eq!(shown, [("Invoice", 0, 7), ("INVOICE", 21, 28), ("Invoice", 33, 40)]);
    assert!(hits.iter().all(|hit| under(&view, &hit.range) == hit.text));
    let count =
        |query: &str, matching| find(Search { query: query.into(), matching, ..Search::default() }).len();
    assert_eq!(count("Invoice", Matching { case: true, ..Matching::default() }), 3 - 1);
    assert_eq!(count("inv", Matching { prefix: true, ..Matching::default() }), 4);
    assert_eq!(count("voice", Matching { prefix: true, ..Matching::default() }), 0);
    assert_eq!(count("[Ii]nvoices?", Matching { regex: true, case: true, ..Matching::default() }), 3);
    assert_eq!(count("<[Ii]nvoice>", Matching { wildcards: true, ..Matching::default() }), 2);
    assert_eq!(count("nothing", Matching::default()), 0);
    let two = find(Search { query: "invoice".into(), max_results: 2, ..Search::default() });
    assert_eq!(two.len(), 2);
    let bad = Search {
        query: "(".into(),
        matching: Matching { regex: true, ..Matching::default() },
        ..Search::default()
    };
    assert!(matches!(read(&view, &Op::Search(bad), &Places::default()), Some(Err(Refusal::Invalid { .. }))));
}

#[test]
fn every_match_is_replaced_across_runs() {
    let before = document(&format!(
        "{}{}{}",
        p(&format!("{}{}{}", r("In 20"), rr("<w:b/>", "24"), r(" and 2024, not 12024"))),
        p(&r("none")),
        p(&r("2024"))
    ));
    let replace = |mode| {
        let matching = Matching { whole_word: true, ..Matching::default() };
        let target = Target::Query { query: "2024".into(), matching, scope: Scope::Document };
        Op::Replace(Replace { target, with: "2025".into(), mode })
    };
    let done = plain(&before, replace(ReplaceMode::All));
    assert_eq!(finals(&done), ["In 2025 and 2025, not 12024", "none", "2025"]);
    assert_eq!(answer(&done), &Answer::Replaced { replaced: 3 });
    let done = plain(&before, replace(ReplaceMode::First));
    assert_eq!(finals(&done), ["In 2025 and 2024, not 12024", "none", "2024"]);
    let done = act(&before, replace(ReplaceMode::All), Places::default(), Markup::Tracked).expect("safe");
    assert_eq!(finals(&done), ["In 2025 and 2025, not 12024", "none", "2025"]);
    assert_eq!(lines(&done.view, Reading::Original), ["In 2024 and 2024, not 12024", "none", "2024"]);
}

#[test]
fn groups_are_filled_in_and_nothing_found_is_no_error() {
    let before = document(&p(&r("Smith, John and Doe, Jane")));
    let swap = |query: &str, with: &str, matching| {
        let target = Target::Query { query: query.into(), matching, scope: Scope::Document };
        plain(&before, Op::Replace(Replace { target, with: with.into(), mode: ReplaceMode::All }))
    };
    let regex = Matching { regex: true, ..Matching::default() };
    assert_eq!(finals(&swap(r"(\w+), (\w+)", "$2 $1", regex)), ["John Smith and Jane Doe"]);
    assert_eq!(finals(&swap(r"(\w+), (\w+)", r"\2 ${1}st$$", regex)), ["John Smithst$ and Jane Doest$"]);
    let wildcards = Matching { wildcards: true, ..Matching::default() };
    assert_eq!(
        finals(&swap(r"(<[A-Z][a-z]@>), (<[A-Z][a-z]@>)", r"\2 \1", wildcards)),
        ["John Smith and Jane Doe"]
    );
    let done = swap("missing", "x", Matching::default());
    assert_eq!(answer(&done), &Answer::Replaced { replaced: 0 });
    assert!(done.patch.is_empty());
    assert_eq!(finals(&swap(" and ", "\n", Matching::default())), ["Smith, John", "Doe, Jane"]);
}

#[test]
fn text_that_stands_in_several_places_is_not_guessed_at() {
    let before = document(&format!("{}{}{}", p(&r("Total")), p(&r("the Total of Total")), p(&r("end"))));
    let view = View::read(&before).expect("viewed");
    let select = |scope| {
        let op = Op::SetSelection(SetSelection { scope, location: Location::Replace });
        read(&view, &op, &Places::default()).expect("a reading")
    };
    let refused = select(Scope::Found("Total".into())).expect_err("three places");
    let edit::Refusal::Ambiguous { count, contexts, .. } = refused else { panic!("{refused:?}") };
    assert_eq!((count, contexts[1].as_str()), (3, "the Total of Total"));
    for scope in [Scope::First("Total".into()), Scope::Paragraph("total".into())] {
        let Ok((Answer::Selection { start, end, .. }, _)) = select(scope) else { panic!() };
        assert_eq!((start, end), (0, 5));
    }
    assert!(matches!(select(Scope::Paragraph("of".into())), Err(edit::Refusal::NotFound { .. })));
}

#[test]
fn accents_are_found_in_either_spelling_and_a_scope_means_the_one_that_was_typed() {
    let before = document(
        &(p(&r("un cafe\u{301} noir")) + &p(&r("un caf\u{e9} noir")) + &p(&r("l'e\u{301}te\u{301}"))),
    );
    let target = Target::Query {
        query: "caf\u{e9}".into(),
        matching: Matching { case: true, whole_word: true, ..Matching::default() },
        scope: Scope::Document,
    };
    let op = Replace { target, with: "th\u{e9}".into(), mode: ReplaceMode::All };
    let done = plain(&before, Op::Replace(op));
    assert_eq!(answer(&done), &Answer::Replaced { replaced: 2 });
    assert_eq!(finals(&done)[..2], ["un th\u{e9} noir", "un th\u{e9} noir"]);
    let put = |found: &str| {
        let done = plain(&before, Op::InsertText(insert("x", Scope::Found(found.into()), Location::Replace)));
        finals(&done).join("|")
    };
    assert_eq!(put("caf\u{e9}"), "un cafe\u{301} noir|un x noir|l'e\u{301}te\u{301}");
    assert_eq!(put("\u{e9}t\u{e9}"), "un cafe\u{301} noir|un caf\u{e9} noir|l'x");
}
