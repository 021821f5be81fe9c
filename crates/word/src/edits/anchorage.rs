//! Where comments and notes can hang: on the body, outside of text boxes.
//!
//! The format has them everywhere, but Word passes over those in headers, footers, notes, comments and text boxes, so
//! that nobody would read them. Who asks for one there is told what stands nearest in the body.

use edit::Refusal;

use crate::document::ids::ParagraphId;
use crate::document::index::{BoxKind, NOWHERE, flag};
use crate::document::layout::Story;
use crate::document::notes::Owner;
use crate::document::paragraph::AtomKind;
use crate::document::view::{Place, View};

/// What is to hang there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Comment,
    Note,
}

/// Refuses places where Word would not show it.
pub(super) fn check(view: &View, place: Place, what: What) -> Result<(), Refusal> {
    let (within, instead) = match view.story_of(place) {
        Story::Body => match host(view, place) {
            None => return Ok(()),
            Some(host) => ("a text box", format!("use paragraph {host}, which holds the text box")),
        },
        Story::Header(_) => ("a header", IN_BODY.to_owned()),
        Story::Footer(_) => ("a footer", IN_BODY.to_owned()),
        Story::Footnotes => ("a footnote", beside_reference(view, place)),
        Story::Endnotes => ("an endnote", beside_reference(view, place)),
        Story::Comments if what == What::Comment => ("a comment", "answer the comment instead".to_owned()),
        Story::Comments => ("a comment", IN_BODY.to_owned()),
    };
    let named = match what {
        What::Comment => "a comment",
        What::Note => "a note",
    };
    let what = format!("{named} in {within}, where Word does not show it,");
    Err(Refusal::Unsupported { what, instead: Some(instead) })
}

const IN_BODY: &str = "use a paragraph of the body";

/// The paragraph of the body that holds the outermost text box around a place.
fn host(view: &View, place: Place) -> Option<ParagraphId> {
    let part = view.part(place)?;
    let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
    let (_, block) = part.around(boxed).filter(|(_, block)| block.kind == BoxKind::TextBox).last()?;
    let index = part.paragraph_holding(&(block.start as usize..block.end as usize))?;
    Some(view.id(Place { index: index as u32, ..place }))
}

fn beside_reference(view: &View, place: Place) -> String {
    match view.owner(place).and_then(|owner| referring(view, &owner)) {
        Some(paragraph) => format!("use paragraph {paragraph}, which refers to the note"),
        None => IN_BODY.to_owned(),
    }
}

fn referring(view: &View, note: &Owner) -> Option<ParagraphId> {
    let refers = |kind: &AtomKind| match kind {
        AtomKind::FootnoteReference { id, .. } => note.kind == BoxKind::Footnote && *id == note.id,
        AtomKind::EndnoteReference { id, .. } => note.kind == BoxKind::Endnote && *id == note.id,
        _ => false,
    };
    let place = view.body().find(|place| {
        let flags = view.part(*place).and_then(|part| part.paragraphs.flags.get(place.index as usize));
        flags.is_some_and(|flags| flags & flag::NOTE_REFERENCE != 0)
            && view.paragraph(*place).is_ok_and(|p| p.atoms.iter().any(|atom| refers(&atom.kind)))
    });
    place.map(|place| view.id(place))
}
