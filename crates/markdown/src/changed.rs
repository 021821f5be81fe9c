//! Which blocks an edit changes: those that are not what they were, and no neighbour of theirs.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Gravity, Patch};

use crate::PART;
use crate::block::{Kind, NodeId};
use crate::view::{Node, View};

/// The blocks of `after` that `before` does not have, in document order.
pub(crate) fn after(before: &View, after: &View, patch: &Patch) -> Vec<NodeId> {
    let offsets = patch.offsets(PART);
    let mut same: BTreeMap<usize, (Range<usize>, Kind)> = BTreeMap::new();
    for node in before.leaves_in(before.fresh_range(after)) {
        if let Some(range) = offsets.carry(node.range()) {
            same.insert(range.start, (range, node.kind()));
        }
    }
    let is_new = |node: &Node<'_>| same.get(&node.range().start) != Some(&(node.range(), node.kind()));
    let leaves: Vec<Node<'_>> = after.leaves_in(after.fresh_range(before)).filter(is_new).collect();
    let mut found: Vec<Node<'_>> = leaves.iter().filter_map(addressable).collect();
    // A check box or a number is in no block with text; the item is what changed.
    for splice in patch.splices(PART) {
        let start = offsets.map(splice.range.start, Gravity::Left);
        let end = start + splice.with.len();
        let behind = leaves.partition_point(|leaf| leaf.range().end < start);
        let seen = leaves.get(behind).is_some_and(|leaf| leaf.range().start <= end);
        let blank = || after.slice(start..end).trim_matches([' ', '\t', '\n', '\r', '>']).is_empty();
        if !seen && !blank() {
            found.extend(after.node_at(start).and_then(|node| addressable(&node)));
        }
    }
    found.sort_by_key(|node| node.range().start);
    after.ids_of(&found)
}

/// The blocks of `before` that `after` does not have as they were.
pub(crate) fn before(before: &View, after: &View, patch: &Patch) -> Vec<NodeId> {
    let offsets = patch.offsets(PART);
    let gone =
        before.leaves_in(before.fresh_range(after)).filter(|node| offsets.carry(node.range()).is_none());
    let gone: Vec<Node<'_>> = gone.filter_map(|node| addressable(&node)).collect();
    before.ids_of(&gone)
}

/// The innermost block around a place that has an id.
fn addressable<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    node.chain().find(|node| node.kind().prefix().is_some())
}
