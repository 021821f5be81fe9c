//! Check boxes whose tick was a tracked change.
//!
//! The sign in the text is tracked, what the box is set to is not: Word keeps no tracked changes there. So when the change
//! of the sign is decided, the box is set to what its sign says.

use std::collections::BTreeSet;

use edit::{Patch, Refusal};
use ooxml::xml::ns;

use crate::document::ids::ParagraphId;
use crate::document::paragraph::{ControlKind, Paragraph, Side, Wrap, WrapKind};
use crate::document::view::View;
use crate::edits::anatomy::word_name;
use crate::edits::control;
use crate::edits::open_paragraph::OpenParagraph;

/// A box: its paragraph, and which of the controls in it.
type Ticked = (ParagraphId, usize);

/// `patch`, which decides changes of `view`, with the boxes set whose signs it changes.
pub(super) fn settled(view: &View, patch: Patch) -> Result<Patch, Refusal> {
    let tracked = tracked(view, &patch)?;
    if tracked.is_empty() {
        return Ok(patch);
    }
    let after = patch.apply(view.content())?;
    let next = view.clone().after(&patch, &after)?;
    let mut set = Patch::new();
    for (id, ordinal) in tracked {
        let Some(place) = next.place_of(id) else { continue };
        let opened = OpenParagraph::open(&next, place)?;
        let Some(wrap) = boxes(&opened.paragraph).nth(ordinal) else { continue };
        let at = wrap.span.start - opened.paragraph.span.start;
        let node = opened.node()?;
        let node = node.descendants().find(|node| word_name(node) == "sdt" && node.span().start == at);
        let properties = node.and_then(|node| node.child(ns::W, "sdtPr"));
        let boxed = properties.and_then(|p| p.elements().find(|child| child.name().local == "checkbox"));
        let sign = sign(&opened.paragraph, wrap);
        for value in ["true", "false"] {
            // What neither state is drawn as says nothing about the box.
            if let Ok(setting) = control::check("", boxed, value)
                && setting.shown == sign
            {
                opened.add_to(&mut set, setting.splices)?;
                break;
            }
        }
    }
    Ok(patch.then(&set))
}

/// The boxes with tracked changes of their signs in the paragraphs that the patch touches.
fn tracked(view: &View, patch: &Patch) -> Result<BTreeSet<Ticked>, Refusal> {
    let mut found = BTreeSet::new();
    for (number, part) in view.parts().iter().enumerate() {
        for splice in patch.splices(&part.name) {
            let Some(place) = view.place_at(&part.name, splice.range.start) else { continue };
            if place.part != number as u32 {
                continue;
            }
            let paragraph = view.paragraph(place)?;
            for (ordinal, wrap) in boxes(&paragraph).enumerate() {
                let mut inside =
                    paragraph.atoms.iter().filter(|atom| wrap.content.contains(&atom.span.start));
                if inside.any(|atom| atom.inserted || atom.deleted) {
                    found.insert((view.id(place), ordinal));
                }
            }
        }
    }
    Ok(found)
}

fn boxes(paragraph: &Paragraph) -> impl Iterator<Item = &Wrap> {
    let is_box = |wrap: &&Wrap| matches!(&wrap.kind, WrapKind::Control(control) if control.kind == ControlKind::CheckBox);
    paragraph.wraps.iter().filter(is_box)
}

/// What a box shows.
fn sign(paragraph: &Paragraph, wrap: &Wrap) -> String {
    let text = paragraph.text(Side::Final);
    let inside = text.pieces.iter().filter(|piece| {
        paragraph.atoms.get(piece.atom).is_some_and(|atom| wrap.content.contains(&atom.span.start))
    });
    inside.filter_map(|piece| text.text.get(piece.range.clone())).collect()
}
