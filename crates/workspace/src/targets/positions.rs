//! Where in a document a change is meant, and the edit of its format that this comes to.
//!
//! Positions are resolved in the revision that they were read in, which the edit is then made for: what others did since
//! is for the engines to follow. A position that fits no place, or several, is refused.

mod cells;
mod prose;
mod word;

use std::ops::Range;

use edit::Refusal;
use serde::Serialize;

use crate::document::moving_ranges::Selection;
use crate::ids::RangeId;

pub(crate) use cells::{cell_edit, shown as shown_cell};
pub(crate) use prose::{prose_edit, text_blocks};
pub(crate) use word::{said as word_said, word_edit};

/// A place, as a caller names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// By its number, from 0: a paragraph of the body of a Word document, a block that holds text in Markdown.
    Paragraph(usize),
    /// A paragraph by its id, or by a bookmark that starts in it.
    ParagraphId(String),
    /// A block of Markdown by its id, or a heading by its title.
    Block(String),
    /// Where the range is by now.
    Range(RangeId),
    /// A cell, or cells, of a workbook: by address, name or table.
    Cell(String),
    /// The one place where this text stands, between the others if they are not empty.
    Text { text: String, before: String, after: String },
}

/// Characters of a paragraph in UTF-16 units, as Word and JavaScript count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Characters {
    pub at: usize,
    pub length: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Before,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    Insert,
    Replace,
    Delete,
}

/// One change at a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PositionedChange {
    pub act: Act,
    pub position: Position,
    /// Which characters of the paragraph; all of them if that is not said.
    pub characters: Option<Characters>,
    /// Beside what the position names, as a paragraph or block of its own; beside a text or range, next to it.
    pub side: Option<Side>,
    pub content: String,
}

/// A change whose words are understood: what becomes of what the position names.
enum Meant {
    /// All of it becomes this.
    Whole(String),
    DeleteWhole,
    /// These characters of it become this.
    Part(Characters, String),
    Beside(Side, String),
}

/// A range that was given a name, if the change speaks of one.
pub(crate) type NamedPlace<'a> = Option<&'a Selection>;

impl PositionedChange {
    fn meant(&self) -> Result<Meant, Refusal> {
        let content = self.content.clone();
        if self.act != Act::Delete && content.is_empty() {
            let expected = "the text to put there; to take text away, use the type delete";
            return Err(Refusal::invalid("content", "an empty text", expected));
        }
        match (self.act, self.characters, self.side) {
            (Act::Insert, None, Some(side)) => Ok(Meant::Beside(side, content)),
            (Act::Insert, Some(Characters { length: 0, at }), None) => {
                Ok(Meant::Part(Characters { at, length: 0 }, content))
            }
            (Act::Insert, Some(Characters { length, .. }), None) => {
                Err(Refusal::invalid("position.length", length, "no length: an insertion replaces nothing"))
            }
            (Act::Insert, None, None) if matches!(self.position, Position::Cell(_)) => {
                Ok(Meant::Part(Characters { at: 0, length: 0 }, content))
            }
            (Act::Insert, ..) => Err(Refusal::invalid(
                "position",
                "one that does not say where to insert",
                "either `character`, or `place`: before or after",
            )),
            (_, _, Some(_)) => Err(Refusal::invalid(
                "position.place",
                "beside what is named",
                "a `place` for insertions only",
            )),
            (_, Some(Characters { length: 0, .. }), None) => {
                let expected = "the number of UTF-16 units that it is about, or no `character` for all of it";
                Err(Refusal::invalid("position.length", "nothing", expected))
            }
            (Act::Replace, Some(characters), None) => Ok(Meant::Part(characters, content)),
            (Act::Delete, Some(characters), None) => Ok(Meant::Part(characters, String::new())),
            (Act::Replace, None, None) => Ok(Meant::Whole(content)),
            (Act::Delete, None, None) => Ok(Meant::DeleteWhole),
        }
    }
}

/// The bytes of these UTF-16 units of a text.
fn bytes_of(text: &str, Characters { at, length }: Characters) -> Result<Range<usize>, Refusal> {
    let units = text.encode_utf16().count();
    let end = at.checked_add(length).filter(|end| *end <= units).ok_or_else(|| {
        let found = if length == 0 { at.to_string() } else { format!("{at} and {length} more") };
        Refusal::invalid("position.character", found, format!("a place within the {units} characters there"))
    })?;
    let byte = |unit: usize| {
        let mut seen = 0;
        let starts = text.char_indices().map(|(byte, character)| {
            let unit = seen;
            seen += character.len_utf16();
            (unit, byte)
        });
        let starts: Vec<(usize, usize)> = starts.chain([(units, text.len())]).collect();
        let found = starts.into_iter().find(|(start, _)| *start == unit).map(|(_, byte)| byte);
        let expected = "a place between two characters, not inside a surrogate pair";
        found.ok_or_else(|| Refusal::invalid("position.character", unit, expected))
    };
    Ok(byte(at)?..byte(end)?)
}

/// Where a text stands, with what is around it if that is said. It has to be one place.
fn only_place(whole: &str, text: &str, before: &str, after: &str) -> Result<Range<usize>, Refusal> {
    let found = places(whole, text, before, after);
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Refusal::not_found("text", text)),
        several => Err(Refusal::Ambiguous {
            text: text.to_owned(),
            count: several.len(),
            within: "the document".to_owned(),
            contexts: Vec::new(),
        }),
    }
}

/// All places where a text stands between these two.
fn places(whole: &str, text: &str, before: &str, after: &str) -> Vec<Range<usize>> {
    if text.is_empty() {
        return Vec::new();
    }
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = whole.get(from..).and_then(|rest| rest.find(text)).map(|at| from + at) {
        let range = at..at + text.len();
        let led = whole.get(..range.start).is_some_and(|lead| lead.ends_with(before));
        let followed = whole.get(range.end..).is_some_and(|rest| rest.starts_with(after));
        if led && followed {
            found.push(range);
        }
        // Places may overlap, and then it is not one place.
        from = at + text.chars().next().map_or(1, char::len_utf8);
    }
    found
}

fn not_in(what: &str, kind: &str, instead: &str) -> Refusal {
    Refusal::Unsupported {
        what: format!("a position by {what} in {kind}"),
        instead: Some(instead.to_owned()),
    }
}

fn too_far(index: usize, count: usize) -> Refusal {
    let expected = match count {
        0 => "another position: the document has no paragraph".to_owned(),
        count => format!("a number from 0 to {}", count - 1),
    };
    Refusal::invalid("position.paragraph", index, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_as_javascript_counts_them() {
        let text = "a😀é";
        let range = |at, length| bytes_of(text, Characters { at, length });
        assert_eq!(range(0, 1).unwrap(), 0..1);
        assert_eq!(range(1, 2).unwrap(), 1..5);
        assert_eq!(range(4, 0).unwrap(), 7..7);
        assert!(range(2, 1).is_err());
        assert!(range(3, 2).is_err());
        assert!(range(usize::MAX, 2).is_err());
    }

    /// Journals of earlier versions hold prints of this, by which a request that is sent again is known.
    #[test]
    fn a_change_is_written_down_as_it_was_yesterday() {
        let change = PositionedChange {
            act: Act::Insert,
            position: Position::Text { text: "one".into(), before: String::new(), after: "two".into() },
            characters: Some(Characters { at: 1, length: 0 }),
            side: Some(Side::After),
            content: "x".into(),
        };
        let written = serde_json::to_string(&change).unwrap();
        let yesterday = r#"{"act":"insert","position":{"text":{"text":"one","before":"","after":"two"}},"characters":{"at":1,"length":0},"side":"after","content":"x"}"#;
        assert_eq!(written, yesterday);
        let range = serde_json::to_string(&Position::Paragraph(3)).unwrap();
        assert_eq!(range, r#"{"paragraph":3}"#);
    }

    #[test]
    fn a_text_is_one_place_or_none() {
        assert_eq!(only_place("one two one", "two", "", "").unwrap(), 4..7);
        assert_eq!(only_place("one two one", "one", "two ", "").unwrap(), 8..11);
        assert!(matches!(only_place("one two one", "one", "", ""), Err(Refusal::Ambiguous { count: 2, .. })));
        assert!(matches!(only_place("aaa", "aa", "", ""), Err(Refusal::Ambiguous { count: 2, .. })));
        assert!(matches!(only_place("one", "two", "", ""), Err(Refusal::NotFound { .. })));
    }
}
