//! Rows and columns that come and go, through cells that span several of either.

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Context, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::super::draft::Draft;
use super::super::place::Places;
use super::super::properties::change;
use super::super::{Side, TableDelete, TableInsert};
use super::{Cell, Merge, Row, Table, check_locks, index, refuse_tracking, resolve};
use crate::anatomy::word_name;
use crate::edit::{Markup, Outcome, as_deleted};
use crate::marks::cloned_properties;
use crate::schema::Parent;
use crate::stamp::Stamp;
use crate::surgeon::is_own;
use crate::view::View;

type Splices = Vec<(Range<usize>, String)>;

const MOST_AT_ONCE: usize = 1_000;

fn count_of(op: &TableInsert) -> Result<usize, Refusal> {
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
    let draft = Draft::new(view, markup, cx);
    let table = Table::open(view, &resolve(view, &op.table, places)?)?;
    check_locks(view, &table)?;
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
    for cell in &model.cells {
        // Inside a vertical merge the new cell belongs to it.
        let joined = below
            .and_then(|below| below.covering(cell.column))
            .is_some_and(|below| below.merge == Merge::Goes && below.columns() == cell.columns());
        let merge = joined.then(|| dialect.empty("vMerge", &[]));
        inner.push_str(&cell_like(table, cell, merge, None));
    }
    dialect.wrap("tr", "", &inner)
}

/// An empty cell that looks like `model`; `columns` is set where it must cover one column only.
fn cell_like(table: &Table, model: &Cell<'_>, merge: Option<String>, width: Option<String>) -> String {
    let dialect = &table.dialect;
    let mut facts = String::new();
    let mut merge = merge;
    for child in model.node.child(ns::W, "tcPr").iter().flat_map(Node::elements) {
        let name = word_name(&child);
        if matches!(
            name,
            "tcBorders" | "shd" | "noWrap" | "tcMar" | "textDirection" | "tcFitText" | "vAlign" | "hideMark"
        ) && let Some(merge) = merge.take()
        {
            facts.push_str(&merge);
        }
        match (name, &width) {
            ("vMerge" | "cnfStyle" | "cellIns" | "cellDel" | "cellMerge" | "tcPrChange" | "headers", _) => {}
            ("gridSpan", Some(_)) => {}
            ("tcW", Some(width)) => facts.push_str(width),
            _ => facts.push_str(&String::from_utf8_lossy(child.source())),
        }
    }
    facts.push_str(&merge.unwrap_or_default());
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

pub(super) fn insert_columns(
    view: &View,
    op: &TableInsert,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let count = count_of(op)?;
    refuse_tracking(markup, "inserting columns")?;
    let draft = Draft::new(view, markup, cx);
    let table = Table::open(view, &resolve(view, &op.table, places)?)?;
    check_locks(view, &table)?;
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
    let mut splices: Splices = grid_splices(&table, &widths)?;
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
                        cell_like(&table, model, None, Some(width))
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
            splices.extend(sized(&table, cell, from..from + span, &widths));
        }
        splices.extend(outer(&table, row, before, after));
    }
    let mut patch = Patch::new();
    table.add_to(&mut patch, splices)?;
    let summary = format!("Insert {} in a table", counted(count, "column"));
    table.finish(draft, &patch, summary)
}

/// The splices that make a cell cover these columns.
fn sized(table: &Table, cell: &Cell<'_>, columns: Range<usize>, widths: &[usize]) -> Splices {
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
        let width: usize = widths.get(columns).unwrap_or_default().iter().sum();
        changes.push(("tcW", Some(dialect.empty("tcW", &[("w", &width.to_string()), ("type", "dxa")]))));
    }
    change(cell.node, Parent::Cell, changes, dialect)
}

/// The splices for what a row leaves out at its ends.
fn outer(table: &Table, row: &Row<'_>, before: usize, after: usize) -> Splices {
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
    change(row.node, Parent::Row, changes, dialect)
}

fn grid_splices(table: &Table, widths: &[usize]) -> Result<Splices, Refusal> {
    let dialect = &table.dialect;
    let columns: String =
        widths.iter().map(|width| dialect.empty("gridCol", &[("w", &width.to_string())])).collect();
    let grid = dialect.wrap("tblGrid", "", &columns);
    let node = table.node()?;
    Ok(vec![match (node.child(ns::W, "tblGrid"), node.child(ns::W, "tblPr")) {
        (Some(old), _) => (old.span(), grid),
        (None, Some(properties)) => (properties.span().end..properties.span().end, grid),
        (None, None) => (node.content_span().start..node.content_span().start, grid),
    }])
}

fn indexes(op: &TableDelete, count: usize) -> Result<BTreeSet<usize>, Refusal> {
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
    let draft = Draft::new(view, markup, cx);
    let table = Table::open(view, &resolve(view, &op.table, places)?)?;
    check_locks(view, &table)?;
    let rows = table.rows()?;
    let gone = indexes(op, rows.len())?;
    let mut patch = Patch::new();
    let summary = format!("Delete {} of a table", counted(gone.len(), "row"));
    if let Some(stamp) = draft.stamp() {
        for row in gone.iter().filter_map(|row| rows.get(*row)) {
            table.add_to(&mut patch, deleted_row(&table, row, &stamp))?;
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
    // A merge that began in a row that goes begins, with its text, in the next that stays.
    let first_of = |row: usize, column: usize| {
        (0..=row).rev().find_map(|above| {
            let cell = rows.get(above)?.covering(column)?;
            (cell.merge != Merge::Goes).then_some((above, cell))
        })
    };
    for (number, row) in rows.iter().enumerate().filter(|(number, _)| !gone.contains(number)) {
        for cell in row.cells.iter().filter(|cell| cell.merge == Merge::Goes) {
            let Some((first, origin)) = first_of(number, cell.column) else { continue };
            let heir = gone.contains(&first) && (first..number).all(|between| gone.contains(&between));
            if !heir {
                continue;
            }
            let goes_on = rows.get(number + 1).and_then(|below| below.covering(cell.column));
            let goes_on =
                goes_on.is_some_and(|below| below.merge == Merge::Goes) && !gone.contains(&(number + 1));
            let merge = goes_on.then(|| table.dialect.empty("vMerge", &[("val", "restart")]));
            table.add_to(
                &mut patch,
                change(cell.node, Parent::Cell, vec![("vMerge", merge)], &table.dialect),
            )?;
            let from = content_of(origin.node);
            let bytes = table.source.get(from).unwrap_or_default();
            table.add_to(
                &mut patch,
                vec![(content_of(cell.node), String::from_utf8_lossy(bytes).into_owned())],
            )?;
        }
    }
    table.finish(draft, &patch, summary)
}

/// What a cell holds, behind its properties.
pub(super) fn content_of(cell: Node<'_>) -> Range<usize> {
    let content = cell.content_span();
    cell.child(ns::W, "tcPr").map_or(content.start, |properties| properties.span().end)..content.end
}

/// The row, or the control around it when it holds nothing else.
fn wrapped(row: Node<'_>) -> Node<'_> {
    let mut top = row;
    while let Some(parent) = top.parent()
        && matches!(word_name(&parent), "sdt" | "sdtContent" | "customXml" | "ins")
        && super::held(parent, "tr").len() == 1
    {
        top = parent;
    }
    top
}

/// The splices that mark a row and all it says as deleted.
fn deleted_row(table: &Table, row: &Row<'_>, stamp: &Stamp) -> Splices {
    let dialect = &table.dialect;
    let mut splices = Splices::new();
    let properties = row.node.child(ns::W, "trPr");
    let marked = |name: &str| properties.is_some_and(|properties| properties.child(ns::W, name).is_some());
    if !marked("del") {
        let del = format!("<{}del{}/>", dialect.element, stamp.attributes(&dialect.attribute));
        splices.extend(change(row.node, Parent::Row, vec![("del", Some(del))], dialect));
    }
    for run in row.node.descendants().filter(|node| node.is(ns::W, "r")) {
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

fn check_comments(node: Node<'_>) -> Result<(), Refusal> {
    let comment = node.descendants().find(|node| node.is(ns::W, "commentReference"));
    match comment.and_then(|node| node.value(ns::W, "id")) {
        Some(id) => Err(Refusal::Unsafe {
            why: format!("comment {id} hangs on what would be deleted and would lose its place"),
            instead: Some("delete the comment first, or track the deletion".to_owned()),
        }),
        None => Ok(()),
    }
}

/// Marks whose other half stands outside what is deleted.
pub(super) fn survivors(nodes: &[Node<'_>]) -> String {
    const PAIRS: &[(&str, &str)] = &[
        ("bookmarkStart", "bookmarkEnd"),
        ("commentRangeStart", "commentRangeEnd"),
        ("moveFromRangeStart", "moveFromRangeEnd"),
        ("moveToRangeStart", "moveToRangeEnd"),
        ("permStart", "permEnd"),
    ];
    let marks: Vec<Node<'_>> =
        nodes.iter().flat_map(|node| node.descendants()).filter(Node::is_element).collect();
    let id = |node: &Node<'_>| node.value(ns::W, "id").map(|id| id.into_owned());
    let alone = |mark: &&Node<'_>| {
        let other = PAIRS.iter().find_map(|(start, end)| match word_name(mark) {
            name if name == *start => Some(*end),
            name if name == *end => Some(*start),
            _ => None,
        });
        other.is_some_and(|other| !marks.iter().any(|mate| word_name(mate) == other && id(mate) == id(mark)))
    };
    marks.iter().filter(alone).map(|mark| String::from_utf8_lossy(mark.source()).into_owned()).collect()
}

pub(super) fn delete_columns(
    view: &View,
    op: &TableDelete,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    refuse_tracking(markup, "deleting columns")?;
    let draft = Draft::new(view, markup, cx);
    let table = Table::open(view, &resolve(view, &op.table, places)?)?;
    check_locks(view, &table)?;
    let (rows, (_, columns)) = (table.rows()?, table.size()?);
    let gone = indexes(op, columns)?;
    let mut patch = Patch::new();
    let summary = format!("Delete {} of a table", counted(gone.len(), "column"));
    let left = |range: Range<usize>| range.filter(|column| !gone.contains(column)).count();
    let node = table.node()?;
    for row in &rows {
        for cell in row.cells.iter().filter(|cell| left(cell.columns()) == 0) {
            check_comments(cell.node)?;
        }
    }
    let empty = |row: &Row<'_>| row.cells.iter().all(|cell| left(cell.columns()) == 0);
    if rows.iter().all(empty) {
        table.add_to(&mut patch, vec![(node.span(), survivors(&[node]))])?;
        return table.finish(draft, &patch, summary);
    }
    let widths: Vec<usize> = table
        .widths(columns)?
        .into_iter()
        .enumerate()
        .filter_map(|(column, width)| (!gone.contains(&column)).then_some(width))
        .collect();
    let mut splices = grid_splices(&table, &widths)?;
    for row in &rows {
        if empty(row) {
            splices.push((wrapped(row.node).span(), survivors(&[row.node])));
            continue;
        }
        let mut removed: Vec<Node<'_>> = Vec::new();
        for cell in &row.cells {
            let columns = left(cell.columns());
            if columns == 0 {
                removed.push(cell.node);
                splices.push((cell.node.span(), String::new()));
                continue;
            }
            let from = left(0..cell.column);
            splices.extend(sized(&table, cell, from..from + columns, &widths));
        }
        let marks = survivors(&removed);
        if let (Some(kept), false) =
            (row.cells.iter().find(|cell| left(cell.columns()) > 0), marks.is_empty())
        {
            let at = kept.node.span().start;
            splices.push((at..at, marks));
        }
        let width = row.width();
        splices.extend(outer(&table, row, left(0..row.before), left(width - row.after..width)));
    }
    table.add_to(&mut patch, splices)?;
    table.finish(draft, &patch, summary)
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
