//! Requests that change cells, lines and sheets.

use super::ask::label_sheet;
use super::entry::entry;
use super::refer::{looks_like_cells, reference, sheet};
use super::{Attempt, Entry, SheetRef, SheetStep};
use crate::phrase::Words;
use crate::word::order::{ASCENDING, DESCENDING};

const SET: &str = "set|change|make|update|put|correct|adjust|raise|lower|increase|reduce|overwrite|replace the value of|replace the value in";

/// "set B5 on Inputs to 1.1", "put 5% in B4", "if B3 is 1.05, set it to 1.07"
pub(super) fn set(mut words: Words) -> Attempt {
    let mut only_if = None;
    let mut meant = None;
    if words.eats("if|when") {
        let mut ahead = words.clone();
        let at = reference(&mut ahead)?;
        ahead.eats("is|equals|=|contains|is currently|says|holds").then_some(())?;
        let condition = ahead.clone();
        let mut head = condition;
        let tail = head.cut(", then|,|then")?;
        only_if = match entry(head) {
            Ok(was) => Some(was),
            Err(why) => return Some(Err(why)),
        };
        meant = Some(at);
        words = tail;
    }
    if let Some((condition, rest)) = trailing_condition(&words) {
        match entry(condition) {
            Ok(was) => only_if = Some(was),
            Err(why) => return Some(Err(why)),
        }
        words = rest;
    }
    let step = stated(words.clone()).or_else(|| plainly(words))?;
    Some(step.and_then(|mut step| match &mut step {
        SheetStep::Set { at, only_if: slot, .. } => {
            if only_if.is_some() {
                *slot = only_if;
            }
            if let (SheetRef::It, Some(meant)) = (&*at, &meant) {
                *at = meant.clone();
            }
            match (meant.is_none_or(|meant| meant == *at), &at) {
                (true, _) => Ok(step),
                (false, _) => Err("the condition has to be about the cell that is set".to_owned()),
            }
        }
        _ if only_if.is_some() => Err("I look at what a cell holds only where it is set".to_owned()),
        _ => Ok(step),
    }))
}

/// "… only if it is 1.05"
fn trailing_condition(words: &Words) -> Option<(Words, Words)> {
    let mut head = words.clone();
    let tail = head.cut(", but only if it is currently|but only if it is currently|only if it is currently|if it is currently|but only if it is|only if it is|if it is|only when it is|when it is|only if it's|if it's|, but only if it is|, if it is|only if it equals|if it equals|only if the value is|if the current value is|only if the current value is")?;
    Some((tail, head))
}

/// "D3: 7.50", "the price of Gear Ltd = 16", "rent goes up to 1,300", "Bob's status is now open"
fn stated(words: Words) -> Attempt {
    if words.begins_step() {
        return None;
    }
    let mut head = words.clone();
    let tail = head.cut(":|=|goes up to|goes down to|rises to|falls to|went up to|went down to|is now|changes to|becomes|drops to|has changed to|goes to|is now|is|should read|should say")?;
    if head.is_empty()
        || tail.is_empty()
        || head.begins("if|when|what|who|how|where|which|is|are|does|do|can|in|on|for")
    {
        return None;
    }
    // "The opening revenue is 150000" says something, and asks for nothing.
    let mut order = words.clone();
    let says = order.cut(":|=|goes up to|goes down to|rises to|falls to|went up to|went down to|is now|changes to|becomes|drops to|has changed to|goes to|should read|should say").is_none();
    if says {
        return matches!(entry(tail), Ok(Entry::Number(_) | Entry::Typed(_) | Entry::Date(_)))
            .then(|| Err(format!("that says what is, and asks for nothing: set {} to …", head.shown())));
    }
    if words.position(&["is"]).is_some()
        && words.position(&["now"]).is_none()
        && !matches!(entry(tail.clone()), Ok(Entry::Number(_) | Entry::Typed(_) | Entry::Date(_)))
    {
        return None;
    }
    let cell = reference(&mut head.clone()).is_some_and(|at| {
        matches!(&at, SheetRef::Cells(cells) if looks_like_cells(&cells.cells) && !cells.cells.contains(':'))
    });
    let at = match cell {
        true => {
            let at = reference(&mut head)?;
            if let Err(why) = head.done() {
                return Some(Err(why));
            }
            Ok(at)
        }
        false => super::rows::named(head),
    };
    Some(at.and_then(|at| value_then_sheet(tail, at)))
}

fn plainly(mut words: Words) -> Attempt {
    // "fill the notes of Gear Ltd with "late"": a text that is said is no colour.
    let mut filled = words.clone();
    if filled.eats("fill")
        && let Some(value) = filled.cut("with")
        && value.has_quotation()
        && value.len() == 1
    {
        let at = match super::rows::many(&mut filled) {
            Some(at) if filled.is_empty() => Ok(at),
            _ => super::rows::named(filled),
        };
        return Some(
            at.and_then(|at| Ok(SheetStep::Set { at, entry: entry(value)?, only_if: None, towards: None })),
        );
    }
    let puts = words.begins("put|write|enter|insert|type|fill in");
    if puts {
        let mut tail = words.clone();
        tail.eats("put|write|enter|insert|type|fill in");
        if let Some(found) = put(tail) {
            return Some(found);
        }
    }
    let scales = words.begins("increase|raise|decrease|reduce|lower|multiply|divide");
    if scales {
        return scaled(words);
    }
    if !words.eats(SET) {
        return None;
    }
    // "change B4 from 1200 to 1250"
    let mut changed = words.clone();
    if let Some(mut was) = changed.cut("from")
        && let Some(to) = was.cut("to|into")
    {
        let at = match super::rows::many(&mut changed) {
            Some(at) if changed.is_empty() => Ok(at),
            _ => super::rows::named(changed),
        };
        let single = |at: &SheetRef| {
            !matches!(at, SheetRef::Column { .. } | SheetRef::Used { .. } | SheetRef::Rows { .. })
        };
        return Some(at.and_then(|at| match single(&at) {
            true => Ok(SheetStep::Set { at, entry: entry(to)?, only_if: Some(entry(was)?), towards: None }),
            false => Err("say it as: replace 'this' with 'that' in the column".to_owned()),
        }));
    }
    let mut ahead = words.clone();
    if let Some(at) = reference(&mut ahead)
        && ahead.eats("to|=|equal to|equals|as")
    {
        return Some(value_then_sheet(ahead, at));
    }
    // "all quantities to 1": what stands below that header.
    let mut ahead = words.clone();
    if words.begins("all|every|each")
        && let Some(at) = super::refer::plural(&mut ahead)
        && ahead.eats("to|=|equal to")
    {
        return Some(value_then_sheet(ahead, at));
    }
    // A label: "the opening revenue to 150000".
    let mut label = words.clone();
    let tail = label.cut("to|=|equal to")?;
    label.eats("the value of|the cell for|the value for|the");
    if label.is_empty() || label.begins("font|color|colour|size|width|height|alignment|name|style|format|background|row|column|sheet|cell|zoom|text")
        && !(label.begins("row") && label.shown().contains("'s "))
    {
        return None;
    }
    Some(super::rows::named(label).and_then(|at| value_then_sheet(tail, at)))
}

/// The value, and perhaps a sheet behind it. Behind a text without quotation marks it may belong to the text.
fn value_then_sheet(words: Words, at: SheetRef) -> Result<SheetStep, String> {
    let mut value = words.clone();
    match label_sheet(&mut value) {
        None => entry(words).map(|entry| SheetStep::Set { at, entry, only_if: None, towards: None }),
        Some(name) => match entry(value.clone())? {
            Entry::Words(text) => Err(format!(
                "either the text is `{}`, then put it in quotation marks; or it is `{text}` on the sheet {name}, then name the sheet \
                 with the cell: {name}!B5",
                words.shown()
            )),
            entry => Ok(SheetStep::Set { at: at.on(name), entry, only_if: None, towards: None }),
        },
    }
}

/// "put 5 in B4 on Inputs"
fn put(words: Words) -> Attempt {
    for cut in 1..words.len() {
        let (head, mut tail) = words.split_at(cut);
        let labels = tail.clone();
        // "as the marketing budget"
        let mut named = labels;
        if named.eats("as the|for the")
            && !named.is_empty()
            && entry(head.clone()).is_ok_and(|entry| matches!(entry, Entry::Number(_)))
        {
            return Some(super::rows::named(named).and_then(|at| {
                entry(head).map(|entry| SheetStep::Set { at, entry, only_if: None, towards: None })
            }));
        }
        if !tail.eats("into|in|to|at") {
            continue;
        }
        let mut label = tail.clone();
        if let Some(at) = reference(&mut tail)
            && tail.is_empty()
            && !matches!(at, SheetRef::Used { .. })
        {
            return Some(entry(head).map(|entry| SheetStep::Set { at, entry, only_if: None, towards: None }));
        }
        // "15% in Growth rate"
        label.eats("the");
        if cut + 1 < words.len()
            && !label.begins("cell|column|row|sheet|range|bold|italic|red|green|blue|yellow|front|quotes|brackets|order|alphabetical")
            && let Ok(entry @ (Entry::Number(_) | Entry::Typed(_) | Entry::Date(_))) = entry(head)
            && let Ok(at) = super::rows::named(label)
        {
            return Some(Ok(SheetStep::Set { at, entry, only_if: None, towards: None }));
        }
    }
    None
}

/// "increase B2 by 10%", "multiply column C by 1.1"
fn scaled(mut words: Words) -> Attempt {
    let up = words.eats("increase|raise");
    let down = !up && words.eats("decrease|reduce|lower");
    let times = !up && !down && words.eats("multiply");
    if !up && !down && !times {
        words.eats("divide");
    }
    let mut ahead = words.clone();
    words.eats("the");
    let many = if ahead.begins("all|every|each") { super::refer::plural(&mut ahead) } else { None };
    let at = match many.or_else(|| reference(&mut ahead)) {
        Some(at) => at,
        None => {
            let mut label = words.clone();
            let Some(tail) = label.cut("by") else {
                let tail = label.cut("to").filter(|_| up || down)?;
                return Some(super::rows::named(label).and_then(|at| value_then_sheet(tail, at)));
            };
            ahead = tail;
            ahead.push_front("by");
            match super::rows::named(label) {
                Ok(at) => at,
                Err(why) => return Some(Err(why)),
            }
        }
    };
    if ahead.eats("to") && (up || down) {
        return Some(value_then_sheet(ahead, at));
    }
    if !ahead.eats("by") {
        return Some(Err("say by how much: increase B2 by 10%".to_owned()));
    }
    ahead.eats_last("percent|per cent|%").then(|| ahead.push_back("%"));
    let amount = ahead.shown().replace(' ', "");
    let percent = amount.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    let plain = amount.parse::<f64>().ok().filter(|number| number.is_finite());
    let factor = match (up, down, times, percent, plain) {
        (true, _, _, Some(percent), _) => 1.0 + percent / 100.0,
        (_, true, _, Some(percent), _) => 1.0 - percent / 100.0,
        (false, false, true, _, Some(number)) => number,
        (false, false, false, _, Some(number)) if number != 0.0 => 1.0 / number,
        _ => {
            return Some(Err(format!(
                "say by how many percent: increase B2 by 10%; I did not understand `{}`",
                ahead.shown()
            )));
        }
    };
    Some(Ok(SheetStep::Scale { at, factor }))
}

/// Rows and columns that come.
pub(super) fn new_lines(mut words: Words) -> Attempt {
    words.eats("insert|add").then_some(())?;
    let count = words.number();
    if count.is_none() {
        words.eats("a|an|one|another");
    }
    words.eats("new|empty|blank|more|extra");
    let rows = words.eats("rows|row");
    if !rows && !words.eats("columns|column") {
        return None;
    }
    let mut header = None;
    if rows && let Some(name) = words.cut("called|named|titled|with the name|labelled|labeled") {
        header = match name.value() {
            Ok(name) => Some(name),
            Err(why) => return Some(Err(why)),
        };
    }
    if !rows {
        // "a column before Price called Currency", "a column Currency before Price"
        if let Some(name) = words.cut("called|named|with the header|with the heading|with the title|titled") {
            let mut name = name;
            let place = (1..name.len()).find(|at| {
                name.split_at(*at).1.begins(
                    "before|after|to the left of|to the right of|left of|right of|next to|in front of",
                )
            });
            if let Some(at) = place {
                let (own, place) = name.split_at(at);
                words.append(place);
                name = own;
            }
            header = match name.value() {
                Ok(name) => Some(name),
                Err(why) => return Some(Err(why)),
            };
        } else if !words.begins(
            "before|after|to the left of|to the right of|left of|right of|next to|in front of|above|below",
        ) {
            header = words.name();
        }
    }
    let after = match () {
        () if words.eats("above|before|to the left of|left of|in front of") => false,
        () if words.eats("below|after|under|beneath|to the right of|right of|next to") => true,
        () => return Some(Err("say where: above row 5, or before column C".to_owned())),
    };
    let (mut bare, mut named) = (words.clone(), words.clone());
    let at = reference(&mut words).filter(|at| {
        matches!(at, SheetRef::Rows { .. } | SheetRef::RowOf { .. } | SheetRef::Column { .. })
            && !matches!(at, SheetRef::Column { .. }) == rows
    });
    let mut column = bare.clone();
    column.eats("the column|column|the");
    let by_header =
        column.clone().value().ok().filter(|name| !rows && (name.len() > 3 || name.contains(' ')));
    let at = match (at, by_header) {
        (Some(at), _) => at,
        (None, Some(name)) => {
            words = Words::default();
            SheetRef::Column { sheet: None, name, to: None }
        }
        // "before C"
        (None, None) => match bare.word() {
            Some(name) if !rows && name.len() <= 3 && name.chars().all(|c| c.is_ascii_alphabetic()) => {
                words = bare;
                let at = SheetRef::Column { sheet: None, name, to: None };
                sheet(&mut words).map_or(at.clone(), |name| at.on(name))
            }
            _ if rows => match named_row(&mut named) {
                Some(at) => {
                    words = named;
                    at
                }
                None => return Some(Err("say where: above row 5, or before column C".to_owned())),
            },
            _ => return Some(Err("say where: above row 5, or before column C".to_owned())),
        },
    };
    let count = u32::try_from(count.unwrap_or(1)).unwrap_or(1);
    Some(words.done().map(|()| SheetStep::InsertLines { rows, at, after, count, header }))
}

/// Rows and columns that go.
pub(super) fn fewer_lines(mut words: Words) -> Attempt {
    words.eats("delete|remove|drop").then_some(())?;
    let mut ahead = words.clone();
    if ahead.begins("the first row|first row|the top row|top row|the first data row") {
        return Some(Err(
            "the first row may be the header or the one below it: say `the header row`, or `row 2`"
                .to_owned(),
        ));
    }
    if let Some(
        at @ (SheetRef::Rows { .. }
        | SheetRef::RowOf { .. }
        | SheetRef::LastRows { .. }
        | SheetRef::Column { .. }),
    ) = reference(&mut ahead)
    {
        return Some(ahead.done().map(|()| SheetStep::DeleteLines { at }));
    }
    None
}

pub(super) fn hidden_lines(mut words: Words) -> Attempt {
    let hides = words.begins("hide");
    words.eats("hide|unhide|show again|show").then_some(())?;
    if let Some(at @ (SheetRef::Rows { .. } | SheetRef::RowOf { .. } | SheetRef::Column { .. })) =
        reference(&mut words)
    {
        return Some(words.done().map(|()| SheetStep::Hide { at, hidden: hides }));
    }
    None
}

pub(super) fn line_sizes(mut words: Words) -> Attempt {
    words
        .eats("set the width of|set the height of|change the width of|change the height of|make")
        .then_some(())?;
    let at =
        reference(&mut words).filter(|at| matches!(at, SheetRef::Rows { .. } | SheetRef::Column { .. }))?;
    let sized = words.eats_last("characters wide|characters|points high|points|pt high|pt|wide|high|tall");
    if !words.eats("to") && !sized {
        return None;
    }
    let size = words.word()?.parse::<f64>().ok()?;
    Some(words.done().map(|()| SheetStep::Size { at, size }))
}

/// "above Sprocket": the row that begins with it.
fn named_row(words: &mut Words) -> Option<SheetRef> {
    words.eats("the row of|the row for|the");
    let text = words.name()?;
    let at = SheetRef::RowOf { sheet: None, text };
    Some(sheet(words).map_or(at.clone(), |name| at.on(name)))
}

/// Sorting and filtering.
pub(super) fn order(mut words: Words) -> Attempt {
    if words.eats("sort|order|reorder|arrange") {
        if words.eats_last(", largest first|, highest first|, biggest first|, newest first|, latest first|, most expensive first|, z to a") {
            words.push_back("descending");
        } else {
            words.eats_last(", smallest first|, lowest first|, oldest first|, earliest first|, cheapest first|, a to z");
        }
        let Some(by) = words.cut("by the column|by column|by the|by|on the column|according to") else {
            return Some(Err("say by which column: sort Data by Amount".to_owned()));
        };
        words.eats("all|the rows of|rows of|the rows on|the rows in");
        let mut plain = words.clone();
        plain.eats("the|all the|all|my|our");
        let noun = plain.word_if(|word| word.len() > 3 && word.chars().all(char::is_lowercase));
        let at = match words.is_empty() {
            true => SheetRef::Used { sheet: None },
            // "the orders": what rows are called, or the name of a sheet.
            _ if noun.is_some() && plain.is_empty() && reference(&mut words.clone()).is_none() => {
                SheetRef::Used { sheet: noun }
            }
            false => match reference(&mut words) {
                Some(at) if words.is_empty() => match at {
                    // "sort Data by Amount": a sheet or a table, not a cell's name.
                    SheetRef::Cells(address)
                        if !looks_like_cells(&address.cells) && address.sheet.is_none() =>
                    {
                        SheetRef::Used { sheet: Some(address.cells) }
                    }
                    at => at,
                },
                _ => {
                    return Some(Err(format!(
                        "say what to sort: a sheet, a table or A2:D20; I did not understand `{}`",
                        words.shown()
                    )));
                }
            },
        };
        return Some(keys(by).map(|by| SheetStep::Sort { at, by }));
    }
    if words.eats("clear the filter|get rid of the filter|delete the filter|remove filter|remove the filters|reset the filter|remove the filter|clear all filters|remove all filters|clear filter|turn off the filter|remove filters|clear the filters|take off the filter") {
        let at = SheetRef::Used { sheet: None };
        let at = sheet(&mut words).map_or(at.clone(), |name| at.on(name));
        return Some(words.done().map(|()| SheetStep::ClearFilter { at }));
    }
    if words.eats("filter") {
        let mut at = SheetRef::Used { sheet: None };
        let mut ahead = words.clone();
        ahead
            .eats("the data|the table|the sheet|the rows|the list|data|the orders|the entries|all rows|rows");
        if let Some(name) = sheet(&mut ahead) {
            at = at.on(name);
        }
        ahead.eats("to show only|to only show|to show|to|by|on|so that|for|down to|where");
        ahead.eats("the|column");
        let mut column = ahead.clone();
        let Some(mut values) = column.cut("= |=|is|equals|to show only|to show|to|equal to") else {
            return Some(Err("say what to show: filter the data to Region = North".to_owned()));
        };
        values.eats("only|equal to|to|exactly");
        if values.begins(
            "greater|less|more|larger|smaller|above|below|over|under|between|not|at|before|after|empty|blank",
        ) {
            return Some(Err(format!(
                "I filter by values that are the same; I did not understand `{}`",
                values.shown()
            )));
        }
        column.eats_last("column");
        let values = match values.clone().cells().or_else(|| values.value().ok().map(|value| vec![value])) {
            Some(values) => values,
            None => return Some(Err("put the values in quotation marks".to_owned())),
        };
        return Some(column.value().map(|column| SheetStep::Filter { at, column, values }));
    }
    None
}

fn keys(words: Words) -> Result<Vec<(String, bool)>, String> {
    let mut keys = Vec::new();
    let mut rest = words;
    loop {
        let mut key = rest.clone();
        let tail = key.cut(", and then by|, then by|and then by|then by|, and by|and by|, and then|and then|, then|then|and|,");
        let mut descending = false;
        loop {
            if key.eats_last(DESCENDING) {
                descending = true;
            } else if !key.eats_last(ASCENDING) {
                break;
            }
            key.eats_last(",|, in|in");
        }
        key.eats("column|the");
        key.eats_last("column");
        keys.push((key.value()?, descending));
        match tail {
            Some(tail) => rest = tail,
            None => return Ok(keys),
        }
    }
}

/// "replace Berlin with Hamburg on sheet Data"
pub(super) fn text(mut words: Words) -> Attempt {
    let by = if words.eats("replace|find and replace|substitute") {
        "with|by"
    } else if words.eats("swap") {
        "for"
    } else if words.clone().eats("change")
        && (words.has_quotation()
            || words.len() >= 6 && words.split_at(words.len() - 3).1.begins("in column|in the"))
    {
        words.eats("change");
        "to|into"
    } else {
        return None;
    };
    words.eats("all occurrences of|every occurrence of|all instances of|each|every|all|the text|the word|occurrences of");
    let mut with = words.cut(by)?;
    const ALL: &str = "in all sheets|on all sheets|in every sheet|on every sheet|on each sheet|in all tabs|in the whole workbook|in the workbook|\
        across all sheets|throughout the workbook";
    let everywhere = with.eats_last(ALL) | words.eats_last(ALL);
    let mut at = if everywhere { None } else { place_behind(&mut with) };
    if at.is_none() && !everywhere {
        at = place_behind(&mut words);
    }
    with.eats_last("everywhere|throughout|in the whole workbook|in the workbook|in all sheets|on all sheets|in every sheet|throughout the workbook");
    words.eats_last("everywhere|in the whole workbook|in the workbook|in all sheets|on all sheets");
    let with = match with.is_nothing() {
        true => Ok(String::new()),
        false => with.value(),
    };
    Some(with.and_then(|with| Ok(SheetStep::Replace { text: words.sought()?, with, at })))
}

/// "in column E", "on sheet Data", at the end.
fn place_behind(words: &mut Words) -> Option<SheetRef> {
    for cut in 1..words.len() {
        let (head, tail) = words.split_at(cut);
        let mut on = tail.clone();
        if let Some(name) = sheet(&mut on)
            && on.is_empty()
        {
            *words = head;
            return Some(SheetRef::Used { sheet: Some(name) });
        }
        let mut inside = tail.clone();
        if inside.eats("in|within|on|but only in|only in") {
            inside.eats_last("only|alone");
        } else {
            continue;
        }
        if let Some(at) = super::rows::many(&mut inside)
            && inside.is_empty()
        {
            *words = head;
            return Some(at);
        }
    }
    None
}

/// What is done to the cells that the rest of a sentence names.
fn about(words: Words, make: fn(SheetRef) -> SheetStep) -> Attempt {
    let mut cells = words.clone();
    Some(match super::rows::many(&mut cells).filter(|_| cells.is_empty()) {
        Some(at) => Ok(make(at)),
        // "the notes of Gadget", "Gadget's notes"
        None if ["of", "for"].iter().any(|lead| words.position(&[lead]).is_some())
            || words.shown().contains("'s ") =>
        {
            super::rows::named(words).map(make)
        }
        None => Err(format!("say which cells, such as B2:B9; I did not understand `{}`", words.shown())),
    })
}

/// What cells hold, and how they look, taken away.
pub(super) fn clearing(mut words: Words) -> Attempt {
    if words.eats("clear the formatting of|clear the formatting in|remove the formatting of|remove the formatting from|clear all formatting in|clear all formatting of|remove all formatting from|clear formatting in|clear the format of") {
        return about(words, |at| SheetStep::ClearLook { at });
    }
    if (words.begins("clear everything|empty everything|erase everything|wipe everything|delete everything|clear all|clear all cells"))
        && words.len() <= 3
    {
        return Some(Err("say which cells, or which sheet: clear A1:F20, or clear the sheet Data".to_owned()));
    }
    if words.begins(
        "clear all notes|delete all notes|remove all notes|clear the notes|remove the notes|clear notes",
    ) && words.len() <= 3
    {
        return Some(Err(
            "say `the Notes column` for cells, or `remove the notes from A1:F20` for notes on cells"
                .to_owned(),
        ));
    }
    if words.eats("clear|empty|delete the contents of|delete the content of|delete the value of|delete the value in|delete the values in|remove the contents of|remove the content of|remove the value of|remove the value in|remove the value from|remove the values from|erase|wipe|blank out|delete the data in|clear out|delete cell|delete cells|delete the cells|delete the cell") {
        return about(words, |at| SheetStep::Clear { at });
    }
    None
}

/// Cells made one, and several again.
pub(super) fn merging(mut words: Words) -> Attempt {
    if words.eats("unmerge") {
        return about(words, |at| SheetStep::Unmerge { at });
    }
    if words.eats("merge") {
        return about(words, |at| SheetStep::Merge { at });
    }
    None
}

/// Lines that stay in sight.
pub(super) fn freezing(mut words: Words) -> Attempt {
    if words.eats("unfreeze the panes|unfreeze panes|unfreeze|unfreeze everything|unfreeze all panes") {
        let at = SheetRef::Used { sheet: None };
        let at = sheet(&mut words).map_or(at.clone(), |name| at.on(name));
        return Some(words.done().map(|()| SheetStep::Freeze { at, rows: 0, columns: 0 }));
    }
    if words.eats("freeze") {
        words.eats("panes at|the panes at|at");
        let sizes = [
            (
                "the first column and the top row|first column and top row|the first column and the first row|the first column and top row|\
                 the first column and the header row|the top row and the first column|the top row and first column|the first row and the first column|the first row and column",
                (1, 1),
            ),
            ("the top row|the first row|the header row|row 1|top row|the header", (1, 0)),
            ("the first column|column A|first column", (0, 1)),
        ];
        for (phrase, (rows, columns)) in sizes {
            if words.eats(phrase) {
                let at = SheetRef::Used { sheet: None };
                let at = sheet(&mut words).map_or(at.clone(), |name| at.on(name));
                return Some(words.done().map(|()| SheetStep::Freeze { at, rows, columns }));
            }
        }
        return about(words, |at| SheetStep::FreezeAt { at });
    }
    None
}

/// Notes on cells.
pub(super) fn notes(mut words: Words) -> Attempt {
    if words.eats("add a comment|add a note|put a note|put a comment|insert a comment|insert a note|leave a comment|leave a note") {
        let Some(tail) = words.cut("saying|that says|:|reading|with the text") else {
            return Some(Err("say the text: add a note to B5 saying \"Check\"".to_owned()));
        };
        words.eats("to|on|in|at|for").then_some(())?;
        let Some(at) = reference(&mut words) else {
            return Some(Err(format!("say which cell; I did not understand `{}`", words.shown())));
        };
        return Some(words.done().and_then(|()| tail.message()).map(|text| SheetStep::Note { at, text }));
    }
    if words.eats("delete the comment on|delete the note on|remove the comment on|remove the note on|remove the comment from|remove the note from|delete the notes in|remove the notes from|delete the comment in|delete the note in") {
        return about(words, |at| SheetStep::RemoveNotes { at });
    }
    None
}

/// Names for cells.
pub(super) fn naming(mut words: Words) -> Attempt {
    if words.eats("define the name|define a name|create the name|create a name|add the name") {
        let name = words.word()?;
        words.eats("for|as|to mean|=").then_some(())?;
        let at = reference(&mut words)?;
        return Some(words.done().map(|()| SheetStep::Name { name, at }));
    }
    if words.eats("name|give") {
        let at = reference(&mut words)?;
        words.eats("the name|as");
        let name = words.word()?;
        return Some(words.done().map(|()| SheetStep::Name { name, at }));
    }
    None
}

/// Cells copied, moved and filled.
pub(super) fn copying(mut words: Words) -> Attempt {
    // "Copy D2 to G2": not the cells from D2 to G2.
    let behind = label_sheet(&mut words.clone());
    let mut single = words.clone();
    if single.eats("copy the formula from|copy the formula in|copy the value of|copy")
        && let Some(from) = single.word_if(looks_like_cells)
        && single.eats("to|into|down to")
        && let Some(to) = reference(&mut single)
        && single.is_empty()
    {
        // A sheet at the end is that of both.
        let from = SheetRef::Cells(super::Address { sheet: behind, cells: from });
        return Some(Ok(SheetStep::Copy { from, to, takes: false }));
    }
    let (takes, down) = (words.begins("move"), words.begins("fill"));
    if words.eats("copy|move|fill the formula in|fill") {
        let from = reference(&mut words)?;
        words.eats(if down { "down to|right to|across to|to" } else { "to|into|down to" }).then_some(())?;
        let to = reference(&mut words)?;
        let from = match behind {
            Some(sheet) => from.on(sheet),
            None => from,
        };
        if down {
            return Some(
                filled_down(&from, &to)
                    .filter(|_| words.is_empty())
                    .ok_or_else(|| "say the cells to fill: copy D2 to D3:D20".to_owned()),
            );
        }
        return Some(words.done().map(|()| SheetStep::Copy { from, to, takes }));
    }
    None
}

/// "Fill D2 down to D20" fills the cells between as well.
fn filled_down(from: &SheetRef, to: &SheetRef) -> Option<SheetStep> {
    let (SheetRef::Cells(first), SheetRef::Cells(last)) = (from, to) else { return None };
    let to = SheetRef::Cells(super::Address {
        sheet: last.sheet.clone().or_else(|| first.sheet.clone()),
        cells: format!("{}:{}", first.cells, last.cells),
    });
    // A sheet at the end is that of both.
    let sheet = last.sheet.clone().or_else(|| first.sheet.clone());
    let from = SheetRef::Cells(super::Address { sheet, cells: first.cells.clone() });
    Some(SheetStep::Copy { from, to, takes: false })
}
