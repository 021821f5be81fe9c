//! Checking a full calculation against the values that the file has.

use std::collections::BTreeMap;

use edit::{Context, OrEmpty, Refusal};
use formula::{CellRef as FormulaCell, Value};
use serde::Serialize;

use crate::calc::model::Model;
use crate::calc::settle::shown;
use crate::calc::view::View;

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
    /// The language that texts were calculated in, such as `de-DE`.
    pub locale: String,
    /// Why the values in the file may be older than its formulas; then a difference says nothing about either.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// `Sheet!A1`.
    pub address: String,
    pub formula: String,
    pub ours: String,
    pub cached: String,
}

/// A formula whose value cannot be had from the workbook alone.
#[derive(Clone, Debug, Serialize)]
pub struct Unanswerable {
    pub address: String,
    pub formula: String,
    pub reason: Reason,
    /// The function, the other workbook, or where it stopped to be readable.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The moment, chance or the machine, itself or through others.
    Volatile,
    /// Another workbook or a service, of which the file keeps no value.
    External,
    Cube,
    /// A function that a macro or an add-in brings.
    Macro,
    /// It refers to itself, and the workbook does not iterate.
    Circular,
    /// The text is no formula that we can read.
    Unread,
    /// Excel could answer it, we cannot.
    Unsupported,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Reason::Volatile => "volatile",
            Reason::External => "external",
            Reason::Cube => "cube",
            Reason::Macro => "macro",
            Reason::Circular => "circular",
            Reason::Unread => "unread",
            Reason::Unsupported => "unsupported",
        }
    }

    /// What kind of thing stopped the calculation.
    fn of(why: &str) -> Reason {
        let services = [
            "RTD",
            "WEBSERVICE",
            "IMPORTCSV",
            "IMPORTTEXT",
            "STOCKHISTORY",
            "TRANSLATE",
            "DETECTLANGUAGE",
            "COPILOT",
            "PY",
            "SQL.REQUEST",
        ];
        match why {
            _ if why.starts_with("CUBE") => Reason::Cube,
            _ if why.contains("external workbook") || services.contains(&why) => Reason::External,
            _ if why.starts_with("CELL(") => Reason::Volatile,
            _ if why.starts_with("function ") || matches!(why, "CALL" | "REGISTER.ID") => Reason::Macro,
            _ => Reason::Unsupported,
        }
    }
}

/// Calculates everything and compares it with the values that the file has.
pub fn verify(view: &View, cx: &Context) -> Result<Verification, Refusal> {
    // Filling a model with millions of cells takes seconds, and nobody would read them.
    if !view.has_formulas()? {
        return Ok(Verification::default());
    }
    let mut model = Model::build_until(view, &cx.stop)?;
    model.grid.stop = cx.stop.clone();
    let clock = model.clock(view, cx);
    let cells = model.formula_cells().into_iter().chain(model.data_tables.keys().copied());
    let cached: BTreeMap<FormulaCell, Value> = cells.map(|at| (at, model.value(at))).collect();
    let report = model.engine.recalculate_all(&mut model.grid, clock);
    cx.stop.check()?;
    let mut found =
        Verification { formula_cells: cached.len() + model.unread.len(), ..Verification::default() };
    found.locale = clock.locale.tag().to_owned();
    let mut skip: BTreeMap<FormulaCell, (Reason, String)> =
        report.unanswerable.iter().map(|(at, why)| (*at, (Reason::of(why), why.to_string()))).collect();
    for at in model.engine.moving(&model.grid, clock) {
        skip.entry(at).or_insert((Reason::Volatile, String::new()));
    }
    if model.engine.iteration.is_none() {
        for at in model.reached_from(&report.circular) {
            skip.entry(at).or_insert((Reason::Circular, String::new()));
        }
    }
    for (at, why) in model.unread.iter() {
        found.unanswerable.push(Unanswerable {
            address: shown(view, *at),
            formula: String::new(),
            reason: Reason::Unread,
            detail: why.clone(),
        });
    }
    for (at, cached) in &cached {
        let formula = match model.formula(*at) {
            Some(formula) => formula.text(*at),
            None => model.data_tables.get(at).cloned().or_empty(),
        };
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
        match skip.get(at) {
            // A function that nobody defines has that error for its value.
            Some((Reason::Macro, _)) if *cached == Value::Error(formula::ErrorKind::Name) => found.equal += 1,
            Some((reason, detail)) => {
                found.unanswerable.push(Unanswerable {
                    address,
                    formula,
                    reason: *reason,
                    detail: detail.clone(),
                });
            }
            None if cached.is_blank() && !ours.is_blank() => found.uncached += 1,
            None if same(cached, &ours) => found.equal += 1,
            None => {
                found.different.push(Difference {
                    address,
                    formula,
                    ours: show(&ours),
                    cached: show(cached),
                });
            }
        }
    }
    found.stale = stale(view, &found);
    found.circular = report.circular.iter().map(|at| shown(view, *at)).collect();
    Ok(found)
}

/// What the file says of its values, or what they say of themselves.
fn stale(view: &View, found: &Verification) -> Vec<String> {
    let mut reasons = Vec::new();
    if view.workbook.calculation.on_load {
        reasons.push("the workbook asks to be calculated when it is opened (fullCalcOnLoad)".to_owned());
    }
    if !view.workbook.calculation.automatic {
        reasons.push("the workbook is calculated by hand only".to_owned());
    }
    if found.uncached > 0 {
        reasons.push(format!("{} formulas have no value in the file", found.uncached));
    }
    reasons
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
        Value::Number(number) => crate::file::numbers::show_number(*number),
        Value::Text(text) => format!("{text:?}"),
        Value::Bool(flag) => if *flag { "TRUE" } else { "FALSE" }.to_owned(),
        Value::Error(kind) => kind.text().to_owned(),
    }
}
