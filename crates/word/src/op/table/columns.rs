//! Columns that come and go, through cells that span several of them.

use std::ops::Range;

use edit::{Context, Cut, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::super::place::Places;
use super::super::{Side, TableDelete, TableInsert};
use super::shape::{Splices, cell_like, check_comments, count_of, counted, indexes, wrapped};
use super::tracked::{check_free, deleted_cell, deleted_row, is_own_insertion, recorded};
use super::{Cell, Row, Table, check_columns, index};
use crate::document::stamp::Stamp;
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::marks::survivors;
use crate::edits::schema::Parent;
use crate::edits::{Markup, Outcome};

pub(super) fn insert_columns(
    view: &View,
    op: &TableInsert,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let count = count_of(op)?;
    let mut draft = Draft::new(view, markup, cx);
    let table = Table::for_edit(&mut draft, &op.table, places)?;
    let (rows, (_, columns)) = (table.rows()?, table.size()?);
    let at = index("at", op.at.unwrap_or(columns.saturating_sub(1)), columns)?;
    if columns + count > 63 {
        return Err(Refusal::invalid(
            "count",
            count,
            format!("at most {}, as Word has 63 columns", 63 - columns),
        ));
    }
    let boundary = if op.side == Side::After { at + 1 } else { at };
    // The new columns take their room from all, so that the table stays as wide as it was.
    let old = table.widths(columns)?;
    let total: usize = old.iter().sum();
    let model_width = old.get(at).copied().unwrap_or(1440);
    let mut widths = old.clone();
    widths.splice(boundary..boundary, std::iter::repeat_n(model_width, count));
    let grown: usize = widths.iter().sum::<usize>().max(1);
    let widths: Vec<usize> = widths.iter().map(|width| width * total / grown).collect();
    let stamp = draft.stamp();
    let stamp = stamp.as_ref();
    let mut splices: Splices = grid_splices(&table, &widths, stamp)?;
    for row in &rows {
        let inside =
            row.cells.iter().find(|cell| cell.column < boundary && boundary < cell.column + cell.span);
        let (mut before, mut after) = (row.before, row.after);
        if boundary < row.before || boundary == row.before && row.cells.is_empty() {
            before += count;
        } else if boundary > row.width() - row.after {
            after += count;
        } else if inside.is_none() {
            let next = row.cells.iter().find(|cell| cell.column >= boundary);
            let last = row.cells.iter().rfind(|cell| cell.column < boundary);
            let model = if op.side == Side::After { last.or(next) } else { next.or(last) };
            if let Some(model) = model {
                let new: String = (0..count)
                    .map(|number| {
                        let width = widths.get(boundary + number).copied().unwrap_or(0).to_string();
                        let width = table.dialect.empty("tcW", &[("w", &width), ("type", "dxa")]);
                        // A column through a vertical merge is not part of it.
                        cell_like(&table, model, None, Some(width), stamp)
                    })
                    .collect();
                let place = match (next, last) {
                    (Some(next), _) => next.node.span().start,
                    (None, Some(last)) => last.node.span().end,
                    (None, None) => continue,
                };
                splices.push((place..place, new));
            }
        }
        for cell in &row.cells {
            let span = if inside.is_some_and(|inside| inside.column == cell.column) {
                cell.span + count
            } else {
                cell.span
            };
            let from = if cell.column >= boundary { cell.column + count } else { cell.column };
            splices.extend(sized(&table, cell, from..from + span, &widths, stamp));
        }
        splices.extend(outer(&table, row, before, after, stamp));
    }
    let mut patch = Patch::new();
    table.add_to(&mut patch, splices)?;
    let summary = format!("Insert {} in a table", counted(count, "column"));
    table.finish(draft, &patch, summary)
}

pub(super) fn delete_columns(
    view: &View,
    op: &TableDelete,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let mut draft = Draft::new(view, markup, cx);
    let table = Table::for_edit(&mut draft, &op.table, places)?;
    let (rows, (_, columns)) = (table.rows()?, table.size()?);
    check_columns(&rows)?;
    let gone = indexes(op, columns)?;
    let mut patch = Patch::new();
    let summary = format!("Delete {} of a table", counted(gone.len(), "column"));
    let left = |range: Range<usize>| range.filter(|column| !gone.contains(column)).count();
    let node = table.node()?;
    let empty = |row: &Row<'_>| row.cells.iter().all(|cell| left(cell.columns()) == 0);
    let going = || rows.iter().flat_map(|row| &row.cells).filter(|cell| left(cell.columns()) == 0);
    // What the same author inserted and nobody accepted goes as if it had never been.
    let stamp = draft.stamp().filter(|stamp| !going().all(|cell| is_own_insertion(cell.node, stamp)));
    let stamp = stamp.as_ref();
    if stamp.is_none() {
        going().try_for_each(|cell| check_comments(cell.node))?;
    }
    if stamp.is_none() && rows.iter().all(empty) {
        table.add_to(&mut patch, vec![(node.span(), survivors(&[node]))])?;
        return table.finish(draft, &patch, summary);
    }
    let widths: Vec<usize> = table
        .widths(columns)?
        .into_iter()
        .enumerate()
        .filter_map(|(column, width)| (!gone.contains(&column)).then_some(width))
        .collect();
    // The grid holds the cells that are only marked as deleted until that is accepted.
    let mut splices = match stamp {
        None => grid_splices(&table, &widths, None)?,
        Some(_) => Splices::new(),
    };
    for row in &rows {
        if let (Some(stamp), true) = (stamp, empty(row)) {
            splices.extend(deleted_row(&table, row, stamp));
            continue;
        }
        if empty(row) {
            splices.push((wrapped(row.node).span(), survivors(&[row.node])));
            continue;
        }
        let mut removed: Vec<Node<'_>> = Vec::new();
        for cell in &row.cells {
            let columns = left(cell.columns());
            if let (Some(stamp), 0) = (stamp, columns)
                && !is_own_insertion(cell.node, stamp)
            {
                check_free(cell.node)?;
                splices.extend(deleted_cell(&table, cell.node, stamp));
                continue;
            }
            if columns == 0 {
                removed.push(cell.node);
                splices.push((cell.node.span(), String::new()));
                continue;
            }
            let from = left(0..cell.column);
            splices.extend(sized(&table, cell, from..from + columns, &widths, stamp));
        }
        let marks = survivors(&removed);
        if let (Some(kept), false) =
            (row.cells.iter().find(|cell| left(cell.columns()) > 0), marks.is_empty())
        {
            let at = kept.node.span().start;
            splices.push((at..at, marks));
        }
        let width = row.width();
        splices.extend(outer(&table, row, left(0..row.before), left(width - row.after..width), stamp));
    }
    table.add_to(&mut patch, splices)?;
    table.finish(draft, &patch, summary)
}

/// The splices that make a cell cover these columns.
fn sized(
    table: &Table,
    cell: &Cell<'_>,
    columns: Range<usize>,
    widths: &[usize],
    stamp: Option<&Stamp>,
) -> Splices {
    let dialect = &table.dialect;
    let mut changes = Vec::new();
    if columns.len() != cell.span {
        let span =
            (columns.len() > 1).then(|| dialect.empty("gridSpan", &[("val", &columns.len().to_string())]));
        changes.push(("gridSpan", span));
    }
    let stated = cell.node.child(ns::W, "tcPr").and_then(|properties| properties.child(ns::W, "tcW"));
    let fixed = stated.is_some_and(|stated| stated.value(ns::W, "type").as_deref() == Some("dxa"));
    if fixed {
        let width: usize = widths.part(columns).iter().sum();
        changes.push(("tcW", Some(dialect.empty("tcW", &[("w", &width.to_string()), ("type", "dxa")]))));
    }
    recorded(table, cell.node, Parent::Cell, changes, None, stamp)
}

/// The splices for what a row leaves out at its ends.
fn outer(table: &Table, row: &Row<'_>, before: usize, after: usize, stamp: Option<&Stamp>) -> Splices {
    let dialect = &table.dialect;
    let element = |name: &'static str, number: usize| {
        (name, (number > 0).then(|| dialect.empty(name, &[("val", &number.to_string())])))
    };
    let mut changes = Vec::new();
    if before != row.before {
        changes.push(element("gridBefore", before));
    }
    if after != row.after {
        changes.push(element("gridAfter", after));
    }
    recorded(table, row.node, Parent::Row, changes, None, stamp)
}

/// The splices for the grid; `stamp` puts the old one on record.
fn grid_splices(table: &Table, widths: &[usize], stamp: Option<&Stamp>) -> Result<Splices, Refusal> {
    let dialect = &table.dialect;
    let node = table.node()?;
    let old = node.child(ns::W, "tblGrid");
    let known = old.and_then(|old| old.child(ns::W, "tblGridChange"));
    let record = match (known, stamp) {
        (Some(known), _) => String::from_utf8_lossy(known.source()).into_owned(),
        (None, None) => String::new(),
        (None, Some(stamp)) => {
            let columns: String = old
                .iter()
                .flat_map(Node::elements)
                .map(|column| String::from_utf8_lossy(column.source()).into_owned())
                .collect();
            let id = format!(" {}id=\"{}\"", dialect.attribute, stamp.fresh_id());
            dialect.wrap("tblGridChange", &id, &dialect.wrap("tblGrid", "", &columns))
        }
    };
    let columns: String =
        widths.iter().map(|width| dialect.empty("gridCol", &[("w", &width.to_string())])).collect();
    let grid = dialect.wrap("tblGrid", "", &format!("{columns}{record}"));
    Ok(vec![match (old, node.child(ns::W, "tblPr")) {
        (Some(old), _) => (old.span(), grid),
        (None, Some(properties)) => (properties.span().end..properties.span().end, grid),
        (None, None) => (node.content_span().start..node.content_span().start, grid),
    }])
}
