//! Text: cutting, joining, searching, and numbers in and out of it. Lengths count UTF-16 units as Excel does.

mod growing;
mod local;
pub(super) mod split;
mod xml;

use std::sync::Arc;

use growing::Growing;

use super::{Function, MANY, def};
use crate::coerce;
use crate::criteria::Pattern;
use crate::eval::args::{Args, fail, flag, num, text};
use crate::eval::{Answer, Operand, Stop};
use crate::functions::math::round;
use crate::numfmt;
use crate::region::{Locale, Region};
use crate::value::{ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("FILTERXML", "VV", 2, 2, xml::filter_xml)
        .category(super::Category::Web)
        .note("paths with functions beyond the common ones keep their value"),
    def("DATESTRING", "V", 1, 1, local::date_string),
    def("NUMBERSTRING", "V", 2, 2, local::number_string),
    def("YEN", "V", 1, 2, local::yen),
    def("EUROCONVERT", "V", 3, 5, local::euro_convert).category(super::Category::Financial),
    def("LEN", "V", 1, 1, |a| num(length(&a.text(0)?) as f64)),
    def("LENB", "V", 1, 1, |a| num(length(&a.text(0)?) as f64))
        .note("bytes count as characters, as under Western settings"),
    def("LEFT", "V", 1, 2, left),
    def("LEFTB", "V", 1, 2, left),
    def("RIGHT", "V", 1, 2, right),
    def("RIGHTB", "V", 1, 2, right),
    def("MID", "V", 3, 3, mid),
    def("MIDB", "V", 3, 3, mid),
    def("UPPER", "V", 1, 1, |a| text(a.text(0)?.chars().map(upper).collect::<String>())),
    def("LOWER", "V", 1, 1, |a| text(a.text(0)?.chars().map(lower).collect::<String>())),
    def("PROPER", "V", 1, 1, |a| text(proper(&a.text(0)?))),
    def("TRIM", "V", 1, 1, |a| {
        text(a.text(0)?.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
    }),
    def("CLEAN", "V", 1, 1, |a| text(a.text(0)?.chars().filter(|c| *c as u32 >= 32).collect::<String>())),
    def("CONCATENATE", "V", 1, MANY, |a| {
        let mut out = String::new();
        for index in 0..a.len() {
            out.push_str(&a.text(index)?);
        }
        text(out)
    }),
    def("CONCAT", "R", 1, MANY, concat),
    def("TEXTJOIN", "RVR", 3, MANY, text_join),
    def("REPT", "V", 2, 2, |a| {
        let (source, times) = (a.text(0)?, a.int(1)?);
        if times < 0.0 || times * length(&source) as f64 > 32_767.0 {
            fail(ErrorKind::Value)
        } else {
            text(source.repeat(times as usize))
        }
    }),
    def("EXACT", "V", 2, 2, |a| flag(a.text(0)? == a.text(1)?)),
    def("FIND", "V", 2, 3, find),
    def("FINDB", "V", 2, 3, find),
    def("SEARCH", "V", 2, 3, search),
    def("SEARCHB", "V", 2, 3, search),
    def("REPLACE", "V", 4, 4, replace),
    def("REPLACEB", "V", 4, 4, replace),
    def("SUBSTITUTE", "V", 3, 4, substitute),
    def("CHAR", "V", 1, 1, |a| match a.int(0)? {
        code if !(1.0..=255.0).contains(&code) => fail(ErrorKind::Value),
        code => text(from_ansi(code as u8).to_string()),
    }),
    def("CODE", "V", 1, 1, |a| match a.text(0)?.chars().next() {
        Some(letter) => num(f64::from(to_ansi(letter))),
        None => fail(ErrorKind::Value),
    }),
    def("UNICHAR", "V", 1, 1, |a| match a.int(0)? {
        code if !(1.0..=1_114_111.0).contains(&code) => fail(ErrorKind::Value),
        code => match char::from_u32(code as u32) {
            Some(letter) => text(letter.to_string()),
            None => fail(ErrorKind::NotAvailable),
        },
    }),
    def("UNICODE", "V", 1, 1, |a| match a.text(0)?.chars().next() {
        Some(letter) => num(f64::from(letter as u32)),
        None => fail(ErrorKind::Value),
    }),
    def("VALUE", "V", 1, 1, |a| match a.sound(0)? {
        Value::Number(number) => num(number),
        Value::Blank => num(0.0),
        Value::Text(source) => match coerce::text_to_number(&source, a.cx.region()) {
            Some(number) => num(number),
            None => fail(ErrorKind::Value),
        },
        _ => fail(ErrorKind::Value),
    }),
    def("NUMBERVALUE", "V", 1, 3, number_value),
    def("TEXT", "V", 2, 2, text_of),
    def("FIXED", "V", 1, 3, fixed),
    def("DOLLAR", "V", 1, 2, dollar),
    def("USDOLLAR", "V", 1, 2, dollar),
    def("BAHTTEXT", "V", 1, 1, |a| text(baht(a.number(0)?))),
    def("ASC", "V", 1, 1, |a| text(a.text(0)?.chars().map(half_width).collect::<String>()))
        .note("katakana stays full width"),
    def("DBCS", "V", 1, 1, |a| text(a.text(0)?.chars().map(full_width).collect::<String>()))
        .note("katakana stays half width"),
    def("JIS", "V", 1, 1, |a| text(a.text(0)?.chars().map(full_width).collect::<String>()))
        .note("katakana stays half width"),
    def("PHONETIC", "R", 1, 1, |a| match a.op(0) {
        Operand::Area(area) => text(coerce::text(&a.cx.cell(area.top_left()), a.cx.region())?.to_string()),
        _ => fail(ErrorKind::Value),
    })
    .note("answers the text itself; furigana is not a value"),
    def("ENCODEURL", "V", 1, 1, |a| {
        let mut out = String::new();
        for byte in a.text(0)?.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
                out.push(char::from(byte));
            } else {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
        text(out)
    })
    .category(super::Category::Web),
    def("VALUETOTEXT", "EV", 1, 2, |a| {
        let strict = a.int_default(1, 0.0)?;
        if strict != 0.0 && strict != 1.0 {
            return fail(ErrorKind::Value);
        }
        text(spelled(&a.value(0), strict == 1.0, a.cx.region()))
    }),
    def("ARRAYTOTEXT", "AV", 1, 2, array_to_text),
];

/// The capital of a letter, if it is one letter: `ß` stays, as in Windows.
fn upper(letter: char) -> char {
    let mut capitals = letter.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) => capital,
        _ => letter,
    }
}

/// The small form of a letter; of `İ` without the dot that combines.
fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

fn length(source: &str) -> usize {
    if source.is_ascii() { source.len() } else { source.chars().map(char::len_utf16).sum() }
}

/// The part of a text between two positions in UTF-16 units.
fn slice(source: &str, from: usize, to: usize) -> String {
    if source.is_ascii() {
        let to = to.min(source.len());
        return source[from.min(to)..to].to_owned();
    }
    let units: Vec<u16> = source.encode_utf16().collect();
    let to = to.min(units.len());
    String::from_utf16_lossy(&units[from.min(to)..to])
}

fn count(a: &Args<'_>, index: usize) -> Result<usize, Stop> {
    let count = a.number_or(index, 1.0)?.trunc();
    if count < 0.0 { fail(ErrorKind::Value) } else { Ok(count.min(40_000.0) as usize) }
}

fn left(a: &Args<'_>) -> Answer {
    let (source, count) = (a.text(0)?, count(a, 1)?);
    text(slice(&source, 0, count))
}

fn right(a: &Args<'_>) -> Answer {
    let (source, count) = (a.text(0)?, count(a, 1)?);
    let all = length(&source);
    text(slice(&source, all.saturating_sub(count), all))
}

fn mid(a: &Args<'_>) -> Answer {
    let (source, start, count) = (a.text(0)?, a.int(1)?, a.int(2)?);
    if start < 1.0 || count < 0.0 {
        return fail(ErrorKind::Value);
    }
    let start = start.min(1e9) as usize - 1;
    text(slice(&source, start, start + count.min(1e9) as usize))
}

fn proper(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut inside = false;
    for letter in source.chars() {
        if letter.is_alphabetic() {
            if inside {
                out.push(lower(letter));
            } else {
                out.push(upper(letter));
            }
            inside = true;
        } else {
            out.push(letter);
            inside = false;
        }
    }
    out
}

fn concat(a: &Args<'_>) -> Answer {
    let mut out = Growing::default();
    let mut wrong = None;
    a.each(0, &mut |value, _| match coerce::text(value, a.cx.region()) {
        Ok(part) => out.push(&part),
        Err(kind) => {
            wrong.get_or_insert(kind);
        }
    });
    match wrong {
        Some(kind) => fail(kind),
        None => out.done(),
    }
}

fn text_join(a: &Args<'_>) -> Answer {
    let mut separators: Vec<Arc<str>> = Vec::new();
    for value in a.array(0)?.values() {
        separators.push(coerce::text(value, a.cx.region())?);
    }
    let skip_empty = a.flag_default(1, true)?;
    let mut out = Growing::default();
    let mut joined = 0usize;
    let mut push = |value: &Value| -> Result<(), Stop> {
        let part = coerce::text(value, a.cx.region())?;
        if part.is_empty() && skip_empty {
            return Ok(());
        }
        if joined > 0
            && let Some(separator) = separators.get((joined - 1) % separators.len().max(1))
        {
            out.push(separator);
        }
        out.push(&part);
        joined += 1;
        Ok(())
    };
    for index in 2..a.len() {
        match a.op(index) {
            Operand::Areas(areas) => {
                for area in areas.iter() {
                    for value in a.cx.array_of(&Operand::Area(*area))?.values() {
                        push(value)?;
                    }
                }
            }
            _ => {
                for value in a.array(index)?.values() {
                    push(value)?;
                }
            }
        }
    }
    out.done()
}

/// Where to start searching, in UTF-16 units from zero.
fn start_at(a: &Args<'_>, within: &str) -> Result<usize, Stop> {
    let start = a.number_default(2, 1.0)?.trunc();
    if start < 1.0 || start > length(within) as f64 + 1.0 {
        fail(ErrorKind::Value)
    } else {
        Ok(start as usize - 1)
    }
}

fn find(a: &Args<'_>) -> Answer {
    let (wanted, within) = (a.text(0)?, a.text(1)?);
    let start = start_at(a, &within)?;
    let rest = slice(&within, start, usize::MAX);
    match rest.find(&*wanted) {
        Some(byte) => num((start + length(&rest[..byte]) + 1) as f64),
        None => fail(ErrorKind::Value),
    }
}

fn search(a: &Args<'_>) -> Answer {
    let (wanted, within) = (a.text(0)?, a.text(1)?);
    let start = start_at(a, &within)?;
    let letters: Vec<char> =
        slice(&within, start, usize::MAX).chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect();
    match Pattern::new(&wanted).find(&letters, 0) {
        Some(at) => num((start + letters.iter().take(at).map(|c| c.len_utf16()).sum::<usize>() + 1) as f64),
        None => fail(ErrorKind::Value),
    }
}

fn replace(a: &Args<'_>) -> Answer {
    let (source, start, count, with) = (a.text(0)?, a.int(1)?, a.int(2)?, a.text(3)?);
    if start < 1.0 || count < 0.0 {
        return fail(ErrorKind::Value);
    }
    let start = start.min(1e9) as usize - 1;
    let end = start + count.min(1e9) as usize;
    text(format!("{}{with}{}", slice(&source, 0, start), slice(&source, end, usize::MAX)))
}

fn substitute(a: &Args<'_>) -> Answer {
    let (source, old, new) = (a.text(0)?, a.text(1)?, a.text(2)?);
    if a.given(3) {
        let which = a.int(3)?;
        if which < 1.0 {
            return fail(ErrorKind::Value);
        }
        if old.is_empty() {
            return text(source.to_string());
        }
        return match source.match_indices(&*old).nth(which as usize - 1) {
            Some((at, _)) => text(format!("{}{new}{}", &source[..at], &source[at + old.len()..])),
            None => text(source.to_string()),
        };
    }
    if old.is_empty() {
        return text(source.to_string());
    }
    let mut out = Growing::default();
    for (index, between) in source.split(&*old).enumerate() {
        if index > 0 {
            out.push(&new);
        }
        out.push(between);
    }
    out.done()
}

/// The letters of code page 1252 between 128 and 159.
const ANSI: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn from_ansi(code: u8) -> char {
    match code {
        128..=159 => ANSI.get(usize::from(code) - 128).copied().unwrap_or('?'),
        other => char::from(other),
    }
}

fn to_ansi(letter: char) -> u8 {
    match ANSI.iter().position(|known| *known == letter) {
        Some(at) => 128 + at as u8,
        None => u8::try_from(letter as u32).unwrap_or(b'?'),
    }
}

fn number_value(a: &Args<'_>) -> Answer {
    let source = a.text(0)?;
    let decimal = if a.given(1) { a.text(1)?.chars().next() } else { Some(a.cx.region().locale.decimal()) };
    let group = if a.given(2) { a.text(2)?.chars().next() } else { Some(a.cx.region().locale.group()) };
    let (Some(decimal), Some(group)) = (decimal, group) else { return fail(ErrorKind::Value) };
    let mut cleaned = String::new();
    let mut past = false;
    for letter in source.chars().filter(|c| !c.is_whitespace()) {
        if letter == decimal {
            if past {
                return fail(ErrorKind::Value);
            }
            past = true;
            cleaned.push('.');
        } else if letter == group {
            if past {
                return fail(ErrorKind::Value);
            }
        } else {
            cleaned.push(letter);
        }
    }
    let percents = cleaned.chars().rev().take_while(|c| *c == '%').count();
    cleaned.truncate(cleaned.len() - percents);
    if cleaned.is_empty() {
        return if source.trim().is_empty() { num(0.0) } else { fail(ErrorKind::Value) };
    }
    match coerce::plain_number(&cleaned) {
        Some(number) => num(number / 100f64.powi(percents as i32)),
        None => fail(ErrorKind::Value),
    }
}

fn text_of(a: &Args<'_>) -> Answer {
    let subject = a.sound(0)?;
    let code = a.text(1)?;
    // Text that reads as a number is formatted as one.
    let subject = match subject {
        Value::Text(source) => match coerce::text_to_number(&source, a.cx.region()) {
            Some(number) => Value::Number(number),
            None => Value::Text(source),
        },
        Value::Blank => Value::Number(0.0),
        other => other,
    };
    match numfmt::text_function(&subject, &code, a.cx.region()) {
        Some(shown) => text(shown),
        None => fail(ErrorKind::Value),
    }
}

fn fixed(a: &Args<'_>) -> Answer {
    let (number, places) = (a.number(0)?, a.int_default(1, 2.0)?);
    let plain = a.flag_default(2, false)?;
    if places > 127.0 {
        return fail(ErrorKind::Value);
    }
    text(with_places(number, places, !plain, a.cx.region()))
}

fn with_places(number: f64, places: f64, grouped: bool, region: Region) -> String {
    let rounded = round(number, places);
    let zeros = if places > 0.0 { format!(".{}", "0".repeat(places as usize)) } else { String::new() };
    let code = format!("{}{zeros}", if grouped { "#,##0" } else { "0" });
    numfmt::format(&Value::Number(rounded), &code, region).map_or_else(String::new, |f| f.text)
}

fn dollar(a: &Args<'_>) -> Answer {
    let (number, places) = (a.number(0)?, a.int_default(1, 2.0)?);
    if places > 127.0 {
        return fail(ErrorKind::Value);
    }
    let region = a.cx.region();
    let shown = region.locale.money(&with_places(number.abs(), places, true, region));
    text(match (round(number, places) < 0.0, region.locale == Locale::default()) {
        (false, _) => shown,
        (true, true) => format!("({shown})"),
        (true, false) => format!("-{shown}"),
    })
}

fn half_width(letter: char) -> char {
    match letter {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        other => other,
    }
}

fn full_width(letter: char) -> char {
    match letter {
        ' ' => '\u{3000}',
        '!'..='~' => char::from_u32(letter as u32 + 0xfee0).unwrap_or(letter),
        other => other,
    }
}

/// A value as `VALUETOTEXT` spells it; strictly, as a formula would.
fn spelled(value: &Value, strict: bool, region: Region) -> String {
    match value {
        Value::Text(source) if strict => format!("\"{}\"", source.replace('"', "\"\"")),
        Value::Error(kind) => kind.text().to_owned(),
        other => {
            coerce::text(other, region).map_or_else(|kind| kind.text().to_owned(), |found| found.to_string())
        }
    }
}

fn array_to_text(a: &Args<'_>) -> Answer {
    let array = a.array(0)?;
    let strict = match a.int_default(1, 0.0)? {
        0.0 => false,
        1.0 => true,
        _ => return fail(ErrorKind::Value),
    };
    let (rows_apart, apart) = if strict { (";", ",") } else { (", ", ", ") };
    let mut out = Growing::default();
    out.push(if strict { "{" } else { "" });
    for row in 0..array.rows() {
        for (column, value) in array.row_values(row).iter().enumerate() {
            out.push(match (row, column) {
                (0, 0) => "",
                (_, 0) => rows_apart,
                _ => apart,
            });
            out.push(&spelled(value, strict, a.cx.region()));
        }
        if out.is_too_long() {
            break;
        }
    }
    out.push(if strict { "}" } else { "" });
    out.done()
}

/// An amount in Thai words.
fn baht(number: f64) -> String {
    const DIGITS: [&str; 10] = ["ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า"];
    const PLACES: [&str; 6] = ["", "สิบ", "ร้อย", "พัน", "หมื่น", "แสน"];
    fn words(number: u64) -> String {
        if number >= 1_000_000 {
            let rest = number % 1_000_000;
            return format!(
                "{}ล้าน{}",
                words(number / 1_000_000),
                if rest == 0 { String::new() } else { words(rest) }
            );
        }
        let mut out = String::new();
        for place in (0..6).rev() {
            let digit = number / 10u64.pow(place) % 10;
            let name = PLACES.get(place as usize).copied().unwrap_or("");
            match (digit, place) {
                (0, _) => {}
                (1, 1) => out.push_str("สิบ"),
                (2, 1) => out.push_str("ยี่สิบ"),
                (1, 0) if number > 10 => out.push_str("เอ็ด"),
                (digit, _) => {
                    out.push_str(DIGITS.get(digit as usize).copied().unwrap_or(""));
                    out.push_str(name);
                }
            }
        }
        out
    }
    let satang = (round(number.abs(), 2.0) * 100.0).round() as u64;
    let (whole, part) = (satang / 100, satang % 100);
    let mut out = String::new();
    if number < 0.0 {
        out.push_str("ลบ");
    }
    if whole > 0 || part == 0 {
        out.push_str(&if whole == 0 { "ศูนย์".to_owned() } else { words(whole) });
        out.push_str("บาท");
    }
    if part == 0 {
        out.push_str("ถ้วน");
    } else {
        out.push_str(&words(part));
        out.push_str("สตางค์");
    }
    out
}
