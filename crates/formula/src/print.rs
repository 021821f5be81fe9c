//! An expression back to text, and references in either notation.

use std::fmt::Write as _;

use crate::address::{column_letters, quote_sheet};
use crate::ast::{CellCoord, Coord, Expr, SheetSpec, Structured, TableColumns, Target};
use crate::coerce;
use crate::parse::Notation;
use crate::value::{Array, Value};

/// The expression as a formula without its leading `=`, with no spaces but those that mean something.
#[must_use]
pub fn print(expr: &Expr, notation: Notation) -> String {
    let mut out = String::new();
    write(expr, notation, &mut out);
    out
}

fn write(expr: &Expr, notation: Notation, out: &mut String) {
    match expr {
        Expr::Number(number) => out.push_str(&literal_number(*number)),
        Expr::Text(text) => quoted(text, out),
        Expr::Bool(flag) => out.push_str(if *flag { "TRUE" } else { "FALSE" }),
        Expr::Error(kind) => out.push_str(kind.text()),
        Expr::Missing => {}
        Expr::Array(array) => write_array(array, out),
        Expr::Reference(reference) => {
            if let Some(sheet) = &reference.sheet {
                out.push_str(&sheet_prefix(sheet));
            }
            out.push_str(&target(&reference.target, notation));
        }
        Expr::Name(name) => {
            if let Some(sheet) = &name.sheet {
                out.push_str(&sheet_prefix(sheet));
            }
            out.push_str(&name.name);
        }
        Expr::Structured(structured) => out.push_str(&print_structured(structured)),
        Expr::Negate(inner) => prefixed('-', inner, notation, out),
        Expr::Plus(inner) => prefixed('+', inner, notation, out),
        Expr::Single(inner, _) => prefixed('@', inner, notation, out),
        Expr::Percent(inner) => {
            write(inner, notation, out);
            out.push('%');
        }
        Expr::Spill(inner, _) => {
            write(inner, notation, out);
            out.push('#');
        }
        Expr::Trimmed(inner, trim) => {
            let mut range = String::new();
            write(inner, notation, &mut range);
            // The last colon is the one between the corners; one before it may belong to sheets.
            match range.rfind(':') {
                Some(at) => {
                    range.replace_range(at..=at, trim.symbol());
                    out.push_str(&range);
                }
                None => out.push_str(&range),
            }
        }
        Expr::Chain { first, rest } => {
            write(first, notation, out);
            for (operator, operand) in rest {
                out.push_str(operator.symbol());
                write(operand, notation, out);
            }
        }
        Expr::Paren(inner) => {
            out.push('(');
            write(inner, notation, out);
            out.push(')');
        }
        Expr::Call { name, args, .. } => {
            out.push_str(name);
            arguments(args, notation, out);
        }
        Expr::Apply { callee, args } => {
            write(callee, notation, out);
            arguments(args, notation, out);
        }
    }
}

fn prefixed(sign: char, inner: &Expr, notation: Notation, out: &mut String) {
    out.push(sign);
    write(inner, notation, out);
}

fn arguments(args: &[Expr], notation: Notation, out: &mut String) {
    out.push('(');
    for (index, arg) in args.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(arg, notation, out);
    }
    out.push(')');
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}

fn write_array(array: &Array, out: &mut String) {
    out.push('{');
    for row in 0..array.rows() {
        if row > 0 {
            out.push(';');
        }
        for (col, value) in array.row_values(row).iter().enumerate() {
            if col > 0 {
                out.push(',');
            }
            match value {
                Value::Text(text) => quoted(text, out),
                Value::Number(number) => out.push_str(&literal_number(*number)),
                Value::Error(kind) => out.push_str(kind.text()),
                other => out.push_str(&coerce::plain_text(other).unwrap_or_else(|kind| kind.text().into())),
            }
        }
    }
    out.push('}');
}

/// A number that reads back as itself.
fn literal_number(number: f64) -> String {
    let short = coerce::number_to_text(number);
    if short.parse() == Ok(number) { short } else { format!("{number:?}").replace('e', "E") }
}

/// `'My Sheet'!`
pub(crate) fn sheet_prefix(sheet: &SheetSpec) -> String {
    let mut name = String::new();
    let mut quotes = false;
    if let Some(book) = &sheet.book {
        // A path stands before the bracket.
        match book.rfind(['\\', '/']) {
            Some(at) => {
                let (path, file) = book.split_at(at + 1);
                let _ = write!(name, "{path}[{file}]");
                quotes = true;
            }
            None => {
                let _ = write!(name, "[{book}]");
                quotes = !book.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
            }
        }
    }
    name.push_str(&sheet.first);
    quotes |= !sheet.first.is_empty() && quote_sheet(&sheet.first).starts_with('\'');
    if let Some(last) = &sheet.last {
        name.push(':');
        name.push_str(last);
        quotes |= quote_sheet(last).starts_with('\'');
    }
    if quotes { format!("'{}'!", name.replace('\'', "''")) } else { format!("{name}!") }
}

/// A reference without its sheet.
pub(crate) fn target(target: &Target, notation: Notation) -> String {
    let mut out = String::new();
    match (target, notation) {
        (Target::Lost, _) => out.push_str("#REF!"),
        (Target::Cell(cell), Notation::A1) => a1_cell(*cell, &mut out),
        (Target::Area(first, last), Notation::A1) => {
            a1_cell(*first, &mut out);
            out.push(':');
            a1_cell(*last, &mut out);
        }
        (Target::Rows(first, last), Notation::A1) => {
            a1_row(*first, &mut out);
            out.push(':');
            a1_row(*last, &mut out);
        }
        (Target::Cols(first, last), Notation::A1) => {
            a1_col(*first, &mut out);
            out.push(':');
            a1_col(*last, &mut out);
        }
        (Target::Cell(cell), Notation::R1C1 { row, col }) => {
            r1c1('R', cell.row, row, &mut out);
            r1c1('C', cell.col, col, &mut out);
        }
        (Target::Area(first, last), Notation::R1C1 { row, col }) => {
            r1c1('R', first.row, row, &mut out);
            r1c1('C', first.col, col, &mut out);
            out.push(':');
            r1c1('R', last.row, row, &mut out);
            r1c1('C', last.col, col, &mut out);
        }
        (Target::Rows(first, last), Notation::R1C1 { row, .. }) => line('R', *first, *last, row, &mut out),
        (Target::Cols(first, last), Notation::R1C1 { col, .. }) => line('C', *first, *last, col, &mut out),
    }
    out
}

fn line(letter: char, first: Coord, last: Coord, base: u32, out: &mut String) {
    r1c1(letter, first, base, out);
    if first != last {
        out.push(':');
        r1c1(letter, last, base, out);
    }
}

fn a1_cell(cell: CellCoord, out: &mut String) {
    a1_col(cell.col, out);
    a1_row(cell.row, out);
}

fn a1_col(col: Coord, out: &mut String) {
    if col.absolute {
        out.push('$');
    }
    out.push_str(&column_letters(col.at));
}

fn a1_row(row: Coord, out: &mut String) {
    if row.absolute {
        out.push('$');
    }
    let _ = write!(out, "{}", row.at + 1);
}

fn r1c1(letter: char, coord: Coord, base: u32, out: &mut String) {
    out.push(letter);
    if coord.absolute {
        let _ = write!(out, "{}", coord.at + 1);
    } else if coord.at != base {
        let _ = write!(out, "[{}]", i64::from(coord.at) - i64::from(base));
    }
}

/// A reference into a table as files have it.
#[must_use]
pub fn print_structured(structured: &Structured) -> String {
    let mut out = String::new();
    if let Some(sheet) = &structured.sheet {
        out.push_str(&sheet_prefix(sheet));
    }
    if let Some(table) = &structured.table {
        out.push_str(table);
    }
    let rows = structured.rows;
    let mut items = Vec::new();
    if rows.this_row {
        items.push("[#This Row]".to_owned());
    } else if rows.headers && rows.data && rows.totals {
        items.push("[#All]".to_owned());
    } else {
        if rows.headers {
            items.push("[#Headers]".to_owned());
        }
        if rows.data && (rows.headers || rows.totals) {
            items.push("[#Data]".to_owned());
        }
        if rows.totals {
            items.push("[#Totals]".to_owned());
        }
    }
    let column = |name: &str| {
        let mut escaped = String::from("[");
        for letter in name.chars() {
            if matches!(letter, '[' | ']' | '#' | '\'' | '@') {
                escaped.push('\'');
            }
            escaped.push(letter);
        }
        escaped.push(']');
        escaped
    };
    match &structured.columns {
        TableColumns::All => {}
        TableColumns::One(name) => items.push(column(name)),
        TableColumns::Range(first, last) => items.push(format!("{}:{}", column(first), column(last))),
    }
    match items.as_slice() {
        [] => out.push_str("[]"),
        [only] if !only.contains("]:[") => out.push_str(only),
        _ => {
            let _ = write!(out, "[{}]", items.join(","));
        }
    }
    out
}
