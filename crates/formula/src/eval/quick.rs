//! Formulas of plain arithmetic on numbers and single cells, which is what most long columns of formulas are.
//!
//! They are computed without operands, frames and modes. Whatever is not a number on the way, or does not stay one,
//! is left to the evaluation proper, which gives the same answer where this one gives any.

use super::operators::arithmetic;
use super::wrap;
use crate::address::{CellRef, MAX_COLS, MAX_ROWS, SheetId};
use crate::ast::{CellCoord, Operator};
use crate::bind::Node;
use crate::cells::Cells;
use crate::value::Value;

/// Whether a formula is of this kind.
pub(crate) fn fits(node: &Node) -> bool {
    match node {
        Node::Chain(first, rest) => {
            simple(first) && rest.iter().all(|(operator, node)| is_arithmetic(*operator) && simple(node))
        }
        _ => false,
    }
}

fn simple(node: &Node) -> bool {
    match node {
        Node::Value(Value::Number(_)) => true,
        Node::Cell(sheet, _) => sheet.0 < SheetId::EXTERNAL,
        Node::Paren(inner) | Node::Negate(inner) => simple(inner),
        Node::Chain(..) => fits(node),
        _ => false,
    }
}

fn is_arithmetic(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Power
    )
}

/// The number, where every cell holds one and every step gives one. `whole` is the formula itself, whose last
/// addition or subtraction takes noise for zero.
pub(crate) fn number<C: Cells>(node: &Node, shift: (i64, i64), cells: &C, whole: bool) -> Option<f64> {
    match node {
        Node::Value(Value::Number(number)) => Some(*number),
        Node::Cell(sheet, cell) => cells.number(place(*sheet, *cell, shift)),
        Node::Paren(inner) => number(inner, shift, cells, false),
        Node::Negate(inner) => Some(-number(inner, shift, cells, false)?),
        Node::Chain(first, rest) => {
            let mut left = number(first, shift, cells, false)?;
            for (index, (operator, node)) in rest.iter().enumerate() {
                let right = number(node, shift, cells, false)?;
                let snap = whole && index + 1 == rest.len();
                left = match arithmetic(*operator, left, right, snap) {
                    Value::Number(number) => number,
                    _ => return None,
                };
            }
            Some(left)
        }
        _ => None,
    }
}

fn place(sheet: SheetId, cell: CellCoord, (down, right): (i64, i64)) -> CellRef {
    let row = if cell.row.absolute || down == 0 { cell.row.at } else { wrap(cell.row.at, down, MAX_ROWS) };
    let col = if cell.col.absolute || right == 0 { cell.col.at } else { wrap(cell.col.at, right, MAX_COLS) };
    CellRef::new(sheet, row, col)
}
