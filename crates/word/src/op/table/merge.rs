//! Several cells made one.

use std::ops::Range;

use edit::{Context, Cut, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::super::TableMergeCells;
use super::super::place::Places;
use super::super::properties::change;
use super::shape::{Splices, content_of};
use super::tracked::{check_free, deleted_cell, deleted_runs, mark, recorded};
use super::{Cell, Merge, Row, Table, index};
use crate::document::stamp::Stamp;
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::anatomy::word_name;
use crate::edits::marks::{cloned_properties, formatting, put_in_mark, record, survivors};
use crate::edits::run_properties::RunProperties;
use crate::edits::schema::Parent;
use crate::edits::{Markup, Outcome};

pub(super) fn merge(
    view: &View,
    op: &TableMergeCells,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let mut draft = Draft::new(view, markup, cx);
    let table = Table::for_edit(&mut draft, &op.table, places)?;
    let (rows, (count, columns)) = (table.rows()?, table.size()?);
    let at_least = |field: &'static str, found: usize| match found {
        0 => Err(Refusal::invalid(field, 0, "at least 1")),
        found => Ok(found),
    };
    let (height, width) = (at_least("rowSpan", op.row_span)?, at_least("colSpan", op.col_span)?);
    let (top, left) = (index("startRow", op.start_row, count)?, index("startCol", op.start_col, columns)?);
    index("rowSpan", top.saturating_add(height - 1), count)
        .map_err(|_| Refusal::invalid("rowSpan", height, format!("at most {}", count - top)))?;
    index("colSpan", left.saturating_add(width - 1), columns)
        .map_err(|_| Refusal::invalid("colSpan", width, format!("at most {}", columns - left)))?;
    if height == 1 && width == 1 {
        return Err(Refusal::invalid("rowSpan", "one cell", "an area of at least two cells"));
    }
    let area = Area { rows: top..top + height, columns: left..left + width };
    area.check(&rows)?;
    let summary = format!("Merge {height} by {width} cells of a table");
    if let Some(stamp) = draft.stamp() {
        let mut patch = Patch::new();
        table.add_to(&mut patch, tracked_merge(&table, &rows, &area, &table.widths(columns)?, &stamp)?)?;
        return table.finish(draft, &patch, summary);
    }
    let dialect = &table.dialect;
    let widths = table.widths(columns)?;
    let total: usize = widths.cut(area.columns.clone())?.iter().sum();
    let mut patch = Patch::new();
    let mut gathered = String::new();
    let mut target: Option<Cell<'_>> = None;
    for number in area.rows.clone() {
        let Some(row) = rows.get(number) else { continue };
        let cells: Vec<&Cell<'_>> =
            row.cells.iter().filter(|cell| area.columns.contains(&cell.column)).collect();
        let Some((first, others)) = cells.split_first() else { continue };
        let merge = match (height, number == top) {
            (1, _) => None,
            (_, true) => Some(dialect.empty("vMerge", &[("val", "restart")])),
            (_, false) => Some(dialect.empty("vMerge", &[])),
        };
        let span = (width > 1).then(|| dialect.empty("gridSpan", &[("val", &width.to_string())]));
        let mut changes = vec![("gridSpan", span), ("vMerge", merge)];
        let stated = first.node.child(ns::W, "tcPr").and_then(|properties| properties.child(ns::W, "tcW"));
        if stated.is_some_and(|stated| stated.value(ns::W, "type").as_deref() == Some("dxa")) {
            changes.push(("tcW", Some(dialect.empty("tcW", &[("w", &total.to_string()), ("type", "dxa")]))));
        }
        table.add_to(&mut patch, change(first.node, Parent::Cell, changes, dialect))?;
        for cell in &cells {
            let top_left = target.is_none();
            if top_left {
                target = Some((*cell).clone());
            } else if !is_empty(cell.node) {
                let content = table.source.cut(content_of(cell.node))?;
                gathered.push_str(&String::from_utf8_lossy(content));
            }
            if number != top && cell.column == first.column {
                // What a cell inside a merge holds is never shown; its text has moved up.
                table.add_to(&mut patch, vec![(content_of(cell.node), dialect.empty("p", &[]))])?;
            }
        }
        for cell in others {
            let marks = if is_empty(cell.node) { survivors(&[cell.node]) } else { String::new() };
            table.add_to(&mut patch, vec![(cell.node.span(), marks)])?;
        }
    }
    if let Some(target) = target.filter(|_| !gathered.is_empty()) {
        let content = content_of(target.node);
        let range: Range<usize> = match is_empty(target.node) {
            true => content,
            false => content.end..content.end,
        };
        table.add_to(&mut patch, vec![(range, gathered)])?;
    }
    table.finish(draft, &patch, summary)
}

/// A rectangle of the grid.
struct Area {
    rows: Range<usize>,
    columns: Range<usize>,
}

impl Area {
    /// Refuses a rectangle whose edges cut through a cell.
    fn check(&self, rows: &[Row<'_>]) -> Result<(), Refusal> {
        let cuts = |why: String| {
            Err(Refusal::Unsafe {
                why,
                instead: Some("choose an area whose edges follow the cells".to_owned()),
            })
        };
        for number in self.rows.clone() {
            let Some(row) = rows.get(number) else { continue };
            for column in self.columns.clone() {
                match row.covering(column) {
                    None => return cuts(format!("row {number} has no cell in column {column}")),
                    Some(cell)
                        if cell.column < self.columns.start || cell.column + cell.span > self.columns.end =>
                    {
                        let columns = format!("{} to {}", cell.column, cell.column + cell.span - 1);
                        return cuts(format!("a cell of row {number} covers columns {columns}"));
                    }
                    Some(cell) if number == self.rows.start && cell.merge == Merge::Goes => {
                        return cuts(format!("a cell of row {number} is merged with the row above"));
                    }
                    Some(_) => {}
                }
            }
        }
        if let Some(below) = rows.get(self.rows.end)
            && below.cells.iter().any(|cell| self.columns.contains(&cell.column) && cell.merge == Merge::Goes)
        {
            return cuts(format!("a cell of row {} is merged with the row below", self.rows.end - 1));
        }
        Ok(())
    }
}

/// Whether a cell is one paragraph that says nothing.
pub(super) fn is_empty(cell: Node<'_>) -> bool {
    let blocks = cell.elements().filter(|node| !node.is(ns::W, "tcPr")).count();
    let says = cell.descendants().any(|node| {
        node.is_element()
            && matches!(
                crate::edits::anatomy::word_name(&node),
                "r" | "tbl" | "sdt" | "bookmarkStart" | "bookmarkEnd"
            )
    });
    blocks <= 1 && !says
}

/// The splices that merge an area as tracked changes: the first cell of each row grows and the others are marked as
/// deleted, rows are joined by `w:cellMerge`, and what other cells say is deleted there and inserted in the first.
fn tracked_merge(
    table: &Table,
    rows: &[Row<'_>],
    area: &Area,
    widths: &[usize],
    stamp: &Stamp,
) -> Result<Splices, Refusal> {
    let dialect = &table.dialect;
    let (height, width) = (area.rows.len(), area.columns.len());
    let total: usize = widths.cut(area.columns.clone())?.iter().sum();
    let mut splices = Splices::new();
    let mut moved: Vec<Moved<'_>> = Vec::new();
    let mut target: Option<Node<'_>> = None;
    for number in area.rows.clone() {
        let Some(row) = rows.get(number) else { continue };
        let cells: Vec<&Cell<'_>> =
            row.cells.iter().filter(|cell| area.columns.contains(&cell.column)).collect();
        let Some((first, others)) = cells.split_first() else { continue };
        cells.iter().try_for_each(|cell| check_free(cell.node))?;
        let (wanted, value) = match number == area.rows.start {
            true => (Merge::First, "rest"),
            false => (Merge::Goes, "cont"),
        };
        let old = match first.merge {
            Merge::First => Some(("vMergeOrig", "rest")),
            Merge::Goes => Some(("vMergeOrig", "cont")),
            Merge::Alone => None,
        };
        let joins = height > 1 && first.merge != wanted;
        let facts: Vec<(&str, &str)> = std::iter::once(("vMerge", value)).chain(old).collect();
        let join = joins.then(|| ("cellMerge", Some(mark(table, "cellMerge", stamp, &facts))));
        let span = (width > 1).then(|| dialect.empty("gridSpan", &[("val", &width.to_string())]));
        let mut changes = vec![("gridSpan", span)];
        let stated = first.node.child(ns::W, "tcPr").and_then(|properties| properties.child(ns::W, "tcW"));
        if stated.is_some_and(|stated| stated.value(ns::W, "type").as_deref() == Some("dxa")) {
            changes.push(("tcW", Some(dialect.empty("tcW", &[("w", &total.to_string()), ("type", "dxa")]))));
        }
        splices.extend(recorded(table, first.node, Parent::Cell, changes, join, Some(stamp)));
        for cell in &cells {
            match target {
                None => target = Some(cell.node),
                Some(_) if is_empty(cell.node) => {}
                Some(_) => moved.extend(said(table, cell.node)?),
            }
        }
        if number != area.rows.start && !is_empty(first.node) {
            splices.extend(deleted_runs(table, first.node, stamp));
            let paragraphs: Vec<Node<'_>> =
                first.node.elements().filter(|node| node.is(ns::W, "p")).collect();
            let joined = paragraphs.split_last().map_or(&[][..], |(_, before)| before);
            let del =
                |paragraph: &Node<'_>| put_in_mark(*paragraph, &mark(table, "del", stamp, &[]), dialect);
            splices.extend(joined.iter().map(del));
        }
        for cell in others {
            splices.extend(deleted_cell(table, cell.node, stamp));
        }
    }
    if let (Some(target), false) = (target, moved.is_empty()) {
        splices.extend(received(table, target, &moved, stamp)?);
    }
    Ok(splices)
}

/// A paragraph that moves, and its runs as they are written elsewhere.
pub(super) struct Moved<'a> {
    paragraph: Node<'a>,
    pieces: Vec<CellRuns>,
}

struct CellRuns {
    runs: String,
    /// Start and end tag of a link around them.
    link: Option<(String, String)>,
}

/// What a cell says, if it can stand in two places until somebody decides.
pub(super) fn said<'a>(table: &Table, cell: Node<'a>) -> Result<Vec<Moved<'a>>, Refusal> {
    let refuse = |name: &str| -> Result<String, Refusal> {
        Err(Refusal::Unsafe {
            why: format!(
                "a cell of the area holds <{name}>, which cannot stand in two places while the merge waits"
            ),
            instead: Some("merge without tracking, or stage the merge as a suggestion".to_owned()),
        })
    };
    let run_of = |run: Node<'_>| -> Result<String, Refusal> {
        let mut inner = RunProperties::of_run(run).without_change().write(&table.dialect);
        for child in run.elements() {
            match word_name(&child) {
                "rPr" | "lastRenderedPageBreak" => {}
                "t" | "tab" | "br" | "cr" | "noBreakHyphen" | "softHyphen" | "sym" => {
                    inner.push_str(&String::from_utf8_lossy(child.source()));
                }
                _ => return refuse(child.qualified()),
            }
        }
        Ok(table.dialect.wrap("r", "", &inner))
    };
    let mut moved = Vec::new();
    for paragraph in cell.elements().filter(|node| !node.is(ns::W, "tcPr")) {
        if !paragraph.is(ns::W, "p") {
            refuse(paragraph.qualified())?;
        }
        let mut pieces: Vec<CellRuns> = Vec::new();
        for child in paragraph.elements() {
            match word_name(&child) {
                "r" => {
                    let run = run_of(child)?;
                    match pieces.last_mut().filter(|piece| piece.link.is_none()) {
                        Some(piece) => piece.runs.push_str(&run),
                        None => pieces.push(CellRuns { runs: run, link: None }),
                    }
                }
                "hyperlink" => {
                    let runs: Result<String, Refusal> = child
                        .elements()
                        .map(|run| if run.is(ns::W, "r") { run_of(run) } else { refuse(run.qualified()) })
                        .collect();
                    let text =
                        |range: Range<usize>| String::from_utf8_lossy(table.source.part(range)).into_owned();
                    let link = Some((text(child.tag_span()), text(child.end_tag_span())));
                    pieces.push(CellRuns { runs: runs?, link });
                }
                "pPr" | "proofErr" | "bookmarkStart" | "bookmarkEnd" => {}
                _ => drop(refuse(child.qualified())?),
            }
        }
        moved.push(Moved { paragraph, pieces });
    }
    Ok(moved)
}

/// The splices that insert what moves at the end of a cell. The cell's last mark stays the last one, so that
/// rejecting leaves what was there.
pub(super) fn received(
    table: &Table,
    cell: Node<'_>,
    moved: &[Moved<'_>],
    stamp: &Stamp,
) -> Result<Splices, Refusal> {
    let dialect = &table.dialect;
    let own = cell.elements().filter(|node| node.is(ns::W, "p")).last();
    let own = own.ok_or_else(|| Refusal::unsupported("a cell without a paragraph at its end"))?;
    let inserted = |moved: &Moved<'_>| -> String {
        let piece = |piece: &CellRuns| {
            let runs = dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &piece.runs);
            match &piece.link {
                Some((start, end)) => format!("{start}{runs}{end}"),
                None => runs,
            }
        };
        moved.pieces.iter().map(piece).collect()
    };
    let Some((last, before)) = moved.split_last() else { return Ok(Splices::new()) };
    let new: String = before
        .iter()
        .map(|moved| {
            let properties = cloned_properties(moved.paragraph, Some(stamp), dialect);
            dialect.wrap("p", "", &format!("{properties}{}", inserted(moved)))
        })
        .collect();
    let properties = handed_over(own, last.paragraph, table, stamp);
    if is_empty(cell) {
        let tag = String::from_utf8_lossy(table.source.cut(own.tag_span())?).into_owned();
        let tag = tag.strip_suffix("/>").map_or(tag.clone(), |tag| format!("{tag}>"));
        let whole = format!("{new}{tag}{properties}{}</{}>", inserted(last), own.qualified());
        return Ok(vec![(own.span(), whole)]);
    }
    let marked = own.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "rPr"));
    if marked.is_some_and(|mark| mark.child(ns::W, "ins").is_some() || mark.child(ns::W, "del").is_some()) {
        return Err(Refusal::Unsafe {
            why: "the last paragraph of the first cell is itself a tracked change".to_owned(),
            instead: Some("accept or reject that first".to_owned()),
        });
    }
    let end = own.span().end;
    Ok(vec![
        put_in_mark(own, &mark(table, "ins", stamp, &[]), dialect),
        (end..end, format!("{new}{}", dialect.wrap("p", "", &format!("{properties}{}", inserted(last))))),
    ])
}

/// The properties of `new` on the mark that was `old`'s, with those of `old` on record where they differ.
fn handed_over(old: Node<'_>, new: Node<'_>, table: &Table, stamp: &Stamp) -> String {
    let dialect = &table.dialect;
    let (before, after) = (formatting(old), formatting(new));
    if before == after {
        return cloned_properties(old, None, dialect);
    }
    let record = record(&before, stamp, dialect);
    let written = cloned_properties(new, None, dialect);
    let end = format!("</{}pPr>", dialect.element);
    match written.strip_suffix(&end) {
        Some(open) => format!("{open}{record}{end}"),
        None => dialect.wrap("pPr", "", &record),
    }
}

/// The splices that write cells merged in the old way (`w:hMerge`) as one cell over several columns. What such a cell
/// holds behind the first is never shown; one that holds something is left to a person.
pub(super) fn old_merges(table: &Table) -> Result<Splices, Refusal> {
    let dialect = &table.dialect;
    let mut splices = Splices::new();
    for row in table.rows()? {
        let state = |cell: &Cell<'_>| -> Option<bool> {
            let merge = cell.node.child(ns::W, "tcPr")?.child(ns::W, "hMerge")?;
            Some(merge.value(ns::W, "val").as_deref() == Some("restart"))
        };
        let mut at = 0;
        while let Some(first) = row.cells.get(at) {
            at += 1;
            if state(first).is_none() {
                continue;
            }
            let rest = row.cells.cut(at..)?;
            let count = rest.iter().take_while(|cell| state(cell) == Some(false)).count();
            let others = rest.cut(..count)?;
            at += count;
            let span = first.span + others.iter().map(|cell| cell.span).sum::<usize>();
            let mut changes = vec![("hMerge", None)];
            if span > first.span {
                changes.push(("gridSpan", Some(dialect.empty("gridSpan", &[("val", &span.to_string())]))));
            }
            let width = |cell: &Cell<'_>| -> Option<usize> {
                let stated = cell.node.child(ns::W, "tcPr")?.child(ns::W, "tcW")?;
                (stated.value(ns::W, "type").as_deref() == Some("dxa"))
                    .then(|| stated.value(ns::W, "w")?.parse().ok())?
            };
            let total: Option<usize> = std::iter::once(first).chain(others).map(width).sum();
            if let (Some(total), false) = (total, others.is_empty()) {
                changes
                    .push(("tcW", Some(dialect.empty("tcW", &[("w", &total.to_string()), ("type", "dxa")]))));
            }
            splices.extend(change(first.node, Parent::Cell, changes, dialect));
            for cell in others {
                if !is_empty(cell.node) {
                    return Err(Refusal::Unsafe {
                        why: "a cell that is merged in the old way (hMerge) holds text that is not shown"
                            .to_owned(),
                        instead: Some("empty that cell, or open and save the file in Word first".to_owned()),
                    });
                }
                splices.push((cell.node.span(), survivors(&[cell.node])));
            }
        }
    }
    Ok(splices)
}
