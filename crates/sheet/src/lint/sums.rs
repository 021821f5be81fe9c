//! Numbers that are added and should not be: twice, of different units, or not all of them.

use formula::{Expr, Operator};

use super::FindingList;
use super::survey::{FormulaCell, LintCell, Survey, Unit};
use super::uses::{area_of, function, is_additive, lone_sum_of};
use crate::calc::place::{AreaOnSheet, CellOnSheet};
use crate::file::a1::{Area, CellRef};

/// Functions that pass over texts and truths in ranges.
const AGGREGATES: &[&str] = &[
    "SUM",
    "AVERAGE",
    "MIN",
    "MAX",
    "PRODUCT",
    "MEDIAN",
    "STDEV",
    "STDEV.S",
    "STDEV.P",
    "STDEVP",
    "VAR",
    "VAR.S",
    "VAR.P",
    "VARP",
    "SUMSQ",
    "GEOMEAN",
    "HARMEAN",
    "LARGE",
    "SMALL",
    "PERCENTILE",
    "QUARTILE",
];

pub(super) fn of_formula(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    let mut groups: Vec<Vec<Term>> = Vec::new();
    let mut aggregates: Vec<(String, Vec<AreaOnSheet>)> = Vec::new();
    cell.expr.walk(&mut |expr| match expr {
        Expr::Chain { first, rest } if is_additive(rest) => {
            let mut terms = Vec::new();
            add_terms(survey, cell.place, first, true, &mut terms);
            for (operator, operand) in rest {
                add_terms(survey, cell.place, operand, *operator == Operator::Add, &mut terms);
            }
            groups.push(terms);
        }
        Expr::Call { name, args, .. } => {
            let name = function(name);
            if AGGREGATES.contains(&name.as_str()) {
                let areas: Vec<AreaOnSheet> =
                    args.iter().filter_map(|arg| area_of(survey, arg, cell.place)).collect();
                if name == "SUM" {
                    groups.push(areas.iter().map(|area| Term { area: *area, added: true }).collect());
                }
                aggregates.push((name, areas));
            }
        }
        _ => {}
    });
    // Told once for a formula, however often it does so.
    let _ = groups.iter().any(|terms| counts_twice(survey, cell, terms, found));
    for terms in &groups {
        units(survey, cell, terms, found);
    }
    for (name, areas) in &aggregates {
        skipped(survey, cell, name, areas, found);
    }
    stops_short(survey, cell, found);
}

/// Cells that are added or subtracted.
#[derive(Clone, Copy)]
struct Term {
    area: AreaOnSheet,
    added: bool,
}

fn add_terms(survey: &Survey<'_>, home: CellOnSheet, expr: &Expr, added: bool, terms: &mut Vec<Term>) {
    match expr {
        Expr::Paren(inner) | Expr::Plus(inner) => add_terms(survey, home, inner, added, terms),
        Expr::Negate(inner) => add_terms(survey, home, inner, !added, terms),
        Expr::Call { name, args, .. } if function(name) == "SUM" => {
            terms.extend(
                args.iter().filter_map(|arg| area_of(survey, arg, home)).map(|area| Term { area, added }),
            );
        }
        _ => {
            if let Some(area) = area_of(survey, expr, home).filter(|at| at.area.is_cell()) {
                terms.push(Term { area, added });
            }
        }
    }
}

/// D001: two ranges that are added overlap, or one holds a total beside the cells that the total adds up.
fn counts_twice(
    survey: &mut Survey<'_>,
    cell: &FormulaCell,
    terms: &[Term],
    found: &mut FindingList,
) -> bool {
    if !found.wants("D001") {
        return false;
    }
    let added: Vec<AreaOnSheet> = terms.iter().filter(|term| term.added).map(|term| term.area).collect();
    for (index, one) in added.iter().enumerate().take(200) {
        for other in added.iter().skip(index + 1).take(200) {
            // A cell added to itself is doubled on purpose.
            if one.sheet != other.sheet
                || !one.area.intersects(&other.area)
                || one == other && one.area.is_cell()
            {
                continue;
            }
            let common = Area {
                top: one.area.top.max(other.area.top),
                left: one.area.left.max(other.area.left),
                bottom: one.area.bottom.min(other.area.bottom),
                right: one.area.right.min(other.area.right),
            };
            let message = format!(
                "{} adds {} twice: {} and {} overlap, so those cells count double.",
                cell.shown(),
                survey.address(AreaOnSheet { sheet: one.sheet, area: common }),
                one.area,
                other.area
            );
            found.formula("D001", cell, message);
            return true;
        }
    }
    // Half of everything with its totals is a known trick.
    let halved = cell.text.replace(' ', "").ends_with("/2");
    for area in added.iter().filter(|at| at.area.count() > 2 && !halved) {
        let facts = survey.facts(*area);
        let inside = |inner: &AreaOnSheet| {
            inner.sheet == area.sheet && inner.area.count() > 1 && inner.area.hull(&area.area) == area.area
        };
        let Some((total, inner)) = facts.totals.iter().find(|(_, inner)| inside(inner)) else { continue };
        let total = survey.address(CellOnSheet { sheet: area.sheet, at: *total });
        let message = format!(
            "{} adds {}, which holds {total}, itself the sum of {}: those cells count double.",
            cell.shown(),
            area.area,
            inner.area
        );
        found.formula("D001", cell, message);
        return true;
    }
    false
}

/// D008, D009, D023: numbers of different units that are added.
fn units(survey: &mut Survey<'_>, cell: &FormulaCell, terms: &[Term], found: &mut FindingList) {
    let mut first: std::collections::BTreeMap<Unit, CellOnSheet> = std::collections::BTreeMap::new();
    let mut large = None;
    for term in terms.iter().take(200) {
        let facts = survey.facts(term.area);
        let here = |at: CellRef| CellOnSheet { sheet: term.area.sheet, at };
        for (unit, at) in &facts.units {
            first.entry(unit.clone()).or_insert(here(*at));
        }
        large = large.or(facts.large_plain.map(here));
    }
    let money: Vec<(&str, CellOnSheet)> = first
        .iter()
        .filter_map(|(unit, at)| match unit {
            Unit::Currency(name) => Some((name.as_str(), *at)),
            _ => None,
        })
        .collect();
    if let [(one, one_at), (other, other_at), ..] = money.as_slice() {
        let message = format!(
            "{} adds amounts in {one} ({}) and in {other} ({}) without converting them.",
            cell.shown(),
            survey.address(*one_at),
            survey.address(*other_at)
        );
        found.formula("D008", cell, message);
    }
    let percent = first.get(&Unit::Percent);
    if let Some((sign, at)) = money.first() {
        let others = [
            (Unit::Percent, "a percentage"),
            (Unit::Date, "a date"),
            (Unit::Text, "a cell formatted as text"),
        ];
        for (unit, what) in others {
            if let Some(other) = first.get(&unit) {
                let message = format!(
                    "{} adds an amount in {sign} ({}) and {what} ({}).",
                    cell.shown(),
                    survey.address(*at),
                    survey.address(*other)
                );
                found.formula("D023", cell, message);
            }
        }
    } else if let (Some(percent), Some(large)) = (percent, large) {
        let message = format!(
            "{} adds a percentage ({}) and a number that is none ({}): 5% is 0.05 there.",
            cell.shown(),
            survey.address(*percent),
            survey.address(large)
        );
        found.formula("D009", cell, message);
    }
}

/// D005: texts that read as numbers, and truths, in ranges that are added up.
fn skipped(
    survey: &mut Survey<'_>,
    cell: &FormulaCell,
    name: &str,
    areas: &[AreaOnSheet],
    found: &mut FindingList,
) {
    for area in areas.iter().filter(|at| at.area.count() > 1) {
        let facts = survey.facts(*area);
        let (listed, count, what) = match (facts.text_numbers.1, facts.truths.1) {
            (0, 0) => continue,
            (0, count) => (&facts.truths.0, count, "TRUE or FALSE"),
            (count, _) => (&facts.text_numbers.0, count, "a number stored as text"),
        };
        // Where nothing is a number, something else is meant.
        if facts.numbers == 0 {
            continue;
        }
        let cells: Vec<String> =
            listed.iter().map(|at| survey.address(CellOnSheet { sheet: area.sheet, at: *at })).collect();
        let more =
            if count > cells.len() { format!(" and {} more", count - cells.len()) } else { String::new() };
        let message = format!(
            "{name} over {} passes over {}{more} ({what}), so its result leaves that out.",
            area.area,
            cells.join(", ")
        );
        found.formula("D005", cell, message);
        return;
    }
}

/// DW003: a sum at the end of a column or row that leaves out numbers of the same kind between.
fn stops_short(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    if !found.wants("DW003") {
        return;
    }
    let home = cell.place;
    let Some(AreaOnSheet { sheet, area }) = lone_sum_of(survey, &cell.expr, home) else { return };
    let column = area.left == area.right && area.left == home.at.col && area.bottom > area.top;
    let row = area.top == area.bottom && area.top == home.at.row && area.right > area.left;
    if sheet != home.sheet || !(column || row) || area.is_whole_columns() || area.is_whole_rows() {
        return;
    }
    let line = |n: u32| match column {
        true => CellRef::new(n, area.left),
        false => CellRef::new(area.top, n),
    };
    let (end, own) = match column {
        true => (area.bottom, home.at.row),
        false => (area.right, home.at.col),
    };
    if own <= end {
        return;
    }
    let at = |n: u32| survey.cell(CellOnSheet { sheet, at: line(n) });
    let last = at(end);
    let left_out: Vec<u32> = (end + 1..own).take(50).collect();
    let alike = |n: &u32| at(*n).zip(last).is_some_and(|(cell, last)| same_kind(cell, last));
    if !left_out.is_empty() && left_out.iter().all(alike) {
        let left = Area::new(line(end + 1), line(own - 1));
        let message = format!(
            "{} stops at {}, and {} between it and the sum {} left out.",
            cell.shown(),
            line(end),
            left,
            if left.is_cell() { "is" } else { "are" }
        );
        found.formula("DW003", cell, message);
    }
}

/// Whether two cells stand for the same kind of thing: both typed in, in one format, or both the same formula.
fn same_kind(one: &LintCell, other: &LintCell) -> bool {
    match (one.constant(), other.constant()) {
        (Some(_), Some(_)) => one.style == other.style,
        (None, None) => match (&one.formula, &other.formula) {
            (Some(a), Some(b)) => {
                one.number().is_some() && crate::file::refs::translate(a, one.at, other.at) == **b
            }
            _ => false,
        },
        _ => false,
    }
}
