//! What a tool says when it could not do what it was asked.
//!
//! The reader is a model that will try again, so an error is a code, what was found, what to try, and
//! whether anything was written. It goes out as a tool result, because clients show those to the model and
//! protocol errors only to their log.

use std::{borrow::Cow, fmt::Write as _};

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq)]
pub struct ToolError {
    pub code: Cow<'static, str>,
    /// What was found, as a sentence without its full stop.
    pub message: String,
    /// What to try instead.
    pub hint: Option<String>,
    /// What had been changed by the time the tool failed; `None` when nothing was.
    pub written: Option<String>,
    /// The same for programs.
    pub data: Option<Box<Value>>,
}

impl ToolError {
    pub const INVALID_ARGUMENT: &str = "INVALID_ARGUMENT";
    pub const CANCELLED: &str = "CANCELLED";
    pub const INTERNAL: &str = "INTERNAL_ERROR";
    pub const RESULT_TOO_LARGE: &str = "RESULT_TOO_LARGE";

    pub fn new(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: None, written: None, data: None }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_ARGUMENT, message)
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    /// The whole error for a model's eyes; some clients show it nothing else.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}: {}", self.code, self.message);
        if !text.ends_with(['.', '?', '!', '\n']) {
            text.push('.');
        }
        match &self.written {
            None => text.push_str(" Nothing was changed."),
            Some(written) => {
                let _ = write!(text, " Already changed: {written}.");
            }
        }
        if let Some(hint) = &self.hint {
            let _ = write!(text, "\nHint: {hint}");
        }
        text
    }

    /// The same for programs, which read it from the result's metadata.
    pub(crate) fn record(&self) -> Value {
        let mut record =
            json!({ "code": self.code, "message": self.message, "written": self.written.is_some() });
        if let Some(hint) = &self.hint {
            record["hint"] = json!(hint);
        }
        if let Some(data) = &self.data {
            record["data"] = (**data).clone();
        }
        record
    }
}
