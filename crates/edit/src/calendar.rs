//! The Gregorian calendar, also before it was decreed, as ISO 8601 counts it.
//!
//! `formula` has arithmetic of its own: Excel's calendar has a 29 February 1900, and that crate stands alone.

/// A day, which may not exist: see [`Day::exists`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    pub year: i64,
    /// From 1.
    pub month: u32,
    pub day: u32,
}

/// In English, from January on.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// In English; the week begins as [`Day::weekday`] counts it.
pub const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// From 1 March of the year 0 to 1970-01-01. A year that begins in March ends with its leap day.
const TO_1970: i64 = 719_468;
const DAYS_OF_400_YEARS: i64 = 146_097;

impl Day {
    /// The day that is so many days after 1970-01-01.
    #[must_use]
    pub fn since_1970(days: i64) -> Self {
        let shifted = days + TO_1970;
        let era = shifted.div_euclid(DAYS_OF_400_YEARS);
        let day_of_era = shifted.rem_euclid(DAYS_OF_400_YEARS);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month: month as u32,
            day: (day_of_year - (153 * from_march + 2) / 5 + 1) as u32,
        }
    }

    /// How many days it is after 1970-01-01.
    #[must_use]
    pub fn days_since_1970(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let from_march = (i64::from(self.month) + 9) % 12;
        let day_of_year = (153 * from_march + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * DAYS_OF_400_YEARS + day_of_era - TO_1970
    }

    /// Whether the calendar has it; 30 February it has not.
    #[must_use]
    pub fn exists(self) -> bool {
        (1..=12).contains(&self.month) && self.day > 0 && Self::since_1970(self.days_since_1970()) == self
    }

    /// From Sunday, which is 0.
    #[must_use]
    pub fn weekday(self) -> usize {
        // 1970 began on a Thursday.
        (self.days_since_1970() + 4).rem_euclid(7) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_there_and_back() {
        for days in (-1_000_000..1_000_000).step_by(997) {
            let day = Day::since_1970(days);
            assert_eq!(day.days_since_1970(), days);
            assert!(day.exists());
        }
        assert_eq!(Day::since_1970(0), Day { year: 1970, month: 1, day: 1 });
        assert_eq!(Day::since_1970(11_016), Day { year: 2000, month: 2, day: 29 });
    }

    #[test]
    fn what_no_calendar_has_does_not_exist() {
        let exists = |year, month, day| Day { year, month, day }.exists();
        assert!(exists(2024, 2, 29) && exists(2000, 2, 29));
        assert!(!exists(2023, 2, 29) && !exists(1900, 2, 29) && !exists(2024, 4, 31));
        assert!(!exists(2024, 0, 1) && !exists(2024, 13, 1) && !exists(2024, 1, 0) && !exists(2024, 12, 32));
    }

    #[test]
    fn weeks_begin_on_sundays() {
        assert_eq!(WEEKDAYS[Day { year: 2026, month: 11, day: 19 }.weekday()], "Thursday");
        assert_eq!(WEEKDAYS[Day { year: 1, month: 1, day: 1 }.weekday()], "Monday");
    }
}
