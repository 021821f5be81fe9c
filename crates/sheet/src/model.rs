//! The workbook as the calculation engine sees it: values in a compact store, formulas in a graph.
//!
//! Built from a view when something has to be calculated. Cells take 16 bytes; their texts stay in the shared
//! strings. Values are written in place, cells that calculation brings into being (spills) lie on top.

mod grid;
mod write;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use edit::{Context, Refusal};
use formula::{
    Area as FormulaArea, Book, CellRef as FormulaCell, Clock, DateSystem, Engine, ExternalBook,
    ExternalSheet, Formula, Iteration, Mode, SheetId, Value,
};
use ooxml::xml::ns;

use crate::a1::{Area, CellRef};
use crate::refs;
use crate::scan::{Attributes, Rows};
use crate::sheet_view::SheetView;
use crate::view::View;
use crate::workbook::{TabKind, string};

pub(crate) use grid::Grid;
pub(crate) use write::write_values;

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) engine: Engine,
    pub(crate) grid: Grid,
    /// Every formula, in sheet order.
    pub(crate) formulas: BTreeMap<FormulaCell, ModelFormula>,
    /// Formulas that could not be read, which keep their values.
    pub(crate) unread: Vec<(FormulaCell, String)>,
    pub(crate) data_tables: Vec<FormulaCell>,
    /// Whether a sheet could not be read; its cells count as blank.
    pub(crate) unreadable: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct ModelFormula {
    /// As it reads in its cell.
    pub(crate) text: Arc<str>,
    pub(crate) mode: Mode,
    /// What the file says an array covers.
    pub(crate) area: Option<Area>,
}

pub(crate) fn place(sheet: usize, at: CellRef) -> FormulaCell {
    FormulaCell::new(SheetId(sheet as u32), at.row, at.col)
}

pub(crate) fn area_on(sheet: usize, area: Area) -> FormulaArea {
    FormulaArea::new(SheetId(sheet as u32), (area.top, area.left), (area.bottom, area.right))
}

pub(crate) fn clock(view: &View, cx: &Context) -> Clock {
    let shift = match view.workbook.dates {
        DateSystem::D1900 => 25_569.0,
        DateSystem::D1904 => 25_569.0 - 1_462.0,
    };
    Clock { now: cx.now as f64 / 86_400.0 + shift, seed: cx.seed }
}

impl Model {
    pub(crate) fn build(view: &View) -> Result<Model, Refusal> {
        let mut engine = Engine::new(book(view)?);
        let calculation = &view.workbook.calculation;
        engine.iteration = calculation
            .iterate
            .then_some(Iteration { max: calculation.iterations, change: calculation.delta });
        let mut model = Model {
            engine,
            grid: Grid::new(view)?,
            formulas: BTreeMap::new(),
            unread: Vec::new(),
            data_tables: Vec::new(),
            unreadable: false,
        };
        for (position, tab) in view.workbook.sheets.iter().enumerate() {
            let loaded = match tab.kind {
                TabKind::Worksheet => {
                    view.sheet_at(position).and_then(|sheet| model.load_sheet(&sheet)).is_ok()
                }
                _ => false,
            };
            if !loaded {
                model.unreadable |= tab.kind == TabKind::Worksheet;
                model.grid.add_nothing();
            }
        }
        Ok(model)
    }

    fn load_sheet(&mut self, sheet: &SheetView<'_>) -> Result<(), Refusal> {
        let worksheet = sheet.worksheet;
        let bytes = worksheet.blob.slice(worksheet.data.clone());
        let refuse = |broken: crate::scan::Broken| worksheet.broken(broken.after(worksheet.data.start));
        let mut loader = grid::Loader::new(sheet);
        let mut shared: HashMap<u32, Shared> = HashMap::new();
        let mut rows = Rows::new(&bytes, 0..bytes.len(), worksheet.spelling(), 0);
        while let Some(row) = rows.next().map_err(refuse)? {
            loader.row(&bytes, &row)?;
            let mut cells = worksheet.cells(&bytes, &row);
            while let Some(cell) = cells.next().map_err(refuse)? {
                loader.cell(&bytes, &cell)?;
                if let Some((element, inside)) = &cell.formula {
                    let value = |name: &str| {
                        Attributes::of(&bytes, element.start).find(name).and_then(|span| bytes.get(span))
                    };
                    let text = crate::scan::text(bytes.get(inside.clone()).unwrap_or_default());
                    let area =
                        value("ref").and_then(|text| std::str::from_utf8(text).ok()?.parse::<Area>().ok());
                    let at = place(sheet.position, cell.at);
                    match value("t") {
                        Some(b"shared") => {
                            let Some(index) = value("si").and_then(crate::a1::read_number) else { continue };
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
                        Some(b"dataTable") => self.data_tables.push(at),
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
        self.grid.add(loader.finish());
        Ok(())
    }

    fn add(&mut self, at: FormulaCell, text: &str, mode: Mode, area: Option<Area>) {
        let formula = match formula::parse(text) {
            Ok(formula) => formula,
            Err(error) => {
                self.unread.push((at, error.to_string()));
                return;
            }
        };
        let range = area.map(|area| area_on(at.sheet.0 as usize, area));
        self.engine.set(at, &formula, mode, range.filter(|_| mode == Mode::Array));
        if let (Mode::Dynamic, Some(range)) = (mode, range) {
            self.engine.set_spill(at, range);
        }
        let shown = crate::stored::formula_for_people(text);
        self.grid
            .remember(at, &if mode == Mode::Array { format!("{{={shown}}}") } else { format!("={shown}") });
        self.formulas.insert(at, ModelFormula { text: Arc::from(text), mode, area });
    }

    fn add_shared(&mut self, sheet: usize, group: &Shared) {
        let base = place(sheet, group.base);
        let parsed: Formula = match formula::parse(&group.text) {
            Ok(formula) => formula,
            Err(error) => {
                let failed = group.members.iter().map(|at| (place(sheet, *at), error.to_string()));
                self.unread.extend(failed);
                return;
            }
        };
        let cells: Vec<FormulaCell> = group.members.iter().map(|at| place(sheet, *at)).collect();
        self.engine.set_shared(base, &parsed, &cells);
        for at in &group.members {
            let text = Arc::from(refs::translate(&group.text, group.base, *at));
            let text: Arc<str> = text;
            self.grid.remember(place(sheet, *at), &format!("={}", crate::stored::formula_for_people(&text)));
            let formula = ModelFormula { text, mode: Mode::Plain, area: None };
            self.formulas.insert(place(sheet, *at), formula);
        }
    }

    /// Formulas whose value depends on the moment or on chance, directly or through others.
    pub(crate) fn volatile(&self) -> BTreeSet<FormulaCell> {
        let start: Vec<FormulaCell> =
            self.formulas.keys().copied().filter(|at| self.engine.is_volatile(*at)).collect();
        self.reached_from(&start)
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
fn book(view: &View) -> Result<Book, Refusal> {
    let workbook = &view.workbook;
    let names: Vec<&str> = workbook.sheets.iter().map(|tab| tab.name.as_str()).collect();
    let mut book = Book::new(&names, workbook.dates);
    for (position, tab) in workbook.sheets.iter().enumerate() {
        if tab.kind != TabKind::Worksheet {
            continue;
        }
        let tables = view.sheet_at(position).and_then(|sheet| sheet.tables()).unwrap_or_default();
        for table in tables {
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
    Ok(book)
}

fn external(view: &View, link: &crate::workbook::ExternalLink) -> Result<ExternalBook, Refusal> {
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
        found.sheets.push(ExternalSheet { name: string(&sheet, "val").unwrap_or_default(), cells: None });
    }
    for name in list("definedNames", "definedName") {
        if let (Some(name), Some(refers)) = (string(&name, "name"), string(&name, "refersTo")) {
            found.names.insert(name, refers);
        }
    }
    for data in list("sheetDataSet", "sheetData") {
        let failed = string(&data, "refreshError").is_some_and(|flag| flag == "1" || flag == "true");
        let index = crate::workbook::number(&data, "sheetId").map(|index| index as usize);
        let Some(sheet) = index.filter(|_| !failed).and_then(|index| found.sheets.get_mut(index)) else {
            continue;
        };
        let cells = sheet.cells.get_or_insert_default();
        for cell in data.descendants().filter(|node| node.is(ns::S, "cell")) {
            let Some(at) = string(&cell, "r").and_then(|text| text.parse::<CellRef>().ok()) else { continue };
            let text = cell.child(ns::S, "v").map(|node| node.text().into_owned()).unwrap_or_default();
            let value = match string(&cell, "t").as_deref() {
                Some("str" | "s") => Value::from(&*crate::strings::decode(&text)),
                Some("b") => Value::Bool(text.trim() == "1" || text.trim() == "true"),
                Some("e") => formula::ErrorKind::parse(text.trim()).map_or(Value::Blank, Value::Error),
                _ => text.trim().parse().map_or(Value::Blank, Value::Number),
            };
            cells.insert((at.row, at.col), value);
        }
    }
    Ok(found)
}
