//! What cannot be done is refused as Excel refuses it, with what would work instead.

use edit::Refusal;
use sheet::{Edit, Input};

use crate::book::{book, book_with, edited, refused, rows, set};

fn only(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::InBatch { cause, .. } => *cause,
        other => other,
    }
}

fn on(sheet: &str, cell: &str, input: Input) -> Edit {
    match set(&[(cell, input)]) {
        Edit::SetCells { cells, seen, .. } => Edit::SetCells { sheet: sheet.into(), cells, seen },
        other => other,
    }
}

#[test]
fn unknown_sheets_names_and_tables_offer_the_nearest() {
    let before = book_with(
        &[("Inputs", "<sheetData/>"), ("Summary", "<sheetData/>")],
        r#"<definedNames><definedName name="tax_rate">0.2</definedName></definedNames>"#,
        &[],
    );
    let nearest = |refusal: Refusal| match only(refusal) {
        Refusal::NotFound { what, nearest, .. } => (what, nearest.first().cloned().unwrap_or_default()),
        other => panic!("{other}"),
    };
    let number = || Input::Number(1.0);
    assert_eq!(nearest(refused(&before, &[on("Sumary", "A1", number())])), ("sheet", "Summary".into()));
    let formula = |text: &str| on("Summary", "A1", Input::Formula(text.into()));
    assert_eq!(nearest(refused(&before, &[formula("=Input!B2*2")])), ("sheet", "Inputs".into()));
    assert_eq!(nearest(refused(&before, &[formula("=SUM(Inputs:Sumary!A1)")])), ("sheet", "Summary".into()));
    assert_eq!(
        nearest(refused(&before, &[Edit::DeleteName { name: "taxrate".into(), scope: None }])),
        ("name", "tax_rate".into())
    );
    assert_eq!(
        nearest(refused(
            &before,
            &[Edit::DefineName { name: "x".into(), scope: Some("Inptus".into()), formula: "1".into() }]
        )),
        ("sheet", "Inputs".into())
    );
    assert_eq!(nearest(refused(&before, &[formula("=SUM(Sales[x])")])).0, "table");
    // A name that is not there is #NAME? in Excel too, and said.
    let view = <sheet::Sheet as edit::Format>::view(&before).unwrap();
    let said = |text: &str| {
        let planned =
            <sheet::Sheet as edit::Format>::plan(&view, &formula(text), &testkit::context()).unwrap();
        planned.step.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>().join("; ")
    };
    assert!(said("=tax_rat*2").contains("nearest: tax_rate"), "{}", said("=tax_rat*2"));
    assert!(said("=SUMM(A2)").contains("nearest: SUM"), "{}", said("=SUMM(A2)"));
    assert_eq!(said("=LET(x,2,x*tax_rate)+SUM(A2)+_xlfn.XLOOKUP(1,A2:A3,B2:B3)+[1]Other!A1"), "");
}

#[test]
fn formulas_that_do_not_parse_say_where_and_what_was_expected() {
    for (text, position) in
        [("=1+", "character 3"), ("=SUM(A1", "character"), ("=A1:", "character"), ("=\"open", "character")]
    {
        let Refusal::Invalid { field, found, expected } =
            only(refused(&rows(""), &[set(&[("A1", Input::Formula(text.into()))])]))
        else {
            panic!("another refusal")
        };
        assert_eq!(field, "formula");
        assert!(found.contains(text.trim_start_matches('=')) && found.contains("A1"), "{found}");
        assert!(expected.contains(position) && expected.contains("expected"), "{text}: {expected}");
    }
}

#[test]
fn addresses_outside_a_sheet_are_no_addresses() {
    for text in ["A1048577", "XFE1", "A0", "1A", "", "A1:B2"] {
        let refusal = text.parse::<sheet::CellRef>().unwrap_err();
        assert!(matches!(refusal, Refusal::Invalid { .. }), "{text}: {refusal}");
    }
    for text in ["A1:XFE2", "A:XFE", "0:3", "A1:B1048577", "R1C1:R2C2"] {
        assert!(text.parse::<sheet::Area>().is_err(), "{text}");
    }
    let lines = |at, count| Edit::InsertRows { sheet: "Sheet1".into(), at, count };
    assert!(matches!(only(refused(&rows(""), &[lines(1_048_575, 2)])), Refusal::Invalid { .. }));
    let last = rows(r#"<row r="1048576"><c r="A1048576"><v>1</v></c></row>"#);
    assert!(
        matches!(only(refused(&last, &[lines(0, 1)])), Refusal::Unsafe { .. }),
        "cells would fall off the sheet"
    );
}

#[test]
fn limits_of_excel_are_limits_here() {
    let limit = |edit: Edit| match only(refused(&rows(""), &[edit])) {
        Refusal::Limit { limit, .. } => limit,
        other => panic!("{other}"),
    };
    assert_eq!(limit(set(&[("A1", Input::Text("😀".repeat(16_384)))])), "32767");
    assert_eq!(limit(set(&[("A1", Input::Formula(format!("=1{}", "+1".repeat(4_096))))])), "8192");
    let choices = sheet::ValidationRule {
        kind: "list".into(),
        formula1: Some(format!("\"{}\"", "x,".repeat(200))),
        ..Default::default()
    };
    assert!(
        limit(Edit::SetValidation {
            sheet: "Sheet1".into(),
            areas: vec!["A1".parse().unwrap()],
            rule: choices
        })
        .starts_with("255")
    );
    for name in ["", "a/b", "a:b", "a?b", "a*b", "[a]", "'a", "a'", "History", "sheet1", &"x".repeat(32)] {
        let refusal = only(refused(&rows(""), &[Edit::AddSheet { name: name.into(), before: None }]));
        assert!(matches!(refusal, Refusal::Invalid { .. }), "{name}: {refusal}");
    }
    edited(&rows(""), &[Edit::AddSheet { name: "x".repeat(31), before: None }]);
    for name in ["A1", "1x", "a b", "R1C1", "TRUE", ""] {
        let edit = Edit::DefineName { name: name.into(), scope: None, formula: "1".into() };
        assert!(matches!(only(refused(&rows(""), &[edit])), Refusal::Invalid { .. }), "{name}");
    }
}

#[test]
fn spills_arrays_data_tables_and_merges_are_kept_whole() {
    let before = book(&[(
        "Sheet1",
        concat!(
            r#"<sheetData><row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>0</v></c><c r="C1" cm="1"><f t="array" ref="C1:C3">_xlfn.SEQUENCE(3)</f><v>1</v></c>"#,
            r#"<c r="E1"><f t="dataTable" ref="E1:E2" dt2D="0" dtr="0" r1="G1"/><v>1</v></c></row>"#,
            r#"<row r="2"><c r="A2"><v>0</v></c><c r="C2"><v>2</v></c><c r="E2"><v>2</v></c></row><row r="3"><c r="C3"><v>3</v></c></row></sheetData>"#,
            r#"<mergeCells count="1"><mergeCell ref="H1:I2"/></mergeCells>"#
        ),
    )]);
    for (cell, what) in [
        ("A2", "an array formula"),
        ("C2", "the spilled array"),
        ("E2", "a data table"),
        ("I2", "merged cells H1:I2"),
    ] {
        let Refusal::Unsafe { why, instead } = only(refused(&before, &[set(&[(cell, Input::Number(7.0))])]))
        else {
            panic!("another refusal for {cell}")
        };
        assert!(why.contains(what), "{cell}: {why}");
        assert!(instead.is_some_and(|instead| !instead.is_empty()), "{cell} has no way out");
    }
    for cut in [
        Edit::DeleteRows { sheet: "Sheet1".into(), at: 1, count: 1 },
        Edit::InsertRows { sheet: "Sheet1".into(), at: 1, count: 1 },
    ] {
        assert!(matches!(only(refused(&before, &[cut])), Refusal::Unsafe { .. }));
    }
    edited(&before, &[set(&[("C1", Input::Number(1.0)), ("H1", Input::Number(1.0))])]);
}
