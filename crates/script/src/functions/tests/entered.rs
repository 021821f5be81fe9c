//! What becomes of formulas and lines as Excel treats them.

use serde_json::{Value, json};

use super::budget;

#[test]
fn an_unknown_function_is_an_error_that_others_see() {
    let book = budget();
    book.set(&[("Inputs!E1", json!("=NOSUCH(B2)")), ("Inputs!E2", json!("=E1+1"))]);
    let book = book.saved();
    assert_eq!((book.text("Inputs!E1").as_str(), book.text("Inputs!E2").as_str()), ("#NAME?", "#NAME?"));
}

#[test]
fn formulas_of_dates_show_dates() {
    let book = budget();
    book.set(&[("Inputs!E1", json!("=DATE(2024,2,28)")), ("Inputs!E2", json!("=NOW()"))]);
    book.set(&[
        ("Inputs!E3", json!("=E1+30")),
        ("Inputs!E4", json!("=E1-E1")),
        ("Inputs!E5", json!("=YEAR(E1)")),
    ]);
    let book = book.saved();
    assert_eq!(
        (book.text("Inputs!E1").as_str(), book.text("Inputs!E3").as_str()),
        ("2/28/2024", "3/29/2024")
    );
    assert_eq!((book.text("Inputs!E4").as_str(), book.text("Inputs!E5").as_str()), ("0", "2024"));
}

#[test]
fn a_circle_is_told_on_all_of_it_and_behind_it() {
    let book = budget();
    let cells = json!([
        { "address": "Inputs!F1", "formula": "=F2" },
        { "address": "Inputs!F2", "formula": "=F1+1" },
        { "address": "Inputs!F3", "formula": "=F2*2" },
    ]);
    let told = book.call("setCells", json!([cells]));
    let circular: Vec<&Value> =
        told["errors"].as_array().expect("a list").iter().map(|error| &error["address"]).collect();
    assert_eq!(circular, [&json!("Inputs!F1"), &json!("Inputs!F2"), &json!("Inputs!F3")]);
}

#[test]
fn new_rows_look_like_the_row_above_and_go_on_with_a_table() {
    let book = budget();
    book.call("addSheet", json!(["Sales"]));
    let columns = json!([{ "name": "Price" }, { "name": "Twice", "calculatedColumnFormula": "=[@Price]*2" }]);
    book.call(
        "addListObject",
        json!(["Sales", { "name": "T", "ref": "A1", "columns": columns, "rows": [[1, null], [2, null]] }]),
    );
    book.call("setStyle", json!(["Sales!A2", { "numberFormat": "0.00" }]));
    book.call("insertRowAfter", json!(["Sales", 2, 1]));
    book.set(&[("Sales!A3", json!(7))]);
    let book = book.saved();
    assert_eq!((book.text("Sales!A3").as_str(), book.text("Sales!B3").as_str()), ("7.00", "14"));
}

#[test]
fn a_spill_is_copied_whole() {
    let book = budget();
    book.set(&[("Inputs!E1", json!("=SEQUENCE(3)"))]);
    book.call("copyRange", json!(["Inputs!E1:E3", "Inputs!G1"]));
    let book = book.saved();
    assert_eq!(book.text("Inputs!G3"), "3");
    assert_eq!(book.call("readCell", json!(["Inputs!G3"])).get("formula"), None);
    book.call("copyRange", json!(["Inputs!E2:E3", "Inputs!I1"]));
    assert_eq!(book.text("Inputs!I2"), "3");
}

#[test]
fn what_a_text_looks_like_is_told_and_what_was_written_counts_as_changed() {
    let book = budget();
    let told = book.call(
        "setCells",
        json!([[
            { "address": "Notes!A1", "value": "2024-03-01" }, { "address": "Notes!A2", "value": "25%" },
            { "address": "Notes!A3", "value": "1,234" }, { "address": "Notes!A4", "value": "#N/A" },
            { "address": "Notes!A5", "value": "007" }, { "address": "Notes!A6", "value": "Q1 2024" },
            { "address": "Notes!A7", "value": "12", "format": "@" }, { "address": "Notes!A8", "value": 5 },
        ]]),
    );
    let notes = told["notes"].as_array().expect("notes");
    assert_eq!(notes.len(), 4, "{told}");
    assert!(
        notes[0].as_str().is_some_and(|note| note.contains("Notes!A1") && note.contains("a date")),
        "{told}"
    );
    assert_eq!(told["changed"].as_array().map(Vec::len), Some(8));
    let again = book.call("setCells", json!([[{ "address": "Notes!A8", "value": 5 }]]));
    assert_eq!(again["changed"], json!([]));
    let cleared = book.call("setCells", json!([[{ "address": "Notes!A8", "value": null }]]));
    assert_eq!(cleared["changed"], json!(["Notes!A8"]));
}

#[test]
fn what_was_not_meant_is_refused_or_told() {
    let book = budget();
    book.call(
        "setCells",
        json!([[{ "address": "Notes!A1", "value": 5 }, { "address": "Notes!A2", "value": 9 },
        { "address": "Notes!A3", "value": 7 }, { "address": "Notes!C1", "formula": "=A2*2" }]]),
    );
    let sorted = book.call("sortRange", json!(["Notes!A1:A3", [{ "col": 1, "order": "desc" }]]));
    assert!(
        sorted["notes"][0].as_str().is_some_and(|note| note.contains("Notes!A1 was taken for the header")),
        "{sorted}"
    );
    let sorted = book.call("sortRange", json!(["Notes!A1:A3", [{ "col": 1 }], { "hasHeader": false }]));
    assert_eq!(sorted["notes"], json!(null));
    book.refused(
        "goalSeek",
        json!([{ "target": "Notes!C1", "value": 200, "input": "Notes!A3" }]),
        "NOT_FOUND",
        "does not move",
    );
    book.call("addListObject", json!(["Notes", { "name": "Fruit", "ref": "E1", "rows": [["fig"], ["pear"]], "columns": [{ "name": "Name" }] }]));
    let list =
        |source: &str| json!(["Notes", [{ "address": "G1", "rule": { "list": { "source": source } } }]]);
    book.refused("setDataValidations", list("=Fruit[Name]"), "INVALID_ARGUMENT", "give `=Notes!$E$2:$E$3`");
    book.refused("setDataValidations", list("=NoSheet!A1:A3"), "SHEET_NOT_FOUND", "NoSheet");
    book.call("setDataValidations", list("=INDIRECT(\"Fruit[Name]\")"));
}
