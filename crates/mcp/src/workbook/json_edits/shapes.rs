//! Shapes of edits: an example of each, which a wrong one is answered with, and the short forms that are read as the
//! long ones of the engine's vocabulary.

use serde_json::{Map, Value as Json, json};

/// One edit of each kind, as it may be written.
pub(super) const EXAMPLES: &[(&str, &str)] = &[
    (
        "set_cells",
        r#"{"op":"set_cells","sheet":"Inputs","cells":[{"at":"B2","input":{"number":1.1}},{"at":"B3","input":{"typed":"25%"}},{"at":"B4","input":"clear"}]}"#,
    ),
    ("set_array", r#"{"op":"set_array","sheet":"Model","area":"G1:G3","formula":"=B1:B3*2"}"#),
    ("set_data_table", r#"{"op":"set_data_table","sheet":"Model","area":"B2:B9","column_input":"B1"}"#),
    (
        "sort_range",
        r#"{"op":"sort_range","sheet":"Model","area":"A2:D9","keys":[{"column":"B","descending":true}]}"#,
    ),
    (
        "set_style",
        r##"{"op":"set_style","sheet":"Model","areas":["A1:E1"],"style":{"fill":"#FFF2CC","font":{"bold":true,"color":"#C00000"},"number_format":"#,##0.00","alignment":{"horizontal":"center"}}}"##,
    ),
    ("insert_rows", r#"{"op":"insert_rows","sheet":"Model","at":5,"count":2}"#),
    ("delete_rows", r#"{"op":"delete_rows","sheet":"Model","at":5,"count":2}"#),
    ("insert_columns", r#"{"op":"insert_columns","sheet":"Model","at":"C","count":1}"#),
    ("delete_columns", r#"{"op":"delete_columns","sheet":"Model","at":"C","count":1}"#),
    ("add_sheet", r#"{"op":"add_sheet","name":"Notes","before":"Model"}"#),
    ("delete_sheet", r#"{"op":"delete_sheet","sheet":"Notes"}"#),
    ("rename_sheet", r#"{"op":"rename_sheet","sheet":"Notes","to":"Remarks"}"#),
    ("move_sheet", r#"{"op":"move_sheet","sheet":"Summary","to":1}"#),
    ("show_sheet", r#"{"op":"show_sheet","sheet":"Notes","visibility":"hidden"}"#),
    ("merge", r#"{"op":"merge","sheet":"Model","area":"A1:D1"}"#),
    ("unmerge", r#"{"op":"unmerge","sheet":"Model","area":"A1:D1"}"#),
    (
        "set_rows",
        r#"{"op":"set_rows","sheet":"Model","first":2,"last":4,"properties":{"size":18,"hidden":false}}"#,
    ),
    (
        "set_columns",
        r#"{"op":"set_columns","sheet":"Model","first":"B","last":"D","properties":{"size":14}}"#,
    ),
    ("freeze", r#"{"op":"freeze","sheet":"Model","rows":1,"columns":0}"#),
    (
        "set_validation",
        r#"{"op":"set_validation","sheet":"Inputs","areas":["B2:B9"],"rule":{"kind":"list","formula1":"Yes,No"}}"#,
    ),
    ("remove_validations", r#"{"op":"remove_validations","sheet":"Inputs","areas":["B2:B9"]}"#),
    (
        "add_conditional_format",
        r##"{"op":"add_conditional_format","sheet":"Model","areas":["B2:B9"],"rule":{"kind":"cell_is","operator":"greaterThan","formulas":["100"],"style":{"fill":"#FFC7CE"}}}"##,
    ),
    (
        "remove_conditional_formats",
        r#"{"op":"remove_conditional_formats","sheet":"Model","areas":["B2:B9"]}"#,
    ),
    ("add_table", r#"{"op":"add_table","sheet":"Model","area":"A1:D9","name":"Plan"}"#),
    ("set_table", r#"{"op":"set_table","table":"Plan","change":{"area":"A1:D12"}}"#),
    ("delete_table", r#"{"op":"delete_table","table":"Plan"}"#),
    ("set_link", r#"{"op":"set_link","sheet":"Model","area":"A1","to":{"address":"https://example.org"}}"#),
    ("remove_links", r#"{"op":"remove_links","sheet":"Model","areas":["A1"]}"#),
    ("set_note", r#"{"op":"set_note","sheet":"Model","at":"B2","text":"Checked"}"#),
    ("remove_notes", r#"{"op":"remove_notes","sheet":"Model","areas":["B2"]}"#),
    ("add_comment", r#"{"op":"add_comment","sheet":"Model","at":"B2","text":"Why so high?"}"#),
    ("resolve_thread", r#"{"op":"resolve_thread","sheet":"Model","at":"B2","resolved":true}"#),
    ("delete_thread", r#"{"op":"delete_thread","sheet":"Model","at":"B2"}"#),
    (
        "add_chart",
        r#"{"op":"add_chart","sheet":"Model","area":"G2:N18","chart":{"kind":"column","range":"A1:D5","title":"Plan"}}"#,
    ),
    ("delete_drawing", r#"{"op":"delete_drawing","sheet":"Model","drawing":"Chart 1"}"#),
    ("protect", r#"{"op":"protect","sheet":"Model","protected":true}"#),
    ("set_workbook", r#"{"op":"set_workbook","properties":{"title":"Budget","calculation":"auto"}}"#),
    ("define_name", r#"{"op":"define_name","name":"Rate","formula":"=Inputs!$B$2"}"#),
    ("delete_name", r#"{"op":"delete_name","name":"Rate"}"#),
];

/// Replaces what people leave out or write shorter.
pub(super) fn spell_out(op: &str, fields: &mut Map<String, Json>) {
    let usual: &[(&str, u32)] = match op {
        "insert_rows" | "delete_rows" | "insert_columns" | "delete_columns" => &[("count", 1)],
        "freeze" => &[("rows", 0), ("columns", 0)],
        _ => &[],
    };
    for (field, value) in usual {
        fields.entry(*field).or_insert_with(|| json!(value));
    }
    for cell in fields.get_mut("cells").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(input) = cell.get_mut("input").filter(|input| input.get("clear").is_some()) {
            *input = json!("clear");
        }
    }
    fields.iter_mut().for_each(|(name, value)| colors(name, value));
}

/// `"#FF0000"` where the engine has `{"rgb": "FF0000"}`, and for a fill `{"solid": {"rgb": …}}`.
fn colors(name: &str, value: &mut Json) {
    match value {
        Json::String(text) => {
            let Some(rgb) = six_digits(text) else { return };
            match name {
                "fill" => *value = json!({ "solid": { "rgb": rgb } }),
                "color" | "background" | "colors" | "solid" => *value = json!({ "rgb": rgb }),
                "rgb" => *text = rgb,
                _ => {}
            }
        }
        // The items of a list are what the list is called.
        Json::Array(items) => items.iter_mut().for_each(|item| colors(name, item)),
        Json::Object(fields) => fields.iter_mut().for_each(|(name, value)| colors(name, value)),
        _ => {}
    }
}

/// A colour as pages write it. The engine says what is wrong with any other.
fn six_digits(text: &str) -> Option<String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let hex = matches!(digits.len(), 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    hex.then(|| digits.to_ascii_uppercase())
}
