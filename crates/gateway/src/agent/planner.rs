//! What answers where no model is configured: plain requests, carried out by the tool `ask`.
//!
//! A [`Model`] like the others, so that approval, limits and events are the same. It asks for one call with the
//! person's words and answers from what came back, and says what it is.

use futures::{future::BoxFuture, stream};
use serde_json::{Value, json};

use super::{
    conversation::{Message, ToolRequest},
    model::{Model, ModelError, Piece, Pieces, Prompt, Reply, StopReason},
    tools::CallError,
};

const NAME: &str = "built-in planner";
const TOOL: &str = "ask";
const ABOUT: &str = "I am the built-in planner, no language model: I carry out plain requests such as “Replace 2024 \
                     with 2025”, “Make 'Total' bold” or “Set B5 on Inputs to 1.1”.";

/// How people ask to have the last change taken back, without the courtesies around it.
const TAKE_BACK: [&str; 10] = [
    "undo",
    "undo that",
    "undo this",
    "undo it",
    "undo the last change",
    "undo the change",
    "undo your last change",
    "undo last change",
    "take that back",
    "take it back",
];
const UNDO: &str = "editor_undo";

#[derive(Debug, Clone, Default)]
pub struct Planner {
    /// The document that requests are about, as tools name it; else the one in front.
    pub document: Option<String>,
    /// What is asked of it, if the message also says which document is meant.
    pub request: Option<String>,
    /// Whether there is no document that a request could be about.
    pub nothing_open: bool,
}

impl Model for Planner {
    fn name(&self) -> &str {
        NAME
    }

    fn ask<'a>(&'a self, prompt: &'a Prompt<'a>) -> BoxFuture<'a, Result<Pieces<'a>, ModelError>> {
        let reply = self.reply(prompt);
        let mut pieces = Vec::new();
        if !reply.text.is_empty() {
            pieces.push(Ok(Piece::Text(reply.text.clone())));
        }
        pieces.push(Ok(Piece::Done(reply)));
        Box::pin(async move { Ok(Box::pin(stream::iter(pieces)) as Pieces<'a>) })
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), ModelError>> {
        Box::pin(async { Ok(()) })
    }
}

impl Planner {
    fn reply(&self, prompt: &Prompt<'_>) -> Reply {
        match prompt.messages.last() {
            Some(Message::User { .. }) if self.nothing_open => said(
                format!(
                    "Which document do you mean? Name its file in the message, as in “… in contract.docx”, or send \
                     document_context.document_id with it. Nothing was done.\n\n({ABOUT})"
                ),
                Vec::new(),
            ),
            Some(Message::User { text }) => self.wanted(prompt, text),
            Some(Message::Tool { text, is_error, name, .. }) if name == UNDO => {
                said(taken_back(text, *is_error), Vec::new())
            }
            Some(Message::Tool { text, is_error, .. }) => said(answer(text, *is_error), Vec::new()),
            _ => {
                let why = "This session does not let me: it has no tool `ask`, or may not change anything.";
                said(format!("{ABOUT} {why} Nothing was done."), Vec::new())
            }
        }
    }
}

impl Planner {
    /// The one call that a message becomes.
    fn wanted(&self, prompt: &Prompt<'_>, text: &str) -> Reply {
        let request = self.request.as_deref().unwrap_or(text);
        let plain = request.trim().trim_end_matches(['.', '!']).to_lowercase();
        let plain = plain.strip_prefix("please ").or(plain.strip_suffix(" please")).unwrap_or(&plain);
        let (name, arguments) = match TAKE_BACK.contains(&plain.trim_end_matches(',')) {
            true => (UNDO, json!({ "windowId": self.document })),
            false => (TOOL, json!({ "request": request, "file_path": self.document })),
        };
        let mut arguments = arguments;
        if let Some(given) = arguments.as_object_mut() {
            given.retain(|_, value| !value.is_null());
        }
        if !prompt.tools.iter().any(|tool| tool.name == name) {
            let why =
                format!("This session does not let me: it has no tool `{name}`, or may not change anything.");
            return said(format!("{ABOUT} {why} Nothing was done."), Vec::new());
        }
        let call = ToolRequest {
            id: format!("ask_{}", prompt.messages.len()),
            name: name.to_owned(),
            arguments: arguments.to_string(),
        };
        said(String::new(), vec![call])
    }
}

/// From the result of `editor_undo`.
fn taken_back(text: &str, is_error: bool) -> String {
    let (done, notes) = apart(unmarked(text));
    let message = done.as_ref().and_then(|done| done.get("message")?.as_str());
    let applied = done.as_ref().is_some_and(|done| done.get("applied") == Some(&Value::Bool(true)));
    let told = match (is_error, message, applied) {
        (false, Some(message), true) => format!("Taken back: {message}."),
        (false, Some(_), false) => "There is nothing to take back.".to_owned(),
        _ => format!("That was not done: {}", unmarked(text)),
    };
    let lines = std::iter::once(told).chain(notes).chain(["(Built-in planner)".to_owned()]);
    lines.collect::<Vec<_>>().join("\n")
}

/// The JSON that a text begins with, and the lines behind it: tools add what happened since the last call.
fn apart(text: &str) -> (Option<Value>, Vec<String>) {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let Some(Ok(value)) = values.next() else { return (None, Vec::new()) };
    let rest = &text[values.byte_offset()..];
    let lines = rest.lines().map(str::trim_end).filter(|line| !line.is_empty());
    (Some(value), lines.map(str::to_owned).collect())
}

fn said(text: String, calls: Vec<ToolRequest>) -> Reply {
    let stop = if calls.is_empty() { StopReason::Finished } else { StopReason::Calls };
    Reply { text, calls, stop, tokens: Some((0, 0)) }
}

/// From the result of `ask`, whose text is JSON or prose.
fn answer(text: &str, is_error: bool) -> String {
    let inner = unmarked(text);
    if inner.starts_with(CallError::UNKNOWN) {
        return format!("Please look at the document: {inner}. I do not do it again by myself.\n\n({ABOUT})");
    }
    if is_error {
        return format!("That was not done: {inner}\n\n({ABOUT})");
    }
    let (Some(done), since) = apart(inner) else { return inner.to_owned() };
    let list = |name: &str| done.get(name).and_then(Value::as_array).into_iter().flatten();
    let field = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let status = field(&done, "status");
    if status.as_deref() == Some("not_understood") {
        let lines: Vec<String> = list("not_understood")
            .filter_map(|unclear| {
                Some(format!("- “{}”: {}", field(unclear, "text")?, field(unclear, "why")?))
            })
            .collect();
        let since = since.iter().map(|line| format!("\n{line}")).collect::<String>();
        return format!(
            "I did not understand this, and changed nothing:\n{}\n\n{ABOUT}{since}",
            lines.join("\n")
        );
    }
    let changes: Vec<String> = list("changes")
        .filter_map(|change| {
            let (place, before, after) =
                (field(change, "place")?, field(change, "before")?, field(change, "after")?);
            Some(format!("- {place}: “{before}” → “{after}”"))
        })
        .collect();
    let notes = list("diagnostics").filter_map(Value::as_str).map(|note| format!("- {note}"));
    let head = match status.as_deref() {
        Some("applied") => "Done.",
        Some("suggested") => "Suggested; it waits for a decision.",
        Some("dry_run") => "This is what would change; nothing was changed.",
        Some("unchanged") => "Nothing changed.",
        Some("answered") => "",
        _ => return inner.to_owned(),
    };
    let mut lines: Vec<String> = Vec::new();
    lines.extend((!head.is_empty()).then(|| head.to_owned()));
    // What has no text to show before and after, such as a format, is told as it was understood.
    let by_reading = changes.is_empty();
    lines.extend(changes);
    lines.extend(notes);
    if head.is_empty() {
        lines.extend(list("operations").map(told));
    } else if by_reading {
        lines.extend(list("operations").filter_map(read_as).map(|reading| format!("- {reading}")));
    } else if list("operations").count() > 1 {
        // A wish that changed no text, or nothing at all, would go without a word.
        let readings = list("operations").filter_map(|step| field(step, "reading"));
        lines.extend(readings.map(|reading| format!("- understood: {reading}")));
    }
    lines.extend(since);
    lines.push("(Built-in planner)".to_owned());
    lines.join("\n")
}

/// An argument of an operation as a person reads it: what is nested is told by its own names.
fn plainly(name: &str, value: &Value, said: &mut Vec<String>) {
    match value {
        Value::Object(inner) => inner.iter().for_each(|(name, value)| plainly(name, value, said)),
        Value::Bool(true) => said.push(name.to_owned()),
        Value::Bool(false) => said.push(format!("not {name}")),
        Value::String(text) => said.push(format!("{name}: {text}")),
        value => said.push(format!("{name}: {value}")),
    }
}

/// How a step was understood, for a person.
fn read_as(operation: &Value) -> Option<String> {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let told = operation
        .get("answer")
        .and_then(Value::as_array)
        .map(|lines| lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "));
    let name = || {
        let meta = operation.get("meta")?;
        let arguments = meta.get("args").and_then(Value::as_object);
        let places = ["scope", "target", "query", "at", "location"];
        let mut said = Vec::new();
        arguments.into_iter().flatten().for_each(|(name, value)| plainly(name, value, &mut said));
        // What names no place is about the selection.
        let named =
            arguments.is_some_and(|arguments| places.iter().any(|place| arguments.contains_key(*place)));
        let place = if named { "" } else { " where you selected" };
        Some(format!("{} ({}){place}", text(meta, "op")?, said.join(", ")))
    };
    told.filter(|told| !told.is_empty()).or_else(|| text(operation, "reading")).or_else(name)
}

/// What one step of a question found, as a person reads it.
fn told(operation: &Value) -> String {
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let array = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned();
    if let Some(lines) = array(operation, "answer") {
        let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
        return lines.join("\n");
    }
    if let Some(cells) = array(operation, "cells") {
        let cell = |cell: &Value| {
            let formula = text(cell, "formula");
            let formula = if formula.is_empty() { formula } else { format!(" ({formula})") };
            format!("{}: {}{formula}", text(cell, "address"), text(cell, "text"))
        };
        let lines: Vec<String> = cells.iter().map(cell).collect();
        return if lines.is_empty() {
            format!("{} is empty.", text(operation, "range"))
        } else {
            lines.join("\n")
        };
    }
    let found =
        array(operation, "matches").or_else(|| operation.get("data").and_then(|data| array(data, "results")));
    let Some(found) = found else { return text(operation, "reading") };
    let places = match found.len() {
        0 => return "I found nothing.".to_owned(),
        1 => "I found it in 1 place:".to_owned(),
        count => format!("I found it in {count} places:"),
    };
    let lines = found.iter().map(|place| {
        let line = place
            .get("line")
            .and_then(Value::as_u64)
            .map(|line| format!("line {line}: "))
            .unwrap_or_default();
        format!("- {line}{}", text(place, "context"))
    });
    std::iter::once(places).chain(lines).collect::<Vec<_>>().join("\n")
}

/// Without the marks that the loop puts around results.
fn unmarked(text: &str) -> &str {
    let inner = text.strip_prefix("<data-").and_then(|rest| rest.split_once(">\n")).map(|(_, rest)| rest);
    let inner = inner.and_then(|rest| rest.rsplit_once("\n</data-")).map(|(inner, _)| inner);
    inner.unwrap_or(text)
}
