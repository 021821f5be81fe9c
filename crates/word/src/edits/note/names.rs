//! How a note is called: by the mark that readers see, or by the id of one of its paragraphs.
//!
//! The ids of the file (`w:id`) are nobody's names: nothing prints them, and Word counts them on when notes are deleted, so
//! that the number on the page is the id of another note.

use edit::Refusal;

use super::Spelling;
use crate::document::ids::ParagraphId;
use crate::document::index::BoxKind;
use crate::document::layout::Story;
use crate::document::paragraph::Side;
use crate::document::view::{Place, View};

/// A note that was found.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// In the file.
    pub(super) id: String,
    /// `[^2]`; a note that nothing refers to has none.
    pub(super) mark: Option<String>,
    /// Among those that are referred to, from 1.
    order: Option<usize>,
    pub(super) places: Vec<Place>,
}

impl Known {
    /// For people: the mark, or the id of its first paragraph.
    pub(super) fn called(&self, view: &View) -> String {
        let paragraph = || self.paragraph(view).map(|id| id.to_string());
        self.mark.clone().or_else(paragraph).unwrap_or_else(|| "without text".to_owned())
    }

    pub(super) fn paragraph(&self, view: &View) -> Option<ParagraphId> {
        self.places.first().map(|place| view.id(*place))
    }

    /// What it says, a line for each paragraph.
    pub(super) fn text(&self, view: &View) -> Result<String, Refusal> {
        let mut lines = Vec::with_capacity(self.places.len());
        for place in &self.places {
            lines.push(view.paragraph(*place)?.text(Side::Final).text.trim().to_owned());
        }
        Ok(lines.join("\n"))
    }
}

/// All notes of a kind, in the order of their part.
pub(super) fn all(view: &View, spelling: &Spelling) -> Vec<Known> {
    let numbers = view.note_numbers();
    let mut known: Vec<Known> = Vec::new();
    for place in view.story(spelling.story) {
        let Some(owner) = view.owner(place).filter(|owner| !owner.special) else { continue };
        match known.last_mut().filter(|last| last.id == owner.id) {
            Some(last) => last.places.push(place),
            None => {
                let (printed, prefix) = match owner.kind {
                    BoxKind::Endnote => (numbers.endnote(&owner.id), "e"),
                    _ => (numbers.footnote(&owner.id), ""),
                };
                let mark = printed.map(|note| format!("[^{prefix}{}]", note.mark));
                let order = printed.map(|note| note.order);
                known.push(Known { id: owner.id, mark, order, places: vec![place] });
            }
        }
    }
    known
}

/// The note that a caller means.
pub(super) fn find(view: &View, spelling: &Spelling, name: &str) -> Result<Known, Refusal> {
    let name = name.trim();
    let notes = all(view, spelling);
    if let Ok(paragraph) = name.parse::<ParagraphId>() {
        let has = |note: &&Known| note.places.iter().any(|place| view.id(*place) == paragraph);
        return notes.iter().find(has).cloned().ok_or_else(|| elsewhere(view, spelling, paragraph));
    }
    let mut meant: Vec<&Known> = Vec::new();
    for spelled in spellings(name, spelling) {
        meant = notes.iter().filter(|note| note.mark.as_ref() == Some(&spelled)).collect();
        if !meant.is_empty() {
            break;
        }
    }
    // Where no mark is a number, a number counts.
    let counted = notes.iter().filter_map(|note| note.mark.as_ref());
    if meant.is_empty() && !counted.clone().any(|mark| mark.contains(|c: char| c.is_ascii_digit())) {
        let order = name.parse::<usize>().ok();
        meant = notes.iter().filter(|note| order.is_some() && note.order == order).collect();
    }
    match meant.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(Refusal::NotFound {
            what: spelling.note,
            id: name.to_owned(),
            nearest: notes.iter().filter_map(|note| note.mark.clone()).take(NEAREST).collect(),
        }),
        several => Err(Refusal::Ambiguous {
            text: name.to_owned(),
            count: several.len(),
            within: format!("the marks of {}s; name the note by the id of its paragraph", spelling.note),
            contexts: several.iter().take(NEAREST).map(|note| shown(view, note)).collect::<Result<_, _>>()?,
        }),
    }
}

const NEAREST: usize = 5;

fn shown(view: &View, note: &Known) -> Result<String, Refusal> {
    let id = note.paragraph(view).map_or_else(String::new, |id| format!("{id} "));
    Ok(format!("{id}{}", super::excerpt(&note.text(view)?)))
}

/// The marks that a name may stand for, the strictest first: `[^2]`, `^2`, `2`.
fn spellings(name: &str, spelling: &Spelling) -> Vec<String> {
    let prefix = if spelling.story == Story::Endnotes { "e" } else { "" };
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    match bare.strip_prefix('^') {
        Some(mark) => vec![format!("[^{mark}]"), format!("[^{prefix}{mark}]")],
        None => vec![format!("[^{prefix}{bare}]"), format!("[^{bare}]")],
    }
}

/// Why a paragraph is in no note of this kind.
fn elsewhere(view: &View, spelling: &Spelling, paragraph: ParagraphId) -> Refusal {
    let missing = Refusal::not_found(spelling.note, paragraph.to_string());
    let Some(place) = view.place_of(paragraph) else { return missing };
    Refusal::invalid(
        "note_id",
        format!("{paragraph}, a paragraph of {}", view.story_of(place)),
        format!(
            "the mark of {}, such as {}, or the id of its paragraph",
            spelling.with_article, spelling.example
        ),
    )
}
