//! Rows that a sentence describes by what they hold: "the closed orders", "orders from the East", "rows where Amount is
//! above 100", and what is done with them or asked about them.

use super::entry::entry;
use super::look;
use super::refer::{looks_like_cells, reference};
use super::step::{Condition, Test};
use super::{Attempt, SheetRef, SheetStep};
use crate::Unclear;
use crate::phrase::Words;

type Described = (SheetRef, Result<Condition, Unclear>);

/// Nouns that are no rows, though they stand where rows could.
const NO_ROWS: &[&str] = &[
    "cells",
    "sheets",
    "tabs",
    "worksheets",
    "columns",
    "formulas",
    "names",
    "tables",
    "values",
    "comments",
    "notes",
    "filters",
    "charts",
    "numbers",
    "headers",
    "hyperlinks",
    "links",
    "errors",
    "duplicates",
    "formats",
    "borders",
    "colours",
    "colors",
    "styles",
    "rules",
    "decimals",
    "percentages",
    "dates",
    "graphs",
    "images",
    "pictures",
    "panes",
    "headings",
    "totals",
    "sums",
    "averages",
    "letters",
    "changes",
    "months",
    "quarters",
    "years",
    "contents",
    "words",
];

/// Words before a noun that say which by its place or its kind, and not what a cell holds.
const NO_STATES: &[&str] = &[
    "first",
    "last",
    "top",
    "bottom",
    "next",
    "previous",
    "new",
    "empty",
    "blank",
    "hidden",
    "selected",
    "duplicate",
    "duplicated",
    "visible",
    "other",
    "same",
    "total",
    "negative",
    "positive",
    "extra",
    "both",
    "these",
    "those",
    "more",
    "many",
    "few",
    "some",
    "no",
    "unused",
    "highlighted",
    "coloured",
    "colored",
    "bold",
    "conditional",
    "my",
    "our",
    "header",
    "its",
    "their",
    "remaining",
    "following",
    "different",
    "distinct",
    "unique",
    "separate",
];

const HAVING: &str = "where the value in|where the|where|whose|in which the|in which|with the|with an|with a|with|that have|\
    which have|having|have|has|that has|for which|who have|had|that had";
const BEING: &str = "that are still|which are still|are still|that are|which are|who are|are currently|are now|are already|\
    have been|has been|are|were|that were";
const FROM: &str = "that come from|which come from|come from|came from|that are from|are from|from|that are in|are in|in|for|\
    located in|based in|belonging to|by|of";

/// Comparisons as people say them; the longest that fits counts.
const COMPARISONS: &[(&str, Test)] = &[
    (
        "is not equal to|does not equal|is not|isn't|are not|aren't|not equal to|other than|differs from|is other than|does not say|was not|not",
        Test::IsNot,
    ),
    (
        "is greater than|is more than|is above|is over|is larger than|is higher than|is bigger than|are above|are over|are more than|\
         are greater than|greater than|more than|larger than|bigger than|higher than|above|over|exceeds|exceeding|exceed|is >|> |>",
        Test::Above,
    ),
    (
        "is less than|is below|is under|is smaller than|is lower than|are below|are under|are less than|less than|smaller than|\
         lower than|fewer than|below|under|is <|<",
        Test::Below,
    ),
    ("is at least|at least|no less than|is no less than|of at least|are at least|> =|is > =", Test::AtLeast),
    ("is at most|at most|no more than|is no more than|up to|of at most|are at most|< =|is < =", Test::AtMost),
    ("contains|contain|containing|includes|including|mentions|mentioning", Test::Contains),
    (
        "does not contain|doesn't contain|do not contain|not containing|does not include|does not mention",
        Test::Lacks,
    ),
    ("is empty|is blank|are empty|are blank|is missing|empty|blank|missing", Test::Blank),
    (
        "is not empty|is not blank|isn't empty|isn't blank|not empty|not blank|is filled in|is filled|is set",
        Test::Filled,
    ),
    (
        "is equal to|equals to|equals|equal to|is exactly|is|=|says|reads|of|set to|are|was|set as|is =",
        Test::Is,
    ),
];

/// The comparison that stands first, with what is before and behind it.
fn compared(words: &Words, from: usize) -> Option<(Words, Test, Words)> {
    (from..words.len()).find_map(|at| {
        let (head, tail) = words.split_at(at);
        let fitting = COMPARISONS.iter().filter_map(|(phrases, test)| {
            let mut value = tail.clone();
            value.eats(phrases).then_some((value, *test))
        });
        let (value, test) = fitting.min_by_key(|(value, _)| value.len())?;
        let (test, value) = twofold(test, value);
        Some((head, test, value))
    })
}

/// "Is not more than 5", "of more than 5": two comparisons that are one.
fn twofold(test: Test, value: Words) -> (Test, Words) {
    let mut inner = value.clone();
    inner.eats("a|an");
    let next = COMPARISONS.iter().filter_map(|(phrases, next)| {
        let mut rest = inner.clone();
        (rest.eats(phrases) && !rest.is_empty()
            || matches!(next, Test::Blank | Test::Filled) && rest.is_empty())
        .then_some((rest, *next))
    });
    let Some((rest, next)) = next.min_by_key(|(rest, _)| rest.len()) else { return (test, value) };
    match (test, next) {
        (Test::Is, next) => (next, rest),
        (Test::IsNot, Test::Above) => (Test::AtMost, rest),
        (Test::IsNot, Test::Below) => (Test::AtLeast, rest),
        (Test::IsNot, Test::Contains) => (Test::Lacks, rest),
        (Test::IsNot, Test::Is) => (Test::IsNot, rest),
        _ => (test, value),
    }
}

/// `the closed orders`, `orders from the East`, `rows where Status is closed`: all of the words.
pub(super) fn described(mut words: Words) -> Option<Described> {
    // "Every rejected expense": one noun for many.
    let one = words.begins("every single|every|each|any");
    words.eats("all of the|all the|all|every single|every|each|only the|the|any|those|just the");
    // "Everything over 400": of the only column of amounts.
    let mut amounts = words.clone();
    if amounts.eats("everything|anything")
        && let Some((head, test @ (Test::Above | Test::Below | Test::AtLeast | Test::AtMost), value)) =
            compared(&amounts, 0)
        && head.is_empty()
    {
        let found = value.value().map(|value| Condition { column: String::new(), test, value, called: None });
        let found = found.and_then(|found| match found.number() {
            Some(_) => Ok(found),
            None => Err(format!("I compare with numbers; I did not understand `{}`", found.value)),
        });
        return Some((SheetRef::Used { sheet: None }, found));
    }
    if let Some(found) = by_state(&words, one) {
        return Some((SheetRef::Used { sheet: None }, found));
    }
    let called = noun(&mut words, one)?;
    let mut at = SheetRef::Used { sheet: None };
    let mut behind = words.clone();
    if let Some(name) = super::refer::sheet(&mut behind)
        && behind.begins(&format!("{HAVING}|{BEING}|{FROM}"))
    {
        at = at.on(name);
        words = behind;
    }
    words.eats("are there|there are|do we have|are listed|is there");
    if words.is_empty() {
        return None;
    }
    let found = match () {
        () if words.eats(BEING) => being(words, called),
        () if words.eats(HAVING) => having(words, called),
        () if words.eats(FROM) => {
            words.eats("the");
            words.value().map(|value| Condition { column: String::new(), test: Test::Is, value, called })
        }
        () => return None,
    };
    Some((at, found))
}

/// "are open", "are not open", "are in Sales"
fn being(mut words: Words, called: Option<String>) -> Result<Condition, Unclear> {
    let test = if words.eats("not") { Test::IsNot } else { Test::Is };
    words.eats("in the|from the|in|from");
    if words.begins("there|here|missing|empty|blank|left|above|below|over|under|more|less|at") {
        return Err(format!(
            "say which column: rows where Amount is above 100; I did not understand `{}`",
            words.shown()
        ));
    }
    let value = words.value()?;
    Ok(Condition { column: String::new(), test, value, called })
}

/// "Status is closed", "an amount above 100", "Status open"
fn having(mut words: Words, called: Option<String>) -> Result<Condition, Unclear> {
    words.eats("a|an|the column|column|the");
    let (mut column, test, mut value) = match compared(&words, 1) {
        Some(found) => found,
        // "with Status open": the last word, or the quotation.
        None => {
            let at = words.len().checked_sub(1).filter(|at| *at > 0);
            let Some(at) = at else { return Err(format!("I did not understand `{}`", words.shown())) };
            let (head, tail) = words.split_at(at);
            (head, Test::Is, tail)
        }
    };
    column.eats_last("column|value");
    value.eats("exactly|the");
    let column = column.label()?;
    if matches!(test, Test::Blank | Test::Filled) {
        return value.done().map(|()| Condition { column, test, value: String::new(), called });
    }
    let mut amount = value.clone();
    if amount.eats_last("percent|per cent|%") {
        amount.push_back("%");
        let shown = amount.shown().replace(' ', "");
        value = Words::default();
        value.push_quoted(&shown);
    }
    let value = value.value()?;
    let condition = Condition { column, test, value, called };
    match test {
        Test::Above | Test::Below | Test::AtLeast | Test::AtMost if condition.number().is_none() => {
            Err(format!(
                "I compare with numbers: rows where Amount is above 100; I did not understand `{}`",
                condition.value
            ))
        }
        _ => Ok(condition),
    }
}

/// "closed orders": what a row is, before its noun.
fn by_state(words: &Words, one: bool) -> Option<Result<Condition, Unclear>> {
    let mut rest = words.clone();
    let value = rest.quotation().or_else(|| {
        rest.word_if(|word| {
            let lower = word.to_lowercase();
            word.len() > 2
                && word.chars().all(char::is_alphabetic)
                && !NO_STATES.contains(&lower.as_str())
                && !crate::phrase::is_beginner(&lower)
                && crate::phrase::number(&lower).is_none()
                && !crate::phrase::ORDINALS.contains(&lower.as_str())
        })
    })?;
    // "the Margin row" is named by its first cell.
    if !one && rest.begins("row|line") {
        return None;
    }
    let called = noun(&mut rest, one)?;
    rest.is_empty().then_some(Ok(Condition { column: String::new(), test: Test::Is, value, called }))
}

/// What rows are called; nothing where they are called rows.
fn noun(words: &mut Words, one: bool) -> Option<Option<String>> {
    if words.eats("rows|row|lines|line|entries|entry|records|record|items") {
        return Some(None);
    }
    let people = ["people", "staff"];
    let called = words.word_if(|word| {
        let plural =
            word.len() > 3 && (word.ends_with('s') && !word.ends_with("ss") || one && word.len() > 4);
        word.chars().all(char::is_lowercase) && (plural || people.contains(&word)) && !NO_ROWS.contains(&word)
    })?;
    Some(Some(called))
}

/// What is asked about such rows.
pub(super) fn questions(words: Words) -> Attempt {
    counted(words.clone())
        .or_else(|| extreme(words.clone()))
        .or_else(|| summarised(words.clone()))
        .or_else(|| listed(words.clone()))
        .or_else(|| tested(words))
}

/// "how many orders are open"
fn counted(mut words: Words) -> Attempt {
    words.eats("how many of the|how many|count the|count all the|count all|count|what is the number of|number of").then_some(())?;
    words.eats_last("are there|do we have|are there in total|in total|does it have|exist");
    let (at, condition) = described(words)?;
    Some(condition.map(|condition| SheetStep::CountWhere { at, condition }))
}

/// "show me the orders from the East", "which orders are open"
fn listed(mut words: Words) -> Attempt {
    let who = words.eats("who is in|who works in|who comes from|who is from|who lives in|who sits in");
    if who {
        words.eats("the");
        let value = words.value();
        return Some(value.map(|value| SheetStep::ListWhere {
            at: SheetRef::Used { sheet: None },
            condition: Condition { column: String::new(), test: Test::Is, value, called: None },
        }));
    }
    words
        .eats("show me|show|list|display|find|get|give me|which of the|which|what|print|read")
        .then_some(())?;
    let (at, condition) = described(words)?;
    Some(condition.map(|condition| SheetStep::ListWhere { at, condition }))
}

/// "who has the largest amount", "which product has the highest price"
fn extreme(mut words: Words) -> Attempt {
    let asked = words.eats("who|what");
    let mut called = None;
    if !asked {
        words.eats("which of the|which|what").then_some(())?;
        called = words.word_if(|word| word.chars().all(char::is_lowercase));
        called.as_ref()?;
    }
    words.eats("has|have|had|is the one with|is the row with|with").then_some(())?;
    words.eats("the");
    let most = words.eats("largest|highest|biggest|greatest|most|top|maximum|latest");
    if !most && !words.eats("smallest|lowest|least|fewest|minimum|earliest") {
        return None;
    }
    let (what, home) = (words.clone(), super::ask::label_sheet(&mut words));
    let at = SheetRef::Used { sheet: home };
    let words = if matches!(at, SheetRef::Used { sheet: None }) { what } else { words };
    Some(words.label().map(|column| SheetStep::Extreme { at, column, most, called }))
}

/// "sum of quantity for East", "the average price of open orders", "total amount where Region is East"
fn summarised(mut words: Words) -> Attempt {
    words.eats("what is the|what's the|what are the|what was the|tell me the|give me the|show me the|calculate the|compute the|find the|get the|the|calculate|sum up the|add up the");
    // "How much did Ann Lee spend?": of the only column of amounts.
    let what = match () {
        () if words.eats("how much did") => {
            words.eats_last("in total|altogether|in all|so far|overall");
            words.eats_last("spend|cost|earn|pay|make|sell|receive|owe").then_some(())?;
            let value = words.value();
            return Some(value.map(|value| SheetStep::SummariseWhere {
                what: super::Summary::Sum,
                column: String::new(),
                at: SheetRef::Used { sheet: None },
                condition: Condition { column: String::new(), test: Test::Is, value, called: None },
            }));
        }
        () => super::ask::summary(&mut words)?,
    };
    // "The total of all pending expenses"
    let mut rows = words.clone();
    if rows.eats("of all the|of all|of the|of|for all|for the")
        && !rows.begins("column|columns|cells|row|rows in|sheet")
        && !rows.has_quotation()
        && let Some((at, Ok(condition))) = described(rows.clone())
    {
        return Some(Ok(SheetStep::SummariseWhere { what, column: String::new(), at, condition }));
    }
    words.eats("of the|of all the|of all|of|for the|in the|value of|value in the");
    let mut column = words.clone();
    let (at, cut) = (1..words.len()).find_map(|at| {
        let (_, tail) = words.split_at(at);
        tail.begins(&format!("{HAVING}|{FROM}|across|over")).then_some((at, tail))
    })?;
    let (head, mut tail) = (words.split_at(at).0, cut);
    column.clone_from(&head);
    column.eats_last("column");
    // A range or a cell is no column's name.
    let mut cells = head.clone();
    if let Some(SheetRef::Cells(address)) = reference(&mut cells)
        && looks_like_cells(&address.cells)
    {
        return None;
    }
    if tail.eats("across|over") {
        return None;
    }
    let mut home = SheetRef::Used { sheet: None };
    let condition = match () {
        () if tail.begins("of all|of the|of|for all|for the|for|in|from|by") => {
            let mut rows = tail.clone();
            rows.eats("of|for|in|from|by");
            match described(rows) {
                Some((at, condition)) => {
                    home = at;
                    condition
                }
                None => {
                    tail.eats("of|for|in|from|by");
                    tail.eats("the");
                    if tail.begins("sheet|tab|column|row|rows|year|whole") || tail.is_empty() {
                        return None;
                    }
                    tail.value().map(|value| Condition {
                        column: String::new(),
                        test: Test::Is,
                        value,
                        called: None,
                    })
                }
            }
        }
        () => {
            tail.eats(HAVING);
            having(tail, None)
        }
    };
    let column = match column.label() {
        Ok(column) => column,
        Err(_) => return None,
    };
    Some(condition.map(|condition| SheetStep::SummariseWhere { what, column, at: home, condition }))
}

/// "is the ratio above 0.5", "is B2 empty"
fn tested(mut words: Words) -> Attempt {
    words.eats("is|are|does|do").then_some(())?;
    let (mut what, test, mut value) = compared(&words, 1)?;
    value.eats("the");
    what.eats("the value of|the");
    let at = match reference(&mut what.clone()) {
        Some(at)
            if {
                reference(&mut what.clone());
                true
            } =>
        {
            let mut rest = what.clone();
            reference(&mut rest);
            if rest.is_empty() { at } else { super::rows::named(what).ok()? }
        }
        _ => super::rows::named(what).ok()?,
    };
    if matches!(test, Test::Is | Test::IsNot) && words.position(&["is"]).is_none() && value.is_empty() {
        return None;
    }
    let value = match test {
        Test::Blank | Test::Filled => match value.done() {
            Ok(()) => String::new(),
            Err(why) => return Some(Err(why)),
        },
        _ => match value.value() {
            Ok(value) => value,
            Err(why) => return Some(Err(why)),
        },
    };
    let condition = Condition { column: String::new(), test, value, called: None };
    match test {
        Test::Above | Test::Below | Test::AtLeast | Test::AtMost if condition.number().is_none() => None,
        _ => Some(Ok(SheetStep::Test { at, condition })),
    }
}

/// What is done with such rows.
pub(super) fn acts(words: Words) -> Attempt {
    deleted(words.clone())
        .or_else(|| written(words.clone()))
        .or_else(|| looked(words.clone()))
        .or_else(|| filtered(words))
}

/// "delete the rows where Status is closed", "remove all closed orders"
fn deleted(mut words: Words) -> Attempt {
    words.eats("delete|remove|drop|erase").then_some(())?;
    let (at, condition) = described(words)?;
    Some(condition.map(|condition| SheetStep::DeleteWhere { at, condition }))
}

/// "set the status of all orders from the East to closed", "set Status to closed where Region is East"
fn written(mut words: Words) -> Attempt {
    // "If the status is open, set the notes to check": of every row.
    if words.begins("if the|where the|wherever the|when the|whenever the|for every row where the|if|where") {
        let mut condition = words.clone();
        condition.eats("if|wherever|whenever|where|when|for every row where");
        let at = (2..condition.len()).find(|at| {
            condition.split_at(*at).1.begins(", set|, change|, then set|then set|set|, put|, make")
        })?;
        let (mut condition, mut act) = condition.split_at(at);
        act.eats(", then|,|then");
        condition.eats("the");
        let about_a_cell = reference(&mut condition.clone()).is_some();
        act.eats("set|change|put|make").then_some(())?;
        act.eats("the");
        // "…, make it Open": the column that was spoken of.
        let mut same = act.clone();
        if same.eats("it|them|that") && !about_a_cell {
            same.eats("to|=");
            let condition = having(condition, None);
            return Some(condition.and_then(|condition| {
                Ok(SheetStep::SetWhere {
                    column: condition.column.clone(),
                    entry: entry(same)?,
                    at: SheetRef::Used { sheet: None },
                    condition,
                })
            }));
        }
        let value = act.cut("to|=")?;
        act.eats_last("column");
        let cells = act.len() != 1 && reference(&mut act.clone()).is_some();
        if about_a_cell || cells || act.begins("it|them") {
            return None;
        }
        let condition = having(condition, None);
        return Some(act.label().and_then(|column| {
            Ok(SheetStep::SetWhere {
                column,
                entry: entry(value)?,
                at: SheetRef::Used { sheet: None },
                condition: condition?,
            })
        }));
    }
    words.eats("set|change|make|update|put").then_some(())?;
    let mut head = words.clone();
    let mut value = head.cut("to|=")?;
    head.eats("the");
    if let Some(at) = (1..value.len()).find(|at| {
        let (_, tail) = value.split_at(*at);
        tail.begins("where|for all|for every|for each|for the rows|for rows|if|when|wherever|whenever")
    }) {
        let (entered, mut tail) = value.split_at(at);
        let conditional = tail.eats("wherever|whenever|where the|where|if the|if|when the|when");
        if conditional && (tail.begins("it|they|that") || head.clone().label().is_err()) {
            return None;
        }
        // A cell has a condition of its own.
        if reference(&mut head.clone())
            .is_some_and(|at| matches!(&at, SheetRef::Cells(cells) if looks_like_cells(&cells.cells)))
        {
            return None;
        }
        let (at, condition) = match conditional {
            true => (SheetRef::Used { sheet: None }, having(tail, None)),
            false => {
                tail.eats("for");
                described(tail)?
            }
        };
        value = entered;
        head.eats_last("column");
        let column = head.label();
        return Some(column.and_then(|column| {
            Ok(SheetStep::SetWhere { column, entry: entry(value)?, at, condition: condition? })
        }));
    }
    // "the status of all closed orders": the rows stand behind the column.
    let mut column = head;
    let rows = column.cut("of all|for all|of every|for every|of each|for each|of the|for the")?;
    let mut rows = rows;
    rows.eats("of|the");
    let (at, condition) = described(rows)?;
    Some(column.label().and_then(|column| {
        Ok(SheetStep::SetWhere { column, entry: entry(value)?, at, condition: condition? })
    }))
}

/// "highlight all amounts above 100 in yellow", "make the closed orders bold"
fn looked(words: Words) -> Attempt {
    let verbs = words.begins("highlight|bold|italicise|italicize|underline|shade|colour|color|make|fill|strike out|mark|turn|format|show");
    verbs.then_some(())?;
    // What they are to look like stands at the end; try each cut, the longest description first.
    for cut in (2..=words.len()).rev() {
        let (mut head, mut tail) = words.split_at(cut);
        let verb = head.word()?;
        let about = head;
        tail.eats("in|with|to be|as|to");
        let mut look = super::CellLook::default();
        let done = look::named(&verb, tail, &mut look);
        if done.is_err() || look == super::CellLook::default() {
            continue;
        }
        if let Some((at, Ok(condition))) = described(about.clone()) {
            return Some(Ok(SheetStep::LookWhere { at, condition, rows: true, look }));
        }
        // "all amounts above 100": the cells of a column.
        let mut about = about;
        about.eats("all of the|all the|all|every|each|the|any|only the");
        about.eats("cells in|cells of|values in|numbers in");
        about.eats("the column|column|the");
        let negative = about.clone();
        if negative.shown().to_lowercase() == "negative numbers"
            || negative.shown().to_lowercase() == "negative values"
        {
            let condition =
                Condition { column: String::new(), test: Test::Below, value: "0".to_owned(), called: None };
            return Some(Ok(SheetStep::LookWhere {
                at: SheetRef::Used { sheet: None },
                condition,
                rows: false,
                look,
            }));
        }
        let Some((mut column, test, _)) = compared(&about, 1) else { continue };
        column.eats_last("that|which|column|where the value");
        if !matches!(
            test,
            Test::Above | Test::Below | Test::AtLeast | Test::AtMost | Test::Blank | Test::Contains
        ) {
            continue;
        }
        let mut rest = about.split_at(column.len()).1;
        rest.eats("that|which|column|where the value");
        let mut whole = column;
        whole.append(rest);
        if let Ok(condition) = having(whole, None) {
            return Some(Ok(SheetStep::LookWhere {
                at: SheetRef::Used { sheet: None },
                condition,
                rows: false,
                look,
            }));
        }
    }
    None
}

/// "show only the orders from the East", "filter the orders to show only West"
fn filtered(mut words: Words) -> Attempt {
    words.eats("show only|only show|filter for|filter to|filter by|filter to show only|filter the data to show only|keep only|\
        filter the table to show only|filter the list to show only|filter the rows to show only|filter the table to|filter the list to").then_some(())?;
    if words.is_empty() {
        return None;
    }
    let Some((at, condition)) = described(words.clone()) else {
        // "Show only Q1 and Q2": values of the only column that has them.
        let compares = ["=", "is", "where", "column"].iter().any(|word| words.position(&[word]).is_some());
        words.eats("the|only");
        let values: Option<Vec<String>> = words.parts().into_iter().map(|part| part.value().ok()).collect();
        let values = values.filter(|values| !compares && !values.is_empty())?;
        return Some(Ok(SheetStep::Filter {
            at: SheetRef::Used { sheet: None },
            column: String::new(),
            values,
        }));
    };
    Some(condition.and_then(|condition| match condition.test {
        Test::Is => Ok(SheetStep::Filter { at, column: condition.column, values: vec![condition.value] }),
        _ => Err("I filter by values that are the same: filter the data to Region = North".to_owned()),
    }))
}
