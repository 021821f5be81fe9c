//! What the paragraphs of a document say once its own tracked changes are accepted, which is what Word compares too.
//!
//! A paragraph that goes is none, and those whose ends go are one with what follows.

use std::collections::BTreeSet;

use edit::Refusal;

use super::strands::beside_text;
use crate::document::index::{BoxKind, NOWHERE};
use crate::document::paragraph::Side;
use crate::document::view::{Place, View};

/// A paragraph and what it says.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) text: String,
    /// Its text with what is no text: fields, notes, pictures, addresses of links.
    pub(super) key: String,
    /// Where it stands. More than one if only tracked changes make it a single paragraph.
    pub(super) parts: Vec<Place>,
}

impl Told {
    pub(super) fn first(&self) -> Option<Place> {
        self.parts.first().copied()
    }

    pub(super) fn last(&self) -> Option<Place> {
        self.parts.last().copied()
    }
}

/// Numbers of notes are no part of it: they are counted anew in each document, so a further footnote would make every
/// later paragraph another one.
pub(super) fn texts(view: &View, places: impl Iterator<Item = Place>) -> Result<Vec<Told>, Refusal> {
    let mut all: Vec<Told> = Vec::new();
    // Paragraphs that go, and the containers that keep another one.
    let (mut going, mut keeping) = (Vec::new(), BTreeSet::new());
    // The container in which the next paragraph goes on with the last.
    let mut open = None;
    for place in places {
        let container = (place.part, boxed(view, place));
        open = open.filter(|open| *open == container);
        if view.is_row_gone(place, Side::Final) {
            continue;
        }
        let paragraph = view.paragraph(place)?;
        if paragraph.vanishes(Side::Final) {
            going.push((all.len(), container, place));
            continue;
        }
        let text = paragraph.text(Side::Final).text;
        let beside = beside_text(view, place, &paragraph)?;
        keeping.insert(container);
        match all.last_mut().filter(|_| open.is_some()) {
            Some(told) => {
                told.text.push_str(&text);
                told.key.push_str(&(text + &beside));
                told.parts.push(place);
            }
            None => all.push(Told { key: format!("{text}{beside}"), text, parts: vec![place] }),
        }
        open = paragraph.mark.deleted.is_some().then_some(container);
    }
    // No cell or note is without a paragraph: the last one stays, and says nothing.
    for (at, container, place) in going.into_iter().rev() {
        if holds_a_paragraph(view, place) && keeping.insert(container) {
            all.insert(at, Told { text: String::new(), key: String::new(), parts: vec![place] });
        }
    }
    Ok(all)
}

pub(super) fn boxed(view: &View, place: Place) -> u32 {
    let part = view.part(place);
    part.and_then(|part| part.paragraphs.boxed.get(place.index as usize)).unwrap_or(NOWHERE)
}

/// Whether the container of a paragraph is one that cannot be without any.
fn holds_a_paragraph(view: &View, place: Place) -> bool {
    let Some(part) = view.part(place) else { return false };
    part.around(boxed(view, place)).next().is_some_and(|(_, block)| block.kind == BoxKind::Cell)
}
