//! Array formulas and data tables: entered, calculated, changed and cleared as wholes.

use edit::{Content, Refusal};
use sheet::{Edit, Input, Value, View};

use crate::book::{book, data, edited, refused, rows, set, text_of};

fn edit(text: &str) -> Edit {
    serde_json::from_str(text).expect("an edit")
}

fn value(view: &View, at: &str) -> Value {
    let cell = view.sheet("Sheet1").unwrap().cell(at.parse().unwrap()).unwrap();
    cell.map_or(Value::Blank, |cell| cell.value)
}

fn numbers(view: &View, cells: &[&str]) -> Vec<Value> {
    cells.iter().map(|at| value(view, at)).collect()
}

#[track_caller]
fn code(before: &Content, edit: Edit) -> &'static str {
    match refused(before, &[edit]) {
        Refusal::Rule { code, .. } => code,
        other => panic!("{other}"),
    }
}

const MODEL: &str = concat!(
    r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>"#,
    r#"<row r="2"><c r="A2"><v>3</v></c><c r="B2"><v>4</v></c></row>"#
);

#[test]
fn an_array_is_entered_changed_and_cleared_whole() {
    let before = rows(MODEL);
    let array = r#"{"op":"set_array","sheet":"Sheet1","area":"D1:E3","formula":"=A1:B2*10"}"#;
    let after = edited(&before, &[edit(array)]);
    let xml = data(&after.content);
    assert!(xml.contains(r#"<c r="D1"><f t="array" ref="D1:E3">A1:B2*10</f><v>10</v></c>"#), "{xml}");
    let found = numbers(&after.view, &["D1", "E1", "D2", "E2", "D3"]);
    let na = Value::Error(sheet::ErrorKind::NotAvailable);
    let number = Value::Number;
    assert_eq!(found, [number(10.0), number(20.0), number(30.0), number(40.0), na], "{xml}");
    assert_eq!(sheet::check(&after.view), []);

    let one = |cell, input| edited(&after.content, &[set(&[(cell, input)])]);
    assert_eq!(value(&one("A2", Input::Number(7.0)).view, "D2"), number(70.0), "it is calculated on");
    assert_eq!(code(&after.content, set(&[("D2", Input::Number(1.0))])), "ARRAY_MEMBER");
    let part = r#"{"op":"set_array","sheet":"Sheet1","area":"D1:D3","formula":"=1"}"#;
    assert_eq!(code(&after.content, edit(part)), "ARRAY_MEMBER");

    let wider = r#"{"op":"set_array","sheet":"Sheet1","area":"D1:E4","formula":"=SUM(A1:B2)"}"#;
    let wider = edited(&after.content, &[edit(wider)]);
    assert_eq!(numbers(&wider.view, &["D1", "E4"]), [number(10.0), number(10.0)]);
    let all: Vec<(String, Input)> =
        ["D1", "E1", "D2", "E2", "D3", "E3"].map(|at| (at.to_owned(), Input::Clear)).into();
    let all: Vec<(&str, Input)> = all.iter().map(|(at, input)| (at.as_str(), input.clone())).collect();
    let cleared = edited(&after.content, &[set(&all)]);
    assert_eq!(data(&cleared.content), format!("{}<row r=\"3\"></row>", data(&before)));
}

#[test]
fn a_data_table_answers_for_each_value_beside_it() {
    // B1 and B2 are the inputs, B3 the model; the tables lie to the right.
    let before = rows(concat!(
        r#"<row r="1"><c r="B1"><v>2</v></c><c r="E1"><f>B3</f><v>12</v></c></row>"#,
        r#"<row r="2"><c r="B2"><v>6</v></c><c r="D2"><v>10</v></c></row>"#,
        r#"<row r="3"><c r="B3"><f>B1*B2</f><v>12</v></c><c r="D3"><v>20</v></c></row>"#,
        r#"<row r="5"><c r="D5"><f>B3</f><v>12</v></c><c r="E5"><v>1</v></c><c r="F5"><v>2</v></c></row>"#,
        r#"<row r="6"><c r="D6"><v>3</v></c></row><row r="7"><c r="D7"><v>4</v></c></row>"#
    ));
    let one = r#"{"op":"set_data_table","sheet":"Sheet1","area":"E2:E3","column_input":"B1"}"#;
    let both =
        r#"{"op":"set_data_table","sheet":"Sheet1","area":"E6:F7","row_input":"B1","column_input":"B2"}"#;
    let after = edited(&before, &[edit(one), edit(both)]);
    let xml = data(&after.content);
    assert!(xml.contains(r#"<f t="dataTable" ref="E2:E3" dt2D="0" dtr="0" r1="B1"/>"#), "{xml}");
    assert!(xml.contains(r#"<f t="dataTable" ref="E6:F7" dt2D="1" dtr="1" r1="B1" r2="B2"/>"#), "{xml}");
    let found = numbers(&after.view, &["E2", "E3", "E6", "F6", "E7", "F7"]);
    assert_eq!(found, [60.0, 120.0, 3.0, 6.0, 4.0, 8.0].map(Value::Number), "{xml}");
    let changed = edited(&after.content, &[set(&[("B2", Input::Number(7.0))])]);
    assert_eq!(numbers(&changed.view, &["E2", "E3", "E6"]), [70.0, 140.0, 3.0].map(Value::Number));

    assert_eq!(code(&after.content, set(&[("E3", Input::Number(1.0))])), "DATA_TABLE");
    assert_eq!(code(&after.content, set(&[("E2", Input::Number(1.0))])), "DATA_TABLE");
    let cleared = edited(&after.content, &[set(&[("E2", Input::Clear), ("E3", Input::Clear)])]);
    assert!(!data(&cleared.content).contains("E2:E3"));
    for bad in [
        r#"{"op":"set_data_table","sheet":"Sheet1","area":"E2:E3","column_input":"D2"}"#,
        r#"{"op":"set_data_table","sheet":"Sheet1","area":"A1:A3","column_input":"B1"}"#,
        r#"{"op":"set_data_table","sheet":"Sheet1","area":"E6:F7","row_input":"B1","column_input":"B1"}"#,
    ] {
        assert_eq!(code(&before, edit(bad)), "DATA_TABLE", "{bad}");
    }
}

#[test]
fn arrays_stay_out_of_merged_cells_and_tables() {
    let merged =
        book(&[("Sheet1", r#"<sheetData/><mergeCells count="1"><mergeCell ref="B2:C3"/></mergeCells>"#)]);
    let array = r#"{"op":"set_array","sheet":"Sheet1","area":"A1:B2","formula":"=1"}"#;
    assert_eq!(code(&merged, edit(array)), "MERGED_CELL");
    let table = edited(
        &rows(r#"<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>"#),
        &[edit(r#"{"op":"add_table","sheet":"Sheet1","area":"A1:A3","name":"T"}"#)],
    );
    assert_eq!(code(&table.content, edit(array)), "ARRAY_IN_TABLE");
    let huge = r#"{"op":"set_array","sheet":"Sheet1","area":"A:B","formula":"=1"}"#;
    assert_eq!(code(&rows(""), edit(huge)), "TOO_MANY_CELLS");
    // An array in a sheet that has no cell yet, and undone by what `edited` asserts.
    let fresh = edited(&rows(""), &[edit(array)]);
    assert!(text_of(&fresh.content, "xl/worksheets/sheet1.xml").contains(r#"ref="A1:B2""#));
    assert_eq!(numbers(&fresh.view, &["A1", "B2"]), [1.0, 1.0].map(Value::Number));
}
