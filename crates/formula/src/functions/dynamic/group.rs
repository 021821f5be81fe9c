//! `GROUPBY` and `PIVOTBY`: rows gathered by their keys and summed up, and spread over columns by other keys.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{Function, def};
use super::sort_order;
use crate::coerce;
use crate::eval::args::{Args, array, fail};
use crate::eval::{Answer, Lambda, Operand, Stop};
use crate::value::{Array, ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("GROUPBY", "AARVVVAV", 3, 8, group_by)
        .note("field relationship and multi-level subtotals are not computed"),
    def("PIVOTBY", "AAARVVVVVAV", 4, 11, pivot_by).note(
        "shown headers, multi-level subtotals and the choice of what PERCENTOF relates to are not computed",
    ),
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

/// What was said of headers. Without a word, a text above numbers is one.
fn headers(a: &Args<'_>, index: usize, values: &Array) -> Result<f64, Stop> {
    if a.given(index) {
        return a.int(index);
    }
    let cell = |row| values.get(row, 0);
    let headed = matches!(cell(0), Some(Value::Text(_))) && matches!(cell(1), Some(Value::Number(_)));
    Ok(if headed { 1.0 } else { 0.0 })
}

/// The rows that a filter lets through.
fn kept(a: &Args<'_>, index: usize, rows: std::ops::Range<usize>) -> Result<Vec<usize>, Stop> {
    if !a.given(index) {
        return Ok(rows.collect());
    }
    let keep = a.array(index)?;
    let mut found = Vec::new();
    for row in rows {
        if coerce::logical(&keep.broadcast(row, 0))? {
            found.push(row);
        }
    }
    Ok(found)
}

type Groups = Vec<(Vec<Value>, Vec<usize>)>;

/// Rows by equal keys, in the order these first occur.
fn groups(keys: &Array, rows: &[usize]) -> Groups {
    let mut groups: Groups = Vec::new();
    for row in rows {
        let key = keys.row_values(*row);
        let same =
            |known: &[Value]| known.iter().zip(key).all(|(x, y)| sort_order(x, y, false) == Ordering::Equal);
        match groups.iter_mut().find(|(known, _)| same(known)) {
            Some((_, rows)) => rows.push(*row),
            None => groups.push((key.to_vec(), vec![*row])),
        }
    }
    groups
}

/// Each column of the values in some rows, through the function.
fn summed(a: &Args<'_>, lambda: &Lambda, values: &Array, rows: &[usize]) -> Result<Vec<Value>, Stop> {
    (0..values.cols())
        .map(|col| {
            let column = rows.iter().map(|row| values.get(*row, col).cloned().unwrap_or_default()).collect();
            match a.cx.invoke(lambda, vec![Operand::Array(Arc::new(Array::column(column)))]) {
                Ok(operand) => Ok(a.cx.scalar(&operand)),
                Err(Stop::Error(kind)) => Ok(Value::Error(kind)),
                Err(stop) => Err(stop),
            }
        })
        .collect()
}

/// Groups in the order that a number asks for: of a key's column, or behind those of a total; negative falls.
fn ordered(groups: &mut [(Vec<Value>, Vec<usize>, Vec<Value>)], order: f64) {
    let column = (order.abs() as usize).max(1) - 1;
    let by = |group: &(Vec<Value>, Vec<usize>, Vec<Value>)| {
        group.0.get(column).or_else(|| group.2.get(column - group.0.len())).cloned().unwrap_or_default()
    };
    groups.sort_by(|x, y| {
        sort_order(&by(x), &by(y), order < 0.0).then_with(|| {
            let keys = x.0.iter().zip(&y.0).map(|(x, y)| sort_order(x, y, false));
            keys.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        })
    });
}

fn pivot_by(a: &Args<'_>) -> Answer {
    let (down, across, values) = (a.array(0)?, a.array(1)?, a.array(2)?);
    let Operand::Lambda(lambda) = a.op(3) else { return fail(ErrorKind::Value) };
    if down.rows() != values.rows() || across.rows() != values.rows() {
        return fail(ErrorKind::Value);
    }
    let headers = headers(a, 4, &values)?;
    let (row_depth, col_depth) = (a.int_default(5, 1.0)?, a.int_default(7, 1.0)?);
    if headers > 1.0 || row_depth.abs() > 1.0 || col_depth.abs() > 1.0 || a.given(10) {
        return Err(Stop::Unanswerable("PIVOTBY with headers or subtotals".into()));
    }
    let all = kept(a, 9, usize::from(headers == 1.0)..values.rows())?;
    if all.is_empty() {
        return fail(ErrorKind::Calc);
    }
    let sums = |rows: &[usize]| summed(a, lambda, &values, rows);
    let with_totals = |groups: Groups| -> Result<Vec<_>, Stop> {
        groups.into_iter().map(|(key, rows)| sums(&rows).map(|total| (key, rows, total))).collect()
    };
    let mut rows = with_totals(groups(&down, &all))?;
    let mut cols = with_totals(groups(&across, &all))?;
    ordered(&mut rows, a.int_default(6, 1.0)?);
    ordered(&mut cols, a.int_default(8, 1.0)?);
    a.cx.charge(rows.len() * cols.len())?;
    let column_of: BTreeMap<usize, usize> = cols
        .iter()
        .enumerate()
        .flat_map(|(at, (_, rows, _))| rows.iter().map(move |row| (*row, at)))
        .collect();
    let empty = || Value::text("");
    let wide = |value: Value| vec![value; values.cols()];
    // A line with the column for all, where it is wanted, before or behind the others.
    let placed = |cells: Vec<Vec<Value>>, total: Vec<Value>| -> Vec<Value> {
        let mut line = cells;
        if col_depth > 0.0 {
            line.push(total);
        } else if col_depth < 0.0 {
            line.insert(0, total);
        }
        line.concat()
    };
    let mut lines: Vec<Vec<Value>> = Vec::new();
    for level in 0..across.cols() {
        let mut line = vec![empty(); down.cols()];
        let heads =
            cols.iter().map(|(key, _, _)| wide(key.get(level).cloned().unwrap_or_default())).collect();
        line.extend(placed(heads, wide(if level == 0 { Value::text("Total") } else { empty() })));
        lines.push(line);
    }
    let mut totals = vec![Value::text("Total")];
    totals.resize(down.cols(), empty());
    totals.extend(placed(cols.iter().map(|(_, _, total)| total.clone()).collect(), sums(&all)?));
    if row_depth < 0.0 {
        lines.push(totals.clone());
    }
    for (key, members, total) in rows {
        let mut line = key;
        let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); cols.len()];
        for member in members {
            if let Some(bucket) = column_of.get(&member).and_then(|at| buckets.get_mut(*at)) {
                bucket.push(member);
            }
        }
        let mut cells = Vec::new();
        for both in buckets {
            cells.push(if both.is_empty() { wide(empty()) } else { sums(&both)? });
        }
        line.extend(placed(cells, total));
        lines.push(line);
    }
    if row_depth > 0.0 {
        lines.push(totals);
    }
    let width = lines.first().map_or(0, Vec::len);
    array(Array::new(lines.len(), width, lines.concat()))
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
    let headers = headers(a, 3, &values)?;
    let shows_headers = headers == 3.0;
    let rows = kept(a, 6, usize::from(headers == 1.0 || headers == 3.0)..keys.rows())?;
    let groups = groups(&keys, &rows);
    if groups.is_empty() {
        return fail(ErrorKind::Calc);
    }
    let summed = |rows: &[usize]| summed(a, lambda, &values, rows);
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
