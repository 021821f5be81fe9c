//! What Excel makes of something typed into a cell: a number with the format it was typed in, a date, a text.
//!
//! As an English Excel takes it, unless another language is asked for. What could be read in two ways elsewhere
//! (`3/4/2024`) is read month first in English.

use formula::{DateSystem, ErrorKind, Locale, Region, text_to_number};

use crate::edits::input::Input;
use crate::file::dates::serial_of_iso;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// What goes into the cell. A leading apostrophe means text, whatever follows.
pub(crate) fn read(text: &str, region: impl Into<Region>) -> Input {
    let region = region.into();
    let dates = region.dates;
    if let Some(text) = text.strip_prefix('\'') {
        return Input::Text(text.to_owned());
    }
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return if text.is_empty() { Input::Clear } else { Input::Text(text.to_owned()) };
    }
    if trimmed.len() > 1 && trimmed.starts_with('=') {
        return Input::Formula(trimmed.to_owned());
    }
    if trimmed.eq_ignore_ascii_case("true") || trimmed.eq_ignore_ascii_case("false") {
        return Input::Bool(trimmed.eq_ignore_ascii_case("true"));
    }
    if ErrorKind::parse(trimmed).is_some() {
        return Input::Error(trimmed.to_owned());
    }
    if region.locale != Locale::default() {
        return in_language(trimmed, region).unwrap_or_else(|| Input::Text(text.to_owned()));
    }
    match number(trimmed).or_else(|| moment(trimmed, dates)) {
        Some((number, None)) => Input::Number(number),
        Some((number, Some(format))) => Input::Formatted { number, format: format.to_owned() },
        None => Input::Text(text.to_owned()),
    }
}

/// A number, a sum of money, a date or a time as another language writes them.
fn in_language(text: &str, region: Region) -> Option<Input> {
    let (sign, behind) = region.locale.currency();
    let amount = text.strip_suffix(sign).or_else(|| text.strip_prefix(sign)).map(str::trim);
    let plain = region.locale.unspelled(amount.unwrap_or(text));
    if let Some((value, format)) = plain.as_deref().and_then(number) {
        let format = match (amount, behind) {
            (None, _) => match format {
                None => return Some(Input::Number(value)),
                Some(format) => format.to_owned(),
            },
            (Some(_), true) => format!("#,##0.00\\ \"{sign}\""),
            (Some(_), false) => format!("\"{sign}\"#,##0.00"),
        };
        return Some(Input::Formatted { number: value, format });
    }
    let value = text_to_number(text, region)?;
    let named = text.split([' ', '-', '.']).any(|word| region.locale.month_of(word).is_some());
    let day = region.locale.short_date();
    let format = match (text.contains(':'), value >= 1.0) {
        (true, true) => format!("{day} h:mm"),
        (true, false) if text.matches(':').count() > 1 => "h:mm:ss".to_owned(),
        (true, false) => "h:mm".to_owned(),
        (false, _) if named => "d-mmm-yy".to_owned(),
        (false, _) => day.to_owned(),
    };
    Some(Input::Formatted { number: value, format })
}

type Typed = (f64, Option<&'static str>);

/// A number, and the format that its signs ask for.
fn number(text: &str) -> Option<Typed> {
    let (text, bracketed) = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inside) => (inside.trim(), true),
        None => (text, false),
    };
    let (text, negative) = match text.strip_prefix('-') {
        Some(rest) if !bracketed => (rest.trim_start(), true),
        Some(_) => return None,
        None => (text.strip_prefix('+').unwrap_or(text), bracketed),
    };
    let (text, dollars) = text.strip_prefix('$').map_or((text, false), |rest| (rest.trim_start(), true));
    let (text, percent) = text.strip_suffix('%').map_or((text, false), |rest| (rest.trim_end(), true));
    if dollars && percent {
        return None;
    }
    let sign = if negative { -1.0 } else { 1.0 };
    if !dollars
        && !percent
        && let Some(value) = fraction(text)
    {
        return Some((sign * value, Some("# ?/?")));
    }
    let (mantissa, power) =
        text.split_once(['e', 'E']).map_or((text, None), |(digits, power)| (digits, Some(power)));
    let (whole, part) =
        mantissa.split_once('.').map_or((mantissa, None), |(whole, part)| (whole, Some(part)));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = whole.contains(',');
    let plain = if grouped { thousands(whole)? } else { whole.to_owned() };
    let empty = plain.is_empty() && part.is_none_or(str::is_empty);
    if empty || !digits(&plain) || !part.is_none_or(digits) {
        return None;
    }
    let exponent = match power {
        Some(power) => {
            let bare = power.strip_prefix(['+', '-']).unwrap_or(power);
            if bare.is_empty() || !digits(bare) || dollars || percent || grouped {
                return None;
            }
            format!("e{power}")
        }
        None => String::new(),
    };
    let value: f64 = format!("{plain}.{}0{exponent}", part.unwrap_or_default()).parse().ok()?;
    if !value.is_finite() {
        return None;
    }
    let cents = part.is_some_and(|part| !part.is_empty());
    let format = match (percent, dollars, grouped, cents) {
        (true, _, _, false) => Some("0%"),
        (true, _, _, true) => Some("0.00%"),
        (_, true, _, false) => Some("\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)"),
        (_, true, _, true) => Some("\"$\"#,##0.00_);[Red]\\(\"$\"#,##0.00\\)"),
        (_, _, true, false) => Some("#,##0"),
        (_, _, true, true) => Some("#,##0.00"),
        _ if power.is_some() => Some("0.00E+00"),
        _ => None,
    };
    // Divided in decimal, so that 29% is 0.29 and not its neighbour.
    let value = match percent {
        true => format!("{value}e-2").parse().ok()?,
        false => value,
    };
    Some((sign * value, format))
}

/// `1,234,567` without its commas; `1,2` is not a number.
fn thousands(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let right = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    right.then(|| text.replace(',', ""))
}

/// `1 1/2`; without the whole number it would be a date.
fn fraction(text: &str) -> Option<f64> {
    let (whole, rest) = text.split_once(' ')?;
    let (above, below) = rest.trim().split_once('/')?;
    let (whole, above, below): (u32, u32, u32) =
        (whole.parse().ok()?, above.parse().ok()?, below.parse().ok()?);
    (below > 0 && below < 1_000).then(|| f64::from(whole) + f64::from(above) / f64::from(below))
}

/// A date, a time, or both, with the format that Excel gives it.
fn moment(text: &str, dates: DateSystem) -> Option<Typed> {
    if let Some((serial, format)) = day(text, dates) {
        return Some((serial, Some(format)));
    }
    if let Some((part, format)) = time(text) {
        return Some((part, Some(format)));
    }
    let (date, clock) = text.split_once(['T', ' '])?;
    let ((serial, _), (part, _)) = (day(date, dates)?, time(clock.trim())?);
    Some((serial + part, Some("m/d/yyyy h:mm")))
}

fn day(text: &str, dates: DateSystem) -> Option<(f64, &'static str)> {
    let fields: Vec<&str> = text.split(['-', '/']).map(str::trim).collect();
    let month = |text: &str| {
        let lower = text.to_lowercase();
        let index = MONTHS.iter().position(|known| lower.starts_with(known))?;
        let full = [
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
        (lower.len() == 3 || full.get(index) == Some(&lower.as_str())).then_some(index + 1)
    };
    let (year, month, date, format) = match fields.as_slice() {
        [year, month, date] if year.len() == 4 => (year.to_string(), month.parse().ok()?, *date, "m/d/yyyy"),
        [date, name, year] if month(name).is_some() => (full_year(year)?, month(name)?, *date, "d-mmm-yy"),
        [month, date, year] if text.contains('/') => {
            (full_year(year)?, month.parse().ok()?, *date, "m/d/yyyy")
        }
        _ => return None,
    };
    let date: u32 = date.parse().ok()?;
    // What lies before the first day of the calendar is a text to Excel.
    let first = if dates == DateSystem::D1904 { 0.0 } else { 1.0 };
    let serial = serial_of_iso(&format!("{year}-{month:02}-{date:02}"), dates)?;
    (serial >= first).then_some((serial, format))
}

/// Two digits are of this century up to 29, as Windows has it.
fn full_year(text: &str) -> Option<String> {
    let year: u32 = text.parse().ok()?;
    match (text.len(), year) {
        (4, _) => Some(text.to_owned()),
        (1 | 2, ..30) => Some((2000 + year).to_string()),
        (1 | 2, _) => Some((1900 + year).to_string()),
        _ => None,
    }
}

fn time(text: &str) -> Option<(f64, &'static str)> {
    let lower = text.to_lowercase();
    let half = [("am", 0), ("pm", 12)]
        .into_iter()
        .find_map(|(mark, hours)| Some((lower.strip_suffix(mark)?, hours)));
    let (clock, half) = half.map_or((lower.as_str(), None), |(clock, hours)| (clock.trim_end(), Some(hours)));
    let mut fields = clock.split(':');
    let hours: u32 = fields.next()?.parse().ok()?;
    let minutes = match fields.next() {
        Some(minutes) => minutes.parse::<u32>().ok()?,
        None if half.is_some() => 0,
        None => return None,
    };
    let seconds =
        fields.next().map(|seconds| seconds.parse::<f64>().ok().filter(|s| (0.0..60.0).contains(s)));
    let seconds = match seconds {
        Some(None) => return None,
        Some(seconds) => seconds,
        None => None,
    };
    let hours = match half {
        Some(_) if !(1..=12).contains(&hours) => return None,
        Some(after) => hours % 12 + after,
        None => hours,
    };
    if fields.next().is_some() || minutes > 59 || hours > 9_999 {
        return None;
    }
    let format = match (half.is_some(), seconds.is_some(), hours > 23) {
        (_, _, true) => "[h]:mm:ss",
        (true, false, _) => "h:mm AM/PM",
        (true, true, _) => "h:mm:ss AM/PM",
        (false, false, _) => "h:mm",
        (false, true, _) => "h:mm:ss",
    };
    Some(((f64::from(hours * 3600 + minutes * 60) + seconds.unwrap_or(0.0)) / 86_400.0, format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_what_excel_makes_of_it() {
        let formatted = |number: f64, format: &str| Input::Formatted { number, format: format.to_owned() };
        for (text, input) in [
            ("12", Input::Number(12.0)),
            (" -1.5 ", Input::Number(-1.5)),
            ("(5)", Input::Number(-5.0)),
            (".5", Input::Number(0.5)),
            ("25%", formatted(0.25, "0%")),
            ("29%", formatted(0.29, "0%")),
            ("2.5 %", formatted(0.025, "0.00%")),
            ("1,234.50", formatted(1234.5, "#,##0.00")),
            ("-1,234", formatted(-1234.0, "#,##0")),
            ("$5", formatted(5.0, "\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)")),
            ("1e3", formatted(1000.0, "0.00E+00")),
            ("1 1/2", formatted(1.5, "# ?/?")),
            ("2024-03-01", formatted(45_352.0, "m/d/yyyy")),
            ("3/1/2024", formatted(45_352.0, "m/d/yyyy")),
            ("1-Mar-24", formatted(45_352.0, "d-mmm-yy")),
            ("2024-03-01 12:00", formatted(45_352.5, "m/d/yyyy h:mm")),
            ("6:00", formatted(0.25, "h:mm")),
            ("6:00 pm", formatted(0.75, "h:mm AM/PM")),
            ("6 PM", formatted(0.75, "h:mm AM/PM")),
            ("36:00", formatted(1.5, "[h]:mm:ss")),
            ("true", Input::Bool(true)),
            ("#N/A", Input::Error("#N/A".to_owned())),
            ("=A1", Input::Formula("=A1".to_owned())),
            ("", Input::Clear),
        ] {
            assert_eq!(read(text, DateSystem::D1900), input, "{text}");
        }
        let texts = [
            "1,2",
            "12 apples",
            "12/31/1899",
            "1899-12-30",
            "2024-13-01",
            "2/30/2024",
            "25:61",
            "13 pm",
            "--1",
            "1e",
            "=",
            "$5%",
            "1.2.3",
            "-",
            ".",
        ];
        for text in texts {
            assert_eq!(read(text, DateSystem::D1900), Input::Text(text.to_owned()), "{text}");
        }
        assert_eq!(read("'25%", DateSystem::D1900), Input::Text("25%".to_owned()));
    }

    #[test]
    fn what_is_typed_in_another_language() {
        let formatted = |number: f64, format: &str| Input::Formatted { number, format: format.to_owned() };
        for (tag, text, input) in [
            ("de-DE", "1,5", Input::Number(1.5)),
            ("de-DE", "1.234,50", formatted(1234.5, "#,##0.00")),
            ("de-DE", "12,50 €", formatted(12.5, "#,##0.00\\ \"€\"")),
            ("de-DE", "25,5%", formatted(0.255, "0.00%")),
            ("de-DE", "31.12.2024", formatted(45_657.0, "dd/mm/yyyy")),
            ("de-DE", "13:30", formatted(0.5625, "h:mm")),
            ("fr-FR", "3/1/2024", formatted(45_294.0, "dd/mm/yyyy")),
            ("fr-FR", "1.5", Input::Text("1.5".to_owned())),
            ("en-GB", "£5", formatted(5.0, "\"£\"#,##0.00")),
            ("es-ES", "5 enero 2020", formatted(43_835.0, "d-mmm-yy")),
            ("de-DE", "Januar", Input::Text("Januar".to_owned())),
        ] {
            let locale = Locale::of(tag).expect("known");
            assert_eq!(read(text, Region { dates: DateSystem::D1900, locale }), input, "{tag} {text}");
        }
    }
}
