//! `DSUM` and its kin: a table, a field, and criteria in cells.

use std::sync::Arc;

use super::statistical as stats;
use super::{Function, def};
use crate::coerce;
use crate::criteria::{Criterion, Pattern, Wanted};
use crate::eval::Stop;
use crate::eval::args::{Args, fail, num, value};
use crate::key::same_text;
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("DSUM", "RVR", 3, 3, |a| num(numbers(a)?.iter().sum())),
    def("DAVERAGE", "RVR", 3, 3, |a| stats::average(&numbers(a)?)),
    def("DCOUNT", "RVR", 3, 3, |a| {
        let found = records(a, true)?;
        num(found.iter().filter(|value| matches!(value, Value::Number(_))).count() as f64)
    }),
    def("DCOUNTA", "RVR", 3, 3, |a| {
        num(records(a, true)?.iter().filter(|value| !value.is_blank()).count() as f64)
    }),
    def("DGET", "RVR", 3, 3, |a| {
        let mut found = records(a, false)?;
        // Records without a value do not count.
        found.retain(|value| !matches!(value, Value::Text(text) if text.is_empty()) && !value.is_blank());
        match found.as_slice() {
            [] => fail(ErrorKind::Value),
            [Value::Error(kind)] => fail(*kind),
            [only] => value(only.clone()),
            _ => fail(ErrorKind::Num),
        }
    }),
    def("DMAX", "RVR", 3, 3, |a| num(numbers(a)?.into_iter().reduce(f64::max).unwrap_or(0.0))),
    def("DMIN", "RVR", 3, 3, |a| num(numbers(a)?.into_iter().reduce(f64::min).unwrap_or(0.0))),
    def("DPRODUCT", "RVR", 3, 3, |a| {
        let numbers = numbers(a)?;
        num(if numbers.is_empty() { 0.0 } else { numbers.iter().product() })
    }),
    def("DSTDEV", "RVR", 3, 3, |a| num(stats::variance(&numbers(a)?, stats::Of::Sample)?.sqrt())),
    def("DSTDEVP", "RVR", 3, 3, |a| num(stats::variance(&numbers(a)?, stats::Of::Population)?.sqrt())),
    def("DVAR", "RVR", 3, 3, |a| stats::variance(&numbers(a)?, stats::Of::Sample).and_then(num)),
    def("DVARP", "RVR", 3, 3, |a| stats::variance(&numbers(a)?, stats::Of::Population).and_then(num)),
];

fn numbers(a: &Args<'_>) -> Result<Vec<f64>, Stop> {
    let mut numbers = Vec::new();
    for value in records(a, false)? {
        match value {
            Value::Number(number) => numbers.push(number),
            Value::Error(kind) => return fail(kind),
            _ => {}
        }
    }
    Ok(numbers)
}

/// The column a heading or a number names.
fn column(table: &Array, wanted: &Value) -> Option<usize> {
    match wanted {
        Value::Number(number) => {
            let at = number.trunc();
            (at >= 1.0 && at <= table.cols() as f64).then(|| at as usize - 1)
        }
        Value::Text(text) => table.row_values(0).iter().position(|heading| {
            let named = |heading: Arc<str>| same_text(heading.trim(), text.trim());
            !heading.is_blank() && coerce::plain_text(heading).is_ok_and(named)
        }),
        _ => None,
    }
}

/// The field's values in the rows that meet the criteria. Without a field, counting counts whole rows.
fn records(a: &Args<'_>, field_optional: bool) -> Result<Vec<Value>, Stop> {
    let table = a.array(0)?;
    let criteria = a.array(2)?;
    let field = match a.op(1) {
        crate::eval::Operand::Missing if field_optional => None,
        _ => match column(&table, &a.sound(1)?) {
            Some(field) => Some(field),
            None => return fail(ErrorKind::Value),
        },
    };
    // Each row of criteria is one way to pass; its cells must all hold.
    let mut ways: Vec<Vec<(usize, Criterion)>> = Vec::new();
    for row in 1..criteria.rows() {
        let mut tests = Vec::new();
        let mut possible = true;
        for (col, cell) in criteria.row_values(row).iter().enumerate() {
            if cell.is_blank() {
                continue;
            }
            let heading = criteria.value_at(0, col);
            match heading_column(&table, &heading) {
                Some(at) => tests.push((at, test(cell, a))),
                // Under any other heading stands a condition that was worked out already.
                None if holds(cell) => {}
                None => possible = false,
            }
        }
        if possible {
            ways.push(tests);
        }
    }
    let mut found = Vec::new();
    for row in 1..table.rows() {
        let cells = table.row_values(row);
        let passes = ways.iter().any(|tests| {
            tests.iter().all(|(at, criterion)| cells.get(*at).is_some_and(|cell| criterion.matches(cell)))
        });
        if passes {
            found.push(match field {
                Some(field) => cells.get(field).cloned().unwrap_or(Value::Blank),
                None => Value::Number(1.0),
            });
        }
    }
    Ok(found)
}

/// The column of a criterion, which is always named.
fn heading_column(table: &Array, heading: &Value) -> Option<usize> {
    match heading {
        Value::Text(text) if !text.trim().is_empty() => column(table, heading),
        Value::Number(_) | Value::Bool(_) => column(table, &Value::Text(coerce::plain_text(heading).ok()?)),
        _ => None,
    }
}

fn holds(cell: &Value) -> bool {
    match cell {
        Value::Bool(flag) => *flag,
        Value::Number(number) => *number != 0.0,
        _ => false,
    }
}

/// Plain text in a criteria cell means "begins with"; `="=text"` means exactly.
fn test(cell: &Value, a: &Args<'_>) -> Criterion {
    let criterion = Criterion::parse(cell, a.cx.region());
    match (&criterion.wanted, cell) {
        // Empty text begins every text.
        (Wanted::Empty, Value::Text(_)) => {
            Criterion { wanted: Wanted::Pattern(Pattern::new("*")), ..criterion }
        }
        (Wanted::Text(_) | Wanted::Pattern(_), Value::Text(text)) if !text.starts_with(['=', '<', '>']) => {
            Criterion { wanted: Wanted::Pattern(Pattern::new(&format!("{text}*"))), ..criterion }
        }
        _ => criterion,
    }
}
