//! The number format that a formula brings into a cell without one, as Excel gives it: that of what it refers to, or
//! that of a function which answers a date, a time, money or a rate.
//!
//! Only what Excel is known to carry over is carried: signs of money, per cent and dates through sums and differences,
//! money through products. Looked-up values, and functions that only read a date, bring nothing.

use formula::{Expr, Operator, Reference, Structured, TableColumns, Target};

use crate::file::a1::CellRef;
use crate::file::workbook::same_name;
use crate::read::display::is_date_format;
use crate::read::sheet_view::SheetView;

const MONEY: &str = "\"$\"#,##0.00_);[Red]\\(\"$\"#,##0.00\\)";

/// The number format that a formula brings along into a cell without one.
pub(crate) fn format(sheet: &SheetView<'_>, at: CellRef, body: &str) -> Option<String> {
    of(&Place { sheet, at }, &formula::parse(body).ok()?.expr)
}

/// Where the formula stands.
struct Place<'a> {
    sheet: &'a SheetView<'a>,
    at: CellRef,
}

fn of(place: &Place<'_>, expr: &Expr) -> Option<String> {
    match expr {
        Expr::Paren(inside) | Expr::Plus(inside) | Expr::Negate(inside) | Expr::Single(inside, _) => {
            of(place, inside)
        }
        Expr::Percent(_) => Some("0%".to_owned()),
        Expr::Call { name, args, .. } => call(place, formula::plain_name(name), args),
        Expr::Structured(used) if used.rows.this_row || used.rows.data => of_column(place, used),
        Expr::Reference(reference) => of_reference(place, reference),
        Expr::Chain { first, rest } => {
            let mut found = of(place, first);
            for (operator, expr) in rest {
                found = joined(*operator, found, of(place, expr));
            }
            found
        }
        _ => None,
    }
}

fn call(place: &Place<'_>, name: &str, args: &[Expr]) -> Option<String> {
    let code = match name.to_ascii_uppercase().as_str() {
        "TODAY" | "DATE" => "m/d/yyyy",
        "NOW" => "m/d/yyyy h:mm",
        "TIME" => "h:mm AM/PM",
        "PMT" | "IPMT" | "PPMT" | "FV" | "PV" | "NPV" | "SLN" | "SYD" | "DB" | "DDB" | "VDB" => MONEY,
        "IRR" | "MIRR" | "RATE" => "0%",
        "SUM" | "AVERAGE" | "MAX" | "MIN" | "MEDIAN" => {
            return args.iter().find(|arg| !matches!(arg, Expr::Missing)).and_then(|arg| of(place, arg));
        }
        _ => return None,
    };
    Some(code.to_owned())
}

/// The format of a cell that is referred to, or of the first of several.
fn of_reference(place: &Place<'_>, reference: &Reference) -> Option<String> {
    let (Target::Cell(at) | Target::Area(at, _)) = reference.target else { return None };
    let named = match &reference.sheet {
        Some(spec) if spec.book.is_some() || spec.last.is_some() => return None,
        Some(spec) => Some(place.sheet.book.sheet(&spec.first).ok()?),
        None => None,
    };
    of_cell(named.as_ref().unwrap_or(place.sheet), CellRef::new(at.row.at, at.col.at))
}

/// The format of a column of a table: in the row of the formula, or of the first row.
fn of_column(place: &Place<'_>, used: &Structured) -> Option<String> {
    let TableColumns::One(name) = &used.columns else { return None };
    let sheets: Vec<SheetView<'_>> = place.sheet.book.worksheets().flatten().collect();
    sheets.iter().find_map(|sheet| {
        let tables = sheet.tables().ok()?;
        let table = tables.iter().find(|table| match &used.table {
            Some(wanted) => same_name(&table.name, wanted),
            None => sheet.position == place.sheet.position && table.area.contains(place.at),
        })?;
        let column = table.columns.iter().position(|known| same_name(known, name))? as u32;
        let row = match used.rows.this_row {
            true => place.at.row,
            false => table.area.top + table.header_rows,
        };
        of_cell(sheet, CellRef::new(row, table.area.left + column))
    })
}

fn of_cell(sheet: &SheetView<'_>, at: CellRef) -> Option<String> {
    let cell = sheet.cell(at).ok()??;
    let code = sheet.book.number_format(cell.style).ok()?;
    kind(code).map(|_| code.to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Day,
    Clock,
    Percent,
    Money,
}

/// What a format speaks of, where formulas carry it along.
fn kind(code: &str) -> Option<Kind> {
    let first = code.split(';').next().unwrap_or(code);
    if is_date_format(code) {
        let lower = first.to_ascii_lowercase();
        return Some(if lower.contains(['y', 'd']) || !lower.contains(['h', 's']) {
            Kind::Day
        } else {
            Kind::Clock
        });
    }
    if first.contains('%') {
        return Some(Kind::Percent);
    }
    let money = first.contains(['$', '\u{20ac}', '\u{a3}', '\u{a5}']);
    (money && first.contains(['0', '#'])).then_some(Kind::Money)
}

fn joined(operator: Operator, left: Option<String>, right: Option<String>) -> Option<String> {
    let of = |side: &Option<String>| side.as_deref().and_then(kind);
    match (operator, of(&left), of(&right)) {
        // A day and a number of days is a day, and so is a day with an hour; two days have nothing to add.
        (Operator::Add, Some(Kind::Day), Some(Kind::Day)) => None,
        (Operator::Add, _, Some(Kind::Day)) => right,
        (Operator::Add, Some(_), _) => left,
        (Operator::Add, None, Some(_)) => right,
        // A day less a day is a number; an hour less an hour is a time.
        (Operator::Subtract, Some(Kind::Day), Some(Kind::Day)) => None,
        (Operator::Subtract, Some(_), _) => left,
        (Operator::Subtract, None, Some(Kind::Percent | Kind::Money)) => right,
        (Operator::Multiply, Some(Kind::Money), _) => left,
        (Operator::Multiply, _, Some(Kind::Money)) => right,
        (Operator::Divide, Some(Kind::Money), None | Some(Kind::Percent)) => left,
        _ => None,
    }
}
