//! Steps of requests about workbooks and Markdown documents, as `ask` tells them.

use serde_json::{Value, json};
use workspace::requests::{Entry, Found, MarkdownStep, Match, Place, SheetStep, ShownCell, Step};
use workspace::sheet;

pub(super) fn name(step: &Step) -> &str {
    match step {
        Step::Word(step) => step.name(),
        Step::Sheet(step) => step.name(),
        Step::Markdown(step) => step.name(),
    }
}

pub(super) fn sheet(step: &SheetStep) -> Value {
    let (SheetStep::Set { at, .. } | SheetStep::Clear { at } | SheetStep::Read { at }) = step else {
        return json!({ "op": step.name(), "reading": step.to_string() });
    };
    let mut told = json!({ "op": step.name(), "range": at.to_string() });
    if let SheetStep::Set { entry, only_if, .. } = step {
        match entry {
            Entry::Number(number) => told["value"] = json!(number),
            Entry::Text(text) | Entry::Words(text) | Entry::Date(text) | Entry::Typed(text) => {
                told["value"] = json!(text)
            }
            Entry::Bool(value) => told["value"] = json!(value),
            Entry::Formula(formula) => told["formula"] = json!(formula),
        }
        if let Some(was) = only_if {
            told["onlyIf"] = json!(was.to_string());
        }
    }
    told
}

pub(super) fn prose(step: &MarkdownStep) -> Value {
    let mut told = json!({ "op": step.name() });
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
        MarkdownStep::DeleteSection { title } | MarkdownStep::DeleteHeading { title } => {
            told["title"] = json!(title)
        }
        MarkdownStep::RenameSection { title, to } => {
            told["title"] = json!(title);
            told["to"] = json!(to);
        }
        MarkdownStep::MoveSection { title, place } => {
            told["title"] = json!(title);
            told["place"] = at(place);
        }
        MarkdownStep::Replace { text, with, all, within, .. } => {
            told["text"] = json!(text);
            told["with"] = json!(with);
            told["all"] = json!(all);
            if let Some(section) = within {
                told["section"] = json!(section);
            }
        }
        MarkdownStep::Append { text, section: None } | MarkdownStep::Find { text } => {
            told["text"] = json!(text)
        }
        step => told["reading"] = json!(step.to_string()),
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
