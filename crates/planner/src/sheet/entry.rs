//! What goes into a cell.

use super::Entry;
use crate::Unclear;
use crate::phrase::Words;

pub(super) fn entry(mut words: Words) -> Result<Entry, Unclear> {
    let mut ahead = words.clone();
    if ahead.eat_any(&[&["the", "formula"], &["formula"], &["the", "value"]]) && !ahead.is_empty() {
        words = ahead.clone();
    } else if ahead.eats("the text|text|the word|the words|the phrase|word") && !ahead.is_empty() {
        return ahead.value().map(Entry::Text);
    }
    let mut ahead = words.clone();
    if let Some(text) = ahead.quotation() {
        return match text.starts_with('=') {
            true => ahead.done().map(|()| Entry::Formula(text)),
            false => ahead.done().map(|()| Entry::Text(text)),
        };
    }
    if words.is_empty() {
        return Err("say what to set it to".to_owned());
    }
    let mut named = words.clone();
    if named.eats("the date|the number|the amount|the year|the figure|the percentage")
        && matches!(named.peek(), Some(crate::token::Kind::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()))
    {
        words = named;
    }
    let mut share = words.clone();
    if share.eats_last("percent|per cent|%")
        && let Some(number) = share.word_if(|word| word.parse::<f64>().is_ok_and(f64::is_finite))
        && share.is_empty()
    {
        return Ok(Entry::Typed(format!("{number}%")));
    }
    if let Some(number) = spoken(&words) {
        return Ok(Entry::Number(number));
    }
    if let Some(date) = spoken_date(&words) {
        return Ok(Entry::Date(date));
    }
    let several = words.len() > 1;
    dressed(&words)?;
    let text = words.value()?;
    if !text.starts_with('=') && names_cells(&text) {
        return Err(format!(
            "`{text}` names cells: put it in quotation marks as a text, or write a formula: ={text}"
        ));
    }
    // `13:30`, `1 1/2`, `6 pm`, `(5)`: what Excel takes for a number is a number.
    if is_typed(&text) {
        return Ok(Entry::Typed(text));
    }
    // "130000 tell me B1" is no text that somebody wants in a cell.
    if several && text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(char::is_alphabetic) {
        return Err(format!("put `{text}` in quotation marks if all of it goes into the cell"));
    }
    if text.starts_with('=') {
        return Ok(Entry::Formula(text));
    }
    match text.to_lowercase().as_str() {
        "true" => return Ok(Entry::Bool(true)),
        "false" => return Ok(Entry::Bool(false)),
        _ => {}
    }
    let parts: Vec<&str> = text.split('-').collect();
    if let [year, month, day] = parts.as_slice()
        && (year.len(), month.len(), day.len()) == (4, 2, 2)
        && text.chars().all(|c| c.is_ascii_digit() || c == '-')
    {
        return Ok(Entry::Date(text));
    }
    // Which of its numbers is the day depends on the country, and a decimal comma is a comma here; neither is guessed.
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_date = digits >= 4
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.'))
        && text.trim_start_matches('-').matches(['-', '/', '.']).count() == 2;
    if is_date {
        return Err(format!(
            "write a date as 2026-01-15 or =DATE(2026,1,15), or '{text}' in quotation marks as text"
        ));
    }
    let bare = text.trim_start_matches(['$', '€', '£']);
    let plain = bare.replace(',', "");
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '-');
    if bare.contains(',') && bare.chars().all(numeric) && !is_grouped(bare) {
        return Err(format!(
            "`{text}` could be two numbers: write the decimals behind a point, as in 1250.5"
        ));
    }
    if plain.strip_suffix('%').is_some_and(|number| number.parse::<f64>().is_ok()) {
        return Ok(Entry::Typed(plain));
    }
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Entry::Number(number)),
        _ if crate::doubt::is_reckoned(&text) => Err(format!(
            "`{text}` may be a text or something to work out: put it in quotation marks as a text, write a number in digits, \
             or a formula as =B2*2"
        )),
        _ => Ok(Entry::Words(text)),
    }
}

/// "Rent aligned right": how it is to look may stand behind the text.
fn dressed(words: &Words) -> Result<(), Unclear> {
    for at in 1..words.len().saturating_sub(1) {
        let (head, tail) = words.split_at(at);
        let mut look = super::CellLook::default();
        if super::look::named("make", tail.clone(), &mut look).is_ok() && look != super::CellLook::default() {
            return Err(format!(
                "either all of `{}` is the text, then put it in quotation marks; or it is `{}`, then ask for `{}` in a part of its own",
                words.shown(),
                head.shown(),
                tail.shown()
            ));
        }
    }
    Ok(())
}

/// `Inputs!B3`, `row 2`, `column B`
fn names_cells(text: &str) -> bool {
    let lower = text.to_lowercase();
    let line = ["row ", "rows ", "column ", "columns ", "cell ", "cells "].iter().any(|noun| {
        lower.strip_prefix(noun).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                || rest.len() <= 3
                || super::refer::looks_like_cells(rest)
        })
    });
    let far = text.split_once('!').is_some_and(|(sheet, cells)| {
        !sheet.is_empty()
            && (super::refer::looks_like_cells(cells) || cells.split(':').all(super::refer::looks_like_cells))
    });
    line || far
}

/// Times, fractions and numbers in brackets.
fn is_typed(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let time = |text: &str| {
        let parts: Vec<&str> = text.split(':').collect();
        (2..=3).contains(&parts.len()) && parts.iter().all(|part| part.len() <= 2 && digits(part))
    };
    let lower = text.to_lowercase();
    let clock = ["am", "pm"].iter().find_map(|half| lower.strip_suffix(half)).map(str::trim);
    if time(text) || clock.is_some_and(|hour| time(hour) || hour.len() <= 2 && digits(hour)) {
        return true;
    }
    let fraction = text.split_once(' ').is_some_and(|(whole, part)| {
        digits(whole) && part.split_once('/').is_some_and(|(above, below)| digits(above) && digits(below))
    });
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or_default();
    let bracketed = inner.contains(|c: char| c.is_ascii_digit())
        && inner.trim().chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    fraction || bracketed
}

/// `1 July 2023`, `July 1, 2023`: a date in which no two numbers can be taken for each other.
fn spoken_date(words: &Words) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    const WHOLE: [&str; 12] = [
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
    let month = |word: &str| {
        let lower = word.trim_end_matches('.').to_lowercase();
        let at = MONTHS
            .iter()
            .position(|month| *month == lower)
            .or_else(|| WHOLE.iter().position(|month| *month == lower));
        at.or_else(|| (lower == "sept").then_some(8)).map(|at| at + 1)
    };
    let mut rest = words.clone();
    let first = rest.word()?;
    rest.eats("of");
    let second = rest.word()?;
    rest.eats(",");
    let year = rest.word()?;
    rest.is_empty().then_some(())?;
    let day = |word: &str| {
        let bare = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
        bare.parse::<u32>().ok().filter(|day| (1..=31).contains(day))
    };
    let (day, month) = match (day(&first), month(&second), month(&first), day(&second)) {
        (Some(day), Some(month), _, _) => (day, month),
        (_, _, Some(month), Some(day)) => (day, month),
        _ => return None,
    };
    let year = year.parse::<u32>().ok().filter(|year| (1900..=9999).contains(year))?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// `130k`, `60 percent`, `1.5 million`: a number with the word for its size.
fn spoken(words: &Words) -> Option<f64> {
    const SIZES: [(&str, f64); 5] = [
        ("thousand|k", 1e3),
        ("million|mn|mio", 1e6),
        ("billion|bn", 1e9),
        ("hundred", 1e2),
        ("trillion", 1e12),
    ];
    let number = |text: &str| {
        let bare = text.trim_start_matches(['$', '€', '£']);
        let plain = bare.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
        plain.then(|| bare.parse::<f64>().ok()).flatten()
    };
    // Fifteen digits, so that 0.6 is 0.6.
    let rounded = |value: f64| format!("{value:.12}").parse::<f64>().ok();
    let mut rest = words.clone();
    let first = rest.word()?;
    if let Some(value) = number(&first) {
        let size = SIZES.iter().find_map(|(names, size)| rest.eats(names).then_some(*size))?;
        return rest.is_empty().then(|| rounded(value * size)).flatten();
    }
    let value = number(first.strip_suffix(['k', 'K'])?)?;
    rest.is_empty().then(|| rounded(value * 1e3)).flatten()
}

/// `1,250` and `1,250,000.5`: commas between groups of three.
fn is_grouped(text: &str) -> bool {
    let (whole, decimals) = text.trim_start_matches('-').split_once('.').unwrap_or((text, ""));
    let mut groups = whole.trim_start_matches('-').split(',');
    let first = groups.next().unwrap_or_default();
    !decimals.contains([',', ' '])
        && (1..=3).contains(&first.len())
        && groups.all(|group| group.len() == 3 && group.chars().all(|c| c.is_ascii_digit()))
}
