//! Serial dates: days since 1900 or 1904, and the calendar they stand for.

/// Which day is number zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DateSystem {
    /// Day 1 is 1 January 1900, and day 60 is 29 February 1900, a day that never was.
    #[default]
    D1900,
    /// Day 0 is 1 January 1904.
    D1904,
}

/// Days between the two systems.
const SHIFT_1904: i64 = 1462;
/// 31 December 9999 in the 1900 system.
pub(crate) const MAX_SERIAL: f64 = 2_958_465.0;

/// A day of the calendar; `weekday` counts from Sunday, zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    pub(crate) year: i64,
    pub(crate) month: u32,
    pub(crate) day: u32,
    pub(crate) weekday: u32,
}

impl DateSystem {
    /// The calendar day of a serial number's whole part.
    pub(crate) fn day(self, serial: i64) -> Day {
        let serial = if self == DateSystem::D1904 { serial + SHIFT_1904 } else { serial };
        // Excel shows day zero as 0 January 1900.
        if serial == 0 {
            return Day { year: 1900, month: 1, day: 0, weekday: 6 };
        }
        if serial == 60 {
            return Day { year: 1900, month: 2, day: 29, weekday: 3 };
        }
        let real = if serial < 60 { serial + 1 } else { serial };
        // Day 25569 is 1 January 1970.
        let (year, month, day) = civil(real - 25_569);
        Day { year, month, day, weekday: (serial - 1).rem_euclid(7) as u32 }
    }

    /// The year that a day is of.
    #[must_use]
    pub fn year(self, serial: i64) -> i64 {
        self.day(serial).year
    }

    /// The serial of a day; month and day may lie outside their usual bounds, as in `DATE`.
    #[must_use]
    pub fn serial(self, year: i64, month: i64, day: i64) -> i64 {
        let months = year * 12 + month - 1;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let first = days_from_civil(year, month as u32, 1) + 25_569;
        let first = if first < 61 { first - 1 } else { first };
        let shift = if self == DateSystem::D1904 { SHIFT_1904 } else { 0 };
        first - shift + day - 1
    }
}

/// Days of a month as Excel counts them: February 1900 has 29.
pub(crate) fn days_in_month(system: DateSystem, year: i64, month: u32) -> u32 {
    if system == DateSystem::D1900 && year == 1900 && month == 2 {
        return 29;
    }
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

pub(crate) fn is_leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

/// Days since 1970 to year, month, day of the Gregorian calendar.
fn civil(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u32, day as u32)
}

fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month = i64::from(month);
    let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serials_and_back() {
        let d = DateSystem::D1900;
        for (serial, (year, month, day)) in [
            (1, (1900, 1, 1)),
            (59, (1900, 2, 28)),
            (60, (1900, 2, 29)),
            (61, (1900, 3, 1)),
            (36_526, (2000, 1, 1)),
            (43_831, (2020, 1, 1)),
            (2_958_465, (9999, 12, 31)),
        ] {
            let found = d.day(serial);
            assert_eq!((found.year, found.month, found.day), (year, month, day), "{serial}");
            assert_eq!(d.serial(year, i64::from(month), i64::from(day)), serial);
        }
        assert_eq!(d.day(43_831).weekday, 3);
        assert_eq!(DateSystem::D1904.day(0).year, 1904);
        assert_eq!(DateSystem::D1904.serial(1904, 1, 2), 1);
        assert_eq!(d.serial(2020, 14, 1), d.serial(2021, 2, 1));
        assert_eq!(d.serial(2020, 1, 0), d.serial(2019, 12, 31));
    }
}
