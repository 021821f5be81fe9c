//! Cells that break the pattern of those around them, and inputs that nothing reads.

use std::collections::HashMap;
use std::rc::Rc;

use super::survey::Survey;
use super::{FindingList, Severity};
use crate::calc::place::CellOnSheet;
use crate::file::a1::CellRef;

pub(super) fn of_sheet(survey: &mut Survey<'_>, sheet: usize, found: &mut FindingList) {
    if found.wants("DW001") || found.wants("DW002") {
        breaks(survey, sheet, found);
    }
    if found.wants("DW006") {
        unused(survey, sheet, found);
    }
}

/// A direction in which formulas are filled, in rows and columns, and the one across it.
struct Direction {
    along: (i64, i64),
    across: (i64, i64),
    told: &'static str,
}

const DIRECTIONS: [Direction; 2] = [
    Direction { along: (1, 0), across: (0, 1), told: "above and below" },
    Direction { along: (0, 1), across: (1, 0), told: "to the left and right" },
];

/// DW001, DW002: a cell between two with one formula, which a third has too, that holds something else.
fn breaks(survey: &Survey<'_>, sheet: usize, found: &mut FindingList) {
    let mut shapes: HashMap<CellRef, Rc<str>> = HashMap::new();
    let mut arrays: Vec<CellRef> = Vec::new();
    for cell in survey.formula_cells(sheet) {
        if let Some(cell) = cell.parsed() {
            match cell.in_array {
                true => arrays.push(cell.place.at),
                // Spelling in capitals or not makes no difference.
                false => drop(shapes.insert(cell.place.at, Rc::from(cell.shape.to_uppercase()))),
            }
        }
    }
    let Some(cells) = survey.sheets.get(sheet) else { return };
    for cell in cells.cells.iter().filter(|cell| !cell.in_array) {
        let own = shapes.get(&cell.at);
        if own.is_none() && cell.constant().is_none() {
            continue;
        }
        let place = CellOnSheet { sheet, at: cell.at };
        let shape = |(row, col): (i64, i64), times: i64| {
            moved(cell.at, row * times, col * times).and_then(|at| shapes.get(&at))
        };
        for Direction { along, across, told } in DIRECTIONS {
            let (Some(before), Some(after)) = (shape(along, -1), shape(along, 1)) else { continue };
            if before != after || own == Some(before) {
                continue;
            }
            let third = [shape(along, -2), shape(along, 2)];
            if !third.into_iter().flatten().any(|third| third == before) {
                continue;
            }
            // A row of totals, or of inputs, breaks every column in the same way.
            let beside = [-1, 1].map(|times| {
                let other = moved(cell.at, across.0 * times, across.1 * times)?;
                survey.cell(CellOnSheet { sheet, at: other })
            });
            let shared = beside.iter().flatten().any(|other| match own {
                Some(own) => shapes.get(&other.at) == Some(own),
                // It stands between formulas too.
                None => {
                    other.constant().is_some()
                        && [-1, 1].iter().all(|times| {
                            moved(other.at, along.0 * times, along.1 * times)
                                .is_some_and(|at| shapes.contains_key(&at))
                        })
                }
            });
            if shared {
                continue;
            }
            let neighbour =
                moved(cell.at, -along.0, -along.1).and_then(|at| survey.cell(CellOnSheet { sheet, at }));
            let theirs = neighbour.and_then(|cell| cell.formula.clone()).unwrap_or_default();
            let theirs = neighbour.map_or_else(String::new, |other| {
                let here = crate::file::refs::translate(&theirs, other.at, cell.at);
                format!("={}", crate::file::formula_text::formula_for_people(&here))
            });
            let address = survey.address(place);
            match (&cell.formula, cell.constant()) {
                (Some(formula), _) => {
                    let shown = crate::file::formula_text::formula_for_people(formula);
                    let message = format!(
                        "{address} has ={shown}, while the cells {told} have one formula, which would read {theirs} here."
                    );
                    let values =
                        survey.calculator.as_ref().and_then(|known| known.evaluate(&theirs, place).ok());
                    let same = values
                        .is_some_and(|rows| rows.first().and_then(|row| row.first()) == Some(&cell.value));
                    match same {
                        true => found.push_as(
                            Severity::Info,
                            "DW001",
                            Some(place.into()),
                            None,
                            format!("{message} Both come to the same today."),
                        ),
                        false => found.push("DW001", Some(place.into()), None, message),
                    }
                }
                (None, Some(number)) => {
                    let message = format!(
                        "{address} holds the number {}, while the cells {told} calculate theirs; here it would read {theirs}.",
                        formula::numfmt::general(number)
                    );
                    // A series that each cell goes on with from the one before may begin again.
                    let goes_on = before.contains("R[-1]C") && along.0 == 1
                        || before.contains("RC[-1]") && along.1 == 1;
                    let severity = if goes_on { Severity::Info } else { Severity::Warning };
                    found.push_as(severity, "DW002", Some(place.into()), None, message);
                }
                _ => {}
            }
            break;
        }
    }
}

fn moved(at: CellRef, rows: i64, cols: i64) -> Option<CellRef> {
    let row = u32::try_from(i64::from(at.row) + rows).ok()?;
    let col = u32::try_from(i64::from(at.col) + cols).ok()?;
    Some(CellRef::new(row, col))
}

/// DW006: in a list of labels with numbers beside them, of which formulas read most, one that none reads.
fn unused(survey: &Survey<'_>, sheet: usize, found: &mut FindingList) {
    let Some(calculator) = survey.calculator.as_ref() else { return };
    // What is read by a computed address cannot be told.
    if survey.dynamic {
        return;
    }
    let Some(cells) = survey.sheets.get(sheet) else { return };
    let mut lists: HashMap<u32, Vec<Vec<CellRef>>> = HashMap::new();
    for cell in &cells.cells {
        let place = CellOnSheet { sheet, at: cell.at };
        let labelled =
            survey.beside(place, 0, -1).is_some_and(|left| left.text().is_some() && left.formula.is_none());
        let alone = survey.beside(place, 0, 1).is_none_or(|right| right.number().is_none());
        if cell.constant().is_none() || !labelled || !alone {
            continue;
        }
        let lists = lists.entry(cell.at.col).or_default();
        match lists.last_mut() {
            Some(list) if list.last().is_some_and(|last| cell.at.row <= last.row + 2) => list.push(cell.at),
            _ => lists.push(vec![cell.at]),
        }
    }
    for list in lists.into_values().flatten().filter(|list| (4..=200).contains(&list.len())) {
        let is_read = |at: &CellRef| !calculator.dependents(CellOnSheet { sheet, at: *at }).is_empty();
        let (read, unread): (Vec<CellRef>, Vec<CellRef>) = list.into_iter().partition(is_read);
        if unread.is_empty() || read.len() < 3 * unread.len() {
            continue;
        }
        for at in unread {
            let place = CellOnSheet { sheet, at };
            let label =
                survey.beside(place, 0, -1).and_then(|cell| cell.text()).unwrap_or("").trim().to_owned();
            let message = format!(
                "{} ({label}) is read by no formula, although the inputs around it are: changing it changes nothing.",
                survey.address(place)
            );
            found.push("DW006", Some(place.into()), None, message);
        }
    }
}
