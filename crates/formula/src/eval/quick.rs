//! Formulas of plain arithmetic on numbers, single cells and the sums of ranges, which is what most long columns of
//! formulas are.
//!
//! They are computed without operands, frames and modes. Whatever is not a number on the way, or does not stay one,
//! is left to the evaluation proper, which gives the same answer where this one gives any.

use std::cell::RefCell;

use super::index::Fold;
use super::operators::arithmetic;
use super::wrap;
use crate::address::{Area, CellRef, MAX_COLS, MAX_ROWS, SheetId};
use crate::ast::{CellCoord, Operator};
use crate::bind::Node;
use crate::cells::Cells;
use crate::hash::QuickMap;
use crate::value::Value;

/// With more ranges than this a formula may take long, and the evaluation proper watches over that.
const MAX_RANGES: usize = 16;

/// How a formula is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Road {
    /// By the evaluation proper.
    Proper,
    Arithmetic,
    /// One range, which is all that the formula names.
    Range(Fold),
    /// One range that grows from row to row.
    Growing(Fold),
}

/// The road of a formula that names these ranges.
pub(crate) fn road(node: &Node, areas: &[Area]) -> Road {
    if let (Node::Call(function, args), [area]) = (node, areas)
        && let ([Node::Area(_, first, last)], Some(fold)) = (&**args, function.fold)
        && !area.is_cell()
    {
        let grows = first.row.absolute && first.row.at == area.top && !last.row.absolute;
        return if grows { Road::Growing(fold) } else { Road::Range(fold) };
    }
    if simple(node) && ranges(node) <= MAX_RANGES { Road::Arithmetic } else { Road::Proper }
}

fn simple(node: &Node) -> bool {
    match node {
        Node::Value(Value::Number(_)) => true,
        Node::Cell(sheet, _) => sheet.0 < SheetId::EXTERNAL,
        Node::Paren(inner) | Node::Negate(inner) => simple(inner),
        Node::Chain(first, rest) => {
            simple(first) && rest.iter().all(|(operator, node)| is_arithmetic(*operator) && simple(node))
        }
        Node::Call(function, args) => {
            let reference = |node: &Node| match node {
                Node::Cell(sheet, _) | Node::Area(sheet, ..) => sheet.0 < SheetId::EXTERNAL,
                _ => false,
            };
            function.fold.is_some() && args.iter().all(reference)
        }
        _ => false,
    }
}

fn ranges(node: &Node) -> usize {
    match node {
        Node::Paren(inner) | Node::Negate(inner) => ranges(inner),
        Node::Chain(first, rest) => ranges(first) + rest.iter().map(|(_, node)| ranges(node)).sum::<usize>(),
        Node::Call(_, args) => args.len(),
        _ => 0,
    }
}

fn is_arithmetic(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Power
    )
}

/// Formulas of one calculation, as long as each finds every cell it reads finished.
pub(crate) struct Quick<'a, C> {
    pub(crate) cells: &'a C,
    pub(crate) begun: &'a Begun,
    /// How far relative references move from where they were written.
    pub(crate) shift: (i64, i64),
}

/// How far ranges that grow from row to row have been added up. In a column of running totals each formula goes on
/// where the one above it stopped: the same numbers in the same order, so the same sum to the last bit.
#[derive(Debug, Default)]
pub(crate) struct Begun {
    /// By what is done and the first row of the range: the row it went to.
    known: RefCell<QuickMap<(Fold, Area), (u32, Tally)>>,
}

impl Begun {
    pub(crate) fn clear(&self) {
        self.known.borrow_mut().clear();
    }
}

#[derive(Clone, Copy, Debug)]
struct Tally {
    value: f64,
    count: usize,
}

impl Tally {
    fn new(fold: Fold) -> Tally {
        let value = match fold {
            Fold::Count | Fold::Total | Fold::Average => 0.0,
            Fold::Most => f64::NEG_INFINITY,
            Fold::Least => f64::INFINITY,
        };
        Tally { value, count: 0 }
    }

    fn take(&mut self, fold: Fold, numbers: &[f64]) {
        self.count += numbers.len();
        self.value = match fold {
            Fold::Count => self.value,
            Fold::Total | Fold::Average => numbers.iter().fold(self.value, |total, number| total + number),
            Fold::Most => numbers.iter().fold(self.value, |most, number| most.max(*number)),
            Fold::Least => numbers.iter().fold(self.value, |least, number| least.min(*number)),
        };
    }

    fn answer(self, fold: Fold) -> Option<f64> {
        let answer = match fold {
            Fold::Count => self.count as f64,
            Fold::Total => self.value,
            Fold::Average if self.count == 0 => return None,
            Fold::Average => self.value / self.count as f64,
            Fold::Most | Fold::Least if self.count == 0 => 0.0,
            Fold::Most | Fold::Least => self.value,
        };
        // Excel has no negative zero.
        answer.is_finite().then_some(answer + 0.0)
    }
}

impl<C: Cells> Quick<'_, C> {
    /// The number of a formula, where every cell holds one and every step gives one.
    pub(crate) fn number_of(&self, road: Road, node: &Node, areas: &[Area]) -> Option<f64> {
        match (road, areas, node) {
            (Road::Range(fold), [area], _) => {
                let mut tally = Tally::new(fold);
                self.add(fold, *area, &mut tally)?;
                tally.answer(fold)
            }
            (Road::Growing(fold), [area], _) => self.further(fold, *area)?.answer(fold),
            // The last addition or subtraction of a formula gives zero when all but noise cancels.
            (Road::Arithmetic, _, Node::Chain(first, rest)) => self.chain(first, rest, true),
            (Road::Arithmetic, ..) => self.number(node),
            _ => None,
        }
    }

    fn number(&self, node: &Node) -> Option<f64> {
        match node {
            Node::Value(Value::Number(number)) => Some(*number),
            Node::Cell(sheet, cell) => self.cells.number(self.place(*sheet, *cell)),
            Node::Paren(inner) => self.number(inner),
            Node::Negate(inner) => Some(-self.number(inner)?),
            Node::Chain(first, rest) => self.chain(first, rest, false),
            Node::Call(function, args) => self.fold(function.fold?, args),
            _ => None,
        }
    }

    fn chain(&self, first: &Node, rest: &[(Operator, Node)], last_snaps: bool) -> Option<f64> {
        let mut left = self.number(first)?;
        for (index, (operator, node)) in rest.iter().enumerate() {
            let right = self.number(node)?;
            let snap = last_snaps && index + 1 == rest.len();
            left = match arithmetic(*operator, left, right, snap) {
                Value::Number(number) => number,
                _ => return None,
            };
        }
        Some(left)
    }

    fn fold(&self, fold: Fold, args: &[Node]) -> Option<f64> {
        let mut tally = Tally::new(fold);
        for arg in args {
            match arg {
                Node::Cell(sheet, cell) => {
                    tally.take(fold, &[self.cells.number(self.place(*sheet, *cell))?]);
                }
                Node::Area(sheet, first, last) => {
                    let (from, to) = (self.place(*sheet, *first), self.place(*sheet, *last));
                    let area = Area::new(*sheet, (from.row, from.col), (to.row, to.col));
                    if area.is_cell() {
                        tally.take(fold, &[self.cells.number(from)?]);
                    } else {
                        self.add(fold, area, &mut tally)?;
                    }
                }
                _ => return None,
            }
        }
        tally.answer(fold)
    }

    fn add(&self, fold: Fold, area: Area, tally: &mut Tally) -> Option<()> {
        self.cells.numbers(area, &mut |numbers| tally.take(fold, numbers))?.ok()
    }

    /// An area that grows downwards.
    fn further(&self, fold: Fold, area: Area) -> Option<Tally> {
        let key = (fold, Area { bottom: area.top, ..area });
        let known = self.begun.known.borrow().get(&key).copied();
        let (rest, mut tally) = match known {
            Some((bottom, tally)) if bottom == area.bottom => return Some(tally),
            Some((bottom, tally)) if bottom < area.bottom => (Area { top: bottom + 1, ..area }, tally),
            _ => (area, Tally::new(fold)),
        };
        self.add(fold, rest, &mut tally)?;
        self.begun.known.borrow_mut().insert(key, (area.bottom, tally));
        Some(tally)
    }

    fn place(&self, sheet: SheetId, cell: CellCoord) -> CellRef {
        let (down, right) = self.shift;
        let row =
            if cell.row.absolute || down == 0 { cell.row.at } else { wrap(cell.row.at, down, MAX_ROWS) };
        let col =
            if cell.col.absolute || right == 0 { cell.col.at } else { wrap(cell.col.at, right, MAX_COLS) };
        CellRef::new(sheet, row, col)
    }
}
