//! What a batch of edits came to, for whoever answers: what the written cells show, what else changed, new errors.

use edit::Refusal;

use crate::calc::settled::Settled;
use crate::calc::view::View;
use crate::edits::input::{Calculated, CellShown, Outcome};
use crate::file::a1::Area;

/// Cells that are shown of each kind; the rest is counted.
pub(crate) const SHOWN: usize = 10;

/// Fills in what is known once formulas are up to date: each outcome gets its cells, the last one the rest.
pub(crate) fn complete(outcomes: &mut [Outcome], settled: &Settled, view: &View) -> Result<(), Refusal> {
    for outcome in outcomes.iter_mut() {
        outcome.written = written(outcome, view)?;
    }
    let is_written = |cell: &crate::calc::place::CellOnSheet| {
        outcomes.iter().any(|outcome| {
            view.workbook.position(&outcome.sheet) == Some(cell.sheet)
                && outcome.touched.iter().any(|area| area.contains(cell.at))
        })
    };
    let others: Vec<_> = settled.changed.iter().filter(|cell| !is_written(cell)).collect();
    let shown = |cells: &mut dyn Iterator<Item = &crate::calc::place::CellOnSheet>| {
        cells.take(SHOWN).map(|cell| show(view, cell.sheet, cell.at)).collect::<Result<Vec<_>, _>>()
    };
    let calculated = Calculated {
        changed: others.len(),
        first: shown(&mut others.iter().copied())?,
        new_errors: settled.new_errors.len(),
        errors: shown(&mut settled.new_errors.iter())?,
    };
    if let Some(last) = outcomes.last_mut().filter(|_| calculated != Calculated::default()) {
        last.calculated = Some(calculated);
    }
    Ok(())
}

/// The first cells of what an edit wrote; whole rows and columns came or were formatted, and have nothing to show.
fn written(outcome: &Outcome, view: &View) -> Result<Vec<CellShown>, Refusal> {
    let Some(position) = view.workbook.position(&outcome.sheet) else { return Ok(Vec::new()) };
    let whole = |area: &&Area| area.is_whole_rows() || area.is_whole_columns();
    let areas = outcome.touched.iter().filter(|area| !whole(area));
    areas.flat_map(Area::cells).take(SHOWN).map(|at| show(view, position, at)).collect()
}

fn show(view: &View, position: usize, at: crate::file::a1::CellRef) -> Result<CellShown, Refusal> {
    let sheet = view.sheet_at(position)?;
    let value = match sheet.cell(at)? {
        Some(cell) => view.text(&cell.value, cell.style)?,
        None => String::new(),
    };
    Ok(CellShown { cell: format!("{}!{at}", formula::quote_sheet(sheet.name())), value })
}
