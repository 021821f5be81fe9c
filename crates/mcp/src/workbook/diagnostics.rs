//! Findings of the linter as they are told, and the ranges that it is asked about.

use schemars::JsonSchema;
use serde::Serialize;
use workspace::Refusal;
use workspace::sheet::{Area, AreaOnSheet, Finding, View, quote_sheet};
use workspace::targets::{self, Region};

/// One finding.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// `Error`, `Warning` or `Info`.
    pub severity: &'static str,
    pub rule_id: &'static str,
    pub message: String,
    /// Null for the workbook as a whole.
    pub location: Option<String>,
    /// `visible`, `outsidePrintArea`, `collapsed` or `hidden`.
    pub visibility: Option<&'static str>,
}

pub fn diagnostics(view: &View, findings: &[Finding]) -> Vec<Diagnostic> {
    let told = findings.iter().map(|finding| Diagnostic {
        severity: finding.severity.name(),
        rule_id: finding.rule,
        message: finding.message.clone(),
        location: finding.location.map(|at| {
            let name = view.workbook().sheets.get(at.sheet).map_or("?", |tab| tab.name.as_str());
            format!("{}!{}", quote_sheet(name), at.area)
        }),
        visibility: finding.visibility.map(|seen| seen.name()),
    });
    told.collect()
}

/// The cells that ranges, names, tables and sheets stand for.
pub fn areas(view: &View, ranges: &[String]) -> Result<Vec<AreaOnSheet>, Refusal> {
    let whole = Area { top: 0, left: 0, bottom: 1_048_575, right: 16_383 };
    let each = ranges.iter().map(|range| {
        let (name, area) = match targets::region(view, range)? {
            Region::Sheet(name) => (name, whole),
            Region::Cells(cells) => (cells.sheet, cells.area),
        };
        Ok(AreaOnSheet { sheet: view.sheet(&name)?.position, area })
    });
    each.collect()
}
