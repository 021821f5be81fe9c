//! `GETPIVOTDATA`: the value that a pivot table shows for a choice of items.

use super::super::{Function, MANY, def};
use crate::address::{Area, CellRef};
use crate::book::{Pivot, PivotLine};
use crate::coerce;
use crate::eval::args::{Args, fail, num, value};
use crate::eval::{Answer, Operand, Stop};
use crate::value::{ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[def("GETPIVOTDATA", "VRV", 2, MANY, get)
    .volatile()
    .note("read from what the pivot table shows; kept where the file does not describe the table")];

fn get(a: &Args<'_>) -> Answer {
    let unknown = || Err(Stop::Unanswerable("GETPIVOTDATA".into()));
    // The old way to call it, with a reference and a text of its own grammar.
    let Operand::Area(at) = a.op(1) else { return unknown() };
    let on_sheet = |pivot: &&Pivot| pivot.area.is_some_and(|area| area.sheet == at.sheet);
    if !a.cx.book.pivots().iter().any(|pivot| on_sheet(&pivot)) {
        return unknown();
    }
    let corner = at.top_left();
    let holds = |area: Area| {
        (area.top..=area.bottom).contains(&corner.row) && (area.left..=area.right).contains(&corner.col)
    };
    let found = a.cx.book.pivots().iter().filter(on_sheet).find(|pivot| pivot.area.is_some_and(holds));
    let Some(pivot) = found else { return fail(ErrorKind::Ref) };
    let data = a.text(0)?;
    let Some(data) = position(&pivot.data, &data) else { return fail(ErrorKind::Ref) };
    let mut wanted = Vec::new();
    for index in (2..a.len()).step_by(2) {
        let field = a.text(index)?;
        let Some(field) = position(&pivot.fields, &field) else { return fail(ErrorKind::Ref) };
        wanted.push((field, a.sound(index + 1)?));
    }
    let mut blank = false;
    for (row, down) in pivot.rows.iter().enumerate() {
        for (col, across) in pivot.columns.iter().enumerate() {
            if !fits(down, across, &wanted, data) {
                continue;
            }
            let cell = CellRef::new(at.sheet, pivot.first.0 + row as u32, pivot.first.1 + col as u32);
            // A heading over its group shows nothing where the sums stand below.
            match a.cx.scalar(&Operand::Area(Area::cell(cell))) {
                Value::Blank => blank = true,
                shown => return value(shown),
            }
        }
    }
    if blank { num(0.0) } else { fail(ErrorKind::Ref) }
}

fn position(names: &[Vec<String>], wanted: &str) -> Option<usize> {
    names.iter().position(|names| names.iter().any(|name| crate::key::same_text(name.trim(), wanted.trim())))
}

/// Whether a row and a column together are about the wanted items, no more and no fewer.
fn fits(down: &PivotLine, across: &PivotLine, wanted: &[(usize, Value)], data: usize) -> bool {
    let shown = || down.items.iter().chain(&across.items);
    down.data.or(across.data).unwrap_or(0) == data
        && shown().count() == wanted.len()
        && wanted.iter().all(|(field, item)| shown().any(|(at, found)| at == field && same(found, item)))
}

fn same(item: &Value, wanted: &Value) -> bool {
    match (item, wanted) {
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Blank, other) => matches!(other, Value::Text(text) if crate::key::same_text(text, "(blank)")),
        (Value::Number(number), Value::Text(text)) => {
            coerce::text_to_number(text, crate::Region::default()) == Some(*number)
        }
        (item, wanted) => match (coerce::plain_text(item), coerce::plain_text(wanted)) {
            (Ok(item), Ok(wanted)) => crate::key::same_text(&item, &wanted),
            _ => false,
        },
    }
}
