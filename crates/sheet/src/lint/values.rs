//! Cells whose values are wrong by themselves: errors, numbers that are text, entries that a validation forbids.

use edit::{Refusal, excerpt};
use formula::{ErrorKind, Value};

use super::survey::{LintCell, Survey, number_in_text};
use super::{FindingList, Severity};
use crate::allowed;
use crate::calc::place::{AreaOnSheet, CellOnSheet};

/// The most cells that one validation is asked about.
const MOST_ASKED: usize = 5_000;

pub(super) fn of_sheet(
    survey: &mut Survey<'_>,
    sheet: usize,
    found: &mut FindingList,
) -> Result<(), Refusal> {
    if found.wants("D004") {
        errors(survey, sheet, found);
    }
    if found.wants("DW004") {
        texts(survey, sheet, found);
    }
    if found.wants("D043") {
        entries(survey, sheet, found)?;
    }
    Ok(())
}

/// D004: a cell is an error, by itself or because it reads one.
fn errors(survey: &Survey<'_>, sheet: usize, found: &mut FindingList) {
    let Some(cells) = survey.sheets.get(sheet) else { return };
    for cell in &cells.cells {
        let Value::Error(kind) = cell.value else { continue };
        let place = CellOnSheet { sheet, at: cell.at };
        let address = survey.address(place);
        let text = cell.formula.as_deref();
        let source = text.and_then(|_| source(survey, place));
        let why = match (kind, &source) {
            _ if text.is_none() && cell.in_array => "it is one of the results of an array formula".to_owned(),
            _ if text.is_none() => {
                "it was typed or pasted in, and whatever reads it becomes an error too".to_owned()
            }
            (_, Some(source)) => format!("it reads {source}, which is an error"),
            (ErrorKind::Div0, _) => "it divides by zero or by an empty cell".to_owned(),
            (ErrorKind::Ref, _) => "it names cells that were deleted".to_owned(),
            (ErrorKind::Name, _) => "it names a function or a name that is not there".to_owned(),
            (ErrorKind::NotAvailable, _) => "what it looks for is not there".to_owned(),
            (ErrorKind::Value, _) => "it calculates with something that is no number".to_owned(),
            (ErrorKind::Num, _) => "no number answers it".to_owned(),
            (ErrorKind::Null, _) => "its ranges have no cell in common".to_owned(),
            (ErrorKind::Spill, _) => "there is no room for all of its values".to_owned(),
            _ => "whatever reads it becomes an error too".to_owned(),
        };
        let formula = text.map_or_else(
            || "typed in".to_owned(),
            |text| format!("={}", excerpt(&crate::file::formula_text::formula_for_people(text), 80)),
        );
        // Charts leave #N/A out, and NA() is how one asks for that.
        let meant = kind == ErrorKind::NotAvailable
            && text.is_some_and(|text| text.to_ascii_uppercase().contains("NA()"));
        let severity = if meant { Severity::Info } else { Severity::Error };
        let message = format!("{address} is {} ({formula}): {why}.", kind.text());
        let key = format!("{}{}", kind.text(), text.is_some());
        found.push_as(severity, "D004", Some(place.into()), Some(key), message);
    }
}

/// The first cell that a formula reads and that is an error.
fn source(survey: &Survey<'_>, place: CellOnSheet) -> Option<String> {
    let calculator = survey.calculator.as_ref()?;
    calculator.precedents(place).into_iter().find_map(|area| {
        let wrong = survey.cells_in(area).find(|cell| matches!(cell.value, Value::Error(_)))?;
        let wrong = CellOnSheet { sheet: area.sheet, at: wrong.at };
        (wrong != place).then(|| survey.address(wrong))
    })
}

/// DW004: a text that spells a number, right above or below a typed number in the same column.
fn texts(survey: &Survey<'_>, sheet: usize, found: &mut FindingList) {
    let Some(cells) = survey.sheets.get(sheet) else { return };
    for cell in &cells.cells {
        let Some(text) = cell.text().filter(|_| cell.formula.is_none()) else { continue };
        let Some(spelled) = number_in_text(text) else { continue };
        let place = CellOnSheet { sheet, at: cell.at };
        let near: Vec<&LintCell> =
            [-2, -1, 1, 2].into_iter().filter_map(|row| survey.beside(place, row, 0)).collect();
        let numbers = near.iter().filter(|cell| cell.constant().is_some()).count();
        let above = survey.beside(place, -1, 0).is_some_and(|cell| cell.constant().is_some());
        // A heading such as 2024 stands above its numbers, with none over it.
        // 10.01 below 10 is the number of a section.
        let outline = spelled.fract() != 0.0
            && near.iter().any(|cell| cell.constant().is_some_and(|near| near == spelled.trunc()));
        if numbers < 2 || !above || outline {
            continue;
        }
        let message = format!(
            "{} is the text \"{}\" among numbers: sums pass over it and comparisons fail.",
            survey.address(place),
            text.trim()
        );
        found.push("DW004", Some(place.into()), Some("text".to_owned()), message);
    }
}

/// D043: values that the validation of their cells would not take.
fn entries(survey: &mut Survey<'_>, sheet: usize, found: &mut FindingList) -> Result<(), Refusal> {
    let Some(calculator) = survey.calculator.as_ref() else { return Ok(()) };
    if survey.sheets.get(sheet).is_none_or(|sheet| sheet.cells.is_empty()) {
        return Ok(());
    }
    let rules = survey.view.sheet_at(sheet)?.validations();
    for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.kind != "none") {
        let first = rule.areas.first().map(crate::file::a1::Area::first);
        let mut asked = 0;
        for area in &rule.areas {
            for cell in survey.cells_in(AreaOnSheet { sheet, area: *area }) {
                survey.cx.stop.check()?;
                if cell.value.is_blank() || matches!(&cell.value, Value::Text(text) if text.is_empty()) {
                    continue;
                }
                asked += 1;
                if asked > MOST_ASKED {
                    break;
                }
                let place = CellOnSheet { sheet, at: cell.at };
                if allowed::fits(calculator, rule, first.unwrap_or(cell.at), place, &cell.value)
                    != Some(false)
                {
                    continue;
                }
                let shown = survey.view.text(&cell.value, cell.style)?;
                let message = format!(
                    "{} holds {}, which its validation does not allow: {}.",
                    survey.address(place),
                    excerpt(&shown, 80),
                    allowed::told(rule)
                );
                let severity = match rule.error_style.as_deref() {
                    None | Some("stop") => Severity::Error,
                    _ => Severity::Warning,
                };
                found.push_as(severity, "D043", Some(place.into()), Some(number.to_string()), message);
            }
        }
    }
    Ok(())
}
