//! What an edit has to report beside its patch.

mod answer;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::ids::ParagraphId;
use crate::document::span::Span;
use crate::edits::changes::Resolution;
use crate::edits::redline::Difference;

pub use answer::{Answer, Hit, RangeOf, StyleList, StyleName};

/// What an edit has to report beside its patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    Replaced {
        paragraph: ParagraphId,
        before: String,
        after: String,
    },
    Inserted {
        paragraphs: Vec<ParagraphId>,
    },
    /// `kept`: the paragraph had to stay, without its text.
    Deleted {
        paragraph: ParagraphId,
        text: String,
        kept: bool,
    },
    Compared {
        differences: Vec<Difference>,
    },
    Commented {
        comment: String,
    },
    /// A note by its mark (`[^2]`), its first paragraph, and what it said and says.
    Noted {
        note: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        paragraph: Option<ParagraphId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// The name of the bookmark, or what the link points at.
    Linked {
        name: String,
    },
    /// How often each value was put in, values that had no place, and placeholders that had no value.
    Filled {
        filled: BTreeMap<String, usize>,
        unused: Vec<String>,
        missing: Vec<String>,
    },
    /// The ids of the changes that were accepted or rejected.
    Resolved {
        resolution: Resolution,
        changes: Vec<String>,
    },
    Op {
        answer: Answer<Span>,
    },
    /// One answer for each operation, in bytes of the document after all of them.
    Ops {
        answers: Vec<Answer<Span>>,
        /// Where an operation put the selection.
        selection: Option<Span>,
    },
}
