//! Requests about workbooks: cells are set, cleared and read.

use planner::{Address, Entry, Plan, SheetStep};
use serde_json::{Value as Json, json};
use workspace::sheet::{Area, CellChange, CellRef, Edit, Input, Sheet, Value, View};
use workspace::{DocId, EditRequest, Refusal};

use super::{Asked, Done, answered, done, in_step, sheet_step, understood};
use crate::cx::Cx;
use crate::error::ToolError;

/// Cells that one step may fill, and cells that one answer shows.
const MOST_FILLED: u64 = 10_000;
const MOST_SHOWN: u64 = 1_000;

pub(super) fn carry_out(
    cx: &Cx<'_>,
    document: DocId,
    asked: &Asked<'_>,
    plan: Plan,
) -> Result<Done, ToolError> {
    let steps = match understood(plan, sheet_step, told) {
        Ok(steps) => steps,
        Err(unclear) => return Ok(*unclear),
    };
    let count = steps.len();
    let last_read = steps.iter().rposition(|step| matches!(step, SheetStep::Read { .. })).unwrap_or(0);
    let mut rehearsal = cx.workspace.rehearsal::<Sheet>(document)?;
    let mut written = Written::default();
    let mut operations = Vec::with_capacity(count);
    for (index, step) in steps.iter().enumerate() {
        cx.cancel.check()?;
        let located = |refusal: Refusal| in_step(index, count, name(step), refusal.into());
        let place = Place::of(rehearsal.view(), address(step)).map_err(located)?;
        let mut operation = told(step);
        operation["range"] = place.to_string().into();
        let input = match step {
            SheetStep::Read { .. } => {
                operation["cells"] = cells(rehearsal.view(), &place).map_err(located)?.into();
                operations.push(operation);
                continue;
            }
            SheetStep::Set { entry, .. } => input(entry),
            SheetStep::Clear { .. } => Input::Clear,
        };
        let changes = place.filled(&input).map_err(located)?;
        // A later step may ask what has come of this one.
        if index < last_read {
            let edit = Edit::SetCells { sheet: place.sheet.clone(), cells: changes.clone(), seen: None };
            rehearsal.make(&edit).map_err(located)?;
        }
        written.put(&place.sheet, changes);
        operations.push(operation);
    }
    let edits = written.edits();
    if edits.is_empty() {
        return answered(cx, document, operations);
    }
    let request = EditRequest::new(edits, asked.track.mode(asked.dry_run));
    let outcome = cx.workspace.edit::<Sheet>(document, request)?;
    Ok(done(&outcome, operations))
}

/// What goes into which cells, the last word of each; one edit a sheet.
#[derive(Default)]
struct Written(Vec<(String, Vec<CellChange>)>);

impl Written {
    fn put(&mut self, sheet: &str, changes: Vec<CellChange>) {
        let known = self.0.iter().position(|(name, _)| name == sheet);
        let known = known.unwrap_or_else(|| {
            self.0.push((sheet.to_owned(), Vec::new()));
            self.0.len() - 1
        });
        let Some((_, cells)) = self.0.get_mut(known) else { return };
        cells.retain(|old| !changes.iter().any(|new| new.at == old.at));
        cells.extend(changes);
    }

    fn edits(self) -> Vec<Edit> {
        let edit = |(sheet, cells)| Edit::SetCells { sheet, cells, seen: None };
        self.0.into_iter().map(edit).collect()
    }
}

fn name(step: &SheetStep) -> &'static str {
    match step {
        SheetStep::Set { .. } => "set",
        SheetStep::Clear { .. } => "clear",
        SheetStep::Read { .. } => "read",
    }
}

fn address(step: &SheetStep) -> &Address {
    match step {
        SheetStep::Set { at, .. } | SheetStep::Clear { at } | SheetStep::Read { at } => at,
    }
}

/// The step as it was understood.
fn told(step: &SheetStep) -> Json {
    let at = address(step);
    let range = match &at.sheet {
        Some(sheet) => format!("{sheet}!{}", at.cells),
        None => at.cells.clone(),
    };
    let mut told = json!({ "op": name(step), "range": range });
    if let SheetStep::Set { entry, .. } = step {
        match entry {
            Entry::Number(number) => told["value"] = json!(number),
            Entry::Text(text) | Entry::Date(text) => told["value"] = json!(text),
            Entry::Bool(value) => told["value"] = json!(value),
            Entry::Formula(formula) => told["formula"] = json!(formula),
        }
    }
    told
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

/// Cells that the workbook has.
struct Place {
    sheet: String,
    area: Area,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = self.sheet.chars().all(|c| c.is_alphanumeric() || c == '_');
        match plain {
            true => write!(f, "{}!{}", self.sheet, self.area),
            false => write!(f, "'{}'!{}", self.sheet.replace('\'', "''"), self.area),
        }
    }
}

impl Place {
    /// Without a sheet, the one that is shown when the workbook is opened.
    fn of(view: &View, address: &Address) -> Result<Self, Refusal> {
        let workbook = view.workbook();
        let named = workbook.names.iter().find(|name| name.name.eq_ignore_ascii_case(&address.cells));
        if let (None, Some(name)) = (&address.sheet, named) {
            let (sheet, cells) = name.formula.rsplit_once('!').ok_or_else(|| Refusal::Unsupported {
                what: format!("the name {}, which stands for ={}", name.name, name.formula),
                instead: Some("name the cells themselves".to_owned()),
            })?;
            let sheet = sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\'')).unwrap_or(sheet);
            return Self::at(view, &sheet.replace("''", "'"), cells);
        }
        match &address.sheet {
            Some(sheet) => Self::at(view, sheet, &address.cells),
            None => Self::at(view, view.sheet_at(workbook.active)?.name(), &address.cells),
        }
    }

    fn at(view: &View, sheet: &str, cells: &str) -> Result<Self, Refusal> {
        let sheet = view.sheet(sheet)?.name().to_owned();
        let area: Area = cells.replace('$', "").to_ascii_uppercase().parse()?;
        Ok(Self { sheet, area })
    }

    fn size(&self) -> u64 {
        let (rows, columns) = (self.area.bottom - self.area.top + 1, self.area.right - self.area.left + 1);
        u64::from(rows) * u64::from(columns)
    }

    fn limited(&self, most: u64) -> Result<(), Refusal> {
        match self.size() <= most {
            true => Ok(()),
            false => Err(Refusal::Limit {
                what: format!("the cells of {self}").into(),
                found: self.size().to_string(),
                limit: most.to_string(),
            }),
        }
    }

    fn filled(&self, input: &Input) -> Result<Vec<CellChange>, Refusal> {
        self.limited(MOST_FILLED)?;
        let mut changes = Vec::new();
        for row in self.area.top..=self.area.bottom {
            for col in self.area.left..=self.area.right {
                changes.push(CellChange { at: CellRef { row, col }, input: input.clone() });
            }
        }
        Ok(changes)
    }
}

fn cells(view: &View, place: &Place) -> Result<Vec<Json>, Refusal> {
    place.limited(MOST_SHOWN)?;
    let mut shown = Vec::new();
    for cell in view.sheet(&place.sheet)?.cells(place.area)? {
        let value = match &cell.value {
            Value::Number(number) => json!(number),
            Value::Bool(value) => json!(value),
            Value::Text(text) => json!(&**text),
            _ => Json::Null,
        };
        let text = view.text(&cell.value, cell.style)?;
        let mut told = json!({ "address": cell.at.to_string(), "value": value, "text": text });
        if let Some(formula) = &cell.formula {
            told["formula"] = json!(format!("={}", formula.shown()));
        }
        shown.push(told);
    }
    Ok(shown)
}
