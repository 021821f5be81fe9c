//! A paragraph as the things that are compared: words, tabs, whole fields, notes, pictures.
//!
//! A field is one thing, with its code and its result: it changes as a whole or not at all, as Word shows it.

use std::ops::Range;

use edit::{Cut, Refusal};
use ooxml::Relationships;

use crate::document::paragraph::{Atom, AtomKind, Paragraph, PieceKind, Side, WrapKind};
use crate::document::view::{Place, View};
use crate::edits::NoteKind;
use crate::text::tokens::tokens;

/// Paragraphs that tracked changes make one, and all that they say.
pub(super) struct Cloth {
    pub(super) parts: Vec<(Place, Paragraph)>,
    pub(super) strands: Vec<Strand>,
}

#[derive(Debug, Clone)]
pub(super) struct Strand {
    /// Two strands with the same key are the same.
    pub(super) key: String,
    pub(super) kind: Kind,
    pub(super) bits: Vec<Bit>,
    pub(super) container: Container,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words, and characters that are elements.
    Text,
    Field,
    /// `w:fldSimple`, by the number of its wrap.
    SimpleField(usize),
    Equation,
    Note(NoteKind, String),
    /// What only its own document can hold, by name.
    Bound(&'static str),
}

/// An atom, or the part of its text.
#[derive(Debug, Clone)]
pub(super) struct Bit {
    /// Which of the paragraphs.
    pub(super) part: usize,
    pub(super) atom: usize,
    pub(super) local: Option<Range<usize>>,
}

/// What holds text inside a paragraph, revisions aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Container {
    Paragraph,
    Link(String),
    Control(String),
    Other,
}

impl Cloth {
    pub(super) fn of(view: &View, places: impl Iterator<Item = Place>) -> Result<Self, Refusal> {
        let mut cloth = Self { parts: Vec::new(), strands: Vec::new() };
        for place in places {
            let paragraph = view.paragraph(place)?;
            let strands = strands(view, place, &paragraph, cloth.parts.len())?;
            cloth.strands.extend(strands);
            cloth.parts.push((place, paragraph));
        }
        Ok(cloth)
    }

    pub(super) fn atom(&self, bit: &Bit) -> Option<(&Paragraph, &Atom)> {
        let (_, paragraph) = self.parts.get(bit.part)?;
        Some((paragraph, paragraph.atoms.get(bit.atom)?))
    }
}

/// What of a paragraph is compared and is no character of its text.
pub(super) fn beside_text(view: &View, place: Place, paragraph: &Paragraph) -> Result<String, Refusal> {
    let plain = |atom: &Atom| {
        matches!(atom.kind, AtomKind::Text(_) | AtomKind::Tab | AtomKind::LineBreak) || atom.kind.is_silent()
    };
    let linked = |kind: &WrapKind| matches!(kind, WrapKind::Hyperlink { .. } | WrapKind::SimpleField { .. });
    if paragraph.atoms.iter().all(plain) && !paragraph.wraps.iter().any(|wrap| linked(&wrap.kind)) {
        return Ok(String::new());
    }
    let strands = strands(view, place, paragraph, 0)?;
    let said = |strand: &Strand| strand.kind != Kind::Text || matches!(strand.container, Container::Link(_));
    Ok(strands.into_iter().filter(said).map(|strand| strand.key).collect())
}

fn strands(view: &View, place: Place, paragraph: &Paragraph, part: usize) -> Result<Vec<Strand>, Refusal> {
    let linked = paragraph.wraps.iter().any(|wrap| matches!(wrap.kind, WrapKind::Hyperlink { .. }));
    let links = match view.part_of(place).filter(|_| linked) {
        Some(name) => Some(Relationships::of_part(view.content(), name)?),
        None => None,
    };
    let mut reader = Reader {
        paragraph,
        part,
        links,
        whole: whole_fields(paragraph),
        strands: Vec::new(),
        text: String::new(),
        bits: Vec::new(),
        container: Container::Paragraph,
    };
    reader.read()?;
    Ok(reader.strands)
}

/// The fields that begin and end in the paragraph and stand in no other such, as atoms.
fn whole_fields(paragraph: &Paragraph) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> =
        paragraph.fields.iter().filter_map(|field| Some(field.begin?..field.end? + 1)).collect();
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut outer: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        if outer.last().is_none_or(|last| last.end <= range.start) {
            outer.push(range);
        }
    }
    outer
}

struct Reader<'a> {
    paragraph: &'a Paragraph,
    part: usize,
    links: Option<Relationships>,
    whole: Vec<Range<usize>>,
    strands: Vec<Strand>,
    /// Text of one container that is not divided into words yet.
    text: String,
    bits: Vec<(Range<usize>, usize)>,
    container: Container,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Refusal> {
        let pieces = self.paragraph.text(Side::Final).pieces;
        let mut index = 0;
        while let Some(atom) = self.paragraph.atoms.get(index) {
            let field = self.whole.iter().find(|range| range.start == index).cloned();
            if let Some(range) = field.filter(|_| atom.shown(Side::Final)) {
                self.flush()?;
                index = range.end;
                self.field(range);
                continue;
            }
            index += 1;
            if !atom.shown(Side::Final) || atom.instruction {
                continue;
            }
            if let Some((wrap, behind)) = self.simple_field(index - 1) {
                self.flush()?;
                self.field(index - 1..behind);
                if let Some(last) = self.strands.last_mut() {
                    last.kind = Kind::SimpleField(wrap);
                }
                index = behind;
                continue;
            }
            let container = self.container_of(atom);
            match &atom.kind {
                AtomKind::Text(text) => {
                    if container != self.container {
                        self.flush()?;
                        self.container = container;
                    }
                    let from = self.text.len();
                    self.text.push_str(&text.text);
                    self.bits.push((from..self.text.len(), index - 1));
                }
                kind if kind.is_silent() => {}
                AtomKind::NoteMark | AtomKind::CommentMark | AtomKind::CommentReference { .. } => {}
                // Ends of fields that stand in other paragraphs.
                AtomKind::FieldBegin | AtomKind::FieldSeparate | AtomKind::FieldEnd => {}
                kind => {
                    self.flush()?;
                    let shown = pieces.iter().find(|piece| piece.atom == index - 1);
                    let is_character = shown.is_some_and(|piece| piece.kind == PieceKind::Element);
                    let (key, kind) = alone(kind, is_character);
                    let bit = Bit { part: self.part, atom: index - 1, local: None };
                    self.strands.push(Strand { key, kind, bits: vec![bit], container });
                }
            }
        }
        self.flush()
    }

    /// Words of the text so far.
    fn flush(&mut self) -> Result<(), Refusal> {
        let (text, bits) = (std::mem::take(&mut self.text), std::mem::take(&mut self.bits));
        for token in tokens(&text) {
            let inside = bits.iter().filter_map(|(range, atom)| {
                let (from, to) = (token.start.max(range.start), token.end.min(range.end));
                let local = (from < to).then(|| from - range.start..to - range.start)?;
                Some(Bit { part: self.part, atom: *atom, local: Some(local) })
            });
            let mut key = text.cut(token.clone())?.to_owned();
            if let Container::Link(address) = &self.container {
                key.push('\u{5}');
                key.push_str(address);
            }
            let (bits, container) = (inside.collect(), self.container.clone());
            self.strands.push(Strand { key, kind: Kind::Text, bits, container });
        }
        Ok(())
    }

    fn field(&mut self, range: Range<usize>) {
        let atoms = self.paragraph.atoms.iter().enumerate();
        let (mut codes, mut said, mut bits) = (String::new(), String::new(), Vec::new());
        let (mut bound, mut container) = (None, None);
        for (index, atom) in atoms.take(range.end).skip(range.start) {
            if !atom.shown(Side::Final) {
                continue;
            }
            container.get_or_insert_with(|| self.container_of(atom));
            bits.push(Bit { part: self.part, atom: index, local: None });
            match &atom.kind {
                AtomKind::FieldInstruction(code) => codes.push_str(code),
                AtomKind::Text(text) => said.push_str(&text.text),
                kind if kind.is_silent() => {}
                AtomKind::FieldBegin | AtomKind::FieldSeparate | AtomKind::FieldEnd => {}
                kind => {
                    let (key, kind) = alone(kind, true);
                    said.push_str(&key);
                    match kind {
                        Kind::Bound(what) => bound = Some(what),
                        Kind::Note(..) => bound = Some("notes in fields"),
                        _ => {}
                    }
                }
            }
            for wrap in self.paragraph.around(atom.wrap) {
                if let WrapKind::SimpleField { instruction } = &wrap.kind
                    && !codes.contains(instruction.as_str())
                {
                    codes.push_str(instruction);
                }
            }
        }
        let codes = codes.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = format!("\u{1}{codes}\u{1}{said}\u{1}");
        let kind = bound.map_or(Kind::Field, Kind::Bound);
        self.strands.push(Strand { key, kind, bits, container: container.unwrap_or(Container::Paragraph) });
    }

    /// The outermost `w:fldSimple` around an atom, and the atom behind its last.
    fn simple_field(&self, index: usize) -> Option<(usize, usize)> {
        let atom = self.paragraph.atoms.get(index)?;
        let wraps = || self.paragraph.wraps.iter().enumerate();
        let holds = |span: &Range<usize>| span.start <= atom.span.start && atom.span.end <= span.end;
        let (number, wrap) = wraps()
            .find(|(_, wrap)| matches!(wrap.kind, WrapKind::SimpleField { .. }) && holds(&wrap.content))?;
        let inside = |atom: &Atom| wrap.content.contains(&atom.span.start);
        let last = self.paragraph.atoms.iter().rposition(inside)?;
        Some((number, last + 1))
    }

    fn container_of(&self, atom: &Atom) -> Container {
        for wrap in self.paragraph.around(atom.wrap) {
            return match &wrap.kind {
                WrapKind::Hyperlink { relationship, anchor } => {
                    let target = relationship.as_ref().and_then(|id| self.links.as_ref()?.get(id));
                    let mut address = target.map(|target| target.target.clone()).unwrap_or_else(String::new);
                    if let Some(anchor) = anchor {
                        address.push('#');
                        address.push_str(anchor);
                    }
                    Container::Link(address)
                }
                WrapKind::Control(control) => {
                    let name = control.tag.as_ref().or(control.title.as_ref()).or(control.id.as_ref());
                    Container::Control(name.cloned().unwrap_or_else(String::new))
                }
                WrapKind::Ruby | WrapKind::Branch => Container::Other,
                _ => continue,
            };
        }
        Container::Paragraph
    }
}

/// What an atom is that is no text.
fn alone(kind: &AtomKind, is_character: bool) -> (String, Kind) {
    match kind {
        AtomKind::FootnoteReference { id, .. } => {
            ("\u{4}f".to_owned(), Kind::Note(NoteKind::Footnote, id.clone()))
        }
        AtomKind::EndnoteReference { id, .. } => {
            ("\u{4}e".to_owned(), Kind::Note(NoteKind::Endnote, id.clone()))
        }
        AtomKind::Drawing { alt, text_box } => {
            (format!("\u{3}{alt}{text_box}"), Kind::Bound("pictures and shapes"))
        }
        AtomKind::Object => ("\u{3}object".to_owned(), Kind::Bound("embedded objects")),
        AtomKind::Math { text, .. } => (format!("\u{2}{text}"), Kind::Equation),
        AtomKind::Symbol { font, character } => (format!("{font}{character}"), Kind::Text),
        kind if is_character => (format!("{kind:?}"), Kind::Text),
        kind => (format!("{kind:?}"), Kind::Bound("other objects")),
    }
}
