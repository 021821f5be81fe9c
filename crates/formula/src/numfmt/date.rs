//! Dates, times and elapsed time.

use super::locale::{Calendar, ENGLISH, era};
use super::parse::{Part, Section};
use crate::date::{DateSystem, Day, MAX_SERIAL};

/// Write the section, or `None` when the number is no date.
pub(super) fn render(
    section: &Section,
    number: f64,
    dates: DateSystem,
    out: &mut String,
) -> Option<Option<(usize, char)>> {
    let limit = if dates == DateSystem::D1904 { MAX_SERIAL - 1462.0 } else { MAX_SERIAL };
    if !number.is_finite() || number.abs() >= limit + 1.0 || (number < 0.0 && dates == DateSystem::D1900) {
        return None;
    }
    let negative = number < 0.0;
    let decimals = subseconds(section);
    let (total, fraction) = seconds(section, number.abs(), decimals);
    let days = (total / 86_400.0).floor();
    let second_of_day = (total - days * 86_400.0) as u64;
    let day = dates.day(days as i64);
    let (hour, minute, second) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    let half = section.parts.iter().any(|part| matches!(part, Part::Half(_)));
    let elapsed = |letter: char| {
        section.parts.iter().any(|part| matches!(part, Part::Elapsed(found, _) if *found == letter))
    };
    let locale = section.locale.unwrap_or(ENGLISH);
    let names = locale.names;
    let beside_day = section.parts.iter().any(|part| matches!(part, Part::Date('d', 1 | 2)));
    let era_day = if dates == DateSystem::D1904 { days as i64 + 1462 } else { days as i64 };
    let mut fill = None;
    if negative {
        out.push('-');
    }
    let mut parts = section.parts.iter().enumerate().peekable();
    while let Some((at, part)) = parts.next() {
        match part {
            Part::Date(letter @ ('y' | 'e' | 'g' | 'b'), length) => {
                out.push_str(&year(*letter, *length, &day, era_day, locale.calendar));
            }
            Part::Date('a', length) if *length <= 3 => out.push_str(names.short_day(day.weekday)),
            Part::Date('a', _) => out.push_str(names.day(day.weekday)),
            Part::Date('m', length) if *length <= 2 && is_minute(section, at) => {
                out.push_str(&padded(minute, *length))
            }
            Part::Date('m', length) => {
                let month = day.month;
                match length {
                    1 | 2 => out.push_str(&padded(u64::from(day.month), *length)),
                    3 => out.push_str(names.short_month(month)),
                    5 => out.extend(names.month(month, false).chars().next()),
                    _ => out.push_str(names.month(month, beside_day)),
                }
            }
            Part::Date('d', length) => match length {
                1 | 2 => out.push_str(&padded(u64::from(day.day), *length)),
                3 => out.push_str(names.short_day(day.weekday)),
                _ => out.push_str(names.day(day.weekday)),
            },
            // Beside elapsed time a plain unit of the same kind is elapsed too.
            Part::Date('h', length) if elapsed('h') => {
                out.push_str(&padded((total / 3600.0).floor() as u64, *length))
            }
            Part::Date('s', length) if elapsed('s') => out.push_str(&padded(total as u64, *length)),
            Part::Date('h', length) => {
                let hour = if half { (hour + 11) % 12 + 1 } else { hour };
                out.push_str(&padded(hour, *length));
            }
            Part::Date('s', length) => out.push_str(&padded(second, *length)),
            Part::Date(..) => {}
            Part::Half(written) => out.push_str(&half_of_day(written, hour)),
            Part::Elapsed('h', length) => out.push_str(&padded((total / 3600.0).floor() as u64, *length)),
            Part::Elapsed('m', length) => out.push_str(&padded((total / 60.0).floor() as u64, *length)),
            Part::Elapsed(_, length) => out.push_str(&padded(total as u64, *length)),
            Part::Point => {
                out.push(section.signs.decimal);
                let mut wanted = 0;
                while let Some((_, Part::Digit('0'))) = parts.peek() {
                    parts.next();
                    wanted += 1;
                }
                if wanted > 0 {
                    let shown = format!("{:0>width$}", fraction as u64, width = decimals);
                    out.push_str(shown.get(..wanted.min(shown.len())).unwrap_or(&shown));
                }
            }
            Part::Literal(text) => out.push_str(text),
            Part::Space(_) => out.push(' '),
            Part::Fill(letter) => fill = Some((out.len(), *letter)),
            Part::Slash => out.push_str(section.signs.slash),
            Part::Comma => out.push(','),
            Part::Percent => out.push('%'),
            Part::Digit(letter) => out.push(if *letter == '0' { '0' } else { ' ' }),
            Part::General | Part::Text | Part::Exponent { .. } => {}
        }
    }
    Some(fill)
}

/// The whole seconds of a number, and what is left in units of the last digit asked for.
fn seconds(section: &Section, magnitude: f64, decimals: usize) -> (f64, f64) {
    // Time is shown to the last digit asked for; rounding may carry over midnight.
    let unit = 10f64.powi(decimals as i32);
    let shows_seconds =
        section.parts.iter().any(|part| matches!(part, Part::Date('s', _) | Part::Elapsed('s', _)));
    let ticks = if shows_seconds || decimals > 0 {
        (magnitude * 86_400.0 * unit).round()
    } else {
        // Without seconds the minute is not rounded up, save for the noise of the last digits.
        (magnitude * 86_400.0 * unit + 1e-4).floor()
    };
    let total = (ticks / unit).floor();
    (total, ticks - total * unit)
}

/// A year as `y`, `e` and `b` write it, and the era of it as `g` does.
fn year(letter: char, length: usize, day: &Day, era_day: i64, calendar: Calendar) -> String {
    let two_or_four = |year: i64| match length {
        1 | 2 => format!("{:02}", year.rem_euclid(100)),
        _ => format!("{year:04}"),
    };
    let of_calendar = if calendar == Calendar::Thai { day.year + 543 } else { day.year };
    match (letter, calendar) {
        ('y', _) => two_or_four(of_calendar),
        ('b', _) => two_or_four(day.year + 543),
        ('e', Calendar::Japanese) => padded(era(era_day, day.year).1.max(0) as u64, length),
        ('e', Calendar::Taiwanese) => padded((day.year - 1911).max(0) as u64, length),
        ('e', _) => of_calendar.to_string(),
        (_, Calendar::Japanese) => era(era_day, day.year).0[length.clamp(1, 3) - 1].to_owned(),
        (_, Calendar::Taiwanese) => if length >= 3 { "中華民國" } else { "民國" }.to_owned(),
        (_, _) => String::new(),
    }
}

fn half_of_day(written: &str, hour: u64) -> String {
    let (morning, evening) = written.split_once('/').unwrap_or(("AM", "PM"));
    let shown = if hour < 12 { morning } else { evening };
    // One letter keeps its case, two do not.
    if shown.len() > 1 { shown.to_ascii_uppercase() } else { shown.to_owned() }
}

fn padded(number: u64, length: usize) -> String {
    if length >= 2 { format!("{number:02}") } else { number.to_string() }
}

/// Zeros after a point: the digits of a second.
fn subseconds(section: &Section) -> usize {
    let mut parts = section.parts.iter();
    while let Some(part) = parts.next() {
        if matches!(part, Part::Point) {
            return parts.take_while(|part| matches!(part, Part::Digit('0'))).count().min(9);
        }
    }
    0
}

/// `m` is minutes right after hours or right before seconds; where no day is shown, right after seconds too.
fn is_minute(section: &Section, at: usize) -> bool {
    let unit = |part: &&Part| matches!(part, Part::Date(..) | Part::Elapsed(..));
    let before = section.parts[..at].iter().rev().find(unit);
    let after = section.parts[at + 1..].iter().find(unit);
    matches!(before, Some(Part::Date('h', _) | Part::Elapsed('h', _)))
        || matches!(after, Some(Part::Date('s', _) | Part::Elapsed('s', _)))
        || matches!(before, Some(Part::Date('s', _) | Part::Elapsed('s', _)))
            && !section.parts.iter().any(|part| matches!(part, Part::Date('d' | 'y' | 'e' | 'b' | 'g', _)))
}

pub(super) fn cell_code(section: &Section) -> String {
    let has = |letter: char| {
        section.parts.iter().any(|part| matches!(part, Part::Date(found, _) if *found == letter))
    };
    let half = section.parts.iter().any(|part| matches!(part, Part::Half(_)));
    let named = section.parts.iter().any(|part| matches!(part, Part::Date('m', length) if *length >= 3));
    if has('h') || section.parts.iter().any(|part| matches!(part, Part::Elapsed(..))) {
        if has('d') || has('y') {
            return "D4".to_owned();
        }
        return match (half, has('s')) {
            (true, true) => "D6",
            (true, false) => "D7",
            (false, true) => "D8",
            (false, false) => "D9",
        }
        .to_owned();
    }
    match (has('y'), has('d'), named) {
        (true, true, true) => "D1",
        (false, true, true) => "D2",
        (true, false, true) => "D3",
        (true, true, false) => "D4",
        (false, true, false) => "D5",
        _ => "G",
    }
    .to_owned()
}
