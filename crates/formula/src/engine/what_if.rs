//! What a cell would be if others were different: sweeps, goal seeking, and data tables.

use std::collections::BTreeMap;

use super::{DataTable, Engine, Store};
use crate::address::{Area, CellRef, SheetId};
use crate::cells::{Cells, RowState};
use crate::eval::Clock;
use crate::value::Value;

/// A store with some cells different; the one underneath stays as it is.
struct Overlay<'a, S> {
    base: &'a S,
    changed: BTreeMap<CellRef, Value>,
}

impl<S: Store> Cells for Overlay<'_, S> {
    fn value(&self, cell: CellRef) -> Value {
        self.changed.get(&cell).cloned().unwrap_or_else(|| self.base.value(cell))
    }

    fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        let first = CellRef::new(area.sheet, area.top, area.left);
        let last = CellRef::new(area.sheet, area.bottom, area.right);
        let inside: Vec<(&CellRef, &Value)> =
            self.changed.range(first..=last).filter(|(cell, _)| area.contains(**cell)).collect();
        if inside.is_empty() {
            self.base.visit(area, each);
            return;
        }
        let mut merged: BTreeMap<(u32, u32), Value> = BTreeMap::new();
        self.base.visit(area, &mut |row, col, value| {
            merged.insert((row, col), value.clone());
        });
        for (cell, value) in inside {
            merged.insert((cell.row, cell.col), value.clone());
        }
        for ((row, col), value) in merged.iter().filter(|(_, value)| !value.is_blank()) {
            each(*row, *col, value);
        }
    }

    fn extent(&self, sheet: SheetId) -> (u32, u32) {
        let (rows, cols) = self.base.extent(sheet);
        self.changed
            .keys()
            .filter(|cell| cell.sheet == sheet)
            .fold((rows, cols), |(rows, cols), cell| (rows.max(cell.row + 1), cols.max(cell.col + 1)))
    }

    fn row_state(&self, sheet: SheetId, row: u32) -> RowState {
        self.base.row_state(sheet, row)
    }

    fn is_subtotal(&self, cell: CellRef) -> bool {
        self.base.is_subtotal(cell)
    }

    fn formula_text(&self, cell: CellRef) -> Option<String> {
        self.base.formula_text(cell)
    }

    fn number_format(&self, cell: CellRef) -> Option<std::sync::Arc<str>> {
        self.base.number_format(cell)
    }

    fn column_width(&self, sheet: SheetId, col: u32) -> (f64, bool) {
        self.base.column_width(sheet, col)
    }

    fn spill(&self, cell: CellRef) -> Option<Area> {
        self.base.spill(cell)
    }
}

impl<S: Store> Store for Overlay<'_, S> {
    fn set(&mut self, cell: CellRef, value: Value) {
        self.changed.insert(cell, value);
    }

    fn is_stopped(&self) -> bool {
        self.base.is_stopped()
    }
}

impl Engine {
    /// The values of `targets` if the cells of `inputs` held other values. Nothing is written.
    pub fn what_if<S: Store>(
        &mut self,
        inputs: &[(CellRef, Value)],
        targets: &[CellRef],
        store: &S,
        clock: Clock,
    ) -> Vec<Value> {
        let mut overlay = Overlay { base: store, changed: inputs.iter().cloned().collect() };
        // An input's own formula, if it has one, must not undo the assumption.
        let dirty: Vec<u32> = self
            .reached(&inputs.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), super::recalc::Volatile::None)
            .into_iter()
            .filter(|id| {
                self.entry(*id).is_some_and(|entry| !inputs.iter().any(|(cell, _)| *cell == entry.at))
            })
            .collect();
        let spills: Vec<(u32, Option<Area>, Option<Area>)> = dirty
            .iter()
            .filter_map(|id| self.entry(*id).map(|entry| (*id, entry.spill(), entry.watch())))
            .collect();
        self.calculate(dirty, &mut overlay, clock);
        for (id, spill, watch) in spills {
            self.fills(id, spill, watch);
        }
        targets.iter().map(|cell| overlay.value(*cell)).collect()
    }

    /// Calculate the data tables; answers the cells that changed.
    pub(super) fn calculate_tables<S: Store>(&mut self, store: &mut S, clock: Clock) -> Vec<CellRef> {
        let mut changed = Vec::new();
        for table in self.tables.clone() {
            for row in table.area.top..=table.area.bottom {
                for col in table.area.left..=table.area.right {
                    if store.is_stopped() {
                        return changed;
                    }
                    let at = CellRef::new(table.area.sheet, row, col);
                    let Some((inputs, formula)) = assumption(&table, at, store) else { continue };
                    let value = self.what_if(&inputs, &[formula], store, clock).pop().unwrap_or_default();
                    let value = if value.is_blank() { Value::Number(0.0) } else { value };
                    if store.value(at) != value {
                        store.set(at, value);
                        changed.push(at);
                    }
                }
            }
        }
        changed
    }
}

/// What one cell of a data table assumes, and the formula it asks. Inputs stand left of and above the table.
fn assumption<S: Store>(
    table: &DataTable,
    at: CellRef,
    store: &S,
) -> Option<(Vec<(CellRef, Value)>, CellRef)> {
    let sheet = table.area.sheet;
    let left = CellRef::new(sheet, at.row, table.area.left.checked_sub(1)?);
    let above = CellRef::new(sheet, table.area.top.checked_sub(1)?, at.col);
    match (table.row_input, table.column_input) {
        (Some(row_input), Some(column_input)) => {
            let corner = CellRef::new(sheet, above.row, left.col);
            Some((vec![(row_input, store.value(above)), (column_input, store.value(left))], corner))
        }
        // Values in a row: the formulas stand in the column on the left.
        (Some(row_input), None) => Some((vec![(row_input, store.value(above))], left)),
        (None, Some(column_input)) => Some((vec![(column_input, store.value(left))], above)),
        (None, None) => None,
    }
}
