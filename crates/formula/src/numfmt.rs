//! Number formats: a value and a format code to the text Excel shows.
//!
//! One parser for cells, `TEXT` and pictures. Any code is accepted; what Excel would reject is shown as far
//! as it makes sense.

mod date;
pub(crate) mod locale;
mod number;
mod parse;

use crate::date::DateSystem;
use crate::region::Region;
use crate::value::Value;

pub use parse::Color;
use parse::{Kind, Section};

/// A value as shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    pub text: String,
    /// The colour the format asks for, when it asks for one.
    pub color: Option<Color>,
    /// Where `*` stood: the byte of `text` to fill from, and the character to fill with.
    pub fill: Option<(usize, char)>,
}

/// Show a value by a format code. `None` is a number no date can show; a cell is then filled with `#`.
#[must_use]
pub fn format(value: &Value, code: &str, region: impl Into<Region>) -> Option<Formatted> {
    let region = region.into();
    let dates = region.dates;
    let sections = parse::sections_in(code, region);
    match value {
        Value::Number(number) => format_number(*number, &sections, dates),
        Value::Text(text) => Some(format_text(text, &sections)),
        Value::Blank => Some(Formatted { text: String::new(), color: None, fill: None }),
        Value::Bool(flag) => Some(format_text(if *flag { "TRUE" } else { "FALSE" }, &[])),
        Value::Error(kind) => Some(format_text(kind.text(), &[])),
    }
}

/// A number in a cell without a format: eleven characters at most.
#[must_use]
pub fn general(number: f64) -> String {
    number::general(number)
}

/// Whether numbers in this format are dates or times.
#[must_use]
pub fn is_date(code: &str) -> bool {
    parse::sections(code).first().is_some_and(|section| section.kind == Kind::Date)
}

/// The code of a built-in format number, as in English (United States).
#[must_use]
pub fn builtin(id: u32) -> Option<&'static str> {
    Some(match id {
        0 => "General",
        1 => "0",
        2 => "0.00",
        3 => "#,##0",
        4 => "#,##0.00",
        5 => "\"$\"#,##0_);\\(\"$\"#,##0\\)",
        6 => "\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)",
        7 => "\"$\"#,##0.00_);\\(\"$\"#,##0.00\\)",
        8 => "\"$\"#,##0.00_);[Red]\\(\"$\"#,##0.00\\)",
        9 => "0%",
        10 => "0.00%",
        11 => "0.00E+00",
        12 => "# ?/?",
        13 => "# ??/??",
        14 => "m/d/yyyy",
        15 => "d-mmm-yy",
        16 => "d-mmm",
        17 => "mmm-yy",
        18 => "h:mm AM/PM",
        19 => "h:mm:ss AM/PM",
        20 => "h:mm",
        21 => "h:mm:ss",
        22 => "m/d/yyyy h:mm",
        37 => "#,##0_);\\(#,##0\\)",
        38 => "#,##0_);[Red]\\(#,##0\\)",
        39 => "#,##0.00_);\\(#,##0.00\\)",
        40 => "#,##0.00_);[Red]\\(#,##0.00\\)",
        41 => "_(* #,##0_);_(* \\(#,##0\\);_(* \"-\"_);_(@_)",
        42 => "_(\"$\"* #,##0_);_(\"$\"* \\(#,##0\\);_(\"$\"* \"-\"_);_(@_)",
        43 => "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)",
        44 => "_(\"$\"* #,##0.00_);_(\"$\"* \\(#,##0.00\\);_(\"$\"* \"-\"??_);_(@_)",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mm:ss.0",
        48 => "##0.0E+0",
        49 => "@",
        _ => return None,
    })
}

/// The short code `CELL("format")` answers.
pub(crate) fn cell_code(code: &str) -> String {
    let sections = parse::sections(code);
    let Some(first) = sections.first() else { return "G".to_owned() };
    let mut short = match first.kind {
        Kind::General | Kind::Text => "G".to_owned(),
        Kind::Date => date::cell_code(first),
        Kind::Number => number::cell_code(first, code),
    };
    if sections.get(1).is_some_and(|section| section.color.is_some()) {
        short.push('-');
    }
    if code
        .split(';')
        .next()
        .is_some_and(|part| part.contains("\\(") || part.contains('(') && !part.contains("_("))
    {
        short.push_str("()");
    }
    short
}

/// What `TEXT` answers, or `None` for a number out of the calendar.
pub(crate) fn text_function(value: &Value, code: &str, region: impl Into<Region>) -> Option<String> {
    let region = region.into();
    let code = &region.locale.format_code(code);
    if code.is_empty() && !matches!(value, Value::Text(_)) {
        return Some(String::new());
    }
    let sections = parse::sections_in(code, region);
    match value {
        Value::Bool(flag) => Some(format_text(if *flag { "TRUE" } else { "FALSE" }, &sections).text),
        // A number that the only section is not for is shown as if there were none.
        Value::Number(number) if sections.len() == 1 && choose(*number, &sections).is_none() => {
            Some(region.locale.spelled(general(*number)))
        }
        _ => format(value, code, region).map(|formatted| formatted.text),
    }
}

fn format_text(text: &str, sections: &[Section]) -> Formatted {
    let section = match sections {
        [_, _, _, fourth, ..] => Some(fourth),
        _ => sections.iter().rev().find(|section| section.kind == Kind::Text),
    };
    match section {
        Some(section) => {
            let mut out = String::new();
            let fill = number::literals(section, &mut out, Some(text));
            Formatted { text: out, color: section.color, fill }
        }
        None => Formatted { text: text.to_owned(), color: None, fill: None },
    }
}

fn format_number(number: f64, sections: &[Section], dates: DateSystem) -> Option<Formatted> {
    let Some((section, signed)) = choose(number, sections) else {
        // No condition fits.
        return None;
    };
    let mut out = String::new();
    let minus = number < 0.0 && signed;
    let fill = match section.kind {
        Kind::General => {
            number::general_section(section, if signed { number } else { number.abs() }, &mut out)
        }
        Kind::Text => {
            let text = number::spelled(section, crate::coerce::number_to_text(number));
            number::literals(section, &mut out, Some(&text))
        }
        Kind::Date => date::render(section, number, dates, &mut out)?,
        Kind::Number => number::render(section, number.abs(), minus, &mut out),
    };
    Some(Formatted { text: out, color: section.color, fill })
}

/// The section for a number, and whether the minus sign is still to be written.
fn choose(number: f64, sections: &[Section]) -> Option<(&Section, bool)> {
    let numeric = match sections {
        // A fourth section is for text; so is a last one with `@`.
        [a @ .., last] if sections.len() == 4 || (sections.len() > 1 && last.kind == Kind::Text) => a,
        all => all,
    };
    let conditions = numeric.iter().any(|section| section.condition.is_some());
    if conditions {
        for (index, section) in numeric.iter().enumerate() {
            let fits = match &section.condition {
                Some(condition) => condition.holds(number),
                None if index == 0 => number > 0.0,
                None if index == 1 && numeric.len() > 2 => number < 0.0,
                None => true,
            };
            if fits {
                // A section only negative numbers can reach says the sign itself.
                let only_negative = match &section.condition {
                    Some(condition) => condition.only_negative(),
                    None => index == 1 && numeric.len() > 2,
                };
                return Some((section, !only_negative));
            }
        }
        return None;
    }
    match numeric {
        [] => None,
        [only] => Some((only, true)),
        [first, second] => Some(if number < 0.0 { (second, false) } else { (first, true) }),
        [first, second, third, ..] => {
            if number > 0.0 {
                return Some((first, true));
            }
            if number == 0.0 {
                return Some((third, true));
            }
            // A negative number that rounds to nothing is shown as zero.
            Some((second, false))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(number: f64, code: &str) -> String {
        format(&Value::Number(number), code, DateSystem::D1900)
            .map_or("####".to_owned(), |formatted| formatted.text)
    }

    #[test]
    fn numbers_that_are_no_dates_on_either_side_are_not_shown() {
        for dates in [DateSystem::D1900, DateSystem::D1904] {
            for number in [1e300, -1e300, 3e6, -3e6] {
                for code in ["yyyy-mm-dd", "[h]:mm"] {
                    let shown = format(&Value::Number(number), code, dates);
                    assert_eq!(shown, None, "{number} as {code} in {dates:?}");
                }
            }
        }
    }

    #[test]
    fn numbers() {
        for (number, code, shown) in [
            (1234.567, "#,##0.00", "1,234.57"),
            (1234.5, "0", "1235"),
            (0.5, "0%", "50%"),
            (-5.0, "0;(0)", "(5)"),
            (0.0, "0;(0);\"zero\"", "zero"),
            (-1234.0, "#,##0", "-1,234"),
            (0.0, "#", ""),
            (0.0, "#,##0.00_);(#,##0.00)", "0.00 "),
            (12345.678, "0.00E+00", "1.23E+04"),
            (12345.678, "##0.0E+0", "12.3E+3"),
            (1234567.0, "#,##0,", "1,235"),
            (1234567.0, "0.0,,", "1.2"),
            (1.25, "# ?/?", "1 1/4"),
            (0.75, "# ?/?", " 3/4"),
            (3.0, "# ?/?", "3    "),
            (3.0, "# #/#", "3"),
            (0.75, "# #/#", "3/4"),
            (0.75, "#=#/#", "3/4"),
            (0.75, "0=#/#", "0=3/4"),
            (23.75, "#-#=#/#", "2-3=3/4"),
            (23.75, "#=?? / ??", "23= 3 / 4 "),
            (3.75, "#_x/#", "15 /4"),
            (1.0, "#=0/#", "1=0/1"),
            (0.0, "#=0/#", "0/1"),
            (0.0, "?=0/#", "0=0/1"),
            (23.75, "# ?0#/000", "23  03/004"),
            (3.5, "# ?/8", "3 4/8"),
            (123456.789, "#%e-#", "1%e5"),
            (123456.789, "#.#=e+=###", "1.2=e=+5"),
            (1e142, "0e+????", "1e+ 142"),
            (0.0, "??.?E+00", "00. E+00"),
            (1234567.0, ",#", ",1234567"),
            (1234567.0, ",#,#", ",1,234,567"),
            (5551234.0, "000-0000", "555-1234"),
            (2.675, "0.00", "2.68"),
            (1.005, "0.00", "1.01"),
            (5.0, "00000", "00005"),
            (1.5, "0.0??", "1.5  "),
            (0.25, "??.00", "  .25"),
            (-0.001, "0.00", "-0.00"),
            (100.0, "[>=100]\"big\";\"small\"", "big"),
            (1.0, "[$€-407] #,##0.00", "€ 1.00"),
            (1e-10, "0.00", "0.00"),
            (123.0, "General\" units\"", "123 units"),
            (0.1, "0.###", "0.1"),
            (1.0, "0.###", "1."),
        ] {
            assert_eq!(show(number, code), shown, "{number} {code}");
        }
    }

    #[test]
    fn dates() {
        for (number, code, shown) in [
            (43_831.0, "yyyy-mm-dd", "2020-01-01"),
            (43_831.5, "m/d/yy h:mm AM/PM", "1/1/20 12:00 PM"),
            (43_831.0, "dddd, mmmm d, yyyy", "Wednesday, January 1, 2020"),
            (1.5, "[h]:mm", "36:00"),
            (0.5, "h:mm:ss", "12:00:00"),
            (0.000_011_574_074_074_074_074 * 61.5, "mm:ss.0", "01:01.5"),
            (43_831.0, "mmmmm", "J"),
            (60.0, "d/m/yyyy", "29/2/1900"),
            (0.0, "d/m/yyyy", "0/1/1900"),
            (-1.0, "d/m/yyyy", "####"),
            (43_831.75, "h AM/PM", "6 PM"),
            (1.0 / 24.0, "[mm]", "60"),
            (0.75, "h am/pm", "6 PM"),
            (0.75, "h a/p", "6 p"),
            (1.5, "[h] h", "36 36"),
            (0.5 + 61.0 / 86_400.0, "s:m [h]", "1:1 12"),
            (43_831.5, "h:mm:ss m/d", "12:00:00 1/1"),
        ] {
            assert_eq!(show(number, code), shown, "{number} {code}");
        }
    }

    #[test]
    fn general_rule() {
        for (number, shown) in [
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333333"),
            (123_456_789_012.0, "1.23457E+11"),
            (12_345_678_901.5, "12345678902"),
            (1e-10, "1E-10"),
            (0.000_012_34, "0.00001234"),
            (-1.0 / 3.0, "-0.333333333"),
            (1e100, "1E+100"),
        ] {
            assert_eq!(general(number), shown);
        }
    }

    #[test]
    fn texts() {
        let show =
            |text: &str, code: &str| format(&Value::text(text), code, DateSystem::D1900).map(|f| f.text);
        assert_eq!(show("x", "0;0;0;\"<\"@\">\"").as_deref(), Some("<x>"));
        assert_eq!(show("x", "0.00").as_deref(), Some("x"));
        assert_eq!(show("x", "@\" y\"").as_deref(), Some("x y"));
        let text = |value: Value, code: &str| text_function(&value, code, DateSystem::D1900);
        assert_eq!(text(Value::Bool(true), ";;;<@>").as_deref(), Some("<TRUE>"));
        assert_eq!(text(Value::Bool(true), "0").as_deref(), Some("TRUE"));
        assert_eq!(text(Value::text("x"), "").as_deref(), Some("x"));
        assert_eq!(text(Value::Number(10.0), "[<10]0").as_deref(), Some("10"));
    }
}
