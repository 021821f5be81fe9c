//! Rows, columns and sheets that come and go, and everything that refers to them.

use edit::{Format as _, Refusal};
use sheet::{CellChange, Edit, Input, Sheet, Visibility};

use crate::book::{book, book_with, data, edited, formula, refused, rows, text_of};

fn insert_rows(at: u32, count: u32) -> Edit {
    Edit::InsertRows { sheet: "Sheet1".into(), at, count }
}

fn delete_rows(at: u32, count: u32) -> Edit {
    Edit::DeleteRows { sheet: "Sheet1".into(), at, count }
}

#[test]
fn rows_are_inserted_and_formulas_follow() {
    let before = rows(concat!(
        r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>SUM(A1:A3)</f><v>6</v></c></row>"#,
        r#"<row r="2"><c r="A2"><v>2</v></c></row>"#,
        r#"<row r="3"><c r="A3"><v>3</v></c><c r="B3"><f>A1+$A$3</f><v>4</v></c></row>"#
    ));
    let after = edited(&before, &[insert_rows(1, 2)]);
    assert_eq!(
        data(&after.content),
        concat!(
            r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>SUM(A1:A5)</f><v>6</v></c></row>"#,
            r#"<row r="4"><c r="A4"><v>2</v></c></row>"#,
            r#"<row r="5"><c r="A5"><v>3</v></c><c r="B5"><f>A1+$A$5</f><v>4</v></c></row>"#
        )
    );
    let back = edited(&after.content, &[delete_rows(1, 2)]);
    assert_eq!(data(&back.content), data(&before));
    let gone = edited(&before, &[delete_rows(2, 1)]);
    assert_eq!(formula(&gone.view, "B1"), "SUM(A1:A2)");
}

#[test]
fn shared_formulas_stay_shared_only_where_they_still_are() {
    let before = rows(concat!(
        r#"<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*2</f><v>2</v></c></row>"#,
        r#"<row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" si="0"/><v>4</v></c></row>"#,
        r#"<row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="0"/><v>6</v></c></row>"#
    ));
    let moved = edited(&before, &[insert_rows(0, 1)]);
    assert!(
        data(&moved.content).contains(r#"<f t="shared" ref="B2:B4" si="0">A2*2</f>"#),
        "{}",
        data(&moved.content)
    );
    assert_eq!([formula(&moved.view, "B2"), formula(&moved.view, "B4")], ["A2*2", "A4*2"]);
    let split = edited(&before, &[insert_rows(1, 1)]);
    assert_eq!(
        [formula(&split.view, "B1"), formula(&split.view, "B3"), formula(&split.view, "B4")],
        ["A1*2", "A3*2", "A4*2"]
    );
    let headless = edited(&before, &[delete_rows(0, 1)]);
    assert_eq!([formula(&headless.view, "B1"), formula(&headless.view, "B2")], ["A1*2", "A2*2"]);
}

#[test]
fn columns_move_cells_widths_and_names() {
    let before = book_with(
        &[
            (
                "Sheet1",
                r#"<cols><col min="1" max="2" width="9"/><col min="3" max="3" width="20"/></cols><sheetData><row r="1" spans="1:3"><c r="A1"><v>1</v></c><c r="C1"><f>A1+B1</f><v>1</v></c></row></sheetData><autoFilter ref="A1:C9"/>"#,
            ),
            ("Other", r#"<sheetData><row r="1"><c r="A1"><f>Sheet1!C1+C1</f><v>1</v></c></row></sheetData>"#),
        ],
        "<definedNames><definedName name=\"x\">Sheet1!$C$1:$C$9</definedName></definedNames>",
        &[],
    );
    let after = edited(&before, &[Edit::InsertColumns { sheet: "sheet1".into(), at: 1, count: 1 }]);
    let xml = text_of(&after.content, "xl/worksheets/sheet1.xml");
    assert!(xml.contains(r#"<col min="1" max="3" width="9"/><col min="4" max="4" width="20"/>"#), "{xml}");
    assert!(xml.contains(r#"<row r="1"><c r="A1"><v>1</v></c><c r="D1"><f>A1+C1</f>"#), "{xml}");
    assert!(xml.contains(r#"<autoFilter ref="A1:D9"/>"#));
    assert_eq!(formula(&after.view, "Other!A1"), "Sheet1!D1+C1");
    assert_eq!(after.view.workbook().names[0].formula, "Sheet1!$D$1:$D$9");
    let gone = edited(&before, &[Edit::DeleteColumns { sheet: "Sheet1".into(), at: 2, count: 1 }]);
    assert_eq!(formula(&gone.view, "Other!A1"), "Sheet1!#REF!+C1");
}

#[test]
fn merges_validations_and_formats_follow_rows() {
    let before = book(&[(
        "Sheet1",
        concat!(
            r#"<sheetData><row r="9"><c r="A9"><v>1</v></c></row></sheetData>"#,
            r#"<mergeCells count="3"><mergeCell ref="A1:B1"/><mergeCell ref="A3:B3"/><mergeCell ref="A5:A6"/></mergeCells>"#,
            r#"<conditionalFormatting sqref="A3:A9 C3"><cfRule type="expression" priority="1"><formula>A3&gt;A$1</formula></cfRule></conditionalFormatting>"#,
            r#"<dataValidations count="1"><dataValidation type="list" sqref="D3"><formula1>$A$3:$A$9</formula1></dataValidation></dataValidations>"#,
            r#"<hyperlinks><hyperlink ref="A9" location="Sheet1!A9"/></hyperlinks>"#
        ),
    )]);
    let xml = |content: &edit::Content| text_of(content, "xl/worksheets/sheet1.xml");
    let after = xml(&edited(&before, &[delete_rows(2, 1)]).content);
    assert!(
        after.contains(
            r#"<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="A4:A5"/></mergeCells>"#
        ),
        "{after}"
    );
    assert!(after.contains(r#"sqref="A3:A8"><cfRule"#), "{after}");
    assert!(!after.contains("dataValidation"), "{after}");
    assert!(after.contains(r#"<hyperlink ref="A8" location="Sheet1!A8"/>"#), "{after}");
    let after = xml(&edited(&before, &[insert_rows(2, 1)]).content);
    assert!(
        after.contains(
            r#"sqref="A4:A10 C4"><cfRule type="expression" priority="1"><formula>A4&gt;A$1</formula>"#
        ),
        "{after}"
    );
    assert!(after.contains(r#"sqref="D4"><formula1>$A$4:$A$10</formula1>"#), "{after}");
    let none = xml(&edited(&before, &[delete_rows(0, 8)]).content);
    assert!(!none.contains("mergeCell"), "{none}");
}

#[test]
fn arrays_are_not_cut() {
    let before = rows(
        r#"<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>"#,
    );
    assert!(matches!(refused(&before, &[insert_rows(1, 1)]), Refusal::Rule { .. }));
    assert!(matches!(refused(&before, &[delete_rows(1, 1)]), Refusal::Rule { .. }));
    assert!(data(&edited(&before, &[insert_rows(0, 1)]).content).contains(r#"ref="A2:A3">B2:B3</f>"#));
    let last = rows(r#"<row r="1048576"><c r="A1048576"><v>1</v></c></row>"#);
    assert!(matches!(refused(&last, &[insert_rows(5, 1)]), Refusal::Rule { .. }));
}

#[test]
fn sheets_are_renamed_moved_added_and_deleted() {
    let before = book_with(
        &[
            (
                "Sheet1",
                r#"<sheetData><row r="1"><c r="A1"><f>'My Data'!B2+SUM('My Data'!A:A)</f><v>0</v></c></row></sheetData>"#,
            ),
            ("My Data", r#"<sheetData/>"#),
            ("Third", r#"<sheetData/>"#),
        ],
        r#"<definedNames><definedName name="a" localSheetId="1">'My Data'!$A$1</definedName><definedName name="b" localSheetId="2">Third!$A$1</definedName></definedNames>"#,
        &[],
    );
    let renamed = edited(&before, &[Edit::RenameSheet { sheet: "my data".into(), to: "Data".into() }]);
    assert_eq!(formula(&renamed.view, "A1"), "Data!B2+SUM(Data!A:A)");
    assert_eq!(renamed.view.workbook().names[0].formula, "Data!$A$1");

    let deleted = edited(&before, &[Edit::DeleteSheet { sheet: "My Data".into() }]);
    assert_eq!(formula(&deleted.view, "A1"), "#REF!B2+SUM(#REF!A:A)");
    assert_eq!(deleted.view.workbook().sheets.len(), 2);
    assert!(!deleted.content.contains("xl/worksheets/sheet2.xml"));
    let names = &deleted.view.workbook().names;
    assert_eq!((names.len(), names[0].name.as_str(), names[0].scope), (1, "b", Some(1)));

    let added = edited(&before, &[Edit::AddSheet { name: "New & old".into(), before: Some("Third".into()) }]);
    let order: Vec<&str> = added.view.workbook().sheets.iter().map(|tab| tab.name.as_str()).collect();
    assert_eq!(order, ["Sheet1", "My Data", "New & old", "Third"]);
    assert_eq!(added.view.workbook().names[1].scope, Some(3));

    let moved = edited(&before, &[Edit::MoveSheet { sheet: "Third".into(), to: 0 }]);
    let order: Vec<&str> = moved.view.workbook().sheets.iter().map(|tab| tab.name.as_str()).collect();
    assert_eq!(order, ["Third", "Sheet1", "My Data"]);
    assert_eq!(moved.view.workbook().names.iter().map(|n| n.scope).collect::<Vec<_>>(), [Some(2), Some(0)]);

    let hide = |sheet: &str| Edit::ShowSheet { sheet: sheet.into(), visibility: Visibility::Hidden };
    refused(&before, &[hide("Sheet1"), hide("My Data"), hide("Third")]);
    for bad in ["", "a/b", "Third", "'x", "History", &"x".repeat(32)] {
        refused(&before, &[Edit::AddSheet { name: bad.into(), before: None }]);
    }
}

#[test]
fn pivot_tables_move_with_their_cells_and_are_never_cut() {
    let rels = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/pivotTable" Target="../pivotTables/pivotTable1.xml"/></Relationships>"#;
    let pivot = r#"<pivotTableDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" name="P" cacheId="1"><location ref="A3:B6" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/></pivotTableDefinition>"#;
    let before = crate::book::book_with(
        &[("Sheet1", "<sheetData/>")],
        "",
        &[("xl/worksheets/_rels/sheet1.xml.rels", rels), ("xl/pivotTables/pivotTable1.xml", pivot)],
    );
    let insert = |at| Edit::InsertRows { sheet: "Sheet1".into(), at, count: 2 };
    let delete = |at, count| Edit::DeleteRows { sheet: "Sheet1".into(), at, count };
    let place = |edit: Edit| {
        let text = crate::book::text_of(
            &crate::book::edited(&before, &[edit]).content,
            "xl/pivotTables/pivotTable1.xml",
        );
        text.split("location ref=\"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned)
    };
    assert_eq!(place(insert(0)).as_deref(), Some("A5:B8"));
    assert_eq!(place(insert(2)).as_deref(), Some("A5:B8"));
    assert_eq!(place(insert(6)).as_deref(), Some("A3:B6"));
    assert_eq!(place(delete(0, 1)).as_deref(), Some("A2:B5"));
    for edit in [insert(3), delete(3, 1), delete(2, 4)] {
        crate::book::refused(&before, &[edit]);
    }
    let view = Sheet::view(&before).expect("viewed");
    let notes = |at: &str| {
        let cells = vec![CellChange { at: at.parse().expect("a cell"), input: Input::Number(1.0) }];
        let edit = Edit::SetCells { sheet: "Sheet1".into(), cells, seen: None };
        Sheet::plan(&view, &edit, &testkit::context()).expect("planned").step.notes.len()
    };
    assert_eq!((notes("B6"), notes("B7")), (1, 0), "what stands under a pivot table will not last");
}

#[test]
fn the_filters_above_a_pivot_table_belong_to_it() {
    let rels = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/pivotTable" Target="../pivotTables/pivotTable1.xml"/></Relationships>"#;
    let pivot = r#"<pivotTableDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" name="P" cacheId="1"><location ref="A5:B8" firstHeaderRow="1" firstDataRow="1" firstDataCol="1" rowPageCount="2" colPageCount="1"/></pivotTableDefinition>"#;
    let before = book_with(
        &[("Sheet1", "<sheetData/>")],
        "",
        &[("xl/worksheets/_rels/sheet1.xml.rels", rels), ("xl/pivotTables/pivotTable1.xml", pivot)],
    );
    let view = Sheet::view(&before).expect("viewed");
    let notes = |at: &str| {
        let cells = vec![CellChange { at: at.parse().expect("a cell"), input: Input::Number(1.0) }];
        let edit = Edit::SetCells { sheet: "Sheet1".into(), cells, seen: None };
        Sheet::plan(&view, &edit, &testkit::context()).expect("planned").step.notes.len()
    };
    assert_eq!(
        [notes("A1"), notes("B2"), notes("A3"), notes("C3"), notes("A4"), notes("A5")],
        [0, 1, 1, 0, 0, 1]
    );
    // Excel looks for them right above the table, so no row may come between.
    for edit in [insert_rows(2, 1), insert_rows(4, 1), delete_rows(1, 2), delete_rows(3, 1)] {
        refused(&before, &[edit]);
    }
    let moved = edited(&before, &[insert_rows(1, 2)]);
    assert!(text_of(&moved.content, "xl/pivotTables/pivotTable1.xml").contains(r#"ref="A7:B10""#));
}

#[test]
fn columns_of_tables_and_filters_go_with_their_formulas_and_conditions() {
    let rels = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/></Relationships>"#;
    let table = concat!(
        r#"<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="B1:E4"><autoFilter ref="B1:E4"><filterColumn colId="1"><filters><filter val="x"/></filters></filterColumn><filterColumn colId="3"><filters blank="1"/></filterColumn></autoFilter>"#,
        r#"<tableColumns count="4"><tableColumn id="1" name="a"/><tableColumn id="2" name="b"/><tableColumn id="3" name="c"><calculatedColumnFormula>Sheet1!$H$1*2</calculatedColumnFormula></tableColumn><tableColumn id="4" name="d"><calculatedColumnFormula>Sheet1!$H$1*3</calculatedColumnFormula></tableColumn></tableColumns></table>"#
    );
    let head = ["B", "C", "D", "E"].iter().zip(["a", "b", "c", "d"]);
    let head: String = head.map(|(at, name)| format!(r#"<c r="{at}1" t="str"><v>{name}</v></c>"#)).collect();
    let sheet = format!(
        r#"<sheetData><row r="1">{head}<c r="H1"><v>5</v></c></row></sheetData><tableParts count="1"><tablePart r:id="rId1"/></tableParts>"#
    );
    let before = book_with(
        &[
            ("Sheet1", &sheet),
            (
                "Other",
                r#"<sheetData/><autoFilter ref="B1:E9"><filterColumn colId="2"><filters blank="1"/></filterColumn></autoFilter>"#,
            ),
        ],
        "",
        &[("xl/worksheets/_rels/sheet1.xml.rels", rels), ("xl/tables/table1.xml", table)],
    );
    let columns = |sheet: &str, at, deletes| match deletes {
        true => Edit::DeleteColumns { sheet: sheet.into(), at, count: 1 },
        false => Edit::InsertColumns { sheet: sheet.into(), at, count: 1 },
    };
    let table = |edit| text_of(&edited(&before, &[edit]).content, "xl/tables/table1.xml");
    let less = table(columns("Sheet1", 3, true));
    assert!(less.contains(r#"ref="B1:D4""#) && !less.contains(r#"name="c""#), "{less}");
    assert!(less.contains("<calculatedColumnFormula>Sheet1!$G$1*3"), "{less}");
    assert!(less.contains(r#"colId="1""#) && less.contains(r#"colId="2""#), "{less}");
    let none = table(columns("Sheet1", 2, true));
    assert!(
        !none.contains(r#"val="x""#) && none.contains(r#"<filterColumn colId="2"><filters blank="1"/>"#),
        "{none}"
    );
    let more = table(columns("Sheet1", 2, false));
    assert!(more.contains(r#"colId="2""#) && more.contains(r#"colId="4""#), "{more}");
    let other = |edit| text_of(&edited(&before, &[edit]).content, "xl/worksheets/sheet2.xml");
    assert!(other(columns("Other", 0, false)).contains(r#"ref="C1:F9"><filterColumn colId="2">"#));
    assert!(other(columns("Other", 2, true)).contains(r#"ref="B1:D9"><filterColumn colId="1">"#));
    assert!(other(columns("Other", 1, true)).contains(r#"ref="B1:D9"><filterColumn colId="1">"#));
    assert!(!other(columns("Other", 3, true)).contains("filterColumn"));
}

/// Cells that only refer to the first of their shared formulas are not touched when it changes, but calculated.
#[test]
fn shared_formulas_are_calculated_anew_after_an_edit_that_came_before() {
    let before = rows(concat!(
        r#"<row r="1"><c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f><v>2</v></c><c r="B1"><v>1</v></c></row>"#,
        r#"<row r="2"><c r="A2"><f t="shared" si="0"/><v>6</v></c><c r="B2"><v>3</v></c></row>"#
    ));
    let mut view = <sheet::Sheet as edit::Format>::view(&before).unwrap();
    let mut content = before;
    let first = crate::book::set(&[("D9", sheet::Input::Formula("1+1".into()))]);
    for edit in [first, Edit::InsertColumns { sheet: "Sheet1".into(), at: 1, count: 1 }] {
        let base = edit::RevisionId { number: 0, digest: 0 };
        let batch = edit::plan::<sheet::Sheet>(&content, view, base, &[edit], &testkit::context()).unwrap();
        (content, view) = (batch.content, batch.view);
    }
    let value = |at: &str| view.sheet("Sheet1").unwrap().value(at.parse().unwrap()).unwrap();
    assert_eq!([value("A1"), value("A2")], [2.0, 6.0].map(sheet::Value::Number));
    assert_eq!(formula(&view, "A2"), "C2*2");
}
