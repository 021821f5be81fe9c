//! Requests about workbooks: cells, lines and sheets are changed and read.
//!
//! Each step is planned on what the one before it left, and all of them are one change. What was there before is told:
//! the value that was overwritten, and most of all a formula.

mod arrange;
mod cells;
mod edits;
mod holds;
mod questions;
mod rows;

use edit::Refusal;
use sheet::{Edit, Sheet, View};

use super::{Request, Step, Stumble, Work, misplaced};
use crate::desk::workspace::Workspace;
use crate::document::edits::{EditRequest, Reading};
use crate::ids::DocId;

pub(super) fn carry_out(
    workspace: &Workspace,
    document: DocId,
    request: &Request<'_>,
    steps: &[Step],
) -> Result<Work, Stumble> {
    let mut rehearsal = workspace.rehearsal::<Sheet>(document)?;
    let (mut made, mut found, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (index, step) in steps.iter().enumerate() {
        workspace.still_wanted()?;
        let Step::Sheet(step) = step else { return Err(misplaced(step).into()) };
        let located = Stumble::at(index);
        if step.only_reads() {
            found.push(questions::answer(rehearsal.view(), step).map_err(&located)?);
            continue;
        }
        let edits::Work { edits, told, remarks } =
            edits::edits_of_step(rehearsal.view(), step).map_err(&located)?;
        for edit in edits {
            rehearsal.make(&edit).map_err(&located)?;
            made.push(edit);
        }
        notes.extend(remarks.into_iter().map(super::note));
        found.push(told);
    }
    if made.is_empty() {
        return Ok(Work { notes, ..Work::answered(found) });
    }
    let shown = rehearsal.shown()?;
    let made = joined(made);
    let reading = if made.len() == 1 { Reading::Together } else { Reading::InTurn };
    let edit = EditRequest { reading, ..EditRequest::new(made, request.mode).standing(request.standing) };
    let outcome = workspace.edit::<Sheet>(document, edit)?;
    let mut work = Work::changed(found, outcome);
    work.notes.extend(notes);
    work.shown = shown;
    Ok(work)
}

/// Neighbouring edits that only set cells of one sheet as one, so that they can wait for a decision together.
fn joined(edits: Vec<Edit>) -> Vec<Edit> {
    let mut joined: Vec<Edit> = Vec::new();
    for edit in edits {
        match (joined.last_mut(), edit) {
            (Some(Edit::SetCells { sheet, cells, .. }), Edit::SetCells { sheet: other, cells: more, .. })
                if *sheet == other =>
            {
                cells.retain(|old| !more.iter().any(|new| new.at == old.at));
                cells.extend(more);
            }
            (_, edit) => joined.push(edit),
        }
    }
    joined
}

/// The sheet that is meant where none is named: the one that is shown when the workbook is opened.
fn home<'v>(view: &'v View, sheet: Option<&String>) -> Result<sheet::SheetView<'v>, Refusal> {
    match sheet {
        Some(name) => match view.sheet(name) {
            // "In the Supplies table": the sheet that it stands on.
            Err(refusal) => match holding(view, name) {
                Some(sheet) => view.sheet(&sheet),
                None => Err(refusal),
            },
            found => found,
        },
        None => view.sheet_at(view.workbook().active),
    }
}

/// The sheet on which a table or a named range stands.
fn holding(view: &View, name: &str) -> Option<String> {
    let address = planner::Address { sheet: None, cells: name.to_owned() };
    crate::targets::cells(view, &address).ok().map(|cells| cells.sheet)
}
