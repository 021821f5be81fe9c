//! What single formulas calculate with: empty cells, hidden halves of merged ones, numbers written into them.

use formula::{Expr, Operator};

use super::survey::{FormulaCell, Survey};
use super::uses::{area_of, cell_of, function, is_arithmetic};
use super::{FindingList, Severity};
use crate::calc::place::{AreaOnSheet, CellOnSheet};
use crate::file::a1::Area;

/// Functions that calculate anew at every change.
const VOLATILE: &[&str] = &["NOW", "TODAY", "RAND", "RANDBETWEEN", "RANDARRAY", "OFFSET", "INDIRECT"];

/// Numbers that say nothing about the model: counting, halves, units of time and of measure.
const COMMON: &[f64] = &[
    0.0,
    0.5,
    1.0,
    2.0,
    3.0,
    4.0,
    5.0,
    6.0,
    7.0,
    10.0,
    12.0,
    24.0,
    30.0,
    52.0,
    60.0,
    90.0,
    100.0,
    180.0,
    360.0,
    365.0,
    365.25,
    1000.0,
    1024.0,
    1440.0,
    3600.0,
    10_000.0,
    86_400.0,
    100_000.0,
    1_000_000.0,
    1_000_000_000.0,
];

pub(super) fn of_formula(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    noted(survey, cell);
    if found.wants("D003") {
        empty_operands(survey, cell, found);
    }
    if found.wants("D006") {
        broadcast(survey, cell, found);
    }
    if found.wants("D030") {
        behind_merged(survey, cell, found);
    }
    if found.wants("DW005") {
        written_numbers(cell, found);
    }
}

/// Remembers what is told of sheets and of the workbook as a whole.
fn noted(survey: &mut Survey<'_>, cell: &FormulaCell) {
    let home = cell.place;
    let mut functions = Vec::new();
    let mut sheets = Vec::new();
    let mut books = Vec::new();
    let names: Vec<String> = survey.view.workbook().sheets.iter().map(|tab| tab.name.clone()).collect();
    cell.expr.walk(&mut |expr| match expr {
        Expr::Call { name, .. } => {
            let name = function(name);
            if VOLATILE.contains(&name.as_str()) {
                functions.push(name);
            }
        }
        Expr::Reference(reference) => match &reference.sheet {
            Some(spec) if spec.book.is_some() => {
                books.extend(spec.book.as_ref().map(|book| book.to_string()))
            }
            Some(spec) => sheets.extend(names.iter().position(|name| name.eq_ignore_ascii_case(&spec.first))),
            None => {}
        },
        _ => {}
    });
    for name in functions {
        survey.dynamic |= matches!(name.as_str(), "OFFSET" | "INDIRECT");
        let known = survey.volatile.entry((home.sheet, name)).or_insert((home.at, 0));
        known.1 += 1;
    }
    let is_hidden =
        |survey: &Survey<'_>, sheet: usize| survey.sheets.get(sheet).is_some_and(|sheet| sheet.hidden);
    if !is_hidden(survey, home.sheet) {
        sheets.dedup();
        for sheet in sheets.into_iter().filter(|sheet| is_hidden(survey, *sheet)).collect::<Vec<_>>() {
            survey.hidden_reads.entry(sheet).or_insert((home, 0)).1 += 1;
        }
    }
    books.dedup();
    for book in books {
        survey.external_reads.entry(book).or_insert((home, 0)).1 += 1;
    }
}

/// D003: an empty cell that is multiplied or divided by, or that lies where nothing is.
fn empty_operands(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    let home = cell.place;
    let mut tested: Vec<AreaOnSheet> = Vec::new();
    let mut operands: Vec<(CellOnSheet, bool)> = Vec::new();
    cell.expr.walk(&mut |expr| match expr {
        Expr::Chain { first, rest } if is_arithmetic(rest) => {
            let scales =
                rest.iter().any(|(operator, _)| !matches!(operator, Operator::Add | Operator::Subtract));
            let all = std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
            operands.extend(all.filter_map(|operand| cell_of(survey, operand, home)).map(|at| (at, scales)));
        }
        Expr::Chain { first, rest } => {
            let all = std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
            for operand in all {
                operand.walk(&mut |inner| tested.extend(area_of(survey, inner, home)));
            }
        }
        Expr::Call { name, args, .. } => {
            let name = function(name);
            let tests = name.starts_with("IS")
                || name.starts_with("COUNT")
                || matches!(name.as_str(), "LEN" | "N" | "TYPE");
            let asked = match name.as_str() {
                "IF" | "IFS" | "AND" | "OR" | "NOT" | "IFERROR" | "CHOOSE" => args.get(..1),
                _ if tests => Some(args.as_slice()),
                _ => None,
            };
            for arg in asked.into_iter().flatten() {
                arg.walk(&mut |inner| tested.extend(area_of(survey, inner, home)));
            }
        }
        _ => {}
    });
    let blank = |at: CellOnSheet| {
        survey.cell(at).is_none_or(|cell| cell.formula.is_none() && cell.value.is_blank())
            && !survey
                .sheets
                .get(at.sheet)
                .is_some_and(|sheet| sheet.merges.iter().any(|area| area.contains(at.at)))
    };
    // A row of a form that nobody filled in yet is no mistake.
    if operands.iter().all(|(at, _)| blank(*at)) {
        return;
    }
    let suspicious = operands.iter().find(|(at, scales)| {
        let is_tested = tested.iter().any(|area| area.sheet == at.sheet && area.area.contains(at.at));
        blank(*at) && !is_tested && (*scales || is_desert(survey, *at))
    });
    let Some((at, scales)) = suspicious else { return };
    let why = match (*scales, is_desert(survey, *at)) {
        (_, true) => "nothing stands there or around it, so the reference may have lost its cell",
        _ => "it counts as 0 there",
    };
    let message = format!("{} calculates with {}, which is empty: {why}.", cell.shown(), survey.address(*at));
    found.formula("D003", cell, message);
}

/// Whether all cells around a cell are blank.
fn is_desert(survey: &Survey<'_>, at: CellOnSheet) -> bool {
    (-1..=1).all(|row| (-1..=1).all(|col| survey.beside(at, row, col).is_none()))
}

/// D006: `SUMPRODUCT(A2:A9*B2)` where B2 to B9 are numbers: one cell stands for all of them.
fn broadcast(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    let home = cell.place;
    let mut pairs = Vec::new();
    let mut look = |expr: &Expr| {
        expr.walk(&mut |inner| {
            if let Expr::Chain { first, rest } = inner
                && is_arithmetic(rest)
            {
                let all = || std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
                for single in all().filter(|operand| is_relative(operand)) {
                    let Some(one) = cell_of(survey, single, home) else { continue };
                    for area in all().filter_map(|operand| area_of(survey, operand, home)) {
                        pairs.push((one, area));
                    }
                }
            }
        });
    };
    cell.expr.walk(&mut |expr| {
        if let Expr::Call { name, args, .. } = expr
            && function(name) == "SUMPRODUCT"
        {
            args.iter().for_each(&mut look);
        }
    });
    for (one, AreaOnSheet { sheet, area }) in pairs {
        let down = area.left == area.right && area.bottom >= area.top + 2 && one.at.row == area.top;
        let across = area.top == area.bottom && area.right >= area.left + 2 && one.at.col == area.left;
        if sheet != one.sheet || !(down || across) {
            continue;
        }
        let beside = match down {
            true => Area { top: area.top, bottom: area.bottom, left: one.at.col, right: one.at.col },
            false => Area { left: area.left, right: area.right, top: one.at.row, bottom: one.at.row },
        };
        let numbers = survey
            .cells_in(AreaOnSheet { sheet, area: beside })
            .filter(|cell| cell.number().is_some())
            .count();
        if numbers as u64 == area.count() && beside != area {
            let message = format!(
                "{} takes {} for every cell of {area}, although {beside} holds a number for each.",
                cell.shown(),
                one.at
            );
            found.formula("D006", cell, message);
            return;
        }
    }
}

fn is_relative(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(reference) => match &reference.target {
            formula::Target::Cell(cell) => !cell.row.absolute && !cell.col.absolute,
            _ => false,
        },
        Expr::Paren(inner) => is_relative(inner),
        _ => false,
    }
}

/// D030: a reference to a merged cell that is not the first one.
fn behind_merged(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    let mut hit: Option<(CellOnSheet, Area)> = None;
    cell.expr.walk(&mut |expr| {
        if hit.is_none()
            && matches!(expr, Expr::Reference(_))
            && let Some(at) = cell_of(survey, expr, cell.place)
            && let Some(merged) = survey
                .sheets
                .get(at.sheet)
                .and_then(|sheet| sheet.merges.iter().find(|area| area.contains(at.at)))
            && merged.first() != at.at
            && survey.cell(at).is_none()
        {
            hit = Some((at, *merged));
        }
    });
    if let Some((at, merged)) = hit {
        let message = format!(
            "{} reads {}, which is inside the merged cells {merged} and always empty; what is shown there stands in {}.",
            cell.shown(),
            survey.address(at),
            merged.first()
        );
        found.formula("D030", cell, message);
    }
}

/// DW005: a number that somebody may want to change, inside a formula that reads cells.
fn written_numbers(cell: &FormulaCell, found: &mut FindingList) {
    let mut numbers: Vec<f64> = Vec::new();
    cell.expr.walk(&mut |expr| {
        let Expr::Chain { first, rest } = expr else { return };
        if !is_arithmetic(rest) || rest.iter().any(|(operator, _)| *operator == Operator::Power) {
            return;
        }
        let all = || std::iter::once(&**first).chain(rest.iter().map(|(_, operand)| operand));
        if all().any(reads_cells) {
            numbers.extend(all().filter_map(written));
        }
    });
    // Rows are counted from where a list begins.
    let counts_rows = cell.text.contains("ROW(") || cell.text.contains("COLUMN(");
    numbers.retain(|number| !counts_rows && !COMMON.contains(&number.abs()));
    if numbers.is_empty() {
        return;
    }
    numbers.dedup();
    let listed: Vec<String> =
        numbers.iter().take(3).map(|number| formula::numfmt::general(*number)).collect();
    let message = format!(
        "{} has {} written into it; in a cell of its own it could be seen and changed.",
        cell.shown(),
        listed.join(", ")
    );
    let at = Some(cell.area());
    found.push_as(Severity::Info, "DW005", at, Some(cell.shape.to_string()), message);
}

fn written(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Number(number) => Some(*number),
        Expr::Percent(inner) => written(inner).map(|number| number / 100.0),
        Expr::Negate(inner) | Expr::Paren(inner) => written(inner),
        _ => None,
    }
}

fn reads_cells(expr: &Expr) -> bool {
    let mut reads = false;
    expr.walk(&mut |inner| {
        reads |= matches!(inner, Expr::Reference(_) | Expr::Name(_) | Expr::Structured(_))
    });
    reads
}
