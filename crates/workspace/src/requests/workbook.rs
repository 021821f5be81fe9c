//! Requests about workbooks: cells are set, cleared and read.

use edit::Refusal;
use planner::Address;
use sheet::{CellChange, CellRef, Edit, Input, Sheet, View};

use super::{Entry, Found, Request, SheetStep, ShownCell, Step, Stumble, Work, misplaced};
use crate::edits::EditRequest;
use crate::ids::DocId;
use crate::targets::{Cells, cells};
use crate::workspace::Workspace;

/// Cells that one step may fill, and cells that one answer shows.
const MOST_FILLED: u64 = 10_000;
const MOST_SHOWN: u64 = 1_000;

pub(super) fn carry_out(
    workspace: &Workspace,
    document: DocId,
    request: &Request<'_>,
    steps: &[Step],
) -> Result<Work, Stumble> {
    let last_read = steps.iter().rposition(|step| matches!(step, Step::Sheet(SheetStep::Read { .. })));
    let mut rehearsal = workspace.rehearsal::<Sheet>(document)?;
    let mut written = Written::default();
    let mut found = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        workspace.still_wanted()?;
        let Step::Sheet(step) = step else { return Err(misplaced(step).into()) };
        let located = Stumble::at(index);
        let place = cells(rehearsal.view(), address(step)).map_err(&located)?;
        let input = match step {
            SheetStep::Read { .. } => {
                let read = shown(rehearsal.view(), &place).map_err(&located)?;
                found.push(Found::Read(place, read));
                continue;
            }
            SheetStep::Set { entry, .. } => input(entry),
            SheetStep::Clear { .. } => Input::Clear,
        };
        let changes = filled(&place, &input).map_err(&located)?;
        // A later step may ask what has come of this one.
        if last_read.is_some_and(|last| index < last) {
            let edit = Edit::SetCells { sheet: place.sheet.clone(), cells: changes.clone(), seen: None };
            rehearsal.make(&edit).map_err(&located)?;
        }
        written.put(&place.sheet, changes);
        found.push(Found::Written(place));
    }
    let edits = written.edits();
    if edits.is_empty() {
        return Ok(Work::answered(found));
    }
    let outcome = workspace.edit::<Sheet>(document, EditRequest::new(edits, request.mode))?;
    Ok(Work::changed(found, outcome))
}

/// What goes into which cells, the last word of each; one edit a sheet.
#[derive(Default)]
struct Written(Vec<(String, Vec<CellChange>)>);

impl Written {
    fn put(&mut self, sheet: &str, changes: Vec<CellChange>) {
        match self.0.iter_mut().find(|(name, _)| name == sheet) {
            Some((_, cells)) => {
                cells.retain(|old| !changes.iter().any(|new| new.at == old.at));
                cells.extend(changes);
            }
            None => self.0.push((sheet.to_owned(), changes)),
        }
    }

    fn edits(self) -> Vec<Edit> {
        let edit = |(sheet, cells)| Edit::SetCells { sheet, cells, seen: None };
        self.0.into_iter().map(edit).collect()
    }
}

fn address(step: &SheetStep) -> &Address {
    match step {
        SheetStep::Set { at, .. } | SheetStep::Clear { at } | SheetStep::Read { at } => at,
    }
}

fn input(entry: &Entry) -> Input {
    match entry {
        Entry::Number(number) => Input::Number(*number),
        Entry::Text(text) => Input::Text(text.clone()),
        Entry::Bool(value) => Input::Bool(*value),
        Entry::Formula(formula) => Input::Formula(formula.clone()),
        Entry::Date(date) => Input::Date(date.clone()),
    }
}

fn limited(place: &Cells, most: u64) -> Result<(), Refusal> {
    let area = place.area;
    let size = u64::from(area.bottom - area.top + 1) * u64::from(area.right - area.left + 1);
    match size <= most {
        true => Ok(()),
        false => Err(Refusal::Limit {
            what: format!("the cells of {place}").into(),
            found: size.to_string(),
            limit: most.to_string(),
        }),
    }
}

fn filled(place: &Cells, input: &Input) -> Result<Vec<CellChange>, Refusal> {
    limited(place, MOST_FILLED)?;
    let mut changes = Vec::new();
    for row in place.area.top..=place.area.bottom {
        for col in place.area.left..=place.area.right {
            changes.push(CellChange { at: CellRef { row, col }, input: input.clone() });
        }
    }
    Ok(changes)
}

fn shown(view: &View, place: &Cells) -> Result<Vec<ShownCell>, Refusal> {
    limited(place, MOST_SHOWN)?;
    let mut shown = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        let text = view.text(&cell.value, cell.style)?;
        let formula = cell.formula.as_ref().map(|formula| format!("={}", formula.shown()));
        shown.push(ShownCell { at: cell.at, value: cell.value, text, formula });
    }
    Ok(shown)
}
