//! Changes inside equations.
//!
//! A run of an equation says of itself that it came or goes, by a mark before its text or around it; a fraction, a
//! root or another object says so among its properties. Nobody deletes an object and keeps what it holds.

use ooxml::xml::{Node, ns};

use crate::edits::anatomy::word_name;

fn name<'a>(node: &Node<'a>) -> &'a str {
    let name = node.name();
    if name.namespace == ns::M { name.local } else { "" }
}

/// Whether a mark in this element is about the element of an equation that it belongs to.
pub(super) fn is_marked(node: Node<'_>) -> bool {
    matches!(name(&node), "r" | "ctrlPr")
}

/// Whether a run or an object goes with the marks that do.
pub(super) fn goes(node: Node<'_>, mark_goes: &impl Fn(Node<'_>) -> bool) -> bool {
    match name(&node) {
        "" => false,
        "r" => marks(node).any(|mark| mark_goes(mark) && !has_text(mark)),
        _ => {
            let properties = node.elements().filter(|child| name(child).ends_with("Pr"));
            let control = properties.filter_map(|properties| properties.child(ns::M, "ctrlPr")).next();
            control.is_some_and(|control| marks(control).any(mark_goes)) && !says(node, mark_goes)
        }
    }
}

/// The marks in a run or among the properties of an object; a deletion may stand in an insertion.
fn marks(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let is_mark = |node: &Node<'_>| matches!(word_name(node), "ins" | "del" | "moveFrom" | "moveTo");
    let outer = node.elements().filter(is_mark);
    outer.flat_map(move |mark| std::iter::once(mark).chain(mark.elements().filter(is_mark)))
}

fn has_text(node: Node<'_>) -> bool {
    node.descendants().any(|inner| matches!(inner.name().local, "t" | "delText"))
}

/// Whether anything is left to be read.
fn says(node: Node<'_>, mark_goes: &impl Fn(Node<'_>) -> bool) -> bool {
    node.elements().any(|child| match child.name().local {
        "t" => !child.text().is_empty(),
        "r" if goes(child, mark_goes) => false,
        _ => !mark_goes(child) && says(child, mark_goes),
    })
}
