//! Dates, times and elapsed time.

use super::locale::{Calendar, ENGLISH, era};
use super::parse::{Part, Section};
use crate::date::{DateSystem, MAX_SERIAL};

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
    let magnitude = number.abs();
    let decimals = subseconds(section);
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
    let fraction = ticks - total * unit;
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
    let year = if locale.calendar == Calendar::Thai { day.year + 543 } else { day.year };
    let mut fill = None;
    if negative {
        out.push('-');
    }
    let mut parts = section.parts.iter().enumerate().peekable();
    while let Some((at, part)) = parts.next() {
        match part {
            Part::Date('y', length) => match length {
                1 | 2 => out.push_str(&format!("{:02}", year.rem_euclid(100))),
                _ => out.push_str(&format!("{year:04}")),
            },
            Part::Date('e', length) => match locale.calendar {
                Calendar::Japanese => {
                    let (_, year) = era(era_day, day.year);
                    out.push_str(&padded(year.max(0) as u64, *length));
                }
                Calendar::Taiwanese => out.push_str(&padded((day.year - 1911).max(0) as u64, *length)),
                _ => out.push_str(&format!("{year}")),
            },
            Part::Date('g', length) => match locale.calendar {
                Calendar::Japanese => {
                    let (names, _) = era(era_day, day.year);
                    out.push_str(names.get((*length).clamp(1, 3) - 1).copied().unwrap_or_default());
                }
                Calendar::Taiwanese => out.push_str(if *length >= 3 { "中華民國" } else { "民國" }),
                _ => {}
            },
            Part::Date('a', length) if *length <= 3 => out.push_str(names.short_day(day.weekday)),
            Part::Date('a', _) => out.push_str(names.day(day.weekday)),
            Part::Date('b', length) => {
                let year = day.year + 543;
                out.push_str(&if *length <= 2 {
                    format!("{:02}", year.rem_euclid(100))
                } else {
                    format!("{year:04}")
                });
            }
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
            Part::Half(written) => {
                let (morning, evening) = written.split_once('/').unwrap_or(("AM", "PM"));
                let shown = if hour < 12 { morning } else { evening };
                // One letter keeps its case, two do not.
                out.push_str(&if shown.len() > 1 { shown.to_ascii_uppercase() } else { shown.to_owned() });
            }
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
