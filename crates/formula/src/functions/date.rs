//! Dates and times.

use super::{Function, def};
use crate::coerce;
use crate::date::{DateSystem, Day, MAX_SERIAL, days_in_month};
use crate::eval::args::{Args, fail, num};
use crate::eval::{Answer, Stop};
use crate::value::{ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("NOW", "V", 0, 0, |a| num(a.cx.clock.now)).moving(),
    def("TODAY", "V", 0, 0, |a| num(a.cx.clock.now.floor())).moving(),
    def("DATE", "V", 3, 3, date),
    def("DATEVALUE", "V", 1, 1, |a| match coerce::date_time(&a.text(0)?, a.cx.region()) {
        Some(serial) => num(serial.floor()),
        None => fail(ErrorKind::Value),
    }),
    def("TIMEVALUE", "V", 1, 1, |a| match coerce::date_time(&a.text(0)?, a.cx.region()) {
        Some(serial) => num(serial - serial.floor()),
        None => fail(ErrorKind::Value),
    }),
    def("TIME", "V", 3, 3, |a| {
        let parts = [a.int(0)?, a.int(1)?, a.int(2)?];
        if parts.iter().any(|part| part.abs() > 32_767.0) {
            return fail(ErrorKind::Num);
        }
        let [h, m, s] = parts;
        let seconds = h * 3600.0 + m * 60.0 + s;
        if seconds < 0.0 { fail(ErrorKind::Num) } else { num((seconds % 86_400.0) / 86_400.0) }
    }),
    def("YEAR", "V", 1, 1, |a| num(day(a, 0)?.year as f64)),
    def("MONTH", "V", 1, 1, |a| num(f64::from(day(a, 0)?.month))),
    def("DAY", "V", 1, 1, |a| num(f64::from(day(a, 0)?.day))),
    def("HOUR", "V", 1, 1, |a| num((seconds(a)? / 3600.0).floor())),
    def("MINUTE", "V", 1, 1, |a| num((seconds(a)? / 60.0).floor() % 60.0)),
    def("SECOND", "V", 1, 1, |a| num(seconds(a)? % 60.0)),
    def("WEEKDAY", "V", 1, 2, weekday),
    def("WEEKNUM", "V", 1, 2, week_number),
    def("ISOWEEKNUM", "V", 1, 1, |a| num(iso_week(serial(a, 0)?, a.cx.dates()))),
    def("DAYS", "V", 2, 2, |a| num(serial(a, 0)? - serial(a, 1)?)),
    def("DAYS360", "V", 2, 3, |a| {
        let (start, end) = (day(a, 0)?, day(a, 1)?);
        num(days360(start, end, a.flag_default(2, false)?))
    }),
    def("EDATE", "V", 2, 2, |a| num(add_months(a, 0, strict_number(a, 1)?.trunc(), false)?)),
    def("EOMONTH", "V", 2, 2, |a| num(add_months(a, 0, strict_number(a, 1)?.trunc(), true)?)),
    def("DATEDIF", "V", 3, 3, date_dif),
    def("YEARFRAC", "V", 2, 3, |a| {
        let (start, end) = (serial(a, 0)?, serial(a, 1)?);
        let basis = Basis::read(a, 2)?;
        num(year_fraction(start.min(end), start.max(end), basis, a.cx.dates()))
    }),
    def("NETWORKDAYS", "VVR", 2, 3, |a| network_days(a, [false, false, false, false, false, true, true], 2)),
    def("NETWORKDAYS.INTL", "VVVR", 2, 4, |a| network_days(a, weekend(a, 2)?, 3)),
    def("WORKDAY", "VVR", 2, 3, |a| work_day(a, [false, false, false, false, false, true, true], 2)),
    def("WORKDAY.INTL", "VVVR", 2, 4, |a| {
        let weekend = weekend(a, 2)?;
        if weekend.iter().all(|off| *off) { fail(ErrorKind::Value) } else { work_day(a, weekend, 3) }
    }),
];

/// A number where logicals are refused, as the functions of the old analysis add-in do.
fn strict_number(a: &Args<'_>, index: usize) -> Result<f64, Stop> {
    match a.value(index) {
        Value::Bool(_) => fail(ErrorKind::Value),
        _ => a.number(index),
    }
}

/// A whole serial date.
pub(super) fn serial(a: &Args<'_>, index: usize) -> Result<f64, Stop> {
    let serial = a.number(index)?.floor();
    if !(0.0..=MAX_SERIAL).contains(&serial) { fail(ErrorKind::Num) } else { Ok(serial) }
}

fn day(a: &Args<'_>, index: usize) -> Result<Day, Stop> {
    Ok(a.cx.dates().day(serial(a, index)? as i64))
}

/// The second of the day, rounded.
fn seconds(a: &Args<'_>) -> Result<f64, Stop> {
    let serial = a.number(0)?;
    if !(0.0..MAX_SERIAL + 1.0).contains(&serial) {
        return fail(ErrorKind::Num);
    }
    Ok(((serial - serial.floor()) * 86_400.0).round() % 86_400.0)
}

fn date(a: &Args<'_>) -> Answer {
    let (mut year, month, day) = (a.int(0)?, a.int(1)?, a.int(2)?);
    if !(0.0..10_000.0).contains(&year) || month.abs() > 1e6 || day.abs() > 1e8 {
        return fail(ErrorKind::Num);
    }
    let first = if a.cx.dates() == DateSystem::D1904 { 1904.0 } else { 1900.0 };
    if year < first {
        year += 1900.0;
    }
    let serial = a.cx.dates().serial(year as i64, month as i64, day as i64) as f64;
    if !(0.0..=MAX_SERIAL).contains(&serial) { fail(ErrorKind::Num) } else { num(serial) }
}

fn weekday(a: &Args<'_>) -> Answer {
    let serial = serial(a, 0)?;
    let kind = a.int_default(1, 1.0)?;
    let weekday = f64::from(a.cx.dates().day(serial as i64).weekday);
    // Counted from Monday, zero.
    let monday = (weekday + 6.0) % 7.0;
    num(match kind as i64 {
        1 | 17 => weekday + 1.0,
        2 | 11 => monday + 1.0,
        3 => monday,
        start @ 12..=16 => (monday - (start - 11) as f64).rem_euclid(7.0) + 1.0,
        _ => return fail(ErrorKind::Num),
    })
}

fn week_number(a: &Args<'_>) -> Answer {
    let serial = serial(a, 0)?;
    let dates = a.cx.dates();
    // The day a week begins with, Sunday zero.
    let start = match a.int_default(1, 1.0)? as i64 {
        1 | 17 => 0,
        2 | 11 => 1,
        kind @ 12..=16 => kind - 10,
        21 => return num(iso_week(serial, dates)),
        _ => return fail(ErrorKind::Num),
    };
    if dates == DateSystem::D1900 && serial < 1.0 {
        return num(0.0);
    }
    let year = dates.day(serial as i64).year;
    let new_year = dates.serial(year, 1, 1);
    let offset = (i64::from(dates.day(new_year).weekday) - start).rem_euclid(7);
    num(((serial as i64 - new_year + offset) / 7 + 1) as f64)
}

fn iso_week(serial: f64, dates: DateSystem) -> f64 {
    let serial = serial as i64;
    // The first day of Excel's calendar is a Sunday, of the last week of the year before.
    if dates == DateSystem::D1900 && serial < 2 {
        return 52.0;
    }
    // The week belongs to the year its Thursday is in.
    let monday = (i64::from(dates.day(serial).weekday) + 6) % 7;
    let thursday = serial - monday + 3;
    let year = dates.day(thursday.max(0)).year;
    ((thursday - dates.serial(year, 1, 1)) / 7 + 1) as f64
}

fn is_month_end(dates: DateSystem, day: Day) -> bool {
    day.day == days_in_month(dates, day.year, day.month)
}

fn days360(start: Day, end: Day, european: bool) -> f64 {
    let (mut d1, mut d2) = (f64::from(start.day), f64::from(end.day));
    let (mut m2, mut y2) = (f64::from(end.month), end.year as f64);
    if european {
        d1 = d1.min(30.0);
        d2 = d2.min(30.0);
    } else {
        let last_of_february =
            start.month == 2 && start.day == days_in_month(DateSystem::D1904, start.year, 2);
        if d1 == 31.0 || last_of_february {
            d1 = 30.0;
        }
        if d2 == 31.0 {
            if d1 < 30.0 {
                d2 = 1.0;
                m2 += 1.0;
                if m2 > 12.0 {
                    m2 = 1.0;
                    y2 += 1.0;
                }
            } else {
                d2 = 30.0;
            }
        }
    }
    (y2 - start.year as f64) * 360.0 + (m2 - f64::from(start.month)) * 30.0 + d2 - d1
}

fn add_months(a: &Args<'_>, index: usize, months: f64, to_end: bool) -> Result<f64, Stop> {
    if let Value::Bool(_) = a.value(index) {
        return fail(ErrorKind::Value);
    }
    let dates = a.cx.dates();
    let start = day(a, index)?;
    if months.abs() > 120_000.0 {
        return fail(ErrorKind::Num);
    }
    let total = start.year * 12 + i64::from(start.month) - 1 + months as i64;
    let (year, month) = (total.div_euclid(12), total.rem_euclid(12) as u32 + 1);
    let last = days_in_month(dates, year, month);
    let day = if to_end { last } else { start.day.min(last) };
    let serial = dates.serial(year, i64::from(month), i64::from(day)) as f64;
    if !(0.0..=MAX_SERIAL).contains(&serial) { fail(ErrorKind::Num) } else { Ok(serial) }
}

/// A date so many months on, its day cut to the month's length.
pub(super) fn months_on(dates: DateSystem, serial: i64, months: i64) -> i64 {
    let start = dates.day(serial);
    let total = start.year * 12 + i64::from(start.month) - 1 + months;
    let (year, month) = (total.div_euclid(12), total.rem_euclid(12) as u32 + 1);
    dates.serial(year, i64::from(month), i64::from(start.day.min(days_in_month(dates, year, month))))
}

fn date_dif(a: &Args<'_>) -> Answer {
    let (from, to) = (serial(a, 0)?, serial(a, 1)?);
    if from > to {
        return fail(ErrorKind::Num);
    }
    let dates = a.cx.dates();
    let (start, end) = (dates.day(from as i64), dates.day(to as i64));
    let whole_months = (end.year - start.year) * 12 + i64::from(end.month)
        - i64::from(start.month)
        - i64::from(end.day < start.day);
    num(match a.text(2)?.to_ascii_uppercase().as_str() {
        "Y" => (whole_months / 12) as f64,
        "M" => whole_months as f64,
        "D" => to - from,
        "YM" => (whole_months % 12) as f64,
        "MD" => {
            if end.day >= start.day {
                f64::from(end.day - start.day)
            } else {
                // Counted from the start's day in the month before the end's; that month may be too short.
                let (year, month) =
                    if end.month == 1 { (end.year - 1, 12) } else { (end.year, end.month - 1) };
                to - dates.serial(year, i64::from(month), i64::from(start.day)) as f64
            }
        }
        "YD" => {
            let year = if (end.month, end.day) >= (start.month, start.day) { end.year } else { end.year - 1 };
            // As from a year of the start's own kind.
            let shifted = dates.serial(year, i64::from(start.month), i64::from(start.day));
            to - shifted as f64
        }
        _ => return fail(ErrorKind::Num),
    })
}

/// How days and years are counted in financial functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    Us30360,
    Actual,
    Actual360,
    Actual365,
    European30360,
}

impl Basis {
    pub(super) fn read(a: &Args<'_>, index: usize) -> Result<Basis, Stop> {
        Ok(match a.int_default(index, 0.0)? as i64 {
            0 => Basis::Us30360,
            1 => Basis::Actual,
            2 => Basis::Actual360,
            3 => Basis::Actual365,
            4 => Basis::European30360,
            _ => return fail(ErrorKind::Num),
        })
    }
}

/// Days between two dates by the 30/360 rules bonds use.
pub(super) fn bond_days360(dates: DateSystem, from: i64, to: i64, european: bool) -> f64 {
    let (start, end) = (dates.day(from), dates.day(to));
    let (mut d1, mut d2) = (f64::from(start.day), f64::from(end.day));
    if european {
        d1 = d1.min(30.0);
        d2 = d2.min(30.0);
    } else {
        let february_end = |day: Day| day.month == 2 && is_month_end(dates, day);
        if february_end(start) && february_end(end) {
            d2 = 30.0;
        }
        if february_end(start) {
            d1 = 30.0;
        }
        if d2 == 31.0 && d1 >= 30.0 {
            d2 = 30.0;
        }
        d1 = d1.min(30.0);
    }
    (end.year - start.year) as f64 * 360.0 + (f64::from(end.month) - f64::from(start.month)) * 30.0 + d2 - d1
}

pub(super) fn year_fraction(from: f64, to: f64, basis: Basis, dates: DateSystem) -> f64 {
    let (start, end) = (from as i64, to as i64);
    match basis {
        Basis::Us30360 => bond_days360(dates, start, end, false) / 360.0,
        Basis::European30360 => bond_days360(dates, start, end, true) / 360.0,
        Basis::Actual360 => (to - from) / 360.0,
        Basis::Actual365 => (to - from) / 365.0,
        Basis::Actual => {
            let (first, last) = (dates.day(start), dates.day(end));
            let within_a_year = first.year == last.year
                || (first.year + 1 == last.year && (first.month, first.day) >= (last.month, last.day));
            let length = if within_a_year {
                let leap_day = |year: i64| {
                    crate::date::is_leap(year) && {
                        let leap = dates.serial(year, 2, 29);
                        start <= leap && leap <= end
                    }
                };
                let leap = if first.year == last.year {
                    crate::date::is_leap(first.year)
                } else {
                    leap_day(first.year) || leap_day(last.year)
                };
                if leap { 366.0 } else { 365.0 }
            } else {
                let span = dates.serial(last.year + 1, 1, 1) - dates.serial(first.year, 1, 1);
                span as f64 / (last.year - first.year + 1) as f64
            };
            (to - from) / length
        }
    }
}

/// Days off of a week, Monday first.
fn weekend(a: &Args<'_>, index: usize) -> Result<[bool; 7], Stop> {
    if !a.given(index) {
        return Ok([false, false, false, false, false, true, true]);
    }
    if let Value::Text(mask) = a.sound(index)? {
        let mut week = [false; 7];
        if mask.len() != 7 {
            return fail(ErrorKind::Value);
        }
        for (slot, letter) in week.iter_mut().zip(mask.chars()) {
            *slot = match letter {
                '0' => false,
                '1' => true,
                _ => return fail(ErrorKind::Value),
            };
        }
        return Ok(week);
    }
    let number = a.int(index)?;
    let mut week = [false; 7];
    let off: [usize; 2] = match number as i64 {
        // Two days, the first of them counted from Saturday.
        kind @ 1..=7 => [(kind as usize + 4) % 7, (kind as usize + 5) % 7],
        kind @ 11..=17 => [(kind as usize - 5) % 7, (kind as usize - 5) % 7],
        _ => return fail(ErrorKind::Num),
    };
    for at in off {
        if let Some(slot) = week.get_mut(at) {
            *slot = true;
        }
    }
    Ok(week)
}

fn holidays(a: &Args<'_>, index: usize) -> Result<Vec<i64>, Stop> {
    let mut days = Vec::new();
    if a.given(index) {
        for value in a.array(index)?.values() {
            if !value.is_blank() {
                let serial = coerce::number(value, a.cx.region())?;
                if serial < 0.0 {
                    return fail(ErrorKind::Num);
                }
                days.push(serial.floor() as i64);
            }
        }
    }
    days.sort_unstable();
    days.dedup();
    Ok(days)
}

fn is_off(dates: DateSystem, serial: i64, weekend: &[bool; 7]) -> bool {
    let monday = (dates.day(serial).weekday + 6) % 7;
    weekend.get(monday as usize).copied().unwrap_or(false)
}

fn network_days(a: &Args<'_>, weekend: [bool; 7], index: usize) -> Answer {
    let (start, end) = (serial(a, 0)? as i64, serial(a, 1)? as i64);
    let holidays = holidays(a, index)?;
    let dates = a.cx.dates();
    let (low, high) = (start.min(end), start.max(end));
    let mut count = 0.0;
    for serial in low..=high {
        if !is_off(dates, serial, &weekend) && holidays.binary_search(&serial).is_err() {
            count += 1.0;
        }
    }
    num(if start <= end { count } else { -count })
}

fn work_day(a: &Args<'_>, weekend: [bool; 7], index: usize) -> Answer {
    let start = serial(a, 0)? as i64;
    let mut left = strict_number(a, 1)?.trunc();
    let holidays = holidays(a, index)?;
    let dates = a.cx.dates();
    let step = if left < 0.0 { -1 } else { 1 };
    let mut at = start;
    while left != 0.0 {
        at += step;
        if at < 0 || at as f64 > MAX_SERIAL {
            return fail(ErrorKind::Num);
        }
        if !is_off(dates, at, &weekend) && holidays.binary_search(&at).is_err() {
            left -= step as f64;
        }
    }
    num(at as f64)
}
