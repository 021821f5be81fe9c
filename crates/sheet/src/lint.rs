//! What calculates without a word and may still be wrong: the linter of workbooks.
//!
//! Each rule has an id, a severity and one precise condition, and tells the cells it means and why they matter. Rules
//! look at the formulas of a workbook as they are written and at the values that they have; they change nothing and
//! guess nothing about what is only unusual. Work is bounded: a workbook too large to be looked at whole says so.
//! Damage to the file itself is [`check`](crate::check)'s business.

mod rules;
mod survey;

mod links;
mod lookups;
mod operands;
mod patterns;
mod shown;
mod sums;
mod uses;
mod values;

use std::collections::BTreeMap;

use edit::{Context, Refusal};
use serde::Serialize;

pub use rules::{RULES, Rule, rule};

use crate::calc::place::{AreaOnSheet, CellOnSheet};
use crate::calc::view::View;
use crate::file::a1::Area;
use crate::visibility::{CellVisibility, Sight};
use survey::{FormulaCell, Survey};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Severity {
    Error,
    Warning,
    Info,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
            Severity::Info => "Info",
        }
    }
}

/// Something that a rule found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub rule: &'static str,
    pub severity: Severity,
    pub message: String,
    /// The cells that it is about; nothing for the workbook as a whole.
    pub location: Option<AreaOnSheet>,
    /// Of the first of them.
    pub visibility: Option<CellVisibility>,
}

/// Which rules look where.
#[derive(Clone, Debug, Default)]
pub struct LintOptions {
    /// Only findings about these cells; all if there are none.
    pub areas: Vec<AreaOnSheet>,
    /// Only these rules, by id; all if there are none.
    pub only: Vec<String>,
    pub skip: Vec<String>,
}

/// What was found, the weightiest first.
#[derive(Clone, Debug, Default)]
pub struct Linted {
    pub findings: Vec<Finding>,
    /// Why not everything was looked at.
    pub unfinished: Option<String>,
}

/// Looks at a workbook with the rules that are asked for.
pub fn lint(view: &View, cx: &Context, options: &LintOptions) -> Result<Linted, Refusal> {
    let chosen = chosen(options)?;
    let mut survey = Survey::new(view, cx)?;
    let mut found = FindingList { chosen, findings: Vec::new() };
    for sheet in 0..survey.sheets.len() {
        for cell in survey.formula_cells(sheet) {
            cx.stop.check()?;
            let Some(cell) = cell.parsed() else { continue };
            of_formula(&mut survey, &cell, &mut found);
        }
        cx.stop.check()?;
        values::of_sheet(&mut survey, sheet, &mut found)?;
        patterns::of_sheet(&mut survey, sheet, &mut found);
        shown::of_sheet(&mut survey, sheet, &mut found)?;
    }
    links::of_book(&mut survey, &mut found)?;
    let findings = joined(found.findings);
    let mut findings: Vec<Finding> = findings
        .into_iter()
        .filter(|finding| {
            options.areas.is_empty()
                || finding.location.is_some_and(|at| {
                    options.areas.iter().any(|area| area.sheet == at.sheet && area.area.intersects(&at.area))
                })
        })
        .collect();
    seen(view, &mut findings)?;
    findings.sort_by_key(|finding| (finding.severity, finding.location.map(|at| at.sheet)));
    Ok(Linted { findings, unfinished: survey.unfinished() })
}

/// Every rule that looks at one formula.
fn of_formula(survey: &mut Survey<'_>, cell: &FormulaCell, found: &mut FindingList) {
    sums::of_formula(survey, cell, found);
    lookups::of_formula(survey, cell, found);
    operands::of_formula(survey, cell, found);
}

fn chosen(options: &LintOptions) -> Result<Vec<&'static str>, Refusal> {
    let only: Vec<&str> =
        options.only.iter().map(|id| rule(id).map(|rule| rule.id)).collect::<Result<_, _>>()?;
    let skip: Vec<&str> =
        options.skip.iter().map(|id| rule(id).map(|rule| rule.id)).collect::<Result<_, _>>()?;
    let ids = RULES.iter().map(|rule| rule.id);
    Ok(ids.filter(|id| (only.is_empty() || only.contains(id)) && !skip.contains(id)).collect())
}

/// A finding before its neighbours are joined to it.
struct Single {
    rule: &'static str,
    severity: Severity,
    message: String,
    at: Option<AreaOnSheet>,
    /// Findings of one key that lie side by side are one: the same formula, filled down or across.
    key: Option<String>,
}

/// Where rules put what they find.
pub(crate) struct FindingList {
    chosen: Vec<&'static str>,
    findings: Vec<Single>,
}

impl FindingList {
    /// Whether a rule is asked for.
    fn wants(&self, rule: &str) -> bool {
        self.chosen.contains(&rule)
    }

    fn push(&mut self, id: &'static str, at: Option<AreaOnSheet>, key: Option<String>, message: String) {
        let severity =
            RULES.iter().find(|rule| rule.id == id).map_or(Severity::Warning, |rule| rule.severity);
        self.push_as(severity, id, at, key, message);
    }

    fn push_as(
        &mut self,
        severity: Severity,
        id: &'static str,
        at: Option<AreaOnSheet>,
        key: Option<String>,
        message: String,
    ) {
        if self.wants(id) {
            self.findings.push(Single { rule: id, severity, message, at, key });
        }
    }

    /// About a formula, joined with those of the same shape beside it.
    fn formula(&mut self, id: &'static str, cell: &FormulaCell, message: String) {
        self.push(id, Some(cell.area()), Some(cell.shape.to_string()), message);
    }
}

/// Joins findings of one key down columns and then across rows; the first speaks for all.
fn joined(findings: Vec<Single>) -> Vec<Finding> {
    let mut whole = Vec::new();
    let mut groups: BTreeMap<(usize, &'static str, String), Vec<Single>> = BTreeMap::new();
    for single in findings {
        match (&single.key, single.at) {
            (Some(key), Some(at)) => {
                groups.entry((at.sheet, single.rule, key.clone())).or_default().push(single);
            }
            _ => whole.push((single, 1)),
        }
    }
    for mut group in groups.into_values() {
        let mut areas: Vec<(Single, u64)> = Vec::new();
        group.sort_by_key(|single| single.at.map(|at| (at.area.left, at.area.top)));
        join_along(&mut areas, group.into_iter().map(|single| (single, 1)), |one, next| {
            one.left == next.left && one.right == next.right && one.bottom + 1 == next.top
        });
        areas.sort_by_key(|(single, _)| single.at.map(|at| (at.area.top, at.area.left)));
        join_along(&mut whole, areas.into_iter(), |one, next| {
            one.top == next.top && one.bottom == next.bottom && one.right + 1 == next.left
        });
    }
    whole.sort_by_key(|(single, _)| single.at.map(|at| (at.sheet, at.area.top, at.area.left)));
    let told = whole.into_iter().map(|(single, count)| Finding {
        rule: single.rule,
        severity: single.severity,
        message: match count {
            1 => single.message,
            2 => format!("{} The same holds for the cell beside it.", single.message),
            count => format!("{} The same holds for {} more cells beside it.", single.message, count - 1),
        },
        location: single.at,
        visibility: None,
    });
    told.collect()
}

fn join_along(
    into: &mut Vec<(Single, u64)>,
    singles: impl Iterator<Item = (Single, u64)>,
    follows: impl Fn(&Area, &Area) -> bool,
) {
    for (single, count) in singles {
        if let (Some((last, known)), Some(at)) = (into.last_mut(), single.at)
            && let Some(before) = &mut last.at
            && last.rule == single.rule
            && last.key == single.key
            && before.sheet == at.sheet
            && follows(&before.area, &at.area)
        {
            before.area = before.area.hull(&at.area);
            *known += count;
            continue;
        }
        into.push((single, count));
    }
}

/// Says of every finding whether its first cell can be seen.
fn seen(view: &View, findings: &mut [Finding]) -> Result<(), Refusal> {
    let mut sights: BTreeMap<usize, Sight> = BTreeMap::new();
    for finding in findings {
        let Some(at) = finding.location else { continue };
        let sheet = view.sheet_at(at.sheet)?;
        let sight = sights.entry(at.sheet).or_insert_with(|| Sight::of(&sheet));
        finding.visibility = Some(sight.at(&sheet, at.area.first())?);
    }
    Ok(())
}

/// The address of cells with their sheet, as formulas write it.
pub(crate) fn address(view: &View, at: AreaOnSheet) -> String {
    let name = view.workbook().sheets.get(at.sheet).map_or("?", |tab| tab.name.as_str());
    format!("{}!{}", formula::quote_sheet(name), at.area)
}

impl From<CellOnSheet> for AreaOnSheet {
    fn from(cell: CellOnSheet) -> AreaOnSheet {
        AreaOnSheet { sheet: cell.sheet, area: Area::cell(cell.at) }
    }
}
