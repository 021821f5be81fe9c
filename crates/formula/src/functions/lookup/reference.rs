//! References as values: `INDEX`, `OFFSET`, `INDIRECT`, `ROW` and what asks about them.

use std::sync::Arc;

use super::super::{Category, Function, def, lazy, unanswerable};
use crate::address::{Area, CellRef, MAX_COLS, MAX_ROWS, SheetId, column_letters, quote_sheet};
use crate::ast::{Expr, Formula, Target};
use crate::bind::{Node, bind};
use crate::eval::args::{Args, array, fail, num, text, value};
use crate::eval::{Answer, Cx, Operand, Stop, Tail, Tall};
use crate::parse::{Notation, parse_notation};
use crate::value::{Array, ErrorKind, Value};

pub(in super::super) const FUNCTIONS: &[Function] = &[
    def("INDEX", "AVVV", 2, 4, index),
    def("OFFSET", "RVVVV", 3, 5, offset).volatile(),
    def("INDIRECT", "VV", 1, 2, indirect).volatile(),
    def("ROW", "R", 0, 1, |a| line_numbers(a, true)),
    def("COLUMN", "R", 0, 1, |a| line_numbers(a, false)),
    def("ROWS", "R", 1, 1, |a| size(a, true)),
    def("COLUMNS", "R", 1, 1, |a| size(a, false)),
    def("AREAS", "R", 1, 1, |a| num(a.areas(0)?.len() as f64)),
    def("ADDRESS", "V", 2, 5, address),
    def("FORMULATEXT", "R", 1, 1, |a| {
        let area = a.areas(0)?.first().copied().ok_or(Stop::Error(ErrorKind::Value))?;
        let missing = Value::Error(ErrorKind::NotAvailable);
        let formula = |cell: CellRef| a.cx.cells.formula_text(cell).map_or(missing.clone(), Value::from);
        if area.is_cell() || !a.cx.in_array() {
            return match formula(area.top_left()) {
                Value::Error(kind) => fail(kind),
                found => value(found),
            };
        }
        a.cx.per_cell(area, missing.clone(), |row, col| formula(CellRef::new(area.sheet, row, col)))
    }),
    def("HYPERLINK", "VE", 1, 2, |a| if a.given(1) { value(a.value(1)) } else { value(a.value(0)) }),
    unanswerable("IMAGE", 1, 5),
    lazy("TRIMRANGE", 1, 3, trim_range),
    unanswerable("RTD", 3, 255),
    unanswerable("CUBEKPIMEMBER", 3, 4).category(Category::Cube),
    unanswerable("CUBEMEMBER", 2, 3).category(Category::Cube),
    unanswerable("CUBEMEMBERPROPERTY", 3, 3).category(Category::Cube),
    unanswerable("CUBERANKEDMEMBER", 3, 4).category(Category::Cube),
    unanswerable("CUBESET", 2, 5).category(Category::Cube),
    unanswerable("CUBESETCOUNT", 1, 1).category(Category::Cube),
    unanswerable("CUBEVALUE", 1, 255).category(Category::Cube),
    unanswerable("WEBSERVICE", 1, 1).category(Category::Web),
    unanswerable("IMPORTCSV", 1, 255).category(Category::Web),
    unanswerable("IMPORTTEXT", 1, 255).category(Category::Web),
    unanswerable("STOCKHISTORY", 2, 11).category(Category::Financial),
    unanswerable("TRANSLATE", 1, 3).category(Category::Text),
    unanswerable("DETECTLANGUAGE", 1, 1).category(Category::Text),
    unanswerable("COPILOT", 1, 255).category(Category::Text),
    unanswerable("PY", 1, 255).category(Category::Lookup),
    unanswerable("FIELDVALUE", 2, 2),
    unanswerable("CALL", 2, 255).category(Category::Information),
    unanswerable("REGISTER.ID", 2, 3).category(Category::Information),
    unanswerable("SQL.REQUEST", 1, 5).category(Category::Information),
];

fn index(a: &Args<'_>) -> Answer {
    // `INDEX(A1:B2, , 2)` is a whole column; so is a row of zero.
    let area = match a.op(0) {
        Operand::Area(area) => Some(*area),
        Operand::Areas(areas) => {
            let number = a.int_default(3, 1.0)?;
            if number < 1.0 || number > areas.len() as f64 {
                return fail(ErrorKind::Ref);
            }
            areas.get(number as usize - 1).copied()
        }
        _ => None,
    };
    if area.is_some() && matches!(a.op(0), Operand::Area(_)) && a.int_default(3, 1.0)? != 1.0 {
        return fail(ErrorKind::Ref);
    }
    let held = if area.is_none() { Some(a.array(0)?) } else { None };
    let (rows, cols) = match (&area, &held) {
        (Some(area), _) => (area.rows(), area.cols()),
        (_, Some(array)) => (array.rows(), array.cols()),
        _ => return fail(ErrorKind::Ref),
    };
    let (mut row, mut col) = (a.int_default(1, 0.0)?, a.int_default(2, 0.0)?);
    // One index is not enough for a block of cells; of a computed array it is a row.
    if area.is_some() && !a.has(2) && rows > 1 && cols > 1 && row != 0.0 {
        return fail(ErrorKind::Ref);
    }
    // With one index, a single row counts across.
    if !a.has(2) && rows == 1 {
        (row, col) = (
            if cols == 1 && row <= 1.0 { row } else { 0.0 },
            if cols == 1 && row <= 1.0 { 0.0 } else { row },
        );
        if rows == 1 && cols > 1 {
            row = 0.0;
        }
    }
    if row < 0.0 || col < 0.0 {
        return fail(ErrorKind::Value);
    }
    if row > rows as f64 || col > cols as f64 {
        return fail(ErrorKind::Ref);
    }
    let (row, col) = (row as usize, col as usize);
    if let Some(area) = area {
        let (top, bottom) = if row == 0 {
            (area.top, area.bottom)
        } else {
            (area.top + row as u32 - 1, area.top + row as u32 - 1)
        };
        let (left, right) = if col == 0 {
            (area.left, area.right)
        } else {
            (area.left + col as u32 - 1, area.left + col as u32 - 1)
        };
        return Ok(Operand::Area(Area { sheet: area.sheet, top, left, bottom, right }));
    }
    let Some(held) = held else { return fail(ErrorKind::Ref) };
    match (row, col) {
        (0, 0) => Ok(Operand::Array(held)),
        (0, col) => array(Array::from_fn(rows, 1, |row, _| held.value_at(row, col - 1))),
        (row, 0) => array(Array::row(held.row_values(row - 1).to_vec())),
        (row, col) => value(held.value_at(row - 1, col - 1)),
    }
}

fn offset(a: &Args<'_>) -> Answer {
    let area = a.area(0)?;
    let (down, right) = (a.int(1)?, a.int(2)?);
    let height = a.int_default(3, area.rows() as f64)?;
    let width = a.int_default(4, area.cols() as f64)?;
    if height == 0.0 || width == 0.0 {
        return fail(ErrorKind::Ref);
    }
    let span = |start: f64, size: f64| {
        if size > 0.0 { (start, start + size - 1.0) } else { (start + size + 1.0, start) }
    };
    let (top, bottom) = span(f64::from(area.top) + down, height);
    let (left, right) = span(f64::from(area.left) + right, width);
    if top < 0.0 || left < 0.0 || bottom >= f64::from(MAX_ROWS) || right >= f64::from(MAX_COLS) {
        return fail(ErrorKind::Ref);
    }
    Ok(Operand::Area(Area {
        sheet: area.sheet,
        top: top as u32,
        left: left as u32,
        bottom: bottom as u32,
        right: right as u32,
    }))
}

fn indirect(a: &Args<'_>) -> Answer {
    let source = a.text(0)?;
    let a1 = a.flag_default(1, true)?;
    if a.has(1) && !a.given(1) {
        return resolve(a.cx, &source, Notation::R1C1 { row: a.cx.at.row, col: a.cx.at.col });
    }
    resolve(
        a.cx,
        &source,
        if a1 { Notation::A1 } else { Notation::R1C1 { row: a.cx.at.row, col: a.cx.at.col } },
    )
}

/// The reference a text spells.
fn resolve(cx: &Cx<'_>, source: &str, notation: Notation) -> Answer {
    let Ok(Formula { expr, .. }) = parse_notation(source.trim(), notation) else {
        cx.note_name();
        return fail(ErrorKind::Ref);
    };
    expr.walk(&mut |part| {
        if matches!(part, Expr::Name(_) | Expr::Structured(_) | Expr::Spill(..)) {
            cx.note_name();
        }
    });
    let fits = match &expr {
        Expr::Reference(reference) => reference.target != Target::Lost,
        Expr::Name(_) | Expr::Structured(_) | Expr::Spill(..) | Expr::Trimmed(..) => true,
        Expr::Chain { rest, .. } => rest.iter().all(|(operator, _)| operator.level() >= 6),
        _ => false,
    };
    if !fits {
        return fail(ErrorKind::Ref);
    }
    let node = absolute(bind(&expr, cx.book, cx.at.sheet, Some(cx.at)));
    match cx.eval(&node) {
        Ok(operand @ (Operand::Area(_) | Operand::Areas(_))) => Ok(operand),
        Err(Stop::Unanswerable(reason)) => Err(Stop::Unanswerable(reason)),
        _ => {
            cx.note_name();
            fail(ErrorKind::Ref)
        }
    }
}

/// References in text do not move with the cell.
fn absolute(node: Node) -> Node {
    let fix = |mut cell: crate::ast::CellCoord| {
        cell.row.absolute = true;
        cell.col.absolute = true;
        cell
    };
    match node {
        Node::Cell(sheet, cell) => Node::Cell(sheet, fix(cell)),
        Node::Area(sheet, first, last) => Node::Area(sheet, fix(first), fix(last)),
        Node::Chain(first, rest) => Node::Chain(
            Box::new(absolute(*first)),
            rest.into_vec().into_iter().map(|(operator, node)| (operator, absolute(node))).collect(),
        ),
        other => other,
    }
}

fn line_numbers(a: &Args<'_>, rows: bool) -> Answer {
    if !a.given(0) {
        return num(f64::from(if rows { a.cx.at.row } else { a.cx.at.col }) + 1.0);
    }
    let area = a.area(0)?;
    let first = if rows { area.top } else { area.left };
    let count = if rows { area.rows() } else { area.cols() };
    if count == 1 || !a.cx.in_array() {
        return num(f64::from(first) + 1.0);
    }
    if !rows {
        let numbers = (0..count).map(|at| Value::Number(f64::from(first) + 1.0 + at as f64)).collect();
        return array(Array::row(numbers));
    }
    let column = Area { right: area.left, ..area };
    let numbers = a.cx.per_cell(column, Value::Blank, |row, _| Value::Number(f64::from(row) + 1.0))?;
    // Below the rows in use a whole column of numbers just goes on.
    Ok(match numbers {
        Operand::Tall(tall) => {
            let next = f64::from(first) + 1.0 + tall.head.rows() as f64;
            Operand::Tall(Arc::new(Tall { tail: Tail::Counting(next), ..(*tall).clone() }))
        }
        other => other,
    })
}

fn size(a: &Args<'_>, rows: bool) -> Answer {
    match a.op(0) {
        Operand::Area(area) => num(if rows { area.rows() } else { area.cols() } as f64),
        Operand::Areas(_) => fail(ErrorKind::Ref),
        Operand::Tall(tall) => num(if rows { tall.rows } else { tall.cols() } as f64),
        _ => {
            let array = a.array(0)?;
            num(if rows { array.rows() } else { array.cols() } as f64)
        }
    }
}

fn address(a: &Args<'_>) -> Answer {
    let (row, col, kind) = (a.int(0)?, a.int(1)?, a.int_default(2, 1.0)?);
    let a1 = a.flag_default(3, true)?;
    let (row_limit, col_limit) = (f64::from(MAX_ROWS), f64::from(MAX_COLS));
    if !(1.0..=4.0).contains(&kind) {
        return fail(ErrorKind::Value);
    }
    let (row_absolute, col_absolute) = (kind == 1.0 || kind == 2.0, kind == 1.0 || kind == 3.0);
    let inside = (1.0..=row_limit).contains(&row) && (1.0..=col_limit).contains(&col);
    if !inside && (a1 || (row_absolute && col_absolute)) {
        return fail(ErrorKind::Value);
    }
    let cell = if a1 {
        let dollar = |absolute: bool| if absolute { "$" } else { "" };
        format!("{}{}{}{row}", dollar(col_absolute), column_letters(col as u32 - 1), dollar(row_absolute))
    } else {
        let part = |letter: char, absolute: bool, at: f64| {
            if absolute {
                format!("{letter}{at}")
            } else if at == 0.0 {
                letter.to_string()
            } else {
                format!("{letter}[{at}]")
            }
        };
        format!("{}{}", part('R', row_absolute, row), part('C', col_absolute, col))
    };
    if a.has(4) {
        let sheet = a.text(4)?;
        if sheet.is_empty() {
            return text(format!("!{cell}"));
        }
        let quoted = if let Some((book, name)) = sheet.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            if crate::address::needs_quotes(name) || crate::address::needs_quotes(book) {
                format!("'[{book}]{name}'")
            } else {
                sheet.to_string()
            }
        } else {
            quote_sheet(&sheet)
        };
        return text(format!("{quoted}!{cell}"));
    }
    text(cell)
}

/// A range without the empty rows and columns round it.
fn trim_range(cx: &Cx<'_>, nodes: &[Node]) -> Answer {
    let mut modes = [3.0, 3.0];
    for (mode, node) in modes.iter_mut().zip(nodes.iter().skip(1)) {
        let operand = cx.argument(node)?;
        if !matches!(operand, Operand::Missing) {
            *mode = crate::coerce::number(&cx.scalar(&operand), cx.region())?.trunc();
        }
    }
    let operand = match nodes.first() {
        Some(node) => cx.argument(node)?,
        None => return fail(ErrorKind::Value),
    };
    let Operand::Area(area) = operand else { return Ok(operand) };
    let mut found: Option<Area> = None;
    cx.visit(area, &mut |row, col, _| {
        let cell = Area::cell(CellRef::new(area.sheet, row, col));
        found = Some(found.map_or(cell, |hull| hull.hull(&cell)));
    });
    let Some(hull) = found else { return fail(ErrorKind::Ref) };
    let mut result = area;
    let [rows, cols] = modes;
    if rows == 1.0 || rows == 3.0 {
        result.top = hull.top;
    }
    if rows >= 2.0 {
        result.bottom = hull.bottom;
    }
    if cols == 1.0 || cols == 3.0 {
        result.left = hull.left;
    }
    if cols >= 2.0 {
        result.right = hull.right;
    }
    Ok(Operand::Area(result))
}

/// The sheet's number, for `SHEET`.
pub(in super::super) fn sheet_number(sheet: SheetId) -> f64 {
    f64::from(sheet.0) + 1.0
}
