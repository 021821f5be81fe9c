//! Styles and properties.

use serde_json::json;

use super::budget;

#[test]
fn a_style_that_is_set_is_read_again() {
    let book = budget();
    let style = json!({
        "fill": { "color": "#FFF2CC" },
        "font": { "name": "Arial", "size": 12.5, "color": "#1F4E78", "bold": true, "underline": "double" },
        "alignment": { "horizontal": "center", "vertical": "top", "rotation": -45, "wrapText": true, "indent": 2 },
        "border": {
            "top": { "style": "thin", "color": "#FF0000" },
            "diagonal": { "style": "dashed", "color": "#00B050", "up": true, "down": false },
        },
        "numberFormat": "#,##0.00",
    });
    book.call("setStyle", json!(["Model!B2:C3", style]));
    let book = book.saved();
    let read = book.call("getStyle", json!(["Model!C3"]));
    assert_eq!(read["fill"], json!({ "color": "#FFF2CC", "pattern": "solid" }));
    for part in ["font", "alignment", "border", "numberFormat"] {
        assert_eq!(read[part], style[part], "{part}");
    }
    // The diagonal stays when another line comes.
    book.call("setStyle", json!(["Model!C3", { "border": { "top": null, "left": { "style": "thick" } } }]));
    let read = book.saved().call("getStyle", json!(["Model!C3"]));
    assert_eq!(read["border"]["diagonal"]["up"], true);
    assert_eq!((&read["border"]["left"]["style"], read["border"].get("top")), (&json!("thick"), None));
}

#[test]
fn fills_have_patterns_and_gradients() {
    let book = budget();
    let fills = [
        json!({ "color": "#FFFFFF", "pattern": "darkGrid", "patternColor": "#7F7F7F" }),
        json!({ "gradient": { "type": "linear", "degree": 90.0, "color1": "#FFFFFF", "color2": "#4472C4" } }),
        json!({ "gradient": { "type": "path", "color1": "#FFFFFF", "color2": "#4472C4", "top": 0.5, "bottom": 0.5, "left": 0.5, "right": 0.5 } }),
        json!({ "gradient": { "type": "linear", "degree": 0.0, "color1": "#FF0000", "color2": "#0000FF", "stops": [
            { "position": 0.0, "color": "#FF0000" }, { "position": 0.5, "color": "#00FF00" }, { "position": 1.0, "color": "#0000FF" },
        ] } }),
    ];
    for (index, fill) in fills.iter().enumerate() {
        book.call("setStyle", json!([format!("Model!B{}", index + 1), { "fill": fill }]));
    }
    let book = book.saved();
    for (index, fill) in fills.iter().enumerate() {
        let read = book.call("getStyle", json!([format!("Model!B{}", index + 1)]));
        assert_eq!(&read["fill"], fill, "{index}");
    }
    book.call("setStyle", json!(["Model!B1", { "fill": null }]));
    assert_eq!(book.call("getStyle", json!(["Model!B1"])).get("fill"), None);
}

#[test]
fn a_text_has_pieces_and_spreads_over_cells() {
    let book = budget();
    let pieces = json!([
        { "text": "CO" },
        { "text": "2", "style": { "font": { "verticalAlign": "subscript", "color": "#C00000" } } },
    ]);
    book.call("setStyle", json!(["Summary!D1", { "richText": pieces, "centerContinuousSpan": 3 }]));
    let book = book.saved();
    assert_eq!(book.text("Summary!D1"), "CO2");
    let read = book.call("getStyle", json!(["Summary!D1"]));
    assert_eq!(read["centerContinuousSpan"], 3);
    assert_eq!(read["richText"][1]["style"]["font"]["verticalAlign"], "subscript");
    assert_eq!(read["richText"][1]["style"]["font"]["color"], "#C00000");
}

#[test]
fn styles_that_there_are_not_are_refused() {
    let book = budget();
    for (style, words) in [
        (json!({}), "nothing is said of the style"),
        (json!({ "fill": { "color": "red" } }), "#RRGGBB"),
        (json!({ "fill": { "pattern": "polka", "color": "#FFFFFF" } }), "darkGrid"),
        (json!({ "fill": { "gradient": { "color1": "#FFFFFF" } } }), "color1"),
        (json!({ "font": { "size": 0 } }), "1 to 409"),
        (json!({ "font": { "bolt": true } }), "did you mean `bold`"),
        (json!({ "alignment": { "rotation": 120 } }), "-90 to 90"),
        (json!({ "border": { "top": { "style": "wavy" } } }), "mediumDashed"),
        (json!({ "border": { "diagonal": { "style": "thin" } } }), "up: true"),
        (json!({ "numberFormat": "0\"" }), "quotes"),
    ] {
        book.refused("setStyle", json!(["Model!B2", style]), "INVALID_ARGUMENT", words);
    }
    book.refused(
        "setStyle",
        json!(["Model!A1:B2", { "richText": [{ "text": "x" }] }]),
        "INVALID_ARGUMENT",
        "one cell",
    );
    book.refused("getStyle", json!(["Nowhere!A1"]), "SHEET_NOT_FOUND", "Sheets:");
}

#[test]
fn properties_of_the_workbook() {
    let book = budget();
    let set = book.call(
        "setWorkbookProperties",
        json!([{ "activeSheetIndex": 2, "iterativeCalculation": { "enabled": true, "maxIterations": 50, "maxChange": 0.01 }, "metadata": { "title": "Plan", "author": "Ann" } }]),
    );
    assert_eq!(set["activeSheetIndex"], 2);
    let read = book.saved().call("getWorkbookProperties", json!([]));
    assert_eq!(read, set);
    assert_eq!(
        read["iterativeCalculation"],
        json!({ "enabled": true, "maxIterations": 50, "maxChange": 0.01 })
    );
    assert_eq!((&read["metadata"]["title"], &read["metadata"]["author"]), (&json!("Plan"), &json!("Ann")));
    assert_eq!(read["themeColors"]["accent1"].as_str().map(str::len), Some(7));
    for (change, words) in [
        (json!({}), "nothing is said"),
        (json!({ "activeSheetIndex": 9 }), "0 to 2"),
        (json!({ "themeColors": {} }), "themeColors"),
        (json!({ "iterativeCalculation": { "maxChange": -1 } }), "positive"),
    ] {
        book.refused("setWorkbookProperties", json!([change]), "INVALID_ARGUMENT", words);
    }
    book.call("setSheetProperties", json!(["Summary", { "visibility": "hidden" }]));
    book.refused("setWorkbookProperties", json!([{ "activeSheetIndex": 2 }]), "UNSAFE_EDIT", "is hidden");
}

#[test]
fn properties_of_a_sheet_and_its_lines() {
    let book = budget();
    let properties = json!({
        "view": { "showGridLines": false, "zoomScale": 85, "frozenRows": 1, "frozenColumns": 0 },
        "outline": { "summaryRowsBelow": false, "summaryColumnsRight": true, "showSymbols": false },
        "format": { "defaultRowHeight": 18.0, "defaultColWidth": 11.5 },
        "tabColor": "#4472C4",
        "columns": { "C": { "width": 20, "outlineLevel": 1 } },
        "rows": { "3": { "height": 30, "hidden": true } },
        "merges": ["A8:C8"],
    });
    book.call("setSheetProperties", json!(["Model", properties]));
    let book = book.saved();
    let read = book.call("getSheetProperties", json!(["Model"]));
    for part in ["view", "outline", "format", "tabColor", "merges"] {
        assert_eq!(read[part], properties[part], "{part}");
    }
    assert_eq!(read["columns"]["C"], json!({ "col": 3, "width": 20.0, "outlineLevel": 1 }));
    assert_eq!(read["rows"]["3"], json!({ "row": 3, "height": 30.0, "hidden": true }));
    book.call("setSheetProperties", json!(["Model", { "merges": ["A8:B8", "A9:B9"] }]));
    assert_eq!(book.call("getSheetProperties", json!(["Model"]))["merges"], json!(["A8:B8", "A9:B9"]));

    let rows =
        book.call("setRowProperties", json!(["Model", 2, 4, { "outlineLevel": 1, "collapsed": true }]));
    assert_eq!(rows["4"], json!({ "row": 4, "height": 18.0, "outlineLevel": 1, "collapsed": true }));
    let columns =
        book.call("setColumnProperties", json!(["Model", "B", 4, { "width": 9.5, "hidden": true }]));
    assert_eq!(columns["D"], json!({ "col": 4, "width": 9.5, "hidden": true }));
    let read = book.saved().call("getSheetProperties", json!(["Model", { "rows": [4], "columns": ["D"] }]));
    assert_eq!((&read["rows"]["4"], &read["columns"]["D"]), (&rows["4"], &columns["D"]));
}

#[test]
fn properties_of_sheets_that_cannot_be() {
    let book = budget();
    book.refused("setSheetProperties", json!(["Model", {}]), "INVALID_ARGUMENT", "nothing is said");
    book.refused(
        "setSheetProperties",
        json!(["Model", { "view": { "zoomScale": 5 } }]),
        "INVALID_ARGUMENT",
        "10",
    );
    book.refused(
        "setSheetProperties",
        json!(["Model", { "merges": ["A1:B3"] }]),
        "UNSAFE_EDIT",
        "would lose",
    );
    book.refused("setSheetProperties", json!(["Model", { "merges": ["Q"] }]), "RANGE_PARSE_ERROR", "merges");
    book.refused(
        "setSheetProperties",
        json!(["Model", { "rows": { "x": { "height": 3 } } }]),
        "INVALID_ARGUMENT",
        "numbers",
    );
    book.refused(
        "setRowProperties",
        json!(["Model", 4, 2, { "height": 3 }]),
        "INVALID_ARGUMENT",
        "lines 1 to",
    );
    book.refused("setRowProperties", json!(["Model", 1, 2, {}]), "INVALID_ARGUMENT", "nothing is said");
    book.refused(
        "setColumnProperties",
        json!(["Model", "A", "A", { "width": 300 }]),
        "INVALID_ARGUMENT",
        "255",
    );
    book.refused(
        "setColumnProperties",
        json!(["Model", "?", "A", { "width": 3 }]),
        "ADDRESS_PARSE_ERROR",
        "no column",
    );
}

#[test]
fn null_clears_a_cell_and_takes_a_note_away() {
    let book = budget();
    book.call("setCells", json!([[{ "address": "Inputs!D1", "value": 5, "note": { "text": "why" } }]]));
    assert_eq!(book.call("readCell", json!(["Inputs!D1"]))["note"]["text"], "why");
    book.call("setCells", json!([[{ "address": "Inputs!D1", "value": null, "note": null }]]));
    let cell = book.saved().call("readCell", json!(["Inputs!D1"]));
    assert_eq!((&cell["type"], cell.get("note")), (&json!("blank"), None));
}
