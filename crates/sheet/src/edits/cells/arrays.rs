//! Formulas that fill several cells at once: array formulas entered as one, and what-if data tables.

use edit::{Planned, Refusal};
use ooxml::xml::escape_text;

use crate::calc::view::View;
use crate::edits::cells::calc_chain;
use crate::edits::cells::set_cells;
use crate::edits::entry::{self, rule};
use crate::edits::input::{CellChange, Input, Outcome};
use crate::file::a1::{Area, CellRef};
use crate::file::strings::encode;
use crate::read::sheet_view::SheetView;

/// Cells that one array or table may fill.
const MOST_CELLS: u64 = 100_000;

/// One formula for all cells of an area, as Ctrl+Shift+Enter enters it. What the cells held is replaced.
pub(crate) fn set_array(
    view: &View,
    name: &str,
    area: Area,
    text: &str,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let entered = crate::edits::cells::entered_text::entered(view, sheet.position, area.first(), text)?;
    let body = entry::check_formula(&entered.body, area)?;
    check_ground(&sheet, &area, "an array formula")?;
    let notes = crate::edits::cells::mentions::check(view, body, sheet.position)?;
    let prefix = &sheet.worksheet.spelling().prefix;
    let stored = crate::edits::cells::metadata::for_file(view, body);
    let markup = format!(
        "<{prefix}f t=\"array\" ref=\"{}\">{}</{prefix}f>",
        reference(&area),
        escape_text(&encode(&stored))
    );
    let mut planned = fill(view, &sheet, area, markup)?;
    planned.step.summary = format!("Set {}!{area} to the array {{={}}}", sheet.name(), formula_start(body));
    planned.step.notes.extend(notes.into_iter().chain(entered.notes).take(5));
    Ok(planned)
}

/// A table of what a model would answer: its formulas stand above or left of the area, the values to try beside it.
pub(crate) fn set_data_table(
    view: &View,
    name: &str,
    area: Area,
    row_input: Option<CellRef>,
    column_input: Option<CellRef>,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    if area.top == 0 || area.left == 0 {
        return Err(rule(
            "DATA_TABLE",
            format!("a data table over {area} has no room for its headings"),
            "the row above and the column left of the area hold the formulas and the values to try",
        ));
    }
    let inputs = match (row_input, column_input) {
        (Some(row), Some(column)) => format!("dt2D=\"1\" dtr=\"1\" r1=\"{row}\" r2=\"{column}\""),
        (Some(row), None) => format!("dt2D=\"0\" dtr=\"1\" r1=\"{row}\""),
        (None, Some(column)) => format!("dt2D=\"0\" dtr=\"0\" r1=\"{column}\""),
        (None, None) => {
            return Err(Refusal::invalid(
                "row_input",
                "no input cell",
                "a row_input, a column_input or both",
            ));
        }
    };
    let whole = Area { top: area.top - 1, left: area.left - 1, ..area };
    // The corner of a table with one input is not used, and may well hold it.
    let corner = if row_input.is_some() && column_input.is_some() { None } else { Some(whole.first()) };
    for input in row_input.iter().chain(&column_input) {
        if whole.contains(*input) && Some(*input) != corner {
            return Err(rule(
                "DATA_TABLE",
                format!("the input cell {input} lies in the table itself"),
                "name the cell of the model that the formulas read",
            ));
        }
    }
    if row_input == column_input {
        return Err(rule(
            "DATA_TABLE",
            "row and column would go into the same cell".to_owned(),
            "name two cells, or only one of them",
        ));
    }
    check_ground(&sheet, &area, "a data table")?;
    let prefix = &sheet.worksheet.spelling().prefix;
    let markup = format!("<{prefix}f t=\"dataTable\" ref=\"{}\" {inputs}/>", reference(&area));
    let mut planned = fill(view, &sheet, area, markup)?;
    planned.step.summary = format!("Make {}!{area} a data table", sheet.name());
    Ok(planned)
}

/// `A1` or `A1:B2`, also for areas that reach over whole columns.
fn reference(area: &Area) -> String {
    match area.is_cell() {
        true => area.first().to_string(),
        false => format!("{}:{}", area.first(), area.last()),
    }
}

fn formula_start(body: &str) -> String {
    body.chars().take(60).collect()
}

/// Excel lets arrays neither into merged cells nor, if they have several cells, into tables.
fn check_ground(sheet: &SheetView<'_>, area: &Area, what: &str) -> Result<(), Refusal> {
    if area.count() > MOST_CELLS {
        return Err(entry::too_many_cells(area.count(), MOST_CELLS));
    }
    if let Some(merge) = sheet.merges().into_iter().find(|merge| merge.intersects(area)) {
        return Err(rule(
            "MERGED_CELL",
            format!("{what} over {area} would go through the merged cells {merge}"),
            format!("unmerge {merge} first"),
        ));
    }
    let table = sheet.tables()?.into_iter().find(|table| table.area.intersects(area));
    if let Some(table) = table.filter(|_| !area.is_cell()) {
        return Err(rule(
            "ARRAY_IN_TABLE",
            format!("{what} over {area} would go through table `{}` ({})", table.name, table.area),
            "choose cells outside the table, or give each cell a formula of its own",
        ));
    }
    Ok(())
}

fn fill(view: &View, sheet: &SheetView<'_>, area: Area, markup: String) -> Result<Planned<Outcome>, Refusal> {
    let head = area.first();
    let changes: Vec<CellChange> = area
        .cells()
        .map(|at| CellChange { at, input: if at == head { Input::Number(0.0) } else { Input::Clear } })
        .collect();
    let mut planned = set_cells::plan_with(view, sheet, &changes, Some((head, markup)))?;
    // Excel orders arrays and tables in its chain in a way of its own, and makes the chain anew where there is none.
    calc_chain::drop_chain(view, &mut planned.step.patch)?;
    Ok(Planned {
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: vec![area], ..Outcome::default() },
        ..planned
    })
}
