//! `GROUPBY`: rows gathered by their keys and summed up.

use std::cmp::Ordering;
use std::sync::Arc;

use super::super::{Function, def, unanswerable};
use super::sort_order;
use crate::coerce;
use crate::eval::args::{Args, array, fail};
use crate::eval::{Answer, Operand, Stop};
use crate::value::{Array, ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("GROUPBY", "AARVVVAV", 3, 8, group_by)
        .note("field relationship and multi-level subtotals are not computed"),
    unanswerable("PIVOTBY", 4, 11),
    def("PERCENTOF", "AA", 2, 2, percent_of),
];

fn total(values: &Arc<Array>) -> Result<f64, Stop> {
    let mut total = 0.0;
    for value in values.values() {
        match value {
            Value::Number(number) => total += number,
            Value::Error(kind) => return fail(*kind),
            _ => {}
        }
    }
    Ok(total)
}

fn percent_of(a: &Args<'_>) -> Answer {
    let (part, whole) = (total(&a.array(0)?)?, total(&a.array(1)?)?);
    if whole == 0.0 { fail(ErrorKind::Div0) } else { crate::eval::args::num(part / whole) }
}

fn group_by(a: &Args<'_>) -> Answer {
    let (keys, values) = (a.array(0)?, a.array(1)?);
    let Operand::Lambda(lambda) = a.op(2) else { return fail(ErrorKind::Value) };
    if keys.rows() != values.rows() {
        return fail(ErrorKind::Value);
    }
    let depth = a.int_default(4, 1.0)?;
    if depth.abs() > 1.0 {
        return Err(Stop::Unanswerable("GROUPBY with subtotals".into()));
    }
    // Without a word on headers, a text above numbers is one.
    let headers = match a.op(3) {
        Operand::Missing => {
            let cell = |row| values.get(row, 0);
            let headed = matches!(cell(0), Some(Value::Text(_))) && matches!(cell(1), Some(Value::Number(_)));
            if headed { 1.0 } else { 0.0 }
        }
        _ => a.int(3)?,
    };
    let has_headers = headers == 1.0 || headers == 3.0;
    let shows_headers = headers == 3.0;
    let first = usize::from(has_headers);
    let keep = if a.given(6) { Some(a.array(6)?) } else { None };
    let mut groups: Vec<(Vec<Value>, Vec<usize>)> = Vec::new();
    for row in first..keys.rows() {
        if let Some(keep) = &keep
            && !coerce::logical(&keep.broadcast(row, 0))?
        {
            continue;
        }
        let key = keys.row_values(row);
        let same =
            |known: &[Value]| known.iter().zip(key).all(|(x, y)| sort_order(x, y, false) == Ordering::Equal);
        match groups.iter_mut().find(|(known, _)| same(known)) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((key.to_vec(), vec![row])),
        }
    }
    if groups.is_empty() {
        return fail(ErrorKind::Calc);
    }
    let summed = |rows: &[usize]| -> Result<Vec<Value>, Stop> {
        (0..values.cols())
            .map(|col| {
                let column =
                    rows.iter().map(|row| values.get(*row, col).cloned().unwrap_or_default()).collect();
                let answer = a.cx.invoke(lambda, vec![Operand::Array(Arc::new(Array::column(column)))]);
                match answer {
                    Ok(operand) => Ok(a.cx.scalar(&operand)),
                    Err(Stop::Error(kind)) => Ok(Value::Error(kind)),
                    Err(stop) => Err(stop),
                }
            })
            .collect()
    };
    let mut lines = Vec::new();
    for (key, rows) in &groups {
        let mut line = key.clone();
        line.extend(summed(rows)?);
        lines.push(line);
    }
    let order = a.int_default(5, 1.0)?;
    let column = (order.abs() as usize).max(1) - 1;
    lines.sort_by(|x, y| {
        let (Some(a), Some(b)) = (x.get(column), y.get(column)) else { return Ordering::Equal };
        sort_order(a, b, order < 0.0).then_with(|| {
            x.iter()
                .zip(y)
                .map(|(x, y)| sort_order(x, y, false))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    });
    if depth != 0.0 {
        let all: Vec<usize> = groups.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
        let mut line = vec![Value::text("Total")];
        line.resize(keys.cols(), Value::text(""));
        line.extend(summed(&all)?);
        if depth > 0.0 { lines.push(line) } else { lines.insert(0, line) }
    }
    if shows_headers {
        let mut line = keys.row_values(0).to_vec();
        line.extend(values.row_values(0).iter().cloned());
        lines.insert(0, line);
    }
    let cols = keys.cols() + values.cols();
    array(Array::new(lines.len(), cols, lines.concat()))
}
