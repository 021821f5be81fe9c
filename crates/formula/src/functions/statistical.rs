//! Counting, averaging, spread. Distributions, ranks and regressions have files of their own.

pub(super) mod distribution;
pub(super) mod ets;
pub(super) mod rank;
pub(super) mod regression;
pub(super) mod special;

use super::{Function, MANY, def};
use crate::coerce;
use crate::eval::args::{Args, Origin, array, fail, num};
use crate::eval::index::Fold;
use crate::eval::{Answer, Operand, Stop};
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("AVERAGE", "R", 1, MANY, |a| average(&a.numbers(0)?)).folds(Fold::Average),
    def("AVERAGEA", "R", 1, MANY, |a| average(&all_numbers(a)?)),
    def("COUNT", "R", 1, MANY, count).folds(Fold::Count),
    def("COUNTA", "R", 1, MANY, count_a),
    def("COUNTBLANK", "R", 1, 1, count_blank),
    def("MAX", "R", 1, MANY, |a| {
        let mut found = f64::NEG_INFINITY;
        a.each_number(0, &mut |n| found = found.max(n))?;
        num(if found == f64::NEG_INFINITY { 0.0 } else { found })
    })
    .folds(Fold::Most),
    def("MIN", "R", 1, MANY, |a| {
        let mut found = f64::INFINITY;
        a.each_number(0, &mut |n| found = found.min(n))?;
        num(if found == f64::INFINITY { 0.0 } else { found })
    })
    .folds(Fold::Least),
    def("MAXA", "R", 1, MANY, |a| num(all_numbers(a)?.into_iter().reduce(f64::max).unwrap_or(0.0))),
    def("MINA", "R", 1, MANY, |a| num(all_numbers(a)?.into_iter().reduce(f64::min).unwrap_or(0.0))),
    def("MEDIAN", "R", 1, MANY, |a| median(a.numbers(0)?)),
    def("MODE", "R", 1, MANY, |a| mode(&counted(a)?)),
    def("MODE.SNGL", "R", 1, MANY, |a| mode(&counted(a)?)),
    def("MODE.MULT", "R", 1, MANY, |a| {
        let modes = modes(&a.numbers(0)?);
        if modes.is_empty() {
            fail(ErrorKind::NotAvailable)
        } else {
            array(Array::column(modes.into_iter().map(Value::Number).collect()))
        }
    }),
    def("VAR", "R", 1, MANY, |a| variance(&a.numbers(0)?, Of::Sample).and_then(num)),
    def("VAR.S", "R", 1, MANY, |a| variance(&a.numbers(0)?, Of::Sample).and_then(num)),
    def("VARP", "R", 1, MANY, |a| variance(&a.numbers(0)?, Of::Population).and_then(num)),
    def("VAR.P", "R", 1, MANY, |a| variance(&a.numbers(0)?, Of::Population).and_then(num)),
    def("VARA", "R", 1, MANY, |a| variance(&all_numbers(a)?, Of::Sample).and_then(num)),
    def("VARPA", "R", 1, MANY, |a| variance(&all_numbers(a)?, Of::Population).and_then(num)),
    def("STDEV", "R", 1, MANY, |a| deviation(&a.numbers(0)?, Of::Sample)),
    def("STDEV.S", "R", 1, MANY, |a| deviation(&a.numbers(0)?, Of::Sample)),
    def("STDEVP", "R", 1, MANY, |a| deviation(&a.numbers(0)?, Of::Population)),
    def("STDEV.P", "R", 1, MANY, |a| deviation(&a.numbers(0)?, Of::Population)),
    def("STDEVA", "R", 1, MANY, |a| deviation(&all_numbers(a)?, Of::Sample)),
    def("STDEVPA", "R", 1, MANY, |a| deviation(&all_numbers(a)?, Of::Population)),
    def("DEVSQ", "R", 1, MANY, |a| {
        let numbers = a.numbers(0)?;
        if numbers.is_empty() { fail(ErrorKind::Num) } else { num(squares(&numbers)) }
    }),
    def("AVEDEV", "R", 1, MANY, |a| {
        let numbers = a.numbers(0)?;
        if numbers.is_empty() {
            return fail(ErrorKind::Num);
        }
        let mean = mean(&numbers);
        num(numbers.iter().map(|n| (n - mean).abs()).sum::<f64>() / numbers.len() as f64)
    }),
    def("GEOMEAN", "R", 1, MANY, |a| {
        let numbers = a.numbers(0)?;
        if numbers.is_empty() || numbers.iter().any(|n| *n <= 0.0) {
            return fail(ErrorKind::Num);
        }
        num((numbers.iter().map(|n| n.ln()).sum::<f64>() / numbers.len() as f64).exp())
    }),
    def("HARMEAN", "R", 1, MANY, |a| {
        let numbers = a.numbers(0)?;
        if numbers.is_empty() || numbers.iter().any(|n| *n <= 0.0) {
            return fail(ErrorKind::Num);
        }
        num(numbers.len() as f64 / numbers.iter().map(|n| 1.0 / n).sum::<f64>())
    }),
    def("SKEW", "R", 1, MANY, |a| {
        let numbers = a.numbers(0)?;
        let n = numbers.len() as f64;
        if n < 3.0 {
            return fail(ErrorKind::Div0);
        }
        let spread = variance(&numbers, Of::Sample)?.sqrt();
        if spread == 0.0 {
            return fail(ErrorKind::Div0);
        }
        let mean = mean(&numbers);
        let cubes: f64 = numbers.iter().map(|x| ((x - mean) / spread).powi(3)).sum();
        num(n / ((n - 1.0) * (n - 2.0)) * cubes)
    }),
    def("SKEW.P", "R", 1, MANY, |a| {
        let numbers = a.numbers(0)?;
        let n = numbers.len() as f64;
        if n < 3.0 {
            return fail(ErrorKind::Div0);
        }
        let spread = variance(&numbers, Of::Population)?.sqrt();
        if spread == 0.0 {
            return fail(ErrorKind::Div0);
        }
        let mean = mean(&numbers);
        num(numbers.iter().map(|x| ((x - mean) / spread).powi(3)).sum::<f64>() / n)
    }),
    def("KURT", "R", 1, MANY, |a| {
        let numbers = a.numbers(0)?;
        let n = numbers.len() as f64;
        if n < 4.0 {
            return fail(ErrorKind::Div0);
        }
        let spread = variance(&numbers, Of::Sample)?.sqrt();
        if spread == 0.0 {
            return fail(ErrorKind::Div0);
        }
        let mean = mean(&numbers);
        let fourths: f64 = numbers.iter().map(|x| ((x - mean) / spread).powi(4)).sum();
        let correction = 3.0 * (n - 1.0) * (n - 1.0) / ((n - 2.0) * (n - 3.0));
        num(n * (n + 1.0) / ((n - 1.0) * (n - 2.0) * (n - 3.0)) * fourths - correction)
    }),
    def("STANDARDIZE", "V", 3, 3, |a| {
        let (x, mean, spread) = (a.number(0)?, a.number(1)?, a.number(2)?);
        if spread <= 0.0 { fail(ErrorKind::Num) } else { num((x - mean) / spread) }
    }),
];

/// A spread of a sample, or of everything there is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Sample,
    Population,
}

pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

pub(super) fn average(numbers: &[f64]) -> Answer {
    if numbers.is_empty() { fail(ErrorKind::Div0) } else { num(mean(numbers)) }
}

/// Squared distances from the mean, added up.
pub(super) fn squares(numbers: &[f64]) -> f64 {
    let mean = mean(numbers);
    numbers.iter().map(|n| (n - mean) * (n - mean)).sum()
}

pub(super) fn variance(numbers: &[f64], of: Of) -> Result<f64, Stop> {
    let count = numbers.len() as f64 - f64::from(u8::from(of == Of::Sample));
    if count <= 0.0 { fail(ErrorKind::Div0) } else { Ok(squares(numbers) / count) }
}

fn deviation(numbers: &[f64], of: Of) -> Answer {
    num(variance(numbers, of)?.sqrt())
}

pub(super) fn median(mut numbers: Vec<f64>) -> Answer {
    if numbers.is_empty() {
        return fail(ErrorKind::Num);
    }
    numbers.sort_by(f64::total_cmp);
    percentile_inc(&numbers, 0.5)
}

/// The numbers of `MODE`, which takes nothing else where it is given one value or one cell.
fn counted(a: &Args<'_>) -> Result<Vec<f64>, Stop> {
    for index in 0..a.len() {
        let single = match a.op(index) {
            Operand::Area(area) => area.rows() == 1 && area.cols() == 1,
            Operand::Value(_) => true,
            _ => false,
        };
        if single && !matches!(a.sound(index)?, Value::Number(_)) {
            return fail(ErrorKind::Value);
        }
    }
    a.numbers(0)
}

pub(super) fn mode(numbers: &[f64]) -> Answer {
    match modes(numbers).first() {
        Some(mode) => num(*mode),
        None => fail(ErrorKind::NotAvailable),
    }
}

/// The most frequent numbers, in the order they first occur; none when all occur once.
fn modes(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut best = 1;
    let mut winners: Vec<f64> = Vec::new();
    for group in sorted.chunk_by(|a, b| a == b) {
        let Some(first) = group.first() else { continue };
        if group.len() > best {
            best = group.len();
            winners = vec![*first];
        } else if group.len() == best && best > 1 {
            winners.push(*first);
        }
    }
    let place = |n: &f64| numbers.iter().position(|m| m == n);
    winners.sort_by_key(place);
    winners
}

pub(super) fn large(sorted: &[f64], k: f64) -> Answer {
    if k < 1.0 || k.ceil() > sorted.len() as f64 {
        return fail(ErrorKind::Num);
    }
    let k = k.ceil();
    sorted.get(sorted.len() - k as usize).map_or_else(|| fail(ErrorKind::Num), |n| num(*n))
}

pub(super) fn small(sorted: &[f64], k: f64) -> Answer {
    if k < 1.0 || k.ceil() > sorted.len() as f64 {
        return fail(ErrorKind::Num);
    }
    let k = k.ceil();
    sorted.get(k as usize - 1).map_or_else(|| fail(ErrorKind::Num), |n| num(*n))
}

pub(super) fn percentile_inc(sorted: &[f64], k: f64) -> Answer {
    if sorted.is_empty() || !(0.0..=1.0).contains(&k) {
        return fail(ErrorKind::Num);
    }
    num(between(sorted, k * (sorted.len() - 1) as f64))
}

pub(super) fn percentile_exc(sorted: &[f64], k: f64) -> Answer {
    let n = sorted.len() as f64;
    let position = k * (n + 1.0) - 1.0;
    if sorted.is_empty() || k <= 0.0 || k >= 1.0 || position < -1e-12 || position > n - 1.0 + 1e-12 {
        return fail(ErrorKind::Num);
    }
    num(between(sorted, position.clamp(0.0, n - 1.0)))
}

pub(super) fn quartile(sorted: &[f64], q: f64, percentile: fn(&[f64], f64) -> Answer) -> Answer {
    // The bounds are those of the number as it is given.
    if !(0.0..=4.0).contains(&q) { fail(ErrorKind::Num) } else { percentile(sorted, q.trunc() / 4.0) }
}

/// The value at a fractional position of a sorted list.
fn between(sorted: &[f64], position: f64) -> f64 {
    let low = position.floor() as usize;
    let part = position - position.floor();
    let at = |index: usize| sorted.get(index).or(sorted.last()).copied().unwrap_or(0.0);
    if part == 0.0 { at(low) } else { at(low) + part * (at(low + 1) - at(low)) }
}

/// Numbers as the `...A` functions see them: text in ranges is zero, logicals are one and zero.
pub(super) fn all_numbers(a: &Args<'_>) -> Result<Vec<f64>, Stop> {
    let mut numbers = Vec::new();
    let mut wrong = None;
    a.each(0, &mut |value, origin| match (value, origin) {
        (Value::Text(_), Origin::Element) => numbers.push(0.0),
        (value, _) => match coerce::number(value, a.cx.region()) {
            Ok(number) => numbers.push(number),
            Err(kind) => {
                wrong.get_or_insert(kind);
            }
        },
    });
    match wrong {
        Some(kind) => fail(kind),
        None => Ok(numbers),
    }
}

fn count(a: &Args<'_>) -> Answer {
    let mut count = 0.0;
    a.each(0, &mut |value, origin| match (value, origin) {
        (Value::Number(_), _) => count += 1.0,
        (Value::Error(_), _) | (_, Origin::Element) => {}
        (value, Origin::Direct) => count += f64::from(u8::from(coerce::number(value, a.cx.region()).is_ok())),
    });
    num(count)
}

fn count_a(a: &Args<'_>) -> Answer {
    let mut count = 0.0;
    a.each(0, &mut |value, origin| {
        if origin == Origin::Direct || !value.is_blank() {
            count += 1.0;
        }
    });
    num(count)
}

fn count_blank(a: &Args<'_>) -> Answer {
    let mut filled = 0.0;
    let mut total = 0.0;
    match a.op(0) {
        Operand::Array(array) => {
            total = array.len() as f64;
            filled = array.values().iter().filter(|value| !is_empty(value)).count() as f64;
        }
        _ => {
            for area in a.areas(0)? {
                total += area.rows() as f64 * area.cols() as f64;
                a.cx.visit(*area, &mut |_, _, value| {
                    if !is_empty(value) {
                        filled += 1.0;
                    }
                });
            }
        }
    }
    num(total - filled)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Blank => true,
        Value::Text(text) => text.is_empty(),
        _ => false,
    }
}
