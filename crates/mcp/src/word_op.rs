//! `word.op` on the wire: the envelope, its arguments and aliases, and how an operation is written back.
//!
//! Strict where a mistake would do something else than was meant, lenient where only one thing can be meant.
//! Every message names the field, what was found and what would do.

mod args;
mod read;
mod run;
mod write;

use serde_json::{Map, Value};
use workspace::word::op::Op;
use workspace::{FetchError, Refusal};

use crate::codes::{self, Dialect};
use crate::error::ToolError;

pub(crate) use read::{Action, operation, simple};
pub(crate) use run::{Setting, carry_out, data, remarks};
pub(crate) use write::envelope;

pub use run::{Operated, operate};

/// Why an operation was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) messages: Vec<String>,
}

impl Failure {
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self { code: "E_INVALID_ARG", messages: vec![message.into()] }
    }

    /// What the tool said before there was an operation to carry out.
    pub(crate) fn of_tool(error: &ToolError) -> Self {
        let messages = std::iter::once(error.message.clone()).chain(error.hint.clone()).collect();
        Self { code: codes::of_operation(error), messages }
    }

    /// The same of a tool that is not about operations alone.
    pub(crate) fn into_tool_error(self) -> ToolError {
        let mut messages = self.messages.into_iter();
        let error = ToolError::new(self.code, messages.next().unwrap_or_default());
        messages.next().into_iter().fold(error, ToolError::hint)
    }

    pub(crate) fn required(field: &str) -> Self {
        Self::invalid(format!("{field} required"))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let mut messages = vec![refusal.to_string()];
        messages.extend(refusal.hint().map(|hint| hint.into_owned()));
        Self { code: codes::code(Dialect::Operation, &refusal), messages }
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Refused(refusal) => refusal.into(),
            FetchError::Unreachable { url, why } => {
                Self { code: "E_RUNTIME", messages: vec![format!("`{url}` cannot be fetched: {why}")] }
            }
            FetchError::TimedOut { url } => {
                Self { code: "E_TIMEOUT", messages: vec![format!("`{url}` did not answer in time")] }
            }
        }
    }
}

/// An operation that was asked for, with what is to be said about the asking.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OperationCall {
    pub(crate) op: Op,
    pub(crate) warnings: Vec<String>,
}

/// What is to be said beside an answer, with its level.
pub(crate) type Remark = (&'static str, String);

/// Data and diagnostics.
pub(crate) type Said = Result<(Map<String, Value>, Vec<Remark>), Failure>;

/// The result of an operation in the agreed form.
pub(crate) fn response(op: &str, outcome: Said) -> Map<String, Value> {
    let mut response = Map::new();
    let diagnostic = |level: &str, msg: String| serde_json::json!({ "level": level, "msg": msg });
    response.insert("ok".to_owned(), outcome.is_ok().into());
    response.insert("op".to_owned(), op.into());
    match outcome {
        Ok((data, diagnostics)) => {
            response.insert("data".to_owned(), Value::Object(data));
            if !diagnostics.is_empty() {
                let all: Vec<Value> =
                    diagnostics.into_iter().map(|(level, msg)| diagnostic(level, msg)).collect();
                response.insert("diagnostics".to_owned(), all.into());
            }
        }
        Err(failure) => {
            response.insert("code".to_owned(), failure.code.into());
            let all: Vec<Value> = failure.messages.into_iter().map(|msg| diagnostic("error", msg)).collect();
            response.insert("diagnostics".to_owned(), all.into());
        }
    }
    response
}

#[cfg(test)]
mod tests;
