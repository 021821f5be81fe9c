//! Redlines, read as either document.

use super::*;
use crate::document::paragraph::Side;
use crate::testing::{document, lines, p, r};
use crate::{Resolution, ResolveChanges, Which, Word};

fn compare(original: &View, revised: &View, markup: Markup) -> Result<Comparison, Refusal> {
    super::compare(original, revised, markup, Formatting::Kept, &Stop::never())
}

#[test]
fn a_comparison_that_nobody_wants_ends() {
    let [old, new] = ["one", "two"].map(|text| View::read(&paragraphs(&[text])).expect("viewed"));
    let stopped = super::compare(&old, &new, Markup::Tracked, Formatting::Kept, &Stop::when(|| true));
    assert_eq!(stopped, Err(Refusal::Cancelled));
}

fn paragraphs(texts: &[&str]) -> edit::Content {
    document(&texts.iter().map(|text| p(&r(text))).collect::<String>())
}

#[test]
fn a_redline_reads_as_either_document() {
    for (old, new) in [
        (
            &["One fine day.", "Two is company.", "Three."][..],
            &["One fine day.", "Two are company.", "Three."][..],
        ),
        (&["Alpha beta", "Gamma delta", "End"], &["Alpha beta", "End"]),
        (&["Alpha beta", "End"], &["Alpha beta", "New here", "And here", "End"]),
        (&["Alpha beta gamma", "End"], &["Start", "Alpha beta GAMMA now", "End", "Behind <b>it</b>"]),
        (&["All", "of", "it"], &["Something else entirely"]),
        (&["One", "Two here", "End"], &["First", "Second", "One", "x", "y", "Two there", "End"]),
        (&["Alpha beta", "Gamma delta"], &["Other", "More", "Gamma delta epsilon"]),
    ] {
        let (before, after) = (paragraphs(old), paragraphs(new));
        let (first, second) = (View::read(&before).expect("viewed"), View::read(&after).expect("viewed"));
        let edits = compare(&first, &second, Markup::Tracked).expect("compared").edits;
        let done = testkit::check::<Word>(&before, &edits).expect("made");
        for (resolution, wanted) in [(Resolution::Accept, new), (Resolution::Reject, old)] {
            let edit = Edit::ResolveChanges(ResolveChanges { resolution, which: Which::All });
            let resolved = testkit::check::<Word>(&done.content, &[edit]).expect("resolved");
            assert_eq!(lines(&resolved.view, Side::Final), wanted, "{resolution:?} {old:?} {new:?}");
        }
    }
}

fn table(rows: &[&[&str]]) -> String {
    let cell = |text: &&str| format!("<w:tc><w:tcPr/>{}</w:tc>", p(&r(text)));
    let row = |cells: &&[&str]| format!("<w:tr>{}</w:tr>", cells.iter().map(cell).collect::<String>());
    let grid = "<w:gridCol w:w=\"1\"/>".repeat(rows[0].len());
    let rows: String = rows.iter().map(row).collect();
    format!("<w:tbl><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>")
}

fn grid(view: &View) -> Vec<(Option<(usize, usize)>, String)> {
    let cell = |place| {
        let table = view.table_around(place)?;
        view.cell_of(place, &table)
    };
    let text = |place| view.paragraph(place).expect("reads").text(Side::Final).text;
    view.places().map(|place| (cell(place), text(place))).collect()
}

#[test]
fn tables_are_compared_row_by_row_and_text_stays_out_of_the_wrong_cells() {
    let fees: &[&[&str]] = &[&["Item", "Fee"], &["Audit", "100"], &["Advice", "200"]];
    for (old, new) in [
        (
            p(&r("In")) + &table(fees) + &p(&r("End")),
            p(&r("In")) + &table(fees) + &p(&r("New")) + &p(&r("End")),
        ),
        (table(fees) + &p(&r("End")), p(&r("Start")) + &table(fees) + &p(&r("End"))),
        (
            p(&r("In")) + &table(fees) + &p(&r("End")),
            p(&r("In"))
                + &table(&[
                    &["Item", "Fee"],
                    &["Audit", "150"],
                    &["Travel", "5"],
                    &["Food", "6"],
                    &["Advice", "200"],
                ])
                + &p(&r("End")),
        ),
        (
            p(&r("In")) + &table(fees) + &p(&r("End")),
            p(&r("In")) + &table(&[&["Item", "Fee"], &["Advice", "210"], &["Last", "1"]]) + &p(&r("End")),
        ),
        (p(&r("In")) + &table(fees) + &p(&r("End")), p(&r("In")) + &table(&fees[1..]) + &p(&r("End"))),
        (p(&r("In")) + &p(&r("End")), p(&r("In")) + &table(fees) + &p(&r("End"))),
        (p(&r("In")) + &table(fees) + &p(&r("End")), p(&r("In")) + &p(&r("End"))),
        (p(&r("In")), table(fees) + &p(&r("In"))),
        (table(fees) + &p(&r("In")), p(&r("In"))),
        // One goes and one comes around tables in which rows come and go.
        (
            p(&r("In"))
                + &table(&[&["Gone", "away"]])
                + &p(&r("a"))
                + &table(fees)
                + &p(&r("b"))
                + &p(&r("c"))
                + &table(&[&["x", "y"], &["z", "w"]])
                + &p(&r("End")),
            p(&r("In"))
                + &p(&r("a"))
                + &table(&fees[1..])
                + &p(&r("b"))
                + &p(&r("before the new one"))
                + &table(&[&["New", "one"], &["two", "three"], &["four", "five"]])
                + &p(&r("behind it"))
                + &p(&r("c"))
                + &table(&[&["x", "y"], &["z", "w"], &["more", "rows"]])
                + &p(&r("End")),
        ),
        (
            table(fees) + &table(&[&["x", "y"]]) + &p(&r("End")),
            table(fees) + &p(&r("between")) + &p(&r("and more")) + &table(&[&["x", "y"]]) + &p(&r("End")),
        ),
    ] {
        let (before, after) = (document(&old), document(&new));
        let (first, second) = (View::read(&before).expect("viewed"), View::read(&after).expect("viewed"));
        for markup in [Markup::Tracked, Markup::Plain] {
            let Comparison { edits, left } = compare(&first, &second, markup).expect("compared");
            assert_eq!(left, Vec::<String>::new());
            let mut done = testkit::check::<Word>(&before, &edits).expect("made");
            assert_eq!(crate::new_problems(&before, &done.content).expect("linted"), []);
            if markup == Markup::Tracked {
                let resolve = |resolution| {
                    let edit = Edit::ResolveChanges(ResolveChanges { resolution, which: Which::All });
                    testkit::check::<Word>(&done.content, &[edit]).expect("resolved")
                };
                assert_eq!(grid(&resolve(Resolution::Reject).view), grid(&first), "{new}");
                done = resolve(Resolution::Accept);
            }
            assert_eq!(grid(&done.view), grid(&second), "{new}");
        }
    }
}

#[test]
fn tables_that_touch_others_and_tables_in_tables_come_whole() {
    let (one, other) = (table(&[&["a", "b"]]), table(&[&["x", "y"], &["z", "w"]]));
    let nested = one.replace(&p(&r("b")), &(table(&[&["inner"]]) + &p("")));
    for (old, new) in [
        (p(&r("In")) + &one + &p(&r("End")), p(&r("In")) + &other + &one + &p(&r("End"))),
        (p(&r("In")) + &p(&r("End")), p(&r("In")) + &one + &p("") + &other + &p(&r("End"))),
        (p(&r("In")) + &p(&r("End")), p(&r("In")) + &nested + &p(&r("End"))),
    ] {
        let (before, after) = (document(&old), document(&new));
        let (first, second) = (View::read(&before).expect("viewed"), View::read(&after).expect("viewed"));
        for markup in [Markup::Tracked, Markup::Plain] {
            let Comparison { edits, left } = compare(&first, &second, markup).expect("compared");
            assert_eq!(left, Vec::<String>::new(), "{new}");
            let done = testkit::check::<Word>(&before, &edits).expect("made");
            let done = if markup == Markup::Tracked { accepted(&done.content) } else { done };
            assert_eq!(grid(&done.view), grid(&second), "{new}");
        }
    }
}

#[test]
fn a_field_over_several_paragraphs_goes_whole() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let contents =
        format!("{}<w:r><w:instrText> TOC </w:instrText></w:r>{}", mark("begin"), mark("separate"));
    let toc = p(&(contents + &r("Scope"))) + &p(&r("Fees")) + &p(&mark("end"));
    let old = document(&(toc + &p(&r("One fine day")) + &p(&r("End"))));
    let new = document(&(p(&r("One fine night")) + &p(&r("End"))));
    let (first, second) = (View::read(&old).expect("viewed"), View::read(&new).expect("viewed"));
    let Comparison { edits, left } = compare(&first, &second, Markup::Tracked).expect("compared");
    let done = testkit::check::<Word>(&old, &edits).expect("made");
    assert_eq!(left, Vec::<String>::new());
    assert_eq!(lines(&accepted(&done.content).view, Side::Final), ["One fine night", "End"]);
    assert_eq!(lines(&rejected(&done.content).view, Side::Final), lines(&first, Side::Final));
}

#[test]
fn headers_notes_and_text_boxes_are_compared_where_they_correspond() {
    let with = |header: &str, notes: &[&str], boxed: &str| {
        let all: String = (1..)
            .zip(notes)
            .map(|(id, text)| format!("<w:footnote w:id=\"{id}\">{}</w:footnote>", p(&r(text))))
            .collect();
        let refer = |id: usize| format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>");
        let refer: String = (1..=notes.len()).map(refer).collect();
        let text_box = format!(
            "<w:r><w:drawing><wp:inline><wps:wsp><wps:txbx><w:txbxContent>{}</w:txbxContent></wps:txbx></wps:wsp></wp:inline></w:drawing></w:r>",
            p(&r(boxed))
        );
        let section =
            "<w:pPr><w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/></w:sectPr></w:pPr>";
        let body = p(&(r("Body") + &refer)) + &p(&text_box) + &p(section);
        let parts = [("header1", &*p(&r(header))), ("footnotes", &*all)];
        View::read(&crate::testing::document_with(&body, &parts)).expect("viewed")
    };
    let old = with("Draft 1", &["See above."], "boxed");
    let compare = |new: &View, markup| compare(&old, new, markup).expect("compared");
    let redline = compare(&with("Draft 2", &["See below."], "boxed"), Markup::Tracked);
    assert_eq!(redline.left, Vec::<String>::new());
    let done = testkit::check::<Word>(old.content(), &redline.edits).expect("made");
    assert_eq!(lines(&done.view, Side::Final), ["Body", "", "boxed", "", "Draft 2", "See below."]);
    assert_eq!(lines(&done.view, Side::Original), lines(&old, Side::Final));
    let other = with("Draft 1", &["See above.", "And more."], "another");
    let redline = compare(&other, Markup::Tracked);
    assert_eq!(redline.edits.len(), 0);
    let kinds: Vec<&str> = redline.left.iter().filter_map(|line| line.split(" (").next()).collect();
    assert_eq!(kinds, ["new notes", "text boxes"]);
    assert_eq!(compare(&other, Markup::Plain).left.len(), 1);
    assert_eq!(compare(&old, Markup::Tracked), Comparison::default());
}

/// A field with this code and result.
fn field(code: &str, result: &str) -> String {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code = format!("<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>");
    format!("{}{code}{}{}{}", mark("begin"), mark("separate"), r(result), mark("end"))
}

/// What makes two documents the same to a reader: the texts, and the codes of the fields.
fn codes(view: &View) -> Vec<(String, Vec<String>)> {
    let read = |place| {
        let paragraph = view.paragraph(place).expect("reads");
        let codes = paragraph.fields.iter().map(|field| field.instruction.trim().to_owned());
        let simple = paragraph.wraps.iter().filter_map(|wrap| match &wrap.kind {
            crate::WrapKind::SimpleField { instruction } => Some(instruction.trim().to_owned()),
            _ => None,
        });
        (paragraph.text(Side::Final).text, codes.chain(simple).collect())
    };
    view.places().map(read).collect()
}

#[test]
fn fields_links_and_controls_in_changed_paragraphs_come_and_go() {
    let simple = "<w:fldSimple w:instr=\" REF _Ref9 \"><w:r><w:t>9.1</w:t></w:r></w:fldSimple>";
    let control = |text: &str| {
        format!(
            "<w:sdt><w:sdtPr><w:tag w:val=\"fee\"/><w:lock w:val=\"sdtContentLocked\"/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
            r(text)
        )
    };
    let link = |text: &str| format!("<w:hyperlink w:anchor=\"fees\">{}</w:hyperlink>", r(text));
    for (old, new) in [
        (
            r("Subject to clause ") + &field("REF _Ref1 \\r", "4.1") + &r(" the fee is due."),
            r("Subject to clause ") + &field("REF _Ref1 \\r", "5.2") + &r(" every fee is due."),
        ),
        (r("Subject to clause ") + &field("REF _Ref1", "4.1") + &r(" the fee is due."), r("The fee is due.")),
        (
            r("The fee is due under clause here."),
            r("The fee is due under clause ") + &field("REF _Ref2", "7") + &r("."),
        ),
        (r("See ") + simple + &r(" above."), r("See ") + &field("REF _Ref9", "9.1") + &r(" below.")),
        (r("See clause above."), r("See clause ") + simple + &r(" above.")),
        (r("Fee: ") + &control("100") + &r(" EUR"), r("Fee: ") + &control("250") + &r(" USD")),
        (r("See ") + &link("the fees") + &r(" now."), r("See ") + &link("all the fees") + &r(" then.")),
    ] {
        let (before, after) = (document(&(p(&old) + &p(&r("End")))), document(&(p(&new) + &p(&r("End")))));
        let (first, second) = (View::read(&before).expect("viewed"), View::read(&after).expect("viewed"));
        let Comparison { edits, left } = compare(&first, &second, Markup::Tracked).expect("compared");
        assert_eq!(left, Vec::<String>::new(), "{new}");
        let done = testkit::check::<Word>(&before, &edits).expect("made");
        assert_eq!(crate::new_problems(&before, &done.content).expect("linted"), []);
        assert_eq!(codes(&rejected(&done.content).view), codes(&first), "{new}");
        let wanted: Vec<_> = codes(&second);
        assert_eq!(codes(&accepted(&done.content).view), wanted, "{new}");
        let plain = compare(&first, &second, Markup::Plain).expect("compared");
        let done = testkit::check::<Word>(&before, &plain.edits).expect("made");
        assert_eq!(codes(&done.view), wanted, "{new}");
    }
}

#[test]
fn a_paragraph_that_changed_its_place_is_moved() {
    let old = [
        "First of all things here.",
        "The parties keep it secret for ever.",
        "Middle of the text.",
        "End of it all.",
    ];
    let new = [old[0], old[2], old[1], old[3]];
    let (before, after) = (paragraphs(&old), paragraphs(&new));
    let (first, second) = (View::read(&before).expect("viewed"), View::read(&after).expect("viewed"));
    let Comparison { edits, left } = compare(&first, &second, Markup::Tracked).expect("compared");
    assert_eq!(left, Vec::<String>::new());
    let done = testkit::check::<Word>(&before, &edits).expect("made");
    let kinds: BTreeSet<&str> =
        crate::changes(&done.view).expect("listed").iter().map(|change| change.kind.name()).collect();
    assert!(kinds.iter().any(|kind| kind.contains("move")), "{kinds:?}");
    assert_eq!(lines(&accepted(&done.content).view, Side::Final), new);
    assert_eq!(lines(&rejected(&done.content).view, Side::Final), old);
}

#[test]
fn looks_are_compared_on_request() {
    let with = |look: &str, style: &str| {
        let styled = format!(
            "<w:p><w:pPr>{style}</w:pPr>{}{}</w:p>",
            r("The fee is "),
            crate::testing::rr(look, "due now")
        );
        View::read(&document(&(styled + &p(&r("End"))))).expect("viewed")
    };
    let (old, new) = (with("<w:i/>", ""), with("<w:b/>", "<w:jc w:val=\"center\"/>"));
    assert_eq!(compare(&old, &new, Markup::Tracked).expect("compared"), Comparison::default());
    let found =
        super::compare(&old, &new, Markup::Tracked, Formatting::Compared, &Stop::never()).expect("compared");
    let done = testkit::check::<Word>(old.content(), &found.edits).expect("made");
    let source = |view: &View| {
        String::from_utf8(view.paragraph(Place { part: 0, index: 0 }).expect("reads").source).expect("text")
    };
    let accepted = source(&accepted(&done.content).view);
    assert!(
        accepted.contains("<w:b/>") && accepted.contains("center") && !accepted.contains("<w:i/>"),
        "{accepted}"
    );
    let rejected = source(&rejected(&done.content).view);
    assert!(
        rejected.contains("<w:i/>") && !rejected.contains("center") && !rejected.contains("<w:b/>"),
        "{rejected}"
    );
}

#[test]
fn documents_without_a_paragraph_are_compared_too() {
    let (empty, full) = (document(""), paragraphs(&["One here.", "Two here."]));
    let (none, some) = (View::read(&empty).expect("viewed"), View::read(&full).expect("viewed"));
    for markup in [Markup::Tracked, Markup::Plain] {
        let Comparison { edits, left } = compare(&none, &some, markup).expect("compared");
        assert_eq!(left, Vec::<String>::new());
        let done = testkit::check::<Word>(&empty, &edits).expect("made");
        assert_eq!(lines(&done.view, Side::Final), ["One here.", "Two here."]);
    }
    let Comparison { edits, .. } = compare(&some, &none, Markup::Tracked).expect("compared");
    let done = testkit::check::<Word>(&full, &edits).expect("made");
    assert_eq!(lines(&accepted(&done.content).view, Side::Final), [""]);
    assert_eq!(lines(&rejected(&done.content).view, Side::Final), ["One here.", "Two here."]);
}

#[test]
fn rows_go_from_the_table_they_are_in_however_tables_stand_in_each_other() {
    let nested = format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"1\"/></w:tblGrid><w:tr><w:tc><w:tcPr/>{}{}</w:tc></w:tr></w:tbl>",
        table(&[&["inner"]]),
        p(&r("outer"))
    );
    let with = |last: &[&[&str]]| {
        document(&(table(&[&["first"]]) + &p(&r("a")) + &nested + &p(&r("b")) + &table(last) + &p(&r("c"))))
    };
    let (old, new) = (with(&[&["Audit", "1"], &["Advice", "2"]]), with(&[&["Audit", "1"]]));
    let (first, second) = (View::read(&old).expect("viewed"), View::read(&new).expect("viewed"));
    let Comparison { edits, left } = compare(&first, &second, Markup::Plain).expect("compared");
    assert_eq!(left, Vec::<String>::new());
    let done = testkit::check::<Word>(&old, &edits).expect("made");
    assert_eq!(grid(&done.view), grid(&second));
}

#[test]
fn the_same_document_needs_no_edit() {
    let view = View::read(&paragraphs(&["a", "b", "", "a"])).expect("viewed");
    assert_eq!(compare(&view, &view, Markup::Tracked).expect("compared"), Comparison::default());
}

mod random {
    use proptest::prelude::*;

    use super::*;

    const TEXTS: [&str; 8] =
        ["one two three", "one two four", "five", "six seven", "eight", "nine ten", "one six", "five nine"];

    /// Before a table the mark of a deleted paragraph has to stay.
    fn said(view: &View) -> Vec<(Option<(usize, usize)>, String)> {
        grid(view).into_iter().filter(|(_, text)| !text.is_empty()).collect()
    }

    fn block() -> impl Strategy<Value = String> {
        let text = || proptest::sample::select(&TEXTS[..]);
        let rows = proptest::collection::vec((text(), text()), 1..4);
        prop_oneof![
            4 => text().prop_map(|text| p(&r(text))),
            1 => rows.prop_map(|rows| {
                let rows: Vec<[&str; 2]> = rows.into_iter().map(|(a, b)| [a, b]).collect();
                table(&rows.iter().map(|row| &row[..]).collect::<Vec<_>>()) + &p(&r("behind"))
            }),
        ]
    }

    fn body() -> impl Strategy<Value = String> {
        proptest::collection::vec(block(), 0..6)
            .prop_map(|blocks| p(&r("start")) + &blocks.concat() + &p(&r("end")))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_redline_accepted_is_the_revised_document_and_rejected_the_original(old in body(), new in body()) {
            let (before, after) = (document(&old), document(&new));
            let (first, second) = (View::read(&before).expect("viewed"), View::read(&after).expect("viewed"));
            for markup in [Markup::Tracked, Markup::Plain] {
                let Comparison { edits, left } = compare(&first, &second, markup).expect("compared");
                let mut done = testkit::check::<Word>(&before, &edits).expect("made");
                prop_assert_eq!(crate::new_problems(&before, &done.content).expect("linted"), []);
                if markup == Markup::Tracked {
                    let resolve = |resolution| {
                        let edit = Edit::ResolveChanges(ResolveChanges { resolution, which: Which::All });
                        testkit::check::<Word>(&done.content, &[edit]).expect("resolved")
                    };
                    prop_assert_eq!(said(&resolve(Resolution::Reject).view), said(&first));
                    done = resolve(Resolution::Accept);
                }
                if left.is_empty() {
                    prop_assert_eq!(said(&done.view), said(&second));
                }
            }
        }
    }
}

/// A document in which others track changes: paragraphs joined, one gone, a row gone, a cell emptied.
fn undecided() -> edit::Content {
    let by = "w:id=\"9\" w:author=\"Bob\" w:date=\"2024-01-01T00:00:00Z\"";
    let ended = |inner: &str| format!("<w:p><w:pPr><w:rPr><w:del {by}/></w:rPr></w:pPr>{inner}</w:p>");
    let deleted = |text: &str| {
        format!("<w:del {by}><w:r><w:delText xml:space=\"preserve\">{text}</w:delText></w:r></w:del>")
    };
    let rows: &[&[&str]] = &[&["Item", "Fee"], &["Audit", "100"], &["Advice", "200"], &["Travel", "300"]];
    let gone = table(rows)
        .replacen("<w:tr><w:tc><w:tcPr/><w:p><w:r><w:t xml:space=\"preserve\">Audit", &format!("<w:tr><w:trPr><w:del {by}/></w:trPr><w:tc><w:tcPr/><w:p><w:r><w:t xml:space=\"preserve\">Audit"), 1)
        .replacen(&p(&r("200")), &ended(&deleted("200")), 1);
    document(
        &(p(&r("Start of it."))
            + &ended(&r("The fee is "))
            + &ended(&deleted("not "))
            + &p(&r("due at once."))
            + &p(&r("Between."))
            + &gone
            + &ended(&deleted("Nothing of this."))
            + &p(&r("End of it."))),
    )
}

fn rejected(content: &edit::Content) -> testkit::Checked<Word> {
    let edit = Edit::ResolveChanges(ResolveChanges { resolution: Resolution::Reject, which: Which::All });
    testkit::check::<Word>(content, &[edit]).expect("rejected")
}

fn accepted(content: &edit::Content) -> testkit::Checked<Word> {
    let edit = Edit::ResolveChanges(ResolveChanges { resolution: Resolution::Accept, which: Which::All });
    testkit::check::<Word>(content, &[edit]).expect("accepted")
}

#[test]
fn changes_that_are_not_decided_are_compared_as_if_they_were_accepted() {
    let before = undecided();
    let clean = accepted(&before);
    let view = View::read(&before).expect("viewed");
    assert_eq!(compare(&view, &clean.view, Markup::Tracked).expect("compared"), Comparison::default());
    assert_eq!(compare(&clean.view, &view, Markup::Tracked).expect("compared"), Comparison::default());
}

#[test]
fn a_redline_over_undecided_changes_reads_as_the_revised_document() {
    let before = undecided();
    let view = View::read(&before).expect("viewed");
    let rows: &[&[&str]] = &[&["Item", "Fee"], &["Advice", "250"], &["Visits", "20"], &["Travel", "300"]];
    for body in [
        p(&r("Start of it.")) + &p(&r("The whole fee is due within a week.")) + &p(&r("Between.")),
        p(&r("Start of it.")) + &p(&r("Between.")),
        p(&r("Start of it.")) + &p(&r("The fee is due at once.")) + &p(&r("New here.")) + &p(&r("Between.")),
        p(&r("Start of it.")) + &p(&r("New here.")) + &p(&r("The fee is due at once.")) + &p(&r("Between.")),
    ] {
        for (rows, end) in [(rows, "End of it."), (&rows[..2], "The end of it.")] {
            let revised =
                View::read(&document(&(body.clone() + &table(rows) + &p(&r(end))))).expect("viewed");
            for markup in [Markup::Tracked, Markup::Plain] {
                let found = compare(&view, &revised, markup).expect("compared");
                assert_eq!(found.left, Vec::<String>::new());
                let done = testkit::check::<Word>(&before, &found.edits).expect("made");
                assert_eq!(grid(&accepted(&done.content).view), grid(&revised), "{markup:?}");
            }
        }
    }
}
