//! A paragraph as an editor sees it: its visible text, and for each character the element that holds it.
//!
//! The text is what remains when all tracked changes are accepted. Deleted text, field instructions and hidden
//! machinery are no part of it, so that no edit can reach them by accident.

use std::collections::BTreeMap;
use std::ops::Range;

use ooxml::xml::{Node, NodeId, escape_text, ns};

use crate::document::paragraph::{AtomKind, Control, FormField, Lock, Paragraph, PieceKind, Text, WrapKind};
use crate::edits::kept_marks::{Mark, MarkKind};

/// One paragraph, taken apart.
#[derive(Debug)]
pub(crate) struct Anatomy<'a> {
    pub(crate) node: Node<'a>,
    paragraph: &'a Paragraph,
    pub(crate) text: String,
    pub(crate) units: Vec<Unit>,
    pub(crate) runs: Vec<Run<'a>>,
    pub(crate) fields: Vec<Field>,
    /// In the order of the paragraph.
    pub(crate) marks: Vec<Mark>,
}

/// Something in a run that shows as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Its bytes in [`Anatomy::text`].
    pub(crate) text: Range<usize>,
    pub(crate) shape: Shape,
    /// Where its element starts in the source of the paragraph.
    start: usize,
    /// The atom it is; none if it is several, as text with a CDATA section is.
    atom: Option<usize>,
    /// Index into [`Anatomy::runs`]; none for what stands between runs.
    pub(crate) run: usize,
    /// The innermost field whose result this is, in [`Anatomy::fields`].
    pub(crate) field: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `w:t`: characters that can be cut anywhere.
    Characters,
    /// One character that is an element: a tab, a break, a hyphen.
    Single,
    /// A note reference, a picture, an equation: shown, never cut by a text edit.
    Opaque,
}

#[derive(Debug, Clone)]
pub(crate) struct Run<'a> {
    pub(crate) node: Node<'a>,
    /// The innermost tracked insertion around it.
    pub(crate) inserted: Option<Node<'a>>,
    /// The innermost hyperlink around it.
    pub(crate) hyperlink: Option<NodeId>,
    /// Whether a content control around it must not be edited.
    pub(crate) locked: bool,
}

/// A field with its result in this paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// The first word of its instruction, such as `REF`.
    pub(crate) kind: String,
    /// The result in [`Anatomy::text`].
    pub(crate) result: Range<usize>,
    /// First and last element of its machinery, if it begins and ends in this paragraph.
    pub(crate) ends: Ends,
}

impl Field {
    /// With its article. One that began in an earlier paragraph has its instruction there.
    pub(crate) fn named(&self) -> String {
        match self.kind.chars().next() {
            None => "a field that begins in an earlier paragraph".to_owned(),
            Some('A' | 'E' | 'I' | 'O') => format!("an {} field", self.kind),
            Some(_) => format!("a {} field", self.kind),
        }
    }
}

type Ends = Option<(NodeId, NodeId)>;

/// An index that no run has.
const NO_RUN: usize = usize::MAX;

impl<'a> Anatomy<'a> {
    /// `node` is the paragraph in a tree of its own source, and `text` its final text with markers.
    pub(crate) fn of(node: Node<'a>, paragraph: &'a Paragraph, text: Text) -> Self {
        let base = paragraph.span.start;
        let at: BTreeMap<usize, Node<'a>> =
            node.descendants().filter(Node::is_element).map(|node| (node.span().start, node)).collect();
        let node_at = |part_offset: usize| at.get(&part_offset.saturating_sub(base)).copied();
        let mut found = Self {
            node,
            paragraph,
            text: text.text,
            units: Vec::new(),
            runs: Vec::new(),
            fields: Vec::new(),
            marks: marks(paragraph, &text.pieces),
        };
        // A run that cannot be found in the tree would shift all others.
        found.runs = paragraph
            .runs
            .iter()
            .map(|run| {
                let wraps: Vec<_> = paragraph.around(run.wrap).collect();
                let first = |wanted: fn(&WrapKind) -> bool| {
                    wraps.iter().find(|wrap| wanted(&wrap.kind)).and_then(|wrap| node_at(wrap.span.start))
                };
                let controls = |wanted: fn(&Control) -> bool| {
                    wraps
                        .iter()
                        .any(|wrap| matches!(&wrap.kind, WrapKind::Control(control) if wanted(control)))
                };
                Run {
                    node: node_at(run.span.start).unwrap_or(node),
                    inserted: first(|kind| matches!(kind, WrapKind::Inserted(_) | WrapKind::MovedTo(_))),
                    hyperlink: first(|kind| matches!(kind, WrapKind::Hyperlink { .. })).map(|node| node.id()),
                    locked: controls(|control| matches!(control.lock, Lock::Content | Lock::Both)),
                }
            })
            .collect();
        let fields = found.read_fields(&text.pieces, node_at);
        for piece in &text.pieces {
            let Some(atom) = paragraph.atoms.get(piece.atom) else { continue };
            let (shape, element) = match (&atom.kind, piece.kind) {
                (AtomKind::Text(text), PieceKind::Characters) => (Shape::Characters, text.element.start),
                (_, PieceKind::Element) => (Shape::Single, atom.span.start),
                _ => (Shape::Opaque, atom.span.start),
            };
            let start = element.saturating_sub(base);
            // An equation stands between runs: it is shown, and no text edit can touch it.
            let run = atom.run.unwrap_or(NO_RUN);
            if let Some(last) = found.units.last_mut()
                && (last.start, last.shape, shape) == (start, Shape::Characters, Shape::Characters)
            {
                last.text.end = piece.range.end;
                last.atom = None;
                continue;
            }
            let field = fields.iter().rposition(|field| field.contains(&piece.atom));
            let text = piece.range.clone();
            found.units.push(Unit { text, shape, start, atom: Some(piece.atom), run, field });
        }
        found
    }

    /// Fields as ranges of atoms, outermost first; [`Anatomy::fields`] is filled to match.
    fn read_fields(
        &mut self,
        pieces: &[crate::document::paragraph::TextPiece],
        node_at: impl Fn(usize) -> Option<Node<'a>>,
    ) -> Vec<Range<usize>> {
        let atoms = &self.paragraph.atoms;
        let mut ranges: Vec<(Range<usize>, String, Ends)> = Vec::new();
        for field in &self.paragraph.fields {
            let run_of = |atom: Option<usize>| {
                let run = atoms.get(atom?)?.run?;
                self.runs.get(run).map(|run| run.node.id())
            };
            let ends = run_of(field.begin).zip(run_of(field.end));
            // Begun in an earlier paragraph, a field may be in its result here already.
            let first = field.separate.or(field.begin).map_or(0, |atom| atom + 1);
            let range = first..field.end.unwrap_or(atoms.len());
            ranges.push((range, field.instruction.clone(), ends));
        }
        for (index, wrap) in self.paragraph.wraps.iter().enumerate() {
            let WrapKind::SimpleField { instruction } = &wrap.kind else { continue };
            let inside = |atom: &crate::document::paragraph::Atom| wrap.content.contains(&atom.span.start);
            let first = atoms.iter().position(inside).unwrap_or(atoms.len());
            let behind = atoms.iter().rposition(inside).map_or(first, |last| last + 1);
            let node = node_at(self.paragraph.wraps.get(index).map_or(0, |wrap| wrap.span.start));
            ranges.push((first..behind, instruction.clone(), node.map(|node| (node.id(), node.id()))));
        }
        ranges.sort_by_key(|(range, _, _)| (range.start, std::cmp::Reverse(range.end)));
        for (range, instruction, ends) in &ranges {
            let mut shown =
                pieces.iter().filter(|piece| range.contains(&piece.atom)).map(|piece| piece.range.clone());
            let first = shown.next().unwrap_or(0..0);
            let result = first.start..shown.next_back().unwrap_or(first).end;
            let kind = instruction.split_whitespace().next().unwrap_or("").to_uppercase();
            self.fields.push(Field { kind, result, ends: *ends });
        }
        ranges.into_iter().map(|(range, _, _)| range).collect()
    }

    /// The run of a unit, or the unit's own element where it stands between runs.
    pub(crate) fn outer_node(&self, unit: &Unit) -> Option<Node<'a>> {
        let alone =
            || self.node.descendants().find(|node| node.is_element() && node.span().start == unit.start);
        self.runs.get(unit.run).map(|run| run.node).or_else(alone)
    }

    /// The unit that the element `node` is.
    pub(crate) fn unit_of(&self, node: Node<'_>) -> Option<(usize, &Unit)> {
        self.units.iter().enumerate().find(|(_, unit)| unit.start == node.span().start)
    }

    /// Units that show text in `range`.
    pub(crate) fn units_in(&self, range: &Range<usize>) -> impl Iterator<Item = (usize, &Unit)> {
        let range = range.clone();
        self.units
            .iter()
            .enumerate()
            .filter(move |(_, unit)| unit.text.start < range.end && range.start < unit.text.end)
    }

    /// The form field that a unit is the sign of.
    pub(crate) fn form_of(&self, unit: &Unit) -> Option<&FormField> {
        let field =
            self.paragraph.fields.iter().find(|field| unit.atom.is_some() && field.begin == unit.atom)?;
        field.form.as_deref()
    }

    /// The unit that shows the character at `offset`.
    pub(crate) fn unit_at(&self, offset: usize) -> Option<usize> {
        self.units.iter().position(|unit| unit.text.contains(&offset))
    }

    /// Characters of a unit as its source spells them; `local` counts from its first one.
    pub(crate) fn spelled(&self, unit: &Unit, local: Range<usize>) -> String {
        let source = unit.atom.filter(|atom| {
            matches!(self.paragraph.atoms.get(*atom).map(|atom| &atom.kind), Some(AtomKind::Text(text)) if !text.cdata)
        });
        let bytes = source.and_then(|atom| {
            let start = self.paragraph.source_of(atom, local.start)?;
            let end = self.paragraph.source_of(atom, local.end)?;
            String::from_utf8(self.paragraph.bytes(start..end).to_vec()).ok()
        });
        bytes.unwrap_or_else(|| {
            let shown = self.text.get(unit.text.start + local.start..unit.text.start + local.end);
            escape_text(shown.unwrap_or_default()).into_owned()
        })
    }
}

/// Notes, and the ends of comments and bookmarks, that stay when all changes are accepted.
fn marks(paragraph: &Paragraph, pieces: &[crate::document::paragraph::TextPiece]) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut pieces = pieces.iter().peekable();
    let mut at = 0;
    for (index, atom) in paragraph.atoms.iter().enumerate() {
        let shown = pieces.next_if(|piece| piece.atom == index).map(|piece| piece.range.clone());
        at = shown.as_ref().map_or(at, |range| range.end);
        let kind = match &atom.kind {
            AtomKind::FootnoteReference { .. } | AtomKind::EndnoteReference { .. } => MarkKind::Note,
            AtomKind::CommentReference { .. }
            | AtomKind::CommentEnd { .. }
            | AtomKind::BookmarkEnd { .. } => MarkKind::Closing,
            AtomKind::CommentStart { .. } | AtomKind::BookmarkStart { .. } => MarkKind::Opening,
            _ => continue,
        };
        if !atom.deleted && !atom.instruction {
            found.push(Mark { kind, at: shown.unwrap_or(at..at), atom: index, label: String::new() });
        }
    }
    found
}

/// The name of a Word element, or nothing.
pub(crate) fn word_name<'a>(node: &Node<'a>) -> &'a str {
    let name = node.name();
    if name.namespace == ns::W { name.local } else { "" }
}
