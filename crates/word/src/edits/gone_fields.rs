//! Fields that a rewritten text names at another place, or not at all.
//!
//! A cross reference that is quoted whole may move within its clause, or go with the words around it. Its machinery goes
//! as one; where the new text names it, a copy of it comes. Tracked, that is a deletion and an insertion like any other,
//! and whoever rejects both has the old field.

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Cut, OrEmpty, Refusal};
use ooxml::xml::{Node, escape_text, ns};

use crate::document::stamp::Stamp;
use crate::edits::anatomy::{Anatomy, Field, Shape, word_name};
use crate::edits::delete::as_deleted;
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::surgeon::{is_own, removals};

/// What it takes to take fields out of a paragraph.
#[derive(Debug, Default)]
pub(super) struct Removed {
    pub(super) splices: Vec<(Range<usize>, String)>,
    /// Each field as it can be put elsewhere.
    pub(super) copies: Vec<String>,
}

/// Takes fields out, or refuses where the machinery of one cannot be told from what stands around it.
pub(super) fn remove(
    opened: &OpenParagraph,
    anatomy: &Anatomy<'_>,
    fields: &[&Field],
    stamp: Option<&Stamp>,
) -> Result<Removed, Refusal> {
    let mut removed = Removed::default();
    let mut gone = BTreeSet::new();
    for field in fields {
        let machinery = Machinery::of(anatomy, field)?;
        removed.copies.push(machinery.copied(opened, stamp.is_some()));
        match (machinery, stamp) {
            (Machinery::Simple(node), None) => removed.splices.push((node.span(), String::new())),
            (Machinery::Simple(node), Some(stamp)) => {
                let runs = complex(node, opened);
                let runs = runs.iter().map(|run| run.deleted.as_str()).collect::<String>();
                let attributes = stamp.attributes(&opened.dialect.attribute);
                removed.splices.push((node.span(), opened.dialect.wrap("del", &attributes, &runs)));
            }
            (Machinery::Runs(runs), stamp) => {
                for run in runs {
                    let inserted = anatomy.runs.iter().find(|known| known.node.id() == run.id());
                    let inserted = inserted.and_then(|known| known.inserted);
                    match stamp.filter(|stamp| !is_own(inserted, Some(stamp))) {
                        None => {
                            gone.insert(run.id());
                        }
                        Some(stamp) => {
                            let attributes = stamp.attributes(&opened.dialect.attribute);
                            let deleted = opened.dialect.wrap("del", &attributes, &as_deleted(run));
                            removed.splices.push((run.span(), deleted));
                        }
                    }
                }
            }
        }
    }
    removed.splices.extend(removals(anatomy, &gone));
    removed.splices.sort_by_key(|(range, _)| (range.start, range.end));
    Ok(removed)
}

/// The elements that make a field.
enum Machinery<'a> {
    Simple(Node<'a>),
    /// Those that are not deleted already.
    Runs(Vec<Node<'a>>),
}

impl<'a> Machinery<'a> {
    fn of(anatomy: &Anatomy<'a>, field: &Field) -> Result<Self, Refusal> {
        let refused = || Refusal::Unsafe {
            why: format!("{} is woven into the text around it", field.named()),
            instead: Some("edit the text beside it".to_owned()),
        };
        let form = field.kind.starts_with("FORM");
        let opaque = anatomy.units_in(&field.result).any(|(_, unit)| unit.shape == Shape::Opaque);
        let (first, last) = field.ends.filter(|_| !form && !opaque).ok_or_else(refused)?;
        let by_id = |id| anatomy.node.descendants().find(|node| node.id() == id);
        let (first, last) = (by_id(first).ok_or_else(refused)?, by_id(last).ok_or_else(refused)?);
        if word_name(&first) == "fldSimple" {
            let plain = first.elements().all(|child| word_name(&child) == "r");
            return if plain { Ok(Self::Simple(first)) } else { Err(refused()) };
        }
        let parent = first.parent().ok_or_else(refused)?;
        if last.parent().is_none_or(|other| other.id() != parent.id()) {
            return Err(refused());
        }
        let is_edge = |child: Option<Node<'_>>, kind: &str| {
            let is_mark = |child: &Node<'_>| {
                word_name(child) == "fldChar" && child.value(ns::W, "fldCharType").as_deref() == Some(kind)
            };
            child.is_some_and(|child| is_mark(&child))
        };
        let begins = is_edge(first.elements().find(|child| word_name(child) != "rPr"), "begin");
        if !begins || !is_edge(last.elements().last(), "end") {
            return Err(refused());
        }
        let mut runs = Vec::new();
        let inside = parent
            .elements()
            .filter(|node| first.span().start <= node.span().start && node.span().end <= last.span().end);
        for node in inside {
            match word_name(&node) {
                "r" => runs.push(node),
                "ins" | "moveTo" if node.elements().all(|child| matches!(word_name(&child), "r" | "del")) => {
                    runs.extend(node.elements().filter(|child| word_name(child) == "r"));
                }
                "del" | "moveFrom" | "proofErr" => {}
                name if name.starts_with("bookmark") || name.starts_with("commentRange") => {}
                _ => return Err(refused()),
            }
        }
        Ok(Self::Runs(runs))
    }

    /// The field as it is written where it comes to. A field that is one element cannot be tracked; in runs it can.
    fn copied(&self, opened: &OpenParagraph, tracked: bool) -> String {
        match self {
            Self::Simple(node) if tracked => {
                complex(*node, opened).iter().map(|run| run.kept.as_str()).collect()
            }
            Self::Simple(node) => text_of(*node),
            Self::Runs(runs) => runs.iter().map(|run| text_of(*run)).collect(),
        }
    }
}

fn text_of(node: Node<'_>) -> String {
    String::from_utf8_lossy(node.source()).into_owned()
}

/// A run as it stands, and as it stands in a deletion.
struct TwoWays {
    kept: String,
    deleted: String,
}

/// A `w:fldSimple` in runs.
fn complex(node: Node<'_>, opened: &OpenParagraph) -> Vec<TwoWays> {
    let dialect = &opened.dialect;
    let inner: Vec<Node<'_>> = node.elements().filter(|child| word_name(child) == "r").collect();
    let look = inner.first().and_then(|run| run.child(ns::W, "rPr")).map_or_else(String::new, text_of);
    let run = |inner: &str| dialect.wrap("r", "", &format!("{look}{inner}"));
    let same = |xml: String| TwoWays { kept: xml.clone(), deleted: xml };
    let mark = |kind: &str| same(run(&dialect.empty("fldChar", &[("fldCharType", kind)])));
    let instruction = node.value(ns::W, "instr").or_empty();
    let spelled = |name: &str| run(&dialect.text(name, &escape_text(&instruction)));
    let mut all = vec![
        mark("begin"),
        TwoWays { kept: spelled("instrText"), deleted: spelled("delInstrText") },
        mark("separate"),
    ];
    all.extend(inner.iter().map(|run| TwoWays { kept: text_of(*run), deleted: as_deleted(*run) }));
    all.push(mark("end"));
    all
}

/// `range` of a text without what these fields showed in it, and the text.
pub(super) fn without(
    text: &str,
    range: &Range<usize>,
    fields: &[&Field],
) -> Result<(String, Range<usize>), Refusal> {
    let mut shown: Vec<&Range<usize>> = fields.iter().map(|field| &field.result).collect();
    shown.sort_by_key(|range| range.start);
    let (mut rest, mut from, mut lost) = (String::new(), 0, 0);
    for range in shown {
        rest.push_str(text.cut(from..range.start)?);
        (from, lost) = (range.end, lost + range.len());
    }
    rest.push_str(text.cut(from..)?);
    Ok((rest, range.start..range.end - lost))
}
