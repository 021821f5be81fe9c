//! Charts made, read back, changed and deleted.

use serde_json::{Value, json};

use super::{Book, budget};

fn sales() -> Book {
    let book = budget();
    book.call("addSheet", json!(["Sales"]));
    let rows: [[Value; 4]; 5] = [
        [json!("Month"), json!("North"), json!("South"), json!("Margin")],
        [json!("Jan"), json!(120), json!(80), json!(0.31)],
        [json!("Feb"), json!(135), json!(95), json!(0.28)],
        [json!("Mar"), json!(150), json!(70), json!(0.35)],
        [json!("Apr"), json!(90), json!(110), json!(0.22)],
    ];
    let cells: Vec<(String, Value)> = rows
        .into_iter()
        .zip(1..)
        .flat_map(|(row, line)| {
            row.into_iter().zip('A'..).map(move |(value, letter)| (format!("Sales!{letter}{line}"), value))
        })
        .collect();
    let cells: Vec<(&str, Value)> =
        cells.iter().map(|(address, value)| (address.as_str(), value.clone())).collect();
    book.set(&cells);
    book
}

fn place(from: &str, to: &str) -> Value {
    json!({ "from": { "cell": from }, "to": { "cell": to, "xOffsetPts": 6, "yOffsetPts": 3 } })
}

#[test]
fn a_chart_is_made_of_a_range_as_people_select_it() {
    let book = sales();
    let made = book.call(
        "addChart",
        json!(["Sales", { "name": "Overview", "position": place("F2", "M16"), "range": "Sales!A1:C5",
            "type": "column", "grouping": "stacked", "title": { "text": "Sales & more" } }]),
    );
    assert_eq!(made["groups"][0]["type"], "column");
    assert_eq!(made["groups"][0]["grouping"], "stacked");
    assert_eq!(
        made["groups"][0]["series"][1],
        json!({ "name": "=Sales!$C$1", "categories": "Sales!$A$2:$A$5", "values": "Sales!$C$2:$C$5" })
    );
    assert_eq!(
        made["position"],
        place("F2", "M16")
            .as_object()
            .map(|_| json!({
                "from": { "cell": "F2", "xOffsetPts": 0.0, "yOffsetPts": 0.0 },
                "to": { "cell": "M16", "xOffsetPts": 6.0, "yOffsetPts": 3.0 },
            }))
            .expect("an object")
    );
    let book = book.saved();
    assert_eq!(book.call("getChart", json!(["Sales", "overview"])), made);
    assert_eq!(book.call("listCharts", json!([]))[0]["title"], "Sales & more");
    assert_eq!(book.call("listCharts", json!([{ "sheet": "Model" }])), json!([]));
    book.refused("getChart", json!(["Sales", "Overwiev"]), "NOT_FOUND", "Overview");
    book.call("deleteChart", json!(["Sales", "Overview"]));
    assert_eq!(book.saved().call("listCharts", json!([])), json!([]));
}

#[test]
fn kinds_are_combined_with_a_second_axis() {
    let book = sales();
    let spec = json!({
        "name": "Both", "position": place("F2", "M16"),
        "groups": [
            { "type": "column", "gapWidth": 80, "series": [
                { "name": { "ref": "Sales!B1" }, "categories": "Sales!A2:A5", "values": "Sales!B2:B5", "fillColor": "#1F77B4" },
                { "name": "South", "categories": "Sales!A2:A5", "values": "Sales!C2:C5" } ] },
            { "type": "line", "axis": "secondary", "smooth": true, "dataLabels": { "showValue": true }, "series": [
                { "name": { "text": "Margin" }, "categories": "Sales!A2:A5", "values": "Sales!D2:D5",
                  "lineColor": "#D62728", "lineWidth": 2.5, "lineDashStyle": "dash", "marker": "diamond" } ] },
        ],
        "title": { "ref": "Sales!A1" },
        "legend": { "position": "bottom" },
        "axes": { "category": { "title": "Month" },
            "value": { "min": 0, "max": 200, "majorUnit": 50, "numberFormat": "#,##0" },
            "secondaryValue": { "title": { "text": "Margin" }, "numberFormat": "0%", "min": 0 } },
        "displayBlanksAs": "span",
    });
    let made = book.call("addChart", json!(["Sales", spec]));
    assert_eq!(made["groups"][1]["axis"], "secondary");
    assert_eq!(made["groups"][0]["series"][0]["name"], "=Sales!$B$1");
    let book = book.saved();
    let changed = book.call(
        "setChart",
        json!(["Sales", "Both", { "title": "Renamed", "position": place("F20", "N40"),
            "series": [{}, { "values": "Sales!C3:C5" }] }]),
    );
    assert_eq!((&changed["title"], &changed["position"]["from"]["cell"]), (&json!("Renamed"), &json!("F20")));
    assert_eq!(changed["groups"][0]["series"][1]["values"], "Sales!$C$3:$C$5");
    assert_eq!(changed["groups"][0]["series"][0], made["groups"][0]["series"][0]);
    let anew = book.call(
        "setChart",
        json!(["Sales", "Both", { "groups": [{ "type": "pie", "series": [{ "values": "Sales!B2:B5" }] }] }]),
    );
    assert_eq!((&anew["title"], &anew["name"]), (&json!("Renamed"), &json!("Both")));
    assert_eq!(anew["groups"][0]["type"], "pie");
    book.saved();
}

#[test]
fn points_of_a_scatter_chart_have_two_values() {
    let book = sales();
    let group = json!({ "type": "scatter", "scatterStyle": "smooth",
        "series": [{ "xValues": "Sales!B2:B5", "yValues": "Sales!C2:C5" }] });
    let made = book.call("addChart", json!(["Sales", { "position": place("F2", "M16"), "groups": [group] }]));
    assert_eq!(made["groups"][0]["series"][0]["categories"], "Sales!$B$2:$B$5");
    book.saved();
    let spec = |group: Value| json!(["Sales", { "position": place("F2", "M16"), "groups": [group] }]);
    book.refused(
        "addChart",
        spec(json!({ "type": "scatter", "series": [{ "values": "Sales!B2:B5" }] })),
        "INVALID_ARGUMENT",
        "groups[0]: series[0]: a scatter chart has xValues and yValues",
    );
    book.refused(
        "addChart",
        spec(json!({ "type": "bubble", "series": [{ "values": "Sales!B2:B5" }] })),
        "INVALID_ARGUMENT",
        "bubble",
    );
    for (group, words) in [
        (json!({ "type": "column", "series": [] }), "at least one"),
        (json!({ "type": "column", "gapWidth": 900, "series": [{ "values": "Sales!B2:B5" }] }), "0 to 500"),
        (json!({ "type": "column", "series": [{ "values": "Sales!B2:C5" }] }), "one row or one column"),
        (
            json!({ "type": "column", "axis": "secondary", "series": [{ "values": "Sales!B2:B5" }] }),
            "first axis",
        ),
        (json!({ "type": "column", "series": [{ "values": "Sales!B2:B5", "fillColor": "red" }] }), "#RRGGBB"),
        (
            json!({ "type": "column", "series": [{ "values": "Sales!B2:B5", "marker": "dot" }] }),
            "line or scatter",
        ),
    ] {
        book.refused("addChart", spec(group), "INVALID_ARGUMENT", words);
    }
    book.refused(
        "addChart",
        json!(["Sales", { "position": { "from": { "cell": "F2" } }, "range": "Sales!A1:C5" }]),
        "INVALID_ARGUMENT",
        "position.to",
    );
    book.refused(
        "addChart",
        json!(["Sales", { "position": place("M16", "F2"), "range": "Sales!A1:C5" }]),
        "INVALID_ARGUMENT",
        "not below",
    );
    book.refused(
        "addChart",
        json!(["Sales", { "position": place("F2", "M16"), "range": "Sales!A1:C5", "type": "pie" }]),
        "INVALID_ARGUMENT",
        "one series for a pie",
    );
}

#[test]
fn legend_and_axes_change_while_the_rest_stays() {
    let book = sales();
    let groups = json!([
        { "type": "column", "series": [{ "categories": "Sales!A2:A5", "values": "Sales!B2:B5" }] },
        { "type": "line", "axis": "secondary", "series": [{ "values": "Sales!D2:D5", "lineColor": "#FF0000" }] },
    ]);
    let axes = json!({ "value": { "title": { "ref": "Sales!B1" }, "min": 0 }, "secondaryValue": { "max": 1 },
        "secondaryCategory": { "visible": false } });
    book.call(
        "addChart",
        json!(["Sales", { "name": "Both", "position": place("F2", "M16"), "groups": groups, "axes": axes,
            "title": { "text": "Sales", "overlay": true }, "styleId": 2, "plotArea": { "fillColor": "#EEEEEE" } }]),
    );
    let book = book.saved();
    let before = book.call("getChart", json!(["Sales", "Both"]));
    assert_eq!(before["legend"], json!({ "visible": true, "position": "right" }));
    assert_eq!(before["axes"]["value"]["title"], "North");
    let change = json!({ "legend": { "position": "bottom" }, "displayBlanksAs": "zero", "styleId": 10,
        "title": { "text": "Both", "overlay": false },
        "axes": { "value": { "max": 200, "majorUnit": 50, "title": "Units", "numberFormat": "0.0", "majorGridlines": false },
            "category": { "reversed": true, "title": { "ref": "Sales!A1" } }, "secondaryValue": { "visible": false } } });
    let after = book.call("setChart", json!(["Sales", "Both", change]));
    assert_eq!(after["legend"]["position"], "bottom");
    assert_eq!((&after["title"], &after["displayBlanksAs"]), (&json!("Both"), &json!("zero")));
    let value = &after["axes"]["value"];
    assert_eq!(
        (&value["min"], &value["max"], &value["majorUnit"]),
        (&json!(0.0), &json!(200.0), &json!(50.0))
    );
    assert_eq!((&value["title"], &value["majorGridlines"]), (&json!("Units"), &json!(false)));
    assert_eq!(
        (&after["axes"]["category"]["title"], &after["axes"]["category"]["reversed"]),
        (&json!("Month"), &json!(true))
    );
    assert_eq!(after["axes"]["secondaryValue"]["visible"], false);
    assert_eq!(after["groups"], before["groups"]);
    let book = book.saved();
    assert_eq!(book.call("getChart", json!(["Sales", "Both"])), after);
    book.call("setChart", json!(["Sales", "Both", { "legend": { "visible": false } }]));
    assert_eq!(book.saved().call("getChart", json!(["Sales", "Both"]))["legend"]["visible"], false);
    for (change, words) in [
        (json!({ "axes": { "value": { "min": 9, "max": 3 } } }), "below max"),
        (json!({ "styleId": 99 }), "1 to 48"),
        (json!({}), "nothing is to change"),
    ] {
        book.refused("setChart", json!(["Sales", "Both", change]), "INVALID_ARGUMENT", words);
    }
    book.call("addChart", json!(["Sales", { "name": "Round", "position": place("F20", "M36"), "type": "pie", "range": "Sales!A1:B5" }]));
    book.refused(
        "setChart",
        json!(["Sales", "Round", { "axes": { "value": { "min": 9 } } }]),
        "UNSUPPORTED",
        "has none",
    );
}
