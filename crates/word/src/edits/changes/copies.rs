//! Changes that a file has twice.
//!
//! Word writes a text box as a drawing and once more for programs that know no such drawings. Both hold the same
//! changes; whoever decides about one means the other too.

use edit::Cut;
use std::collections::BTreeMap;

use ooxml::xml::{Node, NodeId, ns};

use crate::document::index::understands;

/// By the copy of a change, the change itself in the branch that is read.
pub(super) fn copies(root: Node<'_>) -> BTreeMap<NodeId, NodeId> {
    let mut copies = BTreeMap::new();
    let is_mc = |node: &Node<'_>, local: &str| node.name().namespace == ns::MC && node.name().local == local;
    for alternatives in root.descendants().filter(|node| is_mc(node, "AlternateContent")) {
        let is_read = |branch: &Node<'_>| is_mc(branch, "Fallback") || understands(tag(*branch));
        let Some(read) = alternatives.elements().find(is_read) else { continue };
        let mine = changes(read);
        for other in alternatives.elements().filter(|other| other.id() != read.id()) {
            let theirs = changes(other);
            // The same in both, mark for mark; otherwise nobody knows which belong together.
            if mine.iter().map(|node| tag(*node)).eq(theirs.iter().map(|node| tag(*node))) {
                copies.extend(theirs.iter().zip(&mine).map(|(copy, change)| (copy.id(), change.id())));
            }
        }
    }
    copies
}

fn tag(node: Node<'_>) -> &[u8] {
    node.source().part(..node.tag_span().len())
}

fn changes(branch: Node<'_>) -> Vec<Node<'_>> {
    branch.descendants().filter(|node| super::kind_of(*node).is_some()).collect()
}
