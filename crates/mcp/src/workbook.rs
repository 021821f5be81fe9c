//! What the workbook tools share: which workbook is meant, edits as they are written in JSON, and what edits came to.
//!
//! The command line reads edits and tells of them through the same functions.

mod answers;
mod diagnostics;
mod json_edits;

use schemars::JsonSchema;
use serde::Serialize;
use workspace::sheet::{Edit, Outcome, Sheet};
use workspace::{DocId, EditRequest, Kind, Mode, OpenIn, Reading, RevisionId};

use crate::{cx::Cx, error::ToolError, wire};

pub use answers::told;
pub use diagnostics::{Diagnostic, areas, diagnostics};
pub use json_edits::{Written, read, resolved};

/// The workbook of a path, or the one in front, as it is on disk and in memory by now.
pub(crate) fn open(cx: &Cx<'_>, path: Option<&str>) -> Result<DocId, ToolError> {
    opened(cx, path, |document| cx.shows(document))
}

/// The same for a look at it, which leaves what the caller has in front.
pub(crate) fn open_behind(cx: &Cx<'_>, path: Option<&str>) -> Result<DocId, ToolError> {
    opened(cx, path, |_| Ok(()))
}

fn opened(
    cx: &Cx<'_>,
    path: Option<&str>,
    show: impl FnOnce(DocId) -> Result<(), ToolError>,
) -> Result<DocId, ToolError> {
    let document = match path {
        Some(path) => {
            let document = cx.workspace.open(path, OpenIn::Tab(None))?.document;
            cx.workspace.refresh(document)?;
            show(document)?;
            document
        }
        None => cx.document(None)?.1,
    };
    let status = cx.workspace.status(document)?;
    if status.kind != Kind::Sheet {
        let message =
            format!("`{}` is a {} document, and this tool is for workbooks", status.title, status.kind);
        return Err(ToolError::new("WRONG_FORMAT", message).hint("pass path of an .xlsx file"));
    }
    Ok(document)
}

/// What edits of a workbook came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Edited {
    file: String,
    revision: String,
    /// `applied`, `suggested`, `dry_run` or `unchanged`.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion_id: Option<String>,
    summary: String,
    /// What the written cells show now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    written: Vec<Shown>,
    /// How many other cells have another value, and the first of them.
    changed: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed_first: Vec<Shown>,
    new_errors: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Shown>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<&'static str>,
}

/// A cell and what it shows.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Shown {
    cell: String,
    value: String,
}

/// Cells of a kind that an answer lists; the rest is counted.
const LISTED: usize = 50;

/// Plan the edits, each on what the one before it left, and make, stage or show them.
pub(crate) fn edit(
    cx: &Cx<'_>,
    document: DocId,
    edits: Vec<Edit>,
    mode: Mode,
    base: Option<&str>,
) -> Result<Edited, ToolError> {
    cx.cancel.check()?;
    let base = base.map(str::parse::<RevisionId>).transpose()?;
    let request = EditRequest { reading: Reading::InTurn, base, ..EditRequest::new(edits, mode) };
    let outcome = cx
        .workspace
        .edit::<Sheet>(document, request)
        .map_err(|refusal| ToolError::on(Kind::Sheet, refusal))?;
    let (status, suggestion_id) = wire::ending(&outcome.ending);
    let shown = |cells: &mut dyn Iterator<Item = &workspace::sheet::CellShown>| -> Vec<Shown> {
        cells.take(LISTED).map(|one| Shown { cell: one.cell.clone(), value: one.value.clone() }).collect()
    };
    let outcomes: &[Outcome] = &outcome.outcomes;
    let found: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.calculated.as_ref()).collect();
    Ok(Edited {
        file: cx.file(document)?,
        revision: outcome.revision.to_string(),
        status,
        suggestion_id,
        summary: outcome.summary(),
        written: shown(&mut outcomes.iter().flat_map(|outcome| &outcome.written)),
        changed: found.iter().map(|found| found.changed).sum(),
        changed_first: shown(&mut found.iter().flat_map(|found| &found.first)),
        new_errors: found.iter().map(|found| found.new_errors).sum(),
        errors: shown(&mut found.iter().flat_map(|found| &found.errors)),
        notes: wire::notes(&outcome.notes),
        undo: (status == "applied").then_some("editor_undo takes it back; save writes it to the file"),
    })
}
