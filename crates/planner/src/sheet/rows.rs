//! Rows and columns by what they say: "add a row with Widget, 12, 3", "delete the rows where Status is closed".

use super::entry::entry;
use super::refer::{looks_like_cells, reference};
use super::{Attempt, Entry, SheetRef, SheetStep, Summary};
use crate::phrase::Words;

pub(super) fn rows(words: Words) -> Attempt {
    added(words.clone())
        .or_else(|| added_column(words.clone()))
        .or_else(|| listed(words.clone()))
        .or_else(|| rounded(words.clone()))
        .or_else(|| totalled(words.clone()))
        .or_else(|| shifted(words))
}

/// "append a row: Gadget, 7, 2.50"
fn added(mut words: Words) -> Attempt {
    if !words.eats("add|append|insert|put in|put|enter|create") {
        return None;
    }
    words.eats("a|an|another|one more");
    let new = words.eats("new|more|extra|additional");
    if !words.eats("row|line|entry|record") {
        // "Add a new order: Cog, South, open": what rows are is called as people call it.
        let noun = words.word_if(|word| word.len() > 3 && word.chars().all(char::is_lowercase));
        let known = noun.is_some_and(|noun| {
            ![
                "sheet", "column", "chart", "table", "note", "comment", "filter", "formula", "name", "link",
                "total", "cell",
            ]
            .contains(&noun.as_str())
        });
        if !(new && known && words.clone().eats(":")) {
            return None;
        }
    }
    const VALUES: &str =
        "with the values|with values|with the entries|with the data|containing|consisting of|with|saying|:";
    let mut place = words.clone();
    let values = place.cut(VALUES)?;
    // "… at the end of Data with": where stands before the values.
    place.eats(
        "at the bottom|at the end|to the end|to the bottom|at the very end|at the very bottom|below the data",
    );
    place.eats("of|to");
    let mut at = SheetRef::Used { sheet: None };
    if !place.is_empty() {
        if place.begins("above|before|after|below|for|under") {
            return Some(Err(format!(
                "a row with values goes below the others: add a row with Widget, 12, 3; I did not understand `{}`",
                place.shown()
            )));
        }
        let mut whole = place.clone();
        at = match super::refer::sheet(&mut place) {
            Some(name) if place.is_empty() => at.on(name),
            _ => match reference(&mut whole) {
                Some(at @ SheetRef::Used { .. }) if whole.is_empty() => at,
                // "to Data": a sheet or a table, not a cell's name.
                Some(SheetRef::Cells(address))
                    if whole.is_empty() && address.sheet.is_none() && !looks_like_cells(&address.cells) =>
                {
                    SheetRef::Used { sheet: Some(address.cells) }
                }
                _ => return Some(Err(format!("I did not understand `{}`", whole.shown()))),
            },
        };
    }
    Some(entries(values).map(|cells| SheetStep::AddRow { at, cells }))
}

/// "Add Toner, June, 45 to Supplies": several values and where they go.
fn listed(mut words: Words) -> Attempt {
    words.eats("add|append").then_some(())?;
    let mut place = words.cut_last(&["to"])?;
    let values = words.clone().parts();
    if values.len() < 3 || words.position(&["and"]).is_some() || words.begins("a|an|the|all") {
        return None;
    }
    place.eats("the");
    place.eats_last("sheet|table|list");
    let name = place.value().ok()?;
    Some(entries(words).map(|cells| SheetStep::AddRow { at: SheetRef::Used { sheet: Some(name) }, cells }))
}

/// "round the prices to two decimals", "round column D"
fn rounded(mut words: Words) -> Attempt {
    words.eats("round off|round").then_some(())?;
    if words.begins("up|down") || words.position(&["up"]).is_some() || words.position(&["down"]).is_some() {
        return Some(Err("I round to the nearest number: round column D to 2 decimals".to_owned()));
    }
    let to = words.cut("to");
    let digits = match to {
        None => 0,
        Some(mut to) => {
            to.eats("the nearest|nearest");
            let digits = match () {
                () if to.eats("whole numbers|whole number|integers|integer|full numbers|no decimals|zero decimals|the nearest whole number") => 0,
                () if to.eats("ten|tens|10") => -1,
                () if to.eats("hundred|hundreds|100") => -2,
                () if to.eats("thousand|thousands|1000|1,000") => -3,
                () => {
                    let count = to.number()?;
                    to.eats("decimal places|decimals|decimal|decimal place|digits").then_some(())?;
                    i32::try_from(count).ok().filter(|count| *count <= 9)?
                }
            };
            if let Err(why) = to.done() {
                return Some(Err(why));
            }
            digits
        }
    };
    let many = super::refer::plural(&mut words.clone());
    let at = match many {
        Some(_) if reference(&mut words.clone()).is_none() => super::refer::plural(&mut words)?,
        _ => match reference(&mut words) {
            Some(at) => at,
            None => return Some(named(words).map(|at| SheetStep::Round { at, digits })),
        },
    };
    Some(words.done().map(|()| SheetStep::Round { at, digits }))
}

fn entries(words: Words) -> Result<Vec<Entry>, String> {
    let shown = words.shown();
    let parts = words.parts();
    if parts.is_empty() {
        return Err("say what the row says: add a row with Widget, 12, 3".to_owned());
    }
    let read = |part: Words| entry(part).map_err(|why| format!("{why}; the values were `{shown}`"));
    parts.into_iter().map(read).collect()
}

/// "add a column called Margin"
fn added_column(mut words: Words) -> Attempt {
    if !words.eats("add|append|create|insert") {
        return None;
    }
    words.eats("a|an|another");
    words.eats("new|extra|empty|blank");
    if !words.eats("column|col") {
        return None;
    }
    let said = words.eats("called|named|titled|headed|with the header|with header|with the heading|with the title|with the name|:");
    words.eats_last("at the end|on the right|to the right|at the far right|to the table|to the sheet|to the data|at the right");
    let mut at = SheetRef::Used { sheet: None };
    if let Some(name) = super::ask::label_sheet(&mut words) {
        at = at.on(name);
    }
    let quoted = words.has_quotation();
    if !said && !quoted {
        return None;
    }
    if words.begins("before|after|with|next") {
        return None;
    }
    Some(words.value().map(|name| SheetStep::AddColumn { at, name }))
}

/// "total column C below the data", "sum up column B in B20", "put the average of column D in F1"
fn totalled(mut words: Words) -> Attempt {
    let mut ahead = words.clone();
    let what = match () {
        () if words.eats("total up|total|sum up|sum|add up") => Summary::Sum,
        () if words.eats("average") => Summary::Average,
        () => {
            ahead.eats("put|write|enter|add|insert|calculate").then_some(())?;
            ahead.eats("the|a|an");
            let what = super::ask::summary(&mut ahead)?;
            ahead.eats("of|for|in|over").then_some(())?;
            words = ahead;
            what
        }
    };
    if matches!(what, Summary::Blanks) {
        return None;
    }
    let of = reference(&mut words)?;
    if words.eats("below the data|below it|below|underneath|underneath it|at the bottom|at the end|beneath it|under it|below the column|at the bottom of the column|under the data") {
        return Some(words.done().map(|()| SheetStep::TotalBelow { what, of }));
    }
    words.eats("in|into|to|at").then_some(())?;
    let mut into = reference(&mut words)?;
    let mut of = of;
    if of.lacks_sheet()
        && let Some(sheet) = into.sheet()
    {
        of = of.on(sheet.clone());
    } else if into.lacks_sheet()
        && let Some(sheet) = of.sheet()
    {
        // "the sum of Data!B2:B9 in D1": on which sheet D1 is was not said.
        let why = format!("name the sheet of the cell too, as in {sheet}!B10");
        return Some(Err(why));
    }
    if matches!(into, SheetRef::It) {
        into = of.clone();
    }
    Some(words.done().map(|()| SheetStep::Total { what, of, into }))
}

/// "add 5 to all prices", "subtract 10 from B4"
fn plus(words: &Words) -> Attempt {
    let mut words = words.clone();
    let sign = match () {
        () if words.eats("add") => 1.0,
        () if words.eats("subtract|deduct|take") => -1.0,
        () => return None,
    };
    let mut about = words.cut(if sign > 0.0 { "to" } else { "from|off" })?;
    let amount = match entry(words) {
        Ok(Entry::Number(number)) => number,
        _ => return None,
    };
    let at = match many(&mut about) {
        Some(at) => about.done().map(|()| at),
        None => named(about),
    };
    Some(at.map(|at| SheetStep::Shift { at, by: sign * amount }))
}

/// Cells by any name, and what stands below the header of a plural.
pub(super) fn many(words: &mut Words) -> Option<SheetRef> {
    let mut ahead = words.clone();
    let found = match reference(&mut ahead) {
        Some(at) if ahead.is_empty() => Some(at),
        _ => {
            ahead = words.clone();
            super::refer::plural(&mut ahead)
        }
    }?;
    *words = ahead;
    Some(found)
}

/// "increase the price of Widget by 10", "double B4"
fn shifted(mut words: Words) -> Attempt {
    let factor = match () {
        () if words.eats("double") => Some(2.0),
        () if words.eats("triple") => Some(3.0),
        () if words.eats("halve") => Some(0.5),
        () => None,
    };
    if let Some(found) = plus(&words) {
        return Some(found);
    }
    if let Some(factor) = factor {
        let plural =
            super::refer::plural(&mut words.clone()).filter(|_| reference(&mut words.clone()).is_none());
        if let Some(at) = plural {
            super::refer::plural(&mut words);
            return Some(words.done().map(|()| SheetStep::Scale { at, factor }));
        }
        let mut whole = words.clone();
        return Some(match reference(&mut whole) {
            Some(at) if whole.is_empty() => Ok(SheetStep::Scale { at, factor }),
            // "double Support Q1"
            _ => named(words).map(|at| SheetStep::Scale { at, factor }),
        });
    }
    let adds = words.eats("increase|raise|add");
    let sign = match adds {
        true => 1.0,
        false if words.eats("decrease|reduce|lower|subtract") => -1.0,
        false => return None,
    };
    let mut label = words.clone();
    let by = label.cut("by")?;
    let amount = match entry(by) {
        Ok(Entry::Number(number)) => number,
        _ => return None,
    };
    // A share is not an amount.
    let shown = words.shown();
    if shown.contains('%') || shown.to_lowercase().contains("percent") || shown.contains("per cent") {
        return None;
    }
    let mut ahead = label.clone();
    let many = if ahead.begins("all|every|each") { super::refer::plural(&mut ahead) } else { None };
    let at = match many.or_else(|| reference(&mut ahead)) {
        Some(at) if ahead.is_empty() => at,
        _ => match named(label) {
            Ok(at) => at,
            Err(why) => return Some(Err(why)),
        },
    };
    Some(Ok(SheetStep::Shift { at, by: sign * amount }))
}

/// A cell by its label, or by its row and column: `the price of Widget`.
pub(super) fn named(mut label: Words) -> Result<SheetRef, String> {
    label.eats(
        "the value of|the cell for|the value for|the number for|the figure for|the value in|the|our|my",
    );
    let sheet = super::ask::label_sheet(&mut label);
    let text = label.label()?;
    // "Gadget's quantity" is the quantity of Gadget.
    let owned = ["'s ", "’s "].iter().find_map(|mark| text.split_once(mark));
    let text = match owned {
        Some((row, column)) => format!("{} of {}", column.trim(), row.trim()),
        None => text,
    };
    Ok(SheetRef::Label { sheet, text })
}
