//! The one question evaluation asks of the outside: what stands in the cells.

use std::sync::Arc;

use crate::address::{Area, CellRef, SheetId};
use crate::value::{ErrorKind, Value};

/// Whether a row is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowState {
    Visible,
    /// Hidden by a filter.
    Filtered,
    /// Hidden by hand.
    Hidden,
}

/// The cells of a workbook, as values.
pub trait Cells {
    fn value(&self, cell: CellRef) -> Value;

    /// Every cell of the area that is not blank, row by row.
    fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value));

    /// The cell's value if it is a number.
    fn number(&self, cell: CellRef) -> Option<f64> {
        match self.value(cell) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The numbers of the area, row by row and many at a time, then its first error if there is one. `None`, with
    /// nothing said, where there is no quicker way than [`Cells::visit`].
    fn numbers(&self, _area: Area, _each: &mut dyn FnMut(&[f64])) -> Option<Result<(), ErrorKind>> {
        None
    }

    /// How many rows and columns of the sheet are in use, counted from A1.
    fn extent(&self, sheet: SheetId) -> (u32, u32);

    /// Whether cells of the area are merged with others, so that no array may go there.
    fn is_merged(&self, _area: Area) -> bool {
        false
    }

    fn row_state(&self, _sheet: SheetId, _row: u32) -> RowState {
        RowState::Visible
    }

    /// Whether the cell's own formula is a `SUBTOTAL` or an `AGGREGATE`, which others of their kind skip.
    fn is_subtotal(&self, _cell: CellRef) -> bool {
        false
    }

    /// The cell's formula with its leading `=`.
    fn formula_text(&self, _cell: CellRef) -> Option<String> {
        None
    }

    /// The cell's number format code.
    fn number_format(&self, _cell: CellRef) -> Option<Arc<str>> {
        None
    }

    /// The column's width in characters without margins, and whether the sheet's own width for all columns is meant.
    fn column_width(&self, _sheet: SheetId, _col: u32) -> (f64, bool) {
        (8.43, true)
    }

    /// Where the array of this cell spilled to.
    fn spill(&self, _cell: CellRef) -> Option<Area> {
        None
    }
}
