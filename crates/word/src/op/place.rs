//! Where an operation works: names become bytes, and bytes become text.
//!
//! A range is kept as bytes of a part, because that is what can be carried over any edit by anybody. Here it
//! turns into stretches of the text of paragraphs, which is what an operation speaks of, and back again.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Cut, Level, Note, PartName, Patch, Refusal};
use serde::{Deserialize, Serialize};

use super::{Scope, TableRef, search};
use crate::document::ids::ParagraphId;
use crate::document::index::{Block, BoxKind};
use crate::document::paragraph::{AtomKind, Paragraph, PieceKind, Side, Text};
use crate::document::span::Span;
use crate::document::tables::TableId;
use crate::document::view::{Place, View};

/// What the names in an operation stand for: the selection, and ranges and tables by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Places {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Span>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub named: BTreeMap<String, Span>,
}

/// A stretch of the text of one paragraph, in bytes of what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) place: Place,
    pub(crate) range: Range<usize>,
    /// Whether it is all the paragraph says.
    pub(crate) whole: bool,
}

/// A scope, understood. There is always at least one stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ground {
    pub(crate) stretches: Vec<Stretch>,
    pub(crate) document: bool,
    /// The bytes of the table, if the scope is all of one.
    pub(crate) table: Option<Span>,
}

impl Places {
    /// The bytes of a range that somebody keeps, or of a paragraph or table by the id that reading prints.
    pub(crate) fn find(&self, view: &View, what: &'static str, id: &str) -> Result<Span, Refusal> {
        if let Some(span) = self.named.get(id) {
            return Ok(span.clone());
        }
        if let Ok(paragraph) = id.parse::<ParagraphId>() {
            let place = view.find(paragraph)?;
            let all = whole(view, place)?.range;
            return span_of(view, place, all);
        }
        if let Ok(table) = id.parse::<TableId>() {
            let table = view.table(table)?;
            return Ok(Span::new(&table.part, table.span));
        }
        Err(Refusal::not_found(what, id))
    }

    /// Says where a selection was taken to be that nobody made.
    pub(crate) fn no_selection(&self, scope: &Scope) -> Option<Note> {
        let text = "no selection was set, so the start of the document was used".to_owned();
        (*scope == Scope::Selection && self.selection.is_none()).then_some(Note { level: Level::Info, text })
    }

    pub(crate) fn carried(&self, patch: &Patch) -> Option<Places> {
        let selection = match &self.selection {
            Some(span) => Some(span.carried(patch)?),
            None => None,
        };
        let named = self
            .named
            .iter()
            .map(|(id, span)| Some((id.clone(), span.carried(patch)?)))
            .collect::<Option<_>>();
        Some(Places { selection, named: named? })
    }
}

impl Ground {
    /// All of the body.
    pub(crate) fn document(view: &View) -> Result<Self, Refusal> {
        let stretches = view.body().map(|place| whole(view, place)).collect::<Result<Vec<_>, _>>()?;
        match stretches.is_empty() {
            true => Err(Refusal::unsupported("a document without a paragraph")),
            false => Ok(Self { stretches, document: true, table: None }),
        }
    }

    /// Some stretches of text.
    pub(crate) fn stretches(stretches: Vec<Stretch>) -> Self {
        Self { stretches, document: false, table: None }
    }

    pub(crate) fn of(view: &View, scope: &Scope, places: &Places) -> Result<Self, Refusal> {
        let span = match scope {
            Scope::Document => return Self::document(view),
            Scope::Selection => match &places.selection {
                Some(span) => span.clone(),
                None => first_cursor(view)?,
            },
            Scope::Range(id) => places.find(view, "range", id)?,
            Scope::Table(id) => super::table::resolve(view, &TableRef::Table(id.clone()), places)?,
            Scope::Found(text) | Scope::First(text) | Scope::Paragraph(text) => {
                let stretch = search::quoted(view, scope, text)?;
                return Ok(Self::stretches(vec![stretch]));
            }
        };
        Self::under(view, &span)
    }

    /// The text that stands in these bytes.
    pub(crate) fn under(view: &View, span: &Span) -> Result<Self, Refusal> {
        let gone = || Refusal::Gone {
            what: "range",
            id: format!("{}:{}-{}", span.part, span.start, span.end),
            last: String::new(),
        };
        let part = PartName::new(span.part.as_str());
        let number = view.layout().stories.iter().position(|(_, name)| *name == part).ok_or_else(gone)?;
        let part_of = |index: u32| Place { part: number as u32, index };
        let known = view.part(part_of(0)).ok_or_else(gone)?;
        let innermost = |offset: usize| known.paragraph_holding(&(offset..offset));
        let (first, last) = (innermost(span.start), innermost(span.end));
        let same = first.is_some() && first == last;
        let mut stretches = Vec::new();
        for index in 0..known.paragraphs.len() {
            let bounds = known.paragraphs.span(index);
            let touched = match span.start == span.end {
                true => first == Some(index),
                // Only the innermost of paragraphs that hold all of it counts.
                false if same && bounds.start < span.start && span.end < bounds.end => first == Some(index),
                false => bounds.start < span.end && span.start < bounds.end,
            };
            if touched {
                let place = part_of(index as u32);
                let paragraph = view.paragraph(place)?;
                let text = plain_text(&paragraph);
                let from = offset_of(&paragraph, &text, span.start);
                let to = offset_of(&paragraph, &text, span.end).max(from);
                let whole = from == 0 && to == text.text.len();
                stretches.push(Stretch { place, range: from..to, whole });
            }
        }
        match stretches.is_empty() {
            true => Err(gone()),
            false => {
                let is_whole = |block: Block| {
                    block.kind == BoxKind::Table
                        && (block.start as usize, block.end as usize) == (span.start, span.end)
                };
                let table = known.boxes.iter().any(is_whole).then(|| span.clone());
                Ok(Self { stretches, document: false, table })
            }
        }
    }

    pub(crate) fn first(&self) -> Result<&Stretch, Refusal> {
        self.stretches.first().ok_or_else(|| Refusal::internal("a scope without text"))
    }

    pub(crate) fn last(&self) -> Result<&Stretch, Refusal> {
        self.stretches.last().ok_or_else(|| Refusal::internal("a scope without text"))
    }

    pub(crate) fn is_cursor(&self) -> bool {
        matches!(self.stretches.as_slice(), [only] if only.range.is_empty() && !self.document)
    }

    /// The bytes from the first character to the last.
    pub(crate) fn span(&self, view: &View) -> Result<Span, Refusal> {
        if let Some(table) = &self.table {
            return Ok(table.clone());
        }
        let (first, last) = (self.first()?, self.last()?);
        let start = span_of(view, first.place, first.range.clone())?;
        if self.stretches.len() == 1 {
            return Ok(start);
        }
        let end = span_of(view, last.place, last.range.clone())?;
        Ok(Span { end: end.end.max(start.end), ..start })
    }

    pub(crate) fn text(&self, view: &View) -> Result<String, Refusal> {
        let mut lines = Vec::new();
        for stretch in &self.stretches {
            let text = plain_text(&view.paragraph(stretch.place)?).text;
            lines.push(text.cut(stretch.range.clone())?.to_owned());
        }
        Ok(lines.join("\n"))
    }

    /// First and last character as positions in the story: UTF-16 units, as Word and JavaScript count, and one
    /// for each paragraph mark.
    pub(crate) fn positions(&self, view: &View) -> Result<(usize, usize), Refusal> {
        let (first, last) = (self.first()?, self.last()?);
        let count = |text: &str| text.encode_utf16().count();
        let (mut at, mut start) = (0, 0);
        for place in view.story(view.story_of(first.place)) {
            let text = plain_text(&view.paragraph(place)?).text;
            let before = |range: usize| count(text.part(..range));
            if place == first.place {
                start = at + before(first.range.start);
            }
            if place == last.place {
                return Ok((start, at + before(last.range.end)));
            }
            at += count(&text) + 1;
        }
        Ok((start, start))
    }
}

/// What a paragraph says when all changes are accepted: characters only, nothing that stands for something.
pub(crate) fn plain_text(paragraph: &Paragraph) -> Text {
    paragraph.text(Side::Final)
}

pub(crate) fn whole(view: &View, place: Place) -> Result<Stretch, Refusal> {
    let length = plain_text(&view.paragraph(place)?).text.len();
    Ok(Stretch { place, range: 0..length, whole: true })
}

/// The paragraph in which these bytes end, and where in its text.
pub fn end_of(view: &View, span: &Span) -> Result<(Place, usize), Refusal> {
    let ground = Ground::under(view, span)?;
    let last = ground.last()?;
    Ok((last.place, last.range.end))
}

/// Where a cursor stands that nobody has set: at the start of the body.
fn first_cursor(view: &View) -> Result<Span, Refusal> {
    let place = view.body().next().ok_or_else(|| Refusal::unsupported("a document without a paragraph"))?;
    span_of(view, place, 0..0)
}

/// The bytes behind a stretch of a paragraph's text, which is given in bytes of what it says ([`Side::Final`]).
pub fn span_of(view: &View, place: Place, range: Range<usize>) -> Result<Span, Refusal> {
    let part = view.part_of(place).ok_or_else(|| Refusal::internal("a paragraph of another view"))?.clone();
    let paragraph = view.paragraph(place)?;
    let text = plain_text(&paragraph);
    let bytes = match range.is_empty() {
        true => {
            let at = byte_of(&paragraph, &text, range.start, Bias::Before);
            at..at
        }
        false => {
            let start = byte_of(&paragraph, &text, range.start, Bias::After);
            start..byte_of(&paragraph, &text, range.end, Bias::Before).max(start)
        }
    };
    Ok(Span::new(&part, bytes))
}

/// Which neighbour a place between two characters belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bias {
    /// Directly behind the character before it.
    Before,
    /// Directly before the character behind it.
    After,
}

/// The byte of the part at an offset of the paragraph's text.
pub(crate) fn byte_of(paragraph: &Paragraph, text: &Text, offset: usize, bias: Bias) -> usize {
    let before = text.pieces.iter().rfind(|piece| piece.range.start < offset);
    let after = text.pieces.iter().find(|piece| piece.range.end > offset);
    let start_of = |piece: &crate::document::paragraph::TextPiece| {
        let local = offset.saturating_sub(piece.range.start);
        let inside = paragraph.source_of(piece.atom, local).filter(|_| piece.kind == PieceKind::Characters);
        inside.or_else(|| paragraph.atoms.get(piece.atom).map(|atom| atom.span.start))
    };
    let end_of = |piece: &crate::document::paragraph::TextPiece| {
        let local = offset.min(piece.range.end) - piece.range.start;
        let inside = paragraph.source_of(piece.atom, local).filter(|_| piece.kind == PieceKind::Characters);
        inside.or_else(|| paragraph.atoms.get(piece.atom).map(|atom| atom.span.end))
    };
    let found = match bias {
        Bias::Before => before.and_then(end_of).or_else(|| after.and_then(start_of)),
        Bias::After => after.and_then(start_of).or_else(|| before.and_then(end_of)),
    };
    found.unwrap_or_else(|| empty_place(paragraph))
}

/// A byte inside a paragraph that says nothing.
fn empty_place(paragraph: &Paragraph) -> usize {
    match (&paragraph.properties, paragraph.closes_itself) {
        (_, true) => paragraph.span.start + 1,
        (Some(properties), _) => properties.end,
        (None, _) => paragraph.content.start,
    }
}

/// The offset in the paragraph's text of a byte of the part.
fn offset_of(paragraph: &Paragraph, text: &Text, byte: usize) -> usize {
    for piece in &text.pieces {
        let Some(atom) = paragraph.atoms.get(piece.atom) else { continue };
        if byte <= atom.span.start {
            return piece.range.start;
        }
        if byte < atom.span.end {
            let AtomKind::Text(characters) = &atom.kind else { return piece.range.end };
            let local = characters
                .text
                .char_indices()
                .map(|(at, _)| at)
                .find(|at| paragraph.source_of(piece.atom, *at).is_some_and(|source| source >= byte));
            return piece.range.start + local.unwrap_or(characters.text.len());
        }
    }
    text.text.len()
}
