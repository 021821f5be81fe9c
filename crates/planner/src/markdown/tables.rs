//! Cells, rows and columns of tables by what they say, and fields: changed, renamed, read and counted.

use super::Attempt;
use super::places::of_table;
use super::step::{Count, MarkdownStep, Row};
use crate::phrase::Words;

pub(super) fn cells(words: Words) -> Attempt {
    rows(words.clone())
        .or_else(|| renamed(words.clone()))
        .or_else(|| changed(words.clone()))
        .or_else(|| counted(words.clone()))
        .or_else(|| asked(words))
}

/// "delete the last two rows", "delete rows 2 and 3 of the table"
fn rows(mut words: Words) -> Attempt {
    words.eats("delete|remove|drop").then_some(())?;
    words.eats("the");
    let row = match () {
        () if words.eats("last|bottom") => {
            let count = words.number()?;
            words.eats("rows").then_some(())?;
            Row::LastOf(count)
        }
        () if words.eats("rows") => {
            let numbers = words.numbers()?;
            let (from, to) = (*numbers.first()?, *numbers.last()?);
            (numbers.len() == to.checked_sub(from)? + 1).then_some(())?;
            Row::Span(from, to)
        }
        () => return None,
    };
    words.eats("of the table|from the table|in the table");
    let under = match words.is_empty() {
        true => None,
        false => {
            let (rest, under) = of_table(words);
            rest.is_empty().then_some(())?;
            under
        }
    };
    Some(Ok(MarkdownStep::DeleteRow { row, under }))
}

/// "Rename the column Meaning to Impact", "change the header Meaning to Impact"
fn renamed(mut words: Words) -> Attempt {
    let renames = words.begins("rename|call");
    words.eats("rename|change|call|update").then_some(())?;
    let mut to = words.cut("to|into|as")?;
    words.eats("the");
    let headed = words.eats("column header|column heading|header|column called|column named");
    let (mut name, under) = of_table(words);
    let column = name.eats("column") | name.eats_last("column|column header|header");
    if !(headed || column && renames) {
        return None;
    }
    to.eats(":");
    Some(name.label().and_then(|name| Ok(MarkdownStep::RenameColumn { name, to: to.value()?, under })))
}

/// "Change the first answer for level 2 from 30 min to 20 min", "set level 1's meaning to Nobody can pay"
fn changed(mut words: Words) -> Attempt {
    words.eats("change|set|update|correct|make").then_some(())?;
    let mut to = words.cut("to|=")?;
    let was = words.cut("from");
    let (column, row, under) = crossing(&words)?;
    to.eats(":");
    Some(to.value().and_then(|text| {
        let was = was.map(Words::value).transpose()?;
        Ok(MarkdownStep::SetCell { column, row, text, under, was })
    }))
}

/// "the first answer for level 2", "level 2's first answer"
fn crossing(words: &Words) -> Option<(String, String, Option<String>)> {
    if words.has_quotation() {
        return None;
    }
    let definite = words.begins("the|our|their");
    let mut column = words.clone();
    column.eats("the|our|their");
    let mut named = column.clone();
    if definite && let Some(mut row) = named.cut("for|of") {
        row.eats("the row|row|the");
        let (row, under) = of_table(row);
        let (column, row) = (named.label().ok()?, row.label().ok()?);
        let first = column.split(' ').next().unwrap_or_default().to_lowercase();
        // What is said of a heading, a block or the document is no cell.
        let other = [
            "title", "heading", "name", "text", "wording", "language", "main", "header", "content", "level",
            "end", "start", "top", "word", "order",
        ];
        let whole = [
            "document",
            "list",
            "table",
            "checklist",
            "section",
            "file",
            "page",
            "paragraph",
            "quote",
            "intro",
            "introduction",
            "block",
        ];
        let last = row.split(' ').next_back().unwrap_or_default().to_lowercase();
        if other.contains(&first.as_str()) && !column.contains(' ') || whole.contains(&last.as_str()) {
            return None;
        }
        return Some((column, row, under));
    }
    let (cell, under) = of_table(column);
    let text = cell.label().ok()?;
    let (row, column) = ["'s ", "’s "].iter().find_map(|mark| text.split_once(mark))?;
    Some((column.trim().to_owned(), row.trim().to_owned(), under))
}

fn counted(mut words: Words) -> Attempt {
    words.eats("how many|count the|count all|count").then_some(())?;
    let what = match () {
        () if words.eats("open tasks|unchecked items|open items|unfinished tasks|tasks are open|tasks are still open|tasks are left|items are open|items are still open|items are unchecked") => Count::OpenTasks,
        () if words.eats("done tasks|completed tasks|finished tasks|ticked tasks|ticked items|tasks are done|tasks are completed|tasks are finished|items are done|items are ticked|tasks are ticked|items are checked") => Count::DoneTasks,
        () if words.eats("tasks|checklist items|to-dos|todos|checkboxes") => Count::Tasks,
        () if words.eats("steps|bullets|bullet points|items|list items|points") => Count::Items,
        () if words.eats("rows|table rows") => Count::Rows,
        () if words.eats("tables") => Count::Tables,
        () if words.eats("links") => Count::Links,
        () if words.eats("paragraphs") => Count::Paragraphs,
        () => return None,
    };
    words.eats("are there|there are|does it have|do we have|is there|are still|are|is|does|do|has|have");
    words.eats_last("have|has|contain|in total");
    words.eats_last("in it|in the document|in this document|here|the document|this document|the file");
    let place = match words.is_empty() {
        true => None,
        false => {
            words.eats("in|under|of|on|inside|within");
            let place = super::ground::ground(&mut words)?;
            words.is_empty().then_some(())?;
            Some(place)
        }
    };
    Some(Ok(MarkdownStep::Count { what, place }))
}

/// "What is the first answer for level 1?", "who is the owner?"
fn asked(mut words: Words) -> Attempt {
    if words.eats("which checklist items are open|which checklist items are still open|which items are open|which items are still open|what is still open|what's still open|which items are unchecked|which checklist items are unchecked|which items are not done|what is not done yet|which tasks are undone|what's left to do|what remains to be done|which checklist items are not done|show the unchecked items|list the unchecked items|show me the open items|list the open items") {
        return Some(words.done().map(|()| MarkdownStep::Tasks));
    }
    words.eats("what is|what's|who is|who's|what was|show me|tell me|read").then_some(())?;
    if let Some((column, row, _)) = crossing(&words) {
        return Some(Ok(MarkdownStep::ReadCell { column, row }));
    }
    words.eats("the").then_some(())?;
    let name = words.word_if(|word| word.chars().all(|c| c.is_lowercase() || c == '_' || c == '-'))?;
    if matches!(
        name.as_str(),
        "title" | "quote" | "footnote" | "table" | "checklist" | "outline" | "list" | "document" | "text"
    ) {
        return None;
    }
    words.eats("of the document|in the front matter|of this document");
    words.is_empty().then_some(Ok(MarkdownStep::ReadField { name }))
}
