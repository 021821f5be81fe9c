//! `FORECAST.ETS` and its kin: additive exponential smoothing of error, trend and season.
//!
//! The first level is the first value, the first slope that of the straight line through all values, and the season
//! starts as the mean distance from that line. Of all smoothing factors those are taken that make the forecasts of
//! one step miss least on average, to a thousandth.

use super::super::{Function, def};
use super::special::normal_inverse;
use crate::date::MAX_SERIAL;
use crate::eval::args::{Args, fail, num};
use crate::eval::{Answer, Stop};
use crate::value::{ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("FORECAST.ETS", "VAAVVV", 3, 6, |a| {
        let model = Model::fit(a, 1, 2, 3)?;
        num(model.at(model.steps(a.number(0)?)?))
    })
    .note(NOTE),
    def("FORECAST.ETS.CONFINT", "VAAVVVV", 3, 7, |a| {
        let confidence = a.number_default(3, 0.95)?;
        if confidence <= 0.0 || confidence >= 1.0 {
            return fail(ErrorKind::Num);
        }
        let model = Model::fit(a, 1, 2, 4)?;
        let steps = model.steps(a.number(0)?)?;
        num(normal_inverse((1.0 + confidence) / 2.0) * model.deviation(steps))
    })
    .note(NOTE),
    def("FORECAST.ETS.SEASONALITY", "AAVV", 2, 4, |a| {
        let series = Series::read(a, 0, 1, 2)?;
        num(detected(&series.values) as f64)
    })
    .note("a pattern is found by its correlation with itself; Excel's own test is not known"),
    def("FORECAST.ETS.STAT", "AAVVVV", 3, 6, statistic).note(NOTE),
];

const NOTE: &str = "a season is found and started by a rule of our own, so that its values may differ";

/// Values at even steps.
struct Series {
    values: Vec<f64>,
    last: f64,
    step: f64,
    /// Steps are months, of which some are longer.
    months: bool,
}

/// Points of one series; more would take too long to fit.
const MOST: usize = 100_000;

impl Series {
    /// Values and their times, then how gaps are filled and what stands at one time is put together.
    fn read(a: &Args<'_>, values: usize, times: usize, options: usize) -> Result<Series, Stop> {
        let fill = a.int_default(options, 1.0)?;
        let together = a.int_default(options + 1, 1.0)?;
        if !(0.0..=1.0).contains(&fill) || !(1.0..=7.0).contains(&together) {
            return fail(ErrorKind::Num);
        }
        let (values, times) = (a.array(values)?, a.array(times)?);
        if values.len() != times.len() || values.len() > MOST {
            return fail(ErrorKind::NotAvailable);
        }
        let mut points = Vec::new();
        for (value, time) in values.values().iter().zip(times.values()) {
            match (value, time) {
                (Value::Error(kind), _) | (_, Value::Error(kind)) => return fail(*kind),
                (Value::Number(value), Value::Number(time)) => points.push((*time, *value)),
                (_, Value::Number(_)) => {}
                _ => return fail(ErrorKind::Value),
            }
        }
        points.sort_by(|x, y| x.0.total_cmp(&y.0));
        let mut merged: Vec<(f64, Vec<f64>)> = Vec::new();
        for (time, value) in points {
            match merged.last_mut() {
                Some((last, values)) if *last == time => values.push(value),
                _ => merged.push((time, vec![value])),
            }
        }
        let merged: Vec<(f64, f64)> =
            merged.into_iter().map(|(time, values)| (time, gathered(values, together))).collect();
        let [_, .., (last, _)] = merged.as_slice() else { return fail(ErrorKind::Num) };
        let last = *last;
        let (places, step, months) = places(a, &merged.iter().map(|(time, _)| *time).collect::<Vec<_>>())
            .ok_or(Stop::Error(ErrorKind::Num))?;
        let length = places.last().map_or(0, |place| place + 1);
        // At most three of ten points may be missing.
        if length > MOST || (length - merged.len()) as f64 > 0.3 * length as f64 {
            return fail(ErrorKind::Num);
        }
        a.cx.charge(length)?;
        let mut values = Vec::with_capacity(length);
        for (place, (_, value)) in places.iter().zip(&merged) {
            let before = values.last().copied().unwrap_or(0.0);
            let gap = place - values.len();
            for missing in 1..=gap {
                let share = missing as f64 / (gap + 1) as f64;
                values.push(if fill == 1.0 { before + (value - before) * share } else { 0.0 });
            }
            values.push(*value);
        }
        Ok(Series { values, last, step, months })
    }
}

fn gathered(mut values: Vec<f64>, how: f64) -> f64 {
    let count = values.len() as f64;
    let total: f64 = values.iter().sum();
    match how as u8 {
        2 | 3 => count,
        4 => values.into_iter().fold(f64::NEG_INFINITY, f64::max),
        5 => {
            values.sort_by(f64::total_cmp);
            let middle = values.len() / 2;
            let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
            if values.len().is_multiple_of(2) { (at(middle - 1) + at(middle)) / 2.0 } else { at(middle) }
        }
        6 => values.into_iter().fold(f64::INFINITY, f64::min),
        7 => total,
        _ => total / count,
    }
}

/// The place of each time, the step, and whether it is months.
fn places(a: &Args<'_>, times: &[f64]) -> Option<(Vec<usize>, f64, bool)> {
    let first = *times.first()?;
    let step = times.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?)).reduce(f64::min)?;
    let even = |times: &[f64], step: f64| -> Option<Vec<usize>> {
        let first = *times.first()?;
        times
            .iter()
            .map(|time| {
                let place = (time - first) / step;
                let whole = place.round();
                ((place - whole).abs() < 1e-6 && whole <= MOST as f64).then_some(whole as usize)
            })
            .collect()
    };
    if step > 0.0
        && let Some(found) = even(times, step)
    {
        return Some((found, step, false));
    }
    // The same day of every month, quarter or year.
    if times.iter().any(|time| !(0.0..=MAX_SERIAL).contains(time)) {
        return None;
    }
    let dates = a.cx.dates();
    let day = dates.day(first as i64).day;
    let months: Option<Vec<f64>> = times
        .iter()
        .map(|time| {
            let date = dates.day(*time as i64);
            (date.day == day || day > 28 && date.day >= 28)
                .then(|| date.year as f64 * 12.0 + f64::from(date.month))
        })
        .collect();
    let months = months?;
    let step = months.windows(2).filter_map(|pair| Some(pair.get(1)? - pair.first()?)).reduce(f64::min)?;
    (step > 0.0).then(|| even(&months, step)).flatten().map(|found| (found, step, true))
}

/// Smoothing factors of level, slope and season.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Factors([f64; 3]);

const LEAST: f64 = 0.001;
const MOST_OF: [f64; 3] = [0.998, 0.899, 0.998];

struct Model<'a> {
    args: &'a Args<'a>,
    series: Series,
    season: usize,
    factors: Factors,
    end: End,
}

/// Where a pass over the values ends, and how far its forecasts missed.
#[derive(Clone, Debug, Default)]
struct End {
    level: f64,
    slope: f64,
    seasons: Vec<f64>,
    absolute: f64,
    squares: f64,
    relative: f64,
}

struct Start {
    slope: f64,
    seasons: Vec<f64>,
}

impl Start {
    fn of(values: &[f64], season: usize) -> Start {
        let n = values.len() as f64;
        let (middle, mean) = ((n - 1.0) / 2.0, values.iter().sum::<f64>() / n);
        let (mut above, mut below) = (0.0, 0.0);
        for (at, value) in values.iter().enumerate() {
            let x = at as f64 - middle;
            above += x * (value - mean);
            below += x * x;
        }
        let slope = if below == 0.0 { 0.0 } else { above / below };
        let mut seasons = vec![0.0; season];
        if season > 1 {
            for (place, slot) in seasons.iter_mut().enumerate() {
                let apart = values.iter().enumerate().skip(place).step_by(season);
                let (sum, count) = apart.fold((0.0, 0.0), |(sum, count), (at, value)| {
                    (sum + value - mean - slope * (at as f64 - middle), count + 1.0)
                });
                *slot = sum / f64::max(count, 1.0);
            }
            let mean = seasons.iter().sum::<f64>() / season as f64;
            seasons.iter_mut().for_each(|slot| *slot -= mean);
        }
        Start { slope, seasons }
    }

    fn pass(&self, values: &[f64], Factors([alpha, beta, gamma]): Factors) -> End {
        let season = self.seasons.len();
        let mut end = End { slope: self.slope, seasons: self.seasons.clone(), ..End::default() };
        for (at, value) in values.iter().enumerate() {
            let slot = if season > 1 { end.seasons.get_mut(at % season) } else { None };
            let shift = slot.as_deref().copied().unwrap_or(0.0);
            if at == 0 {
                end.level = value - shift;
                continue;
            }
            let guess = end.level + end.slope + shift;
            let error = value - guess;
            end.level += end.slope + alpha * error;
            end.slope += beta * error;
            if let Some(slot) = slot {
                *slot += gamma * error;
            }
            end.absolute += error.abs();
            end.squares += error * error;
            let size = value.abs() + guess.abs();
            end.relative += if size == 0.0 { 0.0 } else { 2.0 * error.abs() / size };
        }
        end
    }

    /// The factors with the least mean miss: a grid, then steps around its best down to a thousandth.
    fn best(&self, values: &[f64]) -> Factors {
        let lines = |which: usize| -> Vec<f64> {
            let most = MOST_OF.get(which).copied().unwrap_or(LEAST);
            let mut line = vec![LEAST];
            line.extend((1..10).map(|tenth| f64::from(tenth) / 10.0).filter(|share| *share < most));
            line.push(most);
            line
        };
        let third = if self.seasons.len() > 1 { lines(2) } else { vec![LEAST] };
        let miss = |factors: Factors| self.pass(values, factors).absolute;
        let mut best = (f64::INFINITY, Factors([LEAST; 3]));
        for alpha in lines(0) {
            for beta in lines(1) {
                for gamma in &third {
                    let factors = Factors([alpha, beta, *gamma]);
                    let missed = miss(factors);
                    if missed < best.0 {
                        best = (missed, factors);
                    }
                }
            }
        }
        for step in [0.05, 0.02, 0.01, 0.005, 0.002, 0.001] {
            for _ in 0..40 {
                let before = best.0;
                for which in 0..if self.seasons.len() > 1 { 3 } else { 2 } {
                    for sign in [step, -step] {
                        let mut factors = best.1;
                        let most = MOST_OF.get(which).copied().unwrap_or(LEAST);
                        if let Some(slot) = factors.0.get_mut(which) {
                            *slot = ((*slot + sign).clamp(LEAST, most) * 1000.0).round() / 1000.0;
                        }
                        let missed = miss(factors);
                        if missed < best.0 {
                            best = (missed, factors);
                        }
                    }
                }
                if best.0 >= before {
                    break;
                }
            }
        }
        best.1
    }
}

impl<'a> Model<'a> {
    fn fit(args: &'a Args<'a>, values: usize, times: usize, season: usize) -> Result<Model<'a>, Stop> {
        let wanted = args.number_default(season, 1.0)?;
        if wanted < 0.0 || wanted.fract() != 0.0 || wanted > 8784.0 {
            return fail(ErrorKind::Num);
        }
        let series = Series::read(args, values, times, season + 1)?;
        let season = match wanted as usize {
            0 => 1,
            1 => detected(&series.values),
            length => length,
        };
        if season > 1 && series.values.len() < 2 * season {
            return fail(ErrorKind::Num);
        }
        args.cx.charge(series.values.len() * if season > 1 { 2000 } else { 400 })?;
        let start = Start::of(&series.values, season);
        let factors = start.best(&series.values);
        let end = start.pass(&series.values, factors);
        Ok(Model { args, series, season, factors, end })
    }

    /// How many steps a time lies behind the last one.
    fn steps(&self, target: f64) -> Result<f64, Stop> {
        let behind = if self.series.months {
            if !(0.0..=MAX_SERIAL).contains(&target) {
                return fail(ErrorKind::Num);
            }
            let dates = self.args.cx.dates();
            let months = |serial: f64| {
                let date = dates.day(serial as i64);
                date.year as f64 * 12.0 + f64::from(date.month) + (f64::from(date.day) - 1.0) / 31.0
            };
            months(target) - months(self.series.last)
        } else {
            target - self.series.last
        };
        let steps = behind / self.series.step;
        if steps < 0.0 || !steps.is_finite() { fail(ErrorKind::Num) } else { Ok(steps) }
    }

    fn at(&self, steps: f64) -> f64 {
        let season = |place: f64| {
            let index = (self.series.values.len() - 1 + place as usize) % self.season.max(1);
            if self.season > 1 { self.end.seasons.get(index).copied().unwrap_or(0.0) } else { 0.0 }
        };
        let (before, share) = (steps.floor(), steps.fract());
        let shift =
            season(before) * (1.0 - share) + if share > 0.0 { season(before + 1.0) * share } else { 0.0 };
        self.end.level + steps * self.end.slope + shift
    }

    /// The standard deviation of a forecast so many steps ahead.
    fn deviation(&self, steps: f64) -> f64 {
        let Factors([alpha, beta, gamma]) = self.factors;
        let mut sum = 1.0;
        for j in 1..(steps.ceil().min(1e6) as u64) {
            let again = self.season > 1 && j.is_multiple_of(self.season as u64);
            let weight = alpha + beta * j as f64 + if again { gamma } else { 0.0 };
            sum += weight * weight;
        }
        (self.end.squares / self.series.values.len() as f64 * sum).sqrt()
    }
}

fn statistic(a: &Args<'_>) -> Answer {
    let kind = a.int(2)?;
    let model = Model::fit(a, 0, 1, 3)?;
    let n = model.series.values.len() as f64;
    let Factors([alpha, beta, gamma]) = model.factors;
    match kind as i64 {
        1 => num(alpha),
        2 => num(beta),
        3 => num(if model.season > 1 { gamma } else { 0.0 }),
        4 => {
            let lag = model.season.max(1);
            let values = &model.series.values;
            let apart: f64 = values.iter().zip(values.iter().skip(lag)).map(|(x, y)| (y - x).abs()).sum();
            let naive = apart / (n - lag as f64);
            if naive == 0.0 { fail(ErrorKind::Div0) } else { num(model.end.absolute / n / naive) }
        }
        5 => num(model.end.relative / n),
        6 => num(model.end.absolute / n),
        7 => num((model.end.squares / n).sqrt()),
        8 => num(model.series.step),
        _ => fail(ErrorKind::Num),
    }
}

/// The length of the pattern that values repeat, or one.
fn detected(values: &[f64]) -> usize {
    let start = Start::of(values, 1);
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n.max(1) as f64;
    let middle = (n as f64 - 1.0) / 2.0;
    let rest: Vec<f64> = values
        .iter()
        .enumerate()
        .map(|(at, value)| value - mean - start.slope * (at as f64 - middle))
        .collect();
    let total: f64 = rest.iter().map(|value| value * value).sum();
    if total == 0.0 || n < 4 {
        return 1;
    }
    let correlation = |lag: usize| {
        let products: f64 = rest.iter().zip(rest.iter().skip(lag)).map(|(x, y)| x * y).sum();
        products / total * n as f64 / (n - lag) as f64
    };
    // A pattern must come twice at least, stand out from its neighbours, and be more than chance.
    let least = f64::max(0.5, 2.0 / (n as f64).sqrt());
    let most = (n / 2).min(400);
    let found = (2..=most)
        .map(|lag| (lag, correlation(lag)))
        .filter(|(lag, value)| {
            *value > least
                && *value > correlation(lag - 1)
                && (lag + 1 > most || *value >= correlation(lag + 1))
        })
        .fold(None, |best: Option<(usize, f64)>, (lag, value)| match best {
            // A multiple of a pattern repeats as well.
            Some((_, known)) if value <= known * 1.05 => best,
            _ => Some((lag, value)),
        });
    found.map_or(1, |(lag, _)| lag)
}
