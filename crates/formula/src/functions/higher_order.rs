//! The functions that take functions: `MAP`, `REDUCE`, `SCAN`, `BYROW`, `BYCOL` and `MAKEARRAY`.

use std::sync::Arc;

use super::{Function, MANY, def};
use crate::address::{Area, CellRef};
use crate::eval::args::{Args, array, fail, value};
use crate::eval::{Answer, Lambda, Operand, Stop, check_size};
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("MAP", "A", 2, MANY, map),
    def("REDUCE", "A", 3, 3, reduce),
    def("SCAN", "A", 3, 3, scan),
    def("BYROW", "A", 2, 2, |a| by_line(a, Line::Row)),
    def("BYCOL", "A", 2, 2, |a| by_line(a, Line::Column)),
    def("MAKEARRAY", "VVA", 3, 3, make_array),
];

fn lambda_at<'a>(a: &Args<'a>, index: usize) -> Result<&'a Arc<Lambda>, Stop> {
    match a.op(index) {
        Operand::Lambda(lambda) => Ok(lambda),
        Operand::Value(Value::Error(kind)) => fail(*kind),
        _ => fail(ErrorKind::Value),
    }
}

/// What a helper's lambda answers must be one value.
fn single(a: &Args<'_>, answer: Answer) -> Result<Value, Stop> {
    match answer {
        Ok(Operand::Value(value)) => Ok(value),
        Ok(Operand::Missing) => Ok(Value::Blank),
        Ok(Operand::Area(area)) if area.is_cell() => Ok(a.cx.cell(area.top_left())),
        Ok(Operand::Array(array)) if array.len() == 1 => Ok(array.corner()),
        Ok(_) => Ok(Value::Error(ErrorKind::Calc)),
        Err(Stop::Error(kind)) => Ok(Value::Error(kind)),
        Err(stop) => Err(stop),
    }
}

/// An argument that is gone through element by element. Those of a range are ranges too, as Excel hands them over:
/// `MAP(A2:A9,LAMBDA(cell,SUBTOTAL(103,cell)))` asks whether each is shown.
struct Elements(Operand);

impl Elements {
    fn of(a: &Args<'_>, index: usize) -> Result<Elements, Stop> {
        match a.op(index) {
            Operand::Area(_) | Operand::References(_) => Ok(Elements(a.op(index).clone())),
            _ => Ok(Elements(Operand::Array(a.array(index)?))),
        }
    }

    fn rows(&self) -> usize {
        match &self.0 {
            Operand::Area(area) => area.rows(),
            Operand::References(references) => references.rows,
            Operand::Array(array) => array.rows(),
            _ => 1,
        }
    }

    fn cols(&self) -> usize {
        match &self.0 {
            Operand::Area(area) => area.cols(),
            Operand::References(references) => references.cols,
            Operand::Array(array) => array.cols(),
            _ => 1,
        }
    }

    /// One element; a single row or column repeats.
    fn at(&self, row: usize, col: usize) -> Operand {
        match &self.0 {
            Operand::Area(area) => {
                let row = if area.rows() == 1 { 0 } else { row };
                let col = if area.cols() == 1 { 0 } else { col };
                if row >= area.rows() || col >= area.cols() {
                    return Operand::Value(Value::Error(ErrorKind::NotAvailable));
                }
                let (row, col) = (area.top + row as u32, area.left + col as u32);
                Operand::Area(Area::cell(CellRef::new(area.sheet, row, col)))
            }
            Operand::References(references) => references.broadcast(row, col),
            Operand::Array(array) => Operand::Value(array.broadcast(row, col)),
            other => other.clone(),
        }
    }

    /// In the order of reading.
    fn each(&self) -> impl Iterator<Item = Operand> + '_ {
        (0..self.rows()).flat_map(move |row| (0..self.cols()).map(move |col| self.at(row, col)))
    }

    fn line(&self, line: &Line, at: usize) -> Operand {
        match (&self.0, line) {
            (Operand::Area(area), Line::Row) => {
                let row = area.top + at as u32;
                Operand::Area(Area { top: row, bottom: row, ..*area })
            }
            (Operand::Area(area), Line::Column) => {
                let col = area.left + at as u32;
                Operand::Area(Area { left: col, right: col, ..*area })
            }
            (Operand::Array(array), Line::Row) => {
                Operand::Array(Arc::new(Array::row(array.row_values(at).to_vec())))
            }
            (Operand::Array(array), Line::Column) => {
                let column = Array::from_fn(array.rows(), 1, |row, _| array.value_at(row, at));
                Operand::Array(Arc::new(column))
            }
            (other, _) => other.clone(),
        }
    }
}

fn map(a: &Args<'_>) -> Answer {
    let last = a.len() - 1;
    let lambda = lambda_at(a, last)?;
    let arrays = (0..last).map(|index| Elements::of(a, index)).collect::<Result<Vec<_>, _>>()?;
    let rows = arrays.iter().map(Elements::rows).max().unwrap_or(1);
    let cols = arrays.iter().map(Elements::cols).max().unwrap_or(1);
    check_size(rows, cols)?;
    let mut values = Vec::new();
    for row in 0..rows {
        for col in 0..cols {
            let args = arrays.iter().map(|array| array.at(row, col)).collect();
            values.push(single(a, a.cx.invoke(lambda, args))?);
        }
    }
    array(Array::new(rows, cols, values))
}

fn reduce(a: &Args<'_>) -> Answer {
    let lambda = lambda_at(a, 2)?;
    let elements = Elements::of(a, 1)?;
    // Stacks that grow by a piece at each step are piled up at the end, not copied each time.
    if let Some((down, pieces)) = lambda.stacks() {
        let mut parts = Vec::new();
        super::dynamic::stacked(a, a.op(0), &mut parts)?;
        for element in elements.each() {
            for piece in a.cx.invoke_parts(lambda, pieces, &element)? {
                super::dynamic::stacked(a, &piece, &mut parts)?;
            }
        }
        return array(super::dynamic::piled(&parts, down)?);
    }
    let mut total = a.op(0).clone();
    for element in elements.each() {
        total = match a.cx.invoke(lambda, vec![total, element]) {
            Err(Stop::Error(kind)) => Operand::Value(Value::Error(kind)),
            other => other?,
        };
    }
    Ok(total)
}

fn scan(a: &Args<'_>) -> Answer {
    let lambda = lambda_at(a, 2)?;
    let elements = Elements::of(a, 1)?;
    let (rows, cols) = (elements.rows(), elements.cols());
    check_size(rows, cols)?;
    let mut total = if a.given(0) { a.value(0) } else { Value::Blank };
    let mut values = Vec::new();
    for (index, element) in elements.each().enumerate() {
        if index == 0 && !a.given(0) {
            total = a.cx.scalar(&element);
        } else {
            let answer = a.cx.invoke(lambda, vec![Operand::Value(total), element]);
            total = single(a, answer)?;
        }
        values.push(total.clone());
    }
    array(Array::new(rows, cols, values))
}

enum Line {
    Row,
    Column,
}

fn by_line(a: &Args<'_>, line: Line) -> Answer {
    let lambda = lambda_at(a, 1)?;
    let elements = match a.op(0) {
        Operand::References(_) => Elements(Operand::Array(a.array(0)?)),
        _ => Elements::of(a, 0)?,
    };
    let count = match line {
        Line::Row => elements.rows(),
        Line::Column => elements.cols(),
    };
    let mut values = Vec::new();
    for at in 0..count {
        let answer = a.cx.invoke(lambda, vec![elements.line(&line, at)]);
        values.push(single(a, answer)?);
    }
    match line {
        Line::Row => array(Array::column(values)),
        Line::Column => array(Array::row(values)),
    }
}

fn make_array(a: &Args<'_>) -> Answer {
    let (rows, cols) = (a.int(0)?, a.int(1)?);
    let lambda = lambda_at(a, 2)?;
    if rows < 1.0 || cols < 1.0 {
        return fail(ErrorKind::Value);
    }
    let (rows, cols) = (rows as usize, cols as usize);
    check_size(rows, cols)?;
    let mut values = Vec::with_capacity(rows * cols);
    for row in 1..=rows {
        for col in 1..=cols {
            let args =
                vec![Operand::Value(Value::Number(row as f64)), Operand::Value(Value::Number(col as f64))];
            values.push(single(a, a.cx.invoke(lambda, args))?);
        }
    }
    if let [only] = values.as_slice() {
        return value(only.clone());
    }
    array(Array::new(rows, cols, values))
}
