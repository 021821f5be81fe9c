//! Trend lines: the best line, curve or running mean through the points of a series.

use sheet::resolved::{ChartText, PlainGroup, PlainKind, Trend, TrendKind};

use super::ChartPainter;
use super::axes::Plot;
use super::groups::scatter_x;
use super::scale::{Across, Scale};
use crate::scene::{Rect, polyline};

/// Points that a curve is drawn through.
const STEPS: usize = 100;

/// A curve: y of x, and what it says of itself.
struct Curve {
    kind: TrendKind,
    /// Constant first.
    terms: Vec<f64>,
    r_squared: f64,
}

impl Curve {
    fn at(&self, x: f64) -> f64 {
        let term = |index: usize| self.terms.get(index).copied().unwrap_or(0.0);
        match self.kind {
            TrendKind::Exponential => term(0) * (term(1) * x).exp(),
            TrendKind::Power => term(0) * x.powf(term(1)),
            TrendKind::Logarithmic => term(0) + term(1) * x.ln(),
            _ => self.terms.iter().rev().fold(0.0, |sum, term| sum * x + term),
        }
    }

    fn equation(&self) -> String {
        let show = |number: f64| {
            // Five digits, as far as four of them may stand behind the point.
            let whole = if number.abs() >= 1.0 { number.abs().log10().floor() as usize + 1 } else { 1 };
            let text = format!("{number:.*}", 5usize.saturating_sub(whole).min(4));
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        };
        let term = |index: usize| self.terms.get(index).copied().unwrap_or(0.0);
        let signed = |number: f64| match number < 0.0 {
            true => format!(" - {}", show(-number)),
            false => format!(" + {}", show(number)),
        };
        match self.kind {
            TrendKind::Exponential => format!("y = {}e^{}x", show(term(0)), show(term(1))),
            TrendKind::Power => format!("y = {}x^{}", show(term(0)), show(term(1))),
            TrendKind::Logarithmic => format!("y = {}ln(x){}", show(term(1)), signed(term(0))),
            _ => {
                let mut text = String::from("y =");
                for (power, term) in self.terms.iter().enumerate().rev() {
                    let first = text.ends_with('=');
                    let number = if first { format!(" {}", show(*term)) } else { signed(*term) };
                    text += &number;
                    text += match power {
                        0 => "",
                        1 => "x",
                        2 => "x²",
                        3 => "x³",
                        4 => "x⁴",
                        5 => "x⁵",
                        _ => "x⁶",
                    };
                }
                text
            }
        }
    }
}

/// The least squares of a polynomial; `None` where there are too few points or they lie on each other.
fn polynomial(points: &[(f64, f64)], order: usize, intercept: Option<f64>) -> Option<Vec<f64>> {
    let first = usize::from(intercept.is_some());
    let size = order + 1 - first;
    let base = intercept.unwrap_or(0.0);
    // x in parts of the largest, so that high powers stay numbers.
    let largest = points.iter().map(|(x, _)| x.abs()).fold(0.0, f64::max);
    let largest = if largest > 0.0 { largest } else { 1.0 };
    let mut rows = vec![vec![0.0; size + 1]; size];
    for (x, y) in points {
        let x = x / largest;
        for (row, line) in rows.iter_mut().enumerate() {
            let power = x.powi((row + first) as i32);
            for (col, cell) in line.iter_mut().enumerate() {
                *cell += match col == size {
                    true => power * (y - base),
                    false => power * x.powi((col + first) as i32),
                };
            }
        }
    }
    let solved = solve(rows)?;
    let mut terms: Vec<f64> = intercept.into_iter().chain(solved).collect();
    for (power, term) in terms.iter_mut().enumerate() {
        *term /= largest.powi(power as i32);
    }
    terms.iter().all(|term| term.is_finite()).then_some(terms)
}

/// Gauss, the largest first.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = rows.len();
    for col in 0..size {
        let best = (col..size).max_by(|a, b| {
            let size_of =
                |row: &usize| rows.get(*row).and_then(|row| row.get(col)).map_or(0.0, |cell| cell.abs());
            size_of(a).total_cmp(&size_of(b))
        })?;
        rows.swap(col, best);
        let pivot = rows.get(col)?.clone();
        let lead = *pivot.get(col)?;
        if lead.abs() < 1e-12 {
            return None;
        }
        for (index, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != col) {
            let _ = index;
            let times = row.get(col)? / lead;
            for (cell, other) in row.iter_mut().zip(&pivot) {
                *cell -= times * other;
            }
        }
    }
    (0..size).map(|index| Some(rows.get(index)?.get(size)? / rows.get(index)?.get(index)?)).collect()
}

fn curve(trend: &Trend, points: &[(f64, f64)]) -> Option<Curve> {
    let ln = |number: f64| (number > 0.0).then(|| number.ln());
    let moved: Option<Vec<(f64, f64)>> = points
        .iter()
        .map(|(x, y)| {
            Some(match trend.kind {
                TrendKind::Logarithmic => (ln(*x)?, *y),
                TrendKind::Exponential => (*x, ln(*y)?),
                TrendKind::Power => (ln(*x)?, ln(*y)?),
                _ => (*x, *y),
            })
        })
        .collect();
    let moved = moved?;
    let order = match trend.kind {
        TrendKind::Polynomial(order) => order,
        _ => 1,
    };
    if moved.len() <= order {
        return None;
    }
    let intercept = trend.intercept.and_then(|at| match trend.kind {
        TrendKind::Exponential => ln(at),
        TrendKind::Linear | TrendKind::Polynomial(_) => Some(at),
        _ => None,
    });
    let mut terms = polynomial(&moved, order, intercept)?;
    let mean = moved.iter().map(|(_, y)| y).sum::<f64>() / moved.len() as f64;
    let fitted = |x: f64| terms.iter().rev().fold(0.0, |sum, term| sum * x + term);
    let rest: f64 = moved.iter().map(|(x, y)| (y - fitted(*x)).powi(2)).sum();
    let all: f64 = moved.iter().map(|(_, y)| (y - mean).powi(2)).sum();
    let r_squared = if all > 0.0 { 1.0 - rest / all } else { 1.0 };
    if matches!(trend.kind, TrendKind::Exponential | TrendKind::Power)
        && let Some(first) = terms.first_mut()
    {
        *first = first.exp();
    }
    Some(Curve { kind: trend.kind, terms, r_squared })
}

impl ChartPainter<'_> {
    pub(super) fn trends(&mut self, group: &PlainGroup, plot: &Plot, scale: &Scale, text: &ChartText) {
        let clip = plot.clip(self.clip);
        for series in &group.series {
            let points: Vec<(f64, f64)> = series
                .values
                .iter()
                .enumerate()
                .filter_map(|(at, value)| {
                    let x = match (group.kind, &plot.across) {
                        (PlainKind::Scatter, _) => scatter_x(series, at)?,
                        (_, Across::Dates { .. }) => series.xs.get(at).copied().flatten()?,
                        _ => (at + 1) as f64,
                    };
                    Some((x, (*value)?))
                })
                .collect();
            for trend in &series.trends {
                let on_plot = |x: f64, y: f64| {
                    let across = match (&plot.across, group.kind) {
                        (Across::Categories { count, between, reversed }, _) => {
                            let part = match *between || *count < 2 {
                                true => (x - 0.5) / (*count).max(1) as f64,
                                false => (x - 1.0) / (*count - 1) as f64,
                            };
                            (if *reversed { 1.0 - part } else { part }) as f32
                        }
                        (across, _) => across.part(0, Some(x))?,
                    };
                    (y.is_finite()).then(|| plot.point(across, scale.part(y)))
                };
                if let TrendKind::MovingAverage(period) = trend.kind {
                    let means = points.windows(period.max(1)).filter_map(|window| {
                        let (x, _) = window.last()?;
                        on_plot(*x, window.iter().map(|(_, y)| y).sum::<f64>() / window.len() as f64)
                    });
                    self.stroke_within(polyline(&means.collect::<Vec<_>>(), false), &trend.line, clip);
                    continue;
                }
                let Some(curve) = curve(trend, &points) else { continue };
                let low = points.iter().map(|(x, _)| *x).fold(f64::MAX, f64::min) - trend.backward;
                let high = points.iter().map(|(x, _)| *x).fold(f64::MIN, f64::max) + trend.forward;
                let inside = |y: f64| y >= scale.low && y <= scale.high;
                let drawn: Vec<(f32, f32)> = (0..=STEPS)
                    .filter_map(|step| {
                        let x = low + (high - low) * step as f64 / STEPS as f64;
                        let y = curve.at(x);
                        inside(y).then(|| on_plot(x, y)).flatten()
                    })
                    .collect();
                self.stroke_within(polyline(&drawn, false), &trend.line, clip);
                self.trend_words(trend, &curve, drawn.last().copied(), plot.rect, text);
            }
        }
    }

    fn trend_words(
        &mut self,
        trend: &Trend,
        curve: &Curve,
        end: Option<(f32, f32)>,
        plot: Rect,
        text: &ChartText,
    ) {
        let mut lines = Vec::new();
        if trend.equation {
            lines.push(curve.equation());
        }
        if trend.r_squared {
            lines.push(format!("R² = {:.4}", curve.r_squared));
        }
        let Some((x, y)) = end else { return };
        for (index, line) in lines.iter().enumerate() {
            let x = x.min(plot.right() - 4.0).max(plot.x + self.width(line, text) + 4.0);
            let y = y.max(plot.y + 24.0);
            self.label(line, x, y - 8.0 + super::line_height(text) * index as f32, 1.0, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_found_again() {
        let points: Vec<(f64, f64)> = (1..=8).map(|x| (f64::from(x), 2.0 + 3.0 * f64::from(x * x))).collect();
        let terms = polynomial(&points, 2, None).expect("solved");
        for (found, wanted) in terms.iter().zip([2.0, 0.0, 3.0]) {
            assert!((found - wanted).abs() < 1e-6, "{terms:?}");
        }
        assert!(polynomial(&[(1.0, 1.0), (1.0, 2.0)], 1, None).is_none());
    }
}
