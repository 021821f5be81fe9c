//! Whether what is written into cells fits their data validations.
//!
//! Excel asks these rules only of people who type, not of what is pasted or written by macros. Who edits here is told,
//! with the rule, and nothing is refused.

use edit::{Context, Level, Note, Refusal};
use formula::Value;

use crate::allowed;
use crate::calc::calculator::Calculator;
use crate::calc::place::CellOnSheet;
use crate::calc::view::View;
use crate::edits::input::{CellChange, Input};
use crate::file::a1::Area;
use crate::read::sheet_view::SheetView;

/// Cells with a rule that are looked at in one edit; each may ask for a calculation.
const MOST_LOOKED_AT: usize = 2_000;
/// Cells that are named.
const MOST_TOLD: usize = 3;

/// What of these entries does not fit the rule of its cell, in words.
pub(crate) fn misfits(
    view: &View,
    sheet: &SheetView<'_>,
    changes: &[CellChange],
    cx: &Context,
) -> Result<Vec<Note>, Refusal> {
    let rules = sheet.validations();
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    let rule_of = |change: &CellChange| {
        rules
            .iter()
            .find(|rule| rule.kind != "none" && rule.areas.iter().any(|area| area.contains(change.at)))
    };
    let ruled = || changes.iter().filter_map(|change| Some((change, rule_of(change)?)));
    if ruled().next().is_none() {
        return Ok(Vec::new());
    }
    // Entries may look at one another, so all are supposed to be made.
    let mut calculator = Calculator::new(view, cx)?;
    let constant = |change: &CellChange| {
        Some((CellOnSheet { sheet: sheet.position, at: change.at }, constant(view, &change.input)?))
    };
    calculator.suppose(&changes.iter().take(MOST_LOOKED_AT).filter_map(constant).collect::<Vec<_>>());
    let formulas = changes.iter().filter(|change| matches!(change.input, Input::Formula(_))).count();
    let (mut told, mut wrong) = (Vec::new(), 0);
    for (change, rule) in ruled().take(MOST_LOOKED_AT) {
        let place = CellOnSheet { sheet: sheet.position, at: change.at };
        let value = match &change.input {
            // What several formulas come to is known only when they stand in their cells.
            Input::Formula(text) if formulas == 1 => calculator.evaluate(text, place).ok(),
            input => constant_rows(view, input),
        };
        let Some(value) = value.and_then(|rows| rows.into_iter().flatten().next()) else { continue };
        // The formula of a rule looks at the entry itself, so the entry is supposed to be made.
        if rule.kind == "custom" && matches!(change.input, Input::Formula(_)) {
            calculator.suppose(&[(place, value.clone())]);
        }
        let first = rule.areas.first().map_or(change.at, Area::first);
        if allowed::fits(&calculator, rule, first, place, &value) != Some(false) {
            continue;
        }
        wrong += 1;
        if told.len() < MOST_TOLD {
            let says = match rule.error.as_deref().filter(|error| !error.trim().is_empty()) {
                Some(error) => format!("{}: {error}", allowed::told(rule)),
                None => allowed::told(rule),
            };
            let shown = view.text(&value, sheet.cell(change.at)?.map_or(0, |cell| cell.style))?;
            told.push(format!("{} is `{shown}` ({says})", change.at));
        }
    }
    if wrong == 0 {
        return Ok(Vec::new());
    }
    let more = if wrong > told.len() { format!(" and {} more", wrong - told.len()) } else { String::new() };
    let looked = match ruled().count() {
        count if count > MOST_LOOKED_AT => {
            format!("; the first {MOST_LOOKED_AT} of {count} cells with a rule were looked at")
        }
        _ => String::new(),
    };
    let text = format!("does not fit the data validation of its cell: {}{more}{looked}", told.join("; "));
    Ok(vec![Note { level: Level::Warning, text }])
}

fn constant_rows(view: &View, input: &Input) -> Option<Vec<Vec<Value>>> {
    Some(vec![vec![constant(view, input)?]])
}

/// What an entry puts into its cell, if that is a value.
fn constant(view: &View, input: &Input) -> Option<Value> {
    match input {
        Input::Number(number) | Input::Formatted { number, .. } => Some(Value::Number(*number)),
        Input::Bool(truth) => Some(Value::Bool(*truth)),
        Input::Text(text) => Some(Value::from(text.as_str())),
        Input::Date(text) => view.date_serial(text).map(Value::Number),
        _ => None,
    }
}
