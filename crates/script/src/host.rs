//! The workbook that a script works on: a draft of its own, what was done to it, and what was looked at.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use edit::{Content, Context, Draft, Format as _, Refusal, Stop};
use sheet::{
    Area, Calculator, Cell, CellOnSheet, CellRef, Edit, Input, Locale, Outcome, Settled, Sheet, SheetView,
    Value, View, run_print,
};

use crate::functions::Layout;
use crate::wire::{Access, ErrorKind, Operation, Preview, ScriptError};

/// The most edits of one run; each may be of many cells.
pub(crate) const MOST_EDITS: usize = 100_000;
/// The most cells that are written in one run.
const MOST_CELLS: u64 = 5_000_000;
const MOST_ACCESSES: usize = 200;

/// Why a call failed, as the script is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new("INVALID_ARGUMENT", message)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal.innermost() {
            Refusal::NotFound { what: "sheet", .. } => "SHEET_NOT_FOUND",
            Refusal::NotFound { .. } | Refusal::Gone { .. } => "NOT_FOUND",
            Refusal::Ambiguous { .. } => "AMBIGUOUS",
            Refusal::Rule { code, .. } => code,
            Refusal::Invalid { .. } => "INVALID_ARGUMENT",
            Refusal::Unsupported { .. } => "UNSUPPORTED",
            Refusal::Limit { .. } => "LIMIT_EXCEEDED",
            Refusal::Denied { .. } => "DENIED",
            Refusal::Cancelled => "EXEC_TIMEOUT",
            Refusal::Unsafe { .. } => "UNSAFE_EDIT",
            _ => "EXEC_RUNTIME_ERROR",
        };
        let hint = refusal.hint().map_or_else(String::new, |hint| format!("; {hint}"));
        Self::new(code, format!("{refusal}{hint}"))
    }
}

/// A sheet and cells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) sheet: usize,
    pub(crate) area: Area,
}

/// What a write did.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) settled: Settled,
    /// Cells that were written and have another value than before.
    pub(crate) entered: Vec<CellOnSheet>,
}

/// What a run comes to.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) turns: Vec<Vec<Edit>>,
    pub(crate) sheets: Vec<String>,
    pub(crate) changed: bool,
    pub(crate) print: String,
}

pub(crate) struct Host {
    draft: Draft<Sheet>,
    opened: Content,
    cx: Context,
    /// In which what is shown is read; English (United States) without.
    locale: Option<Locale>,
    turns: Vec<Vec<Edit>>,
    edits: usize,
    cells: u64,
    /// Made when it is first asked for, and kept until something is written.
    calculator: Option<Calculator>,
    /// The same for formulas that the file has no value for, as programs write them that do not calculate.
    unvalued: OnceCell<Calculator>,
    /// How sheets are laid out, as far as somebody asked, until something is written.
    layouts: RefCell<BTreeMap<usize, Rc<Layout>>>,
    /// How far sheets reach, as far as somebody asked. Finding it means going through a whole sheet, which ten thousand
    /// calls that write one cell each must not do ten thousand times.
    extents: RefCell<BTreeMap<usize, Option<Area>>>,
    pub(crate) accesses: Accesses,
    /// Pictures for the answer.
    pub(crate) previews: Vec<Preview>,
    /// A limit that was hit ends the script, whatever it catches.
    pub(crate) limit_hit: Option<ScriptError>,
}

impl Host {
    pub(crate) fn open(file: Arc<Vec<u8>>, cx: Context) -> Result<Self, Refusal> {
        let (_, content) = Sheet::unpack(file, &sheet::limits())?;
        let view = Sheet::view(&content)?;
        Ok(Self {
            draft: Draft::new(content.clone(), view),
            opened: content,
            cx,
            locale: None,
            turns: Vec::new(),
            edits: 0,
            cells: 0,
            calculator: None,
            unvalued: OnceCell::new(),
            layouts: RefCell::default(),
            extents: RefCell::default(),
            accesses: Accesses::default(),
            previews: Vec::new(),
            limit_hit: None,
        })
    }

    pub(crate) fn until(&mut self, stop: Stop) {
        self.cx.stop = stop;
    }

    /// Show numbers and dates as a language does; whether it is a known one.
    pub(crate) fn show_for(&mut self, tag: &str) -> bool {
        self.locale = Locale::of(tag);
        self.locale.is_some()
    }

    /// A value as a cell of that format shows it.
    pub(crate) fn text(&self, value: &Value, style: u32) -> Result<String, Fault> {
        Ok(match self.locale {
            Some(locale) => self.view().text_in(value, style, locale)?,
            None => self.view().text(value, style)?,
        })
    }

    pub(crate) fn view(&self) -> &View {
        self.draft.view()
    }

    pub(crate) fn cx(&self) -> &Context {
        &self.cx
    }

    pub(crate) fn sheet(&self, position: usize) -> Result<SheetView<'_>, Fault> {
        Ok(self.view().sheet_at(position)?)
    }

    pub(crate) fn sheet_name(&self, position: usize) -> String {
        self.view()
            .workbook()
            .sheets
            .get(position)
            .map(|tab| tab.name.clone())
            .unwrap_or_else(|| "?".to_owned())
    }

    /// `'My Sheet'!B7`, as scripts and formulas write it.
    pub(crate) fn address(&self, sheet: usize, area: impl std::fmt::Display) -> String {
        format!("{}!{area}", quoted(&self.sheet_name(sheet)))
    }

    pub(crate) fn place(&self, place: CellOnSheet) -> String {
        self.address(place.sheet, place.at)
    }

    pub(crate) fn read(&mut self, range: Range) {
        let name = self.sheet_name(range.sheet);
        self.accesses.note(Operation::Read, &name, range.area);
    }

    pub(crate) fn calculator(&mut self) -> Result<&mut Calculator, Fault> {
        let made = match self.calculator.take() {
            Some(known) => known,
            None => Calculator::new(self.view(), &self.cx)?,
        };
        Ok(self.calculator.insert(made))
    }

    /// A cell of a sheet with the value that its formula comes to, also where the file has none.
    pub(crate) fn valued(&self, sheet: usize, cell: Cell) -> Result<Cell, Fault> {
        if cell.formula.is_none() || cell.value != Value::Blank {
            return Ok(cell);
        }
        if self.unvalued.get().is_none() {
            // It was empty a moment ago, so it takes this one.
            let _ = self.unvalued.set(self.new_calculator()?);
        }
        let place = CellOnSheet { sheet, at: cell.at };
        let value = self.unvalued.get().map_or(Value::Blank, |known| known.value(place));
        Ok(Cell { value, ..cell })
    }

    /// How a sheet is laid out.
    pub(crate) fn layout(&self, sheet: usize) -> Result<Rc<Layout>, Fault> {
        if let Some(known) = self.layouts.borrow().get(&sheet) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(Layout::of(self, sheet)?);
        self.layouts.borrow_mut().insert(sheet, Rc::clone(&found));
        Ok(found)
    }

    /// The smallest area that holds all cells of a sheet.
    pub(crate) fn extent(&self, sheet: usize) -> Result<Option<Area>, Fault> {
        if let Some(known) = self.extents.borrow().get(&sheet) {
            return Ok(*known);
        }
        let found = self.sheet(sheet)?.extent()?;
        self.extents.borrow_mut().insert(sheet, found);
        Ok(found)
    }

    /// What is known of how far sheets reach stays true where cells were only filled.
    fn grow_extents(&mut self, edits: &[Edit], outcomes: &[Outcome], settled: &Settled) -> Result<(), Fault> {
        let fills = |edit: &Edit| match edit {
            Edit::SetCells { cells, .. } => cells.iter().all(|cell| !matches!(cell.input, Input::Clear)),
            _ => false,
        };
        let mut extents = std::mem::take(self.extents.get_mut());
        if extents.is_empty() || !edits.iter().all(fills) {
            return Ok(());
        }
        let view = self.draft.view();
        let mut grown: Vec<(usize, Area)> = Vec::new();
        for outcome in outcomes {
            let Some(sheet) = view.workbook().position(&outcome.sheet) else { return Ok(()) };
            grown.extend(outcome.touched.iter().map(|area| (sheet, *area)));
        }
        for place in &settled.changed {
            // What an array does not fill any more is taken away.
            if view.sheet_at(place.sheet)?.value(place.at)? == Value::Blank {
                return Ok(());
            }
            grown.push((place.sheet, Area::cell(place.at)));
        }
        for (sheet, area) in grown {
            if let Some(known) = extents.get_mut(&sheet) {
                *known = Some(known.map_or(area, |known| known.hull(&area)));
            }
        }
        *self.extents.get_mut() = extents;
        Ok(())
    }

    /// A calculator of one's own, to suppose things in.
    pub(crate) fn new_calculator(&self) -> Result<Calculator, Fault> {
        Ok(Calculator::new(self.view(), &self.cx)?)
    }

    /// Make edits and bring formulas up to date, all or nothing.
    pub(crate) fn write(&mut self, edits: Vec<Edit>) -> Result<Written, Fault> {
        self.edits += edits.len();
        if self.edits > MOST_EDITS {
            return Err(
                self.hit(format!("a run makes at most {MOST_EDITS} edits; write many cells with one call"))
            );
        }
        let (made, outcomes) = self.draft.fork().make_in_turn(&edits, &self.cx).map_err(alone)?;
        let (made, settled) = made.settle(&self.cx)?;
        for outcome in &outcomes {
            for area in &outcome.touched {
                // A width or a height is no write of a million cells.
                self.cells += match (area.is_whole_columns(), area.is_whole_rows()) {
                    (true, _) => u64::from(area.right - area.left + 1),
                    (_, true) => u64::from(area.bottom - area.top + 1),
                    _ => area.count(),
                };
                self.accesses.note(Operation::Write, &outcome.sheet, *area);
            }
        }
        let named = edits.iter().zip(&outcomes).flat_map(|(edit, outcome)| apart(edit, outcome));
        named
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|name| self.accesses.note_name(Operation::Write, name));
        if self.cells > MOST_CELLS {
            return Err(self.hit(format!("a run writes at most {MOST_CELLS} cells")));
        }
        let entered = match edits.iter().any(|edit| matches!(edit, Edit::SetCells { .. })) {
            true => changed_values(self.draft.view(), made.view(), &outcomes)?,
            false => Vec::new(),
        };
        self.draft.join(made);
        self.grow_extents(&edits, &outcomes, &settled)?;
        self.turns.push(edits);
        self.calculator = None;
        self.unvalued = OnceCell::new();
        self.layouts.get_mut().clear();
        Ok(Written { outcomes, settled, entered })
    }

    fn hit(&mut self, message: String) -> Fault {
        self.limit_hit = Some(ScriptError {
            kind: ErrorKind::Limit,
            code: "EXEC_LIMIT".to_owned(),
            message: message.clone(),
            line: None,
            column: None,
        });
        Fault::new("EXEC_LIMIT", message)
    }

    /// What the script leaves behind.
    pub(crate) fn finish(&mut self) -> Result<Finished, ScriptError> {
        self.finished().map_err(|refusal| ScriptError {
            kind: ErrorKind::Runtime,
            code: "EXEC_RUNTIME_ERROR".to_owned(),
            message: refusal.to_string(),
            line: None,
            column: None,
        })
    }

    fn finished(&mut self) -> Result<Finished, Refusal> {
        let patch = self.draft.patch();
        let after = self.draft.content();
        let mut changed = false;
        for (part, _) in patch.parts() {
            changed = changed || self.opened.read(part)? != after.read(part)?;
        }
        Ok(Finished {
            turns: std::mem::take(&mut self.turns),
            sheets: self.accesses.sheets(),
            changed,
            print: run_print(&patch, after)?,
        })
    }
}

/// The cells of a write whose values are others than before.
fn changed_values(before: &View, after: &View, outcomes: &[Outcome]) -> Result<Vec<CellOnSheet>, Fault> {
    let mut changed = BTreeSet::new();
    for outcome in outcomes {
        let Some(sheet) = after.workbook().position(&outcome.sheet) else { continue };
        let old =
            before.workbook().position(&outcome.sheet).map(|sheet| before.sheet_at(sheet)).transpose()?;
        let new = after.sheet_at(sheet)?;
        let cells = outcome.touched.iter().filter(|area| !area.is_whole_columns() && !area.is_whole_rows());
        for area in cells {
            // Rows are gone through once for an area, and not once for each of its cells.
            let mut values: BTreeMap<CellRef, Value> = BTreeMap::new();
            if let Some(old) = &old {
                old.each_cell(*area, &mut |cell| drop(values.insert(cell.at, cell.value)))?;
            }
            new.each_cell(*area, &mut |cell| {
                if values.remove(&cell.at).unwrap_or(Value::Blank) != cell.value {
                    changed.insert(CellOnSheet { sheet, at: cell.at });
                }
            })?;
            let gone = values.into_iter().filter(|(_, value)| *value != Value::Blank);
            changed.extend(gone.map(|(at, _)| CellOnSheet { sheet, at }));
        }
    }
    Ok(changed.into_iter().collect())
}

/// What an edit writes that is no cell: a sheet as a whole, a name, the workbook.
fn apart(edit: &Edit, outcome: &Outcome) -> Vec<String> {
    match edit {
        Edit::AddSheet { name, .. } => vec![quoted(name)],
        Edit::RenameSheet { sheet, to } => vec![quoted(sheet), quoted(to)],
        Edit::DefineName { name, .. } | Edit::DeleteName { name, .. } => vec![name.clone()],
        _ if !outcome.touched.is_empty() => Vec::new(),
        _ if outcome.sheet.is_empty() => vec!["workbook".to_owned()],
        _ => vec![quoted(&outcome.sheet)],
    }
}

/// One edit that is refused is not "edit 1 of 1".
fn alone(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::InBatch { count: 1, cause, .. } => *cause,
        other => other,
    }
}

/// A sheet's name as a formula writes it.
pub(crate) fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit())
        && name.parse::<CellRef>().is_err();
    if plain { name.to_owned() } else { format!("'{}'", name.replace('\'', "''")) }
}

/// The cells that were read and written, neighbours joined.
#[derive(Debug, Default)]
pub(crate) struct Accesses {
    cells: BTreeMap<(Operation, String), Vec<Area>>,
    /// Sheets as a whole, names, and the workbook.
    names: BTreeSet<(Operation, String)>,
}

impl Accesses {
    fn note_name(&mut self, operation: Operation, name: String) {
        self.names.insert((operation, name));
    }

    fn note(&mut self, operation: Operation, sheet: &str, area: Area) {
        let areas = self.cells.entry((operation, sheet.to_owned())).or_default();
        // Scripts walk from cell to cell, so what continues one of the last few areas is nearly always found.
        let recent = areas.len().saturating_sub(8);
        for known in areas.iter_mut().skip(recent).rev() {
            if joins(known, &area) {
                *known = known.hull(&area);
                return;
            }
        }
        areas.push(area);
    }

    /// As the answer lists them, and how many there are if not all are listed.
    pub(crate) fn listed(&self) -> (Vec<Access>, Option<usize>) {
        let named = self
            .names
            .iter()
            .map(|(operation, name)| Access { operation: *operation, address: name.clone() });
        let cells = self.cells.iter().flat_map(|((operation, sheet), areas)| {
            areas
                .iter()
                .map(|area| Access { operation: *operation, address: format!("{}!{area}", quoted(sheet)) })
        });
        let listed: Vec<Access> = named.chain(cells).take(MOST_ACCESSES).collect();
        let total: usize = self.cells.values().map(Vec::len).sum::<usize>() + self.names.len();
        let more = (total > listed.len()).then_some(total);
        (listed, more)
    }

    fn sheets(&self) -> Vec<String> {
        self.cells.keys().map(|(_, sheet)| sheet.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Whether two areas make one rectangle, or one holds the other.
fn joins(a: &Area, b: &Area) -> bool {
    let hull = a.hull(b);
    if hull == *a || hull == *b {
        return true;
    }
    let beside = a.top == b.top && a.bottom == b.bottom && (a.right + 1 == b.left || b.right + 1 == a.left);
    let below = a.left == b.left && a.right == b.right && (a.bottom + 1 == b.top || b.bottom + 1 == a.top);
    beside || below
}
