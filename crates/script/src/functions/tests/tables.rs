//! Tables and what-if data tables.

use serde_json::json;

use super::budget;

#[test]
fn a_table_is_made_grows_and_goes() {
    let book = budget();
    book.call("addSheet", json!(["Sales"]));
    let made = book.call(
        "addListObject",
        json!(["Sales", {
            "name": "Orders", "ref": "B2", "showTotalsRow": true,
            "columns": [
                { "name": "Item", "totalsRowLabel": "All" },
                { "name": "Unit price" },
                { "name": "Count", "totalsRowFunction": "sum" },
                { "name": "Amount", "totalsRowFunction": "sum", "calculatedColumnFormula": "=[@[Unit price]]*[@Count]" },
            ],
            "rows": [["pear", 2, 3, null], ["fig", 5, 4, null]],
        }]),
    );
    assert_eq!((&made["ref"], &made["data"]), (&json!("Sales!B2:E5"), &json!("Sales!B3:E4")));
    let book = book.saved();
    assert_eq!(book.call("getListObject", json!(["orders"])), made);
    assert_eq!(book.call("readCell", json!(["Sales!E4"]))["value"], 20.0);
    assert_eq!(book.text("Sales!E5"), "26");
    assert_eq!(
        made["columns"][3]["calculatedColumnFormula"],
        "=Orders[[#This Row],[Unit price]]*Orders[[#This Row],[Count]]"
    );

    let grown = book.call(
        "setListObject",
        json!(["Sales", { "name": "Orders", "newName": "Orders24", "rows": [["nut", 1, 9, "=[@Count]"]] }]),
    );
    assert_eq!((&grown["ref"], &grown["name"]), (&json!("Sales!B2:E6"), &json!("Orders24")));
    let book = book.saved();
    assert_eq!(book.text("Sales!D6"), "16");
    let bare = book.call(
        "setListObject",
        json!(["Sales", { "name": "Orders24", "showTotalsRow": false, "style": "TableStyleLight9" }]),
    );
    assert_eq!((&bare["ref"], &bare["style"]), (&json!("Sales!B2:E5"), &json!("TableStyleLight9")));
    book.call("sortRange", json!(["Orders24", [{ "col": "Item" }]]));
    assert_eq!(book.text("Sales!B3"), "fig");
    book.refused(
        "sortRange",
        json!(["Sales!B3:C5", [{ "col": "B" }], { "hasHeader": false }]),
        "UNSAFE_EDIT",
        "some columns",
    );

    book.refused("getListObject", json!(["Orders2"]), "NOT_FOUND", "did you mean `Orders24`");
    book.refused(
        "setListObject",
        json!(["Sales", { "name": "Orders24" }]),
        "INVALID_ARGUMENT",
        "nothing is said",
    );
    book.refused(
        "setListObject",
        json!(["Inputs", { "name": "Orders24", "showTotalsRow": true }]),
        "INVALID_ARGUMENT",
        "is on `Sales`",
    );
    book.refused("addListObject", json!(["Sales", { "ref": "C4:D6" }]), "UNSAFE_EDIT", "overlaps table");
    book.refused(
        "addListObject",
        json!(["Sales", { "ref": "H1:I3", "columns": [{ "name": "x" }] }]),
        "INVALID_ARGUMENT",
        "has 2",
    );
    book.refused("addListObject", json!(["Sales", { "ref": "H1:I3", "columns": [{ "name": "x", "totalsRowFunction": "total" }, { "name": "y" }] }]), "INVALID_ARGUMENT", "countNums");
    book.refused("deleteListObject", json!(["Sales", "Orders24"]), "UNSAFE_EDIT", "use the name");
}

#[test]
fn a_table_that_nothing_uses_becomes_plain_cells() {
    let book = budget();
    book.call("addListObject", json!(["Inputs", { "ref": "A1:B4" }]));
    assert_eq!(book.call("listSheets", json!([]))[0]["listObjects"], json!(["Table1"]));
    book.call("deleteListObject", json!(["Inputs", "Table1"]));
    assert_eq!(book.saved().call("listSheets", json!([]))[0].get("listObjects"), None);
}

#[test]
fn what_if_tables_of_one_and_two_variables() {
    let book = budget();
    book.call("addSheet", json!(["Loan"]));
    book.set(&[("Loan!A1", json!(100)), ("Loan!A2", json!(0.1)), ("Loan!A3", json!("=A1*A2"))]);
    let one = book.call(
        "addDataTable",
        json!(["Loan", { "type": "oneVariableColumn", "ref": "C1:D4", "columnInputCell": "A2", "inputValues": [0.1, 0.2, 0.3], "formulas": ["=A3"] }]),
    );
    assert_eq!((&one["results"], &one["columnInputCell"]), (&json!("Loan!D2:D4"), &json!("Loan!A2")));
    let two = json!({ "type": "twoVariable", "ref": "F1:H3", "columnInputCell": "A2", "rowInputCell": "A1", "inputValues": [[0.5, 1], [10, 20]], "formulas": ["=A3"] });
    book.call("addDataTable", json!(["Loan", two]));
    book.call("addDataTable", json!(["Loan", { "type": "oneVariableRow", "ref": "C7:E8", "rowInputCell": "A1", "inputValues": [1000, 2000], "formulas": ["=A3"] }]));
    let book = book.saved();
    assert_eq!(book.call("readCell", json!(["Loan!D4"]))["value"], 30.0);
    assert_eq!(book.call("readCell", json!(["Loan!H3"]))["value"], 20.0);
    assert_eq!(book.call("readCell", json!(["Loan!E8"]))["value"], 200.0);
    let read = book.call("getDataTable", json!(["Loan!G2"]));
    assert_eq!(
        (&read["type"], &read["ref"], &read["rowInputCell"]),
        (&json!("twoVariable"), &json!("Loan!F1:H3"), &json!("Loan!A1"))
    );

    book.refused("getDataTable", json!(["Loan!A1"]), "NOT_FOUND", "no data table");
    for (table, words) in [
        (json!({ "type": "twoVariable", "ref": "J1:K3", "columnInputCell": "A2" }), "rowInputCell"),
        (json!({ "type": "oneVariableRow", "ref": "J1:K1", "rowInputCell": "A2" }), "no room"),
        (
            json!({ "type": "oneVariableColumn", "ref": "J1:K3", "columnInputCell": "A2", "inputValues": [1] }),
            "room for 2",
        ),
        (
            json!({ "type": "oneVariableColumn", "ref": "J1:K3", "columnInputCell": "A2", "formulas": ["=A3", "=A1"] }),
            "room for 1",
        ),
    ] {
        book.refused("addDataTable", json!(["Loan", table]), "INVALID_ARGUMENT", words);
    }
    book.call("deleteDataTable", json!(["Loan", "C1:D4"]));
    assert_eq!(book.saved().text("Loan!D4"), "");
}

#[test]
fn rows_of_a_table_may_leave_out_what_calculates_itself() {
    let book = budget();
    book.call(
        "addListObject",
        json!(["Model", { "name": "Orders", "ref": "J1", "columns": [{ "name": "Item" }, { "name": "Count" },
            { "name": "Double", "calculatedColumnFormula": "=[@Count]*2" }], "rows": [["fig", 2]] }]),
    );
    assert_eq!(book.text("Model!L2"), "4");
    book.call(
        "setListObject",
        json!(["Model", { "name": "Orders", "rows": [["pear", 3, null], ["plum", 4, null]] }]),
    );
    book.call("setListObject", json!(["Model", { "name": "Orders", "rows": [["lime", 5]] }]));
    assert_eq!(
        (book.text("Model!L3"), book.text("Model!L4"), book.text("Model!L5")),
        ("6".into(), "8".into(), "10".into())
    );
    book.saved();
}
