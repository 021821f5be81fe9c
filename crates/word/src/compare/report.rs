//! What the paragraphs of a document say once its own tracked changes are accepted, which is what Word compares too.
//!
//! A paragraph that goes is none, and those whose ends go are one with what follows.

use std::borrow::Cow;
use std::collections::BTreeSet;

use edit::{Cut, Refusal};

use crate::document::index::{BoxKind, NOWHERE};
use crate::document::paragraph::Side;
use crate::document::view::{Place, View};
use crate::text::tokens::{compare as diff, tokens};

/// A paragraph and what it says.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) text: String,
    /// Where it stands. More than one if only tracked changes make it a single paragraph.
    pub(super) parts: Vec<(Place, String)>,
}

impl Told {
    pub(super) fn first(&self) -> Option<Place> {
        self.parts.first().map(|(place, _)| *place)
    }

    pub(super) fn last(&self) -> Option<Place> {
        self.parts.last().map(|(place, _)| *place)
    }

    /// What each of its parts says when all of it says `new`; those that say nothing are left out.
    pub(super) fn divided<'a>(&'a self, new: &'a str) -> Vec<(Place, &'a str, &'a str)> {
        let parts: Vec<(Place, &str)> = self
            .parts
            .iter()
            .filter(|(_, old)| !old.is_empty())
            .map(|(place, old)| (*place, old.as_str()))
            .collect();
        let words = |text: &'a str| tokens(text).into_iter().filter_map(move |range| text.get(range));
        let old: Vec<Cow<'static, str>> =
            parts.iter().flat_map(|(_, old)| words(old)).map(|word| Cow::Owned(word.to_owned())).collect();
        let mut ends = vec![0];
        ends.extend(tokens(new).into_iter().map(|range| range.end));
        let all: Vec<Cow<'static, str>> = words(new).map(|word| Cow::Owned(word.to_owned())).collect();
        let hunks = diff(&old, &all);
        // What stands where two parts meet belongs to the first of them.
        let carried = |count: usize| {
            let hunk = hunks.iter().find(|hunk| hunk.old.start < count && count <= hunk.old.end)?;
            let within = if hunk.same { hunk.new.start + count - hunk.old.start } else { hunk.new.end };
            ends.get(within).copied()
        };
        let (mut out, mut count, mut from) = (Vec::new(), 0, 0);
        for (index, (place, old)) in parts.iter().enumerate() {
            count += words(old).count();
            let to =
                if index + 1 == parts.len() { new.len() } else { carried(count).unwrap_or(from).max(from) };
            out.push((*place, *old, new.part(from..to)));
            from = to;
        }
        out
    }
}

/// Without the marks of notes, comments and pictures: they are counted anew in each document, so a further
/// footnote would make every later paragraph another one.
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
        keeping.insert(container);
        match all.last_mut().filter(|_| open.is_some()) {
            Some(told) => {
                told.text.push_str(&text);
                told.parts.push((place, text));
            }
            None => all.push(Told { text: text.clone(), parts: vec![(place, text)] }),
        }
        open = paragraph.mark.deleted.is_some().then_some(container);
    }
    // No cell or note is without a paragraph: the last one stays, and says nothing.
    for (at, container, place) in going.into_iter().rev() {
        if holds_a_paragraph(view, place) && keeping.insert(container) {
            all.insert(at, Told { text: String::new(), parts: vec![(place, String::new())] });
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
