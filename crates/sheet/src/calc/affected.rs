//! Which formulas have to be calculated after lines, sheets, names or tables changed.
//!
//! A formula that moved along with its row, and whose references followed what they name, has the value it had, and the
//! file keeps it to the byte. What is left: formulas that read lines which came or went, that read something else than
//! they did, that name what was defined anew, or that ask where they stand.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use edit::{PartChange, Patch, Refusal};
use formula::{Area as FormulaArea, CellRef as FormulaCell, Expr, SheetId};

use crate::calc::dirt::{self, Bytes, Since};
use crate::calc::model::{Model, ModelFormula};
use crate::calc::moves::{self, Lines};
use crate::calc::place::place;
use crate::file::a1::CellRef;
use crate::file::refs::splice_text;
use crate::file::worksheet::{RowSpot, Worksheet, regions};
use crate::read::book::Book;

/// Functions that answer where something stands, or how it reads, rather than what it holds.
const ASK_WHERE: &[&str] =
    &["ROW(", "COLUMN(", "CELL(", "FORMULATEXT(", "SHEET(", "SHEETS(", "GETPIVOTDATA("];

/// The cells that changed since, in today's places, and whether anything stands elsewhere than it did; what depends on
/// them is for the engine to find.
pub(crate) fn cells(
    known: Option<&Model>,
    since: &Since,
    book: &Book,
    model: &Model,
) -> Result<(Vec<FormulaCell>, bool), Refusal> {
    let built;
    let old = match known {
        Some(known) => known,
        None => {
            built = Model::build(&since.book)?;
            &built
        }
    };
    let ways = Ways::of(since, book)?;
    let names = changed_names(old, model);
    let mut found = BTreeSet::new();
    for (position, at) in &since.cells {
        found.extend(ways.now(place(*position, *at)));
    }
    for (position, way) in ways.old.iter().enumerate() {
        if let (Some(way), Ok(before), Ok(after)) =
            (way, since.book.worksheet(position), ways.new_sheet(book, position))
            && since.patch.part(&before.part).is_some()
        {
            for at in changed_inputs(before, after, &since.patch, way)? {
                let here = place(way.sheet, at);
                if model.formula(here).is_some() || !dirt::fills_array(after, at)? {
                    found.insert(here);
                }
            }
        }
    }
    let mut shapes = HashMap::new();
    for at in model.formula_cells() {
        let Some(is) = model.formula(at) else { continue };
        let same = ways.was(at).is_some_and(|origin| {
            old.formula(origin).is_some_and(|was| {
                let moved = ways.any || origin != at;
                was.mode == is.mode
                    && array_followed(&ways, origin, was, at, is)
                    && (!moved || !asks_where(is.source()))
                    && !uses(is.source(), &names)
                    && (was.source() == is.source() || shape(&mut shapes, was) == shape(&mut shapes, is))
                    && reads_the_same(&ways, old, origin, model, at)
            })
        });
        if !same {
            found.insert(at);
        }
    }
    Ok((found.into_iter().collect(), ways.any))
}

/// Where a sheet and its lines went.
struct Way {
    /// The other position of the sheet.
    sheet: usize,
    rows: Lines,
    columns: Lines,
}

struct Ways {
    /// By position then, and by position now.
    old: Vec<Option<Way>>,
    new: Vec<Option<Way>>,
    /// Whether anything stands elsewhere than it did.
    any: bool,
}

impl Ways {
    fn of(since: &Since, book: &Book) -> Result<Ways, Refusal> {
        let (was, is) = (&since.book.workbook.sheets, &book.workbook.sheets);
        let mut ways = Ways { old: Vec::new(), new: Vec::new(), any: was.len() != is.len() };
        ways.new.resize_with(is.len(), || None);
        for (position, tab) in was.iter().enumerate() {
            let now = is.iter().position(|known| known.part == tab.part);
            let Some(now) = now else {
                ways.old.push(None);
                continue;
            };
            let (mut rows, mut columns) = (Lines::default(), Lines::default());
            // A sheet that cannot be read has no formulas that could be calculated.
            if let Some(PartChange::Splices(_)) = since.patch.part(&tab.part)
                && let (Ok(before), Ok(after)) = (since.book.worksheet(position), book.worksheet(now))
            {
                (rows, columns) = moves::of(before, &since.patch, after, usize::MAX)?;
            }
            ways.any |= now != position || rows.moved() || columns.moved();
            if let Some(slot) = ways.new.get_mut(now) {
                *slot = Some(Way { sheet: position, rows: rows.back(), columns: columns.back() });
            }
            ways.old.push(Some(Way { sheet: now, rows, columns }));
        }
        Ok(ways)
    }

    fn new_sheet<'a>(&self, book: &'a Book, old: usize) -> Result<&'a Arc<Worksheet>, Refusal> {
        let way = self.old.get(old).and_then(Option::as_ref);
        book.worksheet(way.ok_or_else(|| Refusal::not_found("sheet", format!("number {old}")))?.sheet)
    }

    fn now(&self, at: FormulaCell) -> Option<FormulaCell> {
        gone(&self.old, at)
    }

    fn was(&self, at: FormulaCell) -> Option<FormulaCell> {
        gone(&self.new, at)
    }

    /// Where an area is, if it is whole.
    fn area(&self, area: &FormulaArea) -> Option<FormulaArea> {
        // What is remembered of other workbooks does not move.
        let Some(way) = self.old.get(area.sheet.0 as usize) else { return Some(*area) };
        let way = way.as_ref()?;
        let (top, bottom) = way.rows.stretch(area.top, area.bottom)?;
        let (left, right) = way.columns.stretch(area.left, area.right)?;
        Some(FormulaArea::new(SheetId(way.sheet as u32), (top, left), (bottom, right)))
    }
}

fn gone(ways: &[Option<Way>], at: FormulaCell) -> Option<FormulaCell> {
    let way = ways.get(at.sheet.0 as usize)?.as_ref()?;
    Some(place(way.sheet, CellRef::new(way.rows.now(at.row)?, way.columns.now(at.col)?)))
}

/// Whether what an array fills moved along with it.
fn array_followed(
    ways: &Ways,
    from: FormulaCell,
    was: &ModelFormula,
    at: FormulaCell,
    is: &ModelFormula,
) -> bool {
    match (was.area, is.area) {
        (None, None) => true,
        (Some(was), Some(is)) => {
            let was = crate::calc::place::area_on(from.sheet.0 as usize, was);
            ways.area(&was) == Some(crate::calc::place::area_on(at.sheet.0 as usize, is))
        }
        _ => false,
    }
}

fn reads_the_same(ways: &Ways, old: &Model, from: FormulaCell, new: &Model, at: FormulaCell) -> bool {
    let (Some(was), Some(is)) = (old.engine.precedents(from), new.engine.precedents(at)) else {
        return false;
    };
    if was.len() != is.len() {
        return false;
    }
    let Some(mut moved) = was.iter().map(|area| ways.area(area)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    moved.sort_unstable();
    moved == is
}

fn asks_where(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    ASK_WHERE.iter().any(|function| text.contains(function))
}

/// A formula without its references.
fn shape(known: &mut HashMap<Arc<str>, Arc<str>>, formula: &ModelFormula) -> Arc<str> {
    let text = formula.source();
    if let Some(shape) = known.get(text) {
        return Arc::clone(shape);
    }
    let shape: Arc<str> = Arc::from(without_references(text));
    known.insert(Arc::clone(text), Arc::clone(&shape));
    shape
}

/// A formula with `#` in place of each reference, and names without their sheets.
pub(crate) fn without_references(text: &str) -> String {
    let Ok(parsed) = formula::parse(text) else { return text.to_owned() };
    let mut spans = Vec::new();
    parsed.expr.walk(&mut |expr| match expr {
        Expr::Reference(reference) => spans.push((reference.span.clone(), "#".to_owned())),
        Expr::Name(name) => spans.push((name.sheet_span.clone(), String::new())),
        _ => {}
    });
    splice_text(text, spans).unwrap_or_else(|| text.to_owned())
}

/// Names, in capitals, that mean something else than they did: defined, deleted, or another formula. Where only their
/// references followed, what they read tells.
fn changed_names(old: &Model, new: &Model) -> BTreeSet<String> {
    let listed = |model: &Model| -> BTreeMap<(Option<SheetId>, String), String> {
        let names = model.engine.book().names();
        names
            .map(|name| ((name.scope, name.name.to_uppercase()), without_references(&name.formula.text)))
            .collect()
    };
    let (old, new) = (listed(old), listed(new));
    let differ = |some: &BTreeMap<(Option<SheetId>, String), String>, others: &BTreeMap<_, String>| {
        let changed = some.iter().filter(|(name, formula)| others.get(*name) != Some(*formula));
        changed.map(|((_, name), _)| name.clone()).collect::<BTreeSet<_>>()
    };
    let mut changed: BTreeSet<String> = differ(&old, &new).union(&differ(&new, &old)).cloned().collect();
    // A name that uses a changed one has changed with it.
    loop {
        let more =
            new.iter().filter(|((_, name), formula)| !changed.contains(name) && uses(formula, &changed));
        let more: Vec<String> = more.map(|((_, name), _)| name.clone()).collect();
        if more.is_empty() {
            return changed;
        }
        changed.extend(more);
    }
}

fn uses(text: &str, names: &BTreeSet<String>) -> bool {
    if names.is_empty() {
        return false;
    }
    let upper = text.to_uppercase();
    if !names.iter().any(|name| upper.contains(name.as_str())) {
        return false;
    }
    let Ok(parsed) = formula::parse(text) else { return true };
    let mut found = false;
    parsed.expr.walk(&mut |expr| match expr {
        Expr::Name(name) => found |= names.contains(&name.name.to_uppercase()),
        // A lambda that has a name is called like a function.
        Expr::Call { name, .. } => found |= names.contains(&name.to_uppercase()),
        _ => {}
    });
    found
}

/// Cells whose value is another than it was where they come from, and formulas that have none; in today's places.
fn changed_inputs(
    old: &Worksheet,
    new: &Worksheet,
    patch: &Patch,
    way: &Way,
) -> Result<Vec<CellRef>, Refusal> {
    let mut found = Vec::new();
    let back = (way.rows.back(), way.columns.back());
    for (before, after) in regions(patch, &old.part) {
        for row in rows_in(new, after)? {
            let is = row_of(new, row)?;
            let mut was = match back.0.now(row) {
                Some(row) => row_of(old, row)?,
                None => (BTreeMap::new(), is.1),
            };
            for (col, now) in &is.0 {
                let then = back.1.now(*col).and_then(|col| was.0.remove(&col)).unwrap_or_default();
                let fresh = now.formula.is_some() && now.value.is_none();
                let input = now.formula.is_none() && (then.value != now.value || then.formula.is_some());
                if fresh || input || was.1 != is.1 {
                    found.push(CellRef::new(row, *col));
                }
            }
            let emptied = was.0.keys().filter_map(|col| way.columns.now(*col));
            found.extend(emptied.map(|col| CellRef::new(row, col)));
        }
        for row in rows_in(old, before)? {
            let Some(now) = way.rows.now(row) else { continue };
            if matches!(new.find_row(now)?, RowSpot::Missing(_)) {
                let emptied = row_of(old, row)?.0.into_keys().filter_map(|col| way.columns.now(col));
                found.extend(emptied.map(|col| CellRef::new(now, col)));
            }
        }
    }
    Ok(found)
}

fn rows_in(sheet: &Worksheet, region: std::ops::Range<usize>) -> Result<Vec<u32>, Refusal> {
    let Some((mut at, end)) = sheet.rows_around(region)? else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    while let Some((start, number)) = sheet.row_at_or_after(at)?.filter(|(start, _)| *start < end) {
        let RowSpot::Found(range, _) = sheet.row_at(start, number)? else { break };
        rows.push(number);
        at = range.end;
    }
    Ok(rows)
}

/// The cells of a row by column, and whether it is hidden.
fn row_of(sheet: &Worksheet, row: u32) -> Result<(BTreeMap<u32, Bytes>, bool), Refusal> {
    let mut found = BTreeMap::new();
    let RowSpot::Found(range, row) = sheet.find_row(row)? else { return Ok((found, false)) };
    let bytes = sheet.blob.slice(range.clone());
    let mut cells = sheet.cells(&bytes, &row);
    while let Some(cell) = cells.next().map_err(|broken| sheet.broken(broken.after(range.start)))? {
        let pieces = dirt::pieces(&bytes, &cell);
        if pieces.formula.is_some() || pieces.value.is_some() {
            found.insert(cell.at.col, pieces);
        }
    }
    Ok((found, dirt::is_hidden(&bytes, &row)))
}
