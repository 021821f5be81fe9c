//! The workbook as the calculation engine sees it: values in a compact store, formulas in a graph.
//!
//! Built from a view when something has to be calculated for the first time, and carried from revision to
//! revision after that: a copy is cheap, and an edit sets the few cells it changed. Cells take 15 bytes; their
//! texts stay in the shared strings. Values are written in place, cells that calculation brings into being
//! (spills) lie on top.

mod grid;
mod language;
mod widths;
mod write;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use edit::{Context, Cut, OrEmpty, Refusal, Stop};
use formula::{
    Book as FormulaBook, CellRef as FormulaCell, Clock, DataTable, DateSystem, Engine, ExternalBook,
    ExternalSheet, Formula, Iteration, Locale, Mode, SheetId, Value,
};
use ooxml::xml::ns;

use crate::calc::dirt::Dirt;
use crate::calc::place::{area_on, place};
use crate::file::a1::{Area, CellRef};
use crate::file::refs;
use crate::file::scan::{Attributes, Rows};
use crate::file::workbook::{TabKind, string};
use crate::read::book::Book;
use crate::read::sheet_view::{FormulaKind, SheetView};

pub(crate) use grid::Grid;
pub(crate) use write::write_values;

#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) engine: Engine,
    pub(crate) grid: Grid,
    /// Formulas that could not be read, which keep their values.
    pub(crate) unread: Arc<BTreeMap<FormulaCell, String>>,
    /// What-if tables by their first cell, as people read them.
    pub(crate) data_tables: Arc<BTreeMap<FormulaCell, String>>,
    /// Formulas that the file has no value for.
    pub(crate) unvalued: Arc<BTreeSet<FormulaCell>>,
    /// Sheets that could not be read, and why; their cells count as blank.
    pub(crate) unreadable: Vec<(String, Refusal)>,
    /// The language of whoever saved the workbook, as its values tell.
    pub(crate) locale: Locale,
}

#[derive(Clone, Debug)]
pub(crate) struct ModelFormula {
    /// As it reads in the cell `base`.
    source: Arc<str>,
    base: CellRef,
    pub(crate) mode: Mode,
    /// What the file says an array covers.
    pub(crate) area: Option<Area>,
}

impl ModelFormula {
    pub(crate) fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// As it reads in its own cell.
    pub(crate) fn text(&self, at: FormulaCell) -> String {
        refs::translate(&self.source, self.base, CellRef::new(at.row, at.col))
    }
}

pub(crate) fn clock(view: &Book, cx: &Context) -> Clock {
    let shift = match view.workbook.dates {
        DateSystem::D1900 => 25_569.0,
        DateSystem::D1904 => 25_569.0 - 1_462.0,
    };
    let locale = cx.language.as_deref().and_then(Locale::of).unwrap_or_default();
    Clock { now: cx.now as f64 / 86_400.0 + shift, seed: cx.seed, locale }
}

impl Model {
    pub(crate) fn build(view: &Book) -> Result<Model, Refusal> {
        Self::build_until(view, &Stop::never())
    }

    /// The same, as long as somebody wants it.
    pub(crate) fn build_until(view: &Book, stop: &Stop) -> Result<Model, Refusal> {
        let mut engine = Engine::new(book(view)?);
        let calculation = &view.workbook.calculation;
        engine.iteration = calculation
            .iterate
            .then_some(Iteration { max: calculation.iterations, change: calculation.delta });
        let mut model = Model {
            engine,
            grid: Grid::new(view)?,
            unread: Arc::default(),
            data_tables: Arc::default(),
            unvalued: Arc::default(),
            unreadable: Vec::new(),
            locale: Locale::default(),
        };
        model.grid.stop = stop.clone();
        for (position, tab) in view.workbook.sheets.iter().enumerate() {
            let loaded = match tab.kind {
                TabKind::Worksheet => {
                    view.sheet_at(position).and_then(|sheet| model.load_sheet(&sheet)).map(|()| true)
                }
                _ => Ok(false),
            };
            match loaded {
                Ok(true) => continue,
                Ok(false) => {}
                Err(Refusal::Cancelled) => return Err(Refusal::Cancelled),
                Err(refusal) => model.unreadable.push((tab.name.clone(), refusal)),
            }
            model.grid.add_nothing();
        }
        model.locale = language::of_values(&model, &BTreeSet::new());
        model.grid.stop = Stop::never();
        Ok(model)
    }

    /// Looks for the language again, where the values of what depends on these cells are no longer those of whoever
    /// saved them.
    pub(crate) fn find_language(&mut self, changed: &[FormulaCell]) {
        let reached = self.reached_from(changed);
        self.locale = language::of_values(self, &reached);
    }

    /// What a calculation takes from outside.
    pub(crate) fn clock(&self, view: &Book, cx: &Context) -> Clock {
        let asked = cx.language.as_deref().and_then(Locale::of);
        Clock { locale: asked.unwrap_or(self.locale), ..clock(view, cx) }
    }

    fn load_sheet(&mut self, sheet: &SheetView<'_>) -> Result<(), Refusal> {
        let worksheet = sheet.worksheet;
        let bytes = worksheet.blob.slice(worksheet.data.clone());
        let refuse = |broken: crate::file::scan::Broken| worksheet.broken(broken.after(worksheet.data.start));
        let mut loader = grid::Loader::new(sheet);
        let mut shared: HashMap<u32, Shared> = HashMap::new();
        let mut rows = Rows::new(&bytes, 0..bytes.len(), worksheet.spelling(), 0);
        while let Some(row) = rows.next().map_err(refuse)? {
            self.grid.stop.check()?;
            loader.row(&bytes, &row)?;
            let mut cells = worksheet.cells(&bytes, &row);
            while let Some(cell) = cells.next().map_err(refuse)? {
                loader.cell(&bytes, &cell)?;
                if let Some((element, inside)) = &cell.formula {
                    let value = |name: &str| {
                        Attributes::of(&bytes, element.start).find(name).and_then(|span| bytes.get(span))
                    };
                    let text = crate::file::scan::text(bytes.cut(inside.clone())?);
                    let area =
                        value("ref").and_then(|text| std::str::from_utf8(text).ok()?.parse::<Area>().ok());
                    let at = place(sheet.position, cell.at);
                    if !cell.has_value() && !cell.is_filled(&bytes) {
                        Arc::make_mut(&mut self.unvalued).insert(at);
                    }
                    match value("t") {
                        Some(b"shared") => {
                            let Some(index) = value("si").and_then(crate::file::a1::read_number) else {
                                continue;
                            };
                            if text.is_empty() {
                                if let Some(group) = shared.get_mut(&index) {
                                    group.members.push(cell.at);
                                }
                                continue;
                            }
                            let group =
                                Shared { base: cell.at, text: Arc::from(&*text), members: vec![cell.at] };
                            if let Some(old) = shared.insert(index, group) {
                                self.add_shared(sheet.position, &old);
                            }
                        }
                        Some(b"dataTable") => {
                            let flag = |name| matches!(value(name), Some(b"1" | b"true"));
                            let input = |name, deleted| {
                                let text = value(name).filter(|_| !flag(deleted))?;
                                Some(place(sheet.position, std::str::from_utf8(text).ok()?.parse().ok()?))
                            };
                            let (first, second) = (input("r1", "del1"), input("r2", "del2"));
                            let (row_input, column_input) = match (flag("dt2D"), flag("dtr")) {
                                (true, _) => (first, second),
                                (false, true) => (first, None),
                                (false, false) => (None, first),
                            };
                            let whole = !flag("dt2D") || first.is_some() && second.is_some();
                            let area = area.unwrap_or(Area::cell(cell.at));
                            // One whose input was deleted keeps its values, which say so.
                            if whole && (row_input.is_some() || column_input.is_some()) {
                                let area = area_on(sheet.position, area);
                                self.engine.add_data_table(DataTable { area, row_input, column_input });
                            }
                            let shown = |name| value(name).map(String::from_utf8_lossy).or_empty();
                            let text = match (row_input, flag("dt2D")) {
                                (_, true) => format!("TABLE({},{})", shown("r1"), shown("r2")),
                                (Some(_), false) => format!("TABLE({},)", shown("r1")),
                                (None, false) => format!("TABLE(,{})", shown("r1")),
                            };
                            Arc::make_mut(&mut self.data_tables).insert(at, text);
                        }
                        Some(b"array") => {
                            let dynamic = Attributes::of(&bytes, cell.tag.start).find("cm").is_some();
                            let mode = if dynamic { Mode::Dynamic } else { Mode::Array };
                            self.add(at, &text, mode, Some(area.unwrap_or(Area::cell(cell.at))));
                        }
                        _ if text.is_empty() => {}
                        _ => self.add(at, &text, Mode::Plain, None),
                    }
                }
            }
        }
        for group in shared.values() {
            self.add_shared(sheet.position, group);
        }
        self.grid.add(loader);
        Ok(())
    }

    fn add(&mut self, at: FormulaCell, text: &str, mode: Mode, area: Option<Area>) {
        let formula = match formula::parse(text) {
            Ok(formula) => formula,
            Err(error) => {
                Arc::make_mut(&mut self.unread).insert(at, error.to_string());
                return;
            }
        };
        let range = area.map(|area| area_on(at.sheet.0 as usize, area));
        self.engine.set(at, &formula, mode, range.filter(|_| mode == Mode::Array));
        if let (Mode::Dynamic, Some(range)) = (mode, range) {
            self.engine.set_spill(at, range);
        }
        let formula = ModelFormula { source: formula.text, base: CellRef::new(at.row, at.col), mode, area };
        self.grid.formulas.insert(at, formula);
    }

    fn add_shared(&mut self, sheet: usize, group: &Shared) {
        let base = place(sheet, group.base);
        let parsed: Formula = match formula::parse(&group.text) {
            Ok(formula) => formula,
            Err(error) => {
                let failed = group.members.iter().map(|at| (place(sheet, *at), error.to_string()));
                Arc::make_mut(&mut self.unread).extend(failed);
                return;
            }
        };
        let cells: Vec<FormulaCell> = group.members.iter().map(|at| place(sheet, *at)).collect();
        self.engine.set_shared(base, &parsed, &cells);
        for at in cells {
            let source = Arc::clone(&group.text);
            let formula = ModelFormula { source, base: group.base, mode: Mode::Plain, area: None };
            self.grid.formulas.insert(at, formula);
        }
    }

    /// Sets the cells that were changed to what they hold now. False when that is more than cells, and the
    /// model has to be built anew.
    pub(crate) fn update(&mut self, view: &Book, dirt: &Dirt) -> Result<bool, Refusal> {
        if dirt.all || dirt.surroundings || dirt.since.is_some() {
            return Ok(false);
        }
        let mut styles = Vec::with_capacity(dirt.styled.len());
        for (position, at) in &dirt.styled {
            let style = view.sheet_at(*position)?.cell(*at)?.map_or(0, |cell| cell.style);
            styles.push((place(*position, *at), style));
        }
        for (position, at) in &dirt.cached {
            let value = view.sheet_at(*position)?.value(*at)?;
            formula::Store::set(&mut self.grid, place(*position, *at), value);
        }
        for (position, at) in &dirt.cells {
            let here = place(*position, *at);
            let known = self.grid.formulas.get(&here);
            // An array that goes leaves cells behind, and a table is more than its first cell.
            if known.is_some_and(|formula| formula.mode != Mode::Plain)
                || self.data_tables.contains_key(&here)
            {
                return Ok(false);
            }
            let sheet = view.sheet_at(*position)?;
            let (value, formula) =
                sheet.cell(*at)?.map(|cell| (cell.value, cell.formula)).unwrap_or_default();
            // Where the first of shared formulas reads another, so do those that only refer to it.
            if let Some(now) = formula.as_ref().filter(|now| now.kind == FormulaKind::Shared)
                && known.is_none_or(|known| known.text(here) != now.text)
                && sheet.worksheet.shared()?.iter().any(|group| group.at == *at)
            {
                return Ok(false);
            }
            self.engine.remove(here);
            self.grid.formulas.remove(&here);
            if self.unread.contains_key(&here) {
                Arc::make_mut(&mut self.unread).remove(&here);
            }
            formula::Store::set(&mut self.grid, here, value);
            let Some(formula) = formula else { continue };
            match formula.kind {
                FormulaKind::Normal | FormulaKind::Shared => self.add(here, &formula.text, Mode::Plain, None),
                FormulaKind::Array(area) => self.add(here, &formula.text, Mode::Array, Some(area)),
                FormulaKind::Dynamic(area) => self.add(here, &formula.text, Mode::Dynamic, Some(area)),
                FormulaKind::DataTable(_) => return Ok(false),
            }
        }
        self.grid.restyle(view, &styles)?;
        Ok(true)
    }

    /// Remembers over which range an array now goes.
    pub(crate) fn set_area(&mut self, at: FormulaCell, area: Area) {
        if let Some(known) = self.grid.formulas.get(&at).cloned() {
            self.grid.formulas.insert(at, ModelFormula { area: Some(area), ..known });
        }
    }

    pub(crate) fn formula(&self, at: FormulaCell) -> Option<&ModelFormula> {
        self.grid.formulas.get(&at)
    }

    /// Arrays that had no room. The file does not say how much they want, so each edit may make it.
    pub(crate) fn stuck(&self) -> Vec<FormulaCell> {
        let arrays = self.grid.formulas.iter().filter(|(_, formula)| formula.mode == Mode::Dynamic);
        let spill = Value::Error(formula::ErrorKind::Spill);
        arrays.map(|(at, _)| *at).filter(|at| self.value(*at) == spill).collect()
    }

    /// The given cells, and of what depends on them all that they read and the file has no value for: taken as
    /// blank, it would make them wrong.
    pub(crate) fn with_unvalued(&self, mut changed: Vec<FormulaCell>) -> Vec<FormulaCell> {
        if self.unvalued.is_empty() {
            return changed;
        }
        let mut seen = BTreeSet::new();
        let mut queue = changed.clone();
        while let Some(at) = queue.pop() {
            for reached in self.reached_from(&[at]) {
                if !seen.insert(reached) {
                    continue;
                }
                for area in self.engine.precedents(reached).or_empty() {
                    let first = FormulaCell::new(area.sheet, area.top, 0);
                    let last = FormulaCell::new(area.sheet, area.bottom, area.right);
                    let inside = self.unvalued.range(first..=last).filter(|at| area.contains(**at));
                    let new: Vec<FormulaCell> = inside.filter(|at| !seen.contains(at)).copied().collect();
                    changed.extend(&new);
                    queue.extend(new);
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Notes which formulas have a value by now.
    pub(crate) fn valued(&mut self) {
        if self.unvalued.is_empty() {
            return;
        }
        let left =
            self.unvalued.iter().filter(|at| self.formula(**at).is_some() && self.value(**at).is_blank());
        self.unvalued = Arc::new(left.copied().collect());
    }

    /// Every cell with a formula, in sheet order.
    pub(crate) fn formula_cells(&self) -> Vec<FormulaCell> {
        let mut cells: Vec<FormulaCell> = self.grid.formulas.keys().copied().collect();
        cells.sort_unstable();
        cells
    }

    /// The given formulas and all that depend on them.
    pub(crate) fn reached_from(&self, start: &[FormulaCell]) -> BTreeSet<FormulaCell> {
        let mut found: BTreeSet<FormulaCell> = start.iter().copied().collect();
        let mut queue: Vec<FormulaCell> = found.iter().copied().collect();
        while let Some(at) = queue.pop() {
            for dependent in self.engine.dependents(at) {
                if found.insert(dependent) {
                    queue.push(dependent);
                }
            }
        }
        found
    }

    pub(crate) fn value(&self, at: FormulaCell) -> Value {
        formula::Cells::value(&self.grid, at)
    }
}

struct Shared {
    base: CellRef,
    text: Arc<str>,
    members: Vec<CellRef>,
}

/// Sheets, names, tables and what is remembered of other workbooks.
fn book(view: &Book) -> Result<FormulaBook, Refusal> {
    let workbook = &view.workbook;
    let names: Vec<&str> = workbook.sheets.iter().map(|tab| tab.name.as_str()).collect();
    let mut book = FormulaBook::new(&names, workbook.dates);
    for (position, tab) in workbook.sheets.iter().enumerate() {
        if tab.kind != TabKind::Worksheet {
            continue;
        }
        // Broken sheets keep nobody from calculating what does not name them.
        let Ok(sheet) = view.sheet_at(position) else { continue };
        for table in sheet.sound_tables() {
            book.add_table(formula::Table {
                name: Arc::from(table.name.as_str()),
                area: area_on(position, table.area),
                header_rows: table.header_rows,
                totals_rows: table.totals_rows,
                columns: table.columns.iter().map(|name| Arc::from(name.as_str())).collect(),
            });
        }
    }
    for name in &workbook.names {
        let scope = name.scope.map(|index| SheetId(index as u32));
        // A name that cannot be read stays undefined, which is what formulas that use it will say.
        let _ = book.define(scope, &name.name, &name.formula);
    }
    for link in &workbook.external_links {
        book.add_external(external(view, link)?);
    }
    crate::calc::pivots::read_all(view, &mut book);
    Ok(book)
}

fn external(view: &Book, link: &crate::file::workbook::ExternalLink) -> Result<ExternalBook, Refusal> {
    let mut found = ExternalBook { key: link.index.to_string(), ..ExternalBook::default() };
    let document = ooxml::read_xml(&view.content, &link.part)?;
    let Some(node) = document.root().child(ns::S, "externalBook") else { return Ok(found) };
    let list = |list: &str, item: &'static str| {
        let list = node.child(ns::S, list);
        list.into_iter().flat_map(move |list| {
            list.elements().filter(move |node| node.is(ns::S, item)).collect::<Vec<_>>()
        })
    };
    for sheet in list("sheetNames", "sheetName") {
        found.sheets.push(ExternalSheet { name: string(&sheet, "val").or_empty(), cells: None });
    }
    for name in list("definedNames", "definedName") {
        if let (Some(name), Some(refers)) = (string(&name, "name"), string(&name, "refersTo")) {
            found.names.insert(name, refers);
        }
    }
    for data in list("sheetDataSet", "sheetData") {
        let failed = string(&data, "refreshError").is_some_and(|flag| flag == "1" || flag == "true");
        let index = crate::file::workbook::number(&data, "sheetId").map(|index| index as usize);
        let Some(sheet) = index.filter(|_| !failed).and_then(|index| found.sheets.get_mut(index)) else {
            continue;
        };
        let cells = sheet.cells.get_or_insert_default();
        for cell in data.descendants().filter(|node| node.is(ns::S, "cell")) {
            let Some(at) = string(&cell, "r").and_then(|text| text.parse::<CellRef>().ok()) else { continue };
            let text = cell.child(ns::S, "v").map(|node| node.text().into_owned()).or_empty();
            let value = match string(&cell, "t").as_deref() {
                Some("str" | "s") => Value::from(&*crate::file::strings::decode(&text)),
                Some("b") => Value::Bool(text.trim() == "1" || text.trim() == "true"),
                Some("e") => formula::ErrorKind::parse(text.trim()).map_or(Value::Blank, Value::Error),
                _ => text.trim().parse().map_or(Value::Blank, Value::Number),
            };
            cells.insert((at.row, at.col), value);
        }
    }
    Ok(found)
}
