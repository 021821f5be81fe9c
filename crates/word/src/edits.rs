//! The third floor: edits of a document, as splices of its bytes.
//!
//! Each edit is a file: what it asks for, and the plan that does it. Below them stands what they share: a paragraph
//! opened for an edit, the rewriting of a text, and what is seen to on every finished patch. Nothing here knows the
//! vocabulary of operations, or that there is a list of all edits.

// A paragraph on the table: its bytes, its tree, its spelling.
pub(crate) mod anatomy;
pub(crate) mod dialect;
pub(crate) mod marks;
pub(crate) mod open_paragraph;
pub(crate) mod run_properties;
pub(crate) mod run_siblings;
pub(crate) mod schema;

// How a text becomes another one.
pub(crate) mod emphasis;
pub(crate) mod rewrite;
pub(crate) mod roles;
pub(crate) mod surgeon;

// The edits, and what they report.
pub(crate) mod bookmark;
pub(crate) mod changes;
pub(crate) mod comment;
pub(crate) mod controls;
pub(crate) mod delete;
mod form;
mod gone_fields;
pub(crate) mod insert;
mod kept_fields;
pub(crate) mod kept_marks;
pub(crate) mod link;
pub(crate) mod note;
pub(crate) mod outcome;
mod paragraph_list;
pub(crate) mod redline;
pub(crate) mod replace;
pub(crate) mod running;
pub(crate) mod template;

// What goes with them.
mod anchorage;
mod broken_targets;
mod control;
mod control_state;
mod data_bound;
pub(crate) mod draft;
mod fallback;
pub(crate) mod finish;
pub(crate) mod lint;
mod orphans;
mod quoted_ranges;
pub(crate) mod revision_ids;
mod side_part;

use edit::{Level, Note, Refusal};
use serde::{Deserialize, Serialize};

pub(crate) use control_state::operate_telling;
pub(crate) use delete::as_deleted;
pub(crate) use draft::Draft;
pub(crate) use insert::{body_look, check_controls, is_plain, plain_near};
pub(crate) use orphans::take_along;

use crate::document::ids::ParagraphId;
use crate::document::tables::{Position, TableId};
use crate::document::view::{Place, View};
use crate::text::quotation::{excerpt, text_hash};
pub use bookmark::{DeleteBookmark, RenameBookmark};
pub use comment::{AddComment, DeleteComment, ReplyToComment, ResolveComment};
pub use link::{AddBookmark, AddHyperlink};
pub use note::{AddNote, DeleteNote, NoteKind, UpdateNote};
pub use outcome::Outcome;
pub use redline::{Difference, Redline, RedlinedPart};
pub use running::{Edge, Pages, SetRunningText};
pub use template::FillTemplate;

/// Whether a change is made, or made as a tracked change that somebody can still reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Markup {
    #[default]
    Plain,
    Tracked,
}

/// Replace one stretch of text in a paragraph. Words that both texts share keep their formatting; semantic
/// tags in `new` override it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaceText {
    pub paragraph: ParagraphId,
    /// As it was read; small differences in quotes and blanks are forgiven, more than one place is not.
    pub old: String,
    pub new: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    #[serde(default)]
    pub markup: Markup,
    /// The replaced text loses its highlight, as a placeholder does that somebody fills in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub clear_highlight: bool,
}

/// Insert paragraphs beside another one. A blank line starts a new paragraph, a line end a new line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertParagraphs {
    pub anchor: ParagraphId,
    pub position: Position,
    pub text: String,
    /// The paragraph to look like; the anchor if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style_source: Option<ParagraphId>,
    #[serde(default)]
    pub markup: Markup,
}

/// The same directly before or behind a table, also where no paragraph stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertBesideTable {
    pub table: TableId,
    pub position: Position,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style_source: Option<ParagraphId>,
    #[serde(default)]
    pub markup: Markup,
}

/// Insert a table beside a paragraph: rows of cells with their texts, each line a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertTable {
    pub anchor: ParagraphId,
    pub position: Position,
    pub rows: Vec<Vec<String>>,
    #[serde(default)]
    pub markup: Markup,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteParagraph {
    pub paragraph: ParagraphId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    #[serde(default)]
    pub markup: Markup,
}

/// What the caller believes the paragraph says; the edit is refused if it says something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expect {
    /// See [`text_hash`].
    pub text_hash: String,
}

fn check_expected(view: &View, place: Place, expect: Option<&Expect>, text: &str) -> Result<(), Refusal> {
    match expect {
        Some(expect) if expect.text_hash != text_hash(text) => Err(Refusal::Rule {
            code: "TEXT_CHANGED",
            why: format!("paragraph {} no longer says what was expected", view.id(place)),
            instead: Some(format!("now it says `{}`; read it again and repeat the edit", excerpt(text))),
        }),
        _ => Ok(()),
    }
}

/// Says of new text that it has what a page shows in the place of a note, a comment or a picture: there it is a mark,
/// in new text it is characters like all others.
fn told_of_marks(text: &str) -> Option<Note> {
    let mark = text.match_indices('[').find_map(|(at, _)| {
        let inner = text.get(at + 1..)?.split_once(']')?.0;
        let comment = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let is_mark = inner.strip_prefix('^').is_some_and(|mark| !mark.is_empty() && mark.len() < 8)
            || inner.strip_prefix('c').is_some_and(comment)
            || ["image: ", "equation: "].iter().any(|kind| inner.starts_with(kind));
        is_mark.then_some(inner)
    })?;
    let text = format!("`[{mark}]` was written as these characters; it makes no note, comment or picture");
    Some(Note { level: Level::Warning, text })
}

/// Text as it will be written: line ends as `\n`, and nothing that no XML file can hold.
pub(crate) fn clean(field: &'static str, text: &str) -> Result<String, Refusal> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // A page break has a character that XML does not; it becomes an element.
    match ooxml::xml::first_illegal(&text.replace('\u{c}', "")) {
        Some(character) => {
            let found = format!("the control character U+{:04X}", u32::from(character));
            Err(Refusal::invalid(field, found, "text without control characters"))
        }
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests;
