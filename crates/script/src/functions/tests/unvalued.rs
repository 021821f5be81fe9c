//! Workbooks of programs that do not calculate: a formula without a value is read with the one it comes to.

use std::sync::Arc;

use edit::{Blob, Format as _};
use serde_json::{Value, json};
use sheet::Sheet;

use super::{Book, budget, open};

/// The sample without the values of its formulas, as openpyxl would write it.
fn unvalued() -> Book {
    let file = budget().file;
    let (package, mut content) =
        Sheet::unpack(Arc::clone(&file), &sheet::limits()).expect("the sample opens");
    let names: Vec<_> =
        content.names().filter(|name| name.as_str().contains("/worksheets/")).cloned().collect();
    for name in names.into_iter().filter(|name| name.as_str().ends_with(".xml")) {
        let blob = content.read(&name).expect("it is read").expect("it is there");
        let text = String::from_utf8_lossy(&blob.bytes()).into_owned();
        let mut pieces = text.split("</f><v>");
        let mut bare = pieces.next().expect("a first piece").to_owned();
        for piece in pieces {
            let (_, rest) = piece.split_once("</v>").expect("a value ends");
            bare.push_str("</f><v></v>");
            bare.push_str(rest);
        }
        content.insert(name, Blob::from(bare));
    }
    open(Sheet::pack(&package, &content).expect("it is packed"))
}

#[test]
fn charts_have_the_values_that_formulas_come_to() {
    let position = json!({ "from": { "cell": "D2" }, "to": { "cell": "K18" } });
    let chart =
        |name: &str| json!({ "name": name, "position": position, "range": "Model!A1:D3", "type": "column" });
    let (bare, whole) = (unvalued(), budget());
    assert_eq!(bare.text("Model!C2"), whole.text("Model!C2"));
    let part = |book: &Book| {
        book.call("addChart", json!(["Summary", chart("C")]));
        book.call("previewChart", json!(["Summary", "C"]));
        let (_, content) = Sheet::unpack(book.saved().file, &sheet::limits()).expect("it opens");
        let name = content.names().find(|name| name.as_str().contains("/charts/chart")).expect("a chart");
        String::from_utf8_lossy(&content.read(name).expect("it is read").expect("it is there").bytes())
            .into_owned()
    };
    assert_eq!(part(&bare), part(&whole));
}

#[test]
fn values_are_copied_and_sorted_by_what_they_come_to() {
    let (bare, whole) = (unvalued(), budget());
    let values = |book: &Book| -> Vec<Value> {
        book.call("copyRange", json!(["Model!A1:D5", "Notes!A1", { "pasteType": "values" }]));
        let rows = book.call("readRange", json!(["Notes!A1:D5"]));
        let cells =
            rows.as_array().expect("rows").iter().flat_map(|row| row.as_array().expect("cells").iter());
        cells.map(|cell| cell["value"].clone()).collect()
    };
    for book in [&bare, &whole] {
        book.call("addSheet", json!(["Notes"]));
    }
    assert_eq!(values(&bare), values(&whole));
}

#[test]
fn a_formula_that_fails_takes_nothing_from_the_others() {
    let told = budget()
        .call("evaluateFormulas", json!(["Model", ["=1+1", "=NOPE(1)", "=1+", "=WEBSERVICE(\"a\")"]]));
    let codes: Vec<&Value> =
        told.as_array().expect("a list").iter().map(|one| &one["error"]["code"]).collect();
    assert_eq!(codes, [&Value::Null, &json!("#NAME?"), &json!("INVALID_ARGUMENT"), &json!("NOT_CALCULATED")]);
    assert_eq!((&told[0]["value"], &told[1]["value"]), (&json!(2.0), &json!("#NAME?")));
}

#[test]
fn the_total_of_a_cut_list_is_the_whole() {
    let cells: Vec<Value> =
        (1..=1_500).map(|row| json!({ "address": format!("Inputs!Z{row}"), "value": row })).collect();
    let book = budget();
    let told = book.call("setCells", json!([cells]));
    assert_eq!(
        (told["changed"].as_array().map(Vec::len), &told["changedTotal"]),
        (Some(1_000), &json!(1_500))
    );
    assert_eq!(told["touchedTotal"], 1_500);
    let area = |told: &Value| told["updatedSheets"][0]["usedRange"].as_str().expect("an area").to_owned();
    let more = book.call("setCells", json!([[{ "address": "Inputs!AA1600", "value": 1 }]]));
    assert_eq!((area(&told).as_str(), area(&more).as_str()), ("A1:Z1500", "A1:AA1600"));
    book.call("deleteRows", json!(["Inputs", 1501, 100]));
    let less = book.call("setCells", json!([[{ "address": "Inputs!B2", "value": 1 }]]));
    assert_eq!(area(&less), "A1:Z1500");
}
