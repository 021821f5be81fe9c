//! Between types as Excel goes: text to number, number to text, anything to logical, and comparison.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use crate::date::{DateSystem, days_in_month};
use crate::key::{folded, lower};
use crate::region::{DateOrder, Region};
use crate::value::{ErrorKind, Value};

/// A number out of a value used in arithmetic. Blank is zero, `TRUE` is one, text is read as typed in a cell.
pub(crate) fn number(value: &Value, region: Region) -> Result<f64, ErrorKind> {
    match value {
        Value::Number(number) => Ok(*number),
        Value::Blank => Ok(0.0),
        Value::Bool(flag) => Ok(f64::from(u8::from(*flag))),
        Value::Text(text) => text_to_number(text, region).ok_or(ErrorKind::Value),
        Value::Error(kind) => Err(*kind),
    }
}

/// The text of a value used in concatenation.
pub(crate) fn text(value: &Value, region: Region) -> Result<Arc<str>, ErrorKind> {
    match value {
        Value::Text(text) => Ok(text.clone()),
        Value::Number(number) => Ok(Arc::from(region.locale.spelled(number_to_text(*number)))),
        Value::Blank => Ok(Arc::from("")),
        Value::Bool(flag) => Ok(Arc::from(if *flag { "TRUE" } else { "FALSE" })),
        Value::Error(kind) => Err(*kind),
    }
}

/// The text of a value where no language is asked for.
pub(crate) fn plain_text(value: &Value) -> Result<Arc<str>, ErrorKind> {
    text(value, Region::default())
}

/// A condition out of a value: zero is false; only the texts TRUE and FALSE are conditions.
pub(crate) fn logical(value: &Value) -> Result<bool, ErrorKind> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::Number(number) => Ok(*number != 0.0),
        Value::Blank => Ok(false),
        Value::Text(text) if text.eq_ignore_ascii_case("TRUE") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("FALSE") => Ok(false),
        Value::Text(_) => Err(ErrorKind::Value),
        Value::Error(kind) => Err(*kind),
    }
}

/// The order of Excel's comparison operators: numbers, then text, then logicals; text without case; a blank
/// takes the other side's type. Numbers compare by their first fifteen digits.
pub(crate) fn compare(a: &Value, b: &Value) -> Result<Ordering, ErrorKind> {
    match (a, b) {
        (Value::Error(kind), _) | (_, Value::Error(kind)) => Err(*kind),
        (Value::Number(a), Value::Number(b)) => Ok(compare_numbers(*a, *b)),
        (Value::Text(a), Value::Text(b)) => Ok(compare_text(a, b)),
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::Blank, Value::Blank) => Ok(Ordering::Equal),
        (Value::Blank, Value::Number(b)) => Ok(compare_numbers(0.0, *b)),
        (Value::Number(a), Value::Blank) => Ok(compare_numbers(*a, 0.0)),
        (Value::Blank, Value::Text(b)) => Ok(compare_text("", b)),
        (Value::Text(a), Value::Blank) => Ok(compare_text(a, "")),
        (Value::Blank, Value::Bool(b)) => Ok(false.cmp(b)),
        (Value::Bool(a), Value::Blank) => Ok(a.cmp(&false)),
        (Value::Number(_), Value::Text(_) | Value::Bool(_)) | (Value::Text(_), Value::Bool(_)) => {
            Ok(Ordering::Less)
        }
        (Value::Text(_) | Value::Bool(_), Value::Number(_)) | (Value::Bool(_), Value::Text(_)) => {
            Ok(Ordering::Greater)
        }
    }
}

fn compare_numbers(a: f64, b: f64) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    // Only numbers that agree in almost all their bits can agree in fifteen digits.
    let scale = a.abs().max(b.abs());
    if (a - b).abs() <= scale * 1e-14 && round15(a) == round15(b) {
        return Ordering::Equal;
    }
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Text order without case. Excel ignores hyphens and apostrophes unless nothing else differs.
#[must_use]
pub fn compare_text(a: &str, b: &str) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    if a.is_ascii() && b.is_ascii() {
        let mut left = a.bytes().filter(|c| !matches!(c, b'-' | b'\'')).map(collation_key);
        let mut right = b.bytes().filter(|c| !matches!(c, b'-' | b'\'')).map(collation_key);
        loop {
            match (left.next(), right.next()) {
                (None, None) => break,
                (None, Some(_)) => return Ordering::Less,
                (Some(_), None) => return Ordering::Greater,
                (Some(x), Some(y)) if x != y => return x.cmp(&y),
                _ => {}
            }
        }
        return a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
    }
    let key = |text: &str| -> Vec<(u8, char)> {
        text.chars()
            .filter(|c| !matches!(c, '-' | '\''))
            .flat_map(lower)
            .map(|c| {
                if c.is_ascii() {
                    (collation_key(c as u8).0, c)
                } else {
                    (if c.is_alphabetic() { 2 } else { 0 }, base_letter(c))
                }
            })
            .collect()
    };
    key(a).cmp(&key(b)).then_with(|| folded(a).cmp(&folded(b)))
}

/// Punctuation sorts before digits, digits before letters.
fn collation_key(byte: u8) -> (u8, u8) {
    let class = match byte {
        b'a'..=b'z' | b'A'..=b'Z' => 2,
        b'0'..=b'9' => 1,
        _ => 0,
    };
    let rank = match byte {
        b' ' => 0,
        b'_' => 1,
        b'-' => 2,
        b',' => 3,
        b';' => 4,
        b':' => 5,
        b'!' => 6,
        b'?' => 7,
        b'.' => 8,
        b'\'' => 9,
        b'"' => 10,
        b'(' => 11,
        b')' => 12,
        b'[' => 13,
        b']' => 14,
        b'{' => 15,
        b'}' => 16,
        b'@' => 17,
        b'*' => 18,
        b'/' => 19,
        b'\\' => 20,
        b'&' => 21,
        b'#' => 22,
        b'%' => 23,
        b'`' => 24,
        b'^' => 25,
        b'+' => 26,
        b'<' => 27,
        b'=' => 28,
        b'>' => 29,
        b'|' => 30,
        b'~' => 31,
        b'$' => 32,
        other => other.to_ascii_lowercase(),
    };
    (class, rank)
}

/// The plain letter a Latin letter with a mark sorts beside.
fn base_letter(c: char) -> char {
    match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'ī' => 'i',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ś' | 'š' => 's',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

/// The digits of a number as Excel takes them from what is typed: zeros from the sixteenth significant one on.
#[must_use]
pub fn fifteen_digits(text: &str) -> Cow<'_, str> {
    let end = text.find(['e', 'E']).unwrap_or(text.len());
    let significant = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit);
        digits.skip_while(|digit| *digit == b'0').count()
    };
    if text.get(..end).is_none_or(|mantissa| significant(mantissa) <= 15) {
        return Cow::Borrowed(text);
    }
    let mut seen = 0;
    let kept = text.char_indices().map(|(at, letter)| {
        if at >= end || !letter.is_ascii_digit() || (seen == 0 && letter == '0') {
            return letter;
        }
        seen += 1;
        if seen > 15 { '0' } else { letter }
    });
    Cow::Owned(kept.collect())
}

/// The number rounded to fifteen significant digits, which is all Excel shows and stores as text.
pub(crate) fn round15(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// A number as concatenation spells it: fifteen digits, plain when that takes at most twenty characters.
pub(crate) fn number_to_text(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if number == number.trunc() && number.abs() < 1e15 {
        return format!("{}", number as i64);
    }
    let scientific = format!("{number:.14e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let negative = mantissa.starts_with('-');
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let count = digits.len() as i32;
    let plain = if exponent >= 0 {
        if exponent >= 20 {
            None
        } else if count <= exponent + 1 {
            Some(format!("{digits}{}", "0".repeat((exponent + 1 - count) as usize)))
        } else {
            let (whole, fraction) = digits.split_at((exponent + 1) as usize);
            Some(format!("{whole}.{fraction}"))
        }
    } else if count - exponent < 20 {
        Some(format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize)))
    } else {
        None
    };
    let body = plain.unwrap_or_else(|| {
        let (first, others) = digits.split_at(1);
        let sign = if exponent < 0 { '-' } else { '+' };
        let point = if others.is_empty() { "" } else { "." };
        format!("{first}{point}{others}E{sign}{:02}", exponent.abs())
    });
    if negative { format!("-{body}") } else { body }
}

/// A number typed as text: signs, thousands, currency, percent, exponent, fractions, dates and times.
pub fn text_to_number(text: &str, region: Region) -> Option<f64> {
    let trimmed = text.trim_matches([' ', '\u{a0}', '\t', '\n', '\r']);
    if trimmed.is_empty() {
        return None;
    }
    let plain = region.locale.unspelled(trimmed).and_then(|plain| plain_number(&plain));
    plain.or_else(|| fraction(trimmed)).or_else(|| date_time(trimmed, region))
}

/// The number of `VALUE`-like text without dates.
pub(crate) fn plain_number(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    let mut negative = false;
    let mut percent = 0;
    if let Some(inner) = rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        negative = true;
        rest = inner.trim();
        if rest.starts_with(['-', '+']) {
            return None;
        }
    }
    let (mut signed, mut currency) = (false, false);
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(['-', '+']) {
            if signed || (negative && text.trim().starts_with('(')) {
                return None;
            }
            negative = rest.starts_with('-');
            signed = true;
            rest = after;
        } else if let Some(after) = rest.strip_prefix(['$', '€', '£', '¥']) {
            if currency {
                return None;
            }
            currency = true;
            rest = after;
        } else if let Some(after) = rest.strip_prefix('%') {
            percent += 1;
            rest = after;
        } else {
            break;
        }
    }
    loop {
        rest = rest.trim_end();
        if let Some(before) = rest.strip_suffix('%') {
            percent += 1;
            rest = before;
        } else if let Some(before) = rest.strip_suffix(['€', '£', '¥', '$']) {
            if currency {
                return None;
            }
            currency = true;
            rest = before;
        } else {
            break;
        }
    }
    if percent > 1 {
        return None;
    }
    let bytes = rest.as_bytes();
    if bytes.is_empty()
        || !bytes.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'e' | b'E' | b'+' | b'-'))
    {
        return None;
    }
    let mantissa_end = rest.find(['e', 'E']).unwrap_or(rest.len());
    let (mantissa, exponent) = rest.split_at(mantissa_end);
    if !mantissa.bytes().any(|b| b.is_ascii_digit()) || mantissa.contains(['+', '-']) {
        return None;
    }
    let exponent_digits = exponent.trim_start_matches(['e', 'E']).trim_start_matches(['+', '-']);
    if !exponent.is_empty()
        && (exponent_digits.is_empty() || !exponent_digits.bytes().all(|b| b.is_ascii_digit()))
    {
        return None;
    }
    let cleaned;
    let mantissa = if mantissa.contains(',') {
        let whole = mantissa.split('.').next().unwrap_or("");
        if mantissa.get(whole.len()..).is_some_and(|fraction| fraction.contains(',')) {
            return None;
        }
        // Groups after a comma have three digits or more; `1,2` is no number.
        let mut groups = whole.split(',');
        if groups.next().is_none_or(str::is_empty) || groups.any(|group| group.len() < 3) {
            return None;
        }
        cleaned = mantissa.replace(',', "");
        cleaned.as_str()
    } else {
        mantissa
    };
    if mantissa.matches('.').count() > 1 {
        return None;
    }
    let number: f64 = format!("{mantissa}{exponent}").parse().ok()?;
    if !number.is_finite() {
        return None;
    }
    let number = if percent == 1 { number / 100.0 } else { number };
    Some(if negative { -number } else { number })
}

/// `1 1/2`, `-3/4` with a whole part.
fn fraction(text: &str) -> Option<f64> {
    let negative = text.starts_with('-');
    let body = text.trim_start_matches(['-', '+']);
    let (whole, rest) = body.split_once(' ')?;
    let (over, under) = rest.trim().split_once('/')?;
    let digits = |part: &str| -> Option<f64> {
        (!part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok()).flatten()
    };
    let (whole, over, under) = (digits(whole)?, digits(over)?, digits(under)?);
    if under == 0.0 {
        return None;
    }
    let number = whole + over / under;
    Some(if negative { -number } else { number })
}

/// A date, a time, or both, and no other number.
pub fn text_to_moment(text: &str, region: Region) -> Option<f64> {
    date_time(text.trim_matches([' ', '\u{a0}', '\t', '\n', '\r']), region)
}

/// A date, a time, or both.
pub(crate) fn date_time(text: &str, region: Region) -> Option<f64> {
    let text = text.trim();
    // The time is what holds a colon, with an AM or PM after it.
    let Some(colon) = text.find(':') else {
        if let Some(time) = time(text) {
            return Some(time);
        }
        if let Some((head, tail)) = text.rsplit_once(' ')
            && matches!(tail.to_ascii_uppercase().as_str(), "AM" | "PM" | "A" | "P")
            && let Some((day, hour)) = head.trim().rsplit_once(' ')
            && let (Some(day), Some(clock)) = (date(day, region), time(&format!("{hour} {tail}")))
        {
            return Some(day + clock);
        }
        return date(text, region);
    };
    if let Some(clock) = time(text) {
        return Some(clock);
    }
    let split = text.get(..colon)?.rfind([' ', 'T', 't'])?;
    let day = date(text.get(..split)?.trim(), region)?;
    let clock = time(text.get(split + 1..)?.trim().trim_end_matches(['Z', 'z']))?;
    Some(day + clock)
}

fn time(text: &str) -> Option<f64> {
    let lower = text.trim().to_ascii_lowercase();
    let (body, half) = if let Some(body) = lower.strip_suffix("am").or_else(|| lower.strip_suffix(" a")) {
        (body.trim(), Some(0.0))
    } else if let Some(body) = lower.strip_suffix("pm").or_else(|| lower.strip_suffix(" p")) {
        (body.trim(), Some(12.0))
    } else {
        (lower.as_str(), None)
    };
    let parts: Vec<&str> = body.split(':').map(str::trim).collect();
    if parts.len() > 3 || (parts.len() == 1 && half.is_none()) {
        return None;
    }
    let mut numbers = [0.0f64; 3];
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let (whole, fraction) = part.split_once('.').unwrap_or((part, ""));
        if !part.contains('.') && whole.is_empty() && last && index > 0 && index == parts.len() - 1 {
            // `12:` is noon.
            continue;
        }
        if whole.is_empty() || whole.len() > 4 || !whole.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        if part.contains('.') && (!last || parts.len() < 2 || !fraction.bytes().all(|b| b.is_ascii_digit())) {
            return None;
        }
        if let Some(slot) = numbers.get_mut(index) {
            *slot = part.parse().ok()?;
        }
    }
    let [mut hours, minutes, seconds] = numbers;
    // `12:30.5` is minutes and seconds.
    if parts.len() == 2 && body.contains('.') {
        return (hours < 1e4 && minutes < 60.0).then(|| (hours * 60.0 + minutes) / 86_400.0);
    }
    if let Some(half) = half {
        if hours > 12.0 {
            return None;
        }
        hours = if hours == 12.0 { half } else { hours + half };
    }
    // Only the largest part may overflow, and only one of them.
    if (minutes >= 60.0 && hours != 0.0)
        || (seconds >= 60.0 && (hours != 0.0 || minutes != 0.0))
        || hours > 9999.0
    {
        return None;
    }
    Some((hours * 3600.0 + minutes * 60.0 + seconds) / 86_400.0)
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The month a word names, in full or by three letters.
pub(crate) fn month_of(word: &str) -> Option<i64> {
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    if word.len() < 3 {
        return None;
    }
    MONTHS
        .iter()
        .position(|month| *month == word || (word.len() == 3 && month.starts_with(&word)))
        .map(|at| at as i64 + 1)
}

/// A date as typed: `1/31/2020`, `2020-01-31`, `31-Jan-20`, `Jan 31, 2020`; in other languages `31.1.2020` and the names
/// of their months too.
fn date(text: &str, region: Region) -> Option<f64> {
    let dates = region.dates;
    let order = region.locale.date_order();
    let month_of = |word: &str| region.locale.names().month_of(word).or_else(|| month_of(word));
    let text = text.trim();
    let dotted = region.locale.date_separator() == "." && !text.contains(['/', '-']);
    let plain;
    let text = if dotted && text.contains('.') {
        // `31. Januar 2020` has a dot behind its day.
        plain = text.replace(". ", " ").trim_end_matches('.').replace('.', "/");
        &*plain
    } else {
        text
    };
    // A weekday may lead.
    let text = text.split_once(", ").map_or(text, |(head, tail)| {
        let lower = head.to_ascii_lowercase();
        let weekday = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
            .iter()
            .any(|day| *day == lower || (lower.len() == 3 && day.starts_with(&lower)));
        if weekday { tail } else { text }
    });
    let parts: Vec<&str> = text.split(['/', '-', ' ', ',', '.']).filter(|part| !part.is_empty()).collect();
    if text.contains('.') && !text.bytes().any(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let separators = text.chars().filter(|c| matches!(c, '/' | '-')).count();
    let all_digits =
        |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
    let number = |part: &str| -> Option<i64> { all_digits(part).then(|| part.parse().ok()).flatten() };
    let (year, month, day) = match parts.as_slice() {
        [a, b, c] => {
            if let Some(month) = month_of(a) {
                (year_of(c)?, month, number(b)?)
            } else if let Some(month) = month_of(b) {
                if a.len() == 4 { (number(a)?, month, number(c)?) } else { (year_of(c)?, month, number(a)?) }
            } else {
                if separators != 2 {
                    return None;
                }
                let (a_number, b_number, c_number) = (number(a)?, number(b)?, number(c)?);
                match order {
                    _ if a.len() >= 3 => (a_number, b_number, c_number),
                    DateOrder::YearFirst if c.len() <= 2 => (year_of(a)?, b_number, c_number),
                    DateOrder::DayFirst | DateOrder::YearFirst => (year_of(c)?, b_number, a_number),
                    DateOrder::MonthFirst => (year_of(c)?, a_number, b_number),
                }
            }
        }
        [a, b] => {
            if let Some(month) = month_of(a) {
                // `Jan 2020` and `Jan-85` are months, `Jan 5` a day of no stated year.
                let n = number(b)?;
                if b.len() == 4 || n > 31 { (year_of(b)?, month, 1) } else { return None }
            } else if let Some(month) = month_of(b) {
                let n = number(a)?;
                if a.len() == 4 { (n, month, 1) } else { return None }
            } else {
                if separators != 1 {
                    return None;
                }
                // `1/2020` is a month; a day and month without a year would need the clock.
                let (first, second) = (number(a)?, number(b)?);
                if b.len() == 4 {
                    (second, first, 1)
                } else if a.len() == 4 {
                    (first, second, 1)
                } else {
                    return None;
                }
            }
        }
        _ => return None,
    };
    if !(1..=12).contains(&month) || day < 1 || day > i64::from(days_in_month(dates, year, month as u32)) {
        return None;
    }
    if !(1900..=9999).contains(&year) || (dates == DateSystem::D1904 && year < 1904) {
        return None;
    }
    Some(dates.serial(year, month, day) as f64)
}

/// A year of two or four digits; 30 to 99 belong to the last century.
fn year_of(part: &str) -> Option<i64> {
    if part.is_empty() || part.len() > 4 || part.len() == 3 || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let year: i64 = part.parse().ok()?;
    Some(if part.len() <= 2 { if year < 30 { 2000 + year } else { 1900 + year } } else { year })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_text() {
        for (number, text) in [
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333333333333"),
            (1e20, "1E+20"),
            (123_456_789_012_345_680.0, "123456789012346000"),
            (1.0 / 30_000.0, "3.33333333333333E-05"),
            (1e-9, "0.000000001"),
            (-1.5, "-1.5"),
            (1e15, "1000000000000000"),
        ] {
            assert_eq!(number_to_text(number), text);
        }
    }

    #[test]
    fn text_as_numbers() {
        for (text, number) in [
            ("1,234.5", Some(1234.5)),
            ("$1,000", Some(1000.0)),
            ("(5)", Some(-5.0)),
            ("50%", Some(0.5)),
            (" 12 ", Some(12.0)),
            ("1e3", Some(1000.0)),
            ("1 1/2", Some(1.5)),
            ("1/1/2020", Some(43_831.0)),
            ("2020-01-01", Some(43_831.0)),
            ("1-Jan-2020", Some(43_831.0)),
            ("January 1, 2020", Some(43_831.0)),
            ("2020-01-01 12:00", Some(43_831.5)),
            ("12:00", Some(0.5)),
            ("6 PM", Some(0.75)),
            ("1:30:00 PM", Some(0.5625)),
            ("abc", None),
            ("1,2", None),
            ("", None),
            ("--1", None),
            ("1e999", None),
        ] {
            assert_eq!(text_to_number(text, DateSystem::D1900.into()), number, "{text}");
        }
    }

    #[test]
    fn order() {
        assert_eq!(compare(&Value::Number(1e9), &Value::text("a")), Ok(Ordering::Less));
        assert_eq!(compare(&Value::text("z"), &Value::Bool(false)), Ok(Ordering::Less));
        assert_eq!(compare(&Value::text("ABC"), &Value::text("abc")), Ok(Ordering::Equal));
        assert_eq!(compare(&Value::Number(0.1 + 0.2), &Value::Number(0.3)), Ok(Ordering::Equal));
        assert_eq!(compare(&Value::Blank, &Value::text("")), Ok(Ordering::Equal));
    }
}
