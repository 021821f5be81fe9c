//! Content controls and custom XML that came or go.
//!
//! What such an element holds is tracked as any text is. That the element itself came or goes is said by ranges around
//! its tags, one around the first and one around the last; they are one decision. Without its element, what it held
//! stands where it stood.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ooxml::xml::{Node, NodeId, ns};

use super::ChangeKind;
use crate::edits::anatomy::word_name;

/// Which change the range that begins here stands for.
pub(super) fn kind(name: &str) -> Option<ChangeKind> {
    match name {
        "customXmlInsRangeStart" | "customXmlMoveToRangeStart" => Some(ChangeKind::ControlInsertion),
        "customXmlDelRangeStart" | "customXmlMoveFromRangeStart" => Some(ChangeKind::ControlDeletion),
        _ => None,
    }
}

/// The ranges of a part, with what they are about.
#[derive(Debug, Default)]
pub(super) struct Controls {
    ranges: BTreeMap<NodeId, Ranged>,
    /// By element, the ranges around its tags.
    around: BTreeMap<NodeId, Vec<NodeId>>,
}

#[derive(Debug)]
struct Ranged {
    kind: ChangeKind,
    end: Option<NodeId>,
    /// Elements whose first tag stands in the range.
    opened: Vec<NodeId>,
    /// Elements whose last tag does.
    closed: Vec<NodeId>,
}

impl Controls {
    pub(super) fn of(root: Node<'_>) -> Self {
        let mut open: Vec<(Node<'_>, ChangeKind)> = Vec::new();
        let mut spans: Vec<(NodeId, ChangeKind, Option<NodeId>, Range<usize>)> = Vec::new();
        let (mut first, mut last): (BTreeMap<usize, NodeId>, BTreeMap<usize, NodeId>) = Default::default();
        for node in root.descendants().filter(Node::is_element) {
            let name = word_name(&node);
            if matches!(name, "sdt" | "customXml") {
                first.insert(node.span().start, node.id());
                last.insert(node.span().end - 1, node.id());
            } else if let Some(kind) = kind(name) {
                open.push((node, kind));
            } else if name.starts_with("customXml")
                && let Some(what) = name.strip_suffix("End")
            {
                let is_mine = |(start, _): &(Node<'_>, ChangeKind)| {
                    word_name(start).strip_suffix("Start") == Some(what)
                        && start.value(ns::W, "id") == node.value(ns::W, "id")
                };
                let Some(at) = open.iter().rposition(is_mine) else { continue };
                let (start, kind) = open.remove(at);
                spans.push((start.id(), kind, Some(node.id()), start.span().end..node.span().start));
            }
        }
        spans.extend(open.into_iter().map(|(start, kind)| (start.id(), kind, None, 0..0)));
        let mut controls = Self::default();
        for (start, kind, end, span) in spans {
            let within =
                |tags: &BTreeMap<usize, NodeId>| tags.range(span.clone()).map(|(_, id)| *id).collect();
            let ranged = Ranged { kind, end, opened: within(&first), closed: within(&last) };
            for element in ranged.opened.iter().chain(&ranged.closed) {
                controls.around.entry(*element).or_default().push(start);
            }
            controls.ranges.insert(start, ranged);
        }
        controls
    }

    /// The element that came or goes, told at its first tag.
    pub(super) fn opened(&self, start: NodeId) -> Option<NodeId> {
        self.ranges.get(&start)?.opened.first().copied()
    }

    /// The ranges of a kind around the tags of an element.
    pub(super) fn around(&self, element: NodeId) -> impl Iterator<Item = (NodeId, ChangeKind)> {
        let starts = self.around.get(&element).into_iter().flatten();
        starts.filter_map(|start| Some((*start, self.ranges.get(start)?.kind)))
    }

    /// Takes along the other range of each element that is decided about.
    pub(super) fn complete(&self, chosen: &mut BTreeMap<NodeId, ChangeKind>) {
        let mut more = Vec::new();
        for (start, ranged) in self.ranges.iter().filter(|(start, _)| chosen.contains_key(start)) {
            let elements = ranged.opened.iter().chain(&ranged.closed);
            let others = elements.flat_map(|element| self.around(*element));
            more.extend(others.filter(|(other, kind)| *kind == ranged.kind && other != start));
        }
        chosen.extend(more);
    }

    /// The ends of ranges that are decided about.
    pub(super) fn ends(&self, chosen: &BTreeMap<NodeId, ChangeKind>) -> impl Iterator<Item = NodeId> {
        self.ranges
            .iter()
            .filter(|(start, _)| chosen.contains_key(start))
            .filter_map(|(_, ranged)| ranged.end)
    }

    /// The elements that go, of which only what they hold may stay.
    pub(super) fn going(
        &self,
        chosen: &BTreeMap<NodeId, ChangeKind>,
        goes: impl Fn(ChangeKind) -> bool,
    ) -> BTreeSet<NodeId> {
        let ranges =
            self.ranges.iter().filter(|(start, ranged)| chosen.contains_key(start) && goes(ranged.kind));
        ranges.flat_map(|(_, ranged)| ranged.opened.iter().copied()).collect()
    }
}

/// What a control or a custom element holds.
pub(super) fn held(element: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let holder =
        if word_name(&element) == "sdt" { element.child(ns::W, "sdtContent") } else { Some(element) };
    holder.into_iter().flat_map(|holder| holder.children()).filter(|child| word_name(child) != "customXmlPr")
}
