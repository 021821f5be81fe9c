//! Revisions of a table's shape: cells that come, go and join, with what they were before on record.
//!
//! A new cell carries `w:cellIns`, one that goes `w:cellDel`, and cells that become one downwards `w:cellMerge`.
//! Widths, spans and the grid that change with them are recorded beside, so that accepting gives what the plain
//! operation gives, and rejecting what was there. The schema has room for one mark in a cell, so a cell that has
//! one has to be decided about first.

use edit::{OrEmpty, Refusal};
use ooxml::xml::{Node, ns};

use super::super::properties::{Change, change, element_of};
use super::shape::Splices;
use super::{Row, Table};
use crate::document::stamp::Stamp;
use crate::edits::anatomy::word_name;
use crate::edits::as_deleted;
use crate::edits::schema::{Parent, written};
use crate::edits::surgeon::is_own;

/// The mark that says that a cell comes, goes or joins others.
pub(super) fn mark_of(cell: Node<'_>) -> Option<Node<'_>> {
    let properties = cell.child(ns::W, "tcPr")?;
    properties.elements().find(|child| matches!(word_name(child), "cellIns" | "cellDel" | "cellMerge"))
}

/// Whether the cell was inserted by the same author and nobody has decided about it yet.
pub(super) fn is_own_insertion(cell: Node<'_>, stamp: &Stamp) -> bool {
    mark_of(cell).is_some_and(|mark| word_name(&mark) == "cellIns" && is_own(Some(mark), Some(stamp)))
}

/// Refuses a cell that has a mark already.
pub(super) fn check_free(cell: Node<'_>) -> Result<(), Refusal> {
    let Some(mark) = mark_of(cell) else { return Ok(()) };
    let what = match word_name(&mark) {
        "cellIns" => "insertion",
        "cellDel" => "deletion",
        _ => "merge",
    };
    let author = mark.value(ns::W, "author").or_empty();
    Err(Refusal::Unsafe {
        why: format!("a cell of the area is itself a tracked {what} by {author}"),
        instead: Some("accept or reject that first".to_owned()),
    })
}

/// `<w:cellDel …/>`, and what else an element without content says.
pub(super) fn mark(table: &Table, name: &str, stamp: &Stamp, more: &[(&str, &str)]) -> String {
    let dialect = &table.dialect;
    let mut attributes = stamp.attributes(&dialect.attribute);
    for (key, value) in more {
        attributes.push_str(&format!(" {}{key}=\"{value}\"", dialect.attribute));
    }
    format!("<{}{name}{attributes}/>", dialect.element)
}

/// The splices for changed properties of a cell or a row, with the old ones on record where `stamp` wants it,
/// and a mark that no record is about.
pub(super) fn recorded(
    table: &Table,
    node: Node<'_>,
    parent: Parent,
    mut changes: Vec<Change>,
    mark: Option<Change>,
    stamp: Option<&Stamp>,
) -> Splices {
    let dialect = &table.dialect;
    let element = element_of(parent);
    let properties = node.child(ns::W, element);
    let present = |name: &str| properties.and_then(|properties| properties.child(ns::W, name));
    changes.retain(|(name, new)| present(name).map(|old| old.source()) != new.as_deref().map(str::as_bytes));
    let (record, new) = match parent {
        Parent::Row => ("trPrChange", present("ins")),
        _ => ("tcPrChange", present("cellIns")),
    };
    if let Some(stamp) = stamp
        && !changes.is_empty()
        && present(record).is_none()
        && !is_own(new, Some(stamp))
    {
        let is_old = |name: &str| {
            !matches!(name, "ins" | "del" | "cellIns" | "cellDel" | "cellMerge") && !name.ends_with("Change")
        };
        let old = dialect.wrap(element, "", &written(parent, properties, is_old));
        changes.push((record, Some(dialect.wrap(record, &stamp.attributes(&dialect.attribute), &old))));
    }
    changes.extend(mark);
    change(node, parent, changes, dialect)
}

/// The splices that mark a row and all it says as deleted.
pub(super) fn deleted_row(table: &Table, row: &Row<'_>, stamp: &Stamp) -> Splices {
    let mut splices = Splices::new();
    let properties = row.node.child(ns::W, "trPr");
    if properties.is_none_or(|properties| properties.child(ns::W, "del").is_none()) {
        let del = mark(table, "del", stamp, &[]);
        splices.extend(change(row.node, Parent::Row, vec![("del", Some(del))], &table.dialect));
    }
    splices.extend(deleted_runs(table, row.node, stamp));
    splices
}

/// The splices that mark a cell and all it says as deleted.
pub(super) fn deleted_cell(table: &Table, cell: Node<'_>, stamp: &Stamp) -> Splices {
    let del = ("cellDel", Some(mark(table, "cellDel", stamp, &[])));
    let mut splices = change(cell, Parent::Cell, vec![del], &table.dialect);
    splices.extend(deleted_runs(table, cell, stamp));
    splices
}

/// The splices that mark the text below `node` as deleted.
pub(super) fn deleted_runs(table: &Table, node: Node<'_>, stamp: &Stamp) -> Splices {
    let dialect = &table.dialect;
    let mut splices = Splices::new();
    for run in node.descendants().filter(|node| node.is(ns::W, "r")) {
        let inside = |names: &[&str]| run.ancestors().find(|above| names.contains(&word_name(above)));
        if inside(&["del", "moveFrom"]).is_some() || run.ancestors().any(|above| word_name(&above) == "r") {
            continue;
        }
        let with = match is_own(inside(&["ins", "moveTo"]), Some(stamp)) {
            true => String::new(),
            false => dialect.wrap("del", &stamp.attributes(&dialect.attribute), &as_deleted(run)),
        };
        splices.push((run.span(), with));
    }
    splices
}
