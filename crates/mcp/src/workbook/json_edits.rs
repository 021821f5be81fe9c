//! Edits as people write them in JSON. Rows count from 1 and columns are letters, as on the screen; the vocabulary of the
//! engine, which journals keep, counts both from 0.

mod shapes;

use serde::Deserialize;
use serde_json::{Map, Value as Json};
use workspace::Refusal;
use workspace::sheet::{CellChange, CellRef, Edit, Input, View};
use workspace::targets::{self, Address};

use crate::error::ToolError;

/// An edit as it was written.
#[derive(Debug)]
pub enum Written {
    Edit(Box<Edit>),
    /// A value for one cell, which may have a name.
    Set {
        cell: String,
        input: Input,
    },
}

/// One edit or a list of them.
pub fn read(written: Json) -> Result<Vec<Written>, ToolError> {
    let list = match written {
        Json::Array(list) => list,
        one => vec![one],
    };
    let many = list.len() > 1;
    let numbered = |index: usize, failed: ToolError| match many {
        true => ToolError { message: format!("edit {}: {}", index + 1, failed.message), ..failed },
        false => failed,
    };
    let each = list.into_iter().enumerate();
    each.map(|(index, one)| edit(one).map_err(|failed| numbered(index, failed))).collect()
}

/// The edits with the cells that their names mean.
pub fn resolved(view: &View, written: Vec<Written>) -> Result<Vec<Edit>, Refusal> {
    let edit = |one: Written| match one {
        Written::Edit(edit) => Ok(*edit),
        Written::Set { cell, input } => {
            let (sheet, at) = place(view, &cell)?;
            Ok(Edit::SetCells { sheet, cells: vec![CellChange { at, input }], seen: None })
        }
    };
    written.into_iter().map(edit).collect()
}

fn place(view: &View, cell: &str) -> Result<(String, CellRef), Refusal> {
    let address = targets::address(cell);
    // The sheet may be one that an edit before this one makes.
    if let Address { sheet: Some(sheet), cells } = &address
        && let Ok(at) = cells.replace('$', "").to_ascii_uppercase().parse::<CellRef>()
    {
        return Ok((sheet.clone(), at));
    }
    let meant = targets::cells(view, &address)?;
    match meant.area.is_cell() {
        true => Ok((meant.sheet, meant.area.first())),
        false => {
            let found = format!("`{cell}`, which is {} cells", meant.area.count());
            Err(Refusal::invalid("cell", found, "one cell, such as Inputs!B5; set_cells writes several"))
        }
    }
}

fn edit(written: Json) -> Result<Written, ToolError> {
    let Json::Object(mut fields) = written else {
        return Err(ToolError::invalid(format!("{written} is no edit")).hint(SHAPE));
    };
    let Some(op) = fields.get("op").and_then(Json::as_str).map(str::to_owned) else {
        return Err(ToolError::invalid("`op` is missing").hint(SHAPE));
    };
    if op == "set" {
        fields.remove("op");
        return set(fields);
    }
    if OF_JOURNALS.contains(&op.as_str()) {
        return Err(ToolError::invalid(format!("there is no edit `{op}`")).hint(SHAPE));
    }
    if op == "set_cells" && fields.contains_key("seen") {
        return Err(ToolError::invalid("`set_cells`: unknown field `seen`, expected `sheet` or `cells`"));
    }
    shapes::spell_out(&op, &mut fields);
    for name in lines(&op) {
        count_from_one(&mut fields, name, op.ends_with("columns"))?;
    }
    for key in fields.get_mut("keys").and_then(Json::as_array_mut).into_iter().flatten() {
        key.as_object_mut().map_or(Ok(()), |key| count_from_one(key, "column", true))?;
    }
    // Columns of a filter are those of its area.
    for column in fields.get_mut("columns").and_then(Json::as_array_mut).into_iter().flatten() {
        column.as_object_mut().map_or(Ok(()), |column| count_from_one(column, "column", false))?;
    }
    serde_json::from_value(Json::Object(fields)).map(|edit| Written::Edit(Box::new(edit))).map_err(|error| {
        let said = error.to_string();
        let failed = ToolError::invalid(format!("`{op}`: {said}"));
        match () {
            () if said.starts_with(&format!("unknown variant `{op}`")) => {
                ToolError::invalid(format!("there is no edit `{op}`; there are set, {}", offered(&said)))
                    .hint("`set` with `cell` and `value` writes one cell")
            }
            // The error lists what there is.
            () if said.starts_with("unknown field") => failed,
            () if said.starts_with("missing field") => failed.hint(format!("add it beside \"op\":\"{op}\"")),
            () => match shapes::EXAMPLES.iter().find(|(known, _)| *known == op) {
                Some((_, example)) => failed.hint(format!("such as {example}")),
                None => failed.hint("docs/excel-details.md has an example of each edit"),
            },
        }
    })
}

/// Kinds that the program notes for itself, with authors, times and meanings that nobody outside may choose.
const OF_JOURNALS: [&str; 2] = ["run", "anchored"];

/// The kinds that the error for an unknown one lists, without those of journals.
fn offered(said: &str) -> String {
    let listed = said.split_once("expected one of ").map_or("", |(_, listed)| listed);
    let names =
        listed.split(", ").map(|name| name.trim_matches('`')).filter(|name| !OF_JOURNALS.contains(name));
    names.collect::<Vec<_>>().join(", ")
}

const SHAPE: &str = "an edit is an object with `op` and its fields, such as {\"op\":\"set\",\"cell\":\"Inputs!B5\",\"value\":1.1}";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    cell: String,
    /// Where the cell does not name it.
    sheet: Option<String>,
    value: Option<Json>,
    formula: Option<String>,
}

fn set(fields: Map<String, Json>) -> Result<Written, ToolError> {
    let given = fields.contains_key("value");
    let Set { cell, sheet, value, formula } = serde_json::from_value(Json::Object(fields))
        .map_err(|error| ToolError::invalid(format!("`set`: {error}")))?;
    let input = match (value, formula) {
        (None, Some(formula)) => Input::Formula(formula),
        (Some(Json::String(text)), None) => Input::Typed(text),
        (Some(Json::Number(number)), None) if number.as_f64().is_some() => {
            Input::Number(number.as_f64().unwrap_or(f64::NAN))
        }
        (Some(Json::Bool(value)), None) => Input::Bool(value),
        (None, None) if given => Input::Clear,
        _ => {
            return Err(ToolError::invalid(
                "`set` takes `cell` and either `value` (text as typed into Excel, number, true, false or null) or `formula`",
            ));
        }
    };
    let cell = match sheet {
        Some(sheet) if !cell.contains('!') => format!("'{}'!{cell}", sheet.replace('\'', "''")),
        Some(sheet) => {
            return Err(ToolError::invalid(format!("`sheet` is {sheet}, and `cell` names one too: {cell}")));
        }
        None => cell,
    };
    Ok(Written::Set { cell, input })
}

/// The fields of an edit that are rows or columns.
fn lines(op: &str) -> &'static [&'static str] {
    match op {
        "insert_rows" | "delete_rows" | "insert_columns" | "delete_columns" => &["at"],
        "set_rows" | "set_columns" => &["first", "last"],
        "move_sheet" => &["to"],
        _ => &[],
    }
}

fn count_from_one(fields: &mut Map<String, Json>, name: &str, columns: bool) -> Result<(), ToolError> {
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
        None => Err(ToolError::invalid(format!("`{name}` is {value}, and {what} count from 1"))
            .hint(format!("name it as Excel does, such as {example}"))),
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
    fn every_example_is_an_edit_and_stands_in_the_guide() {
        let guide = include_str!("../../../../docs/excel-details.md");
        for (op, example) in shapes::EXAMPLES {
            assert!(guide.contains(example), "docs/excel-details.md lacks {example}");
            let written = serde_json::from_str(example).unwrap_or_else(|error| panic!("{example}: {error}"));
            read(written).unwrap_or_else(|failed| panic!("{op}: {}", failed.message));
        }
    }

    #[test]
    fn short_forms_are_spelled_out() {
        let read = |text: &str| read(serde_json::from_str(text).unwrap()).unwrap().remove(0);
        let Written::Edit(edit) =
            read(r##"{"op":"set_style","sheet":"S","areas":["A1"],"style":{"fill":"#ff0000"}}"##)
        else {
            panic!("a set");
        };
        let Edit::SetStyle { style, .. } = *edit else { panic!("{edit:?}") };
        let solid = workspace::sheet::FillChange::Solid(workspace::sheet::Color::Rgb("FF0000".to_owned()));
        assert_eq!(style.fill, Some(solid));
        let Written::Set { cell, .. } = read(r#"{"op":"set","sheet":"My data","cell":"B2","value":1}"#)
        else {
            panic!("an edit");
        };
        assert_eq!(cell, "'My data'!B2");
    }

    #[test]
    fn lines_are_named_as_on_the_screen() {
        let read = |text: &str| read(serde_json::from_str(text).unwrap());
        let at = |text: &str| match read(text).unwrap_or_else(|failed| panic!("{}", failed.message)).remove(0)
        {
            Written::Edit(edit) => match *edit {
                Edit::InsertRows { at, .. } | Edit::DeleteColumns { at, .. } => at,
                other => panic!("{other:?}"),
            },
            other @ Written::Set { .. } => panic!("{other:?}"),
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
            "\"rows\"",
            r#"{"op":"set","cell":"S!A1"}"#,
            r#"{"op":"set","cell":"S!A1","value":1,"formula":"=2"}"#,
            r#"{"op":"set","cell":"S!A1","value":[1]}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
