//! A paragraph as a caller quotes it: its text, the marks in it, and the short names for both.

use crate::document::index::digest;
use crate::document::paragraph::{Atom, AtomKind, Paragraph, Side, Text};
use crate::document::view::View;

/// The text of a paragraph as a caller quotes it.
pub(crate) fn shown_text(view: &View, paragraph: &Paragraph) -> Text {
    paragraph.text_with(Side::Final, |atom| marker_text(view, paragraph, atom))
}

/// A short name for what a paragraph says, to be given back as [`Expect`](crate::Expect).
pub fn text_hash(text: &str) -> String {
    format!("{:016x}", digest(0x7e87, text.as_bytes()))
}

/// The start of a text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    edit::excerpt(text, 60)
}

/// What a reader is shown, and a caller quotes, in the place of an atom that has no characters.
fn marker_text(view: &View, paragraph: &Paragraph, atom: &Atom) -> Option<String> {
    marker(view, paragraph, atom, Side::Final).map(|(_, text)| text)
}

/// What stands for an atom that has no characters, and for notes and comments a key to sort them by.
pub(crate) fn marker(
    view: &View,
    paragraph: &Paragraph,
    atom: &Atom,
    side: Side,
) -> Option<(Option<(u8, usize)>, String)> {
    match &atom.kind {
        AtomKind::FootnoteReference { id, .. } => {
            let note = view.note_numbers().footnote(id)?;
            Some((Some((0, note.order)), format!("[^{}]", note.mark)))
        }
        AtomKind::EndnoteReference { id, .. } => {
            let note = view.note_numbers().endnote(id)?;
            Some((Some((1, note.order)), format!("[^e{}]", note.mark)))
        }
        AtomKind::CommentReference { id } => {
            Some((Some((2, id.parse().unwrap_or(usize::MAX))), format!("[c{id}]")))
        }
        AtomKind::FieldBegin => Some((None, paragraph.form_sign(atom)?.to_owned())),
        AtomKind::Drawing { text_box: true, .. } => None,
        AtomKind::Drawing { alt, .. } if alt.is_empty() => Some((None, "[image]".to_owned())),
        AtomKind::Drawing { alt, .. } => Some((None, format!("[image: {alt}]"))),
        AtomKind::Object => Some((None, "[object]".to_owned())),
        AtomKind::Math { text, before } => {
            let shown = match (side, before) {
                (Side::Original, Some(before)) => before.clone(),
                (Side::Redline, Some(before)) => format!("[-{before}-]{{+{text}+}}"),
                _ => text.clone(),
            };
            Some((None, format!("[equation: {shown}]")))
        }
        _ => None,
    }
}
