//! Why something was not done.
//!
//! A refusal is an answer: it names the thing, says what was found, and keeps the advice apart, because the
//! reader is often a model that will try again. Doors choose their wire codes in one `match` over this enum,
//! so it is exhaustive on purpose.

use std::borrow::Cow;

use crate::RevisionId;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Something was named that is not there. `nearest` holds what the caller may have meant, best first.
    #[error("{what} `{id}` was not found")]
    NotFound { what: &'static str, id: String, nearest: Vec<String> },

    /// It was there, and is no more; `last` is what it last stood for.
    #[error("{what} `{id}` is gone; it last stood for `{last}`")]
    Gone { what: &'static str, id: String, last: String },

    #[error("`{text}` occurs {count} times in {within}")]
    Ambiguous { text: String, count: usize, within: String, contexts: Vec<String> },

    /// The edit could be made only by damaging something. `instead` says what would be safe.
    #[error("this edit is not safe: {why}")]
    Unsafe { why: String, instead: Option<String> },

    /// A rule of the program that the document belongs to, known to callers by a code of its own.
    #[error("{why}")]
    Rule { code: &'static str, why: String, instead: Option<String> },

    /// The document moved on and the edit no longer has its place.
    #[error("Revision conflict: document has changed. Expected {expected}, current is {current}")]
    Stale { expected: RevisionId, current: RevisionId, why: Option<String> },

    /// An argument that can never work, whatever the document.
    #[error("{field}: {found} is not valid; expected {expected}")]
    Invalid { field: Cow<'static, str>, found: String, expected: String },

    #[error("{what} is not supported")]
    Unsupported { what: String, instead: Option<String> },

    #[error("{what} is {found}, over the limit of {limit}")]
    Limit { what: Cow<'static, str>, found: String, limit: String },

    /// The file is not what its name says, or is damaged.
    #[error("{what} cannot be read: {why}")]
    Corrupt { what: String, why: String },

    #[error("the file is encrypted or protected by a password")]
    Encrypted,

    /// The path policy or the approval policy says no.
    #[error("{what} is not allowed: {why}")]
    Denied { what: String, why: String, instead: Option<String> },

    /// Work that cannot go on while something else holds the document.
    #[error("{path} is locked by {by}")]
    Locked { path: String, by: String },

    /// Saving would have lost what another program wrote.
    #[error("{path} changed on disk since it was read ({change})")]
    ChangedOnDisk { path: String, change: String },

    /// Edits left the document in a state that its own program would complain about. Not what the caller did
    /// wrong, but what we must not write.
    #[error("the edited document has {} new problems: {}", .problems.len(), problem_list(.problems))]
    Damaged { problems: Vec<String> },

    /// Closing would have lost edits that are nowhere else.
    #[error("{what} has unsaved changes")]
    Unsaved { what: String },

    #[error("{what} failed on {path}: {why}")]
    Disk { fault: Fault, what: &'static str, path: String, why: String },

    #[error("cancelled before anything was written")]
    Cancelled,

    /// One of several edits was refused, so none was made. People count from one and programs from zero, so the sentence
    /// says both.
    #[error("edit {} of {count} (index {index}): {cause}", .index + 1)]
    InBatch { index: usize, count: usize, cause: Box<Refusal> },

    /// A defect of ours, caught before it could reach the file.
    #[error("internal check failed: {why}")]
    Internal { why: String },
}

/// What the operating system said, as far as a caller can act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Missing,
    Permission,
    NoSpace,
    NotAFile,
    Other,
}

impl Refusal {
    pub fn invalid(
        field: impl Into<Cow<'static, str>>,
        found: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Invalid { field: field.into(), found: found.to_string(), expected: expected.into() }
    }

    pub fn not_found(what: &'static str, id: impl Into<String>) -> Self {
        Self::NotFound { what, id: id.into(), nearest: Vec::new() }
    }

    pub fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), instead: None }
    }

    pub fn internal(why: impl Into<String>) -> Self {
        Self::Internal { why: why.into() }
    }

    /// A refusal of one of so many edits; of the only one it is the refusal itself.
    #[must_use]
    pub fn in_batch(self, index: usize, count: usize) -> Self {
        match count {
            1 => self,
            _ => Self::InBatch { index, count, cause: Box::new(self) },
        }
    }

    /// Why the one edit of a batch was refused for which none was made.
    pub fn innermost(&self) -> &Refusal {
        match self {
            Self::InBatch { cause, .. } => cause.innermost(),
            other => other,
        }
    }

    /// What the caller may try next.
    pub fn hint(&self) -> Option<Cow<'_, str>> {
        let fixed = |text: &'static str| Some(Cow::Borrowed(text));
        match self {
            Self::NotFound { nearest, .. } => match nearest.as_slice() {
                [] => None,
                [one] => Some(format!("nearest: {one}").into()),
                many => Some(format!("nearest: {}", many.join(", ")).into()),
            },
            Self::Gone { .. } => fixed("read the document again and use a current id"),
            Self::Ambiguous { contexts, .. } if contexts.is_empty() => {
                fixed("quote more of the surrounding text")
            }
            Self::Ambiguous { contexts, .. } => {
                Some(format!("quote more of the surrounding text; found at: {}", contexts.join(" | ")).into())
            }
            Self::Unsafe { instead, .. }
            | Self::Rule { instead, .. }
            | Self::Unsupported { instead, .. }
            | Self::Denied { instead, .. } => instead.as_deref().map(Cow::Borrowed),
            Self::Stale { why, .. } => match why {
                Some(why) => Some(format!("{why}; read the document again and repeat the edit").into()),
                None => fixed("read the document again and repeat the edit with its current revision"),
            },
            Self::Limit { .. } => fixed("the limit can be raised when the server is started"),
            Self::Encrypted => fixed("save a copy without the password and open that"),
            Self::Locked { .. } => fixed("close it there, or save under another name"),
            Self::ChangedOnDisk { .. } => fixed(
                "reload to take the other program's changes in, save under another name, or overwrite explicitly",
            ),
            Self::Damaged { .. } => fixed("undo the last edits and make them in another way"),
            Self::Unsaved { .. } => fixed("save it first, or pass force to discard the changes"),
            Self::InBatch { cause, .. } => cause.hint(),
            Self::Invalid { .. } | Self::Corrupt { .. } | Self::Cancelled | Self::Internal { .. } => None,
            Self::Disk { fault, .. } => match fault {
                Fault::Missing => fixed("check the path; relative paths start at the first root"),
                Fault::NoSpace => fixed("nothing was changed; free some space and save again"),
                Fault::Permission | Fault::NotAFile | Fault::Other => None,
            },
        }
    }
}

fn problem_list(problems: &[String]) -> String {
    const SHOWN: usize = 5;
    let more = problems.len().saturating_sub(SHOWN);
    let mut text = problems.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    text
}
