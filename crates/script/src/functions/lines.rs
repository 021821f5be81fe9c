//! Rows and columns that come and go.

use std::collections::BTreeMap;

use sheet::{Area, CellChange, CellRef, Edit, Input, StyleChange};

use super::write::{WriteResult, edited, known_sheet, told};
use super::{Entry, entry, function};
use crate::host::{Fault, Host};
use crate::reference::{Column, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<InsertRowAfter>(),
        entry::<DeleteRows>(),
        entry::<InsertColumnAfter>(),
        entry::<DeleteColumns>(),
    ]
}

fn default_count() -> u32 {
    1
}

macro_rules! lines {
    ($(#[$doc:meta])* $name:literal $type:ident, $argument:ident: $kind:ty, $run:ident) => {
        function! {
            $(#[$doc])*
            $name $type { sheet: String, $argument: $kind, #[serde(default = "default_count")] #[schemars(range(min = 1, max = 1_048_576))] count: u32 } -> WriteResult => $run
        }
    };
}

lines! {
    /// New rows after a row; 0 puts them first.
    "insertRowAfter" InsertRowAfter, row: u32, insert_rows
}
lines! {
    /// Delete rows from `row` on.
    "deleteRows" DeleteRows, row: u32, delete_rows
}
lines! {
    /// New columns after a column.
    "insertColumnAfter" InsertColumnAfter, col: Column, insert_columns
}
lines! {
    /// Delete columns from `col` on.
    "deleteColumns" DeleteColumns, col: Column, delete_columns
}

fn insert_rows(host: &mut Host, call: InsertRowAfter) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let mut edits = vec![Edit::InsertRows { sheet: sheet.clone(), at: call.row, count: call.count }];
    edits.extend(like_above(host, &sheet, call.row, call.count)?);
    let written = host.write(edits)?;
    told(host, &written)
}

/// New rows look as the row above them does, and go on with the formulas of a table's columns.
fn like_above(host: &Host, sheet: &str, at: u32, count: u32) -> Result<Vec<Edit>, Fault> {
    let Some(above) = at.checked_sub(1) else { return Ok(Vec::new()) };
    let view = host.sheet(sheet_position(host.view(), sheet)?)?;
    let row = Area { top: above, bottom: above, left: 0, right: 16_383 };
    let (top, bottom) = (at, at.saturating_add(count - 1));
    let tables = view.tables()?;
    let mut looks: BTreeMap<u32, Vec<Area>> = BTreeMap::new();
    let mut cells = Vec::new();
    for cell in view.cells(row)? {
        let col = cell.at.col;
        // The header of a table says nothing about its rows.
        let table = tables.iter().find(|table| table.area.contains(cell.at));
        if table.is_some_and(|table| above < table.area.top + table.header_rows) {
            continue;
        }
        if cell.style != 0 {
            looks.entry(cell.style).or_default().push(Area { top, bottom, left: col, right: col });
        }
        let Some((table, formula)) = table.zip(cell.formula.as_ref()) else { continue };
        let column = (col - table.area.left) as usize;
        let calculated = table.column_details().get(column).is_some_and(|column| column.formula.is_some());
        let inside = at <= table.area.bottom.saturating_sub(table.totals_rows.saturating_sub(1));
        if calculated && inside && above + table.totals_rows <= table.area.bottom {
            cells.extend((top..=bottom).map(|row| {
                let to = CellRef::new(row, col);
                CellChange {
                    at: to,
                    input: Input::Formula(sheet::formula_moved(&formula.shown(), cell.at, to)),
                }
            }));
        }
    }
    let mut edits: Vec<Edit> = looks
        .into_iter()
        .map(|(like, areas)| {
            let style = StyleChange { like: Some(like), ..StyleChange::default() };
            Edit::SetStyle { sheet: sheet.to_owned(), areas, style }
        })
        .collect();
    if !cells.is_empty() {
        edits.push(Edit::SetCells { sheet: sheet.to_owned(), cells, seen: None });
    }
    Ok(edits)
}

fn delete_rows(host: &mut Host, call: DeleteRows) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let at = call.row.checked_sub(1).ok_or_else(|| Fault::invalid("rows count from 1"))?;
    edited(host, Edit::DeleteRows { sheet, at, count: call.count })
}

fn insert_columns(host: &mut Host, call: InsertColumnAfter) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let at = match call.col {
        Column::Number(0) => 0,
        col => col.index()? + 1,
    };
    edited(host, Edit::InsertColumns { sheet, at, count: call.count })
}

fn delete_columns(host: &mut Host, call: DeleteColumns) -> Result<WriteResult, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    edited(host, Edit::DeleteColumns { sheet, at: call.col.index()?, count: call.count })
}
