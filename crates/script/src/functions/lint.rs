//! What may be wrong in the workbook.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::{AreaOnSheet, LintOptions};

use super::cell_value::Visibility;
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::{self, RangeArg};

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<Lint>()]
}

/// The most findings of one answer.
const MOST_LISTED: usize = 500;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LintChoice {
    /// Only findings about these cells.
    range_addresses: Option<Vec<RangeArg>>,
    skip_rule_ids: Option<Vec<String>>,
    only_rule_ids: Option<Vec<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Diagnostics {
    /// The weightiest first, 500 at most.
    diagnostics: Vec<Diagnostic>,
    total: usize,
    /// Why not everything was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Diagnostic {
    severity: Severity,
    rule_id: &'static str,
    message: String,
    /// Null for the workbook as a whole.
    location: Option<String>,
    visibility: Option<Visibility>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(crate) enum Severity {
    Info,
    Warning,
    Error,
}

function! {
    /// Looks for what calculates without an error and may still be wrong: double counting, lookups in unsorted keys,
    /// mixed units, broken patterns, and errors themselves.
    "lint" Lint { options: Option<LintChoice> } -> Diagnostics => lint
}

fn lint(host: &mut Host, call: Lint) -> Result<Diagnostics, Fault> {
    let choice = call.options.unwrap_or_default();
    let mut areas = Vec::new();
    for range in choice.range_addresses.iter().flatten() {
        let Range { sheet, area } = reference::range(host, range)?;
        areas.push(AreaOnSheet { sheet, area });
    }
    let options = LintOptions {
        areas,
        only: choice.only_rule_ids.unwrap_or_default(),
        skip: choice.skip_rule_ids.unwrap_or_default(),
    };
    let mut looked_at: Vec<Range> =
        options.areas.iter().map(|at| Range { sheet: at.sheet, area: at.area }).collect();
    if looked_at.is_empty() {
        for sheet in 0..host.view().workbook().sheets.len() {
            // A sheet of a chart has no cells.
            if let Ok(Some(area)) = host.extent(sheet) {
                looked_at.push(Range { sheet, area });
            }
        }
    }
    looked_at.into_iter().for_each(|range| host.read(range));
    let found = sheet::lint(host.view(), host.cx(), &options)?;
    let total = found.findings.len();
    let told = found.findings.into_iter().take(MOST_LISTED).map(|finding| Diagnostic {
        severity: match finding.severity {
            sheet::Severity::Error => Severity::Error,
            sheet::Severity::Warning => Severity::Warning,
            sheet::Severity::Info => Severity::Info,
        },
        rule_id: finding.rule,
        message: finding.message,
        location: finding.location.map(|at| host.address(at.sheet, at.area)),
        visibility: finding.visibility.map(Visibility::from),
    });
    Ok(Diagnostics { diagnostics: told.collect(), total, note: found.unfinished })
}
