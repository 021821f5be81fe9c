//! What stands directly before and behind a paragraph in its container.

use crate::document::index::{BoxKind, Part};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sibling {
    Paragraph,
    Table,
    /// A content control or something else around blocks.
    Other,
    /// The container starts or ends here.
    Edge,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Siblings {
    pub(crate) before: Sibling,
    pub(crate) after: Sibling,
    pub(crate) container: Option<BoxKind>,
}

pub(crate) fn siblings(part: &Part, index: usize) -> Siblings {
    let span = part.paragraphs.span(index);
    let boxed = part.paragraphs.boxed.get(index).unwrap_or(crate::document::index::NOWHERE);
    let mut before = (0, Sibling::Edge);
    let mut after = (usize::MAX, Sibling::Edge);
    let mut see = |start: usize, end: usize, what: Sibling| {
        if end <= span.start && end > before.0 {
            before = (end, what);
        }
        if start >= span.end && start < after.0 {
            after = (start, what);
        }
    };
    // Paragraphs are in order, so those that matter are close; a table between may hold many, though.
    let same = |other: usize| part.paragraphs.boxed.get(other) == Some(boxed);
    if let Some(other) = (0..index).rev().find(|other| same(*other)) {
        let other = part.paragraphs.span(other);
        see(other.start, other.end, Sibling::Paragraph);
    }
    if let Some(other) = (index + 1..part.paragraphs.len()).find(|other| same(*other)) {
        let other = part.paragraphs.span(other);
        see(other.start, other.end, Sibling::Paragraph);
    }
    for (number, block) in part.boxes.iter().enumerate() {
        if block.parent == boxed && number as u32 != boxed {
            let what = if block.kind == BoxKind::Table { Sibling::Table } else { Sibling::Other };
            see(block.start as usize, block.end as usize, what);
        }
    }
    Siblings { before: before.1, after: after.1, container: part.bounds(boxed).map(|block| block.kind) }
}
