//! The marks of paragraphs and rows: which of them come and go, and how paragraphs look from now on.

use std::ops::Range;

use edit::Refusal;
use ooxml::xml::ns;

use super::carrier::record_of;
use crate::document::index::Block;
use crate::document::view::{Place, View};
use crate::edits::Markup;
use crate::edits::dialect::Dialect;
use crate::edits::marks::{formatting, inside_start, put_in_mark};
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::redline::STAMP;

/// What becomes of the mark of a paragraph, and of its look.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) mark: Option<MarkChange>,
    /// Children of `w:pPr` that take the place of those that are there.
    pub(super) look: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkChange {
    Inserted,
    Deleted,
    MovedFrom,
}

impl MarkChange {
    fn name(self) -> &'static str {
        match self {
            Self::Inserted => "ins",
            Self::Deleted => "del",
            Self::MovedFrom => "moveFrom",
        }
    }
}

/// How a paragraph of the original is formatted.
pub(super) fn formatting_of(view: &View, place: Place) -> Result<String, Refusal> {
    let opened = OpenParagraph::open(view, place)?;
    Ok(formatting(opened.node()?))
}

/// The one splice that does it, if there is anything to do.
pub(super) fn splice(
    view: &View,
    place: Place,
    head: &Head,
    markup: Markup,
    dialect: &Dialect,
) -> Result<Option<(Range<usize>, String)>, Refusal> {
    let opened = OpenParagraph::open(view, place)?;
    let node = opened.node()?;
    let base = opened.paragraph.span.start;
    let old = formatting(node);
    let properties = node.child(ns::W, "pPr");
    let is_recorded = properties.is_some_and(|known| known.child(ns::W, "pPrChange").is_some());
    let look = head.look.as_ref().filter(|look| **look != old && !is_recorded);
    let mark = head.mark.filter(|_| markup == Markup::Tracked);
    let mark = mark.map(|mark| format!("<{}{}{STAMP}/>", dialect.element, mark.name()));
    let (range, with) = match (look, mark) {
        (None, None) => return Ok(None),
        (None, Some(mark)) => {
            match properties.and_then(|known| known.child(ns::W, "rPr")?.child(ns::W, "ins")) {
                // The schema has the insertion of a mark before its deletion.
                Some(inserted) => (inserted.span().end..inserted.span().end, mark),
                None => put_in_mark(node, &mark, dialect),
            }
        }
        (Some(look), mark) => {
            let known = properties.and_then(|known| known.child(ns::W, "rPr"));
            let inner = known.map_or_else(String::new, |known| {
                known.elements().map(|child| String::from_utf8_lossy(child.source()).into_owned()).collect()
            });
            let inner = mark.unwrap_or_else(String::new) + &inner;
            let rpr = if inner.is_empty() { inner } else { dialect.wrap("rPr", "", &inner) };
            let section = properties.and_then(|known| known.child(ns::W, "sectPr"));
            let section = section
                .map_or_else(String::new, |known| String::from_utf8_lossy(known.source()).into_owned());
            let record = match markup {
                Markup::Plain => String::new(),
                Markup::Tracked => record_of(&old, dialect),
            };
            let new = dialect.wrap("pPr", "", &format!("{look}{rpr}{section}{record}"));
            match properties {
                Some(known) => (known.span(), new),
                None => inside_start(node, &new),
            }
        }
    };
    Ok(Some((base + range.start..base + range.end, with)))
}

/// Where a row says `change` of itself, and how.
pub(super) fn in_row(row: &[u8], block: &Block, change: &str, dialect: &Dialect) -> (usize, String) {
    let (from, to) = block.props;
    let start = block.start as usize;
    let find = |from: usize, to: usize, what: &str| {
        let within = row.get(from.checked_sub(start)?..to.checked_sub(start)?)?;
        memchr::memmem::find(within, what.as_bytes()).map(|at| from + at)
    };
    let (from, to) = (from as usize, to as usize);
    let prefix = &dialect.element;
    if from < to {
        let record = find(from, to, &format!("<{prefix}trPrChange"));
        let end = find(from, to, &format!("</{prefix}trPr>"));
        if let Some(at) = record.or(end) {
            return (at, change.to_owned());
        }
    }
    // Exceptions for the row stand before its properties; an empty `w:trPr` stays beside ours.
    let close = format!("</{prefix}tblPrEx>");
    let cells = find(start, block.end as usize, &format!("<{prefix}tc>"));
    let cells = cells.or_else(|| find(start, block.end as usize, &format!("<{prefix}tc "))).unwrap_or(start);
    let behind = find(start, cells, &close).map(|at| at + close.len());
    (behind.unwrap_or(block.inner as usize), dialect.wrap("trPr", "", change))
}
