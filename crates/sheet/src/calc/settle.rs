//! Bringing formulas up to date after edits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use edit::{Context, Level, Note, Patch, Refusal, Settlement, Step, Stop};
use formula::{CellRef as FormulaCell, Report, SheetId, Value};
use ooxml::xml::ns;

use crate::calc::affected;
use crate::calc::dirt;
use crate::calc::model::{Model, write_values};
use crate::calc::place::{outer, place};
use crate::calc::rich_errors;
use crate::calc::settled::{Reached, Settled};
use crate::calc::view::View;
use crate::file::a1::{Area, CellRef};
use crate::file::xml_edit::{WORKBOOK_ORDER, Xml};

pub(crate) fn settle(view: &View, cx: &Context) -> Result<Settlement<Settled>, Refusal> {
    if view.dirt.is_empty() || !view.has_formulas()? {
        return Ok(Settlement::default());
    }
    let kept = match &view.model {
        Some(known) => {
            let mut model = (**known).clone();
            model.update(view, &view.dirt)?.then_some(model)
        }
        None => None,
    };
    let (mut model, stuck) = match kept {
        Some(model) => (model, Vec::new()),
        None => {
            let mut model = Model::build_until(view, &cx.stop)?;
            let stuck = model.stuck();
            let dirty: Vec<FormulaCell> =
                view.dirt.cells.iter().map(|(sheet, at)| place(*sheet, *at)).collect();
            model.find_language(&dirty);
            (model, stuck)
        }
    };
    let clock = model.clock(view, cx);
    cx.stop.check()?;
    model.grid.stop = cx.stop.clone();
    let report = match view.dirt.all {
        true => model.engine.recalculate_all(&mut model.grid, clock),
        false => {
            // A formula that has another value than it had may have come from elsewhere with its row, value and
            // all. What an array fills follows the array.
            let cached = view.dirt.cached.iter().map(|(sheet, at)| place(*sheet, *at));
            let cached = cached.filter(|at| model.formula(*at).is_some());
            let mut changed: Vec<FormulaCell> = cached.chain(stuck).collect();
            let mut moved = false;
            if let Some(since) = &view.dirt.since {
                let (cells, elsewhere) = affected::cells(view.model.as_deref(), since, view, &model)?;
                changed.extend(cells);
                moved = elsewhere;
            }
            for (sheet, at) in &view.dirt.cells {
                let here = place(*sheet, *at);
                if model.formula(here).is_some() || !dirt::fills_array(view.worksheet(*sheet)?, *at)? {
                    changed.push(here);
                }
            }
            let changed = model.with_unvalued(changed);
            match view.dirt.since {
                // Lines, sheets or names came, went or moved. No value was changed by that.
                Some(_) if !moved => model.engine.recalculate_named(&changed, &mut model.grid, clock),
                Some(_) => model.engine.recalculate_moved(&changed, &mut model.grid, clock),
                None => model.engine.recalculate(&changed, &mut model.grid, clock),
            }
        }
    };
    cx.stop.check()?;
    model.grid.stop = Stop::never();
    let Written { step, changed } = write_back(view, &mut model, &report)?;
    model.valued();
    let old = match model.engine.iteration {
        Some(_) => Vec::new(),
        None => old_circles(view, &model, &report),
    };
    let as_calculated = old.is_empty() && held_arrays(&model, &report).is_empty();
    let is_error = |at: &&FormulaCell| matches!(model.value(**at), Value::Error(_));
    let mut new_errors = Vec::new();
    for at in changed.iter().filter(is_error) {
        let before = view.sheet_at(at.sheet.0 as usize)?.value(CellRef::new(at.row, at.col))?;
        if !matches!(before, Value::Error(_)) {
            new_errors.push(outer(*at));
        }
    }
    let behind = match model.engine.iteration {
        Some(_) => BTreeSet::new(),
        None => model.reached_from(&report.circular),
    };
    let found = Settled {
        new_errors,
        behind_circles: behind.into_iter().filter(|at| !report.circular.contains(at)).map(outer).collect(),
        evaluated: report.evaluated,
        errors: changed.iter().filter(is_error).copied().map(outer).collect(),
        changed: changed.into_iter().map(outer).collect(),
        circular: report.circular.iter().copied().map(outer).collect(),
        unanswerable: report.unanswerable.iter().map(|(at, why)| (outer(*at), Arc::clone(why))).collect(),
        reached: if as_calculated { Reached::Model(Arc::new(model)) } else { Reached::Values },
    };
    Ok(Settlement { step, found })
}

/// Calculates everything.
pub(crate) fn calculate_all(view: &View, cx: &Context) -> Result<Step, Refusal> {
    let mut model = Model::build_until(view, &cx.stop)?;
    model.grid.stop = cx.stop.clone();
    let clock = model.clock(view, cx);
    let report = model.engine.recalculate_all(&mut model.grid, clock);
    cx.stop.check()?;
    let mut step = write_back(view, &mut model, &report)?.step.unwrap_or_default();
    if let Some((at, why)) = model.unread.iter().next() {
        let text = format!(
            "{} formulas cannot be read and keep their last value, among them {} ({why})",
            model.unread.len(),
            shown(view, *at)
        );
        step.notes.push(Note { level: Level::Warning, text });
    }
    step.summary = format!("Calculate {} formulas", report.evaluated);
    Ok(step)
}

/// New values of one sheet, and over which ranges its arrays go.
type NewValues = (BTreeMap<CellRef, Value>, BTreeMap<CellRef, Area>);

struct Written {
    /// `None` if there is nothing to write and nothing to say.
    step: Option<Step>,
    changed: Vec<FormulaCell>,
}

fn write_back(view: &View, model: &mut Model, report: &Report) -> Result<Written, Refusal> {
    let mut sheets: BTreeMap<usize, NewValues> = BTreeMap::new();
    // A circle that stood in the file has no value of its own: what is said there of it, and of what depends on it,
    // stays. One that came about now is zero, as in Excel.
    let circular = match model.engine.iteration {
        Some(_) => BTreeSet::new(),
        None => model.reached_from(&old_circles(view, model, report)),
    };
    let held = held_arrays(model, report);
    let is_held = |at: &FormulaCell| {
        held.iter().any(|(sheet, area)| *sheet == at.sheet && area.contains(CellRef::new(at.row, at.col)))
    };
    let changed = report.changed.iter().filter(|at| !circular.contains(at) && !is_held(at));
    let changed: Vec<FormulaCell> = changed.copied().collect();
    for at in &changed {
        let entry = sheets.entry(at.sheet.0 as usize).or_default();
        entry.0.insert(CellRef::new(at.row, at.col), model.value(*at));
    }
    spilled(model, report, &held, &mut sheets);
    let mut patch = Patch::new();
    let young = sheets.values().flat_map(|(values, _)| values.values()).filter_map(|value| match value {
        Value::Error(kind) if rich_errors::is_young(*kind) => Some(kind.number()),
        _ => None,
    });
    let marks = rich_errors::marks(view, &young.collect(), &mut patch)?;
    for (position, (values, spills)) in &sheets {
        write_values(&view.sheet_at(*position)?, values, spills, &marks, &mut patch)?;
    }
    let mut notes = Vec::new();
    // What we could not calculate is left to whoever opens the file next.
    let reached: Vec<String> =
        report.unanswerable.iter().take(5).map(|(at, why)| format!("{} ({why})", shown(view, *at))).collect();
    if !report.unanswerable.is_empty() {
        let text = format!(
            "{} formulas keep their last value and are calculated when Excel opens the file: {}",
            report.unanswerable.len(),
            reached.join(", ")
        );
        notes.push(Note { level: Level::Warning, text });
    }
    for (sheet, why) in model.unreadable.iter().take(3) {
        let text = format!("formulas of `{sheet}`, and those that read it, were not calculated: {why}");
        notes.push(Note { level: Level::Warning, text });
    }
    let circle = model.engine.iteration.is_none() && !report.circular.is_empty();
    let left = !report.unanswerable.is_empty() || !model.unread.is_empty() || circle;
    if left || !model.unreadable.is_empty() {
        calculate_on_load(view, &mut patch)?;
    }
    if !report.circular.is_empty() {
        notes.push(told_circle(view, model, report));
    }
    let silent = patch.is_empty() && notes.is_empty();
    let step = (!silent).then(|| Step { patch, summary: String::new(), notes });
    Ok(Written { step, changed })
}

/// Cells of circles of which no formula was entered now.
fn old_circles(view: &View, model: &Model, report: &Report) -> Vec<FormulaCell> {
    let entered = view.dirt.cells.iter().map(|(sheet, at)| place(*sheet, *at));
    let entered: Vec<FormulaCell> = entered.filter(|at| report.circular.binary_search(at).is_ok()).collect();
    let new = if view.dirt.all { BTreeSet::new() } else { model.reached_from(&entered) };
    report.circular.iter().copied().filter(|at| !new.contains(at)).collect()
}

fn told_circle(view: &View, model: &Model, report: &Report) -> Note {
    let count = report.circular.len();
    let first: Vec<String> = report.circular.iter().take(5).map(|at| shown(view, *at)).collect();
    let more = if count > first.len() { format!(" and {} more", count - first.len()) } else { String::new() };
    let becomes = match (&model.engine.iteration, old_circles(view, model, report).len()) {
        (Some(_), _) => "calculated over and over, as the workbook asks for",
        (None, 0) => "0 until the circle is broken, as in Excel",
        (None, old) if old == count => "left with the values they had",
        (None, _) => "0, or left with the values they had, until the circle is broken",
    };
    let (formulas, refer, are) = if count == 1 {
        ("formula", "refers to itself", "is")
    } else {
        ("formulas", "refer to themselves", "are")
    };
    let text =
        format!("{count} {formulas} {refer} in a circle and {are} {becomes}: {}{more}", first.join(", "));
    Note { level: Level::Warning, text }
}

/// Arrays that cannot be calculated here: all that they filled stays, not their first value only.
fn held_arrays(model: &Model, report: &Report) -> Vec<(SheetId, Area)> {
    let areas = report.unanswerable.iter().filter_map(|(at, _)| {
        let area = model.formula(*at)?.area.filter(|area| !area.is_cell())?;
        Some((at.sheet, area))
    });
    areas.collect()
}

/// Over which ranges arrays go now, where that is another than the file says.
fn spilled(
    model: &mut Model,
    report: &Report,
    held: &[(SheetId, Area)],
    sheets: &mut BTreeMap<usize, NewValues>,
) {
    for at in &report.spilled {
        let own = CellRef::new(at.row, at.col);
        if held.iter().any(|(sheet, area)| *sheet == at.sheet && area.first() == own) {
            continue;
        }
        let area = match model.engine.spilled_to(*at) {
            Some(area) => Area { top: area.top, left: area.left, bottom: area.bottom, right: area.right },
            None => Area::cell(own),
        };
        if model.formula(*at).is_some_and(|formula| formula.area != Some(area)) {
            model.set_area(*at, area);
            sheets.entry(at.sheet.0 as usize).or_default().1.insert(own, area);
        }
    }
}

pub(crate) fn shown(view: &View, at: FormulaCell) -> String {
    let name = view.workbook.sheets.get(at.sheet.0 as usize).map_or("", |tab| &tab.name);
    format!("{}!{}", formula::quote_sheet(name), CellRef::new(at.row, at.col))
}

/// Asks whoever opens the workbook to calculate it.
pub(crate) fn calculate_on_load(view: &View, patch: &mut Patch) -> Result<(), Refusal> {
    let workbook = &view.workbook;
    let xml = Xml::new(&workbook.part, &workbook.document);
    match xml.root().child(ns::S, "calcPr") {
        Some(node) => xml.set_attribute(patch, &node, "fullCalcOnLoad", "1"),
        None => {
            let markup = format!("<{}calcPr fullCalcOnLoad=\"1\"/>", workbook.prefix());
            xml.insert(patch, WORKBOOK_ORDER, "calcPr", &markup)
        }
    }
}
