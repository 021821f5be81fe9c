//! A small workbook in memory.

use std::collections::BTreeMap;

use formula::{Area, CellRef, Cells, SheetId, Store, Value};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Grid {
    cells: BTreeMap<(u32, u32, u32), Value>,
}

impl Grid {
    /// Rows of tab-separated cells from A1 on; numbers, TRUE, FALSE and errors are read as such.
    pub(crate) fn from_text(text: &str) -> Grid {
        let mut grid = Grid::default();
        for (row, line) in text.lines().enumerate() {
            for (col, cell) in line.split('\t').enumerate() {
                grid.set(CellRef::new(SheetId(0), row as u32, col as u32), literal(cell));
            }
        }
        grid
    }
}

/// A value as a test spells it.
pub(crate) fn literal(text: &str) -> Value {
    if text.is_empty() {
        return Value::Blank;
    }
    if let Ok(number) = text.parse() {
        return Value::Number(number);
    }
    if let Some(kind) = formula::ErrorKind::parse(text) {
        return Value::Error(kind);
    }
    match text {
        "TRUE" => Value::Bool(true),
        "FALSE" => Value::Bool(false),
        other => Value::text(other),
    }
}

impl Cells for Grid {
    fn value(&self, cell: CellRef) -> Value {
        self.cells.get(&(cell.sheet.0, cell.row, cell.col)).cloned().unwrap_or_default()
    }

    fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        let sheet = area.sheet.0;
        for ((_, row, col), value) in self.cells.range((sheet, area.top, 0)..=(sheet, area.bottom, u32::MAX))
        {
            if (area.left..=area.right).contains(col) {
                each(*row, *col, value);
            }
        }
    }

    fn extent(&self, sheet: SheetId) -> (u32, u32) {
        let mut extent = (0, 0);
        for (_, row, col) in
            self.cells.range((sheet.0, 0, 0)..=(sheet.0, u32::MAX, u32::MAX)).map(|(key, _)| key)
        {
            extent = (extent.0.max(row + 1), extent.1.max(col + 1));
        }
        extent
    }
}

impl Store for Grid {
    fn set(&mut self, cell: CellRef, value: Value) {
        let key = (cell.sheet.0, cell.row, cell.col);
        if value.is_blank() {
            self.cells.remove(&key);
        } else {
            self.cells.insert(key, value);
        }
    }
}
