//! Rows of an area in another order.
//!
//! Cells move with their formats; formulas read as they would if they were copied to their new row, which is how Excel
//! sorts them. What is not part of a cell (heights of rows, conditional formats, validations) stays where it is. What
//! would come apart is refused: merged cells, arrays, totals of tables, notes and links.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use edit::{Context, Planned, Refusal};
use formula::Value;
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::cells::set_cells;
use crate::edits::entry;
use crate::edits::input::{CellChange, Input, Outcome};
use crate::edits::looks::appearance;
use crate::edits::looks::style_change::StyleChange;
use crate::edits::objects::attached::{self, Stage};
use crate::file::a1::{Area, CellRef};
use crate::file::refs::translate;
use crate::file::scan::CellType;
use crate::read::sheet_view::{FormulaKind, SheetView, shared_index};

/// What rows are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SortKey {
    /// Counted from zero, from the first column of the sheet.
    pub column: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub descending: bool,
}

const MOST_CELLS: u64 = 500_000;

/// A cell on its way: what it holds and how it looks.
struct Moving {
    at: CellRef,
    input: Input,
    style: u32,
}

pub(crate) fn sort(
    view: &View,
    name: &str,
    area: Area,
    keys: &[SortKey],
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name().to_owned();
    if keys.is_empty() || keys.len() > 64 {
        return Err(Refusal::invalid(
            "keys",
            format!("{} columns", keys.len()),
            "1 to 64 columns to sort by",
        ));
    }
    if let Some(key) = keys.iter().find(|key| !(area.left..=area.right).contains(&key.column)) {
        let letters = formula::column_letters;
        return Err(Refusal::invalid(
            "keys",
            format!("column {}", letters(key.column)),
            format!("columns {} to {}", letters(area.left), letters(area.right)),
        ));
    }
    if area.count() > MOST_CELLS {
        return Err(entry::too_many_cells(area.count(), MOST_CELLS));
    }
    check_ground(&sheet, &area)?;
    let columns = keys.iter().map(|key| Area { left: key.column, right: key.column, ..area });
    let read = view.readable(columns.map(|column| (sheet.position, column)), cx)?;
    let order = order(&read.sheet_at(sheet.position)?, &area, keys)?;
    let mut stage = Stage::new(view);
    let mut moved: Vec<Area> = Vec::new();
    if order.iter().enumerate().any(|(to, from)| to != *from) {
        let rows = moving(&sheet, &area)?;
        let mut cells = Vec::new();
        let mut looks: BTreeMap<u32, Vec<Area>> = BTreeMap::new();
        for (to, from) in order.iter().enumerate().filter(|(to, from)| to != *from) {
            let row = area.top + to as u32;
            moved.push(Area { top: row, bottom: row, ..area });
            for cell in rows.get(*from).into_iter().flatten() {
                let at = CellRef::new(row, cell.at.col);
                let input = match &cell.input {
                    Input::Formula(text) => Input::Formula(translate(text, cell.at, at)),
                    other => other.clone(),
                };
                cells.push(CellChange { at, input });
                looks.entry(cell.style).or_default().push(Area::cell(at));
            }
        }
        let written = set_cells::plan(view, &own, &cells)?;
        stage.then(&written.step.patch)?;
        for (style, areas) in looks {
            let other = unlike(&stage.view().sheet(&own)?, &areas, style)?;
            if !other.is_empty() {
                let like = StyleChange { like: Some(style), ..StyleChange::default() };
                let planned = appearance::set_style(stage.view(), &own, &other, &like)?;
                stage.then(&planned.step.patch)?;
            }
        }
    }
    let sheet = stage.view().sheet(&own)?;
    let summary = format!("Sort {own}!{area}");
    Ok(attached::planned(&sheet, stage.patch(), summary, moved))
}

/// Refuses what would come apart.
fn check_ground(sheet: &SheetView<'_>, area: &Area) -> Result<(), Refusal> {
    let refuse = |why: String, instead: &str| Err(Refusal::Unsafe { why, instead: Some(instead.to_owned()) });
    if let Some(merge) = sheet.merges().into_iter().find(|merge| merge.intersects(area)) {
        return refuse(format!("{area} has merged cells ({merge})"), "unmerge them first");
    }
    for table in sheet.tables()?.into_iter().filter(|table| table.area.intersects(area)) {
        let name = &table.name;
        let body = Area {
            top: table.area.top + table.header_rows,
            bottom: table.area.bottom.saturating_sub(table.totals_rows),
            ..table.area
        };
        if area.top < body.top || area.bottom > body.bottom {
            let why =
                format!("{area} takes in the header or the totals of table `{name}`, or cells beside it");
            return refuse(why, &format!("sort {body}, the data of the table"));
        }
        if area.left > body.left || area.right < body.right {
            return refuse(
                format!("{area} has only some columns of table `{name}`, whose rows would come apart"),
                &format!("sort all columns from {} on", body.first()),
            );
        }
    }
    if sheet.worksheet.has_formulas() {
        let array = sheet.worksheet.arrays()?.iter().find(|array| array.area.intersects(area));
        if let Some(array) = array.filter(|array| !array.area.is_cell()) {
            return refuse(
                format!(
                    "{area} has cells of the array over {}, which cannot be moved one by one",
                    array.area
                ),
                "sort cells without arrays, or clear the array first",
            );
        }
    }
    if let Some(note) = sheet.notes()?.into_iter().find(|note| area.contains(note.at)) {
        return refuse(format!("{} has a note, which would stay behind", note.at), "remove the notes first");
    }
    if let Some(thread) = sheet.threads()?.into_iter().find(|thread| area.contains(thread.at)) {
        return refuse(
            format!("{} has comments, which would stay behind", thread.at),
            "resolve and delete them first",
        );
    }
    if let Some(link) = sheet.hyperlinks()?.into_iter().find(|link| link.area.intersects(area)) {
        return refuse(
            format!("{} has a link, which would stay behind", link.area),
            "remove the links first",
        );
    }
    for row in area.top..=area.bottom {
        if sheet.row_properties(row)?.hidden {
            let why = format!("row {} is hidden, and Excel leaves hidden rows where they are", row + 1);
            return refuse(why, "show the rows, or clear the filter, first");
        }
    }
    Ok(())
}

/// For each row of the result, counted from the first, the row it comes from.
fn order(sheet: &SheetView<'_>, area: &Area, keys: &[SortKey]) -> Result<Vec<usize>, Refusal> {
    let rows = (area.bottom - area.top + 1) as usize;
    let mut columns: Vec<Vec<Value>> = Vec::new();
    for key in keys {
        let mut values = vec![Value::Blank; rows];
        let column = Area { left: key.column, right: key.column, ..*area };
        sheet.each_cell(column, &mut |cell| {
            if let Some(slot) = values.get_mut((cell.at.row - area.top) as usize) {
                *slot = cell.value;
            }
        })?;
        columns.push(values);
    }
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by(|one, other| {
        for (key, values) in keys.iter().zip(&columns) {
            let (Some(one), Some(other)) = (values.get(*one), values.get(*other)) else { continue };
            let found = compared(one, other, key.descending);
            if found != Ordering::Equal {
                return found;
            }
        }
        Ordering::Equal
    });
    Ok(order)
}

/// As Excel sorts: numbers, texts, FALSE, TRUE, errors; blank cells come last either way.
fn compared(one: &Value, other: &Value, descending: bool) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Number(_) => 0,
        Value::Text(_) => 1,
        Value::Bool(_) => 2,
        Value::Error(_) => 3,
        Value::Blank => 4,
    };
    if one.is_blank() || other.is_blank() {
        return one.is_blank().cmp(&other.is_blank());
    }
    let found = match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.total_cmp(other),
        (Value::Text(one), Value::Text(other)) => formula::compare_text(one, other),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        _ => rank(one).cmp(&rank(other)),
    };
    if descending { found.reverse() } else { found }
}

/// The cells of each row of an area. A blank one moves too, because it writes over what stood where it goes.
fn moving(sheet: &SheetView<'_>, area: &Area) -> Result<Vec<Vec<Moving>>, Refusal> {
    let columns = sheet.column_styles();
    let mut rows = Vec::new();
    for row in area.top..=area.bottom {
        let of_row = sheet.row_properties(row)?.style;
        let mut cells = Vec::new();
        for col in area.left..=area.right {
            let at = CellRef::new(row, col);
            let of_column = columns.iter().find(|(first, last, _)| (*first..=*last).contains(&col));
            let blank = of_row.or(of_column.map(|(_, _, style)| *style)).unwrap_or(0);
            cells.push(Moving { at, input: Input::Clear, style: blank });
        }
        rows.push(cells);
    }
    for cell in sheet.cells(*area)? {
        let input = match &cell.formula {
            Some(formula) if matches!(formula.kind, FormulaKind::Array(_) | FormulaKind::DataTable(_)) => {
                return Err(Refusal::Unsafe {
                    why: format!("{} holds an array formula, which cannot be moved", cell.at),
                    instead: Some("give the cell a plain formula first".to_owned()),
                });
            }
            Some(formula) => Input::Formula(formula.shown()),
            None => held(sheet, cell.at, &cell.value)?,
        };
        let row = rows.get_mut((cell.at.row - area.top) as usize);
        if let Some(slot) = row.and_then(|row| row.get_mut((cell.at.col - area.left) as usize)) {
            *slot = Moving { at: cell.at, input, style: cell.style };
        }
    }
    Ok(rows)
}

/// What a cell without a formula holds, in a form that loses nothing of it.
fn held(sheet: &SheetView<'_>, at: CellRef, value: &Value) -> Result<Input, Refusal> {
    Ok(match value {
        Value::Blank => Input::Clear,
        Value::Number(number) => Input::Number(*number),
        Value::Bool(flag) => Input::Bool(*flag),
        Value::Error(error) => Input::Error(error.to_string()),
        Value::Text(text) => match sheet.rich_text(at)? {
            None => Input::Text(text.to_string()),
            Some(_) => {
                let found = sheet.worksheet.find_cell(at)?;
                let index = found
                    .filter(|(_, _, raw)| raw.kind == CellType::Shared)
                    .and_then(|(_, bytes, raw)| shared_index(&bytes, &raw));
                let index = index.ok_or_else(|| Refusal::Unsafe {
                    why: format!("{at} has a text in pieces of its own, which cannot be moved"),
                    instead: Some("open the workbook in Excel and save it once, then sort".to_owned()),
                })?;
                Input::Shared(index)
            }
        },
    })
}

/// The cells that do not have a format yet.
fn unlike(sheet: &SheetView<'_>, areas: &[Area], style: u32) -> Result<Vec<Area>, Refusal> {
    let mut other = Vec::new();
    for area in areas {
        let known = sheet.cell(area.first())?.map(|cell| cell.style);
        if known != Some(style) && (known.is_some() || style != 0) {
            other.push(*area);
        }
    }
    Ok(other)
}
