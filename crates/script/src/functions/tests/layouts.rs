//! Sheets as people lay them out, and what is understood of them.

use serde_json::{Value, json};

use super::{Book, open};

fn sheet(rows: &[&[Value]]) -> Book {
    let book = open(sheet::new_workbook(&["S"]).expect("a workbook"));
    put(&book, 1, 1, rows);
    book
}

/// Rows from a cell on; null leaves a cell blank.
fn put(book: &Book, row: usize, col: usize, rows: &[&[Value]]) {
    let mut cells = Vec::new();
    for (down, values) in rows.iter().enumerate() {
        for (right, value) in values.iter().enumerate().filter(|(_, value)| !value.is_null()) {
            let address = json!({ "sheet": "S", "row": row + down, "col": col + right });
            cells.push(match value.as_str().filter(|text| text.starts_with('=')) {
                Some(formula) => json!({ "address": address, "formula": formula }),
                None if value.is_object() => {
                    json!({ "address": address, "value": value, "format": "mmm-yy" })
                }
                None => json!({ "address": address, "value": value }),
            });
        }
    }
    book.call("setCells", json!([cells]));
}

/// Name, address, header rows and header columns of each table.
fn tables(book: &Book) -> Vec<String> {
    let told = book.call("describeSheet", json!(["S"]));
    let tables = told["tables"].as_object().expect("tables");
    tables
        .iter()
        .map(|(name, table)| {
            let columns = table["headerCols"].as_u64().unwrap_or(0);
            format!("{name}: {} {}x{columns}", table["address"].as_str().unwrap_or(""), table["headerRows"])
        })
        .collect()
}

/// The addresses that a lookup answers.
fn looked_up(book: &Book, table: &str, row: Value, column: Value) -> Vec<String> {
    let lookup = json!({ "table": table, "rowLabel": row, "columnLabel": column });
    let found = book.call("tableLookup", json!([lookup]));
    let found = found.as_array().expect("a list").clone();
    found.iter().map(|cell| cell["address"].as_str().expect("an address").to_owned()).collect()
}

/// A day as scripts hand it over.
fn day(milliseconds: i64) -> Value {
    json!({ "$date": milliseconds })
}

#[test]
fn a_date_among_the_values_of_a_form_is_no_heading() {
    let rows: &[&[Value]] = &[
        &[json!("Assumptions")],
        &[json!("Tax rate"), json!(0.25)],
        &[json!("Start"), day(1_704_067_200_000)],
        &[json!("Units"), json!(500)],
        &[json!("Code"), json!("007")],
        &[json!("Owner"), json!("Finance")],
        &[json!("Price"), json!(12.5)],
    ];
    let book = sheet(rows);
    assert_eq!(tables(&book), ["Assumptions: S!A2:B7 0x1"]);
    assert_eq!(looked_up(&book, "Assumptions", json!("Owner"), Value::Null), ["S!B6"]);
    // The date itself may come first.
    let book = sheet(&[rows[2], rows[1], rows[3], rows[5]]);
    assert_eq!(tables(&book), ["Table 1: S!A1:B4 0x1"]);
}

#[test]
fn headers_in_two_rows_under_a_title_and_notes() {
    let book = sheet(&[
        &[json!("ACME - Sales report")],
        &[json!("All figures in thousands")],
        &[],
        &[json!(null), json!("2023"), json!(null), json!("2024")],
        &[json!("Region"), json!("Q1"), json!("Q2"), json!("Q1"), json!("Q2")],
        &[json!("North"), json!(1), json!(2), json!(3), json!(4)],
        &[json!("South"), json!(5), json!(6), json!(7), json!(8)],
        &[
            json!("Subtotal Europe"),
            json!("=SUM(B6:B7)"),
            json!("=SUM(C6:C7)"),
            json!("=SUM(D6:D7)"),
            json!("=SUM(E6:E7)"),
        ],
        &[json!("Asia"), json!(9), json!(10), json!(11), json!(12)],
        &[json!("Grand total"), json!("=B8+B9"), json!("=C8+C9"), json!("=D8+D9"), json!("=E8+E9")],
    ]);
    let merges = json!({ "merges": ["A1:E1", "B4:C4", "D4:E4"] });
    book.call("setSheetProperties", json!(["S", merges]));
    assert_eq!(tables(&book), ["ACME - Sales report: S!A4:E10 2x1"]);
    assert_eq!(looked_up(&book, "Sales report", json!("South"), json!("2024 Q2")), ["S!E7"]);
    assert_eq!(looked_up(&book, "Sales report", json!("Grand total"), json!("2023")), ["S!B10", "S!C10"]);
    assert_eq!(looked_up(&book, "Sales report", json!("North"), json!("Q1")), ["S!B6", "S!D6"]);
}

#[test]
fn tables_side_by_side_and_under_each_other() {
    let book = sheet(&[
        &[json!("Customers"), json!(null), json!(null), json!("Prices")],
        &[json!("Id"), json!("Name"), json!(null), json!("Item"), json!("Price")],
        &[json!(1), json!("Ann"), json!(null), json!("Axe"), json!(10.5)],
        &[json!(2), json!("Bob"), json!(null), json!("Bow"), json!(20)],
    ]);
    assert_eq!(tables(&book), ["Customers: S!A2:B4 1x0", "Prices: S!D2:E4 1x1"]);
    assert_eq!(looked_up(&book, "Customers", json!("Bob"), json!("Id")), ["S!A4"]);
    assert_eq!(looked_up(&book, "Prices", json!("Bow"), json!("Price")), ["S!E4"]);

    let book = sheet(&[
        &[json!("Costs")],
        &[json!("Item"), json!(2023), json!(2024)],
        &[json!("Rent"), json!(10), json!(20)],
        &[json!("Staff"), json!(30), json!(40)],
        &[json!("Income")],
        &[json!("Item"), json!(2023), json!(2024)],
        &[json!("Sales"), json!(100), json!(200)],
    ]);
    assert_eq!(tables(&book), ["Costs: S!A2:C4 1x1", "Income: S!A6:C7 1x1"]);
    assert_eq!(looked_up(&book, "Income", json!("Sales"), json!(2024)), ["S!C7"]);
}

#[test]
fn blank_lines_inside_hold_no_table_apart() {
    let book = sheet(&[
        &[json!("Account"), json!("Jan"), json!("Feb")],
        &[json!("Rent"), json!(100), json!(100)],
        &[json!("Power"), json!(20), json!(25)],
        &[],
        &[json!("Staff"), json!(900), json!(950)],
        &[],
        &[json!("Travel costs")],
        &[json!("Train"), json!(9), json!(5)],
        &[],
        &[json!("Total"), json!("=SUM(B2:B8)"), json!("=SUM(C2:C8)")],
    ]);
    assert_eq!(tables(&book), ["Table 1: S!A1:C10 1x1"]);
    assert_eq!(looked_up(&book, "S", json!("Total"), json!("Feb")), ["S!C10"]);

    let book = sheet(&[&[json!("Forecast")], &[]]);
    let months = [json!("USD"), json!(null), day(1_738_022_400_000), day(1_740_700_800_000)];
    put(
        &book,
        3,
        1,
        &[
            &months,
            &[json!("Revenue"), json!(null), json!(5), json!(6)],
            &[json!("Costs"), json!(null), json!(1), json!(2)],
        ],
    );
    assert_eq!(tables(&book), ["Forecast: S!A3:D5 1x1"]);
    for month in [json!("Feb-25"), json!("2025-02"), day(1_740_700_800_000)] {
        assert_eq!(looked_up(&book, "Forecast", json!("Costs"), month), ["S!D5"]);
    }
}

#[test]
fn forms_have_labels_and_no_header() {
    let book = sheet(&[
        &[json!("Customer"), json!("Ann")],
        &[json!("Date"), day(1_740_700_800_000)],
        &[json!("Net"), json!(100)],
        &[json!("Gross"), json!("=B3*1.19")],
    ]);
    assert_eq!(tables(&book), ["Table 1: S!A1:B4 0x1"]);
    let row = book.call("tableLookup", json!([{ "table": "S", "rowLabel": "Gross" }]));
    assert_eq!(row[0]["address"], "S!B4");
    let wrong = json!([{ "table": "S", "rowLabel": "Gross", "columnLabel": "2024" }]);
    book.refused("tableLookup", wrong, "NOT_FOUND", "leave out columnLabel");
    let wrong = json!([{ "table": "S", "rowLabel": "Profit", "columnLabel": "2024" }]);
    book.refused("tableLookup", wrong, "NOT_FOUND", "its rows are `Customer`");
}

#[test]
fn headings_stand_in_three_rows_or_apart() {
    let n = Value::Null;
    let book = sheet(&[
        &[n.clone(), json!("Financial period"), n.clone(), n.clone(), n.clone()],
        &[n.clone(), json!(2008), n.clone(), json!(2009), n.clone()],
        &[n.clone(), json!("Half 1"), json!("Half 2"), json!("Half 1"), json!("Half 2")],
        &[json!("Budget"), json!(540), json!(510), json!(2480), json!(3060)],
        &[json!("Actual"), json!(860), json!(1000), json!(3100), json!(2060)],
    ]);
    book.call("setSheetProperties", json!(["S", { "merges": ["B1:E1", "B2:C2", "D2:E2"] }]));
    assert_eq!(tables(&book), ["Table 1: S!A1:E5 3x1"]);
    assert_eq!(looked_up(&book, "Table 1", json!("Actual"), json!("Half 2")), ["S!C5", "S!E5"]);
    let apart = sheet(&[
        &[json!("Sample"), n.clone()],
        &[n.clone(), n.clone()],
        &[json!("Number"), json!("Square")],
        &[n.clone(), n.clone()],
        &[json!(1), json!(1)],
        &[json!(2), json!(4)],
        &[json!(3), json!(9)],
    ]);
    assert_eq!(tables(&apart), ["Sample: S!A3:B7 2x0"]);
    // A name of blanks is none.
    let blank = sheet(&[
        &[json!(" "), n.clone(), n],
        &[json!("Item"), json!("Price"), json!("Amount")],
        &[json!("Book"), json!(20), json!(1)],
        &[json!("Disc"), json!(22), json!(2)],
    ]);
    assert!(tables(&blank).iter().all(|table| table.starts_with("Table 1")), "{:?}", tables(&blank));
}
