//! Finding: `VLOOKUP`, `MATCH`, `XLOOKUP` and their kin.

pub(super) mod pivot;
pub(super) mod reference;

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Function, def};
use crate::address::{Area, CellRef};
use crate::coerce;
use crate::criteria::Pattern;
use crate::eval::args::{Args, array, fail, num, value};
use crate::eval::index::{self, Sameness};
use crate::eval::{Answer, Cx, Operand, Stop, Tail, Tall};
use crate::key::same_text;
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("VLOOKUP", "VRVV", 3, 4, |a| table_lookup(a, Way::Down)),
    def("HLOOKUP", "VRVV", 3, 4, |a| table_lookup(a, Way::Across)),
    def("LOOKUP", "VAA", 2, 3, lookup),
    def("MATCH", "VRV", 2, 3, match_),
    def("XMATCH", "VAVV", 2, 4, |a| {
        let line = Line::new(a, 1)?;
        let at = find(a, &line, a.int_default(2, 0.0)?, a.int_default(3, 1.0)?)?;
        num(at as f64 + 1.0)
    }),
    def("XLOOKUP", "VAARVV", 3, 6, xlookup),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Down,
    Across,
}

/// One row or column to look in.
pub(super) struct Line {
    source: Source,
    way: Way,
    len: usize,
}

enum Source {
    Area(Area),
    Array(Arc<Array>),
    Tall(Arc<Tall>),
}

impl Line {
    /// A whole argument, which must be one row or one column.
    fn new(a: &Args<'_>, index: usize) -> Result<Line, Stop> {
        match a.op(index) {
            Operand::Area(area) => {
                let area = within(a.cx, *area);
                let way = if area.cols() == 1 { Way::Down } else { Way::Across };
                if area.cols() != 1 && area.rows() != 1 {
                    return fail(ErrorKind::NotAvailable);
                }
                Ok(Line { source: Source::Area(area), way, len: area.rows().max(area.cols()) })
            }
            Operand::Areas(_) => fail(ErrorKind::NotAvailable),
            Operand::Tall(tall) if tall.cols() == 1 => {
                Ok(Line { len: tall.rows, source: Source::Tall(tall.clone()), way: Way::Down })
            }
            _ => {
                let array = a.array(index)?;
                if array.cols() != 1 && array.rows() != 1 {
                    return fail(ErrorKind::NotAvailable);
                }
                let way = if array.cols() == 1 { Way::Down } else { Way::Across };
                Ok(Line { len: array.len(), source: Source::Array(array), way })
            }
        }
    }

    /// The first column or row of a table.
    fn edge(cx: &Cx<'_>, operand: &Operand, way: Way) -> Result<Line, Stop> {
        match operand {
            Operand::Area(area) => {
                let area = within(cx, *area);
                let (edge, len) = match way {
                    Way::Down => (Area { right: area.left, ..area }, area.rows()),
                    Way::Across => (Area { bottom: area.top, ..area }, area.cols()),
                };
                Ok(Line { source: Source::Area(edge), way, len })
            }
            Operand::Value(Value::Error(kind)) => fail(*kind),
            Operand::Areas(_) => fail(ErrorKind::Value),
            other => {
                let array = cx.array_of(other)?;
                let len = if way == Way::Down { array.rows() } else { array.cols() };
                Ok(Line { source: Source::Array(array), way, len })
            }
        }
    }

    fn get(&self, cx: &Cx<'_>, at: usize) -> Value {
        let (row, col) = if self.way == Way::Down { (at, 0) } else { (0, at) };
        match &self.source {
            Source::Area(area) => {
                cx.cell(CellRef::new(area.sheet, area.top + row as u32, area.left + col as u32))
            }
            Source::Array(array) => array.value_at(row, col),
            Source::Tall(tall) => tall.value_at(row, col),
        }
    }

    /// Every value that is not blank, in order. Of a whole column the rows that are all alike are the first and the
    /// last of them.
    fn each(&self, cx: &Cx<'_>, each: &mut dyn FnMut(usize, &Value)) {
        match &self.source {
            Source::Area(area) => cx.visit(*area, &mut |row, col, value| {
                each(if self.way == Way::Down { row - area.top } else { col - area.left } as usize, value);
            }),
            Source::Array(array) => {
                // Whoever asked hears of too much work at the next call.
                let _ = cx.charge(self.len);
                for at in 0..self.len {
                    let (row, col) = if self.way == Way::Down { (at, 0) } else { (0, at) };
                    if let Some(value) = array.get(row, col)
                        && !value.is_blank()
                    {
                        each(at, value);
                    }
                }
            }
            Source::Tall(tall) => {
                let held = tall.head.rows();
                let _ = cx.charge(held);
                let below = match tall.tail {
                    Tail::Alike(_) if self.len > held + 1 => held..held + 1,
                    _ => held..self.len,
                };
                for at in (0..held).chain(below).chain(held.max(self.len - 1)..self.len) {
                    let value = tall.value_at(at, 0);
                    if !value.is_blank() {
                        each(at, &value);
                    }
                }
            }
        }
    }
}

/// Nothing is found below a sheet's last used row.
fn within(cx: &Cx<'_>, area: Area) -> Area {
    cx.clip(area)
}

/// The first (or last) value equal to the wanted one.
fn exact(cx: &Cx<'_>, line: &Line, wanted: &Value, wildcards: bool, from_end: bool) -> Option<usize> {
    if let Value::Text(text) = wanted
        && wildcards
        && text.contains(['*', '?', '~'])
    {
        let pattern = Pattern::new(text);
        let mut found = None;
        line.each(cx, &mut |at, value| {
            if (found.is_none() || from_end)
                && let Value::Text(text) = value
                && pattern.matches(text)
            {
                found = Some(at);
            }
        });
        return found;
    }
    if let Source::Area(area) = &line.source
        && let Some(index) = cx.indexes.get(cx, *area, Sameness::Lookup)
    {
        let key = index::key(wanted, Sameness::Lookup)?;
        return if from_end { index.last(&key) } else { index.first(&key) };
    }
    if let Source::Array(array) = &line.source
        && (array.rows() == 1 || array.cols() == 1)
        && let Some(index) = cx.index_of(array)
    {
        let key = index::key(wanted, Sameness::Lookup)?;
        return if from_end { index.last(&key) } else { index.first(&key) };
    }
    let mut found = None;
    line.each(cx, &mut |at, value| {
        if (found.is_none() || from_end) && same(value, wanted) {
            found = Some(at);
        }
    });
    found
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Text(a), Value::Text(b)) => same_text(a, b),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        _ => false,
    }
}

/// Order of two values of one type; values of different types do not compare in lookups.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
        (Value::Text(a), Value::Text(b)) => Some(coerce::compare_text(a, b)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

/// Steps of a search that are counted together.
const STRIDE: usize = 64;

/// Equal values looked at one by one.
const RUN: usize = 64;

/// The last value not beyond the wanted one, found by halving as Excel does: on data out of order the answer
/// is Excel's, not a sensible one. `falling` is for data sorted from large to small.
fn halving(cx: &Cx<'_>, line: &Line, wanted: &Value, falling: bool) -> Option<usize> {
    let (mut low, mut high) = (0, line.len);
    let mut best = None;
    while low < high {
        let middle = (low + high - 1) / 2;
        // Values of another type are stepped over.
        let mut at = middle;
        let mut compared = order(&line.get(cx, at), wanted);
        while compared.is_none() && at + 1 < high {
            at += 1;
            compared = order(&line.get(cx, at), wanted);
        }
        match compared {
            None => high = middle,
            Some(order) => {
                let order = if falling { order.reverse() } else { order };
                match order {
                    Ordering::Greater => high = middle,
                    Ordering::Less => {
                        best = Some(at);
                        low = at + 1;
                    }
                    // An equal value ends the search at the last of its run. A long run is data in order.
                    Ordering::Equal => {
                        let run = (at + 1..high.min(at + RUN))
                            .take_while(|next| same(&line.get(cx, *next), wanted))
                            .last()
                            .unwrap_or(at);
                        if run + 1 < at + RUN {
                            return Some(run);
                        }
                        best = Some(run);
                        low = run + 1;
                    }
                }
            }
        }
    }
    best
}

fn approximate(cx: &Cx<'_>, line: &Line, wanted: &Value) -> Option<usize> {
    halving(cx, line, wanted, false)
}

/// What is looked for: a blank is zero.
fn wanted(a: &Args<'_>) -> Result<Value, Stop> {
    Ok(match a.sound(0)? {
        Value::Blank => Value::Number(0.0),
        value => value,
    })
}

fn table_lookup(a: &Args<'_>, way: Way) -> Answer {
    let wanted = wanted(a)?;
    let line = Line::edge(a.cx, a.op(1), way)?;
    let column = a.int(2)?;
    let close = if a.has(3) { a.flag(3)? } else { true };
    let found =
        if close { approximate(a.cx, &line, &wanted) } else { exact(a.cx, &line, &wanted, true, false) };
    // Not finding comes before a wrong column.
    let Some(at) = found else { return fail(ErrorKind::NotAvailable) };
    if column < 1.0 {
        return fail(ErrorKind::Value);
    }
    let (rows, cols) = shape(a, 1)?;
    let width = if way == Way::Down { cols } else { rows };
    if column > width as f64 {
        return fail(ErrorKind::Ref);
    }
    let across = column as usize - 1;
    let (row, col) = if way == Way::Down { (at, across) } else { (across, at) };
    element(a, 1, row, col)
}

fn shape(a: &Args<'_>, index: usize) -> Result<(usize, usize), Stop> {
    match a.op(index) {
        Operand::Area(area) => Ok((area.rows(), area.cols())),
        Operand::Tall(tall) => Ok((tall.rows, tall.cols())),
        _ => {
            let array = a.array(index)?;
            Ok((array.rows(), array.cols()))
        }
    }
}

/// One element of an argument; a cell of a range stays a reference.
fn element(a: &Args<'_>, index: usize, row: usize, col: usize) -> Answer {
    match a.op(index) {
        Operand::Area(area) => {
            let cell = CellRef::new(area.sheet, area.top + row as u32, area.left + col as u32);
            Ok(Operand::Area(Area::cell(cell)))
        }
        Operand::Tall(tall) => value(tall.value_at(row, col)),
        _ => match a.array(index)?.get(row, col) {
            Some(found) => value(found.clone()),
            None => fail(ErrorKind::Ref),
        },
    }
}

fn lookup(a: &Args<'_>) -> Answer {
    let wanted = wanted(a)?;
    let (rows, cols) = shape(a, 1)?;
    // A table wider than tall is searched in its first row, otherwise in its first column.
    let way = if cols > rows { Way::Across } else { Way::Down };
    let line = Line::edge(a.cx, a.op(1), way)?;
    let Some(at) = approximate(a.cx, &line, &wanted) else { return fail(ErrorKind::NotAvailable) };
    if a.given(2) {
        let (rows, cols) = shape(a, 2)?;
        if rows != 1 && cols != 1 {
            return fail(ErrorKind::NotAvailable);
        }
        // A result given as one cell or short range goes on in its own direction.
        let across = if rows == 1 && cols == 1 { way == Way::Across } else { rows == 1 };
        let (row, col) = if across { (0, at) } else { (at, 0) };
        if let Operand::Array(array) = a.op(2)
            && array.get(row, col).is_none()
        {
            return fail(ErrorKind::NotAvailable);
        }
        return element(a, 2, row, col);
    }
    let (row, col) = if way == Way::Down { (at, cols - 1) } else { (rows - 1, at) };
    element(a, 1, row, col)
}

fn match_(a: &Args<'_>) -> Answer {
    let wanted = a.sound(0)?;
    let kind = if a.given(2) {
        a.number(2)?
    } else if a.has(2) {
        0.0
    } else {
        1.0
    };
    let line = Line::new(a, 1)?;
    // An empty cell is looked for as zero, but a missing argument finds nothing.
    let wanted = if wanted.is_blank() { Value::Number(0.0) } else { wanted };
    let found = if kind == 0.0 {
        exact(a.cx, &line, &wanted, true, false)
    } else if kind > 0.0 {
        approximate(a.cx, &line, &wanted)
    } else {
        descending(a.cx, &line, &wanted)
    };
    match found {
        Some(at) => num(at as f64 + 1.0),
        None => fail(ErrorKind::NotAvailable),
    }
}

/// `MATCH(.., -1)`: the last value before they fall below the wanted one; of equal ones the first.
fn descending(cx: &Cx<'_>, line: &Line, wanted: &Value) -> Option<usize> {
    let mut best = None;
    for at in 0..line.len {
        // Whoever asked hears of too much work at the next call.
        if at % STRIDE == STRIDE - 1 && cx.charge(STRIDE).is_err() {
            return None;
        }
        match order(&line.get(cx, at), wanted) {
            None => {}
            Some(Ordering::Greater) => best = Some(at),
            Some(Ordering::Equal) => return Some(at),
            Some(Ordering::Less) => break,
        }
    }
    best
}

/// `XMATCH` and `XLOOKUP`: where it is, or `#N/A`.
fn find(a: &Args<'_>, line: &Line, mode: f64, direction: f64) -> Result<usize, Stop> {
    let wanted = a.sound(0)?;
    let cx = a.cx;
    let not_found = || Stop::Error(ErrorKind::NotAvailable);
    if !(-1.0..=2.0).contains(&mode) && mode != 3.0 {
        return fail(ErrorKind::Value);
    }
    if wanted.is_blank() {
        // Unlike MATCH, an empty cell finds an empty cell.
        let mut filled = vec![false; line.len];
        line.each(cx, &mut |at, value| {
            let empty = matches!(value, Value::Text(text) if text.is_empty());
            if let Some(slot) = filled.get_mut(at) {
                *slot = !empty;
            }
        });
        if let Source::Tall(tall) = &line.source
            && !tall.ends_blank()
        {
            filled.iter_mut().skip(tall.head.rows()).for_each(|slot| *slot = true);
        }
        let found =
            if direction < 0.0 { filled.iter().rposition(|f| !f) } else { filled.iter().position(|f| !f) };
        return found.ok_or_else(not_found);
    }
    match direction as i64 {
        2 | -2 => {
            let falling = direction < 0.0;
            let best = halving(cx, line, &wanted, falling);
            if let Some(at) = best
                && same(&line.get(cx, at), &wanted)
            {
                // Halving ends on the last of equal values; the first is wanted.
                let mut first = at;
                while first > 0 && same(&line.get(cx, first - 1), &wanted) {
                    first -= 1;
                }
                return Ok(if falling { at } else { first });
            }
            // The nearest value before and after the place where it would be.
            let after = best.map_or(0, |at| at + 1);
            let (smaller, larger) = if falling {
                ((after < line.len).then_some(after), best)
            } else {
                (best, (after < line.len).then_some(after))
            };
            match mode as i64 {
                -1 => smaller.ok_or_else(not_found),
                1 => larger.ok_or_else(not_found),
                _ => Err(not_found()),
            }
        }
        1 | -1 => {
            let from_end = direction < 0.0;
            if mode == 3.0 {
                let pattern = super::text::split::compiled(&regex::RegexBuilder::new(&a.text(0)?))?;
                let mut found = None;
                line.each(cx, &mut |at, value| {
                    if (found.is_none() || from_end)
                        && let Ok(text) = coerce::plain_text(value)
                        && pattern.is_match(&text)
                    {
                        found = Some(at);
                    }
                });
                return found.ok_or_else(not_found);
            }
            if let Some(at) = exact(cx, line, &wanted, mode == 2.0, from_end) {
                return Ok(at);
            }
            if mode != -1.0 && mode != 1.0 {
                return Err(not_found());
            }
            // Next smaller or next larger, in data of any order.
            let side = if mode < 0.0 { Ordering::Less } else { Ordering::Greater };
            let mut best: Option<(usize, Value)> = None;
            line.each(cx, &mut |at, value| {
                if order(value, &wanted) != Some(side) {
                    return;
                }
                let better = match &best {
                    None => true,
                    Some((_, known)) => match order(value, known) {
                        Some(found) => found == side.reverse() || (from_end && found == Ordering::Equal),
                        None => false,
                    },
                };
                if better {
                    best = Some((at, value.clone()));
                }
            });
            best.map(|(at, _)| at).ok_or_else(not_found)
        }
        _ => fail(ErrorKind::Value),
    }
}

fn xlookup(a: &Args<'_>) -> Answer {
    let line = Line::new(a, 1)?;
    let (rows, cols) = shape(a, 2)?;
    let whole = match a.op(1) {
        Operand::Area(area) => {
            if line.way == Way::Down {
                area.rows()
            } else {
                area.cols()
            }
        }
        _ => line.len,
    };
    if (line.way == Way::Down && rows != whole) || (line.way == Way::Across && cols != whole) {
        return fail(ErrorKind::Value);
    }
    match find(a, &line, a.int_default(4, 0.0)?, a.int_default(5, 1.0)?) {
        Ok(at) => {
            // A row or column of the result is what was found.
            match (line.way, a.op(2)) {
                (Way::Down, Operand::Area(area)) => {
                    let row = area.top + at as u32;
                    Ok(Operand::Area(Area { top: row, bottom: row, ..*area }))
                }
                (Way::Across, Operand::Area(area)) => {
                    let col = area.left + at as u32;
                    Ok(Operand::Area(Area { left: col, right: col, ..*area }))
                }
                (Way::Down, Operand::Tall(tall)) => Ok(Operand::Array(tall.row(at))),
                (way, _) => {
                    let results = a.array(2)?;
                    if way == Way::Down {
                        array(Array::row(results.row_values(at).to_vec()))
                    } else {
                        array(Array::from_fn(results.rows(), 1, |row, _| results.value_at(row, at)))
                    }
                }
            }
        }
        Err(Stop::Error(ErrorKind::NotAvailable)) if a.given(3) => Ok(a.op(3).clone()),
        Err(stop) => Err(stop),
    }
}
