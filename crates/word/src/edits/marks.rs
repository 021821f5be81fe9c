//! The paragraph mark and its properties, as bytes to splice.

use std::ops::Range;

use ooxml::xml::{Node, ns};

use crate::document::stamp::Stamp;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;
use crate::edits::run_properties::RunProperties;
use crate::edits::schema::{Parent, place, written};

/// The splice that puts `inner` (children of `w:rPr`, as written) in front of the mark's properties.
///
/// `paragraph` is in a tree of its own source. Revisions of a mark stand first in its `w:rPr`.
pub(crate) fn put_in_mark(paragraph: Node<'_>, inner: &str, dialect: &Dialect) -> (Range<usize>, String) {
    let rpr = |inner: &str| dialect.wrap("rPr", "", inner);
    let Some(properties) = paragraph.child(ns::W, "pPr") else {
        let ppr = dialect.wrap("pPr", "", &rpr(inner));
        return inside_start(paragraph, &ppr);
    };
    match properties.child(ns::W, "rPr") {
        Some(mark) => inside_start(mark, inner),
        None => put_property(properties, "rPr", &rpr(inner)),
    }
}

/// The splice that adds the child `name` to `w:pPr` where the schema wants it.
pub(crate) fn put_property(properties: Node<'_>, name: &str, child: &str) -> (Range<usize>, String) {
    let children: Vec<Node<'_>> = properties.elements().collect();
    match place(Parent::Paragraph, name, children.iter().map(|child| child.name().local)) {
        Some(index) => {
            let at = children.get(index).map_or(properties.content_span().end, |child| child.span().start);
            (at..at, child.to_owned())
        }
        None => inside_end(properties, child),
    }
}

/// The splice that puts `inner` at the start of an element, which may be written as one tag.
pub(crate) fn inside_start(node: Node<'_>, inner: &str) -> (Range<usize>, String) {
    match node.closes_itself() {
        true => opened(node, inner),
        false => (node.content_span().start..node.content_span().start, inner.to_owned()),
    }
}

/// The splice that puts `inner` at the end of an element.
pub(crate) fn inside_end(node: Node<'_>, inner: &str) -> (Range<usize>, String) {
    match node.closes_itself() {
        true => opened(node, inner),
        false => (node.content_span().end..node.content_span().end, inner.to_owned()),
    }
}

fn opened(node: Node<'_>, inner: &str) -> (Range<usize>, String) {
    let end = node.span().end;
    (end - 2..end, format!(">{inner}</{}>", node.qualified()))
}

/// The formatting of a paragraph as the record of a change has it: without its mark and its section.
pub(crate) fn formatting(paragraph: Node<'_>) -> String {
    written(Parent::Paragraph, paragraph.child(ns::W, "pPr"), is_formatting)
}

fn is_formatting(name: &str) -> bool {
    !matches!(name, "rPr" | "sectPr" | "pPrChange")
}

/// The record that a paragraph was formatted as `old`, which [`formatting`] answered.
pub(crate) fn record(old: &str, stamp: &Stamp, dialect: &Dialect) -> String {
    let old = if old.is_empty() { dialect.empty("pPr", &[]) } else { dialect.wrap("pPr", "", old) };
    dialect.wrap("pPrChange", &stamp.attributes(&dialect.attribute), &old)
}

/// Paragraph properties for a new paragraph that looks like `source`, which may have none.
///
/// Left out is what belongs to that one paragraph: its section, its revisions, its page break.
pub(crate) fn cloned_properties(source: Node<'_>, tracked: Option<&Stamp>, dialect: &Dialect) -> String {
    let properties = source.child(ns::W, "pPr");
    let mut inner =
        written(Parent::Paragraph, properties, |name| is_formatting(name) && name != "pageBreakBefore");
    let mark = properties.and_then(|properties| properties.child(ns::W, "rPr"));
    let mark = mark.map_or_else(RunProperties::default, RunProperties::of).without_change();
    let inserted =
        tracked.map(|stamp| format!("<{}ins{}/>", dialect.element, stamp.attributes(&dialect.attribute)));
    let mark = inserted.unwrap_or_default() + &mark.written();
    if !mark.is_empty() {
        inner.push_str(&dialect.wrap("rPr", "", &mark));
    }
    if inner.is_empty() { inner } else { dialect.wrap("pPr", "", &inner) }
}

/// Marks whose other half stands outside of all these; they are as good between paragraphs as inside one.
pub(crate) fn unpaired<'a>(nodes: &[Node<'a>]) -> Vec<Node<'a>> {
    const PAIRS: &[(&str, &str)] = &[
        ("bookmarkStart", "bookmarkEnd"),
        ("commentRangeStart", "commentRangeEnd"),
        ("moveFromRangeStart", "moveFromRangeEnd"),
        ("moveToRangeStart", "moveToRangeEnd"),
        ("permStart", "permEnd"),
        ("customXmlInsRangeStart", "customXmlInsRangeEnd"),
        ("customXmlDelRangeStart", "customXmlDelRangeEnd"),
        ("customXmlMoveFromRangeStart", "customXmlMoveFromRangeEnd"),
        ("customXmlMoveToRangeStart", "customXmlMoveToRangeEnd"),
    ];
    let marks: Vec<Node<'a>> =
        nodes.iter().flat_map(|node| node.descendants()).filter(Node::is_element).collect();
    let id = |node: &Node<'_>| node.value(ns::W, "id").map(|id| id.into_owned());
    let alone = |mark: &&Node<'_>| {
        let name = word_name(mark);
        let other = PAIRS.iter().find_map(|(start, end)| match name {
            name if name == *start => Some(*end),
            name if name == *end => Some(*start),
            _ => None,
        });
        other.is_some_and(|other| !marks.iter().any(|mate| word_name(mate) == other && id(mate) == id(mark)))
    };
    marks.iter().filter(alone).copied().collect()
}

/// What stays of these where they are deleted: the unpaired marks, as they are written.
pub(crate) fn survivors(nodes: &[Node<'_>]) -> String {
    unpaired(nodes).iter().map(|mark| String::from_utf8_lossy(mark.source())).collect()
}
