//! Edits as people write them in JSON. Rows count from 1 and columns are letters, as on the screen; the vocabulary of the
//! engine, which journals keep, counts both from 0.

use serde_json::{Map, Value as Json};
use workspace::sheet::Edit;

use crate::report::Failure;

/// One edit or a list of them.
pub(super) fn read(text: &str) -> Result<Vec<Edit>, Failure> {
    let written: Json = serde_json::from_str(text).map_err(|error| {
        failure(format!("this is not JSON: {error}"))
            .with_hint("quote it as a whole, or put it into a file and name that as @FILE")
    })?;
    let list = match written {
        Json::Array(list) => list,
        one => vec![one],
    };
    let many = list.len() > 1;
    list.into_iter()
        .enumerate()
        .map(|(index, one)| {
            edit(one).map_err(
                |failed| if many { failed.prefixed(&format!("edit {}: ", index + 1)) } else { failed },
            )
        })
        .collect()
}

fn edit(written: Json) -> Result<Edit, Failure> {
    let Json::Object(mut fields) = written else {
        return Err(failure(format!("{written} is no edit")).with_hint(SHAPE));
    };
    let Some(op) = fields.get("op").and_then(Json::as_str).map(str::to_owned) else {
        return Err(failure("`op` is missing".to_owned()).with_hint(SHAPE));
    };
    for name in lines(&op) {
        count_from_one(&mut fields, name, op.ends_with("columns"))?;
    }
    serde_json::from_value(Json::Object(fields)).map_err(|error| {
        let said = error.to_string();
        let failed = failure(format!("`{op}`: {said}"));
        match () {
            // Both errors list what there is.
            () if said.starts_with("unknown variant") || said.starts_with("unknown field") => failed,
            () if said.starts_with("missing field") => {
                failed.with_hint(format!("add it beside \"op\":\"{op}\""))
            }
            () => failed.with_hint("docs/excel.md shows each edit with its fields"),
        }
    })
}

const SHAPE: &str =
    "an edit is an object with `op` and its fields, such as {\"op\":\"delete_sheet\",\"sheet\":\"Old\"}";

fn failure(message: String) -> Failure {
    Failure::new("INVALID_ARGUMENT", format!("--edits: {message}"))
}

/// The fields of an edit that are rows or columns.
fn lines(op: &str) -> &'static [&'static str] {
    match op {
        "insert_rows" | "delete_rows" | "insert_columns" | "delete_columns" => &["at"],
        "set_rows" | "set_columns" => &["first", "last"],
        _ => &[],
    }
}

fn count_from_one(fields: &mut Map<String, Json>, name: &str, columns: bool) -> Result<(), Failure> {
    let Some(value) = fields.get_mut(name) else { return Ok(()) };
    let line = match &*value {
        Json::Number(number) => number.as_u64(),
        Json::String(text) => match text.parse() {
            Ok(number) => Some(number),
            Err(_) if columns => column(text),
            Err(_) => None,
        },
        _ => None,
    };
    let (what, example) = if columns { ("columns", "\"C\" or 3") } else { ("rows", "4") };
    match line.and_then(|line| line.checked_sub(1)) {
        Some(from_zero) => {
            *value = from_zero.into();
            Ok(())
        }
        None => Err(failure(format!("`{name}` is {value}, and {what} count from 1"))
            .with_hint(format!("name it as Excel does, such as {example}"))),
    }
}

/// `C` is the third column.
fn column(letters: &str) -> Option<u64> {
    let right = (1..=3).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    let value = |number: u64, byte: u8| number * 26 + u64::from(byte.to_ascii_uppercase() - b'A') + 1;
    right.then(|| letters.bytes().fold(0, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_named_as_on_the_screen() {
        let at = |text: &str| match read(text).unwrap_or_else(|failed| panic!("{}", failed.message)).remove(0)
        {
            Edit::InsertRows { at, .. } | Edit::DeleteColumns { at, .. } => at,
            other => panic!("{other:?}"),
        };
        assert_eq!(at(r#"{"op":"insert_rows","sheet":"S","at":4,"count":1}"#), 3);
        assert_eq!(at(r#"[{"op":"delete_columns","sheet":"S","at":"AA","count":1}]"#), 26);
        assert_eq!(at(r#"{"op":"delete_columns","sheet":"S","at":2,"count":1}"#), 1);
        for wrong in [
            r#"{"op":"insert_rows","sheet":"S","at":0,"count":1}"#,
            r#"{"op":"insert_rows","sheet":"S","at":"C","count":1}"#,
            r#"{"op":"insert_rows","sheet":"S","count":1}"#,
            r#"{"op":"insert_rowz","sheet":"S"}"#,
            r#"{"sheet":"S"}"#,
            "rows",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
