//! Formulas brought up to date after edits.

use edit::Format;
use sheet::{Edit, Input, Sheet, Value};

use crate::book::{book, book_with, data, edited, rows, set};
use crate::corpus::{open, stride, workbooks};

#[test]
fn what_a_calculation_found_comes_with_the_plan() {
    let before = rows(concat!(
        r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1*2</f><v>2</v></c><c r="C1"><f>1/A1</f><v>1</v></c></row>"#,
        r#"<row r="2"><c r="A2"><v>5</v></c><c r="B2"><f>A2*2</f><v>10</v></c></row>"#
    ));
    let after = edited(&before, &[set(&[("A1", Input::Number(0.0))])]);
    let shown = |places: &[sheet::CellOnSheet]| {
        places.iter().map(|place| place.at.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(after.settled.evaluated, 2);
    assert_eq!(shown(&after.settled.changed), "B1 C1");
    assert_eq!(shown(&after.settled.errors), "C1");
    let circle = edited(&before, &[set(&[("A2", Input::Formula("=B2".into()))])]);
    assert_eq!(shown(&circle.settled.circular), "A2 B2");
    assert_eq!(shown(&circle.settled.changed), "A2 B2");
}

#[test]
fn subtotals_leave_out_what_a_filter_of_a_table_hides() {
    let table = r#"<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:A4"><autoFilter ref="A1:A4"><filterColumn colId="0"><filters><filter val="1"/></filters></filterColumn></autoFilter><tableColumns count="1"><tableColumn id="1" name="a"/></tableColumns></table>"#;
    let rels = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/></Relationships>"#;
    let rows = concat!(
        r#"<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c r="A2"><v>1</v></c></row>"#,
        r#"<row r="3" hidden="1"><c r="A3"><v>2</v></c></row><row r="4" hidden="1"><c r="A4"><v>4</v></c></row>"#,
        r#"<row r="6" hidden="1"><c r="A6"><v>8</v></c></row><row r="9"><c r="A9"><f>SUBTOTAL(9,A2:A6)</f><v>9</v></c></row>"#
    );
    let parts = [("xl/tables/table1.xml", table), ("xl/worksheets/_rels/sheet1.xml.rels", rels)];
    let sheet = format!(
        "<sheetData>{rows}</sheetData><tableParts count=\"1\"><tablePart r:id=\"rId1\"/></tableParts>"
    );
    let found =
        |content: &edit::Content| sheet::verify(&Sheet::view(content).unwrap(), &testkit::context()).unwrap();
    // Row 6 is hidden by hand, which that number of the function does not mind.
    assert_eq!(found(&book_with(&[("Sheet1", &sheet)], "", &parts)).equal, 1);
    // Without a filter that is told, only the remark of the sheet says what hides the rows.
    let sheet =
        format!("<sheetPr filterMode=\"1\"/><sheetData>{}</sheetData>", rows.replace("<v>9</v>", "<v>1</v>"));
    assert_eq!(found(&book(&[("Sheet1", &sheet)])).equal, 1);
}

#[test]
fn several_batches_on_one_view_stay_right() {
    let before = rows(r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1*2</f><v>2</v></c></row>"#);
    let cx = testkit::context();
    let base = edit::RevisionId { number: 0, digest: 0 };
    let mut content = before.clone();
    let mut view = Sheet::view(&before).unwrap();
    for number in [3.0, 3.0, 7.0] {
        let edits = [set(&[("A1", Input::Number(number))]), set(&[("C1", Input::Text("x".into()))])];
        let batch = edit::plan::<Sheet>(&content, view, base, &edits, &cx).unwrap();
        (content, view) = (batch.content, batch.view);
        let sheet = view.sheet("Sheet1").unwrap();
        assert_eq!(sheet.value("B1".parse().unwrap()).unwrap(), Value::Number(number * 2.0));
    }
}

#[test]
fn arrays_names_and_other_sheets_are_reached() {
    let before = crate::book::book_with(
        &[
            ("Sheet1", r#"<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>"#),
            (
                "Two",
                r#"<sheetData><row r="1"><c r="A1"><f>rate*10</f><v>10</v></c></row><row r="2"><c r="A2"><f t="array" ref="A2:B2">Sheet1!A1:B1+1</f><v>2</v></c><c r="B2"><v>1</v></c></row></sheetData>"#,
            ),
        ],
        "<definedNames><definedName name=\"rate\">Sheet1!$A$1</definedName></definedNames>",
        &[],
    );
    let after = edited(&before, &[set(&[("A1", Input::Number(2.0)), ("B1", Input::Number(5.0))])]);
    let sheet = after.view.sheet("Two").unwrap();
    let values: Vec<Value> =
        ["A1", "A2", "B2"].iter().map(|at| sheet.value(at.parse().unwrap()).unwrap()).collect();
    assert_eq!(values, [Value::Number(20.0), Value::Number(3.0), Value::Number(6.0)]);
}

/// Every formula of the corpus against the value its file has. On demand, because it takes a while:
/// `SHEET_WHOLE=1 cargo test -p sheet --test it verify -- --nocapture`.
#[test]
fn verify_the_corpus() {
    let whole = stride(12) == 1;
    let (mut cells, mut equal, mut uncached, mut different, mut unanswerable) = (0, 0, 0, 0, 0);
    for sample in workbooks().iter().step_by(stride(12)) {
        if !sample.fact("app").is_some_and(|app| app.starts_with("Microsoft Excel")) {
            continue;
        }
        let Ok((_, _, view)) = open(sample) else { continue };
        let found = match sheet::verify(&view, &testkit::context()) {
            Ok(found) => found,
            Err(refusal) => {
                println!("{}: {refusal}", sample.path.display());
                continue;
            }
        };
        assert_eq!(
            found.formula_cells,
            found.equal + found.uncached + found.different.len() + found.unanswerable.len()
        );
        cells += found.formula_cells;
        equal += found.equal;
        uncached += found.uncached;
        different += found.different.len();
        unanswerable += found.unanswerable.len();
        if whole && !found.different.is_empty() {
            println!(
                "{}: {} different, first {:?}",
                sample.path.display(),
                found.different.len(),
                found.different[0]
            );
        }
    }
    println!(
        "{cells} formulas: {equal} equal, {uncached} without a value in the file, {different} different, {unanswerable} unanswerable"
    );
    assert!(different * 100 <= cells, "{different} of {cells} differ");
}

#[test]
fn a_formula_that_spills_fills_its_neighbours() {
    let before = rows(r#"<row r="1"><c r="A1"><v>3</v></c></row>"#);
    let after = edited(&before, &[set(&[("B1", Input::Formula("=SEQUENCE(A1)*10".into()))])]);
    assert_eq!(
        data(&after.content),
        concat!(
            r#"<row r="1"><c r="A1"><v>3</v></c><c r="B1" cm="1"><f t="array" ref="B1:B3">_xlfn.SEQUENCE(A1)*10</f><v>10</v></c></row>"#,
            r#"<row r="2"><c r="B2"><v>20</v></c></row><row r="3"><c r="B3"><v>30</v></c></row>"#
        )
    );
    assert!(after.content.contains("xl/metadata.xml"));
    assert_eq!(sheet::check(&after.view), []);
    let shorter = edited(&after.content, &[set(&[("A1", Input::Number(2.0))])]);
    assert!(data(&shorter.content).contains(r#"ref="B1:B2""#), "{}", data(&shorter.content));
    assert_eq!(shorter.view.sheet("Sheet1").unwrap().value("B3".parse().unwrap()).unwrap(), Value::Blank);
    let replaced = edited(&after.content, &[set(&[("B1", Input::Number(1.0))])]);
    assert_eq!(replaced.view.sheet("Sheet1").unwrap().value("B2".parse().unwrap()).unwrap(), Value::Blank);
    crate::book::refused(&after.content, &[set(&[("B2", Input::Number(1.0))])]);
}

#[test]
fn rows_deleted_above_a_spill_move_it_whole() {
    let before = rows(r#"<row r="1"><c r="A1"><v>3</v></c></row>"#);
    let spilled = edited(&before, &[set(&[("B3", Input::Formula("=SEQUENCE(2,2)".into()))])]);
    let delete = Edit::DeleteRows { sheet: "Sheet1".into(), at: 0, count: 1 };
    let after = edited(&spilled.content, std::slice::from_ref(&delete));
    let expected = concat!(
        r#"<row r="2"><c r="B2" cm="1"><f t="array" ref="B2:C3">_xlfn.SEQUENCE(2,2)</f><v>1</v></c><c r="C2"><v>2</v></c></row>"#,
        r#"<row r="3"><c r="B3"><v>3</v></c><c r="C3"><v>4</v></c></row>"#
    );
    assert_eq!(data(&after.content), expected);
    // The same with the view that came with the array.
    let base = edit::RevisionId { number: 0, digest: 0 };
    let cx = testkit::context();
    let batch = edit::plan::<Sheet>(&spilled.content, spilled.view, base, &[delete], &cx).unwrap();
    assert_eq!(data(&batch.content), expected);
}

/// Sums of plain ranges are added up where the numbers lie, running totals from where the last one stopped. Inside
/// of `IF` they are evaluated like any other function, so that one stands for the other.
#[test]
fn sums_in_one_go_are_sums_cell_by_cell() {
    let mut cells = Vec::new();
    let mut calls = Vec::new();
    for function in ["SUM", "AVERAGE", "COUNT", "MAX", "MIN"] {
        for column in ["A", "B", "C"] {
            for (top, bottom) in
                [(1, 512), (1, 513), (512, 513), (500, 1100), (513, 1024), (7, 7), (1400, 1500)]
            {
                calls.push(format!("{function}({column}{top}:{column}{bottom})"));
                calls.push(format!("{function}(A9,{column}{top}:{column}{bottom},B$3:$B$40)"));
            }
            for step in 1..20 {
                calls.push(format!("{function}({column}$5:{column}{})", step * 67));
            }
            calls.push(format!("{function}({column}:{column})-{function}({column}1:{column}90)/2"));
        }
        for row in [1, 97, 131, 512, 513, 1250] {
            calls.push(format!("{function}(A{row}:C{row})"));
            calls.push(format!("{function}(A{row}:D{row})*-({function}(B{row}))"));
        }
    }
    for row in 1..=1300_u32 {
        let number = f64::from(row) * 0.1 - 40.0 + 1.0 / f64::from(row);
        let a = match row {
            _ if row % 97 == 0 => format!("<c r=\"A{row}\" t=\"str\"><v>7</v></c>"),
            _ if row % 131 == 0 => String::new(),
            _ if row % 211 == 0 => format!("<c r=\"A{row}\" t=\"b\"><v>1</v></c>"),
            1250 => format!("<c r=\"A{row}\" t=\"e\"><v>#N/A</v></c>"),
            _ => format!("<c r=\"A{row}\"><v>{number}</v></c>"),
        };
        let c = if row % 7 == 0 { String::new() } else { format!("<c r=\"C{row}\"><v>{}</v></c>", -number) };
        let formulas = calls.get(row as usize - 1).map_or(String::new(), |call| {
            format!("<c r=\"F{row}\"><f>{call}</f></c><c r=\"G{row}\"><f>IF(TRUE,{call})</f></c>")
        });
        let b = number * 3.0;
        cells.push(format!("<row r=\"{row}\">{a}<c r=\"B{row}\"><v>{b}</v></c>{c}{formulas}</row>"));
    }
    let content = rows(&cells.concat());
    let view = Sheet::view(&content).unwrap();
    let mut calculator = sheet::Calculator::new(&view, &testkit::context()).unwrap();
    assert_eq!(calculator.calculate(), 2 * calls.len());
    let place = |row: usize, col| sheet::CellOnSheet { sheet: 0, at: sheet::CellRef::new(row as u32, col) };
    for (row, call) in calls.iter().enumerate() {
        let (ours, proper) = (calculator.value(place(row, 5)), calculator.value(place(row, 6)));
        assert_eq!(format!("{ours:?}"), format!("{proper:?}"), "{call}");
        assert!(!matches!(ours, Value::Blank), "{call}");
    }
    let found = calculator.evaluate("=MATCH(B1000,B1:B1300,0)", place(0, 8)).unwrap();
    assert_eq!(found, [[Value::Number(1000.0)]]);
    // A number that changes reaches every sum over it, and the running ones again in one go.
    calculator.suppose(&[(place(20, 0), Value::Number(1e6)), (place(600, 1), Value::Text("none".into()))]);
    for (row, call) in calls.iter().enumerate() {
        let (ours, proper) = (calculator.value(place(row, 5)), calculator.value(place(row, 6)));
        assert_eq!(format!("{ours:?}"), format!("{proper:?}"), "{call}");
    }
}
