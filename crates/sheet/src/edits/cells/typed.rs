//! What Excel makes of something typed into a cell: a number with the format it was typed in, a date, a text.
//!
//! As an English Excel takes it, unless another language is asked for. What could be read in two ways elsewhere
//! (`3/4/2024`) is read month first in English. What a text is worth is what formulas take it for (`text_to_moment`);
//! here it gets the format that Excel gives the cell.

use formula::{DateOrder, ErrorKind, Locale, Region, text_to_moment};

use crate::edits::input::Input;

mod words;

/// How and when something is typed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Typing {
    pub(crate) locale: Locale,
    /// The year that `1/2` and `Mar 1` are of; without it they are texts.
    pub(crate) year: Option<i64>,
}

/// What goes into the cell. A leading apostrophe means text, whatever follows.
pub(crate) fn read(text: &str, region: impl Into<Region>, year: Option<i64>) -> Input {
    let region = region.into();
    if let Some(text) = text.strip_prefix('\'') {
        return Input::Text(text.to_owned());
    }
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return if text.is_empty() { Input::Clear } else { Input::Text(text.to_owned()) };
    }
    if let Some(body) = trimmed.strip_prefix(['=', '\u{ff1d}']).filter(|body| !body.is_empty()) {
        return Input::Formula(format!("={body}"));
    }
    if trimmed.eq_ignore_ascii_case("true") || trimmed.eq_ignore_ascii_case("false") {
        return Input::Bool(trimmed.eq_ignore_ascii_case("true"));
    }
    if let Some(flag) = words::truth(trimmed, region.locale) {
        return Input::Bool(flag);
    }
    if let Some(kind) = words::error(trimmed, region.locale) {
        return Input::Error(kind.text().to_owned());
    }
    // The younger ones are texts when they are typed.
    if ErrorKind::parse(trimmed).is_some_and(|kind| kind.number() < 8) {
        return Input::Error(trimmed.to_owned());
    }
    let amount = match region.locale == Locale::default() {
        true => number(trimmed),
        false => amount_in_language(trimmed, region),
    };
    match amount.or_else(|| moment(trimmed, region, year)) {
        Some((number, None)) => Input::Number(number),
        Some((number, Some(format))) => Input::Formatted { number, format },
        None => Input::Text(text.to_owned()),
    }
}

/// A number, and the format that its signs ask for.
type Typed = (f64, Option<String>);

/// A number or a sum of money as another language writes them.
fn amount_in_language(text: &str, region: Region) -> Option<Typed> {
    let (sign, behind) = region.locale.currency();
    let amount = text.strip_suffix(sign).or_else(|| text.strip_prefix(sign)).map(str::trim);
    let plain = region.locale.unspelled(amount.unwrap_or(text));
    let (value, format) = plain.as_deref().and_then(number)?;
    let format = match (amount, behind) {
        (None, _) => return Some((value, format)),
        (Some(_), true) => format!("#,##0.00\\ \"{sign}\""),
        (Some(_), false) => format!("\"{sign}\"#,##0.00"),
    };
    Some((value, Some(format)))
}

fn number(text: &str) -> Option<Typed> {
    if let Some(found) = foreign_money(text) {
        return Some(found);
    }
    let (text, bracketed) = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inside) => (inside.trim(), true),
        None => (text, false),
    };
    let (text, mut negative) = match text.strip_prefix('-') {
        Some(rest) if !bracketed => (rest.trim_start(), true),
        Some(_) => return None,
        None => (text.strip_prefix('+').unwrap_or(text), bracketed),
    };
    let (mut text, dollars) = text.strip_prefix('$').map_or((text, false), |rest| (rest.trim_start(), true));
    if let Some(rest) = text.strip_prefix('-').filter(|_| dollars && !negative) {
        (text, negative) = (rest, true);
    }
    let rest =
        text.strip_suffix('%').map(str::trim_end).or_else(|| text.strip_prefix('%').map(str::trim_start));
    let (text, percent) = rest.map_or((text, false), |rest| (rest, true));
    if dollars && percent {
        return None;
    }
    let sign = if negative { -1.0 } else { 1.0 };
    if !dollars
        && !percent
        && let Some((value, format)) = fraction(text)
    {
        return Some((sign * value, Some(format.to_owned())));
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
    let typed = format!("{plain}.{}0{exponent}", part.unwrap_or_default());
    let value: f64 = formula::fifteen_digits(&typed).parse().ok()?;
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
    Some((sign * value, format.map(str::to_owned)))
}

/// Signs of money that an English Excel knows beside its own, with the formats it gives them.
fn foreign_money(text: &str) -> Option<Typed> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    let signs = [('\u{20ac}', "[$\u{20ac}-2]\\ "), ('\u{a3}', "[$\u{a3}-809]"), ('\u{a5}', "[$\u{a5}-411]")];
    let (amount, before, behind) = signs.iter().find_map(|(sign, before)| {
        let ahead = text.strip_prefix(*sign).map(|rest| (rest.trim(), *before, ""));
        let euros = || text.strip_suffix(*sign).filter(|_| *sign == '\u{20ac}');
        ahead.or_else(|| euros().map(|rest| (rest.trim(), "", "\\ [$\u{20ac}-1]")))
    })?;
    let (value, format) =
        number(amount).filter(|_| amount.starts_with(|c: char| c.is_ascii_digit() || c == '.'))?;
    let digits = match format.as_deref() {
        None | Some("#,##0" | "#,##0.00") if amount.contains('.') => "#,##0.00",
        None | Some("#,##0") => "#,##0",
        _ => return None,
    };
    Some((if negative { -value } else { value }, Some(format!("{before}{digits}{behind}"))))
}

/// `1,234,567` without its commas. Groups may be longer than three digits, never shorter: `1,2` is not a number.
fn thousands(text: &str) -> Option<String> {
    let mut groups = text.split(',');
    let first = groups.next()?;
    let right = !first.is_empty() && groups.all(|group| group.len() >= 3);
    right.then(|| text.replace(',', ""))
}

/// `1 1/2`; without the whole number it would be a date.
fn fraction(text: &str) -> Option<(f64, &'static str)> {
    let (whole, rest) = text.split_once(' ')?;
    let (above, below) = rest.trim().split_once('/')?;
    let format = match below.len() {
        1 => "# ?/?",
        2 => "# ??/??",
        3 => "# ???/???",
        _ => return None,
    };
    let (whole, above, below): (u32, u32, u32) =
        (whole.parse().ok()?, above.parse().ok()?, below.parse().ok()?);
    (below > 0).then(|| (f64::from(whole) + f64::from(above) / f64::from(below), format))
}

/// A date, a time, or both, with the format that Excel gives it.
fn moment(text: &str, region: Region, year: Option<i64>) -> Option<Typed> {
    // An hour of another zone would be taken for one of here.
    if text.ends_with(['Z', 'z']) && text.contains(['T', 't']) && text.contains(':') {
        return None;
    }
    let english = region.locale == Locale::default();
    let day = if english { "m/d/yyyy" } else { region.locale.short_date() };
    if let Some((value, format)) = year.and_then(|year| day_of_year(text, region, year)) {
        return Some((value, Some(format.to_owned())));
    }
    let value = text_to_moment(text, region)?;
    let parts = text.split(['/', '-', ' ', ',', '.', 'T']).filter(|part| !part.is_empty()).count();
    let named = names_month(text, region);
    let lower = text.to_ascii_lowercase();
    let half = ["am", "pm", " a", " p"].iter().any(|half| {
        let before = lower.strip_suffix(half).map(str::trim_end);
        before.is_some_and(|before| before.ends_with(|last: char| last.is_ascii_digit() || last == ':'))
    });
    let clock = text.contains(':') || half;
    let with_day = parts - usize::from(half && lower.contains(' ')) > 1 && value >= 1.0 && !is_duration(text);
    let format = match (clock, with_day) {
        (true, true) => format!("{day} h:mm"),
        (true, false) if value >= 1.0 => "[h]:mm:ss".to_owned(),
        (true, false) if text.contains('.') => "mm:ss.0".to_owned(),
        (true, false) => {
            let seconds = if text.matches(':').count() > 1 { ":ss" } else { "" };
            format!("h:mm{seconds}{}", if half { " AM/PM" } else { "" })
        }
        (false, _) if parts == 2 => "mmm-yy".to_owned(),
        (false, _) if named => "d-mmm-yy".to_owned(),
        (false, _) => day.to_owned(),
    };
    Some((value, Some(format)))
}

/// `36:00`, and nothing else before its first colon.
fn is_duration(text: &str) -> bool {
    text.split(':').next().is_some_and(|hours| hours.trim().bytes().all(|byte| byte.is_ascii_digit()))
}

fn names_month(text: &str, region: Region) -> bool {
    let mut words =
        text.split([' ', '-', '.', ',', '/']).filter(|word| word.chars().any(char::is_alphabetic));
    words.any(|word| region.locale.month_of(word).is_some() || Locale::default().month_of(word).is_some())
}

/// `1/2`, `1-Mar`, `March 1`: a day of this year. `1/32` and `2-30` are months of the last century, as Excel has them.
fn day_of_year(text: &str, region: Region, year: i64) -> Option<(f64, &'static str)> {
    let separators = text.trim().chars().filter(|c| matches!(c, '/' | '-')).count();
    let parts: Vec<&str> = text.split(['/', '-', ' ']).filter(|part| !part.is_empty()).collect();
    // Where dates have dots, `31.12.` and `1.5` are days.
    let dotted = text.trim().strip_suffix('.').unwrap_or(text.trim()).split_once('.');
    if let Some((day, month)) = dotted.filter(|_| region.locale.date_separator() == ".") {
        let short =
            |part: &str| matches!(part.len(), 1..=2) && part.bytes().all(|byte| byte.is_ascii_digit());
        if short(day) && short(month) {
            return text_to_moment(&format!("{day}.{month}.{year}"), region).map(|value| (value, "d-mmm"));
        }
    }
    let [first, second] = parts.as_slice() else { return None };
    let digits = |part: &str| part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let month =
        |word: &str| region.locale.month_of(word).or_else(|| Locale::default().month_of(word)).is_some();
    let whole = match (digits(first), digits(second)) {
        (true, true) if separators == 1 && !text.trim().contains(' ') => match region.locale.date_order() {
            DateOrder::YearFirst => format!("{year}/{first}/{second}"),
            _ if region.locale.date_separator() == "." => format!("{first}.{second}.{year}"),
            _ => format!("{first}/{second}/{year}"),
        },
        (true, false) if month(second) => format!("{first} {second} {year}"),
        (false, true) if month(first) => format!("{second} {first} {year}"),
        _ => return None,
    };
    if let Some(value) = text_to_moment(&whole, region) {
        return Some((value, "d-mmm"));
    }
    let late = digits(first) && digits(second) && second.parse::<u32>().is_ok_and(|year| year > 28);
    let english = region.locale == Locale::default();
    let value = text_to_moment(&format!("{first}/1/{second}"), region).filter(|_| late && english)?;
    Some((value, "mmm-yy"))
}

#[cfg(test)]
mod tests {
    use formula::DateSystem;

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
            ("8:30:15.5", formatted(0.354_346_064_814_814_8, "mm:ss.0")),
            ("24:00", formatted(1.0, "[h]:mm:ss")),
            ("5 a", formatted(5.0 / 24.0, "h:mm AM/PM")),
            ("3/1/2024 2:30 PM", formatted(45_352.604_166_666_664, "m/d/yyyy h:mm")),
            ("1/2", formatted(46_024.0, "d-mmm")),
            ("1-2", formatted(46_024.0, "d-mmm")),
            ("1-Mar", formatted(46_082.0, "d-mmm")),
            ("Mar-24", formatted(46_105.0, "d-mmm")),
            ("March 1", formatted(46_082.0, "d-mmm")),
            ("2-30", formatted(10_990.0, "mmm-yy")),
            ("3/2024", formatted(45_352.0, "mmm-yy")),
            ("Mar 2024", formatted(45_352.0, "mmm-yy")),
            ("March 1, 2024", formatted(45_352.0, "d-mmm-yy")),
            ("1 March 2024", formatted(45_352.0, "d-mmm-yy")),
            ("%10", formatted(0.1, "0%")),
            ("$-5", formatted(-5.0, "\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)")),
            ("\u{20ac}5", formatted(5.0, "[$\u{20ac}-2]\\ #,##0")),
            ("1,234.50 \u{20ac}", formatted(1234.5, "#,##0.00\\ [$\u{20ac}-1]")),
            ("-\u{a3}5.50", formatted(-5.5, "[$\u{a3}-809]#,##0.00")),
            ("1 3/16", formatted(1.1875, "# ??/??")),
            ("true", Input::Bool(true)),
            ("#N/A", Input::Error("#N/A".to_owned())),
            ("=A1", Input::Formula("=A1".to_owned())),
            ("", Input::Clear),
        ] {
            assert_eq!(read(text, DateSystem::D1900, Some(2026)), input, "{text}");
        }
        let texts = [
            "1,2",
            "12 apples",
            "12/31/1899",
            "1899-12-30",
            "2024-13-01",
            "2/30/2024",
            "25/12",
            "2024-03-01T14:00:00Z",
            "4111 1111 1111 1111",
            "555-1234",
            "1.5.2024",
            "May",
            "10 m",
            "room 5 a",
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
            assert_eq!(read(text, DateSystem::D1900, Some(2026)), Input::Text(text.to_owned()), "{text}");
        }
        assert_eq!(read("'25%", DateSystem::D1900, None), Input::Text("25%".to_owned()));
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
            ("de-DE", "1.3.", formatted(46_082.0, "d-mmm")),
            ("de-DE", "31.12", formatted(46_387.0, "d-mmm")),
            ("de-DE", "12.50", Input::Text("12.50".to_owned())),
            ("de-DE", "WAHR", Input::Bool(true)),
            ("de-DE", "falsch", Input::Bool(false)),
            ("de-DE", "#NV", Input::Error("#N/A".to_owned())),
            ("de-DE", "#BEZUG!", Input::Error("#REF!".to_owned())),
            ("de-DE", "VRAI", Input::Text("VRAI".to_owned())),
            ("fr-FR", "VRAI", Input::Bool(true)),
            ("fr-FR", "#VALEUR!", Input::Error("#VALUE!".to_owned())),
            ("en-GB", "WAHR", Input::Text("WAHR".to_owned())),
            ("de-DE", "1/3", formatted(46_082.0, "d-mmm")),
            ("de-DE", "Januar", Input::Text("Januar".to_owned())),
        ] {
            let locale = Locale::of(tag).expect("known");
            assert_eq!(
                read(text, Region { dates: DateSystem::D1900, locale }, Some(2026)),
                input,
                "{tag} {text}"
            );
        }
    }
}
