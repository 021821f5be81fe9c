//! Cells as people name them: by address, by column and row, or by the label beside them.

use super::{Address, SheetRef};
use crate::phrase::Words;

/// What a request is about, from the front; with its sheet, if one is named right behind it.
pub(super) fn reference(words: &mut Words) -> Option<SheetRef> {
    let mut ahead = words.clone();
    ahead.eats("the values of|the value of|the values in|the value in|the contents of|the content of|the text in|the text of|the numbers in|the data in|the formatting of|values in|the number in");
    let found = bare(&mut ahead)?;
    let sheet = sheet(&mut ahead);
    *words = ahead;
    Some(match sheet {
        Some(name) => found.on(name),
        None => found,
    })
}

fn bare(words: &mut Words) -> Option<SheetRef> {
    if words.eats("it|them|that|this cell|this") {
        return Some(SheetRef::It);
    }
    let readers: [fn(&mut Words) -> Option<SheetRef>; 4] = [lines, beside, address, whole];
    readers.iter().find_map(|read| {
        let mut ahead = words.clone();
        let found = read(&mut ahead)?;
        *words = ahead;
        Some(found)
    })
}

/// `on Inputs`, `on the Inputs sheet`, `in sheet 'My data'`
pub(super) fn sheet(words: &mut Words) -> Option<String> {
    let mut ahead = words.clone();
    if !ahead.eats("on|in|of|from|at") {
        return None;
    }
    ahead.eats("the");
    let named = ahead.eats("sheet|tab|worksheet|sheet called|sheet named|tab called");
    let name = ahead.quotation().or_else(|| {
        let plain = |word: &str| {
            word.starts_with(|c: char| c.is_uppercase() || named && c.is_alphanumeric())
                && !looks_like_cells(word)
                && !word.contains('!')
        };
        ahead.word_if(plain)
    })?;
    let mut name = name;
    if !named {
        // "Raw Data sheet": more words with capitals.
        while let Some(more) =
            ahead.word_if(|word| word.starts_with(char::is_uppercase) && !looks_like_cells(word))
        {
            name = format!("{name} {more}");
        }
    }
    ahead.eats("sheet|tab|worksheet|table");
    *words = ahead;
    Some(name)
}

fn lines(words: &mut Words) -> Option<SheetRef> {
    words.eats("the whole|the entire|the|all of the|all of|all the|my|our");
    if words.eats("header row|headers|header|heading row|column headers|title row|top row|first row|row with the headers") {
        return Some(SheetRef::Rows { sheet: None, from: 0, to: 0 });
    }
    if words.eats("first column") {
        return Some(SheetRef::Column { sheet: None, name: "A".to_owned(), to: None });
    }
    if words.eats("row for|row of|row called|row named|row with|row that says|row starting with") {
        words.eats("the");
        let text = words.name()?;
        return Some(SheetRef::RowOf { sheet: None, text });
    }
    if words.eats("rows|row") {
        words.eats("number");
        let numbers = words.numbers()?;
        let (from, to) = (*numbers.first()?, *numbers.last()?);
        // Rows apart are several requests.
        if numbers.len() != to.checked_sub(from)? + 1 {
            return None;
        }
        return Some(SheetRef::Rows { sheet: None, from: from.checked_sub(1)?, to: to.checked_sub(1)? });
    }
    if words.eats("columns|column|col") {
        let name = words.quotation().or_else(|| words.word_if(|word| !word.contains('!')))?;
        let mut ahead = words.clone();
        let to = ahead.eats("to|through|-").then(|| ahead.word_if(is_letters)).flatten();
        if to.is_some() {
            *words = ahead;
        }
        // `A:C` is an address of its own.
        return Some(match name.split_once(':') {
            Some((from, to)) => {
                SheetRef::Column { sheet: None, name: from.to_owned(), to: Some(to.to_owned()) }
            }
            None => SheetRef::Column { sheet: None, name, to },
        });
    }
    if let Some(found) = counted(words) {
        return Some(found);
    }
    // "the Amount column", "the Verdict row", "Widget's row"
    let mut named = words.clone();
    if let Some(name) = named.name() {
        if named.eats("row") {
            *words = named;
            let text = ["'s", "’s"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_owned();
            return Some(SheetRef::RowOf { sheet: None, text });
        }
        if named.eats("column|col") {
            *words = named;
            return Some(SheetRef::Column { sheet: None, name, to: None });
        }
    }
    small(words)
}

/// "the second row", "the last two rows"
fn counted(words: &mut Words) -> Option<SheetRef> {
    let mut ahead = words.clone();
    if ahead.eats("very last|last|bottom|final") {
        let count = ahead.number().unwrap_or(1);
        ahead.eats("rows|row|lines|line|entry|entries").then_some(())?;
        *words = ahead;
        return (1..=1000).contains(&count).then_some(SheetRef::LastRows { sheet: None, count });
    }
    let at = ahead.ordinal()?;
    ahead.eats("row").then_some(())?;
    *words = ahead;
    Some(SheetRef::Rows { sheet: None, from: at, to: at })
}

/// "the notes column", "the first answer column": up to three small words before the noun.
fn small(words: &mut Words) -> Option<SheetRef> {
    let mut ahead = words.clone();
    let mut name = String::new();
    for _ in 0..3 {
        let word = ahead.word_if(|word| {
            word.chars().all(|c| c.is_alphabetic() || c == '-')
                && !crate::phrase::is_beginner(&word.to_lowercase())
                && ![
                    "last", "next", "of", "new", "whole", "entire", "second", "third", "each", "every",
                    "all", "a", "an", "blank", "empty", "total", "same", "other", "previous", "header",
                    "hidden", "selected",
                ]
                .contains(&word)
        })?;
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(&word);
        if ahead.eats("column|col") {
            *words = ahead;
            return Some(SheetRef::Column { sheet: None, name, to: None });
        }
        if ahead.eats("row") {
            *words = ahead;
            return Some(SheetRef::RowOf { sheet: None, text: name });
        }
    }
    None
}

/// "all prices", "the amounts": the column with that header, where many cells can be meant.
pub(super) fn plural(words: &mut Words) -> Option<SheetRef> {
    let mut ahead = words.clone();
    ahead.eats("all of the|all the|all|every|each|the").then_some(())?;
    // "every Q4 number", "all the Q4 values"
    let mut numbers = ahead.clone();
    if let Some(name) = numbers.word_if(|word| word.starts_with(char::is_uppercase))
        && numbers.eats("number|numbers|value|values|figure|figures")
    {
        *words = numbers;
        return Some(SheetRef::Column { sheet: None, name, to: None });
    }
    // "every price"
    let mut one = words.clone();
    if one.eats("every single|every|each")
        && let Some(name) =
            one.word_if(|word| word.len() > 3 && !word.ends_with('s') && word.chars().all(char::is_lowercase))
        && !["cell", "column", "row", "sheet", "number", "value", "formula", "date", "order"]
            .contains(&name.as_str())
    {
        let column = SheetRef::Column { sheet: None, name, to: None };
        *words = one;
        return Some(sheet(words).map_or(column.clone(), |name| column.on(name)));
    }
    let many = |word: &str| word.len() > 3 && word.ends_with('s') && word.chars().all(char::is_lowercase);
    let name = ahead.word_if(many)?;
    let column = SheetRef::Column { sheet: None, name, to: None };
    let column = sheet(&mut ahead).map_or(column.clone(), |name| column.on(name));
    *words = ahead;
    Some(column)
}

fn beside(words: &mut Words) -> Option<SheetRef> {
    if !words.eats("the cell next to|the value next to|the cell beside|the value beside|the cell to the right of|the number next to|the cell right of|the value for|the value of|the figure for|the number for") {
        return None;
    }
    let text = words.name()?;
    Some(SheetRef::Label { sheet: None, text })
}

fn address(words: &mut Words) -> Option<SheetRef> {
    words.eats("the cells|the cell|cells|cell|the range|range");
    if let Some(sheet) = words.quotation() {
        words.eats("!").then_some(())?;
        let cells = words.word_if(looks_like_cells)?;
        return Some(SheetRef::Cells(Address { sheet: Some(sheet), cells }));
    }
    let word = words.word_if(|word| {
        word.contains('!') && !word.ends_with('!') || looks_like_cells(word) || is_name(word)
    })?;
    if let Some((sheet, cells)) = word.split_once('!') {
        return Some(SheetRef::Cells(Address { sheet: Some(sheet.to_owned()), cells: cells.to_owned() }));
    }
    // "C5 to C9"
    let mut ahead = words.clone();
    if looks_like_cells(&word)
        && !word.contains(':')
        && ahead.eats("to|through|until|-")
        && let Some(last) = ahead.word_if(|word| looks_like_cells(word) && !word.contains(':'))
    {
        *words = ahead;
        return Some(SheetRef::Cells(Address { sheet: None, cells: format!("{word}:{last}") }));
    }
    Some(SheetRef::Cells(Address { sheet: None, cells: word }))
}

fn whole(words: &mut Words) -> Option<SheetRef> {
    if words.eats("the sheet called|the sheet named|sheet|the sheet|the tab|tab|the worksheet") {
        let mut ahead = words.clone();
        let name = ahead.quotation().or_else(|| {
            ahead.word_if(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
        });
        if name.is_some() {
            *words = ahead;
        }
        return Some(SheetRef::Used { sheet: name });
    }
    if words.eats("the data|everything|all cells|the whole sheet|this sheet|the table|the list|all data|all the data|all rows|the rows|the entire sheet") {
        return Some(SheetRef::Used { sheet: None });
    }
    // "the Data sheet"
    words.eats("the");
    let name = words.name()?;
    words.eats("sheet|tab|worksheet|table").then_some(SheetRef::Used { sheet: Some(name) })
}

fn is_letters(word: &str) -> bool {
    (1..=3).contains(&word.len()) && word.chars().all(|c| c.is_ascii_uppercase())
}

pub(super) fn looks_like_cells(word: &str) -> bool {
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
