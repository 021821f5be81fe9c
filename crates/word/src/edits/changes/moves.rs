//! Moves: text that went from one place to another, and the rows of tables that went with it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::OrEmpty;
use ooxml::xml::{Node, NodeId, ns};

use super::ChangeKind;
use super::controls::Controls;
use crate::edits::anatomy::word_name;

/// What belongs to one move: text in both places, and the marks of its ranges.
#[derive(Default)]
struct Move {
    moved: Vec<(NodeId, ChangeKind)>,
    marks: Vec<NodeId>,
}

/// A move has two halves, which are resolved together; answers the range marks that go with them.
pub(super) fn moves(
    root: Node<'_>,
    controls: &Controls,
    chosen: &mut BTreeMap<NodeId, ChangeKind>,
    everything: bool,
) -> BTreeSet<NodeId> {
    // By id, name, and what the range holds.
    let mut open: Vec<(String, String, &str)> = Vec::new();
    let mut named: BTreeMap<String, Move> = BTreeMap::new();
    let mut owners: BTreeMap<NodeId, (String, ChangeKind)> = BTreeMap::new();
    let mut loose = BTreeSet::new();
    for node in root.descendants().filter(Node::is_element) {
        let id = || node.value(ns::W, "id").or_empty().into_owned();
        match word_name(&node) {
            start @ ("moveFromRangeStart" | "moveToRangeStart") => {
                let what = start.trim_end_matches("RangeStart");
                let name = node.value(ns::W, "name").or_empty().into_owned();
                named.entry(name.clone()).or_default().marks.push(node.id());
                // The mark of the paragraph that a range begins in stands before it, in the properties.
                let mark = node.parent().and_then(|up| up.child(ns::W, "pPr")?.child(ns::W, "rPr"));
                if let Some(mark) = mark.and_then(|mark| mark.child(ns::W, what))
                    && let Some(kind) = super::kind_of(mark)
                {
                    owners.insert(mark.id(), (name.clone(), kind));
                }
                open.push((id(), name, what));
            }
            end @ ("moveFromRangeEnd" | "moveToRangeEnd") => {
                let (id, what) = (id(), end.trim_end_matches("RangeEnd"));
                match open.iter().rposition(|(known, _, held)| *known == id && *held == what) {
                    Some(at) => named.entry(open.remove(at).1).or_default().marks.push(node.id()),
                    None => drop(loose.insert(node.id())),
                }
            }
            moved @ ("moveFrom" | "moveTo") => {
                let Some(kind) = super::kind_of(node) else { continue };
                if let Some((_, name, _)) = open.iter().rfind(|(_, _, what)| *what == moved) {
                    owners.insert(node.id(), (name.clone(), kind));
                }
            }
            // A control moves with what it holds.
            "sdt" | "customXml" => {
                for (start, kind) in controls.around(node.id()) {
                    let half = if kind == ChangeKind::ControlInsertion { "moveTo" } else { "moveFrom" };
                    if let Some((_, name, _)) = open.iter().rfind(|(_, _, what)| *what == half) {
                        owners.insert(start, (name.clone(), kind));
                    }
                }
            }
            _ => {}
        }
    }
    for (node, (name, kind)) in owners {
        named.entry(name).or_default().moved.push((node, kind));
    }
    let mut ranges = BTreeSet::new();
    for Move { moved, marks } in named.into_values() {
        if everything || moved.iter().any(|(node, _)| chosen.contains_key(node)) {
            chosen.extend(moved);
            ranges.extend(marks);
        }
    }
    if everything {
        ranges.append(&mut loose);
    }
    ranges
}

/// Rows that go because they were moved as a whole. Word has no mark of its own for them: the range of the move goes
/// beyond the row, and the end of each cell is marked as moved.
pub(super) fn moved_rows(root: Node<'_>, goes: impl Fn(Node<'_>) -> bool) -> BTreeSet<NodeId> {
    let mut rows = BTreeSet::new();
    let ranges = spans(root);
    if ranges.is_empty() {
        return rows;
    }
    for row in root.descendants().filter(|node| word_name(node) == "tr") {
        let own = |cell: &Node<'_>| {
            let owner = || cell.ancestors().find(|up| matches!(word_name(up), "tbl" | "tr"));
            word_name(cell) == "tc" && owner().is_some_and(|owner| owner.id() == row.id())
        };
        let cells: Vec<Node<'_>> = row.descendants().filter(own).collect();
        let Some(what) = cells.first().and_then(|cell| end_of(*cell)).map(|mark| word_name(&mark)) else {
            continue;
        };
        let is_moved =
            |cell: &Node<'_>| end_of(*cell).is_some_and(|mark| word_name(&mark) == what && goes(mark));
        if !cells.iter().all(is_moved) {
            continue;
        }
        let first = row.descendants().find(|node| word_name(node) == "p");
        let begin = first.map_or(row.span().start, |first| first.span().end);
        let covers = |(held, span): &(&str, Range<usize>)| {
            *held == what && span.start <= begin && span.end >= row.span().end
        };
        let stays = |run: Node<'_>| {
            let mut around = run.ancestors().take_while(|up| up.id() != row.id());
            !around.any(&goes)
        };
        let mut runs = row.descendants().filter(|node| word_name(node) == "r");
        if ranges.iter().any(covers) && !runs.any(stays) {
            rows.insert(row.id());
        }
    }
    rows
}

/// The mark of a move at the end of a cell.
fn end_of(cell: Node<'_>) -> Option<Node<'_>> {
    let last = cell.elements().filter(|node| word_name(node) == "p").last()?;
    let mut marks = last.child(ns::W, "pPr")?.child(ns::W, "rPr")?.elements();
    marks.find(|mark| matches!(word_name(mark), "moveFrom" | "moveTo"))
}

/// Where moves begin and end.
fn spans(root: Node<'_>) -> Vec<(&str, Range<usize>)> {
    let mut open: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut spans = Vec::new();
    for node in root.descendants().filter(Node::is_element) {
        let name = word_name(&node);
        let Some(what @ ("moveFrom" | "moveTo")) = name.split("Range").next() else { continue };
        let id = node.value(ns::W, "id").or_empty().into_owned();
        if name.ends_with("RangeStart") {
            open.insert((what, id), node.span().start);
        } else if name.ends_with("RangeEnd")
            && let Some(start) = open.remove(&(what, id))
        {
            spans.push((what, start..node.span().end));
        }
    }
    spans
}
