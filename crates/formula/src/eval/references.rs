//! Arrays of references, as `OFFSET` and `INDIRECT` answer them when they are asked for several places at once.
//!
//! A few functions take them one by one: `SUMPRODUCT(SUBTOTAL(103,OFFSET(A2,ROW(A2:A9)-ROW(A2),0)))` counts the rows
//! that are shown. All others see the values, and of a range of several cells none.

use std::sync::Arc;

use super::{Cx, Operand};
use crate::address::Area;
use crate::functions::Function;
use crate::value::{Array, ErrorKind, Value};

/// A rectangle of references, row by row.
#[derive(Debug)]
pub(crate) struct References {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) items: Vec<Result<Area, ErrorKind>>,
}

/// Functions that want a reference and take those of an array one after the other.
const ONE_BY_ONE: &[&str] = &[
    "AGGREGATE",
    "AREAS",
    "AVERAGEIF",
    "AVERAGEIFS",
    "CELL",
    "COLUMN",
    "COLUMNS",
    "COUNTBLANK",
    "COUNTIF",
    "COUNTIFS",
    "DAVERAGE",
    "DCOUNT",
    "DCOUNTA",
    "DGET",
    "DMAX",
    "DMIN",
    "DPRODUCT",
    "DSTDEV",
    "DSTDEVP",
    "DSUM",
    "DVAR",
    "DVARP",
    "FORMULATEXT",
    "HLOOKUP",
    "ISFORMULA",
    "ISREF",
    "MATCH",
    "MAXIFS",
    "MINIFS",
    "N",
    "OFFSET",
    "RANK",
    "RANK.AVG",
    "RANK.EQ",
    "ROW",
    "ROWS",
    "SHEET",
    "SHEETS",
    "SUBTOTAL",
    "SUMIF",
    "SUMIFS",
    "T",
    "VLOOKUP",
];

/// Whether a function takes references one by one where it is given an array of them.
pub(crate) fn one_by_one(name: &str) -> bool {
    ONE_BY_ONE.binary_search(&name).is_ok()
}

/// Whether a function answers an array of references where it is asked for several.
pub(crate) fn makes_references(name: &str) -> bool {
    matches!(name, "OFFSET" | "INDIRECT")
}

/// Whether a function does something of its own with an array of references.
fn takes(name: &str) -> bool {
    one_by_one(name) || matches!(name, "MAP" | "REDUCE" | "SCAN")
}

impl References {
    /// As broadcasting sees it: a single row or column repeats, elsewhere outside is `#N/A`.
    pub(crate) fn broadcast(&self, row: usize, col: usize) -> Operand {
        let row = if self.rows == 1 { 0 } else { row };
        let col = if self.cols == 1 { 0 } else { col };
        let inside = row < self.rows && col < self.cols;
        let item = self.items.get(row * self.cols + col).filter(|_| inside);
        match item {
            Some(Ok(area)) => Operand::Area(*area),
            Some(Err(kind)) => Operand::Value(Value::Error(*kind)),
            None => Operand::Value(Value::Error(ErrorKind::NotAvailable)),
        }
    }
}

impl Cx<'_> {
    /// What stands in each of the cells. A range of several has no place in an array.
    pub(super) fn values_of(&self, references: &References) -> Array {
        let values = references.items.iter().map(|item| match item {
            Ok(area) if area.is_cell() => self.cell(area.top_left()),
            Ok(_) => Value::Error(ErrorKind::Value),
            Err(kind) => Value::Error(*kind),
        });
        Array::new(references.rows, references.cols, values.collect())
    }

    /// Puts values in the place of references, unless the function takes these.
    pub(super) fn dereferenced(&self, function: &Function, class: u8, operand: Operand) -> Operand {
        match operand {
            Operand::References(references) if matches!(class, b'V' | b'E') || !takes(function.name) => {
                Operand::Array(Arc::new(self.values_of(&references)))
            }
            other => other,
        }
    }
}
