//! Whole columns as arrays. Of their 1,048,576 rows few are filled, and all below these come to the same.
//!
//! `SUMPRODUCT(--(A:A=""))` counts every row of the sheet, and is calculated from the rows in use and one more.

use std::sync::Arc;

use super::args::Origin;
use super::{Answer, Cx, Operand, Stop, check_size};
use crate::address::{Area, SheetId};
use crate::value::{Array, ErrorKind, Value};

/// An array whose last rows are all alike.
#[derive(Clone, Debug)]
pub(crate) struct Tall {
    pub(crate) head: Arc<Array>,
    pub(crate) tail: Tail,
    /// Of head and tail together.
    pub(crate) rows: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Tail {
    /// The one row that all of them are.
    Alike(Arc<Array>),
    /// A column of numbers that go up by one, from this one on, as `ROW(A:A)` has them.
    Counting(f64),
}

/// What is done with operands element by element.
type Calculation<'a> = dyn FnMut(&[Operand]) -> Result<Arc<Array>, Stop> + 'a;

/// With fewer rows below those in use, an area is an array like another.
const WORTH_IT: u32 = 1000;

/// Values below the head that are gone through one by one at most: 32 whole columns.
const MOST_BELOW: usize = 1 << 25;

impl Tall {
    pub(crate) fn cols(&self) -> usize {
        self.head.cols()
    }

    /// How many rows are not in the head.
    pub(crate) fn below(&self) -> usize {
        self.rows - self.head.rows()
    }

    pub(crate) fn ends_blank(&self) -> bool {
        matches!(&self.tail, Tail::Alike(tail) if tail.values().iter().all(Value::is_blank))
    }

    fn number_at(first: f64, row: usize) -> Value {
        Value::Number(first + row as f64)
    }

    pub(crate) fn value_at(&self, row: usize, col: usize) -> Value {
        match row.checked_sub(self.head.rows()) {
            None => self.head.value_at(row, col),
            Some(_) if row >= self.rows => Value::Blank,
            Some(below) => match &self.tail {
                Tail::Alike(tail) => tail.value_at(0, col),
                Tail::Counting(first) => Self::number_at(*first, below),
            },
        }
    }

    /// The first rows as an array.
    pub(crate) fn top(&self, held: usize) -> Arc<Array> {
        self.cut(held).0
    }

    /// One row as an array.
    pub(crate) fn row(&self, row: usize) -> Arc<Array> {
        Arc::new(Array::from_fn(1, self.cols(), |_, col| self.value_at(row, col)))
    }

    /// The first rows as an array, and what the rest is then.
    fn cut(&self, held: usize) -> (Arc<Array>, Tail) {
        if held == self.head.rows() {
            return (self.head.clone(), self.tail.clone());
        }
        let head = Array::from_fn(held, self.cols(), |row, col| self.value_at(row, col));
        let tail = match &self.tail {
            Tail::Alike(tail) => Tail::Alike(tail.clone()),
            Tail::Counting(first) => Tail::Counting(first + (held - self.head.rows()) as f64),
        };
        (Arc::new(head), tail)
    }

    /// Every value that is not blank.
    pub(super) fn each(&self, each: &mut dyn FnMut(&Value, Origin)) {
        for value in self.head.values().iter().filter(|value| !value.is_blank()) {
            each(value, Origin::Element);
        }
        match &self.tail {
            Tail::Alike(tail) => {
                for value in tail.values().iter().filter(|value| !value.is_blank()) {
                    (0..self.below()).for_each(|_| each(value, Origin::Element));
                }
            }
            Tail::Counting(first) => {
                for row in 0..self.below() {
                    each(&Self::number_at(*first, row), Origin::Element);
                }
            }
        }
    }

    /// What is below is one row more, for those who look for something in it.
    pub(crate) fn sample(&self) -> Option<Array> {
        let Tail::Alike(tail) = &self.tail else { return None };
        let values = self.head.values().iter().chain(tail.values()).cloned().collect();
        Some(Array::new(self.head.rows() + 1, self.cols(), values))
    }
}

impl Cx<'_> {
    /// An operand as an array, tall where it is a column that is mostly empty; values stay values.
    pub(crate) fn elements(&self, operand: &Operand) -> Answer {
        let Operand::Area(area) = operand else {
            return Ok(match operand {
                Operand::Value(_) | Operand::Array(_) | Operand::Tall(_) => operand.clone(),
                other => Operand::Array(self.array_of(other)?),
            });
        };
        let area = *area;
        if area.sheet.0 >= SheetId::EXTERNAL {
            return Ok(Operand::Array(self.array_of(operand)?));
        }
        let in_use = self.cells.extent(area.sheet).0.max(area.top + 1);
        if area.bottom < in_use.saturating_add(WORTH_IT) {
            return Ok(Operand::Array(self.filled(area)?));
        }
        let head = self.filled(Area { bottom: in_use - 1, ..area })?;
        let tail = Tail::Alike(Arc::new(Array::filled(1, head.cols(), Value::Blank)));
        Ok(Operand::Tall(Arc::new(Tall { head, tail, rows: area.rows() })))
    }

    /// Rows and columns of an operand, with all that are empty.
    pub(crate) fn shape_of(&self, operand: &Operand) -> (usize, usize) {
        match operand {
            Operand::Area(area) => (area.rows(), area.cols()),
            Operand::Array(array) => (array.rows(), array.cols()),
            Operand::Tall(tall) => (tall.rows, tall.cols()),
            Operand::References(references) => (references.rows, references.cols),
            _ => (1, 1),
        }
    }

    /// All rows of an operand, written out.
    pub(crate) fn every_row(&self, operand: &Operand) -> Result<Arc<Array>, Stop> {
        self.array_of(&self.elements(operand)?)
    }

    pub(super) fn written_out(&self, tall: &Tall) -> Result<Arc<Array>, Stop> {
        check_size(tall.rows, tall.cols())?;
        self.charge(tall.rows * tall.cols())?;
        Ok(tall.cut(tall.rows).0)
    }

    /// Calculates something element by element: of arrays as they are, of tall ones their heads and then the row that
    /// stands for all others. `monotone` says that counting up, no result comes back to what it was before.
    pub(crate) fn by_parts(&self, ops: &[Operand], monotone: bool, run: &mut Calculation<'_>) -> Answer {
        let talls = ops.iter().filter_map(|op| if let Operand::Tall(tall) = op { Some(tall) } else { None });
        let Some(rows) = talls.clone().map(|tall| tall.rows).max() else {
            return Ok(Operand::Array(run(ops)?));
        };
        let arrays = ops.iter().filter_map(|op| match op {
            Operand::Array(array) if array.rows() > 1 => Some(array.rows()),
            _ => None,
        });
        let rows = arrays.clone().max().unwrap_or(1).max(rows);
        let held = talls.clone().map(|tall| tall.head.rows()).chain(arrays).max().unwrap_or(1);
        // What ends before the others do is followed by #N/A there.
        let even = talls.clone().all(|tall| tall.rows == rows);
        let counting = talls.clone().any(|tall| matches!(tall.tail, Tail::Counting(_)));
        let whole = |run: &mut Calculation<'_>| {
            let mut all = Vec::with_capacity(ops.len());
            for op in ops {
                all.push(match op {
                    Operand::Tall(tall) => Operand::Array(self.written_out(tall)?),
                    other => other.clone(),
                });
            }
            Ok(Operand::Array(run(&all)?))
        };
        if !even || held >= rows {
            return whole(run);
        }
        let below = rows - held;
        let tails = |last: bool| -> Vec<Operand> {
            ops.iter()
                .map(|op| match op {
                    Operand::Tall(tall) => match tall.cut(held).1 {
                        Tail::Alike(tail) => Operand::Array(tail),
                        Tail::Counting(first) => {
                            let at = if last { below - 1 } else { 0 };
                            Operand::Value(Tall::number_at(first, at))
                        }
                    },
                    Operand::Array(array) if array.rows() > 1 => {
                        let missing = Value::Error(ErrorKind::NotAvailable);
                        Operand::Array(Arc::new(Array::filled(1, array.cols(), missing)))
                    }
                    other => other.clone(),
                })
                .collect()
        };
        let tail = run(&tails(false))?;
        if counting && (!monotone || *run(&tails(true))? != *tail) {
            return whole(run);
        }
        let heads: Vec<Operand> = ops
            .iter()
            .map(|op| match op {
                Operand::Tall(tall) => Operand::Array(tall.cut(held).0),
                other => other.clone(),
            })
            .collect();
        let head = run(&heads)?;
        if head.rows() != held || head.cols() != tail.cols() || tail.rows() != 1 {
            return whole(run);
        }
        tall(head, tail, rows)
    }

    /// A value for each cell of an area; `blank` is that of the cells below those in use.
    pub(crate) fn per_cell(&self, area: Area, blank: Value, value: impl Fn(u32, u32) -> Value) -> Answer {
        let in_use = self.cells.extent(area.sheet).0.max(area.top + 1);
        let bottom = area.bottom.min(in_use - 1);
        let (held, cols) = ((bottom - area.top) as usize + 1, area.cols());
        check_size(held, cols)?;
        self.charge(held * cols)?;
        let head = Arc::new(Array::from_fn(held, cols, |row, col| {
            value(area.top + row as u32, area.left + col as u32)
        }));
        if bottom == area.bottom {
            return Ok(Operand::Array(head));
        }
        tall(head, Arc::new(Array::filled(1, cols, blank)), area.rows())
    }
}

/// Blank values below cost nothing; others do, wherever they are summed up.
fn tall(head: Arc<Array>, tail: Arc<Array>, rows: usize) -> Answer {
    let filled = tail.values().iter().filter(|value| !value.is_blank()).count();
    let below = filled * (rows - head.rows());
    if below > MOST_BELOW {
        let why = format!("an array of {below} values, and more than {MOST_BELOW} are not calculated here");
        return Err(Stop::Unanswerable(Arc::from(why)));
    }
    Ok(Operand::Tall(Arc::new(Tall { head, tail: Tail::Alike(tail), rows })))
}
