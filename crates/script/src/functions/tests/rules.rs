//! Data validations and conditional formats.

use serde_json::json;

use super::budget;

#[test]
fn validations_are_set_read_kept_and_taken_off() {
    let book = budget();
    let rules = json!([
        { "address": "D2:D9", "rule": { "wholeNumber": { "operator": "Between", "formula1": 1, "formula2": 10 } },
          "errorAlert": { "style": "Warning", "title": "No", "message": "1 to 10" }, "prompt": { "title": "Size", "message": "a number" } },
        { "address": "E2:E9,G2", "rule": { "list": { "source": ["yes", "no"], "inCellDropDown": false } } },
        { "address": "F2:F9", "rule": { "date": { "operator": "GreaterThanOrEqualTo", "formula1": "2024-01-01" } }, "ignoreBlanks": false },
        { "address": "H2:H9", "rule": { "custom": { "formula": "=ISTEXT(H2)" } } },
        { "address": "I2:I9", "rule": { "list": { "source": "=Inputs!$A$2:$A$4" } } },
        { "address": "J2", "rule": { "textLength": { "operator": "LessThan", "formula1": "=2+2" } } },
    ]);
    book.call("setDataValidations", json!(["Model", rules]));
    let book = book.saved();
    let read = book.call("getDataValidations", json!([{ "sheet": "Model" }]));
    let read = read.as_array().expect("a list");
    assert_eq!(read.len(), 6);
    assert_eq!(
        read[0]["rule"],
        json!({ "wholeNumber": { "operator": "Between", "formula1": 1.0, "formula2": 10.0 } })
    );
    assert_eq!(read[0]["errorAlert"], rules[0]["errorAlert"]);
    assert_eq!(
        (&read[1]["rule"]["list"]["source"], &read[1]["address"]),
        (&json!("yes,no"), &json!("E2:E9,G2"))
    );
    assert_eq!(read[1]["rule"]["list"]["inCellDropDown"], false);
    assert_eq!(read[2]["rule"]["date"]["formula1"], 45292.0);
    assert_eq!(
        (&read[2]["ignoreBlanks"], &read[4]["rule"]["list"]["source"]),
        (&json!(false), &json!("=Inputs!$A$2:$A$4"))
    );

    // What they say of entries.
    for (cell, good, bad) in [
        ("Model!D3", json!(5), json!(11)),
        ("Model!D3", json!(1), json!(1.5)),
        ("Model!G2", json!("yes"), json!("maybe")),
        ("Model!F4", json!(45300), json!(40000)),
        ("Model!H5", json!("text"), json!(5)),
        ("Model!I2", book.call("readCell", json!(["Inputs!A3"]))["value"].clone(), json!("nothing")),
        ("Model!J2", json!("abc"), json!("abcd")),
    ] {
        let reject = json!({ "validationMode": "reject" });
        let fine = book.call("setCells", json!([[{ "address": cell, "value": good }], reject]));
        assert_eq!(fine.get("notes"), None, "{cell}");
        book.refused(
            "setCells",
            json!([[{ "address": cell, "value": bad }], reject]),
            "VALIDATION_FAILED",
            "does not allow",
        );
        let told = book.call("setCells", json!([[{ "address": cell, "value": bad }]]));
        assert_eq!(told["notes"].as_array().map(Vec::len), Some(1), "{cell}: {told}");
    }
    let left = book.call("removeDataValidations", json!(["Model", { "indices": [0, 2] }]));
    assert_eq!(left.as_array().map(Vec::len), Some(4));
    let left = book.call("removeDataValidations", json!(["Model", { "address": "E2:J9" }]));
    assert_eq!(left, json!([]));
    assert_eq!(book.saved().call("getDataValidations", json!([{ "sheet": "Model" }])), json!([]));
}

#[test]
fn validations_that_cannot_be_are_refused() {
    let book = budget();
    for (rule, code, words) in [
        (json!({ "address": "D2", "rule": {} }), "INVALID_ARGUMENT", "takes one of"),
        (json!({ "address": "D2", "rule": { "list": { "source": ["a,b"] } } }), "INVALID_ARGUMENT", "comma"),
        (
            json!({ "address": "Inputs!D2", "rule": { "custom": { "formula": "=TRUE" } } }),
            "INVALID_ARGUMENT",
            "the rules are for `Model`",
        ),
        (
            json!({ "address": "?", "rule": { "custom": { "formula": "=TRUE" } } }),
            "RANGE_PARSE_ERROR",
            "address",
        ),
        (
            json!({ "address": "D2", "rule": { "decimal": { "operator": "Above", "formula1": 1 } } }),
            "INVALID_ARGUMENT",
            "GreaterThan",
        ),
        (
            json!({ "address": "D2", "rule": { "decimal": { "operator": "Between", "formula1": 1 } } }),
            "INVALID_ARGUMENT",
            "upper bound",
        ),
        (
            json!({ "address": "D2", "rule": { "date": { "operator": "EqualTo", "formula1": "soon" } } }),
            "INVALID_ARGUMENT",
            "2024-02-29",
        ),
    ] {
        book.refused("setDataValidations", json!(["Model", [rule]]), code, words);
    }
    book.refused("removeDataValidations", json!(["Model", { "indices": [3] }]), "NOT_FOUND", "has 0");
    book.refused("removeDataValidations", json!(["Model", {}]), "INVALID_ARGUMENT", "either");
}

#[test]
fn every_type_of_conditional_format_is_written_and_read() {
    let book = budget();
    let red = json!({ "font": { "color": "#9C0006", "bold": true }, "fill": { "color": "#FFC7CE", "pattern": "solid" } });
    let styled = [
        json!({ "type": "cellValue", "operator": "GreaterThan", "formula": 100.0 }),
        json!({ "type": "cellValue", "operator": "Between", "formula": 1.0, "formula2": "=$B$1" }),
        json!({ "type": "expression", "formula": "=$B2>5" }),
        json!({ "type": "containsText", "text": "a & b" }),
        json!({ "type": "notContainsText", "text": "x" }),
        json!({ "type": "beginsWith", "text": "x" }),
        json!({ "type": "endsWith", "text": "x" }),
        json!({ "type": "containsBlanks" }),
        json!({ "type": "notContainsBlanks" }),
        json!({ "type": "containsErrors" }),
        json!({ "type": "notContainsErrors" }),
        json!({ "type": "timePeriod", "timePeriod": "lastWeek" }),
        json!({ "type": "top", "rank": 10, "percent": true }),
        json!({ "type": "bottom", "rank": 3 }),
        json!({ "type": "aboveAverage", "stdDev": 1 }),
        json!({ "type": "belowAverage", "equalAverage": true }),
        json!({ "type": "duplicateValues" }),
        json!({ "type": "uniqueValues" }),
    ];
    let drawn = [
        json!({ "type": "twoColorScale", "lowValue": { "type": "min", "color": "#FFFFFF" }, "highValue": { "type": "max", "color": "#63BE7B" } }),
        json!({ "type": "threeColorScale", "lowValue": { "type": "num", "value": 0.0, "color": "#F8696B" },
                "midValue": { "type": "percentile", "value": 50.0, "color": "#FFEB84" }, "highValue": { "type": "formula", "formula": "=$B$2", "color": "#63BE7B" } }),
        json!({ "type": "dataBar", "dataBar": { "color": "#638EC6" }, "lowValue": { "type": "min" }, "highValue": { "type": "num", "value": 9.0 } }),
        json!({ "type": "iconSet", "iconSet": { "style": "3Arrows", "points": [
            { "type": "percent", "value": 0.0 }, { "type": "percent", "value": 40.0 }, { "type": "percent", "value": 80.0 } ] } }),
    ];
    let mut rules = Vec::new();
    for (index, rule) in styled.iter().chain(&drawn).enumerate() {
        let mut rule = rule.clone();
        rule["address"] = json!(format!("B2:C{}", index + 5));
        if index < styled.len() {
            rule["style"] = red.clone();
        }
        rules.push(rule);
    }
    book.call("setConditionalFormatting", json!(["Model", rules]));
    let book = book.saved();
    let read = book.call("getConditionalFormatting", json!(["Model"]));
    for (index, rule) in rules.iter().enumerate() {
        for (field, value) in rule.as_object().expect("a rule") {
            assert_eq!(&read[index][field], value, "{field} of {rule}");
        }
        assert_eq!(read[index]["priority"], index as u64 + 1);
    }
    // One of them goes; the rest stay as they are.
    let left = book.call("removeConditionalFormatting", json!(["Model", [0, 20]]));
    assert_eq!(left.as_array().map(Vec::len), Some(rules.len() - 2));
    assert_eq!((&left[0]["formula2"], &left[0]["priority"]), (&json!("=$B$1"), &json!(2)));
    let only = json!([{ "type": "expression", "address": "A1", "formula": "=TRUE", "style": { "font": { "italic": true } }, "stopIfTrue": true }]);
    let left = book.call("setConditionalFormatting", json!(["Model", only, { "clear": true }]));
    assert_eq!((left.as_array().map(Vec::len), &left[0]["stopIfTrue"]), (Some(1), &json!(true)));
    assert_eq!(book.saved().call("getConditionalFormatting", json!(["Model"])), left);
}

#[test]
fn conditional_formats_that_cannot_be_are_refused() {
    let book = budget();
    let style = json!({ "font": { "bold": true } });
    for (rule, code, words) in [
        (
            json!({ "type": "cellValue", "address": "A1", "formula": 1, "style": style }),
            "INVALID_ARGUMENT",
            "`operator`",
        ),
        (
            json!({ "type": "expression", "address": "A1", "formula": "=(", "style": style }),
            "FORMULA_SYNTAX",
            "no formula",
        ),
        (json!({ "type": "duplicateValues", "address": "A1" }), "INVALID_ARGUMENT", "takes `style`"),
        (
            json!({ "type": "duplicateValues", "address": "A1", "rank": 3, "style": style }),
            "INVALID_ARGUMENT",
            "has no `rank`",
        ),
        (json!({ "type": "top", "address": "A1", "rank": 0, "style": style }), "INVALID_ARGUMENT", "1 to"),
        (
            json!({ "type": "iconSet", "address": "A1", "iconSet": { "style": "3Cats" } }),
            "INVALID_ARGUMENT",
            "3Arrows",
        ),
        (
            json!({ "type": "dataBar", "address": "A1", "lowValue": { "type": "autoMin" }, "highValue": { "type": "autoMax" } }),
            "UNSUPPORTED",
            "use `min`",
        ),
        (json!({ "type": "rainbow", "address": "A1" }), "INVALID_ARGUMENT", "type"),
    ] {
        book.refused("setConditionalFormatting", json!(["Model", [rule]]), code, words);
    }
    book.refused("removeConditionalFormatting", json!(["Model", [0]]), "NOT_FOUND", "has 0");
}
