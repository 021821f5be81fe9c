//! Changes as people read them.

use edit::Format;
use serde_json::{Value, json};
use sheet::{Edit, Sheet};

use crate::book::{book, edited};

fn workbook() -> edit::Content {
    let row = |n: u32| {
        format!(
            r#"<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>item {n}</t></is></c><c r="B{n}"><v>{n}</v></c><c r="C{n}"><f>B{n}*2</f><v>{}</v></c></row>"#,
            n * 2
        )
    };
    let rows = (1..=9).map(row).collect::<String>();
    let total = r#"<row r="10"><c r="C10"><f>SUM(C1:C9)</f><v>90</v></c></row>"#;
    book(&[("Inputs", &format!("<sheetData>{rows}{total}</sheetData>")), ("My notes", "<sheetData/>")])
}

fn shown(edits: Value) -> Vec<String> {
    let before = workbook();
    let edits: Vec<Edit> = serde_json::from_value(edits).expect("edits");
    let done = edited(&before, &edits);
    let view = Sheet::view(&before).expect("a view");
    let all = Sheet::shown(&view, &done.view, &done.patch).expect("shown");
    let fresh =
        Sheet::shown(&view, &Sheet::view(&done.content).expect("a view"), &done.patch).expect("shown");
    assert_eq!(all, fresh);
    all.into_iter().map(|one| format!("{}: {} -> {}", one.place, one.before, one.after)).collect()
}

#[test]
fn cells_show_what_they_held_and_hold_and_what_follows_comes_last() {
    let set = json!([{"op": "set_cells", "sheet": "Inputs", "cells": [{"at": "B5", "input": {"number": 50}}, {"at": "A12", "input": {"text": "new"}}]}]);
    assert_eq!(
        shown(set),
        [
            "Inputs!B5: 5 -> 50",
            "Inputs!A12:  -> new",
            "Inputs!C5: =B5*2 (10) -> =B5*2 (100)",
            "Inputs!C10: =SUM(C1:C9) (90) -> =SUM(C1:C9) (180)"
        ]
    );
}

#[test]
fn lines_that_come_and_go_are_one_entry() {
    let insert = json!([{"op": "insert_rows", "sheet": "Inputs", "at": 3, "count": 2}]);
    assert_eq!(shown(insert), ["Inputs!4:5:  -> 2 new rows"]);
    let delete = json!([{"op": "delete_rows", "sheet": "Inputs", "at": 3, "count": 1}]);
    assert_eq!(shown(delete), ["Inputs!4:4: item 4 | 4 | =B4*2 (8) -> "]);
    let column = json!([{"op": "insert_columns", "sheet": "Inputs", "at": 1, "count": 1}]);
    assert_eq!(shown(column), ["Inputs!B:B:  -> 1 new column"]);
    let both = json!([{"op": "insert_rows", "sheet": "Inputs", "at": 3, "count": 1}, {"op": "set_cells", "sheet": "Inputs", "cells": [{"at": "A4", "input": {"text": "between"}}, {"at": "A6", "input": {"text": "other"}}]}]);
    assert_eq!(
        shown(both),
        ["Inputs!4:4:  -> 1 new row", "Inputs!A6: item 5 -> other", "Inputs!A4:  -> between"]
    );
}

#[test]
fn looks_sheets_and_what_hangs_on_them_are_told_in_words() {
    let one = |edit: Value| shown(json!([edit]));
    let bold =
        json!({"op": "set_style", "sheet": "Inputs", "areas": ["A1:A2"], "style": {"font": {"bold": true}}});
    let bold = one(bold);
    assert!(
        bold.len() == 2 && bold[0].starts_with("Inputs!A1: bold off") && bold[0].contains("-> bold on"),
        "{bold:?}"
    );
    assert_eq!(one(json!({"op": "add_sheet", "name": "More"})), ["sheet More:  -> More"]);
    assert_eq!(
        one(json!({"op": "rename_sheet", "sheet": "My notes", "to": "Notes"})),
        ["sheet My notes: My notes -> Notes"]
    );
    assert_eq!(one(json!({"op": "delete_sheet", "sheet": "My notes"})), ["sheet My notes: My notes -> "]);
    assert_eq!(
        one(json!({"op": "merge", "sheet": "My notes", "area": "A1:B2"})),
        ["merged cells of My notes:  -> A1:B2"]
    );
    assert_eq!(
        one(json!({"op": "freeze", "sheet": "Inputs", "rows": 1, "columns": 0})),
        ["frozen panes of Inputs: none -> 1 rows, 0 columns"]
    );
    assert_eq!(
        one(json!({"op": "define_name", "name": "Rate", "formula": "Inputs!$B$1"})),
        ["name Rate:  -> =Inputs!$B$1"]
    );
    assert_eq!(
        one(json!({"op": "set_note", "sheet": "Inputs", "at": "B2", "text": "why"})),
        ["note of Inputs:  -> B2: why"]
    );
    assert_eq!(
        one(json!({"op": "set_workbook", "properties": {"title": "Fruit"}})),
        ["properties of the document:  -> added"]
    );
    let page = one(json!({"op": "set_page", "sheet": "Inputs", "page": {"landscape": true}}));
    assert_eq!(page, ["page of Inputs: portrait -> landscape"]);
}

#[test]
fn many_cells_are_counted() {
    let cells: Vec<Value> =
        (1..=200).map(|n| json!({"at": format!("F{n}"), "input": {"number": n}})).collect();
    let all = shown(json!([{"op": "set_cells", "sheet": "Inputs", "cells": cells}]));
    assert_eq!(all.len(), 50);
    assert_eq!(all.last().map(String::as_str), Some("and 151 more:  -> "));
}
