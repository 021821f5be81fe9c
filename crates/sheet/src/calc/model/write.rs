//! Values that were calculated, written back into the cells that hold them.

use std::collections::BTreeMap;

use edit::{Cut, OrEmpty, Patch, Refusal};
use formula::Value;
use ooxml::xml::escape_text;

use crate::calc::rich_errors::{self, Marks};
use crate::file::a1::{Area, CellRef};
use crate::file::numbers::show_number;
use crate::file::scan::other_attributes;
use crate::file::scan::{Attributes, Cell, row_style};
use crate::file::strings::encode;
use crate::file::worksheet::RowSpot;
use crate::read::sheet_view::SheetView;

/// Plans new values for cells of one sheet. Cells without a formula are filled by arrays of others; where they
/// are not in the file yet, they come to be. `spills` says over which range an array now goes, `marks` how errors are
/// marked that files have no name for.
pub(crate) fn write_values(
    sheet: &SheetView<'_>,
    values: &BTreeMap<CellRef, Value>,
    spills: &BTreeMap<CellRef, Area>,
    marks: &Marks,
    patch: &mut Patch,
) -> Result<(), Refusal> {
    let worksheet = sheet.worksheet;
    let part = &worksheet.part;
    let prefix = &worksheet.spelling().prefix;
    let mut rows: BTreeMap<u32, Vec<CellRef>> = BTreeMap::new();
    for at in values.keys().chain(spills.keys()) {
        rows.entry(at.row).or_default().push(*at);
    }
    let blank = Value::Blank;
    let value_of = |at: &CellRef| values.get(at);
    let columns = sheet.column_styles();
    // Rows below all that are there come in one piece.
    let below = match worksheet.find_row(formula::MAX_ROWS - 1)? {
        RowSpot::Missing(at) => Some(at),
        RowSpot::Found(..) => None,
    };
    let mut new_rows: Option<String> = None;
    for (row, mut cells) in rows {
        cells.sort_unstable();
        cells.dedup();
        let mut pending = cells.into_iter().peekable();
        let fresh = |at: CellRef, value: &Value, row: Option<u32>| match value {
            Value::Blank => String::new(),
            value => {
                let look = look_of(&columns, at, row);
                let (kind, inside) = written(value, prefix);
                let mark = mark_of(value, marks);
                format!("<{prefix}c r=\"{at}\"{look}{kind}{mark}>{inside}</{prefix}c>")
            }
        };
        let spot = match &new_rows {
            Some(_) => RowSpot::Missing(below.unwrap_or(worksheet.data.end)),
            None => worksheet.find_row(row)?,
        };
        let (range, found) = match spot {
            RowSpot::Found(range, found) => (range, found),
            RowSpot::Missing(at) => {
                let markup: String =
                    pending.map(|at| fresh(at, value_of(&at).unwrap_or(&blank), None)).collect();
                if markup.is_empty() {
                    continue;
                }
                let markup = format!("<{prefix}row r=\"{}\">{markup}</{prefix}row>", row + 1);
                match below == Some(at) {
                    true => new_rows.get_or_insert_default().push_str(&markup),
                    false => patch.splice(part, at..at, markup)?,
                }
                continue;
            }
        };
        let bytes = worksheet.blob.slice(range.clone());
        let offset = range.start;
        let own = row_style(&bytes, &found);
        let mut scan = worksheet.cells(&bytes, &found);
        let mut end = found.cells.start;
        while let Some(cell) = scan.next().map_err(|broken| worksheet.broken(broken.after(offset)))? {
            let mut before = String::new();
            while let Some(at) = pending.next_if(|at| at.col < cell.at.col) {
                before.push_str(&fresh(at, value_of(&at).unwrap_or(&blank), own));
            }
            if !before.is_empty() {
                patch.splice(part, offset + cell.tag.start..offset + cell.tag.start, before)?;
            }
            if let Some(at) = pending.next_if(|at| *at == cell.at) {
                if let Some(value) = value_of(&at) {
                    set_value(sheet, (&bytes, offset), &cell, value, &mark_of(value, marks), patch)?;
                }
                if let (Some(area), Some((element, _))) = (spills.get(&at), &cell.formula)
                    && let Some(span) = Attributes::of(&bytes, element.start).find("ref")
                    && bytes.get(span.clone()) != Some(area.to_string().as_bytes())
                {
                    patch.splice(part, offset + span.start..offset + span.end, area.to_string())?;
                }
            }
            end = cell.end;
        }
        let rest: String = pending.map(|at| fresh(at, value_of(&at).unwrap_or(&blank), own)).collect();
        if rest.is_empty() {
            continue;
        }
        if found.tag.closes_itself {
            let end = offset + found.tag.end;
            patch.splice(part, end - 2..end, format!(">{rest}</{prefix}row>"))?;
        } else {
            patch.splice(part, offset + end..offset + end, rest)?;
        }
    }
    match (below, new_rows) {
        (Some(at), Some(markup)) => patch.splice(part, at..at, markup),
        _ => Ok(()),
    }
}

/// What an array fills looks as its row or column does.
fn look_of(columns: &[(u32, u32, u32)], at: CellRef, row: Option<u32>) -> String {
    let column = columns.iter().find(|(first, last, _)| (*first..=*last).contains(&at.col));
    let style = row.or(column.map(|(_, _, style)| *style)).unwrap_or(0);
    if style == 0 { String::new() } else { format!(" s=\"{style}\"") }
}

/// Only the type and the `v` element of a cell change; its formula and the rest of its tag stay.
fn set_value(
    sheet: &SheetView<'_>,
    (bytes, offset): (&[u8], usize),
    cell: &Cell,
    value: &Value,
    mark: &str,
    patch: &mut Patch,
) -> Result<(), Refusal> {
    let part = &sheet.worksheet.part;
    let prefix = &sheet.worksheet.spelling().prefix;
    let (kind, inside) = written(value, prefix);
    // What the metadata of a value say is true of that value alone.
    let kept = other_attributes(bytes, cell.tag.start, &["t", "vm"]);
    let marked = Attributes::of(bytes, cell.tag.start).find("vm").is_some();
    let old = Attributes::of(bytes, cell.tag.start).find("t").map_or(&b""[..], |span| bytes.part(span));
    if matches!(value, Value::Blank) && cell.is_filled(bytes) {
        // The array that filled it has become smaller.
        return patch.splice(part, offset + cell.tag.start..offset + cell.end, format!("<{prefix}c{kept}/>"));
    }
    if cell.tag.closes_itself || cell.inline.is_some() {
        let formula = cell.formula.clone().map_or(&b""[..], |(element, _)| bytes.part(element));
        let formula = String::from_utf8_lossy(formula);
        let markup = match inside.is_empty() && formula.is_empty() {
            true => format!("<{prefix}c{kept}/>"),
            false => format!("<{prefix}c{kept}{kind}{mark}>{formula}{inside}</{prefix}c>"),
        };
        return patch.splice(part, offset + cell.tag.start..offset + cell.end, markup);
    }
    let new = kind.strip_prefix(" t=\"").and_then(|kind| kind.strip_suffix('"')).or_empty();
    if marked || !mark.is_empty() || old != new.as_bytes() && !(old == b"n" && new.is_empty()) {
        patch.splice(
            part,
            offset + cell.tag.start..offset + cell.tag.end,
            format!("<{prefix}c{kept}{kind}{mark}>"),
        )?;
    }
    match (&cell.value_element, &cell.value, &cell.formula) {
        (Some(element), _, _) => patch.splice(part, offset + element.start..offset + element.end, inside),
        (None, _, Some((element, _))) => {
            patch.splice(part, offset + element.end..offset + element.end, inside)
        }
        (None, _, None) => patch.splice(part, offset + cell.tag.end..offset + cell.tag.end, inside),
    }
}

/// What tells an error that files have no name for from a `#VALUE!`.
fn mark_of(value: &Value, marks: &Marks) -> String {
    let Value::Error(kind) = value else { return String::new() };
    marks.get(&kind.number()).map_or(String::new(), |mark| format!(" vm=\"{mark}\""))
}

/// The type attribute and the `v` element of a value.
fn written(value: &Value, prefix: &str) -> (&'static str, String) {
    let element = |text: &str| format!("<{prefix}v>{text}</{prefix}v>");
    match value {
        Value::Blank => ("", String::new()),
        // A number that is too large has no spelling.
        Value::Number(number) if !number.is_finite() => (" t=\"e\"", element("#NUM!")),
        Value::Number(number) => ("", element(&show_number(*number))),
        Value::Bool(flag) => (" t=\"b\"", element(if *flag { "1" } else { "0" })),
        Value::Error(kind) if rich_errors::is_young(*kind) => (" t=\"e\"", element("#VALUE!")),
        Value::Error(kind) => (" t=\"e\"", element(&escape_text(kind.text()))),
        Value::Text(text) => (" t=\"str\"", element(&escape_text(&encode(text)))),
    }
}
