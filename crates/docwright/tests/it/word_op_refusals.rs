//! Operations that cannot be carried out: exact codes, a message that helps, and nothing changed.

use serde_json::{Value, json};

use crate::word_ops::{Desk, GIF, picture_server};

/// Each refused with this code and with these words in what is said; the document stays as it was.
#[track_caller]
fn refused(cases: &[(&str, Value, &str, &str)]) {
    let mut desk = Desk::new();
    let table = desk.done(
        "table.create",
        json!({"rows": 3, "cols": 3, "scope": "document", "location": "end", "data": [["a", "b"], ["c"]]}),
    );
    let table = format!("tableId:{}", table["tableId"].as_str().expect("an id"));
    let before = (revision(&mut desk), desk.bytes());
    for (op, args, code, words) in cases {
        let args: Value = serde_json::from_str(&args.to_string().replace("TABLE", &table)).expect("JSON");
        let said = desk.op(op, args);
        assert_eq!((&said["ok"], &said["code"]), (&json!(false), &json!(code)), "{op}: {said}");
        let told = said["diagnostics"].to_string();
        assert!(told.contains(words), "{op}: `{words}` in {told}");
        assert_eq!(said["diagnostics"][0]["level"], "error");
    }
    assert!((revision(&mut desk), desk.bytes()) == before, "a refusal changes nothing");
}

fn revision(desk: &mut Desk) -> Value {
    let none = json!({"target": "searchQuery", "query": "zebra crossing", "replaceWith": "x"});
    desk.done("replace", none)["revision"].clone()
}

#[test]
fn rows_and_columns_out_of_range() {
    refused(&[
        ("table.insertRows", json!({"tableRef": "TABLE", "at": 3, "count": 1}), "E_INVALID_ARG", "0 to 2"),
        ("table.insertRows", json!({"tableRef": "TABLE", "at": 0, "count": 0}), "E_INVALID_ARG", "count"),
        ("table.insertRows", json!({"tableRef": "TABLE", "at": -1, "count": 1}), "E_INVALID_ARG", "at"),
        ("table.insertColumns", json!({"tableRef": "TABLE", "at": 9, "count": 1}), "E_INVALID_ARG", "0 to 2"),
        ("table.insertColumns", json!({"tableRef": "TABLE", "at": 0, "count": 61}), "E_INVALID_ARG", "63"),
        ("table.deleteRows", json!({"tableRef": "TABLE", "indexes": [0, 3]}), "E_INVALID_ARG", "indexes"),
        ("table.deleteRows", json!({"tableRef": "TABLE", "indexes": []}), "E_INVALID_ARG", "indexes"),
        ("table.deleteColumns", json!({"tableRef": "TABLE", "indexes": [7]}), "E_INVALID_ARG", "indexes"),
        (
            "table.setCellText",
            json!({"tableRef": "TABLE", "row": 3, "col": 0, "text": "x"}),
            "E_INVALID_ARG",
            "row",
        ),
        (
            "table.setCellText",
            json!({"tableRef": "TABLE", "row": 0, "col": 3, "text": "x"}),
            "E_INVALID_ARG",
            "col",
        ),
        ("table.create", json!({"rows": 0, "cols": 3}), "E_INVALID_ARG", "rows"),
        ("table.create", json!({"rows": 3, "cols": 64}), "E_INVALID_ARG", "cols"),
        ("table.create", json!({"rows": 32767, "cols": 63}), "E_INVALID_ARG", "100000"),
    ]);
}

#[test]
fn ragged_data_and_overlapping_merges() {
    let merge = |row: u64, col: u64, rows: u64, cols: u64| json!({"tableRef": "TABLE", "startRow": row, "startCol": col, "rowSpan": rows, "colSpan": cols});
    refused(&[
        ("table.create", json!({"rows": 1, "cols": 1, "data": [["a", "b"]]}), "E_INVALID_ARG", "data[0]"),
        ("table.create", json!({"rows": 1, "cols": 1, "data": [["a"], ["b"]]}), "E_INVALID_ARG", "2 rows"),
        ("table.create", json!({"rows": 1, "cols": 1, "data": "a"}), "E_INVALID_ARG", "data"),
        ("table.mergeCells", merge(0, 0, 1, 1), "E_INVALID_ARG", "two cells"),
        ("table.mergeCells", merge(0, 0, 0, 2), "E_INVALID_ARG", "rowSpan"),
        ("table.mergeCells", merge(2, 0, 2, 1), "E_INVALID_ARG", "rowSpan"),
        ("table.mergeCells", merge(0, 2, 1, 2), "E_INVALID_ARG", "colSpan"),
        ("table.mergeCells", merge(0, 0, u64::MAX, 2), "E_INVALID_ARG", "rowSpan"),
    ]);
    let mut desk = Desk::new();
    let table = desk.done("table.create", json!({"rows": 3, "cols": 3}));
    let table = format!("tableId:{}", table["tableId"].as_str().expect("an id"));
    let area = |row: u64, col: u64, rows: u64, cols: u64| json!({"tableRef": table, "startRow": row, "startCol": col, "rowSpan": rows, "colSpan": cols});
    desk.done("table.mergeCells", area(0, 0, 2, 2));
    let before = desk.bytes();
    for (row, col) in [(1, 1), (0, 1), (1, 0)] {
        let said = desk.op("table.mergeCells", area(row, col, 2, 2));
        assert_eq!(said["code"], "E_UNSUPPORTED", "{said}");
        assert!(said["diagnostics"].to_string().contains("edges follow the cells"), "{said}");
    }
    assert!(desk.bytes() == before, "nothing changed");
}

#[test]
fn unknown_styles_name_the_nearest() {
    refused(&[
        ("applyStyle", json!({"namedStyle": "Headng 1", "scope": "document"}), "E_NOT_FOUND", "Heading 1"),
        ("applyStyle", json!({"namedStyle": "Hedaing 2", "scope": "document"}), "E_NOT_FOUND", "Heading 2"),
        ("applyStyle", json!({"namedStyle": "Qwertz", "scope": "document"}), "E_NOT_FOUND", "Qwertz"),
        (
            "applyStyle",
            json!({"namedStyle": "Table Grid", "scope": "document"}),
            "E_INVALID_ARG",
            "table style",
        ),
        (
            "table.applyStyle",
            json!({"tableRef": "TABLE", "style": "Table Grid Ligth"}),
            "E_NOT_FOUND",
            "Table Grid Light",
        ),
        ("table.applyStyle", json!({"tableRef": "TABLE", "style": {}}), "E_INVALID_ARG", "style"),
    ]);
}

#[test]
fn bad_colours_and_sizes() {
    refused(&[
        ("applyStyle", json!({"char": {"color": "#12345"}}), "E_INVALID_ARG", "color"),
        ("applyStyle", json!({"char": {"color": "rgba(300,0,0,1)"}}), "E_INVALID_ARG", "color"),
        ("applyStyle", json!({"char": {"highlight": "nice"}}), "E_INVALID_ARG", "highlight"),
        ("applyStyle", json!({"char": {"fontSize": 0}}), "E_INVALID_ARG", "fontSize"),
        ("applyStyle", json!({"char": {"fontSize": 1639}}), "E_INVALID_ARG", "fontSize"),
        ("applyStyle", json!({"char": {"fontSize": "big"}}), "E_INVALID_ARG", "fontSize"),
        ("applyStyle", json!({"char": {"underline": "wavy"}}), "E_INVALID_ARG", "underline"),
        ("applyStyle", json!({"para": {"lineSpacing": -1}}), "E_INVALID_ARG", "lineSpacing"),
        ("applyStyle", json!({"para": {"spaceBefore": 5000}}), "E_INVALID_ARG", "spaceBefore"),
        ("applyStyle", json!({"para": {"alignment": "middle"}}), "E_INVALID_ARG", "alignment"),
        ("applyStyle", json!({"para": {"list": "roman"}}), "E_INVALID_ARG", "list"),
    ]);
}

#[test]
fn pictures_that_cannot_be_shown() {
    let picture = |data: &str| json!({"source": "base64", "data": data});
    let webp = "UklGRgAAAABXRUJQVlA4IA==";
    refused(&[
        ("insertPicture", picture("!!!"), "E_INVALID_ARG", "base64"),
        ("insertPicture", picture(""), "E_INVALID_ARG", "data"),
        ("insertPicture", picture("aGVsbG8gd29ybGQ="), "E_INVALID_ARG", "PNG, JPEG"),
        ("insertPicture", picture(&GIF[..40]), "E_INVALID_ARG", "cut off"),
        ("insertPicture", picture(webp), "E_UNSUPPORTED", "convert it"),
        ("insertPicture", picture("PHN2Zz48L3N2Zz4="), "E_INVALID_ARG", "SVG"),
        ("insertPicture", json!({"source": "base64", "data": GIF, "width": 0}), "E_INVALID_ARG", "width"),
        (
            "insertPicture",
            json!({"source": "base64", "data": GIF, "height": 99999}),
            "E_INVALID_ARG",
            "height",
        ),
        ("insertPicture", json!({"source": "file", "data": "/etc/passwd"}), "E_INVALID_ARG", "source"),
        (
            "insertPicture",
            json!({"source": "url", "data": "https://example.com/logo.png"}),
            "E_PERMISSION",
            "--allow-net",
        ),
        ("insertPicture", json!({"source": "url", "data": "file:///etc/passwd"}), "E_INVALID_ARG", "https"),
        (
            "insertPicture",
            json!({"source": "base64", "data": GIF, "wrapType": "around"}),
            "E_INVALID_ARG",
            "wrapType",
        ),
        ("insertPicture", json!({"source": "base64"}), "E_INVALID_ARG", "data required"),
    ]);
}

/// A true picture of more than 32 MiB: a bitmap of 3,400 by 3,400 dots.
fn huge_bitmap() -> Vec<u8> {
    let side: u32 = 3_400;
    let size = 54 + side * side * 3;
    let mut bitmap = b"BM".to_vec();
    for number in [size, 0, 54, 40, side, side] {
        bitmap.extend(number.to_le_bytes());
    }
    bitmap.extend([1, 0, 24, 0]);
    bitmap.resize(size as usize, 0x7F);
    bitmap
}

#[test]
fn an_oversized_picture_from_an_address() {
    let port = picture_server(huge_bitmap());
    let mut desk = Desk::with(&["--allow-net", &format!("127.0.0.1:{port}")]);
    let before = desk.bytes();
    let url = format!("http://127.0.0.1:{port}/huge.bmp");
    let said = desk.op("insertPicture", json!({"source": "url", "data": url}));
    assert_eq!((&said["ok"], &said["code"]), (&json!(false), &json!("E_INVALID_ARG")), "{said}");
    assert!(said["diagnostics"].to_string().contains("33554432"), "the limit is told: {said}");
    assert!(desk.bytes() == before, "nothing changed");
}

/// A message has a limit of its own, which is told; the server goes on.
#[test]
fn an_oversized_picture_in_a_message() {
    let mut desk = Desk::with(&[]);
    let before = desk.bytes();
    let said = desk.op("insertPicture", json!({"source": "base64", "data": "A".repeat(17 << 20)}));
    assert!(said.is_null(), "no operation was reached: {said}");
    assert!(desk.bytes() == before, "nothing changed, and the server still answers");
}

#[test]
fn places_that_are_not_there() {
    refused(&[
        ("insertText", json!({"text": "x", "scope": "rangeId:rng_00"}), "E_NOT_FOUND", "rng_00"),
        ("insertText", json!({"text": "x", "scope": "rangeId:"}), "E_INVALID_ARG", "scope"),
        ("insertText", json!({"text": "x", "scope": "page"}), "E_INVALID_ARG", "scope"),
        ("insertText", json!({"text": "x", "location": "nowhere"}), "E_INVALID_ARG", "location"),
        ("insertText", json!({}), "E_INVALID_ARG", "text required"),
        (
            "table.setCellText",
            json!({"tableRef": "tableId:tbl_9", "row": 0, "col": 0, "text": "x"}),
            "E_NOT_FOUND",
            "tbl_9",
        ),
        ("table.setCellText", json!({"row": 0, "col": 0, "text": "x"}), "E_INVALID_ARG", "tableRef required"),
        ("search", json!({"query": "("  , "useRegex": true}), "E_INVALID_ARG", "query"),
        ("replace", json!({"target": "searchQuery", "replaceWith": "x"}), "E_INVALID_ARG", "query required"),
        ("replace", json!({"target": "searchQuery", "query": "x"}), "E_INVALID_ARG", "replaceWith required"),
        ("insertTxt", json!({"text": "x"}), "E_UNSUPPORTED", "insertText"),
    ]);
}

#[test]
fn a_range_whose_text_is_gone() {
    let mut desk = Desk::new();
    let table = desk.done("table.create", json!({"rows": 1, "cols": 1, "data": [["Ephemeral"]]}));
    let table = format!("tableId:{}", table["tableId"].as_str().expect("an id"));
    let found = desk.done("search", json!({"query": "Ephemeral", "maxResults": 1}));
    let scope = format!("rangeId:{}", found["results"][0]["rangeId"].as_str().expect("an id"));
    let gone = desk.done("table.deleteRows", json!({"tableRef": table, "indexes": [0]}));
    assert_eq!(gone["deleted"], true, "{gone}");
    let said = desk.op("table.insertRows", json!({"tableRef": table, "at": 0, "count": 1}));
    assert_eq!(said["code"], "E_NOT_FOUND", "{said}");
    let said = desk.op("insertText", json!({"text": "x", "scope": scope}));
    assert_eq!(said["code"], "E_NOT_FOUND", "{said}");
    assert!(said["diagnostics"].to_string().contains("Ephemeral"), "its last words are told: {said}");
}
