//! Which cells a patch changed.
//!
//! Read from the bytes rather than handed over by the edit, so that it also holds for edits that were carried,
//! joined or made by somebody else. A formula whose cached value alone changed is not dirty.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use edit::{Cut, PartChange, Patch, Refusal};

use crate::calc::moves;
use crate::file::a1::CellRef;
use crate::file::refs;
use crate::file::scan::{Attributes, Cell, Row, is_member};
use crate::file::worksheet::{self, ArrayFormula, ArrayKind, Worksheet};
use crate::read::book::Book;

/// What changed since formulas were last brought up to date.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dirt {
    /// Everything may have, because dates or circles are calculated another way.
    pub(crate) all: bool,
    /// Lines, sheets, names or tables came, went or changed. What that means for formulas is found out when they are
    /// calculated, by comparing the workbook with what it was.
    pub(crate) since: Option<Arc<Since>>,
    /// By position of the sheet.
    pub(crate) cells: Vec<(usize, CellRef)>,
    /// Cells whose calculated value alone is another than it was, as undoing and moving rows make it. No reason
    /// to calculate by itself, but whoever calculates next must know what the file says.
    pub(crate) cached: Vec<(usize, CellRef)>,
    /// Cells that look different.
    pub(crate) styled: Vec<(usize, CellRef)>,
    /// What formulas may ask for beside cells: hidden rows, widths of columns, filters, other workbooks.
    pub(crate) surroundings: bool,
}

impl Dirt {
    pub(crate) fn is_empty(&self) -> bool {
        !self.all && self.since.is_none() && self.cells.is_empty()
    }

    /// Whether a calculated workbook is still what the file says in every respect.
    pub(crate) fn is_nothing(&self) -> bool {
        self.is_empty() && self.cached.is_empty() && self.styled.is_empty() && !self.surroundings
    }

    fn everything() -> Dirt {
        Dirt { all: true, ..Dirt::default() }
    }
}

/// The workbook before it was changed in more than cells, and the patch that made it what it is.
#[derive(Clone, Debug)]
pub(crate) struct Since {
    pub(crate) book: Book,
    pub(crate) patch: Patch,
    /// What was dirty even then.
    pub(crate) cells: Vec<(usize, CellRef)>,
}

/// Rows that are looked at to see whether lines moved.
const LOOKED_AT: usize = 200;

/// Past this many cells it is cheaper to compare the workbook with what it was.
const MANY: usize = 200_000;

/// What is dirty in `after`, which `patch` made of `before`.
pub(crate) fn after(known: &Dirt, before: &Book, patch: &Patch, after: &Book) -> Result<Dirt, Refusal> {
    let mut dirt = known.clone();
    // Without formulas nothing depends on anything; a formula that comes later is dirty by itself.
    if !after.has_formulas()? {
        return Ok(Dirt::default());
    }
    if dirt.all {
        return Ok(dirt);
    }
    let compare = |dirt: Dirt| {
        let since = match &dirt.since {
            Some(since) => Since { patch: since.patch.then(patch), ..(**since).clone() },
            None => {
                let cells = dirt.cells.iter().chain(&dirt.cached).copied().collect();
                Since { book: before.clone(), patch: patch.clone(), cells }
            }
        };
        Dirt { since: Some(Arc::new(since)), surroundings: dirt.surroundings, ..Dirt::default() }
    };
    let same_sheets = before.workbook.sheets.len() == after.workbook.sheets.len()
        && before
            .workbook
            .sheets
            .iter()
            .zip(&after.workbook.sheets)
            .all(|(a, b)| a.part == b.part && a.name == b.name);
    let same_names = before.workbook.names == after.workbook.names;
    let tables = patch.parts().any(|(name, _)| name.as_str().contains("/tables/"));
    let circles = |book: &Book| {
        let how = &book.workbook.calculation;
        (how.iterate, how.iterations, how.delta.to_bits())
    };
    if circles(before) != circles(after) || before.workbook.dates != after.workbook.dates {
        return Ok(Dirt::everything());
    }
    if dirt.since.is_some() || !same_sheets || !same_names || tables {
        return Ok(compare(dirt));
    }
    let others = patch.parts().any(|(name, _)| name.as_str().contains("/externalLinks/"));
    dirt.surroundings |= others || before.workbook.calculation != after.workbook.calculation;
    for (position, tab) in after.workbook.sheets.iter().enumerate() {
        match patch.part(&tab.part) {
            None => continue,
            Some(PartChange::Splices(_)) => {}
            Some(PartChange::Put(_) | PartChange::Remove) => return Ok(compare(dirt)),
        }
        let (Some(old), Ok(new)) = (before.loaded(position), after.worksheet(position)) else {
            return Ok(compare(dirt));
        };
        let touched: usize =
            patch.splices(&tab.part).iter().map(|splice| splice.range.len() + splice.with.len()).sum();
        if touched > MANY * 40 {
            return Ok(compare(dirt));
        }
        let (rows, columns) = moves::of(old, patch, new, LOOKED_AT)?;
        if rows.moved() || columns.moved() {
            return Ok(compare(dirt));
        }
        let (changed, rows) = changed_cells(old, patch, new)?;
        dirt.styled.extend(changed.iter().filter(|c| c.style).map(|c| (position, c.at)));
        dirt.cells.extend(followers(old, new, &changed)?.into_iter().map(|at| (position, at)));
        for cell in changed {
            // Whoever passes over hidden rows reads what an array fills there anew; it hangs on the array.
            if cell.toggled
                && let Some(array) = array_over(new, cell.at)?
            {
                dirt.all |= array.kind == ArrayKind::DataTable;
                dirt.cells.push((position, array.at));
                continue;
            }
            match cell.cached || cell.input && !cell.formula && fills_array(new, cell.at)? {
                true => dirt.cached.push((position, cell.at)),
                false if cell.formula || cell.input => dirt.cells.push((position, cell.at)),
                false => {}
            }
        }
        dirt.surroundings |= rows || outside(old, patch) || dirt.styled.len() > 1000;
        if dirt.cells.len() > MANY {
            return Ok(compare(dirt));
        }
    }
    dirt.cells.sort_unstable();
    dirt.cells.dedup();
    dirt.cached.sort_unstable();
    dirt.cached.dedup();
    dirt.styled.sort_unstable();
    dirt.styled.dedup();
    Ok(dirt)
}

/// Cells that only refer to the first of shared formulas, where that reads another than it did: their formula is
/// another too, although nothing of them changed.
fn followers(old: &Worksheet, new: &Worksheet, changed: &[Changed]) -> Result<Vec<CellRef>, Refusal> {
    let written: BTreeSet<CellRef> = changed.iter().filter(|cell| cell.formula).map(|cell| cell.at).collect();
    let mut found = Vec::new();
    if written.is_empty() || !new.has_formulas() {
        return Ok(found);
    }
    for group in new.shared()?.iter().filter(|group| written.contains(&group.at)) {
        let mut before = old.shared()?.iter().filter(|known| known.index == group.index);
        // Handed over to the next cell, or moved along with its rows, it reads for the others what it read.
        if let (Some(known), None) = (before.next(), before.next())
            && refs::translate(&known.text, known.at, group.at) == *group.text
        {
            continue;
        }
        let area = group.area;
        new.each_row(area.top, area.bottom, &mut |bytes, offset, row| {
            let mut cells = new.cells(bytes, row);
            while let Some(cell) = cells.next().map_err(|broken| new.broken(broken.after(offset)))? {
                if is_member(bytes, &cell, group.index) {
                    found.push(cell.at);
                }
            }
            Ok(())
        })?;
    }
    Ok(found)
}

/// Whether the cell is filled by the array of another. Nobody can write there, so it was calculated.
pub(crate) fn fills_array(sheet: &Worksheet, at: CellRef) -> Result<bool, Refusal> {
    Ok(array_over(sheet, at)?.is_some())
}

/// The array that fills a cell besides its own.
fn array_over(sheet: &Worksheet, at: CellRef) -> Result<Option<&ArrayFormula>, Refusal> {
    Ok(sheet.arrays()?.iter().find(|array| array.area.contains(at) && array.at != at))
}

/// Whether a patch changes a sheet beyond its rows and the note of their extent.
fn outside(sheet: &Worksheet, patch: &Patch) -> bool {
    patch.splices(&sheet.part).iter().any(|splice| {
        let inside = sheet.data.start <= splice.range.start && splice.range.end <= sheet.data.end;
        let before = sheet.blob.slice(splice.range.start.saturating_sub(40)..splice.range.start);
        !inside && memchr::memmem::find(&before, b"dimension").is_none()
    })
}

/// A cell that differs between two revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) at: CellRef,
    /// Its formula is another.
    pub(crate) formula: bool,
    /// It has no formula, and its value is another; or its row was hidden or shown.
    pub(crate) input: bool,
    /// It has the formula it had, and another value.
    pub(crate) cached: bool,
    /// Its row was hidden or shown.
    pub(crate) toggled: bool,
    pub(crate) style: bool,
}

/// The cells of the rows that `patch` touches which differ in formula, value or look, and whether rows were
/// hidden or shown.
pub(crate) fn changed_cells(
    old: &Worksheet,
    patch: &Patch,
    new: &Worksheet,
) -> Result<(Vec<Changed>, bool), Refusal> {
    let mut changed = Vec::new();
    let mut rows = false;
    for (before, after) in worksheet::regions(patch, &old.part) {
        let (mut was, mut is) = (BTreeMap::new(), BTreeMap::new());
        let hidden_before = collect(old, &before, &mut was)?;
        let hidden_after = collect(new, &after, &mut is)?;
        // Subtotals pass over hidden rows, so to them a cell that was hidden has changed.
        let toggled: BTreeSet<u32> = hidden_before.symmetric_difference(&hidden_after).copied().collect();
        rows |= !toggled.is_empty();
        let mut all: Vec<CellRef> = was.keys().chain(is.keys()).copied().collect();
        all.sort_unstable();
        all.dedup();
        for at in all {
            let (was, is) = (was.get(&at), is.get(&at));
            let (was, is) = (was.cloned().unwrap_or_default(), is.cloned().unwrap_or_default());
            // A formula that was written anew has no value yet, even where its text is what it was.
            let formula = was.formula != is.formula || is.formula.is_some() && is.value.is_none();
            let toggled = toggled.contains(&at.row);
            let input = is.formula.is_none() && (was.value != is.value || formula) || toggled;
            let cached = is.formula.is_some() && !formula && !input && was.value != is.value;
            let style = was.style != is.style;
            if formula || input || cached || style {
                changed.push(Changed { at, formula, input, cached, toggled, style });
            }
        }
    }
    Ok((changed, rows))
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    pub(super) formula: Option<Vec<u8>>,
    pub(super) value: Option<Vec<u8>>,
    style: u32,
}

fn collect(
    sheet: &Worksheet,
    region: &Range<usize>,
    into: &mut BTreeMap<CellRef, Bytes>,
) -> Result<BTreeSet<u32>, Refusal> {
    let mut hidden = BTreeSet::new();
    let Some((start, end)) = sheet.rows_around(region.clone())? else { return Ok(hidden) };
    let bytes = sheet.blob.slice(start..end);
    let mut rows = sheet.rows_of(&bytes, start)?;
    let refuse = |broken: crate::file::scan::Broken| sheet.broken(broken.after(start));
    while let Some(row) = rows.next().map_err(refuse)? {
        if is_hidden(&bytes, &row) {
            hidden.insert(row.row);
        }
        let mut cells = sheet.cells(&bytes, &row);
        while let Some(cell) = cells.next().map_err(refuse)? {
            let found = pieces(&bytes, &cell);
            if found != Bytes::default() {
                into.insert(cell.at, found);
            }
        }
    }
    Ok(hidden)
}

pub(super) fn is_hidden(bytes: &[u8], row: &Row) -> bool {
    let flag = Attributes::of(bytes, row.tag.start).find("hidden").and_then(|span| bytes.get(span));
    matches!(flag, Some(b"1" | b"true"))
}

pub(super) fn pieces(bytes: &[u8], cell: &Cell) -> Bytes {
    let take = |span: Option<Range<usize>>| span.and_then(|span| bytes.get(span)).map(<[u8]>::to_vec);
    let formula = cell.formula.clone().map(|(element, _)| element);
    // The type is part of the value: `<v>1</v>` is a number, a logical or a string.
    let kind = Attributes::of(bytes, cell.tag.start).find("t").map_or(&b""[..], |span| bytes.part(span));
    let value = take(cell.inline.clone().or(cell.value.clone())).map(|mut value| {
        value.extend_from_slice(kind);
        value
    });
    Bytes { formula: take(formula), value, style: cell.style }
}
