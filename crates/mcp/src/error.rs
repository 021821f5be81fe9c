//! What a tool says when it could not do what it was asked.
//!
//! The reader is a model that will try again, so an error is a code, what was found, what to try, and
//! whether anything was written. It goes out as a tool result, because clients show those to the model and
//! protocol errors only to their log.

use std::{borrow::Cow, fmt::Write as _};

use serde_json::{Value, json};
use workspace::{Kind, Refusal};

use crate::codes::{Dialect, code};

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
    pub(crate) const CANCELLED: &str = "CANCELLED";
    pub(crate) const INTERNAL: &str = "INTERNAL_ERROR";
    pub(crate) const RESULT_TOO_LARGE: &str = "RESULT_TOO_LARGE";

    pub fn new(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: None, written: None, data: None }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_ARGUMENT, message)
    }

    /// The work was stopped because its time was over.
    pub(crate) fn timed_out(after: std::time::Duration) -> Self {
        let message = format!("the call took longer than {} seconds and was stopped", after.as_secs());
        Self::new("TIMED_OUT", message).hint("ask for less at a time")
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// As [`ToolError::hint`], unless there is one.
    #[must_use]
    pub(crate) fn hint_if_none(self, hint: &str) -> Self {
        if self.hint.is_some() { self } else { self.hint(hint) }
    }

    /// The same of this place in the arguments.
    #[must_use]
    pub(crate) fn within(mut self, place: impl std::fmt::Display) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    /// A refusal with the code that clients of this kind of document know it by.
    pub fn on(kind: Kind, refusal: Refusal) -> Self {
        let dialect = if kind == Kind::Word { Dialect::Word } else { Dialect::General };
        Self::told(dialect, refusal)
    }

    /// A refusal in the words of a dialect.
    pub(crate) fn told(dialect: Dialect, refusal: Refusal) -> Self {
        let data = match refusal.innermost() {
            Refusal::NotFound { nearest, .. } if !nearest.is_empty() => Some(json!({ "nearest": nearest })),
            Refusal::Ambiguous { count, contexts, .. } => {
                Some(json!({ "count": count, "contexts": contexts }))
            }
            Refusal::Damaged { problems } => Some(json!({ "problems": problems })),
            Refusal::Stale { current, .. } if dialect == Dialect::Prose => {
                Some(json!({ "currentRevision": current.to_string() }))
            }
            Refusal::Stale { expected, current, .. } => {
                Some(json!({ "expected": expected.to_string(), "current": current.to_string() }))
            }
            _ => None,
        };
        Self {
            code: code(dialect, &refusal).into(),
            message: match refusal.innermost() {
                // The document is the one that the caller knows; what the edit was made for is not in it.
                Refusal::Stale { expected, current, why: Some(why) } if expected == current => {
                    format!("what the edit was made for is no longer there: {why}")
                }
                _ => refusal.to_string(),
            },
            hint: match refusal.innermost() {
                Refusal::Stale { expected, current, why: Some(_) } if expected == current => {
                    Some("read the document again, and make the change anew where it belongs".to_owned())
                }
                Refusal::ChangedOnDisk { .. } => Some(
                    "workspace_open_document with reload=true takes the other program's changes in; or save under another name"
                        .to_owned(),
                ),
                _ => refusal.hint().map(Cow::into_owned),
            },
            written: None,
            data: data.map(Box::new),
        }
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

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        Self::told(Dialect::General, refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_whole() {
        let refusal = Refusal::Ambiguous {
            text: "termination".into(),
            count: 3,
            within: "p_17".into(),
            contexts: Vec::new(),
        };
        let error = ToolError::from(Refusal::InBatch { index: 2, count: 5, cause: Box::new(refusal) });
        assert_eq!(
            error.text(),
            "AMBIGUOUS: edit 3 of 5 (index 2): `termination` occurs 3 times in p_17. Nothing was changed.\n\
             Hint: quote more of the surrounding text"
        );
        assert_eq!(error.record()["data"]["count"], 3);
    }
}
