//! Rows and columns by what they say: added below, counted and deleted where a column holds a value; figures below data.

use edit::Refusal;
use planner::{Condition, Entry, SheetRef, Summary};
use sheet::{Area, CellChange, CellRef, Edit, Input, Value, View};

use super::cells::{column, meant};
use super::edits::{Work, input, limited};
use crate::requests::Found;
use crate::targets::Cells;

/// Cells that a condition is looked for in.
const MOST_LOOKED_AT: u64 = 200_000;

/// A row below the last one.
pub(super) fn add(view: &View, at: &SheetRef, cells: &[Entry]) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let area = place.area;
    let width = (area.right - area.left + 1) as usize;
    if cells.len() > width {
        let valid = format!("at most {width}, as {place} has columns");
        return Err(Refusal::invalid("row", format!("{} values", cells.len()), valid));
    }
    let last = Area { top: area.bottom, ..area };
    if let Some(total) = total_in(view, &Cells { sheet: place.sheet.clone(), area: last })? {
        return Err(Refusal::Unsafe {
            why: format!("the last row, {}, holds a total ({total})", area.bottom + 1),
            instead: Some(format!("insert a row above row {} and set its cells", area.bottom + 1)),
        });
    }
    let row = area.bottom + 1;
    let changes = cells.iter().enumerate().map(|(offset, entry)| CellChange {
        at: CellRef { row, col: area.left + offset as u32 },
        input: input(entry),
    });
    let said: Vec<String> = cells.iter().map(ToString::to_string).collect();
    Ok(Work {
        edits: vec![Edit::SetCells { sheet: place.sheet.clone(), cells: changes.collect(), seen: None }],
        told: Found::Told(vec![format!("row {} of {}: {}", row + 1, place.sheet, said.join(" | "))]),
        remarks: match cells.len() < width {
            true => vec![format!("{} of {width} columns were given", cells.len())],
            false => Vec::new(),
        },
    })
}

/// What in these cells is a total: a label that says so, or a formula that sums.
fn total_in(view: &View, place: &Cells) -> Result<Option<String>, Refusal> {
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        let labelled = matches!(&cell.value, Value::Text(text) if {
            let text = text.trim().to_lowercase();
            text.starts_with("total") || text.starts_with("sum") || text.ends_with("total")
        });
        let formula = cell.formula.as_ref().map(|formula| formula.shown().to_uppercase());
        let sums = formula.is_some_and(|formula| {
            ["SUM", "AVERAGE", "COUNT", "MAX", "MIN"].iter().any(|name| formula.starts_with(name))
        });
        if labelled || sums {
            return Ok(Some(cell.at.to_string()));
        }
    }
    Ok(None)
}

/// A header right of the last one.
pub(super) fn add_column(view: &View, at: &SheetRef, name: &str) -> Result<Work, Refusal> {
    let place = meant(view, at)?;
    let header = CellRef { row: place.area.top, col: place.area.right + 1 };
    let cells = vec![CellChange { at: header, input: Input::Text(name.to_owned()) }];
    Ok(Work {
        edits: vec![Edit::SetCells { sheet: place.sheet.clone(), cells, seen: None }],
        told: Found::Told(vec![format!("new column \"{name}\" at {}!{header}", place.sheet)]),
        remarks: Vec::new(),
    })
}

/// The rows that a condition is true of, below the header.
fn fitting(
    view: &View,
    at: &SheetRef,
    condition: &Condition,
) -> Result<(Cells, Vec<(u32, String)>), Refusal> {
    let place = meant(view, at)?;
    limited(&place, MOST_LOOKED_AT)?;
    let sheet = view.sheet(&place.sheet)?;
    let (col, header) = match condition.column.is_empty() {
        true => only_column(view, &place, condition)?,
        false => column(view, &sheet, &condition.column)?,
    };
    if col < place.area.left || place.area.right < col {
        return Err(Refusal::not_found("column", condition.column.as_str()));
    }
    let top = header.map_or(place.area.top, |row| row + 1);
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for cell in sheet.cells(Area { top, bottom: place.area.bottom, left: col, right: col })? {
        let text = view.text(&cell.value, cell.style)?;
        if text.trim().to_lowercase() == condition.value.trim().to_lowercase() {
            let whole = Area { top: cell.at.row, bottom: cell.at.row, ..place.area };
            rows.push((
                cell.at.row,
                super::edits::said(view, &Cells { sheet: place.sheet.clone(), area: whole })?,
            ));
        } else if values.len() < 10 && !values.contains(&text) {
            values.push(text);
        }
    }
    match rows.is_empty() {
        true => Err(Refusal::NotFound { what: "row where", id: condition.to_string(), nearest: values }),
        false => Ok((place, rows)),
    }
}

/// The only column that has a value, below its header.
fn only_column(view: &View, place: &Cells, condition: &Condition) -> Result<(u32, Option<u32>), Refusal> {
    if let Some(called) = &condition.called
        && let Ok(other) = view.sheet(called)
        && other.name() != place.sheet
    {
        return Err(Refusal::Ambiguous {
            text: called.clone(),
            count: 2,
            within: "the workbook".to_owned(),
            contexts: vec![format!("the sheet {}", other.name()), format!("the rows of {}", place.sheet)],
        });
    }
    let wanted = condition.value.trim().to_lowercase();
    let mut columns = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(Area { top: place.area.top + 1, ..place.area })? {
        if view.text(&cell.value, cell.style)?.trim().to_lowercase() == wanted
            && !columns.contains(&cell.at.col)
        {
            columns.push(cell.at.col);
        }
    }
    match columns.as_slice() {
        [only] => Ok((*only, Some(place.area.top))),
        [] => Err(Refusal::not_found("cell that says", condition.value.as_str())),
        several => Err(Refusal::Ambiguous {
            text: condition.value.clone(),
            count: several.len(),
            within: format!("the columns of {}", place.sheet),
            contexts: several
                .iter()
                .map(|col| CellRef { row: place.area.top, col: *col }.to_string())
                .collect(),
        }),
    }
}

pub(super) fn delete(view: &View, at: &SheetRef, condition: &Condition) -> Result<Work, Refusal> {
    let (place, rows) = fitting(view, at, condition)?;
    // From below, so that those above keep their numbers.
    let edits =
        rows.iter().rev().map(|(row, _)| Edit::DeleteRows { sheet: place.sheet.clone(), at: *row, count: 1 });
    let lines = rows.iter().map(|(row, text)| format!("deleted row {} of {}: {text}", row + 1, place.sheet));
    Ok(Work { edits: edits.collect(), told: Found::Told(lines.collect()), remarks: Vec::new() })
}

pub(super) fn count(view: &View, at: &SheetRef, condition: &Condition) -> Result<Vec<String>, Refusal> {
    let (place, rows) = match fitting(view, at, condition) {
        Ok(found) => found,
        Err(Refusal::NotFound { what: "row where", .. }) => {
            return Ok(vec![format!("0 rows where {condition}")]);
        }
        Err(refusal) => return Err(refusal),
    };
    let mut lines = vec![format!("{} rows of {} where {condition}", rows.len(), place.sheet)];
    lines.extend(rows.iter().take(10).map(|(row, text)| format!("row {}: {text}", row + 1)));
    Ok(lines)
}

pub(super) fn figure(what: Summary, of: &str) -> Result<String, Refusal> {
    let function = match what {
        Summary::Sum => "SUM",
        Summary::Average => "AVERAGE",
        Summary::Maximum => "MAX",
        Summary::Minimum => "MIN",
        Summary::Count => "COUNTA",
        Summary::Blanks => "COUNTBLANK",
    };
    Ok(format!("={function}({of})"))
}

/// The figure of the numbers of a column, in the first free cell below it.
pub(super) fn below(view: &View, what: Summary, of: &SheetRef) -> Result<(Cells, String), Refusal> {
    let place = meant(view, of)?;
    if place.area.left != place.area.right {
        return Err(Refusal::invalid("figure", place.to_string(), "one column"));
    }
    let mut numbers: Option<(u32, u32)> = None;
    let mut last = place.area.top;
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        if matches!(cell.value, Value::Blank) && cell.formula.is_none() {
            continue;
        }
        last = cell.at.row;
        if matches!(cell.value, Value::Number(_)) {
            numbers = Some((numbers.map_or(cell.at.row, |(first, _)| first), cell.at.row));
        }
    }
    let Some((first, end)) = numbers else { return Err(Refusal::not_found("a number", place.to_string())) };
    let area = Area { top: first, bottom: end, ..place.area };
    let ending = Cells { sheet: place.sheet.clone(), area: Area { top: end, ..area } };
    if let Some(total) = total_in(view, &ending)? {
        return Err(Refusal::Unsafe {
            why: format!("{}!{total} is a figure of the column already", place.sheet),
            instead: Some("name the cells and the cell: put the sum of B2:B9 in B10".to_owned()),
        });
    }
    let at = CellRef { row: last + 1, col: area.left };
    Ok((Cells { sheet: place.sheet, area: Area::cell(at) }, figure(what, &area.to_string())?))
}
