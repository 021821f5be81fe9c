//! Dates between the calendar and the serial numbers of cells.

use formula::DateSystem;

/// The serial number of `2024-02-29`, `2024-02-29T13:30:00` or `13:30`.
pub(crate) fn serial_of_iso(text: &str, dates: DateSystem) -> Option<f64> {
    let text = text.trim().trim_end_matches('Z');
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (Some(day), Some(time)),
        None if text.contains(':') => (None, Some(text)),
        None => (Some(text), None),
    };
    let days = match day {
        Some(day) => day_serial(day, dates)?,
        None => 0.0,
    };
    Some(days + time.map_or(Some(0.0), time_fraction)?)
}

fn day_serial(day: &str, dates: DateSystem) -> Option<f64> {
    let mut fields = day.split('-');
    let (year, month, date) = (fields.next()?, fields.next()?, fields.next()?);
    if fields.next().is_some() || year.len() != 4 {
        return None;
    }
    let (year, month, date): (i64, i64, i64) = (year.parse().ok()?, month.parse().ok()?, date.parse().ok()?);
    let longest = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => return None,
    };
    if !(1..=longest).contains(&date) {
        return None;
    }
    // Programs that write times as dates write them on the day that is zero in their calendar.
    if dates == DateSystem::D1900 && (year, month) == (1899, 12) && date >= 30 {
        return Some(0.0);
    }
    let serial = dates.serial(year, month, date);
    (serial >= 0).then_some(serial as f64)
}

fn time_fraction(time: &str) -> Option<f64> {
    let mut fields = time.split(':');
    let (hours, minutes) = (fields.next()?.parse::<u32>().ok()?, fields.next()?.parse::<u32>().ok()?);
    let seconds = fields.next().map_or(Some(0.0), |field| field.parse::<f64>().ok())?;
    let right = hours < 24 && minutes < 60 && (0.0..60.0).contains(&seconds) && fields.next().is_none();
    right.then(|| (f64::from(hours * 3600 + minutes * 60) + seconds) / 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_serials() {
        for (text, serial) in [
            ("1900-01-01", 1.0),
            ("1900-02-28", 59.0),
            ("1900-03-01", 61.0),
            ("2000-01-01", 36_526.0),
            ("2024-02-29T12:00:00", 45_351.5),
            ("06:00", 0.25),
            ("1899-12-30T06:00:00", 0.25),
            ("1899-12-31", 0.0),
        ] {
            assert_eq!(serial_of_iso(text, DateSystem::D1900), Some(serial), "{text}");
        }
        assert_eq!(serial_of_iso("1904-01-02", DateSystem::D1904), Some(1.0));
        for bad in ["", "2024-13-01", "2023-02-29", "24-01-01", "1899-12-29", "25:00", "2024-01-01T1"] {
            assert_eq!(serial_of_iso(bad, DateSystem::D1900), None, "{bad}");
        }
    }
}
