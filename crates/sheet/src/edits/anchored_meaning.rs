//! What an edit that has to wait speaks of, as it is kept beside it.
//!
//! `anchor` makes it and reads it; nobody else looks inside.

use serde::{Deserialize, Serialize};

/// What an edit speaks of, as it was when the edit was made, and where that is by now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchoredMeaning {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::edits) sheets: Vec<HeldSheet>,
    /// Sheets that were not there, which an earlier edit of the same batch makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::edits) awaited: Vec<String>,
    /// Sheet parts that came to be since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::edits) born: Vec<String>,
    /// The sheet with the table that the edit names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::edits) table_on: Option<String>,
    /// What would be overwritten or taken away, with formulas as they read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::edits) seen: Option<String>,
    /// The same with formulas without their references, which change where lines come and go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::edits) form: Option<String>,
}

/// A sheet that an edit speaks of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::edits) struct HeldSheet {
    /// As the edit calls it.
    pub(in crate::edits) name: String,
    pub(in crate::edits) part: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::edits) rows: Vec<Line>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::edits) columns: Vec<Line>,
    /// Where the tag around its rows starts, whose first bytes are marks; see `anchor::lines`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::edits) mark: Option<usize>,
    /// Nothing of the sheet may change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(in crate::edits) whole: bool,
}

/// A row or column, and the tags that say where it is by now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::edits) struct Line {
    /// Where it was, counted from zero.
    pub(in crate::edits) line: u32,
    /// No line of its axis came or went since, so that is where it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(in crate::edits) still: bool,
    /// Tags of the line itself; any of them will do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::edits) own: Vec<Tag>,
    /// The nearest before and behind a line that has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::edits) before: Option<Tag>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::edits) behind: Option<Tag>,
    /// What stands beside it is not known, or not all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(in crate::edits) frayed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::edits) struct Tag {
    /// Where it starts in the part.
    pub(in crate::edits) at: usize,
    /// The line it stood for.
    pub(in crate::edits) line: u32,
}
