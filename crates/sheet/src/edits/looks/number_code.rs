//! Whether Excel takes a text for a number format.
//!
//! Excel calls a file corrupt for a format that it would not take in its dialog. What goes wrong there is a quote or
//! bracket that does not end, a word that is no code (`currency`), or a bracket with something in it that Excel does not
//! know.

use edit::Refusal;

const LONGEST: usize = 255;
const COLORS: [&str; 8] = ["black", "blue", "cyan", "green", "magenta", "red", "white", "yellow"];
/// Letters that stand for a part of a day: day, month or minute, year, hour, second, and those of eras and weekdays.
const OF_DATES: &str = "dmyhsegab";

pub(crate) fn check(code: &str) -> Result<(), Refusal> {
    if code.is_empty() || code.encode_utf16().count() > LONGEST {
        return Err(refusal(code, "a format code of 1 to 255 characters"));
    }
    let sections = sections(code)?;
    if sections.len() > 4 {
        return Err(refusal(code, "at most four sections: positive; negative; zero; text"));
    }
    for section in &sections {
        section.brackets.iter().try_for_each(|inside| bracket(code, inside))?;
        letters(code, &section.plain)?;
    }
    Ok(())
}

fn refusal(code: &str, known: &str) -> Refusal {
    Refusal::invalid("number format", format!("`{code}`"), known.to_owned())
}

/// What stands between two semicolons, without quoted and escaped characters.
#[derive(Default)]
struct Section {
    plain: String,
    brackets: Vec<String>,
}

fn sections(code: &str) -> Result<Vec<Section>, Refusal> {
    let mut found = Vec::new();
    let mut section = Section::default();
    let mut chars = code.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                if !chars.any(|c| c == '"') {
                    return Err(refusal(code, "a format code whose quotes end"));
                }
                section.plain.push(' ');
            }
            '[' => {
                let mut ended = false;
                let inside: String = chars
                    .by_ref()
                    .take_while(|c| {
                        ended = *c == ']';
                        !ended
                    })
                    .collect();
                if !ended {
                    return Err(refusal(code, "a format code whose brackets end"));
                }
                section.brackets.push(inside);
                section.plain.push(' ');
            }
            ';' => found.push(std::mem::take(&mut section)),
            // The next one stands for itself, for its width or for a filling.
            '\\' | '_' | '*' => {
                if chars.next().is_none() {
                    return Err(refusal(code, "a character behind the last `\\`, `_` or `*`"));
                }
                section.plain.push(' ');
            }
            c => section.plain.push(c),
        }
    }
    found.push(section);
    Ok(found)
}

fn bracket(code: &str, inside: &str) -> Result<(), Refusal> {
    let lower = inside.to_ascii_lowercase();
    let numbered = |prefix: &str, most: u32| {
        lower
            .strip_prefix(prefix)
            .and_then(|number| number.trim().parse::<u32>().ok())
            .is_some_and(|number| (1..=most).contains(&number))
    };
    let elapsed =
        lower.chars().next().is_some_and(|first| "hms".contains(first) && lower.chars().all(|c| c == first));
    let known = COLORS.contains(&lower.as_str())
        || numbered("color", 56)
        || numbered("dbnum", 4)
        || elapsed
        || lower.starts_with(['$', '<', '>', '='])
        || matches!(lower.as_str(), "eng" | "hijri" | "jis");
    match known {
        true => Ok(()),
        false => Err(refusal(
            code,
            "in brackets a colour (Black, Blue, Cyan, Green, Magenta, Red, White, Yellow, Color1 to Color56), a condition such as `>100`, a currency such as `$€-407`, or h, m or s for times over a day",
        )),
    }
}

/// Words that are no codes, and letters of dates among digits.
fn letters(code: &str, plain: &str) -> Result<(), Refusal> {
    let mut lower = plain.to_ascii_lowercase();
    for known in ["general", "am/pm", "a/p"] {
        lower = lower.replace(known, " ");
    }
    // The exponent of a number, and the fractions of a second.
    for (known, with) in [
        ("e+", "  "),
        ("e-", "  "),
        ("s.000", "s"),
        ("s.00", "s"),
        ("s.0", "s"),
        ("s,000", "s"),
        ("s,00", "s"),
        ("s,0", "s"),
    ] {
        lower = lower.replace(known, with);
    }
    let words = || lower.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let is_date = |word: &&str| word.chars().all(|c| OF_DATES.contains(c));
    // A single letter that means nothing stands for itself, as in `0.0x`.
    if let Some(word) = words().find(|word| word.len() > 1 && !is_date(word)) {
        return Err(refusal(
            code,
            &format!(
                "a format code such as `#,##0.00`, `0.0%`, `yyyy-mm-dd` or `$#,##0.00`; `{word}` is no code, and words stand in quotes: `0 \"kg\"`"
            ),
        ));
    }
    if let (Some(word), true) = (words().find(is_date), lower.contains(['0', '#', '?'])) {
        return Err(refusal(
            code,
            &format!(
                "digits or a date; a letter that is meant to be seen stands in quotes: `0.0,,\"{}\"`",
                word.to_uppercase()
            ),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn codes_of_excel_are_taken() {
        for code in [
            "General",
            "0",
            "0.00%",
            "#,##0_);[Red](#,##0)",
            "m/d/yyyy h:mm AM/PM",
            "[h]:mm:ss.000",
            "0.00E+00",
            "# ?/?",
            "_-* #,##0.00\\ \"€\"_-;\\-* #,##0.00\\ \"€\"_-;_-* \"-\"??\\ \"€\"_-;_-@_-",
            "[$-409]dddd, mmmm d, yyyy",
            "[>=1000000]0.0,,\"M\";[>=1000]0.0,\"K\";0",
            "0.0x",
            "mm:ss.0",
            "[$-411]ggge\"年\"m\"月\"d\"日\"",
            "yyyymmdd",
            "General\" units\"",
            "0;-0;;@",
            "[Color 10]0",
            "##0.0E+0",
            "[$€-2] #,##0.00",
            "aaaa",
            "h \"h\" mm",
        ] {
            assert!(check(code).is_ok(), "{code}");
        }
    }

    #[test]
    fn what_excel_would_repair_is_refused() {
        for code in [
            "",
            "\"kg",
            "[Red",
            "0\\",
            "0;0;0;0;0",
            "[Purple]0",
            "currency",
            "TT.MM.JJJJ",
            "0 kg",
            "0.0,,M",
            "[Color99]0",
            "Number",
            "Short Date",
            "percent",
        ] {
            assert!(check(code).is_err(), "{code}");
        }
    }
}
