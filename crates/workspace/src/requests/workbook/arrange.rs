//! Cells in another order, in other places, in a frame, and columns as wide as what they show.

use edit::Refusal;
use planner::{CellLook, SheetRef};
use sheet::{
    Area, BorderChange, CellChange, CellRef, Edit, Input, LineChange, SortKey, StyleChange, Value, View,
};

use sheet::resolved::FitOptions;

use super::cells::{column, data, meant};
use super::edits::{Work, limited, overwritten};
use crate::requests::Found;
use crate::targets::Cells;

/// Cells that one request may sort or fill.
const MOST_MOVED: u64 = 100_000;

/// Rows in order, as Excel sorts them: formulas read as if copied to their new row, looks go along.
pub(super) fn sorted(view: &View, at: &SheetRef, by: &[(String, bool)]) -> Result<Work, Refusal> {
    // "Sort the orders": what the rows are called, unless a sheet of that name has the columns.
    let at = &match at {
        SheetRef::Used { sheet: Some(name) } if name.chars().all(char::is_lowercase) => {
            let named = super::home(view, Some(name)).ok();
            let has = |sheet: &sheet::SheetView<'_>| {
                by.iter().all(|(key, _)| matches!(column(view, sheet, key), Ok((_, Some(_)))))
            };
            match named {
                Some(sheet) if has(&sheet) => SheetRef::Used { sheet: Some(sheet.name().to_owned()) },
                _ if has(&super::home(view, None)?) => SheetRef::Used { sheet: None },
                _ => at.clone(),
            }
        }
        at => at.clone(),
    };
    let place = data(view, at)?;
    let sheet = view.sheet(&place.sheet)?;
    // With the header above, unless a table's name meant its rows alone.
    let header_inside = !matches!(at, SheetRef::Used { sheet: Some(name) } if view.sheet(name).is_err());
    let mut keys = Vec::new();
    let mut has_header = false;
    for (name, descending) in by {
        let (col, header) = column(view, &sheet, name)?;
        if col < place.area.left || place.area.right < col {
            return Err(Refusal::not_found("column", name.as_str()));
        }
        has_header |= header_inside && header == Some(place.area.top);
        keys.push(SortKey { column: col, descending: *descending });
    }
    // "sort by column C" of a list with a header.
    let has_header =
        has_header || header_inside && matches!(at, SheetRef::Used { .. }) && looks_headed(view, &place)?;
    let top = if has_header { place.area.top + 1 } else { place.area.top };
    let area = Area { top, ..place.area };
    if area.top > area.bottom {
        return Err(Refusal::not_found("rows to sort", place.to_string()));
    }
    limited(&Cells { sheet: place.sheet.clone(), area }, MOST_MOVED)?;
    let edit = Edit::SortRange { sheet: place.sheet.clone(), area, keys };
    let lines = vec![format!("sorted the {} rows of {}!{area}", area.bottom - area.top + 1, place.sheet)];
    let below = meant(view, at)?.area.bottom;
    let remarks = match below > area.bottom {
        true => {
            vec![format!("rows {} to {} below them were left where they are", area.bottom + 2, below + 1)]
        }
        false => Vec::new(),
    };
    Ok(Work { edits: vec![edit], told: Found::Told(lines), remarks })
}

/// Whether the first row names what is below it: texts above numbers.
fn looks_headed(view: &View, place: &Cells) -> Result<bool, Refusal> {
    if place.area.top == place.area.bottom {
        return Ok(false);
    }
    let sheet = view.sheet(&place.sheet)?;
    let mut numbers = false;
    for col in place.area.left..=place.area.right {
        let value = |row: u32| sheet.value(CellRef { row, col });
        match value(place.area.top)? {
            Value::Text(_) | Value::Blank => {}
            _ => return Ok(false),
        }
        numbers |= matches!(value(place.area.top + 1)?, Value::Number(_));
    }
    Ok(numbers)
}

/// Cells put to another place as Excel copies them; their looks stay where they are.
pub(super) fn copied(view: &View, from: &Cells, to: &Cells) -> Result<Work, Refusal> {
    limited(from, MOST_MOVED)?;
    limited(to, MOST_MOVED)?;
    let (height, width) = (from.area.bottom - from.area.top + 1, from.area.right - from.area.left + 1);
    let target = match to.area.is_cell() {
        true => Area { bottom: to.area.top + height - 1, right: to.area.left + width - 1, ..to.area },
        false => to.area,
    };
    let (rows, columns) = (target.bottom - target.top + 1, target.right - target.left + 1);
    if rows % height != 0 || columns % width != 0 {
        return Err(Refusal::invalid(
            "copy",
            to.to_string(),
            format!("a place as large as {from}, or its first cell"),
        ));
    }
    let sheet = view.sheet(&from.sheet)?;
    let mut cells = Vec::new();
    for at in target.cells() {
        let source = CellRef {
            row: from.area.top + (at.row - target.top) % height,
            col: from.area.left + (at.col - target.left) % width,
        };
        if from.sheet == to.sheet && from.area.contains(at) {
            continue;
        }
        let input = match sheet.cell(source)? {
            None => Input::Clear,
            Some(cell) => match (&cell.formula, cell.value) {
                (Some(formula), _) => Input::Formula(sheet::formula_moved(&formula.shown(), source, at)),
                (None, Value::Number(number)) => Input::Number(number),
                (None, Value::Text(text)) => Input::Text(text.to_string()),
                (None, Value::Bool(value)) => Input::Bool(value),
                (None, Value::Error(error)) => Input::Error(error.to_string()),
                (None, Value::Blank) => Input::Clear,
            },
        };
        cells.push(CellChange { at, input });
    }
    let place = Cells { sheet: to.sheet.clone(), area: target };
    let mut remarks = overwritten(view, &place, &cells)?;
    remarks.push("values and formulas were copied; how the cells look stayed as it was".to_owned());
    Ok(Work {
        edits: vec![Edit::SetCells { sheet: to.sheet.clone(), cells, seen: None }],
        told: Found::Written(place),
        remarks,
    })
}

/// Lines around an area, and none inside it.
pub(super) fn framed(view: &View, place: &Cells, style: StyleChange) -> Result<Work, Refusal> {
    view.sheet(&place.sheet)?;
    let area = place.area;
    let edges = style.border.clone().unwrap_or_default();
    let sides = [
        (
            Area { bottom: area.top, ..area },
            BorderChange { top: edges.top.clone(), ..BorderChange::default() },
        ),
        (
            Area { top: area.bottom, ..area },
            BorderChange { bottom: edges.bottom.clone(), ..BorderChange::default() },
        ),
        (
            Area { right: area.left, ..area },
            BorderChange { left: edges.left.clone(), ..BorderChange::default() },
        ),
        (
            Area { left: area.right, ..area },
            BorderChange { right: edges.right.clone(), ..BorderChange::default() },
        ),
    ];
    let edit = |(area, border): (Area, BorderChange)| Edit::SetStyle {
        sheet: place.sheet.clone(),
        areas: vec![area],
        style: StyleChange { border: Some(border), ..StyleChange::default() },
    };
    Ok(Work {
        edits: sides.into_iter().map(edit).collect(),
        told: Found::Told(vec![format!("a border around {place}")]),
        remarks: Vec::new(),
    })
}

/// So many decimals in each cell, whatever else its format says: a currency, per cents, commas between thousands.
pub(super) fn decimals(
    view: &View,
    place: &Cells,
    look: &CellLook,
    style: StyleChange,
) -> Result<Work, Refusal> {
    limited(place, MOST_MOVED)?;
    let count = look.decimals.unwrap_or_default();
    let mut formats: Vec<(String, Vec<Area>)> = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        if !matches!(cell.value, Value::Number(_)) && cell.formula.is_none() {
            continue;
        }
        let format = with_decimals(view.number_format(cell.style)?, count);
        let area = Area::cell(cell.at);
        match formats.iter_mut().find(|(known, _)| *known == format) {
            Some((_, areas)) => areas.push(area),
            None => formats.push((format, vec![area])),
        }
    }
    if formats.is_empty() {
        return Err(Refusal::not_found("a number", place.to_string()));
    }
    let edit = |(format, areas): (String, Vec<Area>)| Edit::SetStyle {
        sheet: place.sheet.clone(),
        areas,
        style: StyleChange { number_format: Some(format), ..style.clone() },
    };
    Ok(Work {
        edits: formats.into_iter().map(edit).collect(),
        told: Found::Told(vec![format!("format {place}: {look}")]),
        remarks: Vec::new(),
    })
}

/// `#,##0.00 €` with one decimal is `#,##0.0 €`; what is no format of numbers becomes one.
fn with_decimals(format: &str, count: usize) -> String {
    let tail = if count == 0 { String::new() } else { format!(".{}", "0".repeat(count)) };
    let numeric = format.contains('0') && !format.to_lowercase().contains(['y', 'd', 'h', 'm', 's', 'e']);
    if !numeric {
        return format!("0{tail}");
    }
    let mut out = String::new();
    let mut rest = format;
    // Behind the last digit of each part, decimals are what follows a point.
    while let Some(at) = rest.find('0') {
        let end = rest[at..].find(|c: char| c != '0').map_or(rest.len(), |length| at + length);
        out.push_str(&rest[..end]);
        rest = &rest[end..];
        if let Some(behind) = rest.strip_prefix('.') {
            rest = behind.trim_start_matches(['0', '#']);
        }
        out.push_str(&tail);
        match rest.find(';') {
            Some(part) => {
                out.push_str(&rest[..=part]);
                rest = &rest[part + 1..];
            }
            None => break,
        }
    }
    out.push_str(rest);
    out
}

/// Columns as wide as what they show.
pub(super) fn fitted(view: &View, place: &Cells) -> Result<Work, Refusal> {
    let sheet = view.sheet(&place.sheet)?;
    let columns: Vec<u32> = (place.area.left..=place.area.right).collect();
    let cx = edit::Context::new("", 0, 0);
    let fitted = sheet.fitted(&columns, &FitOptions::default(), &cx)?;
    let wider = fitted.iter().filter(|fitted| fitted.width != fitted.previous);
    let edits: Vec<Edit> = wider
        .map(|fitted| Edit::SetColumns {
            sheet: place.sheet.clone(),
            first: fitted.column,
            last: fitted.column,
            properties: LineChange { size: Some(fitted.width), ..LineChange::default() },
        })
        .collect();
    let line = match edits.len() {
        0 => "every column has the width that it needs".to_owned(),
        count => format!("{count} columns of {} are as wide as what they show", place.sheet),
    };
    Ok(Work { edits, told: Found::Told(vec![line]), remarks: Vec::new() })
}
