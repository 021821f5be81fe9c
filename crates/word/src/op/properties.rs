//! Single children of a property element (`w:pPr`, `w:tblPr`, `w:trPr`, `w:tcPr`) put in, taken out or replaced
//! where the schema wants them; the others stay as they are.

use std::ops::Range;

use ooxml::xml::{Node, ns};

use crate::edits::dialect::Dialect;
use crate::edits::marks::inside_start;
use crate::edits::schema::{Parent, order, place};

/// A child by name, and how it is to be written; nothing takes it away.
pub(crate) type Change = (&'static str, Option<String>);

pub(crate) fn element_of(parent: Parent) -> &'static str {
    match parent {
        Parent::Paragraph => "pPr",
        Parent::Run => "rPr",
        Parent::Table => "tblPr",
        Parent::Row => "trPr",
        Parent::Cell => "tcPr",
        Parent::Section => "sectPr",
    }
}

/// The splices of `owner`'s source that make these changes.
pub(crate) fn change(
    owner: Node<'_>,
    parent: Parent,
    mut changes: Vec<Change>,
    dialect: &Dialect,
) -> Vec<(Range<usize>, String)> {
    let rank = |name: &str| order(parent).iter().position(|known| *known == name);
    changes.sort_by_key(|(name, _)| rank(name));
    let element = element_of(parent);
    let properties = owner.child(ns::W, element);
    let written: String = changes.iter().filter_map(|(_, source)| source.as_deref()).collect();
    let Some(properties) = properties.filter(|properties| !properties.closes_itself()) else {
        if written.is_empty() {
            return Vec::new();
        }
        let whole = dialect.wrap(element, "", &written);
        return vec![match (properties, owner.child(ns::W, "tblPrEx")) {
            (Some(empty), _) => (empty.span(), whole),
            // Exceptions to the table's properties come before those of the row.
            (None, Some(exceptions)) => (exceptions.span().end..exceptions.span().end, whole),
            (None, None) => inside_start(owner, &whole),
        }];
    };
    let children: Vec<Node<'_>> = properties.elements().collect();
    let mut splices: Vec<(Range<usize>, String)> = Vec::new();
    for (name, source) in changes {
        let mut known = children.iter().filter(|child| child.is(ns::W, name));
        match (known.next(), source) {
            (Some(child), source) => {
                splices.push((child.span(), source.unwrap_or_default()));
                splices.extend(known.map(|again| (again.span(), String::new())));
            }
            (None, Some(source)) => {
                let at = place(parent, name, children.iter().map(|child| child.name().local))
                    .and_then(|index| children.get(index))
                    .map_or(properties.content_span().end, |child| child.span().start);
                splices.push((at..at, source));
            }
            (None, None) => {}
        }
    }
    splices
}
