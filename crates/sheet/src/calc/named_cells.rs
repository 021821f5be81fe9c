//! References as formulas spell them, and the cells that they stand for.
//!
//! What can be told without calculating: a cell, a range, a name that stands for cells, columns of a table.

use formula::{Expr, Reference, Structured, TableColumns, Target};

use crate::calc::place::{AreaOnSheet, CellOnSheet};
use crate::calc::view::View;
use crate::file::a1::{Area, CellRef};
use crate::read::tables::Table;

/// How a formula names cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// One cell by its address.
    Direct,
    Range,
    /// A defined name.
    Named,
    /// Columns of a table.
    Table,
}

/// The cells that a formula names, each with how it does.
pub fn spelled(
    view: &View,
    tables: &[(usize, Table)],
    formula: &str,
    home: CellOnSheet,
) -> Vec<(AreaOnSheet, Spelling)> {
    let Ok(parsed) = formula::parse(formula.strip_prefix('=').unwrap_or(formula)) else { return Vec::new() };
    let mut found = Vec::new();
    parsed.expr.walk(&mut |expr| {
        let spelling = |area: &AreaOnSheet| match expr {
            Expr::Name(_) => Some(Spelling::Named),
            Expr::Structured(_) => Some(Spelling::Table),
            Expr::Reference(_) if area.area.is_cell() => Some(Spelling::Direct),
            Expr::Reference(_) => Some(Spelling::Range),
            _ => None,
        };
        if let Some(area) = area_of(view, tables, expr, home)
            && let Some(spelling) = spelling(&area)
        {
            found.push((area, spelling));
        }
    });
    found
}

/// The cells that an expression stands for, if it is nothing but a reference to one range of this workbook.
pub(crate) fn area_of(
    view: &View,
    tables: &[(usize, Table)],
    expr: &Expr,
    home: CellOnSheet,
) -> Option<AreaOnSheet> {
    match expr {
        Expr::Paren(inner) | Expr::Single(inner, _) | Expr::Plus(inner) => area_of(view, tables, inner, home),
        Expr::Reference(reference) => reference_area(view, reference, home.sheet),
        Expr::Name(name) => {
            let names = &view.workbook().names;
            let same = |wanted: Option<usize>| {
                names
                    .iter()
                    .find(|known| known.scope == wanted && known.name.eq_ignore_ascii_case(&name.name))
            };
            let found = same(Some(home.sheet)).or_else(|| same(None))?;
            let parsed = formula::parse(&found.formula).ok()?;
            match &parsed.expr {
                Expr::Reference(reference) if reference.sheet.is_some() && is_absolute(&reference.target) => {
                    reference_area(view, reference, home.sheet)
                }
                _ => None,
            }
        }
        Expr::Structured(structured) => structured_area(tables, structured, home),
        _ => None,
    }
}

fn reference_area(view: &View, reference: &Reference, home: usize) -> Option<AreaOnSheet> {
    let sheet = match &reference.sheet {
        None => home,
        Some(spec) if spec.book.is_none() && spec.last.is_none() => view.workbook().position(&spec.first)?,
        Some(_) => return None,
    };
    let area = match &reference.target {
        Target::Cell(cell) => Area::cell(CellRef::new(cell.row.at, cell.col.at)),
        Target::Area(a, b) => Area::new(CellRef::new(a.row.at, a.col.at), CellRef::new(b.row.at, b.col.at)),
        Target::Rows(a, b) => Area::new(CellRef::new(a.at, 0), CellRef::new(b.at, formula::MAX_COLS - 1)),
        Target::Cols(a, b) => Area::new(CellRef::new(0, a.at), CellRef::new(formula::MAX_ROWS - 1, b.at)),
        Target::Lost => return None,
    };
    Some(AreaOnSheet { sheet, area })
}

fn is_absolute(target: &Target) -> bool {
    match target {
        Target::Cell(cell) => cell.row.absolute && cell.col.absolute,
        Target::Area(a, b) => a.row.absolute && a.col.absolute && b.row.absolute && b.col.absolute,
        Target::Rows(a, b) | Target::Cols(a, b) => a.absolute && b.absolute,
        Target::Lost => false,
    }
}

/// The rows or the one row of a table's columns.
fn structured_area(tables: &[(usize, Table)], used: &Structured, home: CellOnSheet) -> Option<AreaOnSheet> {
    if used.sheet.is_some() || used.rows.headers || used.rows.totals {
        return None;
    }
    let (sheet, table) = tables.iter().find(|(sheet, table)| match &used.table {
        Some(name) => table.name.eq_ignore_ascii_case(name),
        None => *sheet == home.sheet && table.area.contains(home.at),
    })?;
    let sheet = *sheet;
    let column = |name: &str| {
        let at = table.columns.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        Some(table.area.left + at as u32)
    };
    let (left, right) = match &used.columns {
        TableColumns::All => (table.area.left, table.area.right),
        TableColumns::One(name) => (column(name)?, column(name)?),
        TableColumns::Range(first, last) => (column(first)?, column(last)?),
    };
    let (top, bottom) = match used.rows.this_row {
        true if sheet == home.sheet => (home.at.row, home.at.row),
        true => return None,
        false => table.data_rows()?,
    };
    (top <= bottom && left <= right).then_some(AreaOnSheet { sheet, area: Area { top, left, bottom, right } })
}
