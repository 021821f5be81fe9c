//! Single cells: their text, and several made one.

use std::ops::Range;

use edit::{Context, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::super::draft::Draft;
use super::super::place::{Ground, Places, Stretch, whole};
use super::super::properties::change;
use super::super::text::{Look, replace_ground};
use super::super::{TableMergeCells, TableSetCellText};
use super::shape::{content_of, survivors};
use super::{Cell, Merge, Row, Table, check_locks, index, refuse_tracking, resolve};
use crate::edit::{Markup, Outcome, clean, excerpt};
use crate::index::BoxKind;
use crate::schema::Parent;
use crate::view::{Place, View};

pub(super) fn set_text(
    view: &View,
    op: &TableSetCellText,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let text = clean("text", &op.text)?;
    let mut draft = Draft::new(view, markup, cx);
    let table = Table::open(view, &resolve(view, &op.table, places)?)?;
    check_locks(view, &table)?;
    let (rows, (count, columns)) = (table.rows()?, table.size()?);
    let (row, col) = (index("row", op.row, count)?, index("col", op.col, columns)?);
    // What covers the place may have begun in a row above.
    let covering = (0..=row).rev().find_map(|row| {
        let cell = rows.get(row)?.covering(col)?;
        (cell.merge != Merge::Goes).then_some(cell)
    });
    let cell = match rows.get(row).and_then(|row| row.covering(col)) {
        None => {
            let why = format!("row {row} has no cell in column {col}");
            return Err(Refusal::invalid("col", col, why));
        }
        Some(cell) => covering.unwrap_or(cell),
    };
    let start = table.base + cell.node.span().start;
    let ground = Ground { stretches: stretches(view, &table, start)?, document: false };
    let lines: Vec<&str> = text.split('\n').collect();
    replace_ground(&mut draft, &ground, &lines, Look::Kept)?;
    let summary = format!("Set row {row}, column {col} of a table to \"{}\"", excerpt(&text));
    table.finish(draft, &Patch::new(), summary)
}

/// The paragraphs that stand directly in the cell whose bytes begin at `start`.
fn stretches(view: &View, table: &Table, start: usize) -> Result<Vec<Stretch>, Refusal> {
    let part = view.part(Place { part: table.story, index: 0 });
    let part = part.ok_or_else(|| Refusal::internal("a table of another view"))?;
    let known = |kind: BoxKind| kind == BoxKind::Cell;
    let number = part.boxes.iter().position(|block| known(block.kind) && block.start as usize == start);
    let number = number.ok_or_else(|| Refusal::internal("a cell that cannot be found again"))? as u32;
    let holds = |kind: BoxKind| part.boxes.iter().any(|block| block.parent == number && block.kind == kind);
    if holds(BoxKind::Table) {
        return Err(Refusal::Unsafe {
            why: "the cell holds a table of its own, which would be lost".to_owned(),
            instead: Some("change the text of the inner table, or delete that first".to_owned()),
        });
    }
    let mut found = Vec::new();
    for (index, boxed) in part.paragraphs.boxed.iter().enumerate() {
        let inside = part.around(*boxed).take_while(|(_, block)| block.kind != BoxKind::TextBox);
        if inside.take_while(|(at, _)| *at >= number).any(|(at, _)| at == number) {
            found.push(whole(view, Place { part: table.story, index: index as u32 })?);
        }
    }
    match found.is_empty() {
        true => Err(Refusal::unsupported("a cell without a paragraph")),
        false => Ok(found),
    }
}

pub(super) fn merge(
    view: &View,
    op: &TableMergeCells,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    refuse_tracking(markup, "merging cells")?;
    let draft = Draft::new(view, markup, cx);
    let table = Table::open(view, &resolve(view, &op.table, places)?)?;
    check_locks(view, &table)?;
    let (rows, (count, columns)) = (table.rows()?, table.size()?);
    let at_least = |field: &'static str, found: usize| match found {
        0 => Err(Refusal::invalid(field, 0, "at least 1")),
        found => Ok(found),
    };
    let (height, width) = (at_least("rowSpan", op.row_span)?, at_least("colSpan", op.col_span)?);
    let (top, left) = (index("startRow", op.start_row, count)?, index("startCol", op.start_col, columns)?);
    index("rowSpan", top + height - 1, count)
        .map_err(|_| Refusal::invalid("rowSpan", height, format!("at most {}", count - top)))?;
    index("colSpan", left + width - 1, columns)
        .map_err(|_| Refusal::invalid("colSpan", width, format!("at most {}", columns - left)))?;
    if height == 1 && width == 1 {
        return Err(Refusal::invalid("rowSpan", "one cell", "an area of at least two cells"));
    }
    let area = Area { rows: top..top + height, columns: left..left + width };
    area.check(&rows)?;
    let dialect = &table.dialect;
    let widths = table.widths(columns)?;
    let total: usize = widths.get(area.columns.clone()).unwrap_or_default().iter().sum();
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
                let content = table.source.get(content_of(cell.node)).unwrap_or_default();
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
    let summary = format!("Merge {height} by {width} cells of a table");
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
fn is_empty(cell: Node<'_>) -> bool {
    let blocks = cell.elements().filter(|node| !node.is(ns::W, "tcPr")).count();
    let says = cell.descendants().any(|node| {
        node.is_element()
            && matches!(
                crate::anatomy::word_name(&node),
                "r" | "tbl" | "sdt" | "bookmarkStart" | "bookmarkEnd"
            )
    });
    blocks <= 1 && !says
}
