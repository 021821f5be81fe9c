//! `xlsx_calc`: calculate a workbook, or compare a calculation with the values in the file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::sheet::{self, Difference, Edit, Sheet};
use workspace::{Context, Mode};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    workbook::{self, Edited},
};

pub(crate) const ABOUT: About = About { title: "Calculate workbook", sets: &[Set::Sheet], hints: Hints::SET };

/// Calculates every formula of an .xlsx anew. With verify nothing is written: the answer tells which cells have another
/// value in the file than a fresh calculation gives, which are errors, and which cannot be calculated here and why.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The one in front otherwise.
    path: Option<String>,
    #[serde(default)]
    verify: bool,
    /// Of each list, with verify.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

/// One of the two.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    calculated: Option<Edited>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<Verified>,
}

/// Lists are paged; the counts are of all.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Verified {
    formulas: usize,
    equal: usize,
    /// Formulas that the file has no value for.
    without_value: usize,
    different: usize,
    errors: usize,
    unanswerable: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Found>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    error_cells: Vec<Found>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_calculated: Vec<NotCalculated>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    circular: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    cell: String,
    formula: String,
    calculated: String,
    in_file: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NotCalculated {
    cell: String,
    formula: String,
    reason: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let document = workbook::open(cx, input.path.as_deref())?;
    if !input.verify {
        let edited = workbook::edit(cx, document, vec![Edit::Calculate], Mode::Apply, None)?;
        return Ok(Answer { calculated: Some(edited), ..Answer::default() });
    }
    let stop = cx.workspace.stop().clone();
    let calculation = Context { stop, ..Context::new("reader".to_owned(), cx.workspace.now(), 0) };
    let found = cx.workspace.read::<Sheet, _>(document, |view| sheet::verify(view, &calculation))??;
    let (offset, limit) = (input.offset, input.limit.unwrap_or(30));
    let page = |list: &[Difference]| -> Vec<Found> {
        let told = |one: &Difference| Found {
            cell: one.address.clone(),
            formula: format!("={}", short(&one.formula)),
            calculated: short(&one.ours),
            in_file: short(&one.cached),
        };
        list.iter().skip(offset).take(limit).map(told).collect()
    };
    let longest = found.different.len().max(found.errors.len()).max(found.unanswerable.len());
    let not_calculated = found.unanswerable.iter().skip(offset).take(limit).map(|one| NotCalculated {
        cell: one.address.clone(),
        formula: format!("={}", short(&one.formula)),
        reason: one.reason.name(),
        detail: one.detail.clone(),
    });
    let verified = Verified {
        formulas: found.formula_cells,
        equal: found.equal,
        without_value: found.uncached,
        different: found.different.len(),
        errors: found.errors.len(),
        unanswerable: found.unanswerable.len(),
        differences: page(&found.different),
        error_cells: page(&found.errors),
        not_calculated: not_calculated.collect(),
        circular: found.circular.iter().skip(offset).take(limit).cloned().collect(),
        more: (offset + limit < longest).then(|| format!("pass offset={} for more", offset + limit)),
    };
    Ok(Answer { verified: Some(verified), ..Answer::default() })
}

/// A formula may have eight thousand characters.
fn short(text: &str) -> String {
    workspace::excerpt(text, 120)
}
