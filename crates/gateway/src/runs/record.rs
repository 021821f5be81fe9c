//! What a run came to, read from its events: there is no second account of it.

use mcp::{Performed, PerformedAs};
use serde_json::{Map, Value, json};

use super::{
    Request,
    shapes::{UNKNOWN, error, result_of},
};
use crate::{
    agent::{Message, ToolRequest, answered},
    api::error::Code,
    store::{EventKind, LoggedEvent},
};

/// What is known of a call whose answer the end of a process took away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It reads only, or what it would have changed does not tell of it.
    Undone,
    /// The journals of documents tell of it.
    Done(Vec<Performed>),
    Unknown,
}

/// The outcome of a call that was not made.
const NOT_DONE: &str = "not_done";

const UNKNOWN_MESSAGE: &str = "it is not known whether this was done: the server ended before the call did";

/// A call of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Execution {
    call_id: String,
    pub(crate) operation: String,
    pub(crate) tool: String,
    pub(crate) parameters: Map<String, Value>,
    /// The kept end; none as long as it runs.
    end: Option<Value>,
    pub(crate) at: i64,
    turn: usize,
    waits: bool,
    /// Whether it began: a call that a person never allowed did not.
    allowed: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Record {
    /// The answer, as far as there is one.
    pub(crate) text: String,
    pub(crate) executions: Vec<Execution>,
    /// Calls that wait for a person, as they were told.
    pub(crate) approvals: Vec<Value>,
    pub(crate) usage: Option<Value>,
    /// Documents that it changed, and whether their files have that.
    pub(crate) saved: Vec<Value>,
    /// What answers.
    pub(crate) model: Option<String>,
    turns: Vec<String>,
}

impl Record {
    pub(crate) fn of(events: &[LoggedEvent]) -> Self {
        let mut record = Self::default();
        for event in events {
            record.add(event);
        }
        record
    }

    fn add(&mut self, event: &LoggedEvent) {
        let payload = &event.payload;
        let text = |name: &str| payload.get(name).and_then(Value::as_str).unwrap_or("");
        match event.kind {
            EventKind::Chunk => {
                self.text.push_str(text("chunk"));
                match self.turns.last_mut() {
                    Some(turn) => turn.push_str(text("chunk")),
                    None => self.turns.push(text("chunk").to_owned()),
                }
            }
            EventKind::Status => {
                if text("status") == "thinking" {
                    self.turns.push(String::new());
                }
                if let Some(model) = payload.get("model").and_then(Value::as_str) {
                    self.model = Some(model.to_owned());
                }
            }
            EventKind::ToolCall => self.call(event),
            EventKind::ToolResult => {
                if !self.executions.iter().any(|known| known.operation == text("operation_id")) {
                    self.call(event);
                }
                self.with(text("operation_id"), |execution| execution.end = Some(payload.clone()));
            }
            EventKind::ApprovalNeeded => {
                self.approvals.push(payload.clone());
                self.with(text("approval_id"), |execution| {
                    (execution.waits, execution.allowed) = (true, false);
                });
            }
            EventKind::ApprovalDecided => {
                let id = text("approval_id");
                self.approvals
                    .retain(|waiting| waiting.get("approval_id").and_then(Value::as_str) != Some(id));
                let approved = text("decision") == "approved";
                self.with(id, |execution| (execution.waits, execution.allowed) = (false, approved));
            }
            EventKind::Usage => self.usage = Some(payload.clone()),
            EventKind::Saved => self.saved.push(payload.clone()),
            EventKind::Suggestion | EventKind::Progress | EventKind::McpStatus => {}
        }
    }

    fn call(&mut self, event: &LoggedEvent) {
        let text = |name: &str| event.payload.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
        let parameters = event.payload.get("parameters").and_then(Value::as_object).cloned();
        self.executions.push(Execution {
            call_id: text("call_id"),
            operation: text("operation_id"),
            tool: text("tool_name"),
            parameters: parameters.unwrap_or_else(Map::new),
            end: None,
            at: event.at,
            turn: self.turns.len(),
            waits: false,
            allowed: true,
        });
    }

    fn with(&mut self, operation: &str, change: impl FnOnce(&mut Execution)) {
        if let Some(found) = self.executions.iter_mut().find(|known| known.operation == operation) {
            change(found);
        }
    }

    /// Calls that began and of which no end is kept.
    pub(crate) fn open_calls(&self) -> impl Iterator<Item = &Execution> {
        self.executions.iter().filter(|execution| execution.end.is_none())
    }

    /// Writes the end of a call that had none, for a run that will not go on.
    pub(crate) fn ended_event(execution: &Execution, fate: &Fate) -> Value {
        let ended = |result: Value, error: Value| {
            json!({
                "call_id": execution.call_id,
                "operation_id": execution.operation,
                "tool_name": execution.tool,
                "status": if error.is_null() { "completed" } else { "error" },
                "result": result,
                "error": error,
                "execution_time": 0.0,
            })
        };
        let (message, outcome) = match (execution.allowed, fate) {
            (true, Fate::Done(done)) => return ended(done_before(done), Value::Null),
            (false, _) => ("the server ended before a person had allowed the call", NOT_DONE),
            (true, Fate::Undone) => ("the server ended before the call did; nothing was done", NOT_DONE),
            (true, Fate::Unknown) => (UNKNOWN_MESSAGE, UNKNOWN),
        };
        let advice = match outcome {
            UNKNOWN => "look at the document before you ask for it again",
            _ => "resume the run, or send the request again",
        };
        let mut error = error(Code::Interrupted, message, advice);
        error["data"]["outcome"] = outcome.into();
        ended(Value::Null, error)
    }

    /// What a model is told of the run, in the order in which it was said.
    pub(crate) fn messages(&self, request: &Request, result_chars: usize) -> Vec<Message> {
        let mut messages = vec![Message::user(request.words())];
        for (index, said) in self.turns.iter().enumerate() {
            // What was cut off before it did anything was never asked for: the model asks again.
            let calls = self.executions.iter().filter(|execution| execution.turn == index + 1);
            let calls: Vec<&Execution> = calls.filter(|execution| !execution.was_cut_off()).collect();
            let said = said.trim_start_matches("\n\n").to_owned();
            if said.is_empty() && calls.is_empty() {
                continue;
            }
            let requests = calls.iter().map(|call| ToolRequest {
                id: call.call_id.clone(),
                name: call.tool.clone(),
                arguments: Value::Object(call.parameters.clone()).to_string(),
            });
            messages.push(Message::Assistant { text: said, calls: requests.collect() });
            messages.extend(calls.iter().map(|call| call.message(result_chars)));
        }
        messages
    }
}

impl Execution {
    fn message(&self, result_chars: usize) -> Message {
        let is_error = self.status() == "error";
        let result = self.end.as_ref().and_then(|end| end.get("result")).filter(|result| !result.is_null());
        let text = match result {
            Some(result) => answered(&result_of(result, is_error), result_chars),
            None => self.error_message().unwrap_or("no answer").to_owned(),
        };
        Message::Tool { call_id: self.call_id.clone(), name: self.tool.clone(), text, is_error }
    }

    fn error_message(&self) -> Option<&str> {
        self.end.as_ref()?.pointer("/error/message")?.as_str()
    }

    /// Whether nobody knows if it was done.
    pub(crate) fn is_unknown(&self) -> bool {
        self.end.as_ref().and_then(|end| end.pointer("/error/data/outcome")?.as_str()) == Some(UNKNOWN)
    }

    /// Whether the end of a process kept it from being made.
    fn was_cut_off(&self) -> bool {
        let said = |path: &str| self.end.as_ref().and_then(|end| end.pointer(path)?.as_str());
        said("/error/data/name") == Some(Code::Interrupted.name())
            && said("/error/data/outcome") == Some(NOT_DONE)
    }

    /// `pending`, `running`, `completed` or `error`.
    pub(crate) fn status(&self) -> &str {
        match &self.end {
            Some(end) => end.get("status").and_then(Value::as_str).unwrap_or("error"),
            None if self.waits => "pending",
            None => "running",
        }
    }

    pub(crate) fn field(&self, name: &str) -> Option<Value> {
        self.end.as_ref()?.get(name).filter(|value| !value.is_null()).cloned()
    }

    /// As the contract writes it; `fine` is its word for a call that went well.
    pub(crate) fn shown(&self, fine: &str, protocol: &str) -> Value {
        let status = match self.status() {
            "completed" => fine,
            other => other,
        };
        json!({
            "tool_name": self.tool,
            "parameters": self.parameters,
            "status": status,
            "result": self.field("result"),
            "error": self.field("error"),
            "execution_time": self.field("execution_time"),
            "timestamp": mcp::timestamp(self.at),
            "mcp_protocol_version": protocol,
            "operation_id": self.operation,
        })
    }
}

/// The answer of a call as far as journals know it.
fn done_before(done: &[Performed]) -> Value {
    let told = done.iter().map(|done| {
        let file = done.path.as_ref().map_or_else(|| done.title.clone(), |path| path.display().to_string());
        let (what, id) = match &done.what {
            PerformedAs::Revision(revision) => ("revision", revision.to_string()),
            PerformedAs::Suggestion(suggestion) => ("suggestion", suggestion.to_string()),
        };
        (
            format!("{} ({what} {id} of {file})", done.summary),
            json!({"file": file, what: id, "summary": done.summary}),
        )
    });
    let (lines, changes): (Vec<String>, Vec<Value>) = told.unzip();
    let text = format!(
        "This was done before the server ended, and is not done again; the rest of its answer is lost.\n- {}",
        lines.join("\n- ")
    );
    json!({
        "content": [{"type": "text", "text": text}],
        "structured_content": {"done_before": changes},
    })
}
