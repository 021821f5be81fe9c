//! Text that goes into a table cell or a heading, and must not leave it.
//!
//! A pipe ends a cell and a line break ends a row, whoever writes them: a replacement, a link, a formula. Every edit
//! that writes text passes here once. Pipes are escaped, line breaks are refused, and text that speaks of more than one
//! cell is let through if the table has the same columns afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::{Gravity, Refusal};

use super::table::grid::{Cells, Grid, escaped, row_of};
use super::{Draft, line_excerpt};
use crate::PART;
use crate::block::{HeadingStyle, Kind};
use crate::format::preview;
use crate::view::{Node, View};

pub(super) fn contained(view: &View, mut draft: Draft) -> Result<Draft, Refusal> {
    // By where they start, with the splices in them.
    let mut tables: BTreeMap<usize, (Node<'_>, Vec<usize>)> = BTreeMap::new();
    for (index, (range, with)) in draft.splices.iter_mut().enumerate() {
        let Some(node) = view.node_at(range.start) else { continue };
        if let Kind::Heading { style, .. } = node.kind() {
            in_heading(&node, style, range, with)?;
        }
        let Some(table) = node.chain().find(|node| node.kind() == Kind::Table) else { continue };
        let whole = table.range();
        let inside = whole.start <= range.start && range.end <= whole.end && *range != whole;
        // Lines that are put behind the last one are no part of the table, or rows of their own.
        let behind = range.start == range.end && range.start >= whole.end && with.starts_with(['\n', '\r']);
        if !inside || behind {
            continue;
        }
        if let Some(cell) = cell_around(&node, range)
            && !adds_rows(view, &cell, range, with)
        {
            in_cell(view, &cell, range, with)?;
        }
        tables.entry(whole.start).or_insert_with(|| (table, Vec::new())).1.push(index);
    }
    if tables.is_empty() { Ok(draft) } else { in_tables(view, draft, tables.into_values().collect()) }
}

/// A splice in one cell.
type InCell<'a> = (&'a Range<usize>, &'a str);

/// A table with the splices in it, by their index.
type Written<'a> = (Node<'a>, Vec<usize>);

/// Where only cells are written in, all others say what they said; a row that cannot say it as it is written gets pipes
/// at its ends. Whatever else is written keeps the shape of the table.
fn in_tables(view: &View, draft: Draft, tables: Vec<Written<'_>>) -> Result<Draft, Refusal> {
    let mut piped = draft.clone();
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut unsure: Vec<(Node<'_>, Cells)> = Vec::new();
    {
        let patch = draft.patch()?;
        let (offsets, after) = (patch.offsets(PART), preview(view, &patch)?);
        for (table, splices) in tables {
            let grid = Grid::read(table)?;
            let own = || splices.iter().filter_map(|index| draft.splices.get(*index));
            let start = offsets.map(table.range().start, Gravity::Left);
            let now = Grid::at(&after, start).transpose()?;
            let Some((wanted, rows)) = written_in(view, own(), &grid) else {
                same_shape(view, own(), &grid, now.as_ref())?;
                continue;
            };
            if now.as_ref().is_some_and(|now| now.cells().same(&wanted)) {
                continue;
            }
            for index in rows {
                let (Some(row), Some(cells)) = (grid.rows.get(index), wanted.rows.get(index)) else {
                    continue;
                };
                piped.splices.push((row.range.clone(), row_of(cells)));
            }
            gone.extend(splices);
            unsure.push((table, wanted));
        }
    }
    if unsure.is_empty() {
        return Ok(draft);
    }
    let mut index = 0;
    piped.splices.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
    let patch = piped.patch()?;
    let (offsets, after) = (patch.offsets(PART), preview(view, &patch)?);
    for (table, wanted) in unsure {
        let start = offsets.map(table.range().start, Gravity::Left);
        let now = Grid::at(&after, start).transpose()?;
        if !now.is_some_and(|now| now.cells().same(&wanted)) {
            return Err(Refusal::Unsafe {
                why: format!(
                    "text of the table on line {} would go to other cells",
                    view.line_column(table.range().start).line
                ),
                instead: Some("set the cell with table_modify".to_owned()),
            });
        }
    }
    Ok(piped)
}

/// What the table should say if every splice in it is in one cell, and the rows that these are in.
fn written_in<'d>(
    view: &View,
    splices: impl Iterator<Item = &'d (Range<usize>, String)>,
    grid: &Grid<'_>,
) -> Option<(Cells, BTreeSet<usize>)> {
    let mut wanted = grid.cells();
    let mut by_cell: BTreeMap<(usize, usize), Vec<InCell<'_>>> = BTreeMap::new();
    for (range, with) in splices {
        let row = grid.rows.partition_point(|row| row.range.end < range.start);
        let holds = |cell: &Range<usize>| cell.start <= range.start && range.end <= cell.end;
        let column = grid.rows.get(row)?.cells.iter().position(holds)?;
        by_cell.entry((row, column)).or_default().push((range, with));
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
            why: format!("a line break in `{}` would end the table row on line {line}", line_excerpt(with, 40)),
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
    let inside = whole.start < range.start && range.end <= whole.end;
    let text = |range: Range<usize>| view.slice(range).trim_matches([' ', '\t', '#']).is_empty();
    let breaks = match style {
        HeadingStyle::Atx => with.contains(['\n', '\r']),
        HeadingStyle::Setext => crate::prefix::lines(with).filter(|line| line.trim().is_empty()).count() > 1,
    };
    // Two lines in the place of words are no heading and a paragraph, unless a blank line says so.
    let words =
        || !range.is_empty() && crate::prefix::lines(with).take(2).all(|line| !line.trim().is_empty());
    let cut = !text(range.end..whole.end) || style == HeadingStyle::Atx && words();
    if inside && breaks && cut {
        return Err(Refusal::Unsafe {
            why: format!(
                "a line break in `{}` would cut the heading on line {} in two",
                line_excerpt(with, 40),
                view.line_column(whole.start).line
            ),
            instead: Some("keep a heading on one line, or insert the text behind it".to_owned()),
        });
    }
    Ok(())
}

/// Each table has the columns that it had, and a row for each of its lines, none with cells that nobody sees.
fn same_shape<'d>(
    view: &View,
    splices: impl Iterator<Item = &'d (Range<usize>, String)>,
    before: &Grid<'_>,
    now: Option<&Grid<'_>>,
) -> Result<(), Refusal> {
    let lines = |text: &str| crate::prefix::lines(text).count() as isize - 1;
    let grown: isize = splices.map(|(range, with)| lines(with) - lines(&view.slice(range.clone()))).sum();
    let longest = |grid: &Grid<'_>| grid.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let same = now.is_some_and(|now| {
        now.columns == before.columns
            && now.rows.len() as isize == before.rows.len() as isize + grown
            && longest(now) <= longest(before).max(before.columns)
    });
    if same {
        return Ok(());
    }
    Err(Refusal::Unsafe {
        why: format!(
            "the table on line {} would not keep its {} columns and {} rows",
            view.line_column(before.node.range().start).line,
            before.columns,
            before.rows.len()
        ),
        instead: Some(
            "change rows and columns with table_modify, or replace the whole table by its id".to_owned(),
        ),
    })
}
