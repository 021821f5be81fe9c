//! XML put between the characters of a paragraph: marks of comments and bookmarks, the tags of links, notes.
//!
//! Runs are divided where they must. What comes as a tracked change never stands inside another author's insertion,
//! which Word does not write: that one is divided too.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::Refusal;
use ooxml::xml::{Node, ns};

use crate::document::ids::ParagraphId;
use crate::document::stamp::Stamp;
use crate::edits::anatomy::{Anatomy, Shape, Unit};
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::run_properties::RunProperties;
use crate::edits::surgeon::{is_last_in, is_own, reopened};
use crate::text::accents;

/// XML and the offset of the text that it goes to.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedXml<'a> {
    at: usize,
    xml: &'a str,
    lean: Lean,
}

/// The neighbour that a piece stays with where one container ends and another begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lean {
    Before,
    Behind,
}

impl<'a> PlacedXml<'a> {
    /// An element, which is whole wherever it stands.
    pub(super) fn mark(at: usize, xml: &'a str) -> Self {
        Self { at, xml, lean: Lean::Before }
    }

    /// A start tag and its end tag around a text. Both must come into the container that the text is in.
    pub(super) fn around(range: &Range<usize>, start: &'a str, end: &'a str) -> [Self; 2] {
        let start = Self { at: range.start, xml: start, lean: Lean::Behind };
        [start, Self { at: range.end, xml: end, lean: Lean::Before }]
    }
}

/// Where the quoted words stand that a comment, a note, a bookmark or a link is put to.
pub(super) fn quoted(text: &str, quote: &str, paragraph: ParagraphId) -> Result<Range<usize>, Refusal> {
    if quote.is_empty() {
        return Err(Refusal::invalid("quote", "an empty text", "words of the paragraph"));
    }
    Ok(accents::find(text, quote, &paragraph.to_string())?.hit.range)
}

/// The splices that put each piece at its offset of the text, dividing runs where they must.
pub(super) fn insert_at(
    opened: &OpenParagraph,
    anatomy: &Anatomy<'_>,
    pieces: &[PlacedXml<'_>],
) -> Vec<(Range<usize>, String)> {
    let dialect = &opened.dialect;
    let mut splices: Vec<(Range<usize>, String)> = Vec::new();
    let mut inside: BTreeMap<usize, Vec<(usize, &str)>> = BTreeMap::new();
    // In front of everything there is, behind the properties: one splice, since a paragraph that closes itself is
    // opened once.
    let mut first = String::new();
    for PlacedXml { at: offset, xml, lean } in pieces {
        if *lean == Lean::Behind
            && let Some(index) =
                anatomy.units.iter().position(|unit| unit.text.start == *offset && !unit.text.is_empty())
            && let Some(splice) = in_front_of(opened, anatomy, index, xml)
        {
            splices.push(splice);
            continue;
        }
        let Some(index) = anatomy.units.iter().rposition(|unit| unit.text.start < *offset) else {
            first.push_str(xml);
            continue;
        };
        let Some(unit) = anatomy.units.get(index) else { continue };
        let Some(run) = anatomy.outer_node(unit) else { continue };
        if unit.text.end > *offset && unit.shape == Shape::Characters {
            inside.entry(index).or_default().push((*offset - unit.text.start, xml));
            continue;
        }
        let behind = anatomy.units.iter().any(|other| other.run == unit.run && other.text.start >= *offset);
        match element_of(anatomy, run, index).filter(|_| behind) {
            None => splices.push((run.span().end..run.span().end, (*xml).to_owned())),
            Some(element) => {
                let look = RunProperties::of_run(run).write(dialect);
                let (name, at) = (run.qualified(), element.span().end);
                splices.push((at..at, format!("</{name}>{xml}<{name}>{look}")));
            }
        }
    }
    if !first.is_empty() {
        splices.push(match anatomy.node.child(ns::W, "pPr") {
            Some(properties) => (properties.span().end..properties.span().end, first),
            None => crate::edits::marks::inside_start(anatomy.node, &first),
        });
    }
    for (index, pieces) in inside {
        let Some(unit) = anatomy.units.get(index) else { continue };
        let Some(run) = anatomy.outer_node(unit) else { continue };
        let Some(element) = element_of(anatomy, run, index) else { continue };
        let (name, look) = (run.qualified(), RunProperties::of_run(run).write(dialect));
        // The element is written anew in its parts, each with its blanks kept.
        let mut out = String::new();
        let mut from = 0;
        for (local, xml) in pieces {
            if local > from {
                out.push_str(&dialect.text("t", &anatomy.spelled(unit, from..local)));
                out.push_str(&format!("</{name}>{xml}<{name}>{look}"));
            } else {
                // Two pieces at one place stand side by side.
                let at = out.len() - format!("<{name}>{look}").len();
                out.insert_str(at, xml);
            }
            from = local;
        }
        out.push_str(&dialect.text("t", &anatomy.spelled(unit, from..unit.text.len())));
        splices.push((element.span(), out));
    }
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    splices
}

/// Puts a piece before a unit, in the container that its run stands in.
fn in_front_of(
    opened: &OpenParagraph,
    anatomy: &Anatomy<'_>,
    index: usize,
    xml: &str,
) -> Option<(Range<usize>, String)> {
    let unit = anatomy.units.get(index)?;
    let run = anatomy.outer_node(unit)?;
    let is_first = !anatomy.units.iter().take(index).any(|other| other.run == unit.run);
    if is_first || anatomy.runs.get(unit.run).is_none() {
        return Some((run.span().start..run.span().start, xml.to_owned()));
    }
    let at = element_of(anatomy, run, index)?.span().start;
    let (name, look) = (run.qualified(), RunProperties::of_run(run).write(&opened.dialect));
    Some((at..at, format!("</{name}>{xml}<{name}>{look}")))
}

/// Puts a run at an offset of the text, as an insertion of whoever the stamp is of.
pub(super) fn insert_tracked(
    opened: &OpenParagraph,
    anatomy: &Anatomy<'_>,
    offset: usize,
    run: &str,
    stamp: &Stamp,
) -> Vec<(Range<usize>, String)> {
    let dialect = &opened.dialect;
    let ours = || dialect.wrap("ins", &stamp.attributes(&dialect.attribute), run);
    let put = |xml: &str| insert_at(opened, anatomy, &[PlacedXml::mark(offset, xml)]);
    let beside = anatomy.units.iter().rfind(|unit| unit.text.start < offset);
    let Some((unit, known)) = beside.and_then(|unit| Some((unit, anatomy.runs.get(unit.run)?))) else {
        return put(&ours());
    };
    if is_own(known.inserted, Some(stamp)) {
        return put(run);
    }
    let is_around = |around: &Node<'_>| known.node.parent().is_some_and(|parent| parent.id() == around.id());
    let Some(around) = known.inserted.filter(is_around) else { return put(&ours()) };
    if is_last_in(around, known.node) && !is_more_behind(anatomy, unit, offset) {
        let end = around.span().end;
        return vec![(end..end, ours())];
    }
    put(&format!("</{}>{}{}", around.qualified(), ours(), reopened(around, stamp)))
}

/// Whether a run goes on behind an offset in or at the end of one of its units.
fn is_more_behind(anatomy: &Anatomy<'_>, unit: &Unit, offset: usize) -> bool {
    unit.text.end > offset
        || anatomy.units.iter().any(|other| other.run == unit.run && other.text.start >= offset)
}

fn element_of<'a>(anatomy: &Anatomy<'a>, run: Node<'a>, unit: usize) -> Option<Node<'a>> {
    run.elements().find(|child| anatomy.unit_of(*child).is_some_and(|(index, _)| index == unit))
}
