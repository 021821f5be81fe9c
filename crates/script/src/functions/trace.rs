//! What depends on what.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use schemars::JsonSchema;
use serde::Serialize;
use sheet::{Area, AreaOnSheet, CellOnSheet, Spelling, Table, spelled};

use super::cell_value::{Around, Visibility};
use super::labels::nearby_label;
use super::read::{ContextOption, context};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::{self, CellArg};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<GetCellPrecedents>(),
        entry::<GetCellDependents>(),
        entry::<TraceToInputs>(),
        entry::<TraceToOutputs>(),
    ]
}

/// The most cells of one answer, and the most that are walked over for it.
const MOST_CELLS: usize = 2_000;
const MOST_WALKED: usize = 200_000;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Traced {
    cells: Vec<TracedCell>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TracedCell {
    address: String,
    depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_type: Option<ReferenceType>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReferenceType {
    Direct,
    Range,
    Named,
    Table,
}

impl From<Spelling> for ReferenceType {
    fn from(spelling: Spelling) -> Self {
        match spelling {
            Spelling::Direct => ReferenceType::Direct,
            Spelling::Range => ReferenceType::Range,
            Spelling::Named => ReferenceType::Named,
            Spelling::Table => ReferenceType::Table,
        }
    }
}

/// How the formula of a cell names an area; those that it arrives at in another way are not named.
fn reference_type(
    host: &mut Host,
    tables: &[(usize, Table)],
    reader: CellOnSheet,
    read: AreaOnSheet,
) -> Result<Option<ReferenceType>, Fault> {
    let Some(formula) = host.calculator()?.formula(reader) else { return Ok(None) };
    let named = spelled(host.view(), tables, &formula, reader);
    let holds = |area: &AreaOnSheet| area.sheet == read.sheet && area.area.hull(&read.area) == area.area;
    // The tightest one, where a cell is named alone and within a range.
    let best = named.into_iter().filter(|(area, _)| holds(area)).min_by_key(|(area, _)| area.area.count());
    Ok(best.map(|(_, spelling)| spelling.into()))
}

function! {
    /// The cells that a cell's formula reads, and those that they read, `depth` steps far.
    "getCellPrecedents" GetCellPrecedents { cell: CellArg, #[serde(default = "one")] #[schemars(range(min = 1, max = 50))] depth: u32 } -> Traced => precedents
}

fn one() -> u32 {
    1
}

fn precedents(host: &mut Host, call: GetCellPrecedents) -> Result<Traced, Fault> {
    let (sheet, at) = reference::cell(host, &call.cell)?;
    let start = CellOnSheet { sheet, at };
    let mut warnings = dynamic(host, start)?;
    let tables = host.view().tables()?;
    let mut cells = Vec::new();
    let mut known: BTreeSet<AreaOnSheet> = BTreeSet::new();
    let mut waiting = VecDeque::from([(start, 0)]);
    let head = filled_by(host, start)?;
    if head != start {
        cells.push(TracedCell {
            address: host.place(head),
            depth: 1,
            formula: formula_of(host, head)?,
            reference_type: None,
        });
        waiting = VecDeque::from([(head, 1)]);
    }
    while let Some((place, depth)) = waiting.pop_front() {
        host.cx().stop.check()?;
        if depth >= call.depth {
            continue;
        }
        for region in host.calculator()?.precedents(place) {
            if !known.insert(region) {
                continue;
            }
            if cells.len() >= MOST_CELLS || known.len() > MOST_WALKED {
                warnings.push(format!("only the first {MOST_CELLS} are listed"));
                return Ok(Traced { cells, warnings });
            }
            let single = region.area.is_cell();
            let formula = if single {
                formula_of(host, CellOnSheet { sheet: region.sheet, at: region.area.first() })?
            } else {
                None
            };
            cells.push(TracedCell {
                address: host.address(region.sheet, region.area),
                depth: depth + 1,
                formula,
                reference_type: reference_type(host, &tables, place, region)?,
            });
            host.read(Range { sheet: region.sheet, area: region.area });
            if depth + 1 < call.depth {
                for inner in formulas_in(host, region)? {
                    waiting.push_back((inner, depth + 1));
                }
            }
        }
    }
    Ok(Traced { cells, warnings })
}

function! {
    /// The cells whose formulas read a cell, and those that read them, `depth` steps far.
    "getCellDependents" GetCellDependents { cell: CellArg, #[serde(default = "one")] #[schemars(range(min = 1, max = 50))] depth: u32 } -> Traced => dependents
}

fn dependents(host: &mut Host, call: GetCellDependents) -> Result<Traced, Fault> {
    let (sheet, at) = reference::cell(host, &call.cell)?;
    let tables = host.view().tables()?;
    let mut cells = Vec::new();
    let mut warnings = Vec::new();
    let start = CellOnSheet { sheet, at };
    let mut known = BTreeSet::from([start]);
    let mut waiting = VecDeque::from([(start, 0)]);
    while let Some((place, depth)) = waiting.pop_front() {
        host.cx().stop.check()?;
        if depth >= call.depth {
            continue;
        }
        for next in host.calculator()?.dependents(place) {
            if !known.insert(next) {
                continue;
            }
            if cells.len() >= MOST_CELLS {
                warnings.push(format!("only the first {MOST_CELLS} are listed"));
                return Ok(Traced { cells, warnings });
            }
            let formula = formula_of(host, next)?;
            cells.push(TracedCell {
                address: host.place(next),
                depth: depth + 1,
                formula,
                reference_type: reference_type(host, &tables, next, place.into())?,
            });
            waiting.push_back((next, depth + 1));
        }
    }
    Ok(Traced { cells, warnings })
}

/// A cell without a formula that others come from.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InputCell {
    address: String,
    /// How many formulas on the way read it.
    reference_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearby_label: Option<String>,
    /// The cells around it, as TSV.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
}

function! {
    /// The cells without formulas that a cell's value comes from, however far away.
    "traceToInputs" TraceToInputs { cell: CellArg, options: Option<ContextOption> } -> Vec<InputCell> => inputs
}

/// The cells around a traced cell, if they are asked for.
fn surroundings(
    host: &Host,
    place: CellOnSheet,
    options: Option<&ContextOption>,
) -> Result<Option<String>, Fault> {
    match options.and_then(|options| options.context) {
        Some(steps) if steps > 0 => Ok(Some(context(host, place.sheet, place.at, steps)?)),
        _ => Ok(None),
    }
}

/// The cell whose formula fills a cell: what an array spills comes from its head.
fn filled_by(host: &Host, place: CellOnSheet) -> Result<CellOnSheet, Fault> {
    let head = host.sheet(place.sheet)?.array_at(place.at)?.map(|(head, ..)| head);
    Ok(CellOnSheet { at: head.unwrap_or(place.at), ..place })
}

fn inputs(host: &mut Host, call: TraceToInputs) -> Result<Vec<InputCell>, Fault> {
    let (sheet, at) = reference::cell(host, &call.cell)?;
    let start = filled_by(host, CellOnSheet { sheet, at })?;
    let mut counts: BTreeMap<CellOnSheet, usize> = BTreeMap::new();
    let mut known = BTreeSet::from([start]);
    let mut waiting = VecDeque::from([start]);
    let mut walked = 0;
    while let Some(place) = waiting.pop_front() {
        host.cx().stop.check()?;
        host.read(Range { sheet: place.sheet, area: Area::cell(place.at) });
        for region in host.calculator()?.precedents(place) {
            for cell in host.sheet(region.sheet)?.cells(region.area)? {
                walked += 1;
                if walked > MOST_WALKED {
                    return Err(Fault::new(
                        "LIMIT_EXCEEDED",
                        format!(
                            "more than {MOST_WALKED} cells lie on the way; trace from a cell nearer to the inputs"
                        ),
                    ));
                }
                let next = CellOnSheet { sheet: region.sheet, at: cell.at };
                match cell.formula {
                    Some(_) if known.insert(next) => waiting.push_back(next),
                    Some(_) => {}
                    None if !matches!(cell.value, sheet::Value::Blank) => {
                        *counts.entry(next).or_default() += 1
                    }
                    None => {}
                }
            }
        }
    }
    let mut found = Vec::new();
    for (place, reference_count) in counts.into_iter().take(MOST_CELLS) {
        host.read(Range { sheet: place.sheet, area: Area::cell(place.at) });
        found.push(InputCell {
            address: host.place(place),
            reference_count,
            text: value_text(host, place)?,
            nearby_label: nearby_label(host, place.sheet, place.at)?,
            context: surroundings(host, place, call.options.as_ref())?,
        });
    }
    Ok(found)
}

/// A formula that nothing else reads.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutputCell {
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    visibility: Visibility,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearby_label: Option<String>,
    /// The cells around it, as TSV.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
}

function! {
    /// The formulas at the end of all that depends on a cell: those that nothing else reads.
    "traceToOutputs" TraceToOutputs { cell: CellArg, options: Option<ContextOption> } -> Vec<OutputCell> => outputs
}

fn outputs(host: &mut Host, call: TraceToOutputs) -> Result<Vec<OutputCell>, Fault> {
    let (sheet, at) = reference::cell(host, &call.cell)?;
    let start = CellOnSheet { sheet, at };
    let mut known = BTreeSet::from([start]);
    let mut waiting = VecDeque::from([start]);
    let mut ends = BTreeSet::new();
    while let Some(place) = waiting.pop_front() {
        host.cx().stop.check()?;
        let next = host.calculator()?.dependents(place);
        if next.is_empty() && place != start {
            ends.insert(place);
        }
        if known.len() > MOST_WALKED {
            return Err(Fault::new("LIMIT_EXCEEDED", format!("more than {MOST_WALKED} cells depend on it")));
        }
        waiting.extend(next.into_iter().filter(|next| known.insert(*next)));
    }
    let mut found = Vec::new();
    for place in ends.into_iter().take(MOST_CELLS) {
        host.read(Range { sheet: place.sheet, area: Area::cell(place.at) });
        found.push(OutputCell {
            address: host.place(place),
            formula: formula_of(host, place)?,
            text: value_text(host, place)?,
            visibility: Around::new(host, place.sheet)?.visibility(host, place.at)?,
            nearby_label: nearby_label(host, place.sheet, place.at)?,
            context: surroundings(host, place, call.options.as_ref())?,
        });
    }
    Ok(found)
}

fn formula_of(host: &Host, place: CellOnSheet) -> Result<Option<String>, Fault> {
    let cell = host.sheet(place.sheet)?.cell(place.at)?;
    Ok(cell.and_then(|cell| cell.formula).map(|formula| format!("={}", formula.shown())))
}

fn value_text(host: &Host, place: CellOnSheet) -> Result<Option<String>, Fault> {
    let cell = host.sheet(place.sheet)?.cell(place.at)?;
    let cell = cell.map(|cell| host.valued(place.sheet, cell)).transpose()?;
    cell.map(|cell| host.text(&cell.value, cell.style)).transpose()
}

fn formulas_in(host: &Host, region: AreaOnSheet) -> Result<Vec<CellOnSheet>, Fault> {
    let cells = host.sheet(region.sheet)?.cells(region.area)?;
    let formulas = cells.into_iter().filter(|cell| cell.formula.is_some());
    Ok(formulas.map(|cell| CellOnSheet { sheet: region.sheet, at: cell.at }).collect())
}

/// Formulas that decide while they are calculated what they read cannot be traced whole.
fn dynamic(host: &Host, place: CellOnSheet) -> Result<Vec<String>, Fault> {
    let Some(formula) = formula_of(host, place)? else { return Ok(Vec::new()) };
    let upper = formula.to_ascii_uppercase();
    let found: Vec<&str> = ["OFFSET(", "INDIRECT("].into_iter().filter(|name| upper.contains(name)).collect();
    Ok(match found.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "{} reads cells that are known only when it is calculated ({}), so the list may not be complete",
            host.place(place),
            found.join(", ").replace('(', "")
        )],
    })
}
