//! Cells written into small sheets.

use edit::{Format, Refusal};
use sheet::{Edit, Input, Sheet, StyleChange, Value};

use crate::book::{book_with, data, edited, formula, refused, rows, set, text_of};

#[test]
fn the_first_of_shared_formulas_hands_over_to_the_next() {
    let before = rows(concat!(
        r#"<row r="1"><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*2</f><v>0</v></c></row>"#,
        r#"<row r="2"><c r="B2"><f t="shared" si="0"/><v>0</v></c></row>"#,
        r#"<row r="3"><c r="B3"><f t="shared" si="0"/><v>0</v></c></row>"#
    ));
    let view = Sheet::view(&before).unwrap();
    assert_eq!([formula(&view, "B1"), formula(&view, "B2"), formula(&view, "B3")], ["A1*2", "A2*2", "A3*2"]);
    let after = edited(&before, &[set(&[("B1", Input::Number(7.0))])]);
    assert!(
        data(&after.content).contains(r#"<f t="shared" ref="B2:B3" si="0">A2*2</f>"#),
        "{}",
        data(&after.content)
    );
    assert_eq!([formula(&after.view, "B2"), formula(&after.view, "B3")], ["A2*2", "A3*2"]);
    let two = edited(&before, &[set(&[("B1", Input::Clear), ("B2", Input::Clear)])]);
    assert_eq!(formula(&two.view, "B3"), "A3*2");
}

#[test]
fn parts_of_arrays_and_merges_are_refused() {
    let before = crate::book::book(&[(
        "Sheet1",
        r#"<sheetData><row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="D1:E2"/></mergeCells>"#,
    )]);
    for (at, allowed) in [("A1", false), ("A2", false), ("D1", true), ("E2", false), ("F1", true)] {
        let edit = [set(&[(at, Input::Number(1.0))])];
        match allowed {
            true => drop(edited(&before, &edit)),
            false => assert!(matches!(refused(&before, &edit), Refusal::Rule { .. }), "{at}"),
        }
    }
    edited(&before, &[set(&[("A1", Input::Number(1.0)), ("A2", Input::Number(2.0))])]);
}

#[test]
fn limits_and_nonsense_are_refused() {
    let before = rows("");
    for input in [
        Input::Text("x".repeat(32_768)),
        Input::Formula("1+".into()),
        Input::Formula(format!("\"{}\"", "x".repeat(8_192))),
        Input::Number(f64::NAN),
        Input::Error("#NOPE!".into()),
        Input::Date("2024-02-30".into()),
    ] {
        refused(&before, &[set(&[("A1", input)])]);
    }
    edited(&before, &[set(&[("XFD1048576", Input::Text("x".repeat(32_767)))])]);
}

#[test]
fn unnumbered_rows_and_cells_keep_their_places() {
    let before = rows(
        "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row><row r=\"9\"><c><v>4</v></c></row><row><c><v>8</v></c></row>",
    );
    let after = edited(&before, &[set(&[("A5", Input::Number(5.0)), ("C1", Input::Number(6.0))])]);
    let sheet = after.view.sheet("Sheet1").unwrap();
    for (at, value) in
        [("A1", 1.0), ("B1", 2.0), ("C1", 6.0), ("A2", 3.0), ("A5", 5.0), ("A9", 4.0), ("A10", 8.0)]
    {
        assert_eq!(sheet.value(at.parse().unwrap()).unwrap(), Value::Number(value), "{at}");
    }
    // What follows the new row is not touched.
    assert!(data(&after.content).ends_with("<row r=\"9\"><c><v>4</v></c></row><row><c><v>8</v></c></row>"));
}

const STYLES: &str = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>"#;

#[test]
fn formats_are_appended_and_reused() {
    let before = book_with(
        &[("Sheet1", r#"<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>"#)],
        "",
        &[("xl/styles.xml", STYLES)],
    );
    let style: StyleChange = serde_json::from_str(
        r##"{"number_format":"0.0%","font":{"bold":true},"fill":{"solid":{"rgb":"#FFFF00"}}}"##,
    )
    .unwrap();
    let edit = |area: &str| Edit::SetStyle {
        sheet: "Sheet1".into(),
        areas: vec![area.parse().unwrap()],
        style: style.clone(),
    };
    let after =
        edited(&before, &[edit("A1:B2"), edit("A1:B2"), set(&[("C1", Input::Date("2024-02-29".into()))])]);
    assert_eq!(
        data(&after.content),
        r#"<row r="1"><c r="A1" s="1"><v>1</v></c><c r="B1" s="1"/><c r="C1" s="2"><v>45351</v></c></row><row r="2"><c r="A2" s="1"/><c r="B2" s="1"/></row>"#
    );
    let cell = after.view.sheet("Sheet1").unwrap().cell("A1".parse().unwrap()).unwrap().unwrap();
    let look = after.view.style(cell.style).unwrap();
    assert_eq!((look.number_format.as_str(), look.font.bold, look.font.size), ("0.0%", true, Some(11.0)));
    assert_eq!(after.view.text(&cell.value, cell.style).unwrap(), "100.0%");
    let date = after.view.sheet("Sheet1").unwrap().cell("C1".parse().unwrap()).unwrap().unwrap();
    assert_eq!(after.view.text(&date.value, date.style).unwrap(), "2024-02-29");
    assert!(after.view.is_date(&date).unwrap());
}

#[test]
fn rules_are_set_over_areas_and_taken_off_again() {
    let before = book_with(
        &[(
            "Sheet1",
            r#"<sheetData/><pageMargins left="1" right="1" top="1" bottom="1" header="0" footer="0"/>"#,
        )],
        "",
        &[("xl/styles.xml", STYLES)],
    );
    let areas = |text: &str| vec![text.parse().unwrap()];
    let list = |area: &str, choices: &str| Edit::SetValidation {
        sheet: "Sheet1".into(),
        areas: areas(area),
        rule: sheet::ValidationRule {
            kind: "list".into(),
            formula1: Some(format!("\"{choices}\"")),
            ..Default::default()
        },
    };
    let after = edited(&before, &[list("A1:B3", "a,b"), list("B2", "c")]);
    let found = after.view.sheet("Sheet1").unwrap().validations();
    let shown: Vec<String> = found
        .iter()
        .map(|rule| rule.areas.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(shown, ["A1:B1 A3:B3 A2", "B2"]);
    let none =
        edited(&after.content, &[Edit::RemoveValidations { sheet: "Sheet1".into(), areas: areas("A1:C9") }]);
    assert_eq!(
        text_of(&none.content, "xl/worksheets/sheet1.xml"),
        text_of(&before, "xl/worksheets/sheet1.xml")
    );

    let rule = sheet::FormatRule::CellIs {
        operator: "greaterThan".into(),
        formulas: vec!["=5".into()],
        style: serde_json::from_str(r#"{"font":{"bold":true}}"#).unwrap(),
    };
    let add = Edit::AddConditionalFormat {
        sheet: "Sheet1".into(),
        areas: areas("A1:A9"),
        rule,
        stop_if_true: false,
    };
    let after = edited(&before, &[add.clone(), add]);
    let xml = text_of(&after.content, "xl/worksheets/sheet1.xml");
    assert!(xml.contains(r#"<sheetData/><conditionalFormatting sqref="A1:A9"><cfRule type="cellIs" dxfId="0" priority="1" operator="greaterThan"><formula>5</formula>"#), "{xml}");
    assert!(xml.contains("priority=\"2\""));
    assert!(
        text_of(&after.content, "xl/styles.xml")
            .contains(r#"<dxfs count="1"><dxf><font><b/></font></dxf></dxfs>"#)
    );
    let none = edited(
        &after.content,
        &[Edit::RemoveConditionalFormats { sheet: "Sheet1".into(), areas: areas("A:A"), rules: vec![] }],
    );
    assert_eq!(
        text_of(&none.content, "xl/worksheets/sheet1.xml"),
        text_of(&before, "xl/worksheets/sheet1.xml")
    );
}

#[test]
fn a_header_cell_renames_its_column_everywhere() {
    let table = r#"<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:B3"><autoFilter ref="A1:B3"/><tableColumns count="2"><tableColumn id="1" name="a"/><tableColumn id="2" name="b"/></tableColumns></table>"#;
    let rels = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/></Relationships>"#;
    let sheet = concat!(
        r#"<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>"#,
        r#"<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row><row r="3"><c r="A3"><v>3</v></c><c r="B3"><v>4</v></c></row>"#,
        r#"<row r="5"><c r="A5"><f>SUM(T[a])</f><v>4</v></c></row></sheetData><tableParts count="1"><tablePart r:id="rId1"/></tableParts>"#
    );
    let before = book_with(
        &[("Sheet1", sheet)],
        "",
        &[("xl/tables/table1.xml", table), ("xl/worksheets/_rels/sheet1.xml.rels", rels)],
    );
    let after = edited(&before, &[set(&[("A1", Input::Text("new".into())), ("A2", Input::Number(10.0))])]);
    assert_eq!(formula(&after.view, "A5"), "SUM(T[new])");
    assert_eq!(after.view.sheet("Sheet1").unwrap().tables().unwrap()[0].columns, ["new", "b"]);
    assert_eq!(
        after.view.sheet("Sheet1").unwrap().value("A5".parse().unwrap()).unwrap(),
        Value::Number(13.0)
    );
    refused(&before, &[set(&[("A1", Input::Text("B".into()))])]);
    refused(&before, &[set(&[("A1", Input::Number(1.0))])]);
    let wider = edited(&before, &[Edit::InsertColumns { sheet: "Sheet1".into(), at: 1, count: 1 }]);
    assert_eq!(wider.view.sheet("Sheet1").unwrap().tables().unwrap()[0].columns, ["a", "Column1", "b"]);
    assert!(
        sheet::check(&wider.view).iter().all(|problem| problem.rule == "content-type"),
        "{:?}",
        sheet::check(&wider.view)
    );
    refused(&before, &[Edit::DeleteRows { sheet: "Sheet1".into(), at: 0, count: 1 }]);
}
