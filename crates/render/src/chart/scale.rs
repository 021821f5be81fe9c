//! Where numbers lie on an axis, and which of them are marked, after Excel's choice.

use edit::calendar::Day;
use sheet::resolved::{DateUnit, PlainAxis};

/// Marks of one axis at most; Excel draws more, but nobody reads them.
const MOST_TICKS: f64 = 200.0;

#[derive(Clone, Debug)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) step: f64,
    /// Each mark is as many times the one before it.
    pub(super) log: Option<f64>,
    pub(super) reversed: bool,
}

impl Scale {
    /// How far along the axis a value lies, from 0 to 1.
    pub(super) fn part(&self, value: f64) -> f32 {
        let value = value.clamp(self.low, self.high);
        let part = match self.log {
            Some(_) => {
                let (low, high) = (self.low.ln(), self.high.ln());
                (value.max(f64::MIN_POSITIVE).ln() - low) / (high - low)
            }
            None => (value - self.low) / (self.high - self.low),
        };
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        (if self.reversed { 1.0 - part } else { part }) as f32
    }

    pub(super) fn ticks(&self) -> Vec<f64> {
        if let Some(base) = self.log {
            let count = ((self.high / self.low).ln() / base.ln() + 1e-9).floor().clamp(0.0, MOST_TICKS);
            return (0..=count as i32).map(|index| self.low * base.powi(index)).collect();
        }
        let count = ((self.high - self.low) / self.step + 1e-9).floor().clamp(0.0, MOST_TICKS) as usize;
        let ticks = (0..=count).map(|index| self.low + self.step * index as f64);
        // A zero that is the sum of steps is seldom one.
        ticks.map(|tick| if tick.abs() < self.step * 1e-9 { 0.0 } else { tick }).collect()
    }

    /// The value where the other axis crosses when nothing is said.
    pub(super) fn zero(&self) -> f64 {
        if self.log.is_some() { self.low } else { 0.0f64.clamp(self.low, self.high) }
    }
}

/// A step of 1, 2 or 5 times a power of ten, so that at most so many fit.
fn step_for(room: f64, most: f64) -> f64 {
    let rough = room / most.max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    let lead = [1.0, 2.0, 5.0, 10.0].into_iter().find(|lead| lead * power >= rough * 0.999).unwrap_or(10.0);
    let step = lead * power;
    if step.is_finite() && step > 0.0 { step } else { 1.0 }
}

/// Excel's choice: from zero unless the values lie close together far from it, with room above the highest.
pub(super) fn scale(axis: &PlainAxis, low: f64, high: f64, most: f32) -> Scale {
    let sane = |number: f64| number.clamp(-1e300, 1e300);
    let (low, high) = (sane(low), sane(high));
    if let Some(base) = axis.log_base {
        return logarithmic(axis, base, low, high);
    }
    let (low, high) = match low == high {
        true if low == 0.0 => (0.0, 1.0),
        true => (low.min(0.0), high.max(0.0)),
        false => (low, high),
    };
    let far = low > 0.0 && (high - low) / high < 1.0 / 6.0;
    let far_below = high < 0.0 && (high - low) / -low < 1.0 / 6.0;
    let bottom = axis.low.unwrap_or(match (far, low >= 0.0) {
        (true, _) => low - (high - low) / 2.0,
        (_, true) => 0.0,
        _ => low - (high.max(0.0) - low) * 0.05,
    });
    let top = axis.high.unwrap_or(match (far_below, high <= 0.0) {
        (true, _) => high + (high - low) / 2.0,
        (_, true) => 0.0,
        _ => high + (high - if far { low } else { low.min(0.0) }) * 0.05,
    });
    let top = if top > bottom { top } else { bottom + bottom.abs().max(1.0) };
    let most = f64::from(most);
    let step = axis.step.filter(|step| (top - bottom) / step < MOST_TICKS);
    let step = step.unwrap_or_else(|| step_for(top - bottom, most));
    let low = axis.low.unwrap_or((bottom / step + 1e-9).floor() * step);
    let high = axis.high.unwrap_or((top / step - 1e-9).ceil() * step);
    let high = if high > low { high } else { low + step };
    Scale { low, high, step, log: None, reversed: axis.reversed }
}

fn logarithmic(axis: &PlainAxis, base: f64, low: f64, high: f64) -> Scale {
    let low = if low > 0.0 { low } else { 1.0 };
    let high = high.max(low);
    let whole = |value: f64, up: bool| {
        let power = value.ln() / base.ln();
        base.powf(if up { (power - 1e-9).ceil() } else { (power + 1e-9).floor() })
    };
    // Values over one start at one.
    let bottom = axis.low.filter(|low| *low > 0.0).unwrap_or_else(|| whole(low, false).min(1.0));
    let top = axis.high.filter(|high| *high > bottom).unwrap_or_else(|| whole(high, true));
    let top = if top > bottom { top } else { bottom * base };
    Scale { low: bottom, high: top, step: 1.0, log: Some(base), reversed: axis.reversed }
}

/// The categories of an axis, or the numbers of one for x.
#[derive(Clone, Debug)]
pub(super) enum Across {
    Categories {
        count: usize,
        between: bool,
        reversed: bool,
    },
    /// Whole days, months or years from the first to the last.
    Dates {
        low: f64,
        high: f64,
        unit: DateUnit,
        between: bool,
        reversed: bool,
    },
    Numbers(Scale),
}

impl Across {
    /// How far along the axis a point lies.
    pub(super) fn part(&self, index: usize, x: Option<f64>) -> Option<f32> {
        let turn = |part: f64, reversed: bool| (if reversed { 1.0 - part } else { part }) as f32;
        match self {
            Across::Categories { count, between, reversed } => {
                let part = match *between || *count < 2 {
                    true => (index as f64 + 0.5) / (*count).max(1) as f64,
                    false => index as f64 / (*count - 1) as f64,
                };
                Some(turn(part, *reversed))
            }
            Across::Dates { low, high, unit, between, reversed } => {
                let at = in_units(x?, *unit);
                let part = match between {
                    true => (at - low + 0.5) / (high - low + 1.0),
                    false => (at - low) / (high - low).max(1.0),
                };
                Some(turn(part, *reversed))
            }
            Across::Numbers(scale) => x.map(|x| scale.part(x)),
        }
    }

    /// How much of the axis one category has.
    pub(super) fn room(&self) -> f32 {
        match self {
            Across::Categories { count, .. } => 1.0 / (*count).max(1) as f32,
            Across::Dates { low, high, .. } => 1.0 / (high - low + 1.0) as f32,
            Across::Numbers(_) => 0.05,
        }
    }

    pub(super) fn reversed(&self) -> bool {
        match self {
            Across::Categories { reversed, .. } | Across::Dates { reversed, .. } => *reversed,
            Across::Numbers(scale) => scale.reversed,
        }
    }
}

/// 1970-01-01 as Excel counts days. Charts have no use for its 29 February 1900.
const FIRST_OF_1970: i64 = 25_569;

/// Year and month (from 0) of a day that Excel counts.
pub(super) fn month_of(serial: f64) -> (i64, i64) {
    let day = Day::since_1970(serial.floor() as i64 - FIRST_OF_1970);
    (day.year, i64::from(day.month) - 1)
}

/// The first day of a month that is counted from the year 0.
pub(super) fn day_of_month(months: i64) -> f64 {
    let month = months.rem_euclid(12) as u32 + 1;
    let first = Day { year: months.div_euclid(12), month, day: 1 };
    (first.days_since_1970() + FIRST_OF_1970) as f64
}

pub(super) fn in_units(serial: f64, unit: DateUnit) -> f64 {
    let (year, month) = month_of(serial.clamp(-1e6, 1e7));
    match unit {
        DateUnit::Days => serial.floor(),
        DateUnit::Months => (year * 12 + month) as f64,
        DateUnit::Years => year as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(low: f64, high: f64) -> (f64, f64, f64) {
        let found = scale(&PlainAxis::default(), low, high, 10.0);
        (found.low, found.high, found.step)
    }

    #[test]
    fn scales_are_those_of_excel() {
        assert_eq!(chosen(2.0, 100.0), (0.0, 120.0, 20.0));
        assert_eq!(chosen(1.0, 4.5), (0.0, 5.0, 0.5));
        assert_eq!(chosen(95.0, 100.0), (92.0, 101.0, 1.0));
        assert_eq!(chosen(-10.0, 20.0), (-15.0, 25.0, 5.0));
        assert_eq!(chosen(7.0, 7.0), (0.0, 8.0, 1.0));
        let (_, top, step) = chosen(0.0, 0.0);
        assert!((top - 1.2).abs() < 1e-9 && step == 0.2);
    }

    #[test]
    fn months_are_counted_and_found_again() {
        assert_eq!(month_of(45_292.0), (2024, 0));
        assert_eq!(month_of(45_351.0), (2024, 1));
        assert_eq!(month_of(45_352.0), (2024, 2));
        assert_eq!(day_of_month(2024 * 12), 45_292.0);
        assert_eq!(day_of_month(2024 * 12 + 2), 45_352.0);
    }

    #[test]
    fn hostile_numbers_leave_a_scale() {
        for (low, high) in [(f64::MAX, f64::MIN), (-1e308, 1e308), (1e-320, 2e-320), (0.0, f64::MAX)] {
            let found = scale(&PlainAxis::default(), low, high, 10.0);
            assert!(found.ticks().len() < 500, "{low} {high}");
            assert!(found.part(low).is_finite());
        }
    }
}
