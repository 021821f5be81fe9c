//! Order: ranks, percentiles, largest and smallest, frequencies, tests on sorted data.

use super::super::{Function, def};
use super::{Of, average, large, percentile_exc, percentile_inc, quartile, small};
use crate::eval::args::{Args, array, fail, num};
use crate::eval::{Answer, Stop};
use crate::value::{Array, ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("LARGE", "RV", 2, 2, |a| large(&sorted(a, 0)?, a.number(1)?)),
    def("SMALL", "RV", 2, 2, |a| small(&sorted(a, 0)?, a.number(1)?)),
    def("PERCENTILE", "RV", 2, 2, |a| percentile_inc(&sorted(a, 0)?, a.number(1)?)),
    def("PERCENTILE.INC", "RV", 2, 2, |a| percentile_inc(&sorted(a, 0)?, a.number(1)?)),
    def("PERCENTILE.EXC", "RV", 2, 2, |a| percentile_exc(&sorted(a, 0)?, a.number(1)?)),
    def("QUARTILE", "RV", 2, 2, |a| quartile(&sorted(a, 0)?, a.number(1)?, percentile_inc)),
    def("QUARTILE.INC", "RV", 2, 2, |a| quartile(&sorted(a, 0)?, a.number(1)?, percentile_inc)),
    def("QUARTILE.EXC", "RV", 2, 2, |a| quartile(&sorted(a, 0)?, a.number(1)?, percentile_exc)),
    def("PERCENTRANK", "RVV", 2, 3, |a| percent_rank(a, false)),
    def("PERCENTRANK.INC", "RVV", 2, 3, |a| percent_rank(a, false)),
    def("PERCENTRANK.EXC", "RVV", 2, 3, |a| percent_rank(a, true)),
    def("RANK", "VRV", 2, 3, |a| rank(a, false)),
    def("RANK.EQ", "VRV", 2, 3, |a| rank(a, false)),
    def("RANK.AVG", "VRV", 2, 3, |a| rank(a, true)),
    def("TRIMMEAN", "RV", 2, 2, |a| {
        let (numbers, share) = (sorted(a, 0)?, a.number(1)?);
        if !(0.0..1.0).contains(&share) || numbers.is_empty() {
            return fail(ErrorKind::Num);
        }
        // Whole pairs are cut, one from each end.
        let cut = (numbers.len() as f64 * share / 2.0 + 1e-12).floor() as usize;
        average(&numbers[cut..numbers.len() - cut])
    }),
    def("FREQUENCY", "AA", 2, 2, frequency),
    def("PROB", "AAVV", 3, 4, prob),
    def("COVAR", "AA", 2, 2, |a| covariance(a, Of::Population)),
    def("COVARIANCE.P", "AA", 2, 2, |a| covariance(a, Of::Population)),
    def("COVARIANCE.S", "AA", 2, 2, |a| covariance(a, Of::Sample)),
    def("CORREL", "AA", 2, 2, |a| num(correlation(&pairs(a, 0, 1)?)?)),
    def("PEARSON", "AA", 2, 2, |a| num(correlation(&pairs(a, 0, 1)?)?)),
    def("RSQ", "AA", 2, 2, |a| num(correlation(&pairs(a, 0, 1)?)?.powi(2))),
    def("FISHER", "V", 1, 1, |a| match a.number(0)? {
        x if x.abs() >= 1.0 => fail(ErrorKind::Num),
        x => num(x.atanh()),
    }),
    def("FISHERINV", "V", 1, 1, |a| num(a.number(0)?.tanh())),
];

pub(super) fn sorted(a: &Args<'_>, index: usize) -> Result<Vec<f64>, Stop> {
    let mut numbers = a.numbers_of(index)?;
    numbers.sort_by(f64::total_cmp);
    Ok(numbers)
}

fn percent_rank(a: &Args<'_>, exclusive: bool) -> Answer {
    let (numbers, x, digits) = (sorted(a, 0)?, a.number(1)?, a.int_default(2, 3.0)?);
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return fail(ErrorKind::Num) };
    if digits < 1.0 {
        return fail(ErrorKind::Num);
    }
    if x < *first || x > *last {
        return fail(ErrorKind::NotAvailable);
    }
    let below = numbers.iter().filter(|n| **n < x).count();
    let position = match numbers.get(below) {
        Some(n) if *n == x => below as f64,
        Some(upper) => {
            let lower = numbers.get(below.saturating_sub(1)).copied().unwrap_or(*first);
            below as f64 - 1.0 + (x - lower) / (upper - lower)
        }
        None => return fail(ErrorKind::NotAvailable),
    };
    let n = numbers.len() as f64;
    let rank = if exclusive {
        (position + 1.0) / (n + 1.0)
    } else if n == 1.0 {
        1.0
    } else {
        position / (n - 1.0)
    };
    let scale = 10f64.powf(digits);
    num((rank * scale + 1e-9).floor() / scale)
}

fn rank(a: &Args<'_>, average: bool) -> Answer {
    let (x, ascending) = (a.number(0)?, a.number_default(2, 0.0)? != 0.0);
    a.areas(1)?;
    let numbers = a.numbers_of(1)?;
    let same = numbers.iter().filter(|n| **n == x).count();
    if same == 0 {
        return fail(ErrorKind::NotAvailable);
    }
    let ahead = numbers.iter().filter(|n| if ascending { **n < x } else { **n > x }).count() as f64;
    num(if average { ahead + (same as f64 + 1.0) / 2.0 } else { ahead + 1.0 })
}

fn frequency(a: &Args<'_>) -> Answer {
    let numbers = a.numbers_of(0)?;
    let mut bins = Vec::new();
    for value in a.array(1)?.values() {
        match value {
            Value::Number(number) => bins.push(*number),
            // An empty bin ends at zero.
            Value::Blank => bins.push(0.0),
            Value::Error(kind) => return fail(*kind),
            _ => {}
        }
    }
    let mut order: Vec<usize> = (0..bins.len()).collect();
    let bin = |at: usize| bins.get(at).copied().unwrap_or(0.0);
    order.sort_by(|x, y| bin(*x).total_cmp(&bin(*y)));
    let mut counts = vec![0.0; bins.len() + 1];
    for number in numbers {
        // The first bin that is not smaller; of equal bins the first written takes all.
        let place = order.partition_point(|at| bin(*at) < number);
        let slot = order.get(place).copied().unwrap_or(bins.len());
        if let Some(count) = counts.get_mut(slot) {
            *count += 1.0;
        }
    }
    array(Array::column(counts.into_iter().map(Value::Number).collect()))
}

fn prob(a: &Args<'_>) -> Answer {
    let list = pairs(a, 0, 1)?;
    let low = a.number(2)?;
    let high = a.number_or(3, low)?;
    let total: f64 = list.iter().map(|(_, p)| p).sum();
    if list.iter().any(|(_, p)| !(0.0..=1.0).contains(p)) || (total - 1.0).abs() > 1e-7 {
        return fail(ErrorKind::Num);
    }
    num(list.iter().filter(|(x, _)| *x >= low && *x <= high).map(|(_, p)| p).sum())
}

/// Two lists side by side; places where either is not a number are left out.
pub(super) fn pairs(a: &Args<'_>, first: usize, second: usize) -> Result<Vec<(f64, f64)>, Stop> {
    let (xs, ys) = (a.array(first)?, a.array(second)?);
    if xs.len() != ys.len() {
        return fail(ErrorKind::NotAvailable);
    }
    let mut list = Vec::with_capacity(xs.len());
    for (x, y) in xs.values().iter().zip(ys.values()) {
        match (x, y) {
            (Value::Error(kind), _) | (_, Value::Error(kind)) => return fail(*kind),
            (Value::Number(x), Value::Number(y)) => list.push((*x, *y)),
            _ => {}
        }
    }
    Ok(list)
}

/// Sums of squares and products about the means: (xx, yy, xy, mean x, mean y).
pub(super) fn moments(list: &[(f64, f64)]) -> (f64, f64, f64, f64, f64) {
    let n = list.len() as f64;
    let mx = list.iter().map(|(x, _)| x).sum::<f64>() / n;
    let my = list.iter().map(|(_, y)| y).sum::<f64>() / n;
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in list {
        xx += (x - mx) * (x - mx);
        yy += (y - my) * (y - my);
        xy += (x - mx) * (y - my);
    }
    (xx, yy, xy, mx, my)
}

fn covariance(a: &Args<'_>, of: Of) -> Answer {
    let list = pairs(a, 0, 1)?;
    let count = list.len() as f64 - f64::from(u8::from(of == Of::Sample));
    if count <= 0.0 {
        return fail(ErrorKind::Div0);
    }
    num(moments(&list).2 / count)
}

fn correlation(list: &[(f64, f64)]) -> Result<f64, Stop> {
    if list.len() < 2 {
        return fail(ErrorKind::Div0);
    }
    let (xx, yy, xy, _, _) = moments(list);
    if xx == 0.0 || yy == 0.0 { fail(ErrorKind::Div0) } else { Ok((xy / (xx * yy).sqrt()).clamp(-1.0, 1.0)) }
}
