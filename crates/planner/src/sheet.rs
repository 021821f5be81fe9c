//! Requests about a workbook: "set B5 on Inputs to 1.1", "what is Summary!A1".

use crate::Unclear;
use crate::phrase::Words;

#[derive(Debug, Clone, PartialEq)]
pub enum SheetStep {
    Set { at: Address, entry: Entry },
    Clear { at: Address },
    Read { at: Address },
}

/// A cell or range as it was named; the workbook knows whether it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub sheet: Option<String>,
    /// `B5`, `A1:C3`, or a defined name.
    pub cells: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Number(f64),
    Text(String),
    Bool(bool),
    /// With its equals sign.
    Formula(String),
    /// `2026-01-15`
    Date(String),
}

pub(crate) fn step(mut words: Words) -> Result<SheetStep, Unclear> {
    if words.eat_any(&[&["set"], &["change"], &["make"]]) {
        words.eat_any(&[&["cell"], &["the", "cell"], &["the", "value", "of"]]);
        let at = address(&mut words)?;
        if !words.eat_any(&[&["to"], &["="], &["equal", "to"]]) {
            return Err("say what to set it to: set B5 on Inputs to 1.1".to_owned());
        }
        return entry(words).map(|entry| SheetStep::Set { at, entry });
    }
    if words.eat_any(&[&["put"], &["write"], &["enter"], &["insert"], &["type"]]) {
        let behind = |words: &mut Words| {
            let tail = words.cut_last(&["in"]).or_else(|| words.cut_last(&["into"]));
            tail.or_else(|| words.cut_last(&["to"]))
        };
        let Some(mut tail) = behind(&mut words) else {
            return Err("say where to put it: put 3 in B5".to_owned());
        };
        // "in B5 in Inputs": the last `in` names the sheet.
        if !looks_like_cells(&tail.clone().shown())
            && let Some(mut cells) = words.cut_last(&["in"])
        {
            let sheet = tail.rest_as_text();
            let mut at = address(&mut cells)?;
            at.sheet = at.sheet.or(sheet);
            cells.done()?;
            return entry(words).map(|entry| SheetStep::Set { at, entry });
        }
        tail.eat(&["cell"]);
        let at = address(&mut tail)?;
        tail.done()?;
        return entry(words).map(|entry| SheetStep::Set { at, entry });
    }
    if words.eat_any(&[
        &["clear"],
        &["empty"],
        &["delete", "the", "contents", "of"],
        &["delete", "the", "value", "of"],
        &["delete", "the", "value", "in"],
        &["remove", "the", "contents", "of"],
        &["remove", "the", "value", "of"],
        &["remove", "the", "value", "in"],
        &["remove", "the", "value", "from"],
    ]) {
        words.eat_any(&[&["the", "cells"], &["the", "cell"], &["cells"], &["cell"]]);
        let at = address(&mut words)?;
        return words.done().map(|()| SheetStep::Clear { at });
    }
    let asks = words.eat_any(&[
        &["what", "is", "the", "value", "of"],
        &["what", "is", "in"],
        &["tell", "me"],
        &["tell", "me", "the", "value", "of"],
        &["give", "me"],
        &["what", "is"],
        &["what's", "the", "value", "of"],
        &["what's", "in"],
        &["what's"],
        &["how", "much", "is"],
        &["how", "large", "is"],
        &["read"],
        &["show", "me"],
        &["show"],
        &["get", "the", "value", "of"],
        &["get"],
    ]);
    if asks {
        words.eat_any(&[&["cell"], &["the", "cell"], &["the", "range"]]);
        let at = address(&mut words)?;
        return words.done().map(|()| SheetStep::Read { at });
    }
    Err("I know requests to set, clear and read cells".to_owned())
}

/// `B5`, `Inputs!B5`, `'My Sheet'!B5`, `B5 on Inputs`, `B5 in sheet Inputs`, or a name.
fn address(words: &mut Words) -> Result<Address, Unclear> {
    let quoted = words.quotation();
    if let Some(sheet) = quoted {
        words.eat(&["!"]);
        let Some(cells) = words.word_if(looks_like_cells) else {
            return Err(format!("say which cell of '{sheet}'"));
        };
        return Ok(Address { sheet: Some(sheet), cells });
    }
    let Some(word) = words.word_if(|word| word.contains('!') || looks_like_cells(word) || is_name(word))
    else {
        return Err("say which cell, such as Inputs!B5".to_owned());
    };
    if let Some((sheet, cells)) = word.split_once('!') {
        return Ok(Address { sheet: Some(sheet.to_owned()), cells: cells.to_owned() });
    }
    let mut sheet = None;
    if words.eat_any(&[
        &["on", "sheet"],
        &["on", "the"],
        &["on"],
        &["in", "sheet"],
        &["in", "the"],
        &["in"],
        &["of", "sheet"],
        &["of", "the"],
        &["of"],
        &["from", "sheet"],
        &["from", "the"],
        &["from"],
    ]) {
        words.eat(&["sheet"]);
        sheet = words.quotation().or_else(|| words.word_if(|_| true));
        words.eat(&["sheet"]);
    }
    Ok(Address { sheet, cells: word })
}

fn looks_like_cells(word: &str) -> bool {
    let cell = |text: &str| {
        let text = text.replace('$', "");
        let letters = text.chars().take_while(char::is_ascii_alphabetic).count();
        (1..=3).contains(&letters)
            && text.len() > letters
            && text.len() - letters <= 7
            && text[letters..].chars().all(|c| c.is_ascii_digit())
    };
    match word.split_once(':') {
        Some((from, to)) => cell(from) && cell(to),
        None => cell(word),
    }
}

/// Defined names look like words, so only one with a capital or an underscore counts.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

fn entry(mut words: Words) -> Result<Entry, Unclear> {
    let mut ahead = words.clone();
    if ahead.eat_any(&[&["the", "formula"], &["formula"], &["the", "value"]]) && !ahead.is_empty() {
        words = ahead.clone();
    } else if ahead.eat_any(&[&["the", "text"], &["text"]]) && ahead.clone().quotation().is_some() {
        let text = ahead.quotation().unwrap_or_default();
        return ahead.done().map(|()| Entry::Text(text));
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
    let several = words.len() > 1;
    let text = words.value()?;
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
    if let Some(percent) = plain.strip_suffix('%').and_then(|number| number.parse::<f64>().ok()) {
        return Ok(Entry::Number(percent / 100.0));
    }
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Entry::Number(number)),
        _ => Ok(Entry::Text(text)),
    }
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
