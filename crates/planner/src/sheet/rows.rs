//! Rows and columns by what they say: "add a row with Widget, 12, 3", "delete the rows where Status is closed".

use super::entry::entry;
use super::refer::{looks_like_cells, reference};
use super::step::Condition;
use super::{Attempt, Entry, SheetRef, SheetStep, Summary};
use crate::phrase::Words;

pub(super) fn rows(words: Words) -> Attempt {
    added(words.clone())
        .or_else(|| added_column(words.clone()))
        .or_else(|| deleted(words.clone()))
        .or_else(|| counted(words.clone()))
        .or_else(|| in_state(words.clone()))
        .or_else(|| totalled(words.clone()))
        .or_else(|| shifted(words))
}

/// "append a row: Gadget, 7, 2.50"
fn added(mut words: Words) -> Attempt {
    if !words.eats("add|append|insert|put in|put|enter|create") {
        return None;
    }
    words.eats("a|an|another|one more");
    words.eats("new|more|extra|additional");
    if !words.eats("row|line|entry|record") {
        return None;
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

/// "delete the rows where Status is closed"
fn deleted(mut words: Words) -> Attempt {
    if !words.eats("delete|remove|drop|erase") {
        return None;
    }
    let (at, condition) = conditional(words)?;
    Some(condition.map(|condition| SheetStep::DeleteWhere { at, condition }))
}

/// "how many rows have Status open"
fn counted(mut words: Words) -> Attempt {
    if !words.eats("how many|count|count the|what is the number of|count all") {
        return None;
    }
    let (at, condition) = conditional(words)?;
    Some(condition.map(|condition| SheetStep::CountWhere { at, condition }))
}

/// "Which orders are still open?", "how many customers are inactive?": the rows with that value in the only column that
/// has it.
fn in_state(mut words: Words) -> Attempt {
    words.eats("how many|which|which of the|what|count the").then_some(())?;
    if words.begins("sheets|tabs|columns|cells|formulas|names|tables|worksheets|values") {
        return None;
    }
    let called = words.word_if(|word| word.ends_with('s') && word.chars().all(char::is_lowercase))?;
    words.eats("are still|are|are now|are already|are currently|have been").then_some(())?;
    let rows = ["rows", "lines", "entries", "records", "items"].contains(&called.as_str());
    if words.len() != 1 || words.begins("there|in|here|missing|empty|blank|left") {
        return None;
    }
    let value = words.value();
    Some(value.map(|value| {
        let condition = Condition { column: String::new(), value, called: (!rows).then_some(called) };
        SheetStep::CountWhere { at: SheetRef::Used { sheet: None }, condition }
    }))
}

/// `the row where Name is Bob`, `all rows with Status open`, `every row whose Region equals West`
fn conditional(mut words: Words) -> Option<(SheetRef, Result<Condition, String>)> {
    words.eats("all of the|all the|all|every|each|the|any");
    words.eats("row|rows|lines|line|entries|entry|records|record").then_some(())?;
    let mut at = SheetRef::Used { sheet: None };
    if let Some(name) = super::refer::sheet(&mut words) {
        at = at.on(name);
    }
    words.eats("are there|there are|are");
    words
        .eats("where the value in|where the|where|whose|in which the|in which|with the|with|that have|which have|having|have|that has|for which")
        .then_some(())?;
    words.eats("a|an|column|the column");
    let mut column = words.clone();
    const IS: &str =
        "is equal to|equals to|equals|equal to|is|=|says|reads|of|set to|are|set as|contains the value";
    let mut value = match column.cut(IS) {
        Some(value) => value,
        // "with Status open": the last word, or the quotation.
        None => {
            let at = words.len().checked_sub(1)?;
            let (head, tail) = words.split_at(at);
            column = head;
            tail
        }
    };
    column.eats_last("column");
    value.eats("exactly");
    if value.begins("not|greater|less|more|larger|smaller|above|below|over|under|between|before|after|at|empty|blank|missing")
    {
        let why = format!("I compare with values that are the same; I did not understand `{}`", value.shown());
        return Some((at, Err(why)));
    }
    if column.is_empty() {
        return None;
    }
    let condition =
        column.label().and_then(|column| Ok(Condition { column, value: value.value()?, called: None }));
    Some((at, condition))
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

/// "increase the price of Widget by 10", "double B4"
fn shifted(mut words: Words) -> Attempt {
    let factor = match () {
        () if words.eats("double") => Some(2.0),
        () if words.eats("triple") => Some(3.0),
        () if words.eats("halve") => Some(0.5),
        () => None,
    };
    if let Some(factor) = factor {
        let at = match reference(&mut words) {
            Some(at) => at,
            None => match named(words) {
                Ok(at) => return Some(Ok(SheetStep::Scale { at, factor })),
                Err(why) => return Some(Err(why)),
            },
        };
        return Some(words.done().map(|()| SheetStep::Scale { at, factor }));
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
    label.eats("the value of|the cell for|the value for|the number for|the figure for|the value in|the");
    let sheet = super::ask::label_sheet(&mut label);
    Ok(SheetRef::Label { sheet, text: label.label()? })
}
