//! Straight lines and exponentials through points.

use std::sync::Arc;

use super::super::{Function, def};
use super::rank::{moments, pairs};
use crate::eval::args::{Args, array, fail, num};
use crate::eval::{Answer, Operand, Stop};
use crate::value::{Array, ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("SLOPE", "AA", 2, 2, |a| num(line(a)?.0)),
    def("INTERCEPT", "AA", 2, 2, |a| num(line(a)?.1)),
    def("STEYX", "AA", 2, 2, |a| {
        let list = pairs(a, 1, 0)?;
        if list.len() < 3 {
            return fail(ErrorKind::Div0);
        }
        let (xx, yy, xy, _, _) = moments(&list);
        if xx == 0.0 {
            fail(ErrorKind::Div0)
        } else {
            num(((yy - xy * xy / xx) / (list.len() as f64 - 2.0)).sqrt())
        }
    }),
    def("FORECAST", "VAA", 3, 3, forecast),
    def("FORECAST.LINEAR", "VAA", 3, 3, forecast),
    def("LINEST", "AAVV", 1, 4, |a| fit(a, false)),
    def("LOGEST", "AAVV", 1, 4, |a| fit(a, true)),
    def("TREND", "AAAV", 1, 4, |a| predict(a, false)),
    def("GROWTH", "AAAV", 1, 4, |a| predict(a, true)),
];

/// Slope and intercept of known y's (first argument) by known x's (second).
fn line(a: &Args<'_>) -> Result<(f64, f64), Stop> {
    through(&pairs(a, 1, 0)?)
}

fn through(list: &[(f64, f64)]) -> Result<(f64, f64), Stop> {
    if list.is_empty() {
        return fail(ErrorKind::NotAvailable);
    }
    let (xx, _, xy, mx, my) = moments(list);
    if xx == 0.0 {
        return fail(ErrorKind::Div0);
    }
    let slope = xy / xx;
    Ok((slope, my - slope * mx))
}

fn forecast(a: &Args<'_>) -> Answer {
    let x = a.number(0)?;
    let (slope, intercept) = through(&pairs(a, 2, 1)?)?;
    num(intercept + slope * x)
}

/// The points of a regression: y's, and for each the x's.
struct Points {
    ys: Vec<f64>,
    xs: Vec<Vec<f64>>,
    /// Whether each variable is a row of the x's rather than a column.
    rows_are_variables: bool,
}

fn numbers(array: &Array) -> Result<Vec<f64>, Stop> {
    array
        .values()
        .iter()
        .map(|value| match value {
            Value::Number(number) => Ok(*number),
            Value::Error(kind) => fail(*kind),
            _ => fail(ErrorKind::Value),
        })
        .collect()
}

/// The x's of one array: one list per point.
fn points_of(xs: &Array, rows_are_variables: bool) -> Result<Vec<Vec<f64>>, Stop> {
    numbers(xs)?;
    let (points, variables) =
        if rows_are_variables { (xs.cols(), xs.rows()) } else { (xs.rows(), xs.cols()) };
    Ok((0..points)
        .map(|point| {
            (0..variables)
                .map(|variable| {
                    let value =
                        if rows_are_variables { xs.get(variable, point) } else { xs.get(point, variable) };
                    if let Some(Value::Number(number)) = value { *number } else { 0.0 }
                })
                .collect()
        })
        .collect())
}

fn points(a: &Args<'_>, exponential: bool) -> Result<Points, Stop> {
    let y_array = a.array(0)?;
    let mut ys = numbers(&y_array)?;
    if exponential {
        if ys.iter().any(|y| *y <= 0.0) {
            return fail(ErrorKind::Num);
        }
        ys.iter_mut().for_each(|y| *y = y.ln());
    }
    let column = y_array.cols() == 1;
    let (xs, rows_are_variables) = if a.given(1) {
        let x_array = a.array(1)?;
        if x_array.rows() == y_array.rows() && x_array.cols() == y_array.cols() {
            (numbers(&x_array)?.into_iter().map(|x| vec![x]).collect(), !column)
        } else if column && x_array.rows() == ys.len() {
            (points_of(&x_array, false)?, false)
        } else if y_array.rows() == 1 && x_array.cols() == ys.len() {
            (points_of(&x_array, true)?, true)
        } else {
            return fail(ErrorKind::Ref);
        }
    } else {
        ((1..=ys.len()).map(|x| vec![x as f64]).collect(), !column)
    };
    Ok(Points { ys, xs, rows_are_variables })
}

/// A least-squares fit.
struct Fit {
    /// One per variable, then the constant.
    coefficients: Vec<f64>,
    errors: Vec<f64>,
    r_squared: f64,
    spread: f64,
    f: f64,
    df: f64,
    regression: f64,
    residual: f64,
}

/// Fit by orthogonal reflections; a variable that others explain gets a zero.
fn least_squares(points: &Points, constant: bool) -> Fit {
    let n = points.ys.len();
    let k = points.xs.first().map_or(0, Vec::len);
    // With a constant, centring keeps the digits that large x's would cost.
    let mean_of = |pick: &dyn Fn(usize) -> f64| (0..n).map(pick).sum::<f64>() / n as f64;
    let x_at = |row: usize, col: usize| points.xs.get(row).and_then(|xs| xs.get(col)).copied().unwrap_or(0.0);
    let y_at = |row: usize| points.ys.get(row).copied().unwrap_or(0.0);
    let x_means: Vec<f64> =
        (0..k).map(|col| if constant { mean_of(&|row| x_at(row, col)) } else { 0.0 }).collect();
    let y_mean = if constant { mean_of(&y_at) } else { 0.0 };
    let mean_at = |col: usize| x_means.get(col).copied().unwrap_or(0.0);
    let mut columns: Vec<Vec<f64>> =
        (0..k).map(|col| (0..n).map(|row| x_at(row, col) - mean_at(col)).collect()).collect();
    let sizes: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    let mut target: Vec<f64> = (0..n).map(|row| y_at(row) - y_mean).collect();
    let Triangle { r, basis, projections } = triangle(&mut columns, &sizes, &mut target);
    let r_at = |row: usize, col: usize| r.get(row).and_then(|row| row.get(col)).copied().unwrap_or(0.0);
    let live: Vec<usize> = (0..k).filter(|col| basis.get(*col).is_some_and(Option::is_some)).collect();
    let solve = |right: &[f64]| {
        let mut solution = vec![0.0f64; k];
        for col in live.iter().rev() {
            let mut value = right.get(*col).copied().unwrap_or(0.0);
            for later in live.iter().filter(|later| *later > col) {
                value -= r_at(*col, *later) * solution.get(*later).copied().unwrap_or(0.0);
            }
            if let Some(slot) = solution.get_mut(*col) {
                *slot = value / r_at(*col, *col);
            }
        }
        solution
    };
    let mut coefficients = solve(&projections);
    let residual: f64 = target.iter().map(|x| x * x).sum();
    let total: f64 = (0..n).map(|row| (y_at(row) - y_mean).powi(2)).sum();
    let regression = (total - residual).max(0.0);
    let df = n as f64 - live.len() as f64 - f64::from(u8::from(constant));
    let spread = if df > 0.0 { (residual / df).sqrt() } else { 0.0 };
    // Rows of R's inverse give the errors.
    let inverse: Vec<Vec<f64>> = live
        .iter()
        .map(|col| {
            let mut unit = vec![0.0; k];
            if let Some(slot) = unit.get_mut(*col) {
                *slot = 1.0;
            }
            solve(&unit)
        })
        .collect();
    let mut errors: Vec<f64> = (0..k)
        .map(|col| {
            spread
                * inverse.iter().map(|row| row.get(col).copied().unwrap_or(0.0).powi(2)).sum::<f64>().sqrt()
        })
        .collect();
    let constant_value = if constant {
        y_mean - (0..k).map(|col| coefficients.get(col).copied().unwrap_or(0.0) * mean_at(col)).sum::<f64>()
    } else {
        0.0
    };
    let leverage: f64 = inverse
        .iter()
        .map(|row| (0..k).map(|col| row.get(col).copied().unwrap_or(0.0) * mean_at(col)).sum::<f64>().powi(2))
        .sum();
    coefficients.push(constant_value);
    errors.push(if constant { spread * (1.0 / n as f64 + leverage).sqrt() } else { f64::NAN });
    let r_squared = if total == 0.0 { 1.0 } else { regression / total };
    let used = live.len() as f64;
    let f = if df > 0.0 && residual > 0.0 { (regression / used) / (residual / df) } else { f64::NAN };
    Fit { coefficients, errors, r_squared, spread, f, df, regression, residual }
}

/// The columns as an orthogonal basis, without those that others explain.
struct Triangle {
    r: Vec<Vec<f64>>,
    basis: Vec<Option<Vec<f64>>>,
    projections: Vec<f64>,
}

/// Modified Gram-Schmidt, done twice for each column, gives R and the projections; the target keeps the residuals.
fn triangle(columns: &mut [Vec<f64>], sizes: &[f64], target: &mut [f64]) -> Triangle {
    let k = columns.len();
    let mut r = vec![vec![0.0f64; k]; k];
    let mut basis: Vec<Option<Vec<f64>>> = Vec::with_capacity(k);
    let mut projections = vec![0.0f64; k];
    for col in 0..k {
        let Some(mut column) = columns.get_mut(col).map(std::mem::take) else { continue };
        for _ in 0..2 {
            for (index, base) in basis.iter().enumerate() {
                if let Some(base) = base {
                    let along = dot(base, &column);
                    subtract(&mut column, base, along);
                    if let Some(slot) = r.get_mut(index).and_then(|row| row.get_mut(col)) {
                        *slot += along;
                    }
                }
            }
        }
        let size = norm(&column);
        if size <= sizes.get(col).copied().unwrap_or(0.0) * 1e-13 || size == 0.0 {
            basis.push(None);
            continue;
        }
        column.iter_mut().for_each(|x| *x /= size);
        if let Some(slot) = r.get_mut(col).and_then(|row| row.get_mut(col)) {
            *slot = size;
        }
        let along = dot(&column, target);
        subtract(target, &column, along);
        if let Some(slot) = projections.get_mut(col) {
            *slot = along;
        }
        basis.push(Some(column));
    }
    Triangle { r, basis, projections }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn subtract(from: &mut [f64], base: &[f64], times: f64) {
    for (x, y) in from.iter_mut().zip(base) {
        *x -= times * y;
    }
}

fn fit(a: &Args<'_>, exponential: bool) -> Answer {
    let points = points(a, exponential)?;
    let constant = a.flag_default(2, true)?;
    let stats = a.flag_default(3, false)?;
    let fit = least_squares(&points, constant);
    let k = fit.coefficients.len() - 1;
    // Excel lists the last variable first, the constant at the end.
    let order: Vec<usize> = (0..k).rev().chain([k]).collect();
    let coefficient = |at: usize| {
        let value = order.get(at).and_then(|at| fit.coefficients.get(*at)).copied().unwrap_or(0.0);
        Value::Number(if exponential { value.exp() } else { value })
    };
    if !stats {
        return array(Array::from_fn(1, k + 1, |_, col| coefficient(col)));
    }
    let not_available = || Value::Error(ErrorKind::NotAvailable);
    let checked = |x: f64| if x.is_finite() { Value::Number(x) } else { Value::Error(ErrorKind::Num) };
    array(Array::from_fn(5, k + 1, |row, col| match (row, col) {
        (0, col) => coefficient(col),
        (1, col) => match order.get(col).and_then(|at| fit.errors.get(*at)) {
            Some(error) if error.is_finite() => Value::Number(*error),
            _ => not_available(),
        },
        (2, 0) => Value::Number(fit.r_squared),
        (2, 1) => Value::Number(fit.spread),
        (3, 0) => checked(fit.f),
        (3, 1) => Value::Number(fit.df),
        (4, 0) => Value::Number(fit.regression),
        (4, 1) => Value::Number(fit.residual),
        _ => not_available(),
    }))
}

fn predict(a: &Args<'_>, exponential: bool) -> Answer {
    let points = points(a, exponential)?;
    let constant = a.flag_default(3, true)?;
    let fit = least_squares(&points, constant);
    let k = fit.coefficients.len() - 1;
    let value = |xs: &[f64]| {
        let mut y = fit.coefficients.last().copied().unwrap_or(0.0);
        for (x, coefficient) in xs.iter().zip(&fit.coefficients) {
            y += x * coefficient;
        }
        Value::Number(if exponential { y.exp() } else { y })
    };
    let new: Arc<Array> = if a.given(2) {
        a.array(2)?
    } else if a.given(1) {
        a.array(1)?
    } else {
        let y = a.array(0)?;
        let mut next = 0.0;
        return array(Array::from_fn(y.rows(), y.cols(), |_, _| {
            next += 1.0;
            value(&[next])
        }));
    };
    if k == 1 {
        let xs = numbers(&new)?;
        let values = xs.iter().map(|x| value(&[*x])).collect();
        if let ([only], Operand::Value(_)) = (xs.as_slice(), a.op(2)) {
            return Ok(Operand::Value(value(&[*only])));
        }
        return array(Array::new(new.rows(), new.cols(), values));
    }
    let list = points_of(&new, points.rows_are_variables)?;
    if list.first().is_some_and(|xs| xs.len() != k) {
        return fail(ErrorKind::Ref);
    }
    let values: Vec<Value> = list.iter().map(|xs| value(xs)).collect();
    array(if points.rows_are_variables { Array::row(values) } else { Array::column(values) })
}
