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
    if words.eat_any(&[&["put"], &["write"], &["enter"], &["insert"]]) {
        let Some(mut tail) = words.cut_last(&["in"]).or_else(|| words.cut_last(&["into"])) else {
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
    if words.eat_any(&[&["clear"], &["empty"], &["delete", "the", "contents", "of"]]) {
        words.eat(&["cell"]);
        let at = address(&mut words)?;
        return words.done().map(|()| SheetStep::Clear { at });
    }
    let asks = words.eat_any(&[
        &["what", "is", "the", "value", "of"],
        &["what", "is", "in"],
        &["what", "is"],
        &["what's", "in"],
        &["what's"],
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
        &["in"],
        &["of", "sheet"],
        &["of"],
    ]) {
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

fn entry(words: Words) -> Result<Entry, Unclear> {
    let mut ahead = words.clone();
    if let Some(text) = ahead.quotation() {
        return match text.starts_with('=') {
            true => ahead.done().map(|()| Entry::Formula(text)),
            false => ahead.done().map(|()| Entry::Text(text)),
        };
    }
    let Some(text) = words.rest_as_text() else {
        return Err("say what to set it to".to_owned());
    };
    if text.starts_with('=') {
        return Ok(Entry::Formula(text));
    }
    match text.to_lowercase().as_str() {
        "true" => return Ok(Entry::Bool(true)),
        "false" => return Ok(Entry::Bool(false)),
        _ => {}
    }
    let plain = text.replace(',', "");
    if let Some(percent) = plain.strip_suffix('%').and_then(|number| number.parse::<f64>().ok()) {
        return Ok(Entry::Number(percent / 100.0));
    }
    match plain.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Entry::Number(number)),
        _ => Ok(Entry::Text(text)),
    }
}
