use serde_json::{Value, json};

use super::*;
use workspace::word::op::{Scope, TableRef};

fn good(meta: Value) -> Op {
    operation(&meta).unwrap_or_else(|(_, failure)| panic!("{meta}: {failure:?}")).op
}

fn bad(meta: Value) -> (&'static str, String) {
    match operation(&meta) {
        Ok(asked) => panic!("{meta} was taken for {asked:?}"),
        Err((_, failure)) => (failure.code, failure.messages.join("; ")),
    }
}

fn op(name: &str, args: Value) -> Value {
    json!({ "type": "word.op", "op": name, "version": "1.0", "args": args })
}

/// Every example and authoring tip of the published vocabulary.
fn examples() -> Vec<Value> {
    vec![
        op(
            "insertText",
            json!({"text": "Hello, Word!", "scope": "selection", "location": "replace", "newParagraph": false}),
        ),
        op("insertText", json!({"text": "Hello", "scope": "document", "location": "start"})),
        op("insertText", json!({"text": "OK", "location": "replace"})),
        op(
            "insertText",
            json!({"text": "Thanks", "scope": "document", "location": "end", "newParagraph": true}),
        ),
        op("getSelection", json!({})),
        op(
            "search",
            json!({"query": "Invoice", "scope": "document", "matchWholeWord": true, "maxResults": 50}),
        ),
        op("search", json!({"query": "Invoice", "matchWholeWord": true})),
        op("search", json!({"query": "Total", "scope": "selection", "matchCase": true})),
        op(
            "replace",
            json!({"target": "searchQuery", "query": "2024", "matchWholeWord": true, "replaceWith": "2025", "mode": "replaceAll"}),
        ),
        op(
            "replace",
            json!({"target": "searchQuery", "query": "2024", "replaceWith": "2025", "mode": "replaceAll"}),
        ),
        op(
            "replace",
            json!({"target": "searchQuery", "query": "foo", "replaceWith": "bar", "mode": "replaceFirst", "scope": "selection"}),
        ),
        op(
            "insertPicture",
            json!({"source": "url", "data": "https://example.com/logo.png", "location": "replace", "width": 120, "lockAspectRatio": true, "altText": "Company Logo"}),
        ),
        op(
            "insertPicture",
            json!({"source": "url", "data": "https://example.com/logo.png", "location": "replace", "width": 120}),
        ),
        op(
            "insertPicture",
            json!({"source": "base64", "data": "<BASE64>", "scope": "document", "location": "end"}),
        ),
        op("table.create", json!({"rows": 3, "cols": 3, "header": true})),
        op("table.setCellText", json!({"tableRef": "tableId:123", "row": 0, "col": 0, "text": "Title"})),
        op("table.insertRows", json!({"tableRef": "tableId:123", "at": 1, "count": 2})),
        op(
            "table.mergeCells",
            json!({"tableRef": "tableId:123", "startRow": 1, "startCol": 1, "rowSpan": 2, "colSpan": 2}),
        ),
        op(
            "applyStyle",
            json!({"scope": "selection", "char": {"bold": true, "fontSize": 12, "color": "#333333"}, "para": {"alignment": "justify", "lineSpacing": 1.15}, "namedStyle": "Normal"}),
        ),
        op(
            "applyStyle",
            json!({"char": {"bold": true, "fontSize": 12, "color": "#333333"}, "para": {"alignment": "justify"}}),
        ),
        op("applyStyle", json!({"namedStyle": "Heading 1"})),
        op("listStyles", json!({"category": "paragraph"})),
    ]
}

#[test]
fn every_documented_example_is_understood_and_written_back_the_same() {
    for example in examples() {
        let understood = good(example.clone());
        assert_eq!(good(Value::String(example.to_string())), understood, "as a string");
        assert_eq!(good(envelope(&understood)), understood, "{}", envelope(&understood));
    }
}

#[test]
fn aliases_mean_what_they_stand_for() {
    let at = |args: Value| match good(op("insertText", args)) {
        Op::InsertText(op) => op.location,
        other => panic!("{other:?}"),
    };
    use workspace::word::op::Location;
    assert_eq!(at(json!({"text": "x", "where": "append"})), Location::End);
    assert_eq!(at(json!({"text": "x", "location": "prepend"})), Location::Start);
    assert_eq!(at(json!({"text": "x", "location": "insert"})), Location::Replace);
    assert_eq!(at(json!({"text": "x", "location": "Before"})), Location::Before);
    let by_range = op("table.insertRows", json!({"tableRef": "rangeId:rng_1", "at": 0, "count": 1}));
    assert_eq!(good(by_range).ids(), ["rng_1"]);
    let scoped = op("insertText", json!({"text": "x", "scope": "rangeId:rng_2"}));
    assert_eq!(good(scoped).ids(), ["rng_2"]);
    let color = op(
        "applyStyle",
        json!({"char": {"color": "rgba(255,0,0,0.5)", "highlight": "none", "fontSize": "1in"}}),
    );
    assert_eq!(
        envelope(&good(color))["args"]["char"],
        json!({"color": "#FF8080", "highlight": "none", "fontSize": 72.0})
    );
}

#[test]
fn what_is_wrong_is_named_with_its_code() {
    let invalid = |meta: Value| {
        let (code, message) = bad(meta);
        assert_eq!(code, "E_INVALID_ARG", "{message}");
        message
    };
    assert_eq!(invalid(op("insertText", json!({}))), "text required");
    assert_eq!(invalid(op("search", json!({}))), "query required");
    assert_eq!(
        invalid(op("replace", json!({"target": "searchQuery", "replaceWith": "x"}))),
        "query required"
    );
    assert_eq!(invalid(op("replace", json!({"target": "document"}))), "replaceWith required");
    assert_eq!(invalid(op("insertPicture", json!({"data": "x"}))), "source required");
    assert_eq!(invalid(op("table.create", json!({"rows": 3}))), "cols required");
    assert_eq!(invalid(op("table.deleteRows", json!({"indexes": [0]}))), "tableRef required");
    assert_eq!(invalid(op("table.insertRows", json!({"tableRef": "tableId:1", "count": 1}))), "at required");
    assert_eq!(
        invalid(op("insertText", json!({"txet": "x", "text": "y"}))),
        "txet is not an argument; did you mean text?"
    );
    assert_eq!(
        invalid(op("applyStyle", json!({"char": {"blod": true}}))),
        "char.blod is not an argument; did you mean char.bold?"
    );
    assert!(
        invalid(op("insertText", json!({"text": "x", "scope": "page"})))
            .starts_with("scope must be document, selection")
    );
    assert!(invalid(op("insertText", json!({"text": 5}))).starts_with("text must be a string"));
    assert!(
        invalid(op("table.create", json!({"rows": -1, "cols": 2})))
            .starts_with("rows must be a whole number")
    );
    assert!(
        invalid(op("applyStyle", json!({"char": {"color": "#12"}})))
            .starts_with("char.color must be a colour")
    );
    assert!(
        invalid(op("insertText", json!({"text": "x", "location": "start", "where": "end"})))
            .contains("different things")
    );
    assert_eq!(invalid(json!({"op": "search", "version": "1.0", "args": {"query": "x"}})), "type required");
    assert_eq!(invalid(json!({"type": "word.op", "version": "1.0"})), "op required");
    assert!(invalid(json!("{not json")).starts_with("meta is not valid JSON"));
    assert!(invalid(json!([1])).starts_with("meta must be an object"));
    let (code, message) = bad(op("insertTxt", json!({})));
    assert_eq!(
        (code, message.as_str()),
        ("E_UNSUPPORTED", "op insertTxt is not supported; did you mean insertText?")
    );
    let (code, _) = bad(json!({"type": "word.op", "op": "search", "version": "2.0", "args": {"query": "x"}}));
    assert_eq!(code, "E_UNSUPPORTED");
    let old = operation(&json!({"type": "word.op", "op": "getSelection"})).expect("lenient");
    assert_eq!(old.warnings, ["version is missing; 1.0 was assumed"]);
}

#[test]
fn everything_that_is_missing_is_told_at_once_with_what_was_meant() {
    let (code, told) = bad(op("table.setCellText", json!({"table": 0, "rows": 1})));
    assert_eq!(code, "E_INVALID_ARG");
    let expected = "tableRef required; row required; col required; text required; rows is not an argument; \
                    did you mean row?; table is not an argument; valid: tableRef, row, col, text";
    assert_eq!(told, expected);
}

#[test]
fn ids_that_reading_prints_are_scopes_and_tables() {
    let scope = |scope: &str| match good(op("insertText", json!({"text": "x", "scope": scope}))) {
        Op::InsertText(op) => op.scope,
        other => panic!("{other:?}"),
    };
    let table = |table: Value| match good(op("table.deleteRows", json!({"tableRef": table, "indexes": [0]})))
    {
        Op::TableDeleteRows(op) => op.table,
        other => panic!("{other:?}"),
    };
    assert_eq!(scope("jr_para_0123456789ab"), Scope::Range("jr_para_0123456789ab".into()));
    assert_eq!(scope("tableId:tbl_0123456789ab"), Scope::Table("tbl_0123456789ab".into()));
    assert_eq!(table(json!("1")), TableRef::Nth(1));
    assert_eq!(table(json!(1)), TableRef::Nth(1));
    assert_eq!(table(json!("tbl_0123456789ab")), TableRef::Table("tbl_0123456789ab".into()));
    assert_eq!(table(json!("rangeId:jr_para_0123456789ab")), TableRef::Range("jr_para_0123456789ab".into()));
}
