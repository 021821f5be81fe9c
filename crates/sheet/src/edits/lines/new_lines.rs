//! What inserted rows and columns take over from the line before them, as in Excel: the formats of its cells, and the
//! formulas of a table's calculated columns.

use std::collections::BTreeMap;

use edit::Refusal;

use crate::calc::view::View;
use crate::edits::cells::set_cells;
use crate::edits::input::{CellChange, Input};
use crate::edits::lines::follow::Axis;
use crate::edits::looks::appearance;
use crate::edits::looks::style_change::StyleChange;
use crate::edits::objects::attached::Stage;
use crate::file::a1::{Area, CellRef};
use crate::file::refs::translate as formula_moved;
use crate::read::tables::Table;

/// The lines that came, in a view that has them already.
pub(crate) struct NewLines {
    pub(crate) axis: Axis,
    pub(crate) at: u32,
    pub(crate) count: u32,
}

/// What one line hands on to those behind it.
#[derive(Default)]
struct Inherited {
    looks: BTreeMap<u32, Vec<Area>>,
    formulas: Vec<CellChange>,
}

/// Dresses the lines in the view of a stage.
pub(crate) fn dress(stage: &mut Stage, sheet: &str, lines: &NewLines) -> Result<(), Refusal> {
    let mut inherited = inherited(stage.view(), sheet, lines)?;
    // Numbers of formats mean nothing where there are none.
    if stage.view().workbook.styles.is_none() {
        inherited.looks.clear();
    }
    for (like, areas) in inherited.looks {
        let style = StyleChange { like: Some(like), ..StyleChange::default() };
        let planned = match appearance::set_style(stage.view(), sheet, &areas, &style) {
            // Broken files have cells whose format is not there.
            Err(Refusal::NotFound { .. }) => continue,
            planned => planned?,
        };
        stage.then(&planned.step.patch)?;
    }
    if !inherited.formulas.is_empty() {
        let planned = set_cells::plan(stage.view(), sheet, &inherited.formulas)?;
        stage.then(&planned.step.patch)?;
    }
    Ok(())
}

fn inherited(view: &View, name: &str, lines: &NewLines) -> Result<Inherited, Refusal> {
    let mut found = Inherited::default();
    let Some(before) = lines.at.checked_sub(1) else { return Ok(found) };
    let sheet = view.sheet(name)?;
    let tables = sheet.tables()?;
    let under_header = |at: CellRef| {
        lines.axis == Axis::Rows
            && tables
                .iter()
                .any(|table| table.area.contains(at) && at.row < table.area.top + table.header_rows)
    };
    let mut models = Vec::new();
    sheet.each_cell(lines.across(before, before), &mut |cell| {
        if !under_header(cell.at) {
            models.push(cell);
        }
    })?;
    // The header of a table says nothing about its rows: the first of them is like the one that was first.
    let behind = lines.at + lines.count;
    if lines.axis == Axis::Rows && behind < formula::MAX_ROWS {
        sheet.each_cell(lines.across(behind, behind), &mut |cell| {
            if under_header(CellRef::new(before, cell.at.col)) {
                models.push(cell);
            }
        })?;
    }
    models.sort_by_key(|cell| cell.at.col);
    for cell in models {
        if cell.style != 0 {
            let cells = lines.beside(cell.at);
            let areas = found.looks.entry(cell.style).or_default();
            match areas.last_mut().filter(|last| lines.adjoins(last, &cells)) {
                Some(last) => *last = last.hull(&cells),
                None => areas.push(cells),
            }
        }
        let calculated =
            lines.axis == Axis::Rows && tables.iter().any(|table| lines.calculated(table, cell.at));
        let Some(formula) = cell.formula.filter(|_| calculated) else { continue };
        for row in lines.at..behind {
            let to = CellRef::new(row, cell.at.col);
            let formula = formula_moved(&formula.shown(), cell.at, to);
            found.formulas.push(CellChange { at: to, input: Input::Formula(formula) });
        }
    }
    Ok(found)
}

impl NewLines {
    /// Whether a cell stands in a column of a table that its formula makes, and the new rows belong to the table.
    fn calculated(&self, table: &Table, at: CellRef) -> bool {
        let last = table.area.bottom.saturating_sub(table.totals_rows);
        let column = at.col.checked_sub(table.area.left).map(|column| column as usize);
        table.area.contains(at)
            && at.row <= last
            && self.at <= last
            && column.is_some_and(|column| {
                table.column_details().get(column).is_some_and(|column| column.formula.is_some())
            })
    }

    fn across(&self, first: u32, last: u32) -> Area {
        match self.axis {
            Axis::Rows => Area { top: first, bottom: last, left: 0, right: formula::MAX_COLS - 1 },
            Axis::Columns => Area { left: first, right: last, top: 0, bottom: formula::MAX_ROWS - 1 },
        }
    }

    /// The new cells behind one of the line before.
    fn beside(&self, at: CellRef) -> Area {
        let last = self.at + self.count - 1;
        match self.axis {
            Axis::Rows => Area { top: self.at, bottom: last, left: at.col, right: at.col },
            Axis::Columns => Area { left: self.at, right: last, top: at.row, bottom: at.row },
        }
    }

    fn adjoins(&self, known: &Area, next: &Area) -> bool {
        match self.axis {
            Axis::Rows => known.right + 1 == next.left,
            Axis::Columns => known.bottom + 1 == next.top,
        }
    }
}
