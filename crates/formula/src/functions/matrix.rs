//! Matrices.

use super::{Category, Function, def};
use crate::eval::args::{Args, array, fail, num};
use crate::eval::{Operand, Stop, check_size};
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("MMULT", "AA", 2, 2, |a| {
        let (x, y) = (Matrix::read(a, 0)?, Matrix::read(a, 1)?);
        if x.cols != y.rows {
            return fail(ErrorKind::Value);
        }
        check_size(x.rows, y.cols)?;
        // Products are quick work.
        a.cx.charge(x.rows.saturating_mul(y.cols).saturating_mul(x.cols) / 32)?;
        array(Array::new(x.rows, y.cols, x.times(&y).into_iter().map(Value::Number).collect()))
    }),
    def("MDETERM", "A", 1, 1, |a| {
        let matrix = Matrix::read(a, 0)?.square()?;
        a.cx.charge(matrix.rows.saturating_pow(3) / 16)?;
        num(matrix.eliminate().0)
    }),
    def("MINVERSE", "A", 1, 1, |a| {
        let matrix = Matrix::read(a, 0)?.square()?;
        a.cx.charge(matrix.rows.saturating_pow(3) / 16)?;
        let size = matrix.rows;
        match matrix.eliminate() {
            (0.0, _) => fail(ErrorKind::Num),
            (_, inverse) => {
                array(Array::from_fn(size, size, |row, col| Value::Number(inverse.get(row, col))))
            }
        }
    }),
    def("MUNIT", "V", 1, 1, |a| {
        let size = a.int(0)?;
        if size < 1.0 {
            return fail(ErrorKind::Value);
        }
        check_size(size as usize, size as usize)?;
        array(Array::from_fn(size as usize, size as usize, |row, col| {
            Value::Number(f64::from(u8::from(row == col)))
        }))
    }),
    def("TRANSPOSE", "A", 1, 1, |a| match a.op(0) {
        Operand::Value(value) => Ok(Operand::Value(value.clone())),
        _ => array(a.array(0)?.transposed()),
    })
    .category(Category::Lookup),
];

struct Matrix {
    rows: usize,
    cols: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// The product, row by row; each element is summed up in order.
    fn times(&self, other: &Matrix) -> Vec<f64> {
        let mut cells = vec![0.0; self.rows * other.cols];
        let rows = cells.chunks_mut(other.cols.max(1)).zip(self.cells.chunks(self.cols.max(1)));
        for (line, own) in rows {
            for (factor, theirs) in own.iter().zip(other.cells.chunks(other.cols.max(1))) {
                for (sum, cell) in line.iter_mut().zip(theirs) {
                    *sum += factor * cell;
                }
            }
        }
        cells
    }

    fn read(a: &Args<'_>, index: usize) -> Result<Matrix, Stop> {
        let array = a.array(index)?;
        let mut cells = Vec::with_capacity(array.len());
        for value in array.values() {
            match value {
                Value::Number(number) => cells.push(*number),
                Value::Error(kind) => return fail(*kind),
                _ => return fail(ErrorKind::Value),
            }
        }
        Ok(Matrix { rows: array.rows(), cols: array.cols(), cells })
    }

    fn square(self) -> Result<Matrix, Stop> {
        if self.rows == self.cols { Ok(self) } else { fail(ErrorKind::Value) }
    }

    fn get(&self, row: usize, col: usize) -> f64 {
        self.cells.get(row * self.cols + col).copied().unwrap_or(0.0)
    }

    fn set(&mut self, row: usize, col: usize, value: f64) {
        if let Some(slot) = self.cells.get_mut(row * self.cols + col) {
            *slot = value;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        for col in 0..self.cols {
            let (x, y) = (self.get(a, col), self.get(b, col));
            self.set(a, col, y);
            self.set(b, col, x);
        }
    }

    /// Determinant and inverse by elimination with the largest pivot.
    fn eliminate(mut self) -> (f64, Matrix) {
        let n = self.rows;
        let mut inverse = Matrix { rows: n, cols: n, cells: vec![0.0; n * n] };
        for at in 0..n {
            inverse.set(at, at, 1.0);
        }
        let mut determinant = 1.0;
        for col in 0..n {
            let pivot = (col..n)
                .max_by(|a, b| self.get(*a, col).abs().total_cmp(&self.get(*b, col).abs()))
                .unwrap_or(col);
            let size = self.get(pivot, col);
            if size == 0.0 {
                return (0.0, inverse);
            }
            if pivot != col {
                self.swap(pivot, col);
                inverse.swap(pivot, col);
                determinant = -determinant;
            }
            determinant *= size;
            for row in 0..n {
                if row == col {
                    continue;
                }
                let factor = self.get(row, col) / size;
                if factor == 0.0 {
                    continue;
                }
                for at in 0..n {
                    self.set(row, at, self.get(row, at) - factor * self.get(col, at));
                    inverse.set(row, at, inverse.get(row, at) - factor * inverse.get(col, at));
                }
            }
        }
        for row in 0..n {
            let size = self.get(row, row);
            for col in 0..n {
                inverse.set(row, col, inverse.get(row, col) / size);
            }
        }
        (determinant, inverse)
    }
}
