//! Bringing formulas up to date after edits, and checking them against what the file says.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Context, Level, Note, Patch, Refusal, Step};
use formula::{CellRef as FormulaCell, Mode, Outcome as Answer, Report, Value};
use ooxml::xml::ns;
use serde::Serialize;

use crate::a1::{Area, CellRef};
use crate::model::{Model, clock, place, write_values};
use crate::view::View;
use crate::xml_edit::{WORKBOOK_ORDER, Xml};

pub(crate) fn settle(view: &View, cx: &Context) -> Result<Option<Step>, Refusal> {
    if view.dirt.is_empty() || !has_formulas(view)? {
        let _ = view.settled.set(None);
        return Ok(None);
    }
    let mut model = Model::build(view)?;
    let clock = clock(view, cx);
    let report = match view.dirt.all {
        true => model.engine.recalculate_all(&mut model.grid, clock),
        false => {
            let changed: Vec<FormulaCell> =
                view.dirt.cells.iter().map(|(sheet, at)| place(*sheet, *at)).collect();
            model.engine.recalculate(&changed, &mut model.grid, clock)
        }
    };
    let step = write_back(view, &model, &report, cx)?;
    let _ = view.settled.set(step.as_ref().map(|step| step.patch.clone()));
    Ok(step)
}

/// Calculates everything.
pub(crate) fn calculate_all(view: &View, cx: &Context) -> Result<Step, Refusal> {
    let mut model = Model::build(view)?;
    let report = model.engine.recalculate_all(&mut model.grid, clock(view, cx));
    let mut step = write_back(view, &model, &report, cx)?.unwrap_or_default();
    step.summary = format!("Calculate {} formulas", report.evaluated);
    Ok(step)
}

pub(crate) fn has_formulas(view: &View) -> Result<bool, Refusal> {
    for sheet in view.worksheets() {
        // A sheet that cannot be read has nothing to say, and must not keep others from being edited.
        if sheet.is_ok_and(|sheet| sheet.worksheet.has_formulas()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// New values of one sheet, and over which ranges its arrays go.
type Written = (BTreeMap<CellRef, Value>, BTreeMap<CellRef, Area>);

fn write_back(view: &View, model: &Model, report: &Report, cx: &Context) -> Result<Option<Step>, Refusal> {
    let mut sheets: BTreeMap<usize, Written> = BTreeMap::new();
    // A circle has no value of its own. What the file says of it, and of what depends on it, stays.
    let circular =
        if model.engine.iteration.is_some() { BTreeSet::new() } else { model.reached_from(&report.circular) };
    for at in report.changed.iter().filter(|at| !circular.contains(at)) {
        let entry = sheets.entry(at.sheet.0 as usize).or_default();
        entry.0.insert(CellRef::new(at.row, at.col), model.value(*at));
    }
    if !sheets.is_empty() {
        spilled(view, model, cx, &mut sheets);
    }
    let mut patch = Patch::new();
    for (position, (values, spills)) in &sheets {
        write_values(&view.sheet_at(*position)?, values, spills, &mut patch)?;
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
    if !report.unanswerable.is_empty()
        || !model.unread.is_empty()
        || !model.data_tables.is_empty()
        || model.unreadable
        || !circular.is_empty()
    {
        calculate_on_load(view, &mut patch)?;
    }
    if let Some(first) = report.circular.first() {
        let text = format!(
            "{} formulas refer to themselves in a circle, among them {}",
            report.circular.len(),
            shown(view, *first)
        );
        notes.push(Note { level: Level::Warning, text });
    }
    if patch.is_empty() && notes.is_empty() {
        return Ok(None);
    }
    Ok(Some(Step { patch, summary: String::new(), notes }))
}

/// Over which ranges arrays go now, where that is another than the file says.
fn spilled(view: &View, model: &Model, cx: &Context, sheets: &mut BTreeMap<usize, Written>) {
    for (at, formula) in model.formulas.iter().filter(|(_, formula)| formula.mode == Mode::Dynamic) {
        let own = CellRef::new(at.row, at.col);
        let Ok(parsed) = formula::parse(&formula.text) else { continue };
        // An array that cannot spill stays in its cell.
        let blocked = matches!(model.value(*at), Value::Error(formula::ErrorKind::Spill));
        let answer = model.engine.evaluate(&parsed.expr, *at, Mode::Dynamic, &model.grid, clock(view, cx));
        let area = match answer {
            Answer::Array(array) if !blocked => Area {
                top: at.row,
                left: at.col,
                bottom: at.row + array.rows() as u32 - 1,
                right: at.col + array.cols() as u32 - 1,
            },
            Answer::Unanswerable(_) => continue,
            _ => Area::cell(own),
        };
        if formula.area != Some(area) {
            sheets.entry(at.sheet.0 as usize).or_default().1.insert(own, area);
        }
    }
}

fn shown(view: &View, at: FormulaCell) -> String {
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

/// How a full calculation compares with the values in the file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verification {
    pub formula_cells: usize,
    pub equal: usize,
    /// Formulas the file has no value for, as programs write them that do not calculate.
    pub uncached: usize,
    pub different: Vec<Difference>,
    pub unanswerable: Vec<Unanswerable>,
    /// Formulas whose value in the file is an error.
    pub errors: Vec<Difference>,
    pub circular: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// `Sheet!A1`.
    pub address: String,
    pub formula: String,
    pub ours: String,
    pub cached: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Unanswerable {
    pub address: String,
    pub formula: String,
    pub reason: String,
}

/// Calculates everything and compares it with the values that the file has.
pub fn verify(view: &View, cx: &Context) -> Result<Verification, Refusal> {
    let mut model = Model::build(view)?;
    let cached: BTreeMap<FormulaCell, Value> =
        model.formulas.keys().map(|at| (*at, model.value(*at))).collect();
    let report = model.engine.recalculate_all(&mut model.grid, clock(view, cx));
    let mut found =
        Verification { formula_cells: cached.len() + model.unread.len(), ..Verification::default() };
    let mut skip: BTreeMap<FormulaCell, String> =
        report.unanswerable.iter().map(|(at, why)| (*at, why.to_string())).collect();
    for at in model.volatile() {
        skip.entry(at).or_insert_with(|| "volatile".to_owned());
    }
    if model.engine.iteration.is_none() {
        for at in model.reached_from(&report.circular) {
            skip.entry(at).or_insert_with(|| "circular".to_owned());
        }
    }
    let after_unanswerable: BTreeSet<FormulaCell> = report.unanswerable.iter().map(|(at, _)| *at).collect();
    for (at, why) in &model.unread {
        let address = shown(view, *at);
        found.unanswerable.push(Unanswerable {
            address,
            formula: String::new(),
            reason: format!("not read: {why}"),
        });
    }
    for (at, cached) in &cached {
        let formula = model.formulas.get(at).map(|formula| formula.text.to_string()).unwrap_or_default();
        let address = shown(view, *at);
        let ours = model.value(*at);
        if let Value::Error(kind) = cached {
            let (ours, cached) = (show(&ours), kind.text().to_owned());
            found.errors.push(Difference {
                address: address.clone(),
                formula: formula.clone(),
                ours,
                cached,
            });
        }
        // Values that came from something we cannot answer stand as they were, so they compare equal.
        if let Some(reason) = skip.get(at) {
            found.unanswerable.push(Unanswerable { address, formula, reason: reason.clone() });
        } else if cached.is_blank() && !ours.is_blank() {
            found.uncached += 1;
        } else if same(cached, &ours) || after_unanswerable.contains(at) {
            found.equal += 1;
        } else {
            found.different.push(Difference { address, formula, ours: show(&ours), cached: show(cached) });
        }
    }
    found.circular = report.circular.iter().map(|at| shown(view, *at)).collect();
    Ok(found)
}

/// Excel writes 15 to 17 digits and sums in an order of its own, so the last bits do not count.
fn same(cached: &Value, ours: &Value) -> bool {
    match (cached, ours) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) || a.abs() < 1e-300 && b.abs() < 1e-300
        }
        (Value::Blank, Value::Text(text)) | (Value::Text(text), Value::Blank) => text.is_empty(),
        (a, b) => a == b,
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Blank => String::new(),
        Value::Number(number) => crate::set_cells::show_number(*number),
        Value::Text(text) => format!("{text:?}"),
        Value::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Error(kind) => kind.text().to_owned(),
    }
}
