//! `xlsx_lint`: what may be wrong in a workbook although it calculates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::sheet::{self, LintOptions, Sheet};
use workspace::{Context, Kind};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    workbook::{self, Diagnostic},
};

pub(crate) const ABOUT: About = About { title: "Lint workbook", sets: &[Set::Sheet], hints: Hints::READ };

/// Finds what calculates in an .xlsx and may still be wrong: double counting, lookups in unsorted or repeated keys,
/// mixed currencies and percentages, formulas that break the pattern around them, numbers stored as text, sums that stop
/// short, errors, forbidden entries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The one in front otherwise.
    path: Option<String>,
    /// Only findings about these: `Sheet!A1:H20`, a sheet, name or table.
    #[serde(default)]
    ranges: Vec<String>,
    /// Rule ids such as D001.
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    skip: Vec<String>,
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    total: usize,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Diagnostic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let document = workbook::open(cx, input.path.as_deref())?;
    let asking = Context::new("reader".to_owned(), cx.workspace.now(), 0);
    let found = cx.workspace.read::<Sheet, _>(document, |view| {
        let areas = workbook::areas(view, &input.ranges)?;
        let found = sheet::lint(view, &asking, &LintOptions { areas, only: input.only, skip: input.skip })?;
        Ok((workbook::diagnostics(view, &found.findings), found.unfinished))
    })?;
    let (found, note) = found.map_err(|refusal| ToolError::on(Kind::Sheet, refusal))?;
    let (offset, limit) = (input.offset, input.limit.unwrap_or(50));
    let count = |severity: &str| found.iter().filter(|one| one.severity == severity).count();
    Ok(Output {
        total: found.len(),
        errors: count("Error"),
        warnings: count("Warning"),
        more: (offset + limit < found.len()).then(|| format!("pass offset={} for more", offset + limit)),
        diagnostics: found.into_iter().skip(offset).take(limit).collect(),
        note,
    })
}
