//! Formulas whose results Excel shows as dates where the cell says nothing else.

use formula::{Expr, Operator, Target};

use crate::file::a1::CellRef;
use crate::read::display::is_date_format;
use crate::read::sheet_view::SheetView;

/// The number format that a formula brings along into a cell without one.
pub(crate) fn format(sheet: &SheetView<'_>, body: &str) -> Option<String> {
    of(sheet, &formula::parse(body).ok()?.expr)
}

fn of(sheet: &SheetView<'_>, expr: &Expr) -> Option<String> {
    match expr {
        Expr::Paren(inside) | Expr::Plus(inside) => of(sheet, inside),
        Expr::Call { name, .. } => {
            let name = formula::plain_name(name).to_ascii_uppercase();
            let code = match name.as_str() {
                "TODAY" | "DATE" => "m/d/yyyy",
                "NOW" => "m/d/yyyy h:mm",
                "TIME" => "h:mm AM/PM",
                _ => return None,
            };
            Some(code.to_owned())
        }
        Expr::Reference(reference) => {
            let Target::Cell(at) = reference.target else { return None };
            let named = match &reference.sheet {
                Some(spec) if spec.book.is_some() || spec.last.is_some() => return None,
                Some(spec) => Some(sheet.book.sheet(&spec.first).ok()?),
                None => None,
            };
            let home = named.as_ref().unwrap_or(sheet);
            let cell = home.cell(CellRef::new(at.row.at, at.col.at)).ok()??;
            let code = sheet.book.number_format(cell.style).ok()?;
            is_date_format(code).then(|| code.to_owned())
        }
        // A day and a number of days is a day; a day less a day is a number.
        Expr::Chain { first, rest } => {
            let mut found = of(sheet, first);
            for (operator, expr) in rest {
                let other = of(sheet, expr);
                found = match (operator, found, other) {
                    (Operator::Add, Some(code), None) | (Operator::Add, None, Some(code)) => Some(code),
                    (Operator::Subtract, Some(code), None) => Some(code),
                    _ => None,
                };
            }
            found
        }
        _ => None,
    }
}
