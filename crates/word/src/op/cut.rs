//! A place inside a paragraph where something new can stand between runs.
//!
//! Text is never rewritten for it: a run that has to be cut gets an end tag and a start tag in the middle, so
//! that every range that somebody keeps stays where it is.

use std::ops::Range;

use edit::{PartName, Patch, Refusal};

use super::place::{Bias, byte_of};
use crate::document::paragraph::{Atom, AtomKind, Lock, Paragraph, PieceKind, Run, Text, WrapKind};
use crate::edits::dialect::Dialect;

/// Where to splice, in bytes of the part, and what has to be closed before and opened again behind.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    pub(crate) at: usize,
    pub(crate) close: String,
    pub(crate) open: String,
    /// Where `xml:space="preserve"` has to be said, because a cut leaves a blank at an end.
    space: Option<usize>,
    /// Wraps (links, revisions, controls) that are open here, outermost last.
    pub(crate) wraps: Vec<usize>,
    /// Whether the place is inside a field.
    pub(crate) in_field: bool,
    /// The paragraph is one tag and has to be opened.
    opens_paragraph: bool,
    name: String,
}

impl Cut {
    /// The place at `offset` of the paragraph's text.
    pub(crate) fn at(paragraph: &Paragraph, text: &Text, offset: usize, dialect: &Dialect) -> Self {
        let before = text.pieces.iter().rfind(|piece| piece.range.start < offset);
        let after = text.pieces.iter().find(|piece| piece.range.end > offset);
        let atom = |piece: Option<&crate::document::paragraph::TextPiece>| {
            piece.and_then(|piece| paragraph.atoms.get(piece.atom))
        };
        let mut cut = Self {
            at: 0,
            close: String::new(),
            open: String::new(),
            space: None,
            wraps: Vec::new(),
            in_field: false,
            opens_paragraph: false,
            name: format!("{}p", paragraph.prefix),
        };
        let (left, right) = (atom(before), atom(after));
        let run = left.and_then(|atom| atom.run).filter(|run| right.and_then(|atom| atom.run) == Some(*run));
        let between = left.zip(right).filter(|_| run.is_some());
        if let (Some((left, _)), Some(run)) = (between, run.and_then(|run| paragraph.runs.get(run))) {
            cut.in_field =
                left.field.is_some() || left.wrap.is_some_and(|wrap| in_simple_field(paragraph, wrap));
            cut.wraps = wraps_of(paragraph, run.wrap);
            let inside =
                before.filter(|piece| piece.range.end > offset && piece.kind == PieceKind::Characters);
            match (&left.kind, inside) {
                (AtomKind::Text(characters), Some(_)) => {
                    cut.at = byte_of(paragraph, text, offset, Bias::Before);
                    cut.close = format!("</{0}t></{0}r>", dialect.element);
                    cut.open =
                        format!("{}<{}t xml:space=\"preserve\">", reopened(paragraph, run), dialect.element);
                    let tag_end = tag_end(paragraph.bytes(characters.element.clone()));
                    let tag = paragraph.bytes(characters.element.start..characters.element.start + tag_end);
                    let silent = memchr::memmem::find(tag, b"xml:space").is_none();
                    cut.space = (!characters.preserved && silent).then(|| characters.element.start + tag_end);
                }
                _ => {
                    cut.at = element_of(left).end;
                    cut.close = format!("</{}r>", dialect.element);
                    cut.open = reopened(paragraph, run);
                }
            }
            return cut;
        }
        // Between runs: outside of whatever ends or begins here.
        match (left, right) {
            (Some(left), right) => {
                let bounds = field_bounds(paragraph, left, right);
                let own = left
                    .run
                    .and_then(|run| paragraph.runs.get(run))
                    .map_or(left.span.clone(), |run| run.span.clone());
                let (start, wrap) = match bounds {
                    Some((_, last)) => last,
                    None => (own, left.wrap),
                };
                let (end, wraps) = climb(paragraph, start, wrap, right.map(|atom| atom.span.start));
                cut.at = end.end;
                cut.wraps = wraps;
                cut.in_field = shared_field(left, right);
            }
            (None, Some(right)) => {
                let own = right
                    .run
                    .and_then(|run| paragraph.runs.get(run))
                    .map_or(right.span.clone(), |run| run.span.clone());
                let (start, wrap) = match field_bounds(paragraph, right, None) {
                    Some((first, _)) => first,
                    None => (own, right.wrap),
                };
                let (start, wraps) = climb(paragraph, start, wrap, None);
                cut.at = start.start;
                cut.wraps = wraps;
            }
            (None, None) => {
                cut.opens_paragraph = paragraph.closes_itself;
                cut.at = match (&paragraph.properties, paragraph.closes_itself) {
                    (_, true) => paragraph.span.end - 2,
                    (Some(properties), _) => properties.end,
                    (None, _) => paragraph.content.start,
                };
            }
        }
        cut
    }

    /// Plans `markup`, which are whole runs, at this place.
    pub(crate) fn put(
        &self,
        patch: &mut Patch,
        part: &PartName,
        markup: &str,
    ) -> Result<Range<usize>, Refusal> {
        if let Some(at) = self.space {
            patch.splice(part, at..at, " xml:space=\"preserve\"")?;
        }
        if self.opens_paragraph {
            patch.splice(part, self.at..self.at + 2, format!(">{markup}</{}>", self.name))?;
            return Ok(self.at + 1..self.at + 1 + markup.len());
        }
        patch.splice(part, self.at..self.at, format!("{}{markup}{}", self.close, self.open))?;
        let start = self.at + self.close.len();
        Ok(start..start + markup.len())
    }

    /// Plans the cut alone. What a blank at its left needs is left to a cut of the same text that came before.
    pub(crate) fn put_after(&self, patch: &mut Patch, part: &PartName) -> Result<(), Refusal> {
        let said = |at: usize| patch.splices(part).iter().any(|splice| splice.range == (at..at));
        let space = self.space.filter(|at| !said(*at));
        Self { space, ..self.clone() }.put(patch, part, "").map(|_| ())
    }

    /// Refuses a place where only text may go.
    pub(crate) fn check(&self, paragraph: &Paragraph, what: &str) -> Result<(), Refusal> {
        let refuse =
            |why: String, instead: &str| Err(Refusal::Unsafe { why, instead: Some(instead.to_owned()) });
        if self.in_field {
            return refuse(
                format!("{what} would stand inside a field"),
                "choose a place before or behind the field",
            );
        }
        for wrap in self.wraps.iter().filter_map(|wrap| paragraph.wraps.get(*wrap)) {
            if let WrapKind::Control(control) = &wrap.kind
                && matches!(control.lock, Lock::Content | Lock::Both)
            {
                return refuse(
                    "the place is in a content control whose contents are locked".to_owned(),
                    "unlock the content control, or choose a place outside it",
                );
            }
        }
        Ok(())
    }
}

fn shared_field(left: &Atom, right: Option<&Atom>) -> bool {
    left.field.is_some() && right.is_some_and(|right| right.field == left.field)
}

fn in_simple_field(paragraph: &Paragraph, wrap: usize) -> bool {
    paragraph.around(Some(wrap)).any(|wrap| matches!(wrap.kind, WrapKind::SimpleField { .. }))
}

type Bound = (Range<usize>, Option<usize>);

/// The runs at both ends of the outermost field that `atom` is in and `other` is not.
fn field_bounds(paragraph: &Paragraph, atom: &Atom, other: Option<&Atom>) -> Option<(Bound, Bound)> {
    let chain = |from: Option<usize>| {
        std::iter::successors(from, |field| paragraph.fields.get(*field).and_then(|field| field.parent))
    };
    let shared: Vec<usize> = other.map_or_else(Vec::new, |other| chain(other.field).collect());
    let outermost = chain(atom.field).filter(|field| !shared.contains(field)).last()?;
    let field = paragraph.fields.get(outermost)?;
    let bound = |atom: Option<usize>| -> Option<Bound> {
        let atom = paragraph.atoms.get(atom?)?;
        let run = atom.run.and_then(|run| paragraph.runs.get(run));
        Some((run.map_or(atom.span.clone(), |run| run.span.clone()), atom.wrap))
    };
    Some((bound(field.begin)?, bound(field.end)?))
}

/// The outermost element around `span` that does not hold `other`, and what is still around that.
fn climb(
    paragraph: &Paragraph,
    span: Range<usize>,
    wrap: Option<usize>,
    other: Option<usize>,
) -> (Range<usize>, Vec<usize>) {
    let (mut top, mut wraps) = (span, wraps_of(paragraph, wrap));
    while let Some(wrap) = wraps.first().and_then(|wrap| paragraph.wraps.get(*wrap)) {
        // What is typed at the edge of a control stays in it.
        let stays = matches!(wrap.kind, WrapKind::Control(_) | WrapKind::Branch | WrapKind::Ruby);
        if stays || other.is_some_and(|other| wrap.span.contains(&other)) {
            break;
        }
        top = wrap.span.clone();
        wraps.remove(0);
    }
    (top, wraps)
}

fn wraps_of(paragraph: &Paragraph, wrap: Option<usize>) -> Vec<usize> {
    std::iter::successors(wrap, |wrap| paragraph.wraps.get(*wrap).and_then(|wrap| wrap.parent)).collect()
}

/// The whole element that an atom is.
fn element_of(atom: &Atom) -> Range<usize> {
    match &atom.kind {
        AtomKind::Text(text) => text.element.clone(),
        _ => atom.span.clone(),
    }
}

/// The start of a run once more, with its properties but without what tells when it was typed.
fn reopened(paragraph: &Paragraph, run: &Run) -> String {
    let source = paragraph.bytes(run.span.start..run.content.start);
    let properties = run.properties.clone().map(|properties| paragraph.bytes(properties));
    let mut out = String::from_utf8_lossy(source).into_owned();
    out.push_str(&String::from_utf8_lossy(properties.unwrap_or_default()));
    out
}

/// Where the start tag of an element ends, before its `>`.
fn tag_end(element: &[u8]) -> usize {
    memchr::memchr(b'>', element).unwrap_or(0)
}
