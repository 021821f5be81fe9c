//! Sums, counts and averages of the cells that meet criteria.

use std::rc::Rc;

use super::super::{Category, Function, MANY, def};
use crate::address::{Area, MAX_COLS, MAX_ROWS};
use crate::ast::Operator;
use crate::criteria::{Criterion, Wanted};
use crate::eval::args::{Args, fail, num};
use crate::eval::index::{Fold, Index, Question, Sameness};
use crate::eval::{Answer, Cx, Operand, Stop};
use crate::key::Key;
use crate::value::{ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("SUMIF", "RER", 2, 3, |a| with_if(a, Fold::Total)),
    def("AVERAGEIF", "RER", 2, 3, |a| with_if(a, Fold::Average)).category(Category::Statistical),
    def("COUNTIF", "RE", 2, 2, |a| answered(a, Fold::Count, a.area(0)?, &[(0, 1)]))
        .category(Category::Statistical),
    def("SUMIFS", "RRERERERERERERERERERERERERERERERERERERERERERERERERERERERERERE", 3, MANY, |a| {
        with_ifs(a, Fold::Total)
    }),
    def("AVERAGEIFS", "RRERERERERERERERERERERERERERERERERERERERERERERERERERERERERERE", 3, MANY, |a| {
        with_ifs(a, Fold::Average)
    })
    .category(Category::Statistical),
    def("MAXIFS", "RRERERERERERERERERERERERERERERERERERERERERERERERERERERERERERE", 3, MANY, |a| {
        with_ifs(a, Fold::Most)
    })
    .category(Category::Statistical),
    def("MINIFS", "RRERERERERERERERERERERERERERERERERERERERERERERERERERERERERERE", 3, MANY, |a| {
        with_ifs(a, Fold::Least)
    })
    .category(Category::Statistical),
    def("COUNTIFS", "RERERERERERERERERERERERERERERERERERERERERERERERERERERERERERE", 2, MANY, |a| {
        let pairs: Vec<(usize, usize)> = (0..a.len() / 2).map(|pair| (pair * 2, pair * 2 + 1)).collect();
        answered(a, Fold::Count, a.area(0)?, &pairs)
    })
    .category(Category::Statistical),
];

/// The answer to one question, as given before if it was asked before.
fn answered(a: &Args<'_>, fold: Fold, target: Area, pairs: &[(usize, usize)]) -> Answer {
    let indexes = a.cx.indexes;
    if !indexes.keeps_answers() {
        return folded(a, fold, target, pairs);
    }
    let mut tests = Vec::with_capacity(pairs.len());
    for (range, criterion) in pairs {
        let key = match a.value(*criterion) {
            Value::Number(number) => Key::number(number),
            Value::Text(text) => Key::Text(text),
            Value::Bool(flag) => Key::Bool(flag),
            Value::Blank | Value::Error(_) => return folded(a, fold, target, pairs),
        };
        let Ok(area) = a.area(*range) else { return folded(a, fold, target, pairs) };
        tests.push((area, key));
    }
    let question = Question { fold, target, tests };
    if let Some(known) = indexes.answer(&question) {
        return Ok(Operand::Value(known));
    }
    let answer = folded(a, fold, target, pairs);
    if let Ok(Operand::Value(value)) = &answer {
        indexes.remember(question, value.clone());
    }
    answer
}

fn folded(a: &Args<'_>, fold: Fold, target: Area, pairs: &[(usize, usize)]) -> Answer {
    let found = found(a, pairs)?;
    if fold == Fold::Count {
        return num(found.count());
    }
    let numbers = numbers_at(a.cx, target, &found)?;
    match fold {
        Fold::Average if numbers.is_empty() => fail(ErrorKind::Div0),
        Fold::Average => num(numbers.iter().sum::<f64>() / numbers.len() as f64),
        Fold::Most => num(numbers.iter().copied().reduce(f64::max).unwrap_or(0.0)),
        Fold::Least => num(numbers.iter().copied().reduce(f64::min).unwrap_or(0.0)),
        Fold::Total | Fold::Count => num(numbers.iter().sum()),
    }
}

/// Cells that pass every test, as positions in the (clipped) ranges.
struct MatchingCells {
    cols: u32,
    positions: Vec<u32>,
    /// Cells beyond the sheets' used part that pass too, because they are blank.
    beyond: f64,
}

impl MatchingCells {
    fn count(&self) -> f64 {
        self.positions.len() as f64 + self.beyond
    }
}

fn found(a: &Args<'_>, pairs: &[(usize, usize)]) -> Result<MatchingCells, Stop> {
    let cx = a.cx;
    let mut tests = Vec::with_capacity(pairs.len());
    let mut shape = None;
    for (range, criterion) in pairs {
        let area = a.area(*range)?;
        if *shape.get_or_insert((area.rows(), area.cols())) != (area.rows(), area.cols()) {
            return fail(ErrorKind::Value);
        }
        tests.push((area, Criterion::parse(&a.value(*criterion), cx.region())));
    }
    let (rows, cols) = shape.unwrap_or((1, 1));
    let mut beyond = 0.0;
    let clipped = tests.first().map_or((1, 1), |(area, _)| {
        let clipped = cx.clip(*area);
        (clipped.rows(), clipped.cols())
    });
    if clipped != (rows, cols) {
        if tests.iter().all(|(_, criterion)| criterion.matches_blank()) {
            beyond = rows as f64 * cols as f64 - clipped.0 as f64 * clipped.1 as f64;
        }
        for (area, _) in &mut tests {
            area.bottom = area.top + clipped.0 as u32 - 1;
            area.right = area.left + clipped.1 as u32 - 1;
        }
    }
    // The tests that an index answers go first, the one that leaves the least to look at before all.
    let mut known: Vec<(Rc<Index>, u32)> = Vec::new();
    let mut rest = Vec::with_capacity(tests.len());
    for test in tests {
        match indexed(cx, test.0, &test.1) {
            Some(found) => known.push(found),
            None => rest.push(test),
        }
    }
    let rarest = known.iter().min_by_key(|(index, group)| index.positions(*group).len());
    let mut positions: Option<Vec<u32>> = rarest.map(|(index, group)| {
        let all = index.positions(*group).iter().copied();
        all.filter(|at| known.iter().all(|(index, group)| index.group_at(*at) == *group)).collect()
    });
    for (area, criterion) in rest {
        positions = Some(match positions {
            None => scan(cx, area, &criterion),
            Some(positions) => narrow(cx, area, &criterion, positions),
        });
    }
    Ok(MatchingCells { cols: clipped.1 as u32, positions: positions.unwrap_or_default(), beyond })
}

/// The index of an area and the group of the values that pass; a group that nothing is in if there is none.
fn indexed(cx: &Cx<'_>, area: Area, criterion: &Criterion) -> Option<(Rc<Index>, u32)> {
    if criterion.operator != Operator::Equal {
        return None;
    }
    let key = match &criterion.wanted {
        Wanted::Number(number) => Key::number(*number),
        Wanted::Text(text) => Key::Text(text.as_str().into()),
        Wanted::Bool(flag) => Key::Bool(*flag),
        _ => return None,
    };
    let index = cx.indexes.get(cx, area, Sameness::Criteria)?;
    let group = index.group(&key).unwrap_or(u32::MAX);
    Some((index, group))
}

fn scan(cx: &Cx<'_>, area: Area, criterion: &Criterion) -> Vec<u32> {
    let cols = area.cols() as u32;
    let mut positions = Vec::new();
    if criterion.matches_blank() {
        let mut failed = Vec::new();
        cx.visit(area, &mut |row, col, value| {
            if !criterion.matches(value) {
                failed.push((row - area.top) * cols + (col - area.left));
            }
        });
        failed.sort_unstable();
        let mut failed = failed.into_iter().peekable();
        for at in 0..area.rows() as u32 * cols {
            if failed.peek() == Some(&at) {
                failed.next();
            } else {
                positions.push(at);
            }
        }
        return positions;
    }
    cx.visit(area, &mut |row, col, value| {
        if criterion.matches(value) {
            positions.push((row - area.top) * cols + (col - area.left));
        }
    });
    positions
}

fn narrow(cx: &Cx<'_>, area: Area, criterion: &Criterion, mut positions: Vec<u32>) -> Vec<u32> {
    let cols = area.cols() as u32;
    if positions.len() * 4 < area.rows() * area.cols() {
        positions.retain(|at| {
            let cell = crate::address::CellRef::new(area.sheet, area.top + at / cols, area.left + at % cols);
            criterion.matches(&cx.cell(cell))
        });
        return positions;
    }
    let other = scan(cx, area, criterion);
    let mut other = other.into_iter().peekable();
    positions.retain(|at| {
        while other.peek().is_some_and(|next| next < at) {
            other.next();
        }
        other.peek() == Some(at)
    });
    positions
}

/// The numbers of `area` at the positions found.
fn numbers_at(cx: &Cx<'_>, area: Area, found: &MatchingCells) -> Result<Vec<f64>, Stop> {
    let mut numbers = Vec::with_capacity(found.positions.len());
    for at in &found.positions {
        let (row, col) = (area.top + at / found.cols, area.left + at % found.cols);
        if row >= MAX_ROWS || col >= MAX_COLS {
            continue;
        }
        match cx.cell(crate::address::CellRef::new(area.sheet, row, col)) {
            Value::Number(number) => numbers.push(number),
            Value::Error(kind) => return fail(kind),
            _ => {}
        }
    }
    Ok(numbers)
}

fn with_if(a: &Args<'_>, fold: Fold) -> Answer {
    let range = a.area(0)?;
    // Only the first corner of the sum range counts; its size is that of the tested range.
    let target = if a.given(2) {
        let corner = a.area(2)?;
        Area {
            sheet: corner.sheet,
            top: corner.top,
            left: corner.left,
            bottom: corner.top + (range.bottom - range.top),
            right: corner.left + (range.right - range.left),
        }
    } else {
        range
    };
    answered(a, fold, target, &[(0, 1)])
}

fn with_ifs(a: &Args<'_>, fold: Fold) -> Answer {
    if a.len().is_multiple_of(2) {
        return fail(ErrorKind::Value);
    }
    let target = a.area(0)?;
    let pairs: Vec<(usize, usize)> = (0..a.len() / 2).map(|pair| (pair * 2 + 1, pair * 2 + 2)).collect();
    let first = a.area(1)?;
    if (first.rows(), first.cols()) != (target.rows(), target.cols()) {
        return fail(ErrorKind::Value);
    }
    answered(a, fold, target, &pairs)
}
