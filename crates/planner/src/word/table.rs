//! Tables: making them, and changing rows, columns and cells. Rows and columns are counted as people do, from 1, unless
//! the sentence speaks as the operations do: with an id, or with a row 0.

use word::op::{Op, TableApplyStyle, TableCreate, TableMergeCells, TableRef, TableStyle};

use super::modify::Modifiers;
use super::order::{ASCENDING, DESCENDING};
use super::step::{Beside, Pick, Target, WordAct};
use super::text::nested;
use super::{Act, Attempt, Unclear, place, target};
use crate::phrase::{ORDINALS, Words, number};

pub(super) fn attempt(words: Words) -> Attempt {
    let patterns: [fn(Words) -> Attempt; 3] = [create, merge, style];
    patterns.iter().find_map(|pattern| pattern(words.clone()))
}

fn create(mut words: Words) -> Attempt {
    // "Make the first row of the table bold" is about a table that is there.
    let made = words.clone().eat_any(&[&["make"], &["put"]]);
    if !words.eat_any(&[&["create"], &["insert"], &["add"], &["make"], &["build"], &["put"]])
        || words.position(&["table"]).is_none()
        || made
            && ["the", "this", "that", "of"].iter().any(|word| {
                words.position(&[word, "table"]).is_some() || words.position(&["of", word, "table"]).is_some()
            })
        || ["row", "rows", "column", "columns"].iter().any(|noun| words.clone().count_then(noun))
    {
        return None;
    }
    let names = headers(&mut words);
    let header = words.take_any(&[
        &["with", "a", "header", "row"],
        &["with", "header", "row"],
        &["with", "a", "header"],
        &["with", "header"],
        &["with", "headers"],
        &["and", "a", "header"],
        &["and", "a", "header", "row"],
    ]);
    let (scope, location) = place::place(&mut words).unwrap_or_default();
    let mut sized = words.clone();
    let size = match (size(&mut sized), &names) {
        (Some(size), _) => {
            words = sized;
            Some(size)
        }
        // The headers say how many columns there are.
        (None, Some(names)) => words.number_before(&["rows", "row"]).map(|rows| (rows, names.len())),
        (None, None) => None,
    };
    let Some((rows, cols)) = size else {
        return Some(Err("say how large the table is, such as 3x4 or 3 rows and 4 columns".to_owned()));
    };
    let data: Vec<Vec<String>> = names.into_iter().collect();
    if let Some(names) = data.first().filter(|names| names.len() != cols) {
        return Some(Err(format!("there are {} headers for {cols} columns", names.len())));
    }
    let header = header || !data.is_empty();
    words.drop_articles();
    words.eat(&["new"]);
    words.eat(&["empty"]);
    words.eat(&["table"]);
    words.eat_any(&[&["with"], &["of"]]);
    let op = TableCreate { rows, cols, scope, location, data, header };
    Some(words.done().map(|()| Op::TableCreate(op)))
}

/// "with headers Item, Price and Total": the names, taken out with all that follows.
fn headers(words: &mut Words) -> Option<Vec<String>> {
    let leads: [&[&str]; 8] = [
        &["with", "the", "column", "headers"],
        &["with", "the", "headers"],
        &["with", "column", "headers"],
        &["with", "headers"],
        &["with", "headings"],
        &["and", "the", "headers"],
        &["and", "headers"],
        &["headers"],
    ];
    let mut head = words.clone();
    let tail = leads.iter().find_map(|lead| head.cut_first(lead))?;
    // "with headers at the end" names none.
    let mut place = tail.clone();
    if place::place(&mut place).is_some() {
        return None;
    }
    let names = tail.names()?;
    *words = head;
    Some(names)
}

/// `3x4`, `3 x 4`, `3 by 4`, `3 rows and 4 columns`; taken out.
fn size(words: &mut Words) -> Option<(usize, usize)> {
    let dimensions = |word: &str| {
        let (rows, cols) = word.split_once(['x', 'X', '×'])?;
        Some((rows.parse().ok()?, cols.parse().ok()?))
    };
    if let Some(size) = words.find_map(dimensions) {
        return Some(size);
    }
    for between in ["x", "by", "×"] {
        if let Some(size) = words.around(&[between], |left, right| Some((number(left)?, number(right)?))) {
            return Some(size);
        }
    }
    let rows = words.number_before(&["rows", "row"])?;
    words.take_any(&[&["and"], &["with"], &["by"]]);
    let cols = words.number_before(&["columns", "column", "cols", "col"])?;
    Some((rows, cols))
}

/// Rows and columns that come, and the order of rows.
pub(super) fn act(words: &Words, _: &Modifiers) -> Act {
    let mut words = words.clone();
    if words.eats("sort|order|reorder|arrange") {
        return Some(sort(words));
    }
    if words.eats("turn|convert|make|change|transform") {
        let mut ahead = words.clone();
        let list = ahead.eats("the list|the bullets|the bullet list|this list|the bullet points|the numbered list|the bulleted list|list|the items");
        if !list {
            return None;
        }
        let mut table = ahead.cut("into|to")?;
        if !table.eats("a table|table|one table") {
            return None;
        }
        // "the list under Scope into a table": where the list is stands in the middle.
        let under = match ahead.is_empty() {
            true => None,
            false => Some(list_place(ahead)?),
        };
        return Some(table.done().map(|()| WordAct::ListToTable { under }));
    }
    let puts = words.eats("put|write|enter|type");
    if puts || words.eats("set|change|fill|update|make") {
        return cell_text(words, puts);
    }
    if words.eats("insert|add|append") {
        return insert(words);
    }
    None
}

fn list_place(mut words: Words) -> Option<Target> {
    words.eats("under|below|in|of").then_some(())?;
    let mut ahead = words.clone();
    if let Some((target, around)) = target::chain(&mut ahead)
        && around.is_empty()
        && ahead.is_empty()
        && !matches!(target, Target::Text(_))
    {
        return Some(target);
    }
    words.eats("the heading|the section|the");
    let name = words.name()?;
    words.is_empty().then_some(Target::Section(name))
}

fn sort(mut words: Words) -> Result<WordAct, String> {
    let mut ahead = words.clone();
    let table =
        target::target(&mut ahead).filter(|target| matches!(target, Target::Table(_) | Target::TableId(_)));
    match &table {
        Some(_) => words = ahead,
        None if words.eats("the rows") => {}
        // "Sort the fees by day rate"
        None if words.begins("the") && words.split_at(2).1.begins("by|on|according to") => {
            words.eats("the");
            let name = words.word().unwrap_or_default();
            if !words.eats("by the column|by column|by the|by|on|according to") {
                return Err("say by which column: sort the table by Amount".to_owned());
            }
            let mut descending = false;
            loop {
                if words.eats_last(DESCENDING) {
                    descending = true;
                } else if !words.eats_last(ASCENDING) {
                    break;
                }
                words.eats_last(",|and|in|, in");
            }
            words.eats_last("column");
            return Ok(WordAct::Sort { table: Target::TableNamed(name), column: words.value()?, descending });
        }
        None => {
            return Err(format!(
                "I sort the rows of tables: sort the table by Amount; I did not understand `{}`",
                words.shown()
            ));
        }
    }
    if !words.eats("by the column|by column|by the|by|on|according to|after") {
        return Err("say by which column: sort the table by Amount".to_owned());
    }
    let mut descending = false;
    loop {
        if words.eats_last(DESCENDING) {
            descending = true;
        } else if !words.eats_last(ASCENDING) {
            break;
        }
        words.eats_last(",|and|in|, in");
    }
    words.eats_last("column");
    let column = words.value()?;
    Ok(WordAct::Sort { table: table.unwrap_or(Target::Table(None)), column, descending })
}

/// "set row 2 col 3 of the table to 'x'", "put 'x' in the last cell of the table"
fn cell_text(mut words: Words, puts: bool) -> Act {
    let text = if puts {
        let mut head = words.clone();
        let tail = head.cut("in|into|to|at")?;
        words = tail;
        Some(head)
    } else {
        None
    };
    let (target, around) = target::chain(&mut words)?;
    if !matches!(target, Target::Cell { .. }) {
        return None;
    }
    let value = match text {
        Some(text) => text,
        None => {
            if !words.eats("to|with|=|:") {
                return Some(Err("say the cell's text: set row 2 column 3 to 'x'".to_owned()));
            }
            // "to 'Title' for tableId:123"
            std::mem::take(&mut words)
        }
    };
    if !words.is_empty() {
        return Some(Err(format!("I did not understand `{}`", words.shown())));
    }
    Some(value.value().map(|text| WordAct::SetText { target: nested(target, around), text }))
}

fn insert(mut words: Words) -> Act {
    let count = match words.clone().number() {
        Some(_) => words.number().unwrap_or(1),
        None => {
            words.eats("a|an|the|another|one more");
            1
        }
    };
    words.eats("new|more|empty|blank|additional|extra");
    let of_rows = words.eats("rows|row|table row");
    if !of_rows && !words.eats("columns|column|cols|col") {
        return None;
    }
    let cells = match cells_said(&mut words, of_rows) {
        Ok(cells) => cells,
        Err(unclear) => return Some(Err(unclear)),
    };
    let side = match () {
        () if words.eats("after|below|under|beneath|to the right of|right of|following") => {
            Some(Beside::After)
        }
        () if words.eats("before|above|to the left of|left of") => Some(Beside::Before),
        () => None,
    };
    let ends = "at the end|at the bottom|to the end|to the bottom|on the right|to the right|at the right|at the end of the table|to the table";
    let starts = "at the top|at the start|at the beginning|to the top|on the left|to the left|at the left|at the front";
    let (side, beside) = match side {
        Some(side) => match neighbour(&mut words) {
            Some(pick) => (side, Some(pick)),
            None => {
                return Some(Err(
                    "say beside which row or column, by its number or as the second row".to_owned()
                ));
            }
        },
        None if words.eats(starts) => (Beside::Before, Some(Pick::Nth(0))),
        None => {
            words.eats(ends);
            (Beside::After, None)
        }
    };
    let mut table = None;
    let mut ahead = words.clone();
    if ahead.eats("of|to|in|for|from")
        && let Some((target, around)) = target::chain(&mut ahead)
    {
        table = Some(nested(target, around));
        words = ahead;
        // "to the table at the end"
        words.eats(ends);
    }
    if !words.is_empty() {
        return Some(Err(format!("I did not understand `{}`", words.shown())));
    }
    Some(Ok(match of_rows {
        true => WordAct::InsertRows { table, beside, side, count, cells },
        false => WordAct::InsertColumns { table, beside, side, count, header: cells.into_iter().next() },
    }))
}

/// What the new cells say; a column's is its header.
fn cells_said(words: &mut Words, of_rows: bool) -> Result<Vec<String>, Unclear> {
    // What the cells say, to the end: "with Tax, 20%, 400".
    let mut cells = Vec::new();
    let said = words.cut("with the values|with values|with the cells|with the data|with the texts|with the text|containing|saying|with|:");
    if let Some(mut said) = said {
        // "with A, B at the end": a place behind the values is left to be refused.
        match of_rows {
            true => match said.clone().cells() {
                Some(names) => cells = names,
                None => {
                    return Err(format!("put the texts of the cells in quotation marks: `{}`", said.shown()));
                }
            },
            false => {
                said.eats("the header|header|the name|the heading|the title");
                cells = vec![said.value()?];
            }
        }
    }
    if !of_rows && words.eats("called|named|titled|headed|with the header") {
        let Some(name) = words.name() else {
            return Err("say the column's name in quotation marks".to_owned());
        };
        cells = vec![name];
    } else if !of_rows && cells.is_empty() && !words.begins("at|to|after|before|on|in|of|between") {
        cells.extend(words.name());
    }
    Ok(cells)
}

/// The row or column beside which others are to come.
fn neighbour(words: &mut Words) -> Option<Pick> {
    words.eats("the");
    let mut ahead = words.clone();
    match target::pick(&mut ahead) {
        Some(pick) => {
            ahead.eats("row|column|col");
            *words = ahead;
            Some(pick)
        }
        None => {
            words.eats("row|column|col");
            let from_zero = words.from_zero;
            words.number().and_then(|number| target::counted(number, from_zero))
        }
    }
}

/// `row 0 col 1`, `cell (0,1)`, `(0, 1)`
fn cell(words: &mut Words) -> Option<(usize, usize)> {
    let mut ahead = words.clone();
    ahead.drop_articles();
    ahead.eat_any(&[&["text", "of"], &["text", "in"], &["contents", "of"]]);
    ahead.drop_articles();
    ahead.eat_any(&[&["cell", "at"], &["cell", "in"], &["cell"]]);
    ahead.drop_articles();
    let found = if let Some(found) = by_ordinals(&mut ahead) {
        found
    } else if ahead.eat_any(&[&["first", "cell"], &["top", "left", "cell"], &["top-left", "cell"]]) {
        (0, 0)
    } else if ahead.eat(&["row"]) {
        let row = ahead.number()?;
        ahead.eat_any(&[&[",", "and"], &[","], &["and"]]);
        if !ahead.eat_any(&[&["column"], &["col"]]) {
            return None;
        }
        let column = ahead.number()?;
        from_people(row, column, words.from_zero)?
    } else {
        let bracket = ahead.eat(&["("]);
        let row = ahead.number()?;
        if !ahead.eat(&[","]) {
            return None;
        }
        let col = ahead.number()?;
        if bracket && !ahead.eat(&[")"]) {
            return None;
        }
        from_people(row, col, words.from_zero)?
    };
    *words = ahead;
    Some(found)
}

/// Numbers as people count, as the operations do.
fn from_people(row: usize, column: usize, from_zero: bool) -> Option<(usize, usize)> {
    match from_zero {
        true => Some((row, column)),
        false => Some((row.checked_sub(1)?, column.checked_sub(1)?)),
    }
}

/// `the second cell of the first row`, `first row, second column`: people count from 1.
fn by_ordinals(words: &mut Words) -> Option<(usize, usize)> {
    let mut ahead = words.clone();
    let one = ahead.ordinal()?;
    let row_first = ahead.eat(&["row"]);
    if !row_first && !ahead.eat_any(&[&["cell"], &["column"]]) {
        return None;
    }
    ahead.eat_any(&[&[",", "and"], &[","], &["and"], &["in"], &["of"]]);
    ahead.drop_articles();
    let other = ahead.ordinal()?;
    let found = match row_first {
        true => ahead.eat_any(&[&["column"], &["cell"]]).then_some((one, other)),
        false => ahead.eat(&["row"]).then_some((other, one)),
    }?;
    *words = ahead;
    Some(found)
}

fn merge(mut words: Words) -> Attempt {
    if !words.eat(&["merge"]) {
        return None;
    }
    let unclear =
        || Some(Err("say which cells: merge a 2x2 area from (1,1), or cells (0,0) to (1,1)".to_owned()));
    let table = table(&mut words);
    let mut first = words.clone();
    first.drop_articles();
    if first.eat(&["first"])
        && let Some(count @ 2..) = first.number()
        && first.eat_any(&[&["cells", "of", "row"], &["cells", "in", "row"]])
        && let Some((row, _)) = first.number().and_then(|row| from_people(row, 1, first.from_zero))
    {
        let op = TableMergeCells { table, start_row: row, start_col: 0, row_span: 1, col_span: count };
        return Some(first.done().map(|()| Op::TableMergeCells(op)));
    }
    let span = size(&mut words);
    words.drop_articles();
    words.eat_any(&[&["area"], &["block"], &["cells"]]);
    words.eat_any(&[&["of", "cells"], &["cells"]]);
    words.eat_any(&[&["from"], &["at"], &["starting", "at"]]);
    let Some((start_row, start_col)) = cell(&mut words) else { return unclear() };
    let (row_span, col_span) = match span {
        Some(span) => span,
        None => {
            if !words.eat_any(&[&["to"], &["through"], &["and"]]) {
                return unclear();
            }
            let Some((end_row, end_col)) = cell(&mut words) else { return unclear() };
            if end_row < start_row || end_col < start_col {
                return unclear();
            }
            (end_row - start_row + 1, end_col - start_col + 1)
        }
    };
    let op = TableMergeCells { table, start_row, start_col, row_span, col_span };
    Some(words.done().map(|()| Op::TableMergeCells(op)))
}

fn style(mut words: Words) -> Attempt {
    if !words.eat_any(&[
        &["apply"],
        &["use"],
        &["set"],
        &["give"],
        &["turn", "on"],
        &["turn", "off"],
        &["style"],
    ]) {
        return None;
    }
    let named = words.clone();
    let mut style = TableStyle::default();
    type Flag = fn(&mut TableStyle) -> &mut Option<bool>;
    let flags: [(&[&str], Flag); 8] = [
        (&["banded", "rows"], |style| &mut style.banded_rows),
        (&["row", "banding"], |style| &mut style.banded_rows),
        (&["banded", "columns"], |style| &mut style.banded_columns),
        (&["first", "row"], |style| &mut style.first_row),
        (&["header", "row"], |style| &mut style.first_row),
        (&["last", "row"], |style| &mut style.last_row),
        (&["first", "column"], |style| &mut style.first_column),
        (&["last", "column"], |style| &mut style.last_column),
    ];
    let before = named.len();
    for (phrase, field) in flags {
        if words.take(&[&["no"], phrase].concat()) || words.take(&[&["without"], phrase].concat()) {
            *field(&mut style) = Some(false);
        } else if words.take(&[&["with"], phrase].concat()) || words.take(phrase) {
            *field(&mut style) = Some(true);
        }
    }
    let has_flags = words.len() != before;
    let mentions = words.position(&["table"]).is_some()
        || words.clone().find_map(|word| word.strip_prefix("tableId:").map(drop)).is_some();
    if !mentions {
        return None;
    }
    let table = table(&mut words);
    while words.take(&[","]) || words.take(&["and"]) {}
    words.drop_articles();
    words.eat_any(&[&["as"], &["with"], &["to"]]);
    words.drop_articles();
    words.eat(&["style"]);
    words.take_any(&[&["style"]]);
    words.eat_any(&[&["to"], &["as"]]);
    if !words.is_empty() {
        match words.value() {
            Ok(name) => style.name = Some(name),
            Err(_) => return None,
        }
    }
    if style.name.is_none() && !has_flags {
        return Some(Err("say which style the table should have".to_owned()));
    }
    Some(Ok(Op::TableApplyStyle(TableApplyStyle { table, style })))
}

/// Which table, taken out: an id, `table 2` and `the second table` (people count from 1), or the one at hand.
fn table(words: &mut Words) -> TableRef {
    const LEADS: [&[&str]; 6] = [&["for"], &["in"], &["of"], &["to"], &["on"], &["from"]];
    let id = |word: &str| {
        let table = word.strip_prefix("tableId:").map(|id| TableRef::Table(id.to_owned()));
        table.or_else(|| word.strip_prefix("rangeId:").map(|id| TableRef::Range(id.to_owned())))
    };
    if let Some(found) = words.find_map_after(&LEADS, id) {
        return found;
    }
    for lead in LEADS {
        for (index, ordinal) in ORDINALS.iter().enumerate() {
            if words.take(&[lead, &["the", ordinal, "table"]].concat()) {
                return TableRef::Nth(index);
            }
        }
        for (index, number) in ["1", "2", "3", "4", "5", "6", "7", "8", "9"].iter().enumerate() {
            if words.take(&[lead, &["table", number]].concat()) {
                return TableRef::Nth(index);
            }
        }
        for article in ["the", "this", "that"] {
            if words.take(&[lead, &[article, "table"]].concat()) {
                return TableRef::Current;
            }
        }
    }
    words.take_any(&[&["the", "table"], &["this", "table"]]);
    TableRef::Current
}
