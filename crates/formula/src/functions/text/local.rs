//! Functions of single countries: Japanese dates, numerals and yen, and the currencies that became the euro.

use super::{round, with_places};
use crate::eval::Answer;
use crate::eval::args::{Args, fail, num, text};
use crate::numfmt::locale::era;
use crate::value::ErrorKind;

/// The date in the years of the Japanese emperors.
pub(super) fn date_string(a: &Args<'_>) -> Answer {
    let serial = a.number(0)?.floor();
    if !(0.0..=crate::date::MAX_SERIAL).contains(&serial) {
        return fail(ErrorKind::Num);
    }
    let dates = a.cx.dates();
    let day = dates.day(serial as i64);
    let since_1900 = if dates == crate::date::DateSystem::D1904 { serial + 1462.0 } else { serial };
    let ([.., name], year) = era(since_1900 as i64, day.year);
    text(format!("{name}{year:02}年{:02}月{:02}日", day.month, day.day))
}

/// A number in Chinese characters as Japan writes them: as words, in the forms of documents, or digit by digit.
pub(super) fn number_string(a: &Args<'_>) -> Answer {
    let (number, kind) = (a.number(0)?.round(), a.int(1)?);
    if !(0.0..1e16).contains(&number) {
        return fail(ErrorKind::Num);
    }
    let number = number as u64;
    let plain = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let formal = ['〇', '壱', '弐', '参', '四', '伍', '六', '七', '八', '九'];
    let digit = |set: &[char; 10], at: u32| set.get(at as usize).copied().unwrap_or('〇');
    match kind {
        1.0 => text(in_words(number, &plain, ["千", "百", "十"], ["", "万", "億", "兆"])),
        2.0 => text(in_words(number, &formal, ["阡", "百", "拾"], ["", "萬", "億", "兆"])),
        3.0 => {
            let digits = number.to_string();
            text(
                digits.chars().filter_map(|c| c.to_digit(10)).map(|at| digit(&plain, at)).collect::<String>(),
            )
        }
        _ => fail(ErrorKind::Num),
    }
}

fn in_words(number: u64, digits: &[char; 10], places: [&str; 3], groups: [&str; 4]) -> String {
    if number == 0 {
        return "〇".to_owned();
    }
    let mut out = String::new();
    for (at, group) in groups.iter().enumerate().rev() {
        let four = number / 10_000u64.pow(at as u32) % 10_000;
        if four == 0 {
            continue;
        }
        for (power, place) in [(1000, places[0]), (100, places[1]), (10, places[2]), (1, "")] {
            let digit = four / power % 10;
            // Words say 百 where documents say 壱百.
            let said = digit > 1 || power == 1 || places[2] != "十";
            if digit > 0 {
                out.extend(digits.get(digit as usize).filter(|_| said));
                out.push_str(place);
            }
        }
        out.push_str(group);
    }
    out
}

pub(super) fn yen(a: &Args<'_>) -> Answer {
    let (number, places) = (a.number(0)?, a.int_default(1, 0.0)?);
    if places > 127.0 {
        return fail(ErrorKind::Value);
    }
    let body = with_places(number.abs(), places, true, a.cx.region());
    text(if round(number, places) < 0.0 { format!("-¥{body}") } else { format!("¥{body}") })
}

/// Units of a currency for one euro, and the digits of its smallest coin.
const EURO: &[(&str, f64, f64)] = &[
    ("ATS", 13.7603, 2.0),
    ("BEF", 40.3399, 0.0),
    ("DEM", 1.95583, 2.0),
    ("ESP", 166.386, 0.0),
    ("EUR", 1.0, 2.0),
    ("FIM", 5.94573, 2.0),
    ("FRF", 6.55957, 2.0),
    ("GRD", 340.75, 0.0),
    ("IEP", 0.787564, 2.0),
    ("ITL", 1936.27, 0.0),
    ("LUF", 40.3399, 0.0),
    ("NLG", 2.20371, 2.0),
    ("PTE", 200.482, 0.0),
    ("SIT", 239.64, 2.0),
];

pub(super) fn euro_convert(a: &Args<'_>) -> Answer {
    let number = a.number(0)?;
    let currency = |code: &str| EURO.iter().find(|(known, ..)| known.eq_ignore_ascii_case(code)).copied();
    let (Some((from, rate, _)), Some((to, target, places))) = (currency(&a.text(1)?), currency(&a.text(2)?))
    else {
        return fail(ErrorKind::Value);
    };
    if from == to {
        return num(number);
    }
    let mut euros = number / rate;
    if a.given(4) {
        let digits = a.int(4)?;
        if digits < 3.0 {
            return fail(ErrorKind::Value);
        }
        if euros != 0.0 {
            euros = round(euros, digits - 1.0 - euros.abs().log10().floor());
        }
    }
    let converted = euros * target;
    num(if a.flag_default(3, false)? { converted } else { round(converted, places) })
}
