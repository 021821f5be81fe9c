//! Steps of requests about workbooks and Markdown documents, as `ask` tells them.

use serde_json::{Value, json};
use workspace::requests::{Entry, Found, MarkdownStep, Match, Place, SheetStep, ShownCell, Step};
use workspace::sheet;

pub(super) fn name(step: &Step) -> &str {
    match step {
        Step::Word(step) => step.name(),
        Step::Sheet(step) => sheet_name(step),
        Step::Markdown(step) => prose_name(step),
    }
}

fn sheet_name(step: &SheetStep) -> &'static str {
    match step {
        SheetStep::Set { .. } => "set",
        SheetStep::Clear { .. } => "clear",
        SheetStep::Read { .. } => "read",
    }
}

fn prose_name(step: &MarkdownStep) -> &'static str {
    match step {
        MarkdownStep::AddSection { .. } => "addSection",
        MarkdownStep::DeleteSection { .. } => "deleteSection",
        MarkdownStep::RenameSection { .. } => "renameSection",
        MarkdownStep::MoveSection { .. } => "moveSection",
        MarkdownStep::Replace { .. } => "replace",
        MarkdownStep::Append { .. } => "append",
        MarkdownStep::Find { .. } => "find",
    }
}

pub(super) fn sheet(step: &SheetStep) -> Value {
    let (SheetStep::Set { at, .. } | SheetStep::Clear { at } | SheetStep::Read { at }) = step;
    let range = match &at.sheet {
        Some(sheet) => format!("{sheet}!{}", at.cells),
        None => at.cells.clone(),
    };
    let mut told = json!({ "op": sheet_name(step), "range": range });
    if let SheetStep::Set { entry, .. } = step {
        match entry {
            Entry::Number(number) => told["value"] = json!(number),
            Entry::Text(text) | Entry::Date(text) => told["value"] = json!(text),
            Entry::Bool(value) => told["value"] = json!(value),
            Entry::Formula(formula) => told["formula"] = json!(formula),
        }
    }
    told
}

pub(super) fn prose(step: &MarkdownStep) -> Value {
    let mut told = json!({ "op": prose_name(step) });
    let at = |place: &Place| match place {
        Place::End => json!("end"),
        Place::After(title) => json!({ "after": title }),
        Place::Before(title) => json!({ "before": title }),
    };
    match step {
        MarkdownStep::AddSection { title, level, place, content } => {
            told["title"] = json!(title);
            told["place"] = at(place);
            if let Some(level) = level {
                told["level"] = json!(level);
            }
            if let Some(content) = content {
                told["content"] = json!(content);
            }
        }
        MarkdownStep::DeleteSection { title } => told["title"] = json!(title),
        MarkdownStep::RenameSection { title, to } => {
            told["title"] = json!(title);
            told["to"] = json!(to);
        }
        MarkdownStep::MoveSection { title, place } => {
            told["title"] = json!(title);
            told["place"] = at(place);
        }
        MarkdownStep::Replace { text, with, all } => {
            told["text"] = json!(text);
            told["with"] = json!(with);
            told["all"] = json!(all);
        }
        MarkdownStep::Append { text } | MarkdownStep::Find { text } => told["text"] = json!(text),
    }
    told
}

/// What a step did or found, beside what was understood of it.
pub(super) fn add(told: &mut Value, found: &Found) {
    match found {
        // An operation answers in its own form.
        Found::Operation(_) | Found::Prose => {}
        Found::Told(lines) if lines.is_empty() => {}
        Found::Told(lines) => told["answer"] = json!(lines),
        Found::Written(cells) => told["range"] = cells.to_string().into(),
        Found::Read(cells, read) => {
            told["range"] = cells.to_string().into();
            told["cells"] = read.iter().map(cell).collect();
        }
        Found::Replaced(count) => told["replaced"] = json!(count),
        Found::Matches(matches) => told["matches"] = matches.iter().map(line).collect(),
    }
}

fn cell(cell: &ShownCell) -> Value {
    let value = match &cell.value {
        sheet::Value::Number(number) => json!(number),
        sheet::Value::Bool(value) => json!(value),
        sheet::Value::Text(text) => json!(&**text),
        _ => Value::Null,
    };
    let mut told = json!({ "address": cell.at.to_string(), "value": value, "text": cell.text });
    if let Some(formula) = &cell.formula {
        told["formula"] = json!(formula);
    }
    told
}

fn line(found: &Match) -> Value {
    json!({ "line": found.line, "column": found.column, "context": found.context })
}
