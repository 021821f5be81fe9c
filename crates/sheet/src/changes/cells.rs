//! Cells and lines of one sheet that changed.

use std::collections::BTreeSet;

use edit::{Patch, Refusal, Shown, ShownList};

use super::words;
use crate::calc::affected::without_references;
use crate::calc::dirt::changed_cells;
use crate::calc::moves::{self, Lines, Move};
use crate::file::a1::{Area, CellRef};
use crate::read::sheet_view::{Cell, SheetView};

/// Rows that are looked at for lines that came or went; what comes behind them moved like the last of them.
const MOST_ROWS: usize = 2_000;

/// Cells that are compared where lines moved; the rest is counted.
const MOST_COMPARED: usize = 20_000;

pub(super) fn show(
    old: &SheetView<'_>,
    new: &SheetView<'_>,
    patch: &Patch,
    list: &mut ShownList,
    calculated: &mut Vec<Shown>,
) -> Result<(), Refusal> {
    let (rows, columns) = moves::of(old.worksheet, patch, new.worksheet, MOST_ROWS)?;
    if !rows.moved() && !columns.moved() {
        let (changed, _) = changed_cells(old.worksheet, patch, new.worksheet)?;
        for cell in &changed {
            let kept = cell.cached && !cell.style;
            if list.is_full() && !kept {
                list.count(1);
                continue;
            }
            let (was, is) = (old.cell(cell.at)?, new.cell(cell.at)?);
            let Some(shown) = compared(old, new, cell.at, was.as_ref(), is.as_ref())? else { continue };
            match kept {
                true => calculated.push(shown),
                false => list.push(shown.place, shown.before, shown.after),
            }
        }
        return rows_hidden(old, new, &changed, list);
    }
    lines(old, new, &rows, "row", list)?;
    lines(old, new, &columns, "column", list)?;
    moved_cells(old, new, patch, &rows, &columns, list)
}

/// Rows that were hidden or shown, where no cell of theirs says more.
fn rows_hidden(
    old: &SheetView<'_>,
    new: &SheetView<'_>,
    changed: &[crate::calc::dirt::Changed],
    list: &mut ShownList,
) -> Result<(), Refusal> {
    let rows: BTreeSet<u32> = changed.iter().filter(|cell| cell.toggled).map(|cell| cell.at.row).collect();
    for row in rows {
        let hidden = |sheet: &SheetView<'_>| -> Result<String, Refusal> {
            Ok(if sheet.row_properties(row)?.hidden { "hidden" } else { "shown" }.to_owned())
        };
        list.push(format!("{}!{}:{}", new.name(), row + 1, row + 1), hidden(old)?, hidden(new)?);
    }
    Ok(())
}

fn lines(
    old: &SheetView<'_>,
    new: &SheetView<'_>,
    lines: &Lines,
    what: &str,
    list: &mut ShownList,
) -> Result<(), Refusal> {
    let named = |sheet: &SheetView<'_>, first: u32, count: u32| {
        let last = first + count - 1;
        let area = match what {
            "row" => format!("{}:{}", first + 1, last + 1),
            _ => format!("{}:{}", formula::column_letters(first), formula::column_letters(last)),
        };
        format!("{}!{area}", sheet.name())
    };
    let many = |count: u32| if count == 1 { what.to_owned() } else { format!("{what}s") };
    for one in lines.moves() {
        match one {
            Move::Inserted(at, count) => {
                list.push(named(new, at, count), "", format!("{count} new {}", many(count)));
            }
            Move::Deleted(at, count) => {
                let area = match what {
                    "row" => Area { top: at, bottom: at + count - 1, left: 0, right: formula::MAX_COLS - 1 },
                    _ => Area { left: at, right: at + count - 1, top: 0, bottom: formula::MAX_ROWS - 1 },
                };
                let held = contents(old, area)?;
                let held = if held.is_empty() { format!("{count} empty {}", many(count)) } else { held };
                list.push(named(old, at, count), held, "");
            }
        }
    }
    Ok(())
}

/// What lines hold, as far as one entry can say.
fn contents(sheet: &SheetView<'_>, area: Area) -> Result<String, Refusal> {
    const FIRST: u32 = 200;
    let bottom = area.bottom.min(area.top.saturating_add(FIRST));
    let mut texts = Vec::new();
    let mut failed = None;
    sheet.each_cell(Area { bottom, ..area }, &mut |cell| match shown_text(sheet, Some(&cell)) {
        Ok(text) if !text.is_empty() => texts.push(text),
        Ok(_) => {}
        Err(refusal) => failed = Some(refusal),
    })?;
    match failed {
        Some(refusal) => Err(refusal),
        None => Ok(texts.join(" | ")),
    }
}

/// Cells that are another than they were, wherever they are now.
fn moved_cells(
    old: &SheetView<'_>,
    new: &SheetView<'_>,
    patch: &Patch,
    rows: &Lines,
    columns: &Lines,
    list: &mut ShownList,
) -> Result<(), Refusal> {
    let mut left = MOST_COMPARED;
    let mut known = BTreeSet::new();
    for (before, after) in crate::file::worksheet::regions(patch, &old.worksheet.part) {
        for cell in cells_in(old, before)? {
            let now = rows.now(cell.at.row).zip(columns.now(cell.at.col));
            let Some((row, col)) = now else { continue };
            let at = CellRef::new(row, col);
            if left == 0 {
                list.count(1);
                continue;
            }
            left -= 1;
            known.insert(at);
            let is = new.cell(at)?;
            // References follow lines, and so does what depends on them.
            let same_formula = match (&cell.formula, is.as_ref().and_then(|is| is.formula.as_ref())) {
                (Some(was), Some(is)) => without_references(&was.text) == without_references(&is.text),
                _ => false,
            };
            if same_formula {
                continue;
            }
            if let Some(shown) = compared(old, new, at, Some(&cell), is.as_ref())? {
                list.push(shown.place, shown.before, shown.after);
            }
        }
        for cell in cells_in(new, after)?.into_iter().filter(|cell| !known.contains(&cell.at)) {
            let blank = cell.formula.is_none() && cell.value.is_blank();
            if !blank && let Some(shown) = compared(old, new, cell.at, None, Some(&cell))? {
                list.push(shown.place, shown.before, shown.after);
            }
        }
    }
    Ok(())
}

fn cells_in(sheet: &SheetView<'_>, region: std::ops::Range<usize>) -> Result<Vec<Cell>, Refusal> {
    let worksheet = sheet.worksheet;
    let Some((start, end)) = worksheet.rows_around(region)? else { return Ok(Vec::new()) };
    let first = worksheet.row_at_or_after(start)?;
    let last = worksheet.row_before(end)?;
    let (Some((_, top)), Some((_, bottom))) = (first, last) else { return Ok(Vec::new()) };
    if top > bottom {
        return Ok(Vec::new());
    }
    sheet.cells(Area { top, bottom, left: 0, right: formula::MAX_COLS - 1 })
}

/// The cell as it was and is; `None` if nobody would see a difference.
fn compared(
    old: &SheetView<'_>,
    new: &SheetView<'_>,
    at: CellRef,
    was: Option<&Cell>,
    is: Option<&Cell>,
) -> Result<Option<Shown>, Refusal> {
    let place = format!("{}!{at}", formula::quote_sheet(new.name()));
    let (before, after) = (shown_text(old, was)?, shown_text(new, is)?);
    if before != after {
        return Ok(Some(Shown { place, before, after }));
    }
    let looks =
        |sheet: &SheetView<'_>, cell: Option<&Cell>| sheet.book.style(cell.map_or(0, |cell| cell.style));
    let (before, after) = words::looks(&looks(old, was)?, &looks(new, is)?);
    Ok((before != after).then_some(Shown { place, before, after }))
}

/// A formula with its value, or what the cell shows.
fn shown_text(sheet: &SheetView<'_>, cell: Option<&Cell>) -> Result<String, Refusal> {
    let Some(cell) = cell else { return Ok(String::new()) };
    let value = sheet.book.text(&cell.value, cell.style)?;
    Ok(match &cell.formula {
        Some(formula) if value.is_empty() => format!("={}", formula.shown()),
        Some(formula) => format!("={} ({value})", formula.shown()),
        None => value,
    })
}
