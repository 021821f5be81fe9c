//! `GROUPBY` and `PIVOTBY`: rows gathered by their keys and summed up, and spread over columns by other keys.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::{Function, def};
use super::sort_order;
use crate::coerce;
use crate::eval::args::{Args, array, fail};
use crate::eval::{Answer, Lambda, Operand, Stop, check_size};
use crate::key::Key;
use crate::value::{Array, ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("GROUPBY", "AARVVAAV", 3, 8, group_by)
        .note("several functions at once (HSTACK of functions) are not computed"),
    def("PIVOTBY", "AAARVVAVAAV", 4, 11, pivot_by)
        .note("shown headers and several functions at once are not computed"),
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

/// What is asked of the lines on one side.
struct Side<'a> {
    keys: &'a Array,
    /// How many levels of totals, below their lines; above them if negative.
    depth: f64,
    /// Columns to sort by, from one on, those of the values behind those of the keys; negative falls.
    orders: Vec<f64>,
    /// Whether later columns are sorted within earlier ones.
    nested: bool,
}

/// One line of the answer: a group, or the total of several.
struct Line {
    labels: Vec<Value>,
    members: Vec<usize>,
    /// The lines that the next total counts, for what is related to it.
    parent: Vec<usize>,
}

/// Totals of groups that are equal in their first columns.
struct Group {
    key: Value,
    members: Vec<usize>,
    totals: Vec<Value>,
}

type Sums<'a> = &'a dyn Fn(&[usize]) -> Result<Vec<Value>, Stop>;

/// Rows by equal values of one column, in the order these first occur.
fn groups(keys: &Array, column: usize, rows: &[usize], sums: Sums<'_>) -> Result<Vec<Group>, Stop> {
    let mut known: HashMap<Key, usize> = HashMap::new();
    let mut found: Vec<(Value, Vec<usize>)> = Vec::new();
    for row in rows {
        let key = keys.value_at(*row, column);
        let at = *known.entry(Key::of(&key)).or_insert(found.len());
        match found.get_mut(at) {
            Some((_, members)) => members.push(*row),
            None => found.push((key, vec![*row])),
        }
    }
    found
        .into_iter()
        .map(|(key, members)| sums(&members).map(|totals| Group { key, members, totals }))
        .collect()
}

impl Side<'_> {
    fn lines(&self, rows: &[usize], sums: Sums<'_>) -> Result<Vec<Line>, Stop> {
        let mut lines = Vec::new();
        if self.nested {
            self.branch(rows, &mut Vec::new(), sums, &mut lines)?;
        } else {
            lines = self.flat(rows, sums)?;
        }
        if self.depth != 0.0 {
            let label = if self.depth.abs() > 1.0 { "Grand Total" } else { "Total" };
            let mut labels = vec![Value::text(label)];
            labels.resize(self.keys.cols(), Value::text(""));
            let line = Line { labels, members: rows.to_vec(), parent: rows.to_vec() };
            if self.depth > 0.0 { lines.push(line) } else { lines.insert(0, line) }
        }
        Ok(lines)
    }

    /// The lines of rows that are equal in the columns before.
    fn branch(
        &self,
        rows: &[usize],
        before: &mut Vec<Value>,
        sums: Sums<'_>,
        lines: &mut Vec<Line>,
    ) -> Result<(), Stop> {
        let column = before.len();
        let last = column + 1 == self.keys.cols();
        let mut found = groups(self.keys, column, rows, sums)?;
        found.sort_by(|a, b| self.compare(column, a, b));
        for group in found {
            before.push(group.key);
            if last {
                lines.push(Line { labels: before.clone(), members: group.members, parent: rows.to_vec() });
            } else {
                let subtotal = (self.depth.abs() >= column as f64 + 2.0).then(|| {
                    let mut labels = before.clone();
                    labels.resize(self.keys.cols(), Value::text(""));
                    Line { labels, members: group.members.clone(), parent: rows.to_vec() }
                });
                let start = lines.len();
                self.branch(&group.members, before, sums, lines)?;
                match subtotal {
                    Some(line) if self.depth > 0.0 => lines.push(line),
                    Some(line) => lines.insert(start, line),
                    None => {}
                }
            }
            before.pop();
        }
        Ok(())
    }

    fn compare(&self, column: usize, a: &Group, b: &Group) -> Ordering {
        for order in &self.orders {
            let at = (order.abs() as usize).max(1) - 1;
            let found = match at.checked_sub(self.keys.cols()) {
                None if at == column => sort_order(&a.key, &b.key, *order < 0.0),
                None => Ordering::Equal,
                Some(value) => match (a.totals.get(value), b.totals.get(value)) {
                    (Some(a), Some(b)) => sort_order(a, b, *order < 0.0),
                    _ => Ordering::Equal,
                },
            };
            if found.is_ne() {
                return found;
            }
        }
        sort_order(&a.key, &b.key, false)
    }

    /// Each combination of keys on its own, sorted by the columns that were asked for.
    fn flat(&self, rows: &[usize], sums: Sums<'_>) -> Result<Vec<Line>, Stop> {
        let mut known: HashMap<Vec<Key>, usize> = HashMap::new();
        let mut found: Vec<(Vec<Value>, Vec<usize>)> = Vec::new();
        for row in rows {
            let key = self.keys.row_values(*row);
            let at = *known.entry(key.iter().map(Key::of).collect()).or_insert(found.len());
            match found.get_mut(at) {
                Some((_, members)) => members.push(*row),
                None => found.push((key.to_vec(), vec![*row])),
            }
        }
        let mut lines = Vec::with_capacity(found.len());
        for (labels, members) in found {
            let mut shown = labels.clone();
            shown.extend(sums(&members)?);
            lines.push((shown, Line { labels, members, parent: rows.to_vec() }));
        }
        lines.sort_by(|(a, _), (b, _)| {
            let asked = self.orders.iter().map(|order| ((order.abs() as usize).max(1) - 1, *order < 0.0));
            let rest = (0..self.keys.cols()).map(|at| (at, false));
            asked
                .chain(rest)
                .filter_map(|(at, falls)| Some(sort_order(a.get(at)?, b.get(at)?, falls)))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        });
        Ok(lines.into_iter().map(|(_, line)| line).collect())
    }
}

/// Each column of the values in some rows, through the function; one of two arguments is given what they are part of.
fn summed(
    a: &Args<'_>,
    lambda: &Lambda,
    values: &Array,
    rows: &[usize],
    whole: &[usize],
) -> Result<Vec<Value>, Stop> {
    let column = |col: usize, rows: &[usize]| {
        let cells = rows.iter().map(|row| values.value_at(*row, col)).collect();
        Operand::Array(Arc::new(Array::column(cells)))
    };
    (0..values.cols())
        .map(|col| {
            a.cx.charge(rows.len())?;
            let mut args = vec![column(col, rows)];
            if lambda.least() == 2 {
                a.cx.charge(whole.len())?;
                args.push(column(col, whole));
            }
            match a.cx.invoke(lambda, args) {
                Ok(operand) => Ok(a.cx.scalar(&operand)),
                Err(Stop::Error(kind)) => Ok(Value::Error(kind)),
                Err(stop) => Err(stop),
            }
        })
        .collect()
}

/// The columns to sort by; without a word, the first.
fn orders(a: &Args<'_>, index: usize) -> Result<Vec<f64>, Stop> {
    if !a.given(index) {
        return Ok(vec![1.0]);
    }
    let array = a.array(index)?;
    array.values().iter().map(|value| Ok(coerce::number(value, a.cx.region())?.trunc())).collect()
}

/// How deep totals go. Subtotals need a column for each level.
fn depth(a: &Args<'_>, index: usize, keys: &Array) -> Result<f64, Stop> {
    let depth = a.int_default(index, 1.0)?;
    if depth.abs() > keys.cols() as f64 { fail(ErrorKind::Value) } else { Ok(depth) }
}

fn pivot_by(a: &Args<'_>) -> Answer {
    let values = a.array(2)?;
    // Without fields on one side, all records are together there.
    let fields = |index: usize| match a.given(index) {
        true => a.array(index).map(Some),
        false => Ok(None),
    };
    let (down, across) = (fields(0)?, fields(1)?);
    let Operand::Lambda(lambda) = a.op(3) else { return fail(ErrorKind::Value) };
    let short = |keys: &Option<Arc<Array>>| keys.as_ref().is_some_and(|keys| keys.rows() != values.rows());
    if (down.is_none() && across.is_none()) || short(&down) || short(&across) {
        return fail(ErrorKind::Value);
    }
    let headers = headers(a, 4, &values)?;
    if headers > 1.0 {
        return Err(Stop::Unanswerable("PIVOTBY with headers".into()));
    }
    let all = kept(a, 9, usize::from(headers == 1.0)..values.rows())?;
    if all.is_empty() {
        return fail(ErrorKind::Calc);
    }
    let sums = |rows: &[usize]| summed(a, lambda, &values, rows, &all);
    let side = |keys: &Option<Arc<Array>>, depth_at, order_at| -> Result<Vec<Line>, Stop> {
        let Some(keys) = keys else {
            return Ok(vec![Line { labels: Vec::new(), members: all.clone(), parent: all.clone() }]);
        };
        let side =
            Side { keys, depth: depth(a, depth_at, keys)?, orders: orders(a, order_at)?, nested: true };
        side.lines(&all, &sums)
    };
    let (rows, cols) = (side(&down, 5, 6)?, side(&across, 7, 8)?);
    a.cx.charge(rows.len() * cols.len())?;
    let relative = a.int_default(10, 0.0)?;
    let mut lines: Vec<Vec<Value>> = Vec::new();
    let labels = down.as_ref().map_or(0, |down| down.cols());
    for level in 0..across.as_ref().map_or(0, |across| across.cols()) {
        let mut line = vec![Value::text(""); labels];
        for col in &cols {
            let label = col.labels.get(level).cloned().unwrap_or(Value::Blank);
            line.extend(std::iter::repeat_n(label, values.cols()));
        }
        lines.push(line);
    }
    // Which columns count a row.
    let mut columns_of: Vec<Vec<u32>> = vec![Vec::new(); values.rows()];
    for (at, col) in cols.iter().enumerate() {
        for member in &col.members {
            if let Some(list) = columns_of.get_mut(*member) {
                list.push(at as u32);
            }
        }
    }
    for row in &rows {
        let mut line = row.labels.clone();
        let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); cols.len()];
        for member in &row.members {
            for at in columns_of.get(*member).into_iter().flatten() {
                if let Some(bucket) = buckets.get_mut(*at as usize) {
                    bucket.push(*member);
                }
            }
        }
        for (both, col) in buckets.iter().zip(&cols) {
            if both.is_empty() {
                line.extend(vec![Value::text(""); values.cols()]);
                continue;
            }
            let within = |part: &[usize], of: &[usize]| -> Vec<usize> {
                let of: HashSet<usize> = of.iter().copied().collect();
                part.iter().copied().filter(|row| of.contains(row)).collect()
            };
            let whole = match (lambda.least() == 2, relative as i64) {
                (false, _) => Vec::new(),
                (true, 0) => col.members.clone(),
                (true, 1) => row.members.clone(),
                (true, 2) => all.clone(),
                (true, 3) => within(&row.members, &col.parent),
                (true, 4) => within(&row.parent, &col.members),
                _ => return fail(ErrorKind::Value),
            };
            line.extend(summed(a, lambda, &values, both, &whole)?);
        }
        lines.push(line);
    }
    let width = lines.first().map_or(0, Vec::len);
    check_size(lines.len(), width)?;
    array(Array::new(lines.len(), width, lines.concat()))
}

fn group_by(a: &Args<'_>) -> Answer {
    let (keys, values) = (a.array(0)?, a.array(1)?);
    let Operand::Lambda(lambda) = a.op(2) else { return fail(ErrorKind::Value) };
    if keys.rows() != values.rows() {
        return fail(ErrorKind::Value);
    }
    let headers = headers(a, 3, &values)?;
    let rows = kept(a, 6, usize::from(headers == 1.0 || headers == 3.0)..keys.rows())?;
    if rows.is_empty() {
        return fail(ErrorKind::Calc);
    }
    let nested = a.int_default(7, 0.0)? != 1.0;
    let depth = depth(a, 4, &keys)?;
    if !nested && depth.abs() > 1.0 {
        return fail(ErrorKind::Value);
    }
    let sums = |members: &[usize]| summed(a, lambda, &values, members, &rows);
    let side = Side { keys: &keys, depth, orders: orders(a, 5)?, nested };
    let mut lines = Vec::new();
    if headers == 3.0 {
        let mut line = keys.row_values(0).to_vec();
        line.extend(values.row_values(0).iter().cloned());
        lines.push(line);
    } else if headers == 2.0 {
        let fields = (1..=keys.cols()).map(|at| Value::from(format!("Row Field {at}")));
        let sums = (1..=values.cols()).map(|at| Value::from(format!("Value {at}")));
        lines.push(fields.chain(sums).collect());
    }
    for line in side.lines(&rows, &sums)? {
        let mut cells = line.labels;
        cells.extend(sums(&line.members)?);
        lines.push(cells);
    }
    let cols = keys.cols() + values.cols();
    array(Array::new(lines.len(), cols, lines.concat()))
}
