//! Questions to the formulas of a workbook: what depends on what, and what if.
//!
//! A calculator is made from a view and lives apart from it: values set here are tried out, never written.

use edit::{Context, OrEmpty, Refusal};
use formula::{Clock, Mode, Outcome as Answer, Store, Value};

use crate::calc::model::Model;
use crate::calc::place::{AreaOnSheet, CellOnSheet, inner, outer};
use crate::calc::view::View;
use crate::file::a1::Area;

/// Characters of a formula in a message about it.
const MOST_SHOWN: usize = 200;

/// The formulas of a workbook, ready to be asked.
#[derive(Debug)]
pub struct Calculator {
    model: Model,
    clock: Clock,
    sheets: usize,
}

impl Calculator {
    pub fn new(view: &View, cx: &Context) -> Result<Calculator, Refusal> {
        let mut model = view.model()?;
        let clock = model.clock(view, cx);
        if !model.unvalued.is_empty() {
            let unvalued: Vec<_> = model.unvalued.iter().copied().collect();
            model.engine.recalculate(&unvalued, &mut model.grid, clock);
            model.valued();
        }
        Ok(Calculator { model, clock, sheets: view.workbook.sheets.len() })
    }

    pub fn value(&self, place: CellOnSheet) -> Value {
        self.model.value(inner(place))
    }

    /// The formula of a cell as it reads there.
    pub fn formula(&self, place: CellOnSheet) -> Option<String> {
        let at = inner(place);
        self.model.formula(at).map(|formula| formula.text(at))
    }

    /// Every cell with a formula, in sheet order.
    pub fn formulas(&self) -> impl Iterator<Item = (CellOnSheet, String)> {
        let cells = self.model.formula_cells().into_iter();
        cells.filter_map(|at| self.model.formula(at).map(|formula| (outer(at), formula.text(at))))
    }

    /// Calculates every formula; answers how many there were.
    pub fn calculate(&mut self) -> usize {
        self.model.engine.recalculate_all(&mut self.model.grid, self.clock).evaluated
    }

    /// Calculates every formula; answers those that go round in a circle.
    pub fn circular(&mut self) -> Vec<CellOnSheet> {
        let report = self.model.engine.recalculate_all(&mut self.model.grid, self.clock);
        report.circular.into_iter().map(outer).collect()
    }

    /// The areas that a cell's formula names.
    pub fn precedents(&self, place: CellOnSheet) -> Vec<AreaOnSheet> {
        self.on_sheets(self.model.engine.precedents(inner(place)).or_empty())
    }

    /// The cells whose formulas name a cell.
    pub fn dependents(&self, place: CellOnSheet) -> Vec<CellOnSheet> {
        self.model.engine.dependents(inner(place)).into_iter().map(outer).collect()
    }

    pub fn is_volatile(&self, place: CellOnSheet) -> bool {
        self.model.engine.is_volatile(inner(place))
    }

    /// Puts values into cells for the sake of argument and calculates what depends on them; answers the cells
    /// whose values changed by that. A formula that stood there is set aside until the calculator is made anew.
    pub fn suppose(&mut self, values: &[(CellOnSheet, Value)]) -> Vec<CellOnSheet> {
        let mut changed = Vec::with_capacity(values.len());
        for (place, value) in values {
            let at = inner(*place);
            self.model.engine.remove(at);
            self.model.grid.set(at, value.clone());
            changed.push(at);
        }
        let report = self.model.engine.recalculate(&changed, &mut self.model.grid, self.clock);
        report.changed.into_iter().map(outer).collect()
    }

    /// The areas that a formula names, as if it stood in a cell.
    pub fn reads(&self, text: &str, place: CellOnSheet) -> Vec<AreaOnSheet> {
        let Ok(parsed) = formula::parse(text.strip_prefix('=').unwrap_or(text)) else { return Vec::new() };
        self.on_sheets(&self.model.engine.reads(&parsed.expr, inner(place)))
    }

    fn on_sheets(&self, areas: &[formula::Area]) -> Vec<AreaOnSheet> {
        let own = areas.iter().filter(|area| (area.sheet.0 as usize) < self.sheets);
        own.map(|area| AreaOnSheet {
            sheet: area.sheet.0 as usize,
            area: Area { top: area.top, left: area.left, bottom: area.bottom, right: area.right },
        })
        .collect()
    }

    /// The value of a formula as if it stood in a cell; arrays row by row.
    pub fn evaluate(&self, text: &str, place: CellOnSheet) -> Result<Vec<Vec<Value>>, Refusal> {
        let body = text.strip_prefix('=').unwrap_or(text);
        let parsed = formula::parse(body).map_err(|error| {
            let shown: String = body.chars().take(MOST_SHOWN).collect();
            let more = if shown.len() < body.len() { "…" } else { "" };
            Refusal::invalid("formula", format!("`={shown}{more}`"), format!("a formula ({error})"))
        })?;
        let answer = self.model.engine.evaluate(
            &parsed.expr,
            inner(place),
            Mode::Dynamic,
            &self.model.grid,
            self.clock,
        );
        match answer {
            Answer::Value(value) => Ok(vec![vec![value]]),
            Answer::Array(array) => Ok((0..array.rows()).map(|row| array.row_values(row).to_vec()).collect()),
            Answer::Unanswerable(why) => {
                Err(Refusal::Unsupported { what: format!("={body} ({why})"), instead: None })
            }
        }
    }
}
