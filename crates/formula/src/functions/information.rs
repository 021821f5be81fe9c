//! What a value or a cell is.

use super::lookup::reference::sheet_number;
use super::{Function, def};
use crate::address::{CellRef, column_letters};
use crate::eval::args::{Args, array, fail, flag, num, text, value};
use crate::eval::{Answer, Operand};
use crate::numfmt;
use crate::value::{Array, ErrorKind, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    def("ISBLANK", "E", 1, 1, |a| flag(matches!(a.op(0), Operand::Value(Value::Blank)))),
    def("ISERR", "E", 1, 1, |a| {
        flag(matches!(a.value(0), Value::Error(kind) if kind != ErrorKind::NotAvailable))
    }),
    def("ISERROR", "E", 1, 1, |a| flag(matches!(a.value(0), Value::Error(_)))),
    def("ISNA", "E", 1, 1, |a| flag(matches!(a.value(0), Value::Error(ErrorKind::NotAvailable)))),
    def("ISLOGICAL", "E", 1, 1, |a| flag(matches!(a.value(0), Value::Bool(_)))),
    def("ISNONTEXT", "E", 1, 1, |a| flag(!matches!(a.value(0), Value::Text(_)))),
    def("ISNUMBER", "E", 1, 1, |a| flag(matches!(a.value(0), Value::Number(_)))),
    def("ISTEXT", "E", 1, 1, |a| flag(matches!(a.value(0), Value::Text(_)))),
    def("ISREF", "R", 1, 1, |a| flag(matches!(a.op(0), Operand::Area(_) | Operand::Areas(_)))),
    def("ISFORMULA", "R", 1, 1, |a| {
        let area = a.area(0)?;
        let is = |cell: CellRef| Value::Bool(a.cx.cells.formula_text(cell).is_some());
        if area.is_cell() || !a.cx.in_array() {
            return value(is(area.top_left()));
        }
        a.cx.per_cell(area, Value::Bool(false), |row, col| is(CellRef::new(area.sheet, row, col)))
    }),
    def("ISEVEN", "V", 1, 1, |a| parity(a, 0.0)),
    def("ISODD", "V", 1, 1, |a| parity(a, 1.0)),
    def("NA", "V", 0, 0, |_| fail(ErrorKind::NotAvailable)),
    def("N", "R", 1, 1, |a| match first(a) {
        Value::Number(number) => num(number),
        Value::Bool(flag) => num(f64::from(u8::from(flag))),
        Value::Error(kind) => fail(kind),
        _ => num(0.0),
    }),
    def("T", "R", 1, 1, |a| match first(a) {
        Value::Text(found) => value(Value::Text(found)),
        Value::Error(kind) => fail(kind),
        _ => text(""),
    })
    .category(super::Category::Text),
    def("TYPE", "R", 1, 1, |a| {
        num(match a.op(0) {
            Operand::Array(array) if array.len() > 1 => 64.0,
            Operand::Area(area) if !area.is_cell() => 64.0,
            Operand::Lambda(_) => 128.0,
            _ => match a.value(0) {
                Value::Number(_) | Value::Blank => 1.0,
                Value::Text(_) => 2.0,
                Value::Bool(_) => 4.0,
                Value::Error(_) => 16.0,
            },
        })
    }),
    def("ERROR.TYPE", "E", 1, 1, |a| match a.value(0) {
        Value::Error(kind) => num(f64::from(kind.number())),
        _ => fail(ErrorKind::NotAvailable),
    }),
    def("SHEET", "R", 0, 1, sheet),
    def("SHEETS", "R", 0, 1, |a| {
        if !a.given(0) {
            return num(a.cx.book.sheets().len() as f64);
        }
        let areas = a.areas(0)?;
        let mut sheets: Vec<u32> = areas.iter().map(|area| area.sheet.0).collect();
        sheets.sort_unstable();
        sheets.dedup();
        num(sheets.len() as f64)
    }),
    def("CELL", "VR", 1, 2, cell).volatile().note("colour, protect and prefix answer their defaults"),
    def("INFO", "V", 1, 1, info).moving().note("answers as Excel for Windows"),
];

/// Of a range `N` and `T` take the first cell.
fn first(a: &Args<'_>) -> Value {
    match a.op(0) {
        Operand::Area(area) => a.cx.cell(area.top_left()),
        _ => a.value(0),
    }
}

fn parity(a: &Args<'_>, wanted: f64) -> Answer {
    if let Value::Bool(_) = a.value(0) {
        return fail(ErrorKind::Value);
    }
    flag(a.int(0)?.abs() % 2.0 == wanted)
}

fn sheet(a: &Args<'_>) -> Answer {
    if !a.given(0) {
        return num(sheet_number(a.cx.at.sheet));
    }
    match a.op(0) {
        Operand::Area(area) => num(sheet_number(area.sheet)),
        Operand::Areas(areas) => num(areas.first().map_or(1.0, |area| sheet_number(area.sheet))),
        _ => match a.cx.book.sheet(&a.text(0)?) {
            Some(id) => num(sheet_number(id)),
            None => fail(ErrorKind::NotAvailable),
        },
    }
}

fn cell(a: &Args<'_>) -> Answer {
    let kind = a.text(0)?.to_ascii_lowercase();
    let area = if a.given(1) { a.areas(1)?.first().copied() } else { None };
    let cell = area.map_or(a.cx.at, |area| area.top_left());
    let content = || a.cx.cell(cell);
    match kind.as_str() {
        "address" => {
            let place = format!("${}${}", column_letters(cell.col), cell.row + 1);
            if cell.sheet == a.cx.at.sheet {
                return text(place);
            }
            let sheet = a.cx.book.sheet_name(cell.sheet);
            match &a.cx.book.path {
                Some((_, file)) => text(format!("'[{file}]{sheet}'!{place}")),
                None => text(format!("{}!{place}", crate::address::quote_sheet(sheet))),
            }
        }
        "col" => num(f64::from(cell.col) + 1.0),
        "row" => num(f64::from(cell.row) + 1.0),
        "contents" => match content() {
            Value::Blank => num(0.0),
            other => value(other),
        },
        "type" => text(match content() {
            Value::Blank => "b",
            Value::Text(_) => "l",
            _ => "v",
        }),
        "prefix" => text(match content() {
            Value::Text(_) => "'",
            _ => "",
        }),
        "color" => {
            let code = a.cx.cells.number_format(cell);
            num(f64::from(u8::from(
                code.is_some_and(|code| code.split(';').nth(1).is_some_and(|part| part.contains("[Red]"))),
            )))
        }
        "parentheses" => {
            let code = a.cx.cells.number_format(cell);
            num(f64::from(u8::from(
                code.is_some_and(|code| code.split(';').next().is_some_and(|part| part.contains('('))),
            )))
        }
        "format" => {
            text(numfmt::cell_code(&a.cx.cells.number_format(cell).unwrap_or_else(|| "General".into())))
        }
        "protect" => num(1.0),
        "width" => {
            // Two values: the width, and whether it is the default of the sheet.
            let (width, standard) = a.cx.cells.column_width(cell.sheet, cell.col);
            array(Array::row(vec![Value::Number(width.round()), Value::Bool(standard)]))
        }
        "filename" => match &a.cx.book.path {
            Some((directory, file)) => {
                text(format!("{directory}[{file}]{}", a.cx.book.sheet_name(cell.sheet)))
            }
            None => {
                Err(crate::eval::Stop::Unanswerable("CELL(\"filename\") of a workbook without a path".into()))
            }
        },
        _ => fail(ErrorKind::Value),
    }
}

fn info(a: &Args<'_>) -> Answer {
    match a.text(0)?.to_ascii_lowercase().as_str() {
        "directory" => match &a.cx.book.path {
            Some((directory, _)) => text(directory.clone()),
            None => Err(crate::eval::Stop::Unanswerable(
                "INFO(\"directory\") of a workbook without a path".into(),
            )),
        },
        "numfile" => num(a.cx.book.sheets().len() as f64),
        "origin" => text("$A:$A$1"),
        "osversion" => text("Windows (64-bit) NT 10.00"),
        "recalc" => text("Automatic"),
        "release" => text("16.0"),
        "system" => text("pcdos"),
        "memavail" | "memused" | "totmem" => fail(ErrorKind::NotAvailable),
        _ => fail(ErrorKind::Value),
    }
}
