//! Text that goes into a table cell or a heading, and must not leave it.
//!
//! A pipe ends a cell and a line break ends a row, whoever writes them: a replacement, a link, a formula. Every edit
//! that writes text passes here once. Pipes are escaped, line breaks are refused, and text that speaks of more than one
//! cell is let through if the table has the same columns afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::{Gravity, Refusal};

use super::table::grid::{Cells, Grid, escaped, row_of};
use super::{Draft, shorten};
use crate::PART;
use crate::block::{HeadingStyle, Kind};
use crate::format::preview;
use crate::view::{Node, View};

pub(super) fn contained(view: &View, mut draft: Draft) -> Result<Draft, Refusal> {
    let mut tables: Vec<Node<'_>> = Vec::new();
    for (range, with) in &mut draft.splices {
        let Some(node) = view.node_at(range.start) else { continue };
        if let Kind::Heading { style, .. } = node.kind() {
            in_heading(&node, style, range, with)?;
        }
        let Some(table) = node.chain().find(|node| node.kind() == Kind::Table) else { continue };
        let whole = table.range();
        let inside = whole.start <= range.start && range.end <= whole.end && *range != whole;
        if !inside {
            continue;
        }
        if let Some(cell) = cell_around(&node, range)
            && !adds_rows(view, &cell, range, with)
        {
            in_cell(view, &cell, range, with)?;
        }
        if !tables.iter().any(|known| known.same(&table)) {
            tables.push(table);
        }
    }
    for table in tables {
        draft = in_table(view, draft, &table)?;
    }
    Ok(draft)
}

/// Where only cells are written in, all others say what they said; a row that cannot say it as it is written gets pipes
/// at its ends. Whatever else is written keeps the shape of the table.
fn in_table(view: &View, draft: Draft, table: &Node<'_>) -> Result<Draft, Refusal> {
    let grid = Grid::read(*table)?;
    let Some((wanted, rows)) = written_in(view, &draft, &grid) else {
        same_shape(view, &draft, table)?;
        return Ok(draft);
    };
    let says = |draft: &Draft| -> Result<bool, Refusal> {
        let patch = draft.patch()?;
        let start = patch.map(PART, table.range().start, Gravity::Left);
        let found = Grid::at(&preview(view, &patch)?, start).map(|found| found.map(|found| found.cells()));
        Ok(found.transpose()?.is_some_and(|cells| cells.same(&wanted)))
    };
    if says(&draft)? {
        return Ok(draft);
    }
    let mut piped = draft.clone();
    for index in rows {
        let (Some(row), Some(cells)) = (grid.rows.get(index), wanted.rows.get(index)) else { continue };
        piped.splices.retain(|(range, _)| range.end < row.range.start || row.range.end < range.start);
        piped.splices.push((row.range.clone(), row_of(cells)));
    }
    if says(&piped)? {
        return Ok(piped);
    }
    same_shape(view, &draft, table)?;
    Err(Refusal::Unsafe {
        why: format!(
            "text of the table on line {} would go to other cells",
            view.line_column(table.range().start).line
        ),
        instead: Some("set the cell with table_modify".to_owned()),
    })
}

/// What the table should say if every splice in it is in one cell, and the rows that these are in.
fn written_in(view: &View, draft: &Draft, grid: &Grid<'_>) -> Option<(Cells, BTreeSet<usize>)> {
    let whole = grid.node.range();
    let mut wanted = grid.cells();
    let mut by_cell: BTreeMap<(usize, usize), Vec<(&Range<usize>, &str)>> = BTreeMap::new();
    for (range, with) in &draft.splices {
        if range.end < whole.start || whole.end < range.start {
            continue;
        }
        let holds = |cell: &Range<usize>| cell.start <= range.start && range.end <= cell.end;
        let mut rows = grid.rows.iter().enumerate();
        let place = rows.find_map(|(row, found)| Some((row, found.cells.iter().position(holds)?)))?;
        by_cell.entry(place).or_default().push((range, with));
    }
    let rows = by_cell.keys().map(|(row, _)| *row).collect();
    for ((row, column), mut splices) in by_cell {
        splices.sort_by_key(|(range, _)| (range.start, range.end));
        let cell = grid.rows.get(row)?.cells.get(column)?;
        let (mut text, mut at) = (String::new(), cell.start);
        for (range, with) in splices {
            text.push_str(&view.slice(at..range.start));
            text.push_str(with);
            at = range.end;
        }
        text.push_str(&view.slice(at..cell.end));
        if text.contains(['\n', '\r']) {
            return None;
        }
        *wanted.rows.get_mut(row)?.get_mut(column)? = text.trim().to_owned();
    }
    Some((wanted, rows))
}

/// The cell that holds the whole range.
fn cell_around<'a>(node: &Node<'a>, range: &Range<usize>) -> Option<Node<'a>> {
    let cell = node.chain().find(|node| node.kind() == Kind::TableCell)?;
    (cell.range().start <= range.start && range.end <= cell.range().end).then_some(cell)
}

/// Whether the text stands behind all that the row says and goes on in lines of its own.
fn adds_rows(view: &View, cell: &Node<'_>, range: &Range<usize>, with: &str) -> bool {
    let behind = view.slice(range.end..view.line_end(cell.range().end));
    with.starts_with(['\n', '\r']) && range.is_empty() && behind.trim_matches([' ', '\t', '|']).is_empty()
}

fn in_cell(view: &View, cell: &Node<'_>, range: &Range<usize>, with: &mut String) -> Result<(), Refusal> {
    if with.contains(['\n', '\r']) {
        let line = view.line_column(cell.range().start).line;
        return Err(Refusal::Unsafe {
            why: format!("a line break in `{}` would end the table row on line {line}", shorten(with, 40)),
            instead: Some(
                "write <br> for a break inside a cell, add rows with table_modify, or insert behind the table"
                    .to_owned(),
            ),
        });
    }
    if with.contains('|') {
        *with = escaped(with, view.slice(view.line_start(range.start)..range.start).chars().next_back());
    }
    Ok(())
}

/// A heading is one line, or as many as there are without a blank one if it is underlined.
fn in_heading(node: &Node<'_>, style: HeadingStyle, range: &Range<usize>, with: &str) -> Result<(), Refusal> {
    let view = node.view();
    let whole = node.range();
    let inside = whole.start < range.start && range.end < whole.end;
    let text = |range: Range<usize>| view.slice(range).trim_matches([' ', '\t', '#']).is_empty();
    let breaks = match style {
        HeadingStyle::Atx => with.contains(['\n', '\r']),
        HeadingStyle::Setext => crate::prefix::lines(with).filter(|line| line.trim().is_empty()).count() > 1,
    };
    if inside && breaks && !text(range.end..whole.end) {
        return Err(Refusal::Unsafe {
            why: format!(
                "a line break in `{}` would cut the heading on line {} in two",
                shorten(with, 40),
                view.line_column(whole.start).line
            ),
            instead: Some("keep a heading on one line, or insert the text behind it".to_owned()),
        });
    }
    Ok(())
}

/// Each table has the columns that it had, and a row for each of its lines, none with cells that nobody sees.
fn same_shape(view: &View, draft: &Draft, table: &Node<'_>) -> Result<(), Refusal> {
    let patch = draft.patch()?;
    let after = preview(view, &patch)?;
    let before = Grid::read(*table)?;
    let range = table.range();
    let lines = |text: &str| crate::prefix::lines(text).count() as isize - 1;
    let grown: isize = draft
        .splices
        .iter()
        .filter(|(splice, _)| range.start <= splice.start && splice.end <= range.end)
        .map(|(splice, with)| lines(with) - lines(&view.slice(splice.clone())))
        .sum();
    let start = patch.map(PART, range.start, Gravity::Left);
    let now = Grid::at(&after, start).transpose()?;
    let longest = |grid: &Grid<'_>| grid.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let same = now.is_some_and(|now| {
        now.columns == before.columns
            && now.rows.len() as isize == before.rows.len() as isize + grown
            && longest(&now) <= longest(&before).max(before.columns)
    });
    if !same {
        return Err(Refusal::Unsafe {
            why: format!(
                "the table on line {} would not keep its {} columns and {} rows",
                view.line_column(range.start).line,
                before.columns,
                before.rows.len()
            ),
            instead: Some(
                "change rows and columns with table_modify, or replace the whole table by its id".to_owned(),
            ),
        });
    }
    Ok(())
}
