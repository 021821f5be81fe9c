//! The time as Office writes it. What time it is, engines are told: [`crate::Context::now`].

use crate::calendar::Day;

/// Seconds since 1970-01-01 as `2023-11-14T22:13:20`, in UTC; formats put their own end to it.
#[must_use]
pub fn utc(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let Day { year, month, day } = Day::since_1970(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn seconds_become_days_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00");
        assert_eq!(utc(1_700_000_000), "2023-11-14T22:13:20");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00");
        assert_eq!(utc(-1), "1969-12-31T23:59:59");
    }
}
