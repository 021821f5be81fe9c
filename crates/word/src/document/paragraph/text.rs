//! Text of a paragraph, and the way back to its bytes.

use std::ops::Range;

use edit::Cut;

use super::{Atom, AtomKind, Paragraph, Side, TextAtom};
use crate::document::symbols;

/// What a reader sees, with where each stretch of it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// In order; together they are the whole text.
    pub pieces: Vec<TextPiece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPiece {
    /// In [`Text::text`].
    pub range: Range<usize>,
    pub atom: usize,
    pub kind: PieceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// Characters of a text atom.
    Characters,
    /// A character that is an element: a tab, a break, a symbol.
    Element,
    /// Put there for the reader; the document has no such characters.
    Marker,
}

impl Paragraph {
    /// The text of one side, without any marker.
    pub fn text(&self, side: Side) -> Text {
        self.text_with(side, |_| None)
    }

    /// The text of one side, with what `marker` says in the place of an atom that has no characters.
    pub(crate) fn text_with(&self, side: Side, mut marker: impl FnMut(&Atom) -> Option<String>) -> Text {
        let mut text = Text::default();
        for (index, atom) in self.atoms.iter().enumerate() {
            // Of the machinery of fields, the box or the list of a form is on the page.
            if atom.instruction && atom.kind != AtomKind::FieldBegin || !atom.shown(side) {
                continue;
            }
            let from = text.text.len();
            let kind = match &atom.kind {
                AtomKind::Text(characters) => {
                    text.text.push_str(&characters.text);
                    PieceKind::Characters
                }
                _ => match element_character(&atom.kind) {
                    Some(character) => {
                        text.text.push(character);
                        PieceKind::Element
                    }
                    None => {
                        let Some(marker) = marker(atom) else { continue };
                        text.text.push_str(&marker);
                        PieceKind::Marker
                    }
                },
            };
            let range = from..text.text.len();
            if !range.is_empty() {
                text.pieces.push(TextPiece { range, atom: index, kind });
            }
        }
        text
    }

    /// The place in the part of the character at byte `offset` of a text atom's text; its end, for the
    /// offset behind the last. `None` if the offset is inside a character or outside the text.
    pub fn source_of(&self, atom: usize, offset: usize) -> Option<usize> {
        let Atom { kind: AtomKind::Text(text), span, .. } = self.atoms.get(atom)? else { return None };
        if !text.text.is_char_boundary(offset) {
            return None;
        }
        if text.verbatim {
            return Some(span.start + offset);
        }
        Some(span.start + self.raw_length(text, span, offset))
    }

    /// How many bytes spell the first `wanted` bytes of the text.
    fn raw_length(&self, text: &TextAtom, span: &Range<usize>, wanted: usize) -> usize {
        let raw = self.bytes(span.clone());
        let (mut at, mut decoded) = (0, 0);
        while decoded < wanted {
            let rest = raw.part(at..);
            let (length, gives) = match rest {
                [] => break,
                [b'&', ..] if !text.cdata => {
                    let end = memchr::memchr(b';', rest).map_or(1, |end| end + 1);
                    let given = text.text.get(decoded..).and_then(|rest| rest.chars().next());
                    (end, given.map_or(1, char::len_utf8))
                }
                [b'\r', b'\n', ..] => (2, 1),
                _ => (1, 1),
            };
            at += length;
            decoded += gives;
        }
        at
    }
}

impl Text {
    /// The piece that holds the character at `offset`.
    pub fn piece_at(&self, offset: usize) -> Option<&TextPiece> {
        let index = self.pieces.partition_point(|piece| piece.range.end <= offset);
        self.pieces.get(index)
    }
}

fn element_character(kind: &AtomKind) -> Option<char> {
    Some(match kind {
        AtomKind::Tab => '\t',
        AtomKind::LineBreak => '\n',
        AtomKind::PageBreak => '\u{C}',
        AtomKind::ColumnBreak => '\u{E}',
        AtomKind::NoBreakHyphen => '\u{2011}',
        AtomKind::SoftHyphen => '\u{AD}',
        AtomKind::Symbol { font, character } => symbols::unicode(font, *character),
        _ => return None,
    })
}
