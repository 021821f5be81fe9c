//! Answers that the workbook's own formulas give: what if, and what would have to be.

use std::collections::BTreeMap;

use edit::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use sheet::{AreaOnSheet, Calculator, CellOnSheet, CellRef, Value};

use super::cell_value::plain;
use super::write::{Given, as_input};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::{self, CellArg, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<EvaluateFormula>(), entry::<EvaluateFormulas>(), entry::<SweepInputs>(), entry::<GoalSeek>()]
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Evaluated {
    formula: String,
    /// A value, or rows of values.
    value: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<EvaluationError>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EvaluationError {
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

function! {
    /// The value of a formula as if it stood on a sheet; nothing is written.
    "evaluateFormula" EvaluateFormula { sheet: String, formula: String } -> Evaluated => evaluate_formula
}

fn evaluate_formula(host: &mut Host, call: EvaluateFormula) -> Result<Evaluated, Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    evaluated(host, sheet, call.formula)
}

function! {
    /// The values of several formulas.
    "evaluateFormulas" EvaluateFormulas { sheet: String, formulas: Vec<String> } -> Vec<Evaluated> => evaluate_formulas
}

fn evaluate_formulas(host: &mut Host, call: EvaluateFormulas) -> Result<Vec<Evaluated>, Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    // One that cannot be read takes nothing from the others.
    let each = |formula: String| match evaluated(host, sheet, formula.clone()) {
        Err(fault) if fault.code == "INVALID_ARGUMENT" => {
            let error = EvaluationError { code: fault.code, detail: Some(fault.message) };
            Ok(Evaluated { formula, value: Json::Null, error: Some(error) })
        }
        other => other,
    };
    call.formulas.into_iter().map(each).collect()
}

/// A cell that no formula reads, so that what is evaluated there is not its own precedent.
const ELSEWHERE: CellRef = CellRef::new(1_048_575, 16_383);

fn evaluated(host: &mut Host, sheet: usize, formula: String) -> Result<Evaluated, Fault> {
    host.cx().stop.check()?;
    for AreaOnSheet { sheet, area } in
        host.calculator()?.reads(&formula, CellOnSheet { sheet, at: ELSEWHERE })
    {
        host.read(Range { sheet, area });
    }
    let rows = match host.calculator()?.evaluate(&formula, CellOnSheet { sheet, at: ELSEWHERE }) {
        Ok(rows) => rows,
        Err(Refusal::Unsupported { what, .. }) => {
            // As in a cell: Excel shows #NAME? for a function that there is not.
            let nothing = host.view().calls_nothing_known(&formula, sheet);
            let (value, code) = match nothing {
                true => (json!("#NAME?"), "#NAME?"),
                false => (Json::Null, "NOT_CALCULATED"),
            };
            let error =
                EvaluationError { code: code.to_owned(), detail: Some(format!("{what} is not known here")) };
            return Ok(Evaluated { formula, value, error: Some(error) });
        }
        Err(refusal) => return Err(refusal.into()),
    };
    let first_error = rows.iter().flatten().find_map(|value| match value {
        Value::Error(error) => Some(EvaluationError { code: error.to_string(), detail: None }),
        _ => None,
    });
    let value = match rows.as_slice() {
        [row] if row.len() == 1 => row.first().map(plain).unwrap_or(Json::Null),
        rows => rows.iter().map(|row| row.iter().map(plain).collect::<Json>()).collect(),
    };
    Ok(Evaluated { formula, value, error: first_error })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SweptInput {
    address: CellArg,
    values: Vec<Given>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SweepMode {
    /// Every value with every other.
    #[default]
    Cartesian,
    /// The first values together, then the second, and so on.
    Parallel,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Sweep {
    inputs: Vec<SweptInput>,
    outputs: Vec<CellArg>,
    #[serde(default)]
    mode: SweepMode,
    #[serde(default)]
    include_stats: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Swept {
    tsv: String,
    sweeps: Vec<Trial>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<BTreeMap<String, Stats>>,
    sweep_count: usize,
    input_count: usize,
    output_count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Trial {
    inputs: BTreeMap<String, Json>,
    outputs: BTreeMap<String, Json>,
    errors: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stats {
    min: f64,
    max: f64,
    mean: f64,
    count: usize,
}

const MOST_TRIALS: usize = 20_000;

function! {
    /// What outputs become for other values of inputs. The workbook is as before afterwards.
    "sweepInputs" SweepInputs { sweep: Sweep } -> Swept => sweep_inputs
}

fn sweep_inputs(host: &mut Host, call: SweepInputs) -> Result<Swept, Fault> {
    let Sweep { inputs, outputs, mode, include_stats } = call.sweep;
    if inputs.is_empty() || outputs.is_empty() {
        return Err(Fault::invalid("`inputs` and `outputs` each name at least one cell"));
    }
    let mut places: Vec<(CellOnSheet, Vec<Value>)> = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        let (sheet, at) = reference::cell(host, &input.address)?;
        if input.values.is_empty() {
            return Err(Fault::invalid(format!("inputs[{index}] has no values")));
        }
        if let Some(formula) = host.sheet(sheet)?.cell(at)?.and_then(|cell| cell.formula) {
            return Err(Fault::invalid(format!(
                "{} holds the formula ={}; sweep the cells that it comes from (traceToInputs)",
                host.address(sheet, at),
                formula.shown()
            )));
        }
        let values = input.values.iter().map(|given| supposed(host, given)).collect::<Result<_, _>>()?;
        places.push((CellOnSheet { sheet, at }, values));
    }
    let outputs: Vec<CellOnSheet> = outputs
        .iter()
        .map(|output| reference::cell(host, output).map(|(sheet, at)| CellOnSheet { sheet, at }))
        .collect::<Result<_, _>>()?;
    let trials = trials(&places, mode)?;
    for place in places.iter().map(|(place, _)| place).chain(&outputs) {
        host.read(Range { sheet: place.sheet, area: sheet::Area::cell(place.at) });
    }
    let mut calculator = host.new_calculator()?;
    let mut sweeps = Vec::with_capacity(trials.len());
    let mut tsv: Vec<String> = vec![
        places
            .iter()
            .map(|(place, _)| *place)
            .chain(outputs.iter().copied())
            .map(|place| host.place(place))
            .collect::<Vec<_>>()
            .join("\t"),
    ];
    for trial in &trials {
        host.cx().stop.check()?;
        let values: Vec<(CellOnSheet, Value)> =
            places.iter().zip(trial).map(|((place, _), value)| (*place, value.clone())).collect();
        calculator.suppose(&values);
        let mut told = Trial { inputs: BTreeMap::new(), outputs: BTreeMap::new(), errors: Vec::new() };
        let mut line = Vec::new();
        for (place, value) in &values {
            told.inputs.insert(host.place(*place), plain(value));
            line.push(text(value));
        }
        for place in &outputs {
            let value = calculator.value(*place);
            if let Value::Error(error) = &value {
                told.errors.push(format!("{} is {error}", host.place(*place)));
            }
            line.push(text(&value));
            told.outputs.insert(host.place(*place), plain(&value));
        }
        tsv.push(line.join("\t"));
        sweeps.push(told);
    }
    let stats = include_stats
        .then(|| outputs.iter().filter_map(|place| stats(&host.place(*place), &sweeps)).collect());
    Ok(Swept {
        tsv: tsv.join("\n"),
        sweep_count: sweeps.len(),
        input_count: places.len(),
        output_count: outputs.len(),
        sweeps,
        stats,
    })
}

fn text(value: &Value) -> String {
    match plain(value) {
        Json::String(text) => text.replace(['\t', '\n'], " "),
        Json::Null => String::new(),
        // As people write numbers: 1, not 1.0.
        Json::Number(number) => match number.as_f64() {
            Some(number) => number.to_string(),
            None => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// A given value as calculation takes it.
fn supposed(host: &Host, given: &Given) -> Result<Value, Fault> {
    Ok(match as_input(given)? {
        sheet::Input::Number(number) => Value::Number(number),
        sheet::Input::Bool(truth) => Value::Bool(truth),
        sheet::Input::Text(text) => Value::from(text.as_str()),
        sheet::Input::Clear => Value::Blank,
        sheet::Input::Date(date) => {
            let serial = host.view().date_serial(&date);
            Value::Number(
                serial.ok_or_else(|| Fault::invalid(format!("{date} is no date that a workbook knows")))?,
            )
        }
        other => return Err(Fault::invalid(format!("{other:?} cannot be tried"))),
    })
}

fn trials(places: &[(CellOnSheet, Vec<Value>)], mode: SweepMode) -> Result<Vec<Vec<Value>>, Fault> {
    let lengths: Vec<usize> = places.iter().map(|(_, values)| values.len()).collect();
    let count = match mode {
        SweepMode::Cartesian => lengths.iter().try_fold(1usize, |all, length| all.checked_mul(*length)),
        SweepMode::Parallel => {
            if lengths.windows(2).any(|pair| pair[0] != pair[1]) {
                return Err(Fault::invalid("in parallel mode all inputs have the same number of values"));
            }
            lengths.first().copied()
        }
    };
    let count = count.filter(|count| *count <= MOST_TRIALS).ok_or_else(|| {
        Fault::new("LIMIT_EXCEEDED", format!("a sweep makes at most {MOST_TRIALS} trials; give fewer values"))
    })?;
    let trial = |number: usize| -> Vec<Value> {
        let mut rest = number;
        let mut picked: Vec<Value> = places
            .iter()
            .rev()
            .map(|(_, values)| match mode {
                SweepMode::Parallel => values[number].clone(),
                SweepMode::Cartesian => {
                    let value = values[rest % values.len()].clone();
                    rest /= values.len();
                    value
                }
            })
            .collect();
        picked.reverse();
        picked
    };
    Ok((0..count).map(trial).collect())
}

fn stats(address: &str, sweeps: &[Trial]) -> Option<(String, Stats)> {
    let numbers: Vec<f64> = sweeps.iter().filter_map(|trial| trial.outputs.get(address)?.as_f64()).collect();
    let count = numbers.len();
    (count > 0).then(|| {
        let stats = Stats {
            min: numbers.iter().copied().fold(f64::INFINITY, f64::min),
            max: numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean: numbers.iter().sum::<f64>() / count as f64,
            count,
        };
        (address.to_owned(), stats)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    /// The formula that shall come to `value`.
    target: CellArg,
    value: f64,
    /// The cell whose value is looked for.
    input: CellArg,
    min: Option<f64>,
    max: Option<f64>,
    tolerance: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GoalFound {
    found: bool,
    /// The value of the input that comes nearest.
    input: f64,
    /// What the target is then.
    target: Json,
    iterations: u32,
}

function! {
    /// The value of an input for which a formula comes to a value. The workbook is as before afterwards.
    "goalSeek" GoalSeek { goal: Goal } -> GoalFound => goal_seek
}

fn goal_seek(host: &mut Host, call: GoalSeek) -> Result<GoalFound, Fault> {
    let goal = call.goal;
    let (sheet, at) = reference::cell(host, &goal.input)?;
    let input = CellOnSheet { sheet, at };
    let (sheet, at) = reference::cell(host, &goal.target)?;
    let target = CellOnSheet { sheet, at };
    if host.sheet(target.sheet)?.cell(target.at)?.is_none_or(|cell| cell.formula.is_none()) {
        return Err(Fault::invalid(format!(
            "{} has no formula, so nothing can change it",
            host.place(target)
        )));
    }
    if host.sheet(input.sheet)?.cell(input.at)?.is_some_and(|cell| cell.formula.is_some()) {
        return Err(Fault::invalid(format!(
            "{} holds a formula; name a cell with a number",
            host.place(input)
        )));
    }
    for place in [input, target] {
        host.read(Range { sheet: place.sheet, area: sheet::Area::cell(place.at) });
    }
    let start = match host.sheet(input.sheet)?.value(input.at)? {
        Value::Number(number) => number,
        Value::Blank => 0.0,
        other => {
            let text = host.text(&other, 0)?;
            let what = format!(
                "{} holds `{text}`, which is no number; name a cell with a number",
                host.place(input)
            );
            return Err(Fault::invalid(what));
        }
    };
    let mut search = Search {
        calculator: host.new_calculator()?,
        input,
        target,
        value: goal.value,
        tried: 0,
        best: None,
        first: None,
        moved: false,
    };
    let tolerance = goal.tolerance.unwrap_or_else(|| (goal.value.abs() * 1e-9).max(1e-9));
    let stop = host.cx().stop.clone();
    let found = search.run(start, (goal.min, goal.max), tolerance, &stop)?;
    let (input_value, _) = search.best.ok_or_else(|| {
        Fault::new(
            "NOT_FOUND",
            format!("{} comes to no number for any value that was tried", host.place(target)),
        )
    })?;
    search.miss(input_value);
    if !found && !search.moved {
        return Err(Fault::new(
            "NOT_FOUND",
            format!(
                "{} does not move with {}: it is the same whatever stands there. traceToInputs names what it comes from",
                host.place(target),
                host.place(input)
            ),
        ));
    }
    Ok(GoalFound {
        found,
        input: input_value,
        target: plain(&search.calculator.value(target)),
        iterations: search.tried,
    })
}

struct Search {
    calculator: Calculator,
    input: CellOnSheet,
    target: CellOnSheet,
    value: f64,
    tried: u32,
    /// The input that came nearest, and how near.
    best: Option<(f64, f64)>,
    /// The first result, and whether another one came.
    first: Option<f64>,
    moved: bool,
}

impl Search {
    /// How far the target is from its value for an input; nothing if it is no number.
    fn miss(&mut self, input: f64) -> Option<f64> {
        self.tried += 1;
        self.calculator.suppose(&[(self.input, Value::Number(input))]);
        match self.calculator.value(self.target) {
            Value::Number(number) if number.is_finite() => {
                let miss = number - self.value;
                self.moved |= *self.first.get_or_insert(number) != number;
                if self.best.is_none_or(|(_, near)| miss.abs() < near) {
                    self.best = Some((input, miss.abs()));
                }
                Some(miss)
            }
            _ => None,
        }
    }

    /// Looks for two inputs with the value between them, and then halves and draws lines between them.
    fn run(
        &mut self,
        start: f64,
        bounds: (Option<f64>, Option<f64>),
        near: f64,
        stop: &edit::Stop,
    ) -> Result<bool, Fault> {
        let inside = |x: f64| bounds.0.is_none_or(|low| x >= low) && bounds.1.is_none_or(|high| x <= high);
        let mut known: Vec<(f64, f64)> = Vec::new();
        let step = if start == 0.0 { 1.0 } else { start.abs() * 0.1 };
        let ladder = (0..40).flat_map(|power| {
            let far = step * 1.7f64.powi(power);
            [start + far, start - far]
        });
        let ends = [Some(start), bounds.0, bounds.1].into_iter().flatten();
        let mut between = None;
        for x in ends.chain(ladder).filter(|x| inside(*x)) {
            stop.check()?;
            let Some(miss) = self.miss(x) else { continue };
            if miss.abs() <= near {
                return Ok(true);
            }
            let other = known.iter().filter(|(_, known)| known.signum() != miss.signum());
            let nearest = other.min_by(|(a, _), (b, _)| (a - x).abs().total_cmp(&(b - x).abs())).copied();
            if let Some(other) = nearest {
                between = Some((other, (x, miss)));
                break;
            }
            known.push((x, miss));
        }
        let Some((mut low, mut high)) = between else { return Ok(false) };
        for round in 0..200 {
            stop.check()?;
            let line = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let x = if round % 3 == 2 || !line.is_finite() { (low.0 + high.0) / 2.0 } else { line };
            let Some(miss) = self.miss(x) else { return Ok(false) };
            if miss.abs() <= near {
                return Ok(true);
            }
            if miss.signum() == low.1.signum() {
                low = (x, miss);
            } else {
                high = (x, miss);
            }
            if (high.0 - low.0).abs() <= f64::EPSILON * high.0.abs().max(low.0.abs()) {
                break;
            }
        }
        // A jump has no value in between.
        Ok(self.best.is_some_and(|(_, miss)| miss <= near))
    }
}
