//! What formulas name, as far as it can be told without calculating.

use formula::{Expr, Operator};

use super::survey::Survey;
use crate::calc::named_cells;
use crate::calc::place::{AreaOnSheet, CellOnSheet};

/// The cells that an expression stands for, if it is nothing but a reference to one range of this workbook.
pub(crate) fn area_of(survey: &Survey<'_>, expr: &Expr, home: CellOnSheet) -> Option<AreaOnSheet> {
    named_cells::area_of(survey.view, &survey.tables, expr, home)
}

/// A single cell that is named as such.
pub(crate) fn cell_of(survey: &Survey<'_>, expr: &Expr, home: CellOnSheet) -> Option<CellOnSheet> {
    let at = area_of(survey, expr, home)?;
    at.area.is_cell().then(|| CellOnSheet { sheet: at.sheet, at: at.area.first() })
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
