//! Each rule of the linter on cells that break it, and on cells that look like it and do not.

use serde_json::{Value, json};

use super::{Book, open};

fn book() -> Book {
    open(sheet::new_workbook(&["S", "T"]).expect("a workbook"))
}

/// The cells that a rule names, in order.
fn found(book: &Book, rule: &str) -> Vec<String> {
    let told = book.call("lint", json!([{ "onlyRuleIds": [rule] }]));
    let each = told["diagnostics"].as_array().expect("a list").iter();
    each.map(|one| one["location"].as_str().unwrap_or("workbook").to_owned()).collect()
}

fn message(book: &Book, rule: &str) -> String {
    let told = book.call("lint", json!([{ "onlyRuleIds": [rule] }]));
    told["diagnostics"][0]["message"].as_str().expect("a message").to_owned()
}

fn column(book: &Book, column: &str, first: u32, values: &[Value]) {
    let cells: Vec<(String, Value)> = values
        .iter()
        .enumerate()
        .map(|(n, value)| (format!("S!{column}{}", first + n as u32), value.clone()))
        .collect();
    let cells: Vec<(&str, Value)> = cells.iter().map(|(at, value)| (at.as_str(), value.clone())).collect();
    book.set(&cells);
}

fn format(book: &Book, range: &str, code: &str) {
    book.call("setStyle", json!([range, { "numberFormat": code }]));
}

#[test]
fn duplicate_keys_are_seen_through_index_and_match() {
    let book = book();
    for (row, (key, value)) in [("x", 1), ("y", 2), ("x", 9), ("z", 4)].into_iter().enumerate() {
        book.set(&[(&format!("S!G{}", row + 1), json!(key)), (&format!("S!H{}", row + 1), json!(value))]);
    }
    book.set(&[
        ("S!I1", json!("=INDEX(H1:H4,MATCH(\"x\",G1:G4,0))")),
        ("S!I2", json!("=INDEX(G1:H4,XMATCH(\"x\",G1:G4),2)")),
        ("S!I3", json!("=INDEX(H1:H4,MATCH(\"y\",G1:G4,0))")),
    ]);
    let found = book.call("lint", json!([{ "onlyRuleIds": ["D007"] }]));
    let places: Vec<&Value> =
        found["diagnostics"].as_array().expect("a list").iter().map(|one| &one["location"]).collect();
    assert_eq!(places, [&json!("S!I1"), &json!("S!I2")]);
}

#[test]
fn sums_that_count_twice() {
    let book = book();
    column(&book, "B", 2, &[json!(1), json!(2), json!(3), json!("=SUM(B2:B4)"), json!(4), json!(5)]);
    book.set(&[
        ("S!B8", json!("=SUM(B2:B7)")),
        ("S!D1", json!("=SUM(B2:B4,B4:B6)")),
        ("S!D2", json!("=SUM(B2:B4)-B3")),
        ("S!D3", json!("=B2+B2")),
        ("S!D4", json!("=SUM(B2:B7)/2")),
        ("S!D5", json!("=SUM(B2:B3)+SUM(B3:B4)")),
    ]);
    assert_eq!(found(&book, "D001"), ["S!D1", "S!D5", "S!B8"]);
    assert!(message(&book, "D001").contains("S!B4 twice"), "{}", message(&book, "D001"));
}

#[test]
fn lookups_in_keys_without_order() {
    let book = book();
    column(&book, "A", 1, &[json!(1), json!(5), json!(3), json!(9)]);
    column(&book, "B", 1, &[json!("a"), json!("b"), json!("c"), json!("d")]);
    book.set(&[
        ("S!D1", json!("=VLOOKUP(3,A1:B4,2)")),
        ("S!D2", json!("=VLOOKUP(3,A1:B4,2,FALSE)")),
        ("S!D3", json!("=MATCH(5,A1:A4)")),
        ("S!D4", json!("=LOOKUP(9.9E+307,A1:A4)")),
        ("S!D5", json!("=MATCH(\"c\",B1:B4,1)")),
    ]);
    assert_eq!(found(&book, "D002"), ["S!D1", "S!D3"]);
}

#[test]
fn keys_that_occur_twice() {
    let book = book();
    column(&book, "A", 1, &[json!("x"), json!("y"), json!("X"), json!("z"), json!("z")]);
    column(&book, "B", 1, &[json!(1), json!(2), json!(3), json!(4), json!(4)]);
    book.set(&[
        ("S!D1", json!("=VLOOKUP(\"x\",A1:B5,2,FALSE)")),
        ("S!D2", json!("=VLOOKUP(\"y\",A1:B5,2,FALSE)")),
        ("S!D3", json!("=VLOOKUP(\"z\",A1:B5,2,FALSE)")),
    ]);
    assert_eq!(found(&book, "D007"), ["S!D1"]);
}

#[test]
fn empty_cells_that_are_calculated_with() {
    let book = book();
    column(&book, "A", 1, &[json!("Price"), json!("Rate"), json!("Tax")]);
    book.set(&[
        ("S!B1", json!(100)),
        ("S!D1", json!("=B1*B2")),
        ("S!D2", json!("=IF(B2=\"\",0,B1*B2)")),
        ("S!D3", json!("=B1+B2")),
        ("S!D4", json!("=B1+Z90")),
    ]);
    assert_eq!(found(&book, "D003"), ["S!D1", "S!D4"]);
}

#[test]
fn errors_and_what_they_come_from() {
    let book = book();
    book.set(&[("S!A1", json!("=1/0")), ("S!B5", json!("=A1+1")), ("S!C9", json!("=NA()"))]);
    assert_eq!(found(&book, "D004"), ["S!A1", "S!B5", "S!C9"]);
    let told = book.call("lint", json!([{ "onlyRuleIds": ["D004"] }]));
    assert_eq!(told["diagnostics"][0]["severity"], "Error");
    assert!(told["diagnostics"][1]["message"].as_str().unwrap().contains("S!A1"), "{told}");
    assert_eq!(told["diagnostics"][2]["severity"], "Info");
}

#[test]
fn sums_pass_over_texts_and_mixed_units() {
    let book = book();
    book.call("setStyle", json!(["S!A2", { "numberFormat": "@" }]));
    column(&book, "A", 1, &[json!(1), json!("12"), json!(3), json!(4)]);
    book.set(&[("S!A6", json!("=SUM(A1:A4)"))]);
    assert_eq!(found(&book, "D005"), ["S!A6"]);
    assert_eq!(found(&book, "DW004"), ["S!A2"]);
    column(&book, "C", 1, &[json!(10), json!(20), json!(0.5), json!(7)]);
    format(&book, "S!C1", "\"$\"#,##0");
    format(&book, "S!C2", "[$€-407] #,##0");
    format(&book, "S!C3", "0%");
    book.set(&[
        ("S!E1", json!("=C1+C2")),
        ("S!E2", json!("=C1*C3")),
        ("S!E3", json!("=C4+C3")),
        ("S!E4", json!("=C1+C3")),
    ]);
    assert_eq!(found(&book, "D008"), ["S!E1"]);
    assert_eq!(found(&book, "D009"), ["S!E3"]);
    assert_eq!(found(&book, "D023"), ["S!E4"]);
}

#[test]
fn one_cell_for_a_whole_column_and_merged_cells() {
    let book = book();
    column(&book, "A", 1, &[json!(1), json!(2), json!(3)]);
    column(&book, "B", 1, &[json!(4), json!(5), json!(6)]);
    book.set(&[("S!D1", json!("=SUMPRODUCT(A1:A3*B1)")), ("S!D2", json!("=SUMPRODUCT(A1:A3*$B$1)"))]);
    assert_eq!(found(&book, "D006"), ["S!D1"]);
    book.set(&[("S!F1", json!("Title")), ("S!H1", json!("=G1&\"\"")), ("S!H2", json!("=F1&\"\""))]);
    book.call("setSheetProperties", json!(["S", { "merges": ["F1:G1"] }]));
    assert_eq!(found(&book, "D030"), ["S!H1"]);
}

#[test]
fn cells_that_break_the_pattern() {
    let book = book();
    for row in 1..=8 {
        book.set(&[(&format!("S!A{row}"), json!(row)), (&format!("S!B{row}"), json!(format!("=A{row}*2")))]);
    }
    book.set(&[("S!B4", json!("=A4*3")), ("S!B6", json!(12))]);
    // What breaks the pattern next to another break is not surrounded any more.
    assert_eq!(found(&book, "DW001"), ["S!B4"]);
    assert_eq!(found(&book, "DW002"), ["S!B6"]);
    book.set(&[("S!A10", json!("=SUM(A1:A6)"))]);
    assert_eq!(found(&book, "DW003"), Vec::<String>::new());
    book.set(&[("S!A9", json!("=SUM(A1:A6)"))]);
    assert_eq!(found(&book, "DW003"), ["S!A9"]);
}

#[test]
fn what_concerns_the_workbook() {
    let book = book();
    book.set(&[
        ("S!A1", json!("=TODAY()")),
        ("S!A2", json!("=A2+1")),
        ("T!A1", json!(5)),
        ("S!A3", json!("=T!A1*1.19")),
    ]);
    book.call("setSheetProperties", json!(["T", { "visibility": "hidden" }]));
    assert_eq!(found(&book, "DW007"), ["S!A1"]);
    assert_eq!(found(&book, "DW008"), ["S!A2"]);
    assert_eq!(found(&book, "DW005"), ["S!A3"]);
    assert_eq!(found(&book, "DW011"), ["S!A3"]);
    let shown = book.call("lint", json!([{ "rangeAddresses": ["S!A3"] }]));
    assert_eq!(shown["total"], 2, "{shown}");
    book.refused("lint", json!([{ "onlyRuleIds": ["D999"] }]), "INVALID_ARGUMENT", "D001");
    book.refused("lint", json!([{ "onlyRuleIds": ["D107"] }]), "UNSUPPORTED", "D107");
}

#[test]
fn entries_that_are_not_allowed() {
    let book = book();
    column(&book, "A", 1, &[json!("red"), json!("pink"), json!(3), json!(30)]);
    book.call(
        "setDataValidations",
        json!(["S", [
            { "address": "A1:A2", "rule": { "list": { "source": ["red", "green"] } } },
            { "address": "A3:A4", "rule": { "wholeNumber": { "operator": "Between", "formula1": 1, "formula2": 10 } } },
        ]]),
    );
    assert_eq!(found(&book, "D043"), ["S!A2", "S!A4"]);
}

#[test]
fn the_sample_is_clean() {
    let told = super::budget().call("lint", json!([]));
    let serious: Vec<&Value> = told["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|one| one["severity"] != "Info")
        .collect();
    assert!(serious.is_empty(), "{serious:?}");
}
