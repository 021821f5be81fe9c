//! `SUBTOTAL` and `AGGREGATE`: aggregates that leave out hidden rows, errors and one another.

use super::super::statistical as stats;
use super::super::{Function, MANY, def};
use crate::address::CellRef;
use crate::cells::RowState;
use crate::eval::args::{Args, fail, num};
use crate::eval::{Answer, Operand, Stop};
use crate::value::{ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] =
    &[def("SUBTOTAL", "VR", 2, MANY, subtotal), def("AGGREGATE", "VVA", 3, MANY, aggregate)];

struct Leave {
    hidden: bool,
    errors: bool,
    nested: bool,
}

fn subtotal(a: &Args<'_>) -> Answer {
    let code = a.int(0)?;
    let (code, hidden) = if code > 100.0 { (code - 100.0, true) } else { (code, false) };
    if !(1.0..=11.0).contains(&code) {
        return fail(ErrorKind::Value);
    }
    for index in 1..a.len() {
        a.areas(index)?;
    }
    let values = gather(a, 1, a.len(), &Leave { hidden, errors: false, nested: true })?;
    fold(code as u8, &values)
}

fn aggregate(a: &Args<'_>) -> Answer {
    let (code, option) = (a.int(0)?, a.int_default(1, 0.0)?);
    if !(1.0..=19.0).contains(&code) || !(0.0..=7.0).contains(&option) {
        return fail(ErrorKind::Value);
    }
    let option = option as u8;
    let leave = Leave { hidden: option & 1 == 1, errors: option & 2 == 2, nested: option < 4 };
    if code < 14.0 {
        for index in 2..a.len() {
            a.areas(index)?;
        }
        return fold(code as u8, &gather(a, 2, a.len(), &leave)?);
    }
    if !a.has(3) {
        return fail(ErrorKind::Value);
    }
    let k = a.number(3)?;
    let mut numbers = Vec::new();
    for value in gather(a, 2, 3, &leave)? {
        match value {
            Value::Number(number) => numbers.push(number),
            Value::Error(kind) => return fail(kind),
            _ => {}
        }
    }
    numbers.sort_by(f64::total_cmp);
    let numbers = &numbers;
    match code as u8 {
        14 => stats::large(numbers, k),
        15 => stats::small(numbers, k),
        16 => stats::percentile_inc(numbers, k),
        17 => stats::quartile(numbers, k, stats::percentile_inc),
        18 => stats::percentile_exc(numbers, k),
        _ => stats::quartile(numbers, k, stats::percentile_exc),
    }
}

/// The values of the arguments that are left in.
fn gather(a: &Args<'_>, from: usize, to: usize, leave: &Leave) -> Result<Vec<Value>, Stop> {
    let mut values = Vec::new();
    let cells = a.cx.cells;
    for index in from..to {
        let areas = match a.op(index) {
            Operand::Area(area) => vec![*area],
            Operand::Areas(areas) => areas.to_vec(),
            Operand::Lambda(_) => return fail(ErrorKind::Value),
            other => {
                let array = a.cx.array_of(other)?;
                values.extend(
                    array
                        .values()
                        .iter()
                        .filter(|value| !(leave.errors && matches!(value, Value::Error(_))))
                        .cloned(),
                );
                continue;
            }
        };
        for area in areas {
            a.cx.visit(area, &mut |row, col, value| {
                let out = match cells.row_state(area.sheet, row) {
                    RowState::Visible => false,
                    RowState::Filtered => leave.hidden || leave.nested,
                    RowState::Hidden => leave.hidden,
                } || (leave.errors && matches!(value, Value::Error(_)))
                    || (leave.nested && cells.is_subtotal(CellRef::new(area.sheet, row, col)));
                if !out {
                    values.push(value.clone());
                }
            });
        }
    }
    Ok(values)
}

fn fold(code: u8, values: &[Value]) -> Answer {
    if code == 2 {
        return num(values.iter().filter(|value| matches!(value, Value::Number(_))).count() as f64);
    }
    if code == 3 {
        return num(values.len() as f64);
    }
    let mut numbers = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::Number(number) => numbers.push(*number),
            Value::Error(kind) => return fail(*kind),
            _ => {}
        }
    }
    match code {
        1 => stats::average(&numbers),
        4 => num(numbers.iter().copied().reduce(f64::max).unwrap_or(0.0)),
        5 => num(numbers.iter().copied().reduce(f64::min).unwrap_or(0.0)),
        6 => num(if numbers.is_empty() { 0.0 } else { numbers.iter().product() }),
        7 => spread(&numbers, 1.0).and_then(|v| num(v.sqrt())),
        8 => spread(&numbers, 0.0).and_then(|v| num(v.sqrt())),
        9 => num(numbers.iter().sum()),
        10 => spread(&numbers, 1.0).and_then(num),
        11 => spread(&numbers, 0.0).and_then(num),
        12 => stats::median(numbers),
        _ => stats::mode(&numbers),
    }
}

/// The variance from running sums, as totals have it; `VAR.S` and its kin go over the numbers twice, and the
/// last digits show it.
fn spread(numbers: &[f64], less: f64) -> Result<f64, Stop> {
    let count = numbers.len() as f64;
    if count - less <= 0.0 {
        return fail(ErrorKind::Div0);
    }
    let (sum, squares) =
        numbers.iter().fold((0.0, 0.0), |(sum, squares), number| (sum + number, squares + number * number));
    Ok(((squares - sum * sum / count) / (count - less)).max(0.0))
}
