//! What formulas name, as far as it can be told without calculating.

use formula::{Expr, Operator, Reference, Structured, TableColumns, Target};

use super::survey::Survey;
use crate::calc::place::{AreaOnSheet, CellOnSheet};
use crate::file::a1::{Area, CellRef};

/// The cells that an expression stands for, if it is nothing but a reference to one range of this workbook.
pub(crate) fn area_of(survey: &Survey<'_>, expr: &Expr, home: CellOnSheet) -> Option<AreaOnSheet> {
    match expr {
        Expr::Paren(inner) | Expr::Single(inner, _) | Expr::Plus(inner) => area_of(survey, inner, home),
        Expr::Reference(reference) => reference_area(survey, reference, home.sheet),
        Expr::Name(name) => {
            let names = &survey.view.workbook().names;
            let same = |wanted: Option<usize>| {
                names
                    .iter()
                    .find(|known| known.scope == wanted && known.name.eq_ignore_ascii_case(&name.name))
            };
            let found = same(Some(home.sheet)).or_else(|| same(None))?;
            let parsed = formula::parse(&found.formula).ok()?;
            match &parsed.expr {
                Expr::Reference(reference) if reference.sheet.is_some() && is_absolute(&reference.target) => {
                    reference_area(survey, reference, home.sheet)
                }
                _ => None,
            }
        }
        Expr::Structured(structured) => structured_area(survey, structured, home),
        _ => None,
    }
}

/// A single cell that is named as such.
pub(crate) fn cell_of(survey: &Survey<'_>, expr: &Expr, home: CellOnSheet) -> Option<CellOnSheet> {
    let at = area_of(survey, expr, home)?;
    at.area.is_cell().then(|| CellOnSheet { sheet: at.sheet, at: at.area.first() })
}

fn reference_area(survey: &Survey<'_>, reference: &Reference, home: usize) -> Option<AreaOnSheet> {
    let sheet = match &reference.sheet {
        None => home,
        Some(spec) if spec.book.is_none() && spec.last.is_none() => {
            survey.view.workbook().position(&spec.first)?
        }
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
fn structured_area(survey: &Survey<'_>, used: &Structured, home: CellOnSheet) -> Option<AreaOnSheet> {
    if used.sheet.is_some() || used.rows.headers || used.rows.totals {
        return None;
    }
    let (sheet, table) = survey.tables.iter().find(|(sheet, table)| match &used.table {
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
        false => (table.area.top + table.header_rows, table.area.bottom.checked_sub(table.totals_rows)?),
    };
    (top <= bottom && left <= right).then_some(AreaOnSheet { sheet, area: Area { top, left, bottom, right } })
}

/// The function that a call names, in capitals and without the prefixes of files.
pub(crate) fn function(name: &str) -> String {
    formula::plain_name(name).to_ascii_uppercase()
}

/// The one range of a formula that is a SUM of it and nothing else.
pub(crate) fn lone_sum(survey: &Survey<'_>, text: &str, home: CellOnSheet) -> Option<AreaOnSheet> {
    let parsed = formula::parse(text).ok()?;
    lone_sum_of(survey, &parsed.expr, home)
}

pub(crate) fn lone_sum_of(survey: &Survey<'_>, expr: &Expr, home: CellOnSheet) -> Option<AreaOnSheet> {
    match expr {
        Expr::Paren(inner) => lone_sum_of(survey, inner, home),
        Expr::Call { name, args, .. } if function(name) == "SUM" => match args.as_slice() {
            [one] => area_of(survey, one, home),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a chain of operators adds and subtracts only.
pub(crate) fn is_additive(rest: &[(Operator, Expr)]) -> bool {
    rest.iter().all(|(operator, _)| matches!(operator, Operator::Add | Operator::Subtract))
}

/// Whether a chain of operators calculates with numbers.
pub(crate) fn is_arithmetic(rest: &[(Operator, Expr)]) -> bool {
    rest.iter().all(|(operator, _)| {
        matches!(
            operator,
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Power
        )
    })
}
