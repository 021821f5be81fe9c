//! Tables: making them, and changing rows, columns and cells. Rows and columns count from 0, as in the
//! operations themselves.

use word::op::{
    Op, Side, TableApplyStyle, TableCreate, TableDelete, TableInsert, TableMergeCells, TableRef,
    TableSetCellText, TableStyle,
};

use super::{Attempt, place};
use crate::phrase::{ORDINALS, Words, number};

pub(super) fn attempt(words: Words) -> Attempt {
    let patterns: [fn(Words) -> Attempt; 6] = [set_cell, create, insert, delete, merge, style];
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

fn insert(mut words: Words) -> Attempt {
    if !words.eat_any(&[&["insert"], &["add"]]) {
        return None;
    }
    let table = table(&mut words);
    let count = match words.number() {
        Some(count) => count,
        None => {
            words.drop_articles();
            1
        }
    };
    words.eat_any(&[&["new"], &["more"], &["empty"], &["blank"]]);
    let of_rows = words.eat_any(&[&["rows"], &["row"]]);
    if !of_rows && !words.eat_any(&[&["columns"], &["column"], &["cols"], &["col"]]) {
        return None;
    }
    let side = match () {
        () if words.eat_any(&[
            &["after"],
            &["below"],
            &["under"],
            &["to", "the", "right", "of"],
            &["right", "of"],
        ]) =>
        {
            Some(Side::After)
        }
        () if words.eat_any(&[&["before"], &["above"], &["to", "the", "left", "of"], &["left", "of"]]) => {
            Some(Side::Before)
        }
        () => None,
    };
    const NOUNS: [&[&str]; 3] = [&["row"], &["column"], &["col"]];
    let ends: [&[&str]; 6] = [
        &["at", "the", "end"],
        &["at", "the", "bottom"],
        &["to", "the", "end"],
        &["to", "the", "bottom"],
        &["on", "the", "right"],
        &["to", "the", "right"],
    ];
    let starts: [&[&str]; 6] = [
        &["at", "the", "top"],
        &["at", "the", "start"],
        &["at", "the", "beginning"],
        &["to", "the", "top"],
        &["on", "the", "left"],
        &["to", "the", "left"],
    ];
    let (side, at) = match side {
        Some(side) => {
            words.drop_articles();
            let (ordinal, last) = (words.ordinal(), words.eat(&["last"]));
            words.eat_any(&NOUNS);
            match ordinal.or_else(|| words.number()) {
                Some(at) => (side, Some(at)),
                None if last => (side, None),
                None => {
                    let which = "say beside which row or column, by its number from 0, or as the second row";
                    return Some(Err(which.to_owned()));
                }
            }
        }
        None if words.eat_any(&starts) => (Side::Before, Some(0)),
        None => {
            words.eat_any(&ends);
            (Side::After, None)
        }
    };
    let op = TableInsert { table, at, count, side };
    let op = if of_rows { Op::TableInsertRows(op) } else { Op::TableInsertColumns(op) };
    Some(words.done().map(|()| op))
}

fn delete(mut words: Words) -> Attempt {
    if !words.eat_any(&[&["delete"], &["remove"], &["drop"]]) {
        return None;
    }
    let table = table(&mut words);
    words.drop_articles();
    let ordinals = words.ordinals();
    words.eat(&["last"]);
    let of_rows = words.eat_any(&[&["rows"], &["row"]]);
    if !of_rows && !words.eat_any(&[&["columns"], &["column"], &["cols"], &["col"]]) {
        return None;
    }
    let Some(indexes) = ordinals.or_else(|| words.numbers()) else {
        let which = "say which, by number from 0: delete rows 1 and 3, or the second row";
        return Some(Err(which.to_owned()));
    };
    let op = TableDelete { table, indexes };
    let op = if of_rows { Op::TableDeleteRows(op) } else { Op::TableDeleteColumns(op) };
    Some(words.done().map(|()| op))
}

fn set_cell(mut words: Words) -> Attempt {
    let puts = words.eat_any(&[&["put"], &["write"]]);
    if !puts && !words.eat_any(&[&["set"], &["change"], &["fill"]]) {
        return None;
    }
    let table = table(&mut words);
    let early = if puts { words.quotation() } else { None };
    words.eat_any(&[&["in"], &["into"], &["at"]]);
    let (row, col) = cell(&mut words)?;
    let text = match early {
        Some(text) => text,
        None => {
            words.eat_any(&[&["to"], &["with"], &["="], &[":"]]);
            match words.quotation().or_else(|| words.word_if(|_| true)) {
                Some(text) => text,
                None => return Some(Err("say the cell's text, in quotation marks".to_owned())),
            }
        }
    };
    let op = TableSetCellText { table, row, col, text };
    Some(words.done().map(|()| Op::TableSetCellText(op)))
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
        (row, ahead.number()?)
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
        (row, col)
    };
    *words = ahead;
    Some(found)
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
        && let Some(row) = first.number()
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
    style.name = words.rest_as_text();
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
