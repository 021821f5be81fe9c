//! Sorted rows and fitted columns.

use serde_json::{Value, json};

use super::{Book, budget};

/// A list with a header: names, numbers, a formula in each row, one of them in bold.
fn list() -> Book {
    let book = budget();
    book.call("addSheet", json!(["List"]));
    book.set(&[
        ("List!A1", json!("Name")),
        ("List!B1", json!("Size")),
        ("List!C1", json!("Twice")),
        ("List!A2", json!("pear")),
        ("List!B2", json!(3)),
        ("List!C2", json!("=B2*2+Inputs!$B$3")),
        ("List!A3", json!("Apple")),
        ("List!B3", json!(1)),
        ("List!C3", json!("=B3*2")),
        ("List!A4", json!("fig")),
        ("List!C4", json!("=B4*2")),
        ("List!A5", json!("Apple")),
        ("List!B5", json!("many")),
        ("List!C5", json!("=LEN(B5)")),
    ]);
    book.call("setStyle", json!(["List!A2", { "richText": [{ "text": "pe" }, { "text": "ar", "style": { "font": { "bold": true } } }] }]));
    book.call("setStyle", json!(["List!B2", { "fill": { "color": "#FFFF00" } }]));
    book
}

fn column(book: &Book, range: &str) -> Vec<Value> {
    let rows = book.call("readRange", json!([range]));
    let rows = rows.as_array().expect("rows");
    rows.iter().map(|row| row[0].get("formula").unwrap_or(&row[0]["value"]).clone()).collect()
}

#[test]
fn rows_move_with_formats_and_formulas() {
    let book = list();
    book.call("sortRange", json!(["List!A1:C5", [{ "col": "Name" }, { "col": "B", "order": "desc" }]]));
    let book = book.saved();
    assert_eq!(
        column(&book, "List!A1:A5"),
        [json!("Name"), json!("Apple"), json!("Apple"), json!("fig"), json!("pear")]
    );
    assert_eq!(column(&book, "List!B2:B5"), [json!("many"), json!(1.0), Value::Null, json!(3.0)]);
    assert_eq!(
        column(&book, "List!C2:C5"),
        [json!("=LEN(B2)"), json!("=B3*2"), json!("=B4*2"), json!("=B5*2+Inputs!$B$3")]
    );
    assert_eq!(book.call("getStyle", json!(["List!B5"]))["fill"]["color"], "#FFFF00");
    assert_eq!(book.call("getStyle", json!(["List!B2"])).get("fill"), None);
    assert_eq!(book.call("getStyle", json!(["List!A5"]))["richText"][1]["style"]["font"]["bold"], true);
    // Blanks are last either way, and a list without a header is sorted whole.
    book.call("sortRange", json!(["List!B2:B5", [{ "col": 2 }], { "hasHeader": false }]));
    assert_eq!(column(&book, "List!B2:B5"), [json!(1.0), json!(3.0), json!("many"), Value::Null]);
}

#[test]
fn what_would_come_apart_is_not_sorted() {
    let book = list();
    book.refused("sortRange", json!(["List!A1:C5", [{ "col": "Q" }]]), "INVALID_ARGUMENT", "`Twice`");
    book.refused("sortRange", json!(["List!A1:C5", []]), "INVALID_ARGUMENT", "1 to 64");
    book.refused("sortRange", json!(["List!A1:C1", [{ "col": "A" }]]), "INVALID_ARGUMENT", "hasHeader");
    book.call("setCells", json!([[{ "address": "List!A3", "note": { "text": "why" } }]]));
    book.refused("sortRange", json!(["List!A1:C5", [{ "col": "A" }]]), "UNSAFE_EDIT", "A3 has a note");
    book.call("setCells", json!([[{ "address": "List!A3", "note": null }, { "address": "List!E2", "formula": "=SEQUENCE(3)" }]]));
    book.refused("sortRange", json!(["List!A1:E5", [{ "col": "A" }]]), "UNSAFE_EDIT", "array over E2:E4");
    book.call("setSheetProperties", json!(["List", { "merges": ["A8:B8"] }]));
    book.refused("sortRange", json!(["List!A1:C9", [{ "col": "A" }]]), "UNSAFE_EDIT", "merged cells (A8:B8)");
    book.call("setRowProperties", json!(["List", 4, 4, { "hidden": true }]));
    book.refused("sortRange", json!(["List!A1:C5", [{ "col": "A" }]]), "UNSAFE_EDIT", "row 4 is hidden");
}

#[test]
fn columns_become_as_wide_as_what_they_show() {
    let book = list();
    book.set(&[("List!A6", json!("a name that is rather long for its column"))]);
    let fitted = book.call("autoFitColumns", json!(["List"]));
    let width = |name: &str| fitted[name]["width"].as_f64().expect("a width");
    assert!((34.0..44.0).contains(&width("A")), "{fitted}");
    assert!(width("B") < 9.0, "{fitted}");
    let read = book.saved().call("getSheetProperties", json!(["List"]));
    assert_eq!(read["columns"]["A"]["width"], fitted["A"]["width"]);
    let again = book.call("autoFitColumns", json!(["List", ["A"], { "maxWidth": 12 }]));
    assert_eq!((&again["A"]["width"], again.get("B")), (&json!(12.0), None));
    assert_eq!(book.call("autoFitColumns", json!(["List", ["Z"]])), json!({}));
    book.refused(
        "autoFitColumns",
        json!(["List", ["A"], { "minWidth": 20, "maxWidth": 5 }]),
        "INVALID_ARGUMENT",
        "maxWidth",
    );
    book.refused("autoFitColumns", json!(["List", ["A"], { "minWidth": 500 }]), "INVALID_ARGUMENT", "255");
}

#[test]
fn many_columns_are_fitted_without_being_counted_as_written_cells() {
    let book = list();
    let cells: Vec<Value> = (1..=60).map(|col| json!({ "address": { "sheet": "List", "row": 9, "col": col }, "value": "rather wide text" })).collect();
    book.call("setCells", json!([cells]));
    let fitted = book.call("autoFitColumns", json!(["List"]));
    assert_eq!(fitted.as_object().map(serde_json::Map::len), Some(60));
}
