//! What cannot be done is refused as Excel refuses it, with what would work instead.

use edit::Refusal;
use sheet::{Edit, Input};

use crate::book::{book, book_with, edited, refused, rows, set};

/// Why a rule with this code refused, and that it says what to do instead.
#[track_caller]
fn ruled(refusal: Refusal, wanted: &str) -> String {
    match refusal {
        Refusal::Rule { code, why, instead } => {
            assert_eq!(code, wanted, "{why}");
            assert!(instead.is_some_and(|instead| !instead.is_empty()), "{why}: no way out");
            why
        }
        other => panic!("another refusal: {other}"),
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
    let nearest = |refusal: Refusal| match refusal {
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
    assert_eq!(said("=LET(x,2,x*tax_rate)+SUM(A2)+_xlfn.XLOOKUP(1,A2:A3,B2:B3)"), "");
}

#[test]
fn formulas_that_do_not_parse_say_where_and_what_was_expected() {
    for (text, position) in
        [("=1+", "character 3"), ("=SUM(A1;2)", "character"), ("=A1:", "character"), ("=\"open", "character")]
    {
        let why = ruled(refused(&rows(""), &[set(&[("A1", Input::Formula(text.into()))])]), "FORMULA_SYNTAX");
        assert!(why.contains(text.trim_start_matches('=')) && why.contains("A1"), "{why}");
        assert!(why.contains(position) && why.contains("expected"), "{text}: {why}");
    }
}

#[test]
fn entries_that_do_not_fit_a_data_validation_are_told_with_its_rule() {
    let sheet = concat!(
        r#"<sheetData><row r="1"><c r="C1" t="inlineStr"><is><t>red</t></is></c></row></sheetData>"#,
        r#"<dataValidations count="2"><dataValidation type="whole" sqref="A1:A3"><formula1>1</formula1><formula2>5"#,
        r#"</formula2></dataValidation><dataValidation type="list" error="Pick one" sqref="B1:B3"><formula1>$C$1"#,
        r#"</formula1></dataValidation></dataValidations>"#
    );
    let before = book(&[("Sheet1", sheet)]);
    let told = |cells: &[(&str, Input)]| {
        let view = <sheet::Sheet as edit::Format>::view(&before).unwrap();
        let planned = <sheet::Sheet as edit::Format>::plan(&view, &set(cells), &testkit::context()).unwrap();
        planned.step.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>().join("; ")
    };
    let number = Input::Number;
    let typed = |text: &str| Input::Typed(text.to_owned());
    assert_eq!(
        told(&[("A1", number(5.0)), ("A2", typed("3")), ("B1", typed("RED")), ("D1", number(99.0))]),
        ""
    );
    assert_eq!(
        told(&[("A1", Input::Clear), ("A2", Input::Formula("=A1+2".into())), ("A1", number(1.0))]),
        ""
    );
    let wrong = told(&[("A1", number(7.0)), ("A2", typed("2.5")), ("B2", typed("green"))]);
    for part in ["A1 is `7`", "a whole number between 1 and 5", "A2 is `2.5`", "B2 is `green`", "Pick one"] {
        assert!(wrong.contains(part), "{part}: {wrong}");
    }
    assert!(told(&[("A3", Input::Formula("=A1+9".into())), ("A1", number(1.0))]).contains("A3 is `10`"));
}

#[test]
fn addresses_outside_a_sheet_are_no_addresses() {
    for text in ["A1048577", "XFE1", "A0", "1A", "", "A1:B2"] {
        let refusal = text.parse::<sheet::CellRef>().unwrap_err();
        assert!(matches!(refusal, Refusal::Invalid { .. } | Refusal::Rule { .. }), "{text}: {refusal}");
    }
    for text in ["A1048577", "XFE1", "A0", "$AAAA$1", "A99999999999"] {
        ruled(text.parse::<sheet::CellRef>().unwrap_err(), "OUT_OF_SHEET");
        ruled(text.parse::<sheet::Area>().unwrap_err(), "OUT_OF_SHEET");
    }
    for text in ["A1:XFE2", "A:XFE", "0:3", "A1:B1048577", "R1C1:R2C2"] {
        assert!(text.parse::<sheet::Area>().is_err(), "{text}");
    }
    let lines = |at, count| Edit::InsertRows { sheet: "Sheet1".into(), at, count };
    assert!(matches!(refused(&rows(""), &[lines(1_048_575, 2)]), Refusal::Invalid { .. }));
    let last = rows(r#"<row r="1048576"><c r="A1048576"><v>1</v></c></row>"#);
    ruled(refused(&last, &[lines(0, 1)]), "PUSHED_OFF_SHEET");
}

#[test]
fn limits_of_excel_are_limits_here() {
    let limit = |edit: Edit, code| ruled(refused(&rows(""), &[edit]), code);
    let formula = |text: String, code| limit(set(&[("A1", Input::Formula(text))]), code);
    limit(set(&[("A1", Input::Text("😀".repeat(16_384)))]), "TEXT_TOO_LONG");
    formula(format!("=1{}", "+1".repeat(4_096)), "FORMULA_TOO_LONG");
    formula(format!("={}1{}", "ABS(".repeat(65), ")".repeat(65)), "FORMULA_TOO_DEEP");
    formula(format!("=SUM(1{})", ",1".repeat(255)), "TOO_MANY_ARGUMENTS");
    formula("=IF(1,2,3,4)".into(), "TOO_MANY_ARGUMENTS");
    formula("=1+ROUND(2)".into(), "TOO_FEW_ARGUMENTS");
    formula(format!("=LEN(\"{}\")", "x".repeat(256)), "FORMULA_TEXT_TOO_LONG");
    for fits in [
        format!("={}1{}", "ABS(".repeat(64), ")".repeat(64)),
        format!("=SUM(1{})", ",1".repeat(254)),
        format!("=LEN(\"{}\")", "x".repeat(255)),
        "=PI()+NOW()+IF(1,2)".to_owned(),
    ] {
        edited(&rows(""), &[set(&[("A1", Input::Formula(fits))])]);
    }
    let choices = sheet::ValidationRule {
        kind: "list".into(),
        formula1: Some(format!("\"{}\"", "x,".repeat(200))),
        ..Default::default()
    };
    let areas = vec!["A1".parse().unwrap()];
    limit(Edit::SetValidation { sheet: "Sheet1".into(), areas, rule: choices }, "TEXT_TOO_LONG");
    for name in ["", "a/b", "a:b", "a?b", "a*b", "[a]", "'a", "a'", "History", "sheet1", &"x".repeat(32)] {
        let code = if name == "sheet1" { "SHEET_NAME_TAKEN" } else { "BAD_SHEET_NAME" };
        ruled(refused(&rows(""), &[Edit::AddSheet { name: name.into(), before: None }]), code);
    }
    edited(&rows(""), &[Edit::AddSheet { name: "x".repeat(31), before: None }]);
    for name in ["A1", "1x", "a b", "R1C1", "TRUE", ""] {
        let edit = Edit::DefineName { name: name.into(), scope: None, formula: "1".into() };
        ruled(refused(&rows(""), &[edit]), "BAD_NAME");
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
    for (cell, code, what) in [
        ("A2", "ARRAY_MEMBER", "an array formula over A1:A2"),
        ("A1", "ARRAY_MEMBER", "an array formula over A1:A2"),
        ("C2", "SPILL_RANGE", "the spilled array over C1:C3"),
        ("E2", "DATA_TABLE", "a data table over E1:E2"),
        ("I2", "MERGED_CELL", "merged cells H1:I2"),
    ] {
        let why = ruled(refused(&before, &[set(&[(cell, Input::Number(7.0))])]), code);
        assert!(why.contains(what), "{cell}: {why}");
    }
    for cut in [
        Edit::DeleteRows { sheet: "Sheet1".into(), at: 1, count: 1 },
        Edit::InsertRows { sheet: "Sheet1".into(), at: 1, count: 1 },
    ] {
        ruled(refused(&before, &[cut]), "CUTS_ARRAY");
    }
    edited(&before, &[set(&[("C1", Input::Number(1.0)), ("H1", Input::Number(1.0))])]);
}

/// Excel wrote the formulas of the corpus, so none of them may be over a limit.
#[test]
fn formulas_of_real_workbooks_are_within_the_limits() {
    let (mut seen, mut wrong) = (std::collections::BTreeSet::new(), Vec::new());
    let ground = rows("");
    for sample in crate::corpus::workbooks() {
        if !sample.fact("app").is_some_and(|app| app.starts_with("Microsoft Excel")) {
            continue;
        }
        let Ok((_, _, view)) = crate::corpus::open(&sample) else { continue };
        for sheet in view.worksheets().flatten() {
            let everything =
                sheet::Area::new(sheet::CellRef::new(0, 0), sheet::CellRef::new(1_048_575, 16_383));
            let _ = sheet.each_cell(everything, &mut |cell| {
                if let Some(formula) = cell.formula {
                    let shape: String = formula.text.chars().filter(|c| !c.is_ascii_digit()).collect();
                    if !formula.text.is_empty() && seen.insert(shape) {
                        let edit = set(&[("ZZ9", Input::Formula(formula.text.clone()))]);
                        let plan = <sheet::Sheet as edit::Format>::plan(
                            &<sheet::Sheet as edit::Format>::view(&ground).unwrap(),
                            &edit,
                            &testkit::context(),
                        );
                        // The cell of this test is in no table, and its workbook has no links.
                        if let Err(Refusal::Rule { code, why, .. }) = plan
                            && !["NOT_IN_A_TABLE", "EXTERNAL_WORKBOOK"].contains(&code)
                        {
                            wrong.push(format!("{}: {code} {why}", sample.path.display()));
                        }
                    }
                }
            });
        }
    }
    println!("{} kinds of formulas", seen.len());
    assert_eq!(wrong, [""; 0]);
}
