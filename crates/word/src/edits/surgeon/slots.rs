//! Where text goes that stands for no old text.
//!
//! It joins its left neighbour, or the right one at a start, but never slips into a hyperlink, a field or
//! another author's insertion that only ends or begins there.

use ooxml::xml::{Node, ns};

use super::outermost;
use crate::edits::anatomy::{Anatomy, Shape, Unit};
use crate::edits::run_properties::RunProperties;

pub(super) enum Slot {
    In {
        unit: usize,
        local: usize,
    },
    /// In a run of its own, at this byte of the source.
    Loose {
        at: usize,
        properties: RunProperties,
    },
}

/// `tracked`: an insertion beside another one can be told apart later, so it may look like it. `behind` keeps out of what
/// stands in front of `offset`, and so behind the marks that stand there.
pub(super) fn choose(anatomy: &Anatomy<'_>, offset: usize, tracked: bool, behind: bool) -> Slot {
    let left = anatomy.units.iter().rposition(|unit| unit.text.start < offset);
    let right = anatomy.units.iter().position(|unit| unit.text.end > offset);
    if let Some(unit) = left.filter(|_| left == right) {
        let start = anatomy.units.get(unit).map_or(0, |unit| unit.text.start);
        return Slot::In { unit, local: offset - start };
    }
    let of = |index: Option<usize>| index.and_then(|index| anatomy.units.get(index));
    let (before, after) = (of(left), of(right));
    for (index, unit, other) in [(left, before, after), (right, after, before)] {
        if behind && index == left {
            continue;
        }
        if let (Some(index), Some(unit)) = (index, unit)
            && joins(anatomy, unit, other, tracked)
        {
            let local = if Some(index) == left { unit.text.len() } else { 0 };
            return Slot::In { unit: index, local };
        }
    }
    let at = match behind {
        true => far_gap(anatomy, before, after),
        false => gap(anatomy, before, after),
    };
    Slot::Loose { at, properties: look(anatomy, before, after) }
}

/// Whether new text between `unit` and `other` may become part of the unit's run.
fn joins(anatomy: &Anatomy<'_>, unit: &Unit, other: Option<&Unit>, tracked: bool) -> bool {
    let run_of = |unit: &Unit| anatomy.runs.get(unit.run);
    let Some(run) = run_of(unit) else { return false };
    let beside = other.and_then(run_of);
    let same = |mine: Option<Node<'_>>, theirs: Option<Node<'_>>| {
        mine.map(|node| node.id()) == theirs.map(|node| node.id())
    };
    let hyperlink = run.hyperlink.is_none() || run.hyperlink == beside.and_then(|run| run.hyperlink);
    let inserted =
        tracked || run.inserted.is_none() || same(run.inserted, beside.and_then(|run| run.inserted));
    let field = unit.field.is_none() || unit.field == other.and_then(|other| other.field);
    unit.shape != Shape::Opaque && hyperlink && inserted && field && !run.locked
}

/// The byte between two units that is outside of whatever ends or begins there.
fn gap(anatomy: &Anatomy<'_>, before: Option<&Unit>, after: Option<&Unit>) -> usize {
    let node_of = |unit: &Unit| anatomy.outer_node(unit);
    let (left, right) = (before.and_then(node_of), after.and_then(node_of));
    let by_id = |id| anatomy.node.descendants().find(|node| node.id() == id);
    if let (Some(unit), Some(node)) = (before, left) {
        // Behind the machinery of the outermost field that ends here.
        let field = anatomy.fields.iter().find(|field| {
            let holds =
                |unit: &Unit| field.result.start <= unit.text.start && unit.text.end <= field.result.end;
            holds(unit) && !after.is_some_and(holds)
        });
        let last = field.and_then(|field| field.ends).and_then(|(_, last)| by_id(last)).unwrap_or(node);
        return outermost(last, right).span().end;
    }
    if let (Some(unit), Some(node)) = (after, right) {
        let field = anatomy
            .fields
            .iter()
            .find(|field| field.result.start <= unit.text.start && unit.text.end <= field.result.end);
        let first = field.and_then(|field| field.ends).and_then(|(first, _)| by_id(first)).unwrap_or(node);
        return outermost(first, None).span().start;
    }
    match anatomy.node.child(ns::W, "pPr") {
        Some(properties) => properties.span().end,
        None => anatomy.node.content_span().start,
    }
}

/// The last byte between two units.
fn far_gap(anatomy: &Anatomy<'_>, before: Option<&Unit>, after: Option<&Unit>) -> usize {
    let node_of = |unit: &Unit| anatomy.outer_node(unit);
    match after.and_then(node_of) {
        Some(_) if before.is_none() => gap(anatomy, None, after),
        Some(node) => {
            let field = after.and_then(|unit| {
                let holds = |range: &std::ops::Range<usize>| {
                    range.start <= unit.text.start && unit.text.end <= range.end
                };
                anatomy.fields.iter().find(|field| holds(&field.result))
            });
            let first = field
                .and_then(|field| field.ends)
                .and_then(|(first, _)| anatomy.node.descendants().find(|node| node.id() == first));
            outermost(first.unwrap_or(node), before.and_then(node_of)).span().start
        }
        None => anatomy.node.content_span().end,
    }
}

/// Formatting for text beside things that nobody should look like.
fn look(anatomy: &Anatomy<'_>, before: Option<&Unit>, after: Option<&Unit>) -> RunProperties {
    let plain = |unit: &&Unit| {
        unit.shape == Shape::Characters
            && unit.field.is_none()
            && anatomy.runs.get(unit.run).is_some_and(|run| run.hyperlink.is_none())
    };
    let offset = before.map(|unit| unit.text.end).or(after.map(|unit| unit.text.start)).unwrap_or(0);
    let nearest = anatomy
        .units
        .iter()
        .filter(plain)
        .min_by_key(|unit| unit.text.start.abs_diff(offset).min(unit.text.end.abs_diff(offset)));
    let properties = match nearest.and_then(|unit| anatomy.runs.get(unit.run)) {
        Some(run) => RunProperties::of_run(run.node),
        None => mark_properties(anatomy.node),
    };
    properties.without_change()
}

/// How the paragraph mark looks: what Word gives to text typed into an empty paragraph.
pub(crate) fn mark_properties(paragraph: Node<'_>) -> RunProperties {
    let properties = paragraph.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "rPr"));
    properties.map_or_else(RunProperties::default, RunProperties::of).without_change()
}
