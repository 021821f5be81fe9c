//! What is to be decided, in the words of whoever decides: where it stands, what is there, what would be.

use schemars::JsonSchema;
use serde::Serialize;
use workspace::{
    PartName, Shown,
    markdown::Section,
    word::{Change, ChangeKind, Place, Side, View, changes},
};

use crate::error::ToolError;

/// A stretch of a document, as it is and as it would be.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stretch {
    place: String,
    before: String,
    after: String,
}

/// A tracked change with its place.
pub(crate) struct PlacedChange {
    pub(crate) change: Change,
    /// The part, in the order people read them, and the byte in it.
    pub(crate) position: (usize, usize),
    pub(crate) shown: Shown,
    /// What the paragraph says with every change in it accepted.
    pub(crate) context: Option<String>,
}

/// Bytes that one item tells of what would change. With escapes, six times of it still fit into an answer.
const MOST: usize = 12_000;

const CONTEXT: usize = 400;

/// As much of what would change as one item tells, and how many characters are left out.
pub(crate) fn stretches(shown: &[Shown]) -> (Vec<Stretch>, usize) {
    let (mut told, mut room, mut left_out) = (Vec::new(), MOST, 0);
    for Shown { place, before, after } in shown {
        if room == 0 {
            left_out += before.chars().count() + after.chars().count();
            continue;
        }
        // At least half for each side, so that a long text that goes does not hide the one that comes.
        let mut cut = |text: &str, other: &str| {
            let most = (room / 2).max(room.saturating_sub(other.len()));
            let end = text.floor_char_boundary(most.min(text.len()));
            let (kept, rest) = text.split_at(end);
            left_out += rest.chars().count();
            kept.to_owned()
        };
        let (before, after) = (cut(before, after), cut(after, before));
        room = room.saturating_sub(before.len() + after.len() + place.len());
        told.push(Stretch { place: workspace::excerpt(place, CONTEXT), before, after });
    }
    (told, left_out)
}

/// Word's tracked changes in reading order. `parts` are the stories in their order.
pub(crate) fn tracked(view: &View, parts: &[PartName]) -> Result<Vec<PlacedChange>, ToolError> {
    let mut found = Vec::new();
    // What stands in no paragraph, such as a row, is where the one before it is.
    let mut position = (0, 0);
    for change in changes(view)? {
        let at = change.paragraph.and_then(|id| view.place_of(id));
        if let Some(at) = at
            && let Some(part) = parts.iter().position(|part| view.part_of(at) == Some(part))
        {
            position = (part, view.span(at).start);
        }
        let context = match at {
            Some(at) => Some(view.paragraph(at)?.text(Side::Final).text).filter(|text| !text.is_empty()),
            None => None,
        };
        let place = place(view, &change, at);
        let (before, after) = sides(&change);
        let shown = Shown { place, before, after };
        let context = context.map(|text| around(&text, &change.text));
        found.push(PlacedChange { change, position, shown, context });
    }
    Ok(found)
}

/// The headings that a place stands under, the widest first.
pub(crate) fn headings(sections: &[Section], at: usize) -> Option<String> {
    let around = sections.iter().filter(|section| section.range.contains(&at));
    let titles: Vec<&str> = around.map(|section| section.title.as_str()).collect();
    (!titles.is_empty()).then(|| workspace::excerpt(&titles.join(" > "), CONTEXT))
}

fn place(view: &View, change: &Change, at: Option<Place>) -> String {
    let Some(at) = at else { return change.story.clone() };
    let story = view.story_of(at);
    let number = view.story(story).position(|place| place == at).map_or(0, |index| index + 1);
    match change.story.as_str() {
        "body" => format!("paragraph {number}"),
        story => format!("{story}, paragraph {number}"),
    }
}

fn sides(change: &Change) -> (String, String) {
    use ChangeKind::*;
    let text = || change.text.clone();
    match change.kind {
        Insertion | MoveTo | ParagraphInsertion | RowInsertion | CellInsertion | ControlInsertion => {
            (String::new(), text())
        }
        Deletion | MoveFrom | ParagraphDeletion | RowDeletion | CellDeletion | ControlDeletion => {
            (text(), String::new())
        }
        // They change how the text looks, not what it says.
        CellMerge | Formatting | Numbering => (text(), text()),
    }
}

/// A long paragraph is shown near what changed in it.
fn around(paragraph: &str, changed: &str) -> String {
    if paragraph.len() <= CONTEXT {
        return paragraph.to_owned();
    }
    let at = paragraph.find(changed).filter(|_| !changed.is_empty()).unwrap_or(0);
    let start = paragraph.floor_char_boundary(at.saturating_sub(CONTEXT / 2));
    let end = paragraph.floor_char_boundary((start + CONTEXT).min(paragraph.len()));
    let before = if start > 0 { "…" } else { "" };
    let behind = if end < paragraph.len() { "…" } else { "" };
    format!("{before}{}{behind}", paragraph.get(start..end).unwrap_or(paragraph))
}

/// Some less than an answer may have.
const PAGE_BYTES: usize = 80_000;

/// As many as an answer has room for, but at least one.
pub(crate) fn page<T: Serialize>(
    all: impl Iterator<Item = Result<T, ToolError>>,
) -> Result<Vec<T>, ToolError> {
    let (mut page, mut size) = (Vec::new(), 0);
    for one in all {
        let one = one?;
        let written = serde_json::to_string(&one)
            .map_err(|error| ToolError::new(ToolError::INTERNAL, error.to_string()))?;
        size += written.len();
        if size > PAGE_BYTES && !page.is_empty() {
            break;
        }
        page.push(one);
    }
    Ok(page)
}
