//! Functions that answer arrays: filtering, sorting, stacking, cutting, counting up.

pub(super) mod group;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::{Function, MANY, def};
use crate::address::{Area, MAX_COLS, MAX_ROWS};
use crate::coerce;
use crate::eval::args::{Args, array, fail};
use crate::eval::{Answer, Operand, Stop, Tail, Tall, check_size};
use crate::key::Key;
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("SEQUENCE", "V", 1, 4, |a| {
        let (rows, cols) = (a.int_default(0, 1.0)?, a.int_default(1, 1.0)?);
        let (start, step) = (a.number_default(2, 1.0)?, a.number_default(3, 1.0)?);
        let (rows, cols) = sizes(rows, cols)?;
        array(Array::from_fn(rows, cols, |row, col| Value::Number(start + step * (row * cols + col) as f64)))
    }),
    def("RANDARRAY", "V", 0, 5, |a| {
        let (rows, cols) = (a.int_default(0, 1.0)?, a.int_default(1, 1.0)?);
        let (low, high, whole) =
            (a.number_default(2, 0.0)?, a.number_default(3, 1.0)?, a.flag_default(4, false)?);
        let (rows, cols) = sizes(rows, cols)?;
        if low > high || (whole && (low != low.trunc() || high != high.trunc())) {
            return fail(ErrorKind::Value);
        }
        array(Array::from_fn(rows, cols, |_, _| {
            let random = a.cx.random();
            Value::Number(if whole {
                low + (random * (high - low + 1.0)).floor()
            } else {
                low + random * (high - low)
            })
        }))
    })
    .moving(),
    def("FILTER", "AAR", 2, 3, filter),
    def("SORT", "AAAV", 1, 4, sort),
    def("SORTBY", "A", 2, MANY, sort_by),
    def("UNIQUE", "AVV", 1, 3, unique),
    def("TAKE", "AVV", 2, 3, |a| cut(a, true)),
    def("DROP", "AVV", 2, 3, |a| cut(a, false)),
    def("EXPAND", "AVVE", 2, 4, expand),
    def("HSTACK", "A", 1, MANY, |a| stack(a, false)),
    def("VSTACK", "A", 1, MANY, |a| stack(a, true)),
    def("TOCOL", "AVV", 1, 3, |a| array(Array::column(flat(a)?))),
    def("TOROW", "AVV", 1, 3, |a| array(Array::row(flat(a)?))),
    def("WRAPROWS", "AVE", 2, 3, |a| wrap(a, true)),
    def("WRAPCOLS", "AVE", 2, 3, |a| wrap(a, false)),
    def("CHOOSECOLS", "A", 2, MANY, |a| choose_lines(a, false)),
    def("CHOOSEROWS", "A", 2, MANY, |a| choose_lines(a, true)),
];

fn sizes(rows: f64, cols: f64) -> Result<(usize, usize), Stop> {
    if rows < 0.0 || cols < 0.0 {
        return fail(ErrorKind::Value);
    }
    if rows == 0.0 || cols == 0.0 {
        return fail(ErrorKind::Calc);
    }
    if rows > f64::from(MAX_ROWS) || cols > f64::from(MAX_COLS) {
        return fail(ErrorKind::Value);
    }
    check_size(rows as usize, cols as usize)?;
    Ok((rows as usize, cols as usize))
}

/// Rows of an array, in the given order.
fn pick_rows(source: &Array, rows: &[usize]) -> Array {
    Array::from_fn(rows.len(), source.cols(), |row, col| {
        rows.get(row).map_or(Value::Blank, |at| source.value_at(*at, col))
    })
}

fn pick_cols(source: &Array, cols: &[usize]) -> Array {
    Array::from_fn(source.rows(), cols.len(), |row, col| {
        cols.get(col).map_or(Value::Blank, |at| source.value_at(row, *at))
    })
}

fn filter(a: &Args<'_>) -> Answer {
    // Of whole columns, what is below the rows in use is mostly left out.
    if let (Operand::Tall(source), Operand::Tall(keep)) = (a.elements(0)?, a.elements(1)?)
        && let Tail::Alike(below) = &keep.tail
        && source.rows == keep.rows
        && coerce::logical(&below.corner()) == Ok(false)
    {
        let held = source.head.rows().max(keep.head.rows());
        return filtered(a, &source.top(held), &keep.top(held));
    }
    filtered(a, &*a.every_row(0)?, &*a.every_row(1)?)
}

fn filtered(a: &Args<'_>, source: &Array, keep: &Array) -> Answer {
    let mut lines = Vec::new();
    let by_rows = keep.cols() == 1 && keep.rows() == source.rows();
    let by_cols = keep.rows() == 1 && keep.cols() == source.cols();
    if !by_rows && !by_cols {
        return fail(ErrorKind::Value);
    }
    for (at, value) in keep.values().iter().enumerate() {
        if coerce::logical(value)? {
            lines.push(at);
        }
    }
    if lines.is_empty() {
        return if a.given(2) { Ok(a.op(2).clone()) } else { fail(ErrorKind::Calc) };
    }
    array(if by_rows { pick_rows(source, &lines) } else { pick_cols(source, &lines) })
}

/// The order of sorting: numbers, text, logicals, errors, and blanks last whichever way.
fn sort_order(a: &Value, b: &Value, falling: bool) -> Ordering {
    match (a.is_blank(), b.is_blank()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        _ => {}
    }
    let order = match (a, b) {
        (Value::Error(_), Value::Error(_)) => Ordering::Equal,
        (Value::Error(_), _) => Ordering::Greater,
        (_, Value::Error(_)) => Ordering::Less,
        _ => coerce::compare(a, b).unwrap_or(Ordering::Equal),
    };
    if falling { order.reverse() } else { order }
}

fn direction(value: f64) -> Result<bool, Stop> {
    match value {
        1.0 => Ok(false),
        -1.0 => Ok(true),
        _ => fail(ErrorKind::Value),
    }
}

fn sort(a: &Args<'_>) -> Answer {
    let by_cols = a.flag_default(3, false)?;
    let numbers = |index: usize| -> Result<Vec<f64>, Stop> {
        if !a.given(index) {
            return Ok(vec![1.0]);
        }
        let given = a.array(index)?;
        given.values().iter().map(|value| Ok(coerce::number(value, a.cx.region())?.trunc())).collect()
    };
    let (keys, orders) = (numbers(1)?, numbers(2)?);
    let source = match a.elements(0)? {
        // What is empty comes last either way, so the empty end of a column stays where it is.
        Operand::Tall(tall) if !by_cols && tall.ends_blank() => {
            let head = sorted_rows(&tall.head, &keys, &orders)?;
            return Ok(Operand::Tall(Arc::new(Tall { head: Arc::new(head), ..(*tall).clone() })));
        }
        other => a.cx.array_of(&other)?,
    };
    array(if by_cols {
        sorted_rows(&source.transposed(), &keys, &orders)?.transposed()
    } else {
        sorted_rows(&source, &keys, &orders)?
    })
}

/// Rows by several columns, the first one before all. One direction is that of all columns.
fn sorted_rows(source: &Array, keys: &[f64], orders: &[f64]) -> Result<Array, Stop> {
    let mut fields = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        if *key < 1.0 || *key > source.cols() as f64 {
            return fail(ErrorKind::Value);
        }
        let falling = direction(orders.get(index).or(orders.last()).copied().unwrap_or(1.0))?;
        fields.push((*key as usize - 1, falling));
    }
    let mut rows: Vec<usize> = (0..source.rows()).collect();
    rows.sort_by(|x, y| {
        for (col, falling) in &fields {
            let (Some(x), Some(y)) = (source.get(*x, *col), source.get(*y, *col)) else { continue };
            let order = sort_order(x, y, *falling);
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    });
    Ok(pick_rows(source, &rows))
}

fn sort_by(a: &Args<'_>) -> Answer {
    let source = a.every_row(0)?;
    let mut keys = Vec::new();
    let mut by_cols = false;
    let mut index = 1;
    while index < a.len() {
        let key = a.every_row(index)?;
        let falling = direction(a.int_default(index + 1, 1.0)?)?;
        if key.cols() == 1 && key.rows() == source.rows() {
        } else if key.rows() == 1 && key.cols() == source.cols() {
            by_cols = true;
        } else {
            return fail(ErrorKind::Value);
        }
        keys.push((key, falling));
        index += 2;
    }
    let count = if by_cols { source.cols() } else { source.rows() };
    let mut lines: Vec<usize> = (0..count).collect();
    lines.sort_by(|x, y| {
        for (key, falling) in &keys {
            let (Some(x), Some(y)) = (key.values().get(*x), key.values().get(*y)) else { continue };
            let order = sort_order(x, y, *falling);
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    });
    array(if by_cols { pick_cols(&source, &lines) } else { pick_rows(&source, &lines) })
}

fn unique(a: &Args<'_>) -> Answer {
    let by_cols = a.flag_default(1, false)?;
    let once = a.flag_default(2, false)?;
    let elements = a.elements(0)?;
    let source = match &elements {
        // Rows that are all alike are one, and no row that stands there once.
        Operand::Tall(tall) if !by_cols => match tall.sample() {
            Some(sample) => Arc::new(sample),
            None => a.cx.array_of(&elements)?,
        },
        other => a.cx.array_of(other)?,
    };
    let repeats_last = source.rows() < a.cx.shape_of(&elements).0;
    let source = if by_cols { Arc::new(source.transposed()) } else { source };
    let mut first: Vec<(usize, usize)> = Vec::new();
    let mut seen: HashMap<Vec<Key>, usize> = HashMap::new();
    for row in 0..source.rows() {
        let key = source.row_values(row).iter().map(Key::of).collect();
        let times = if repeats_last && row + 1 == source.rows() { 2 } else { 1 };
        match seen.entry(key) {
            Entry::Occupied(known) => {
                if let Some(entry) = first.get_mut(*known.get()) {
                    entry.1 += times;
                }
            }
            Entry::Vacant(place) => {
                place.insert(first.len());
                first.push((row, times));
            }
        }
    }
    let rows: Vec<usize> =
        first.iter().filter(|(_, count)| !once || *count == 1).map(|(row, _)| *row).collect();
    if rows.is_empty() {
        return fail(ErrorKind::Calc);
    }
    let found = pick_rows(&source, &rows);
    array(if by_cols { found.transposed() } else { found })
}

fn cut(a: &Args<'_>, take: bool) -> Answer {
    let source = a.op(0);
    if let Operand::Value(Value::Error(kind)) = source {
        return fail(*kind);
    }
    let (rows, cols) = a.cx.shape_of(source);
    let span = |count: Option<f64>, size: usize| -> Result<(usize, usize), Stop> {
        let Some(count) = count else { return Ok((0, size)) };
        let amount = (count.abs() as usize).min(size);
        let (from, to) = match (take, count >= 0.0) {
            (true, true) => (0, amount),
            (true, false) => (size - amount, size),
            (false, true) => (amount, size),
            (false, false) => (0, size - amount),
        };
        if from >= to { fail(ErrorKind::Calc) } else { Ok((from, to)) }
    };
    let read = |index: usize| -> Result<Option<f64>, Stop> {
        if a.given(index) { Ok(Some(a.int(index)?)) } else { Ok(None) }
    };
    let (top, bottom) = span(read(1)?, rows)?;
    let (left, right) = span(read(2)?, cols)?;
    // A part of a range is a range.
    if let Operand::Area(area) = source {
        return Ok(Operand::Area(Area {
            sheet: area.sheet,
            top: area.top + top as u32,
            left: area.left + left as u32,
            bottom: area.top + bottom as u32 - 1,
            right: area.left + right as u32 - 1,
        }));
    }
    if let Operand::Tall(tall) = source {
        check_size(bottom - top, right - left)?;
        a.cx.charge((bottom - top) * (right - left))?;
        return array(Array::from_fn(bottom - top, right - left, |row, col| {
            tall.value_at(top + row, left + col)
        }));
    }
    let source = a.array(0)?;
    array(Array::from_fn(bottom - top, right - left, |row, col| source.value_at(top + row, left + col)))
}

fn expand(a: &Args<'_>) -> Answer {
    let source = a.every_row(0)?;
    let rows = a.int_default(1, source.rows() as f64)?;
    let cols = a.int_default(2, source.cols() as f64)?;
    let padding = if a.given(3) { a.value(3) } else { Value::Error(ErrorKind::NotAvailable) };
    if rows < source.rows() as f64 || cols < source.cols() as f64 {
        return fail(ErrorKind::Value);
    }
    check_size(rows as usize, cols as usize)?;
    array(Array::from_fn(rows as usize, cols as usize, |row, col| {
        source.get(row, col).cloned().unwrap_or_else(|| padding.clone())
    }))
}

fn stack(a: &Args<'_>, down: bool) -> Answer {
    if !down {
        let columns = (0..a.len()).map(|index| a.elements(index)).collect::<Result<Vec<_>, _>>();
        // Whole columns side by side are whole columns.
        if let Ok(columns) = columns
            && columns.iter().all(|column| matches!(column, Operand::Tall(_)))
        {
            return a.cx.by_parts(&columns, false, &mut |ops| {
                let parts = ops.iter().map(|op| a.cx.array_of(op)).collect::<Result<Vec<_>, _>>()?;
                Ok(Arc::new(piled(&parts, false)?))
            });
        }
    }
    let mut parts = Vec::new();
    for operand in a.ops {
        stacked(a, operand, &mut parts)?;
    }
    array(piled(&parts, down)?)
}

/// The arrays of one argument.
pub(super) fn stacked(a: &Args<'_>, operand: &Operand, parts: &mut Vec<Arc<Array>>) -> Result<(), Stop> {
    match operand {
        Operand::Areas(areas) => {
            for area in areas.iter() {
                parts.push(a.cx.every_row(&Operand::Area(*area))?);
            }
        }
        operand => parts.push(a.cx.every_row(operand)?),
    }
    Ok(())
}

/// Arrays on top of or beside one another; what is short is filled up with `#N/A`.
pub(super) fn piled(parts: &[Arc<Array>], down: bool) -> Result<Array, Stop> {
    let lines = |array: &Array| if down { array.rows() } else { array.cols() };
    let across = parts.iter().map(|part| if down { part.cols() } else { part.rows() }).max().unwrap_or(1);
    let along: usize = parts.iter().map(|part| lines(part)).sum();
    let (rows, cols) = if down { (along, across) } else { (across, along) };
    check_size(rows, cols)?;
    let missing = Value::Error(ErrorKind::NotAvailable);
    let mut values = Vec::with_capacity(rows * cols);
    if down {
        for part in parts {
            for row in 0..part.rows() {
                values.extend_from_slice(part.row_values(row));
                values.resize(values.len() + cols - part.cols(), missing.clone());
            }
        }
    } else {
        for row in 0..rows {
            for part in parts {
                match row < part.rows() {
                    true => values.extend_from_slice(part.row_values(row)),
                    false => values.resize(values.len() + part.cols(), missing.clone()),
                }
            }
        }
    }
    Ok(Array::new(rows, cols, values))
}

/// Every value in reading order, or column by column.
fn flat(a: &Args<'_>) -> Result<Vec<Value>, Stop> {
    let ignore = a.int_default(1, 0.0)?;
    let by_cols = a.flag_default(2, false)?;
    if !(0.0..=3.0).contains(&ignore) {
        return fail(ErrorKind::Value);
    }
    let source = if ignore == 1.0 || ignore == 3.0 { a.array(0)? } else { a.every_row(0)? };
    let source = if by_cols { Arc::new(source.transposed()) } else { source };
    let (blanks, errors) = (ignore == 1.0 || ignore == 3.0, ignore >= 2.0);
    let values: Vec<Value> = source
        .values()
        .iter()
        .filter(|value| match value {
            Value::Blank => !blanks,
            Value::Error(_) => !errors,
            _ => true,
        })
        .cloned()
        .collect();
    if values.is_empty() { fail(ErrorKind::Calc) } else { Ok(values) }
}

fn wrap(a: &Args<'_>, rows: bool) -> Answer {
    let source = a.every_row(0)?;
    if source.rows() != 1 && source.cols() != 1 {
        return fail(ErrorKind::Value);
    }
    let width = a.int(1)?;
    if width < 1.0 {
        return fail(ErrorKind::Num);
    }
    let padding = if a.given(2) { a.value(2) } else { Value::Error(ErrorKind::NotAvailable) };
    let width = (width as usize).min(source.len().max(1));
    let lines = source.len().div_ceil(width);
    let at = |line: usize, place: usize| {
        source.values().get(line * width + place).cloned().unwrap_or_else(|| padding.clone())
    };
    array(if rows {
        Array::from_fn(lines, width, at)
    } else {
        Array::from_fn(width, lines, |row, col| at(col, row))
    })
}

fn choose_lines(a: &Args<'_>, rows: bool) -> Answer {
    let elements = a.elements(0)?;
    let (height, width) = a.cx.shape_of(&elements);
    let size = if rows { height } else { width } as f64;
    let mut lines = Vec::new();
    for index in 1..a.len() {
        for value in a.array(index)?.values() {
            let at = coerce::number(value, a.cx.region())?.trunc();
            if at == 0.0 || at.abs() > size {
                return fail(ErrorKind::Value);
            }
            lines.push(if at > 0.0 { at as usize - 1 } else { (size + at) as usize });
        }
    }
    if rows {
        return array(pick_rows(&*a.cx.array_of(&elements)?, &lines));
    }
    a.cx.by_parts(&[elements], true, &mut |ops| {
        let source = a.cx.array_of(ops.first().unwrap_or(&Operand::Missing))?;
        Ok(Arc::new(pick_cols(&source, &lines)))
    })
}
