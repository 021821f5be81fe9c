//! Rows that come and go, through cells that span several of them.

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Context, Cut, Level, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::super::place::Places;
use super::super::properties::change;
use super::super::{Side, TableDelete, TableInsert};
use super::merge::{is_empty, received, said};
use super::tracked::{deleted_row, mark, mark_of, recorded};
use super::{Cell, Merge, Row, Table, index};
use crate::document::stamp::Stamp;
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::anatomy::word_name;
use crate::edits::marks::{cloned_properties, survivors};
use crate::edits::schema::{Parent, sort};
use crate::edits::{Markup, Outcome};

pub(super) type Splices = Vec<(Range<usize>, String)>;

const MOST_AT_ONCE: usize = 1_000;

pub(super) fn count_of(op: &TableInsert) -> Result<usize, Refusal> {
    match (1..=MOST_AT_ONCE).contains(&op.count) {
        true => Ok(op.count),
        false => Err(Refusal::invalid("count", op.count, format!("a number from 1 to {MOST_AT_ONCE}"))),
    }
}

pub(super) fn insert_rows(
    view: &View,
    op: &TableInsert,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let count = count_of(op)?;
    let mut draft = Draft::new(view, markup, cx);
    let table = Table::for_edit(&mut draft, &op.table, places)?;
    let rows = table.rows()?;
    let at = index("at", op.at.unwrap_or(rows.len().saturating_sub(1)), rows.len())?;
    let stamp = draft.stamp();
    let model = rows.get(at).ok_or_else(|| Refusal::unsupported("a table without rows"))?;
    let below = match op.side {
        Side::After => rows.get(at + 1),
        Side::Before => Some(model),
    };
    let new: String = (0..count).map(|_| row_like(&table, model, below, stamp.as_ref())).collect();
    let place = match op.side {
        Side::After => model.node.span().end,
        Side::Before => model.node.span().start,
    };
    let mut patch = Patch::new();
    table.add_to(&mut patch, vec![(place..place, new)])?;
    let summary = format!("Insert {} in a table", counted(count, "row"));
    table.finish(draft, &patch, summary)
}

/// An empty row with the cells and looks of `model`; `below` is the row that will follow.
fn row_like(table: &Table, model: &Row<'_>, below: Option<&Row<'_>>, stamp: Option<&Stamp>) -> String {
    let dialect = &table.dialect;
    let mut facts: Vec<(&str, String)> = Vec::new();
    for child in model.node.child(ns::W, "trPr").iter().flat_map(Node::elements) {
        // A second header row, or the mark of somebody's revision, is not part of a row's looks.
        if !matches!(word_name(&child), "tblHeader" | "ins" | "del" | "trPrChange" | "cnfStyle") {
            facts.push(("", String::from_utf8_lossy(child.source()).into_owned()));
        }
    }
    if let Some(stamp) = stamp {
        facts.push(("ins", format!("<{}ins{}/>", dialect.element, stamp.attributes(&dialect.attribute))));
    }
    let mut inner = match model.node.child(ns::W, "tblPrEx") {
        Some(exceptions) => String::from_utf8_lossy(exceptions.source()).into_owned(),
        None => String::new(),
    };
    let facts: String = facts.into_iter().map(|(_, source)| source).collect();
    if !facts.is_empty() {
        inner.push_str(&dialect.wrap("trPr", "", &facts));
    }
    let goes = |cell: &Cell<'_>| mark_of(cell.node).is_some_and(|mark| word_name(&mark) == "cellDel");
    // A cell whose deletion waits for somebody's decision is not to come back in a new row.
    for cell in model.cells.iter().filter(|cell| !goes(cell)) {
        // Inside a vertical merge the new cell belongs to it.
        let joined = below
            .and_then(|below| below.covering(cell.column))
            .is_some_and(|below| below.merge == Merge::Goes && below.columns() == cell.columns());
        let merge = joined.then(|| dialect.empty("vMerge", &[]));
        inner.push_str(&cell_like(table, cell, merge, None, None));
    }
    dialect.wrap("tr", "", &inner)
}

/// An empty cell that looks like `model`; `width` is set where it must cover one column only, and `stamp` where
/// the cell itself is a tracked insertion.
pub(super) fn cell_like(
    table: &Table,
    model: &Cell<'_>,
    merge: Option<String>,
    width: Option<String>,
    stamp: Option<&Stamp>,
) -> String {
    let dialect = &table.dialect;
    let mut facts: Vec<(&str, String)> = Vec::new();
    for child in model.node.child(ns::W, "tcPr").iter().flat_map(Node::elements) {
        match (word_name(&child), &width) {
            ("vMerge" | "cnfStyle" | "cellIns" | "cellDel" | "cellMerge" | "tcPrChange" | "headers", _) => {}
            ("gridSpan", Some(_)) => {}
            ("tcW", Some(width)) => facts.push(("tcW", width.clone())),
            _ => facts.push((child.name().local, String::from_utf8_lossy(child.source()).into_owned())),
        }
    }
    facts.extend(merge.map(|merge| ("vMerge", merge)));
    facts.extend(stamp.map(|stamp| ("cellIns", mark(table, "cellIns", stamp, &[]))));
    // Some programs write them in an order of their own, which is not to be repeated.
    sort(Parent::Cell, &mut facts, |(name, _)| name);
    let facts: String = facts.into_iter().map(|(_, source)| source).collect();
    let paragraph = model.node.child(ns::W, "p");
    let properties =
        paragraph.map_or_else(String::new, |paragraph| cloned_properties(paragraph, None, dialect));
    let paragraph = match properties.is_empty() {
        true => dialect.empty("p", &[]),
        false => dialect.wrap("p", "", &properties),
    };
    let facts = if facts.is_empty() { facts } else { dialect.wrap("tcPr", "", &facts) };
    dialect.wrap("tc", "", &format!("{facts}{paragraph}"))
}

pub(super) fn indexes(op: &TableDelete, count: usize) -> Result<BTreeSet<usize>, Refusal> {
    if op.indexes.is_empty() {
        return Err(Refusal::invalid("indexes", "an empty list", "at least one number"));
    }
    op.indexes.iter().map(|found| index("indexes", *found, count)).collect()
}

pub(super) fn delete_rows(
    view: &View,
    op: &TableDelete,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let mut draft = Draft::new(view, markup, cx);
    let table = Table::for_edit(&mut draft, &op.table, places)?;
    let rows = table.rows()?;
    let gone = indexes(op, rows.len())?;
    let mut patch = Patch::new();
    let summary = format!("Delete {} of a table", counted(gone.len(), "row"));
    if let Some(stamp) = draft.stamp() {
        for row in gone.iter().filter_map(|row| rows.get(*row)) {
            table.add_to(&mut patch, deleted_row(&table, row, &stamp))?;
        }
        for heir in heirs(&rows, &gone) {
            // What waits for a decision itself cannot be handed on.
            let moved = match mark_of(heir.cell.node).or_else(|| mark_of(heir.origin.node)) {
                None if is_empty(heir.origin.node) => Ok(Vec::new()),
                None => said(&table, heir.origin.node),
                Some(_) => Err(Refusal::unsupported("a merge that waits")),
            };
            let Ok(moved) = moved else {
                let text =
                    "a merged cell begins in a deleted row; what it says is marked as deleted with that row";
                draft.note(Level::Warning, text);
                continue;
            };
            let merge = vec![("vMerge", heir.merge(&table))];
            table.add_to(
                &mut patch,
                recorded(&table, heir.cell.node, Parent::Cell, merge, None, Some(&stamp)),
            )?;
            if !moved.is_empty() {
                table.add_to(&mut patch, received(&table, heir.cell.node, &moved, &stamp)?)?;
            }
        }
        return table.finish(draft, &patch, summary);
    }
    for row in gone.iter().filter_map(|row| rows.get(*row)) {
        check_comments(row.node)?;
    }
    if gone.len() == rows.len() {
        let node = table.node()?;
        table.add_to(&mut patch, vec![(node.span(), survivors(&[node]))])?;
        return table.finish(draft, &patch, summary);
    }
    for number in &gone {
        let Some(row) = rows.get(*number) else { continue };
        table.add_to(&mut patch, vec![(wrapped(row.node).span(), survivors(&[row.node]))])?;
    }
    for heir in heirs(&rows, &gone) {
        let merge = vec![("vMerge", heir.merge(&table))];
        table.add_to(&mut patch, change(heir.cell.node, Parent::Cell, merge, &table.dialect))?;
        let bytes = table.source.cut(content_of(heir.origin.node))?;
        let text = String::from_utf8_lossy(bytes).into_owned();
        table.add_to(&mut patch, vec![(content_of(heir.cell.node), text)])?;
    }
    table.finish(draft, &patch, summary)
}

/// A merge that began in a row that goes begins, with its text, in the next that stays.
struct Heir<'r> {
    cell: &'r Cell<'r>,
    /// Where it began.
    origin: &'r Cell<'r>,
    goes_on: bool,
}

impl Heir<'_> {
    fn merge(&self, table: &Table) -> Option<String> {
        self.goes_on.then(|| table.dialect.empty("vMerge", &[("val", "restart")]))
    }
}

fn heirs<'r>(rows: &'r [Row<'r>], gone: &BTreeSet<usize>) -> Vec<Heir<'r>> {
    let first_of = |row: usize, column: usize| {
        (0..=row).rev().find_map(|above| {
            let cell = rows.get(above)?.covering(column)?;
            (cell.merge != Merge::Goes).then_some((above, cell))
        })
    };
    let mut found = Vec::new();
    for (number, row) in rows.iter().enumerate().filter(|(number, _)| !gone.contains(number)) {
        for cell in row.cells.iter().filter(|cell| cell.merge == Merge::Goes) {
            let Some((first, origin)) = first_of(number, cell.column) else { continue };
            if !(first..number).all(|between| gone.contains(&between)) {
                continue;
            }
            // Rows that stay below it go on with the merge, also beyond others that go.
            let below =
                (number + 1..rows.len()).find(|row| !gone.contains(row)).and_then(|row| rows.get(row));
            let goes_on = below.and_then(|below| below.covering(cell.column));
            let goes_on = goes_on.is_some_and(|below| below.merge == Merge::Goes);
            found.push(Heir { cell, origin, goes_on });
        }
    }
    found
}

/// What a cell holds, behind its properties.
pub(super) fn content_of(cell: Node<'_>) -> Range<usize> {
    let content = cell.content_span();
    cell.child(ns::W, "tcPr").map_or(content.start, |properties| properties.span().end)..content.end
}

/// The row, or the control around it when it holds nothing else.
pub(super) fn wrapped(row: Node<'_>) -> Node<'_> {
    let mut top = row;
    while let Some(parent) = top.parent()
        && matches!(word_name(&parent), "sdt" | "sdtContent" | "customXml" | "ins")
        && super::held(parent, "tr").len() == 1
    {
        top = parent;
    }
    top
}

pub(super) fn check_comments(node: Node<'_>) -> Result<(), Refusal> {
    let comment = node.descendants().find(|node| node.is(ns::W, "commentReference"));
    match comment.and_then(|node| node.value(ns::W, "id")) {
        Some(id) => Err(Refusal::Unsafe {
            why: format!("comment {id} hangs on what would be deleted and would lose its place"),
            instead: Some("delete the comment first, or track the deletion".to_owned()),
        }),
        None => Ok(()),
    }
}

pub(super) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
