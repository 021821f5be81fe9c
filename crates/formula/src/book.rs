//! What formulas need to know of a workbook besides its cells: sheets, names, tables, external caches.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use crate::address::{Area, SheetId};
use crate::ast::{Formula, ParseError};
use crate::bind::{Node, bind};
use crate::date::DateSystem;
use crate::key::folded;
use crate::parse::parse;
use crate::value::Value;

/// The frame of a workbook. Cells themselves are asked of [`crate::Cells`].
#[derive(Debug, Default)]
pub struct Book {
    sheets: Vec<Arc<str>>,
    sheet_index: HashMap<String, SheetId>,
    names: Vec<DefinedName>,
    name_index: HashMap<(Option<SheetId>, String), usize>,
    tables: Vec<Table>,
    table_index: HashMap<String, usize>,
    externals: Vec<ExternalBook>,
    pivots: Vec<Pivot>,
    pub dates: DateSystem,
    /// Directory and file name for `CELL("filename")`: `C:\dir\` and `book.xlsx`.
    pub path: Option<(String, String)>,
}

/// A name and the formula it stands for, relative to cell A1.
#[derive(Debug)]
pub struct DefinedName {
    pub name: Arc<str>,
    /// The sheet it is local to.
    pub scope: Option<SheetId>,
    pub formula: Formula,
    node: OnceLock<Node>,
}

/// A table. `area` includes the header and totals rows.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: Arc<str>,
    pub area: Area,
    pub header_rows: u32,
    pub totals_rows: u32,
    pub columns: Vec<Arc<str>>,
}

/// A pivot table as it lies on its sheet: which cell shows what.
#[derive(Clone, Debug, Default)]
pub struct Pivot {
    pub area: Option<Area>,
    /// Row and column of the first value.
    pub first: (u32, u32),
    /// The names of all fields; a field that was renamed has both.
    pub fields: Vec<Vec<String>>,
    /// The names of each data field: its own and that of its source.
    pub data: Vec<Vec<String>>,
    /// From the first value down, and to the right.
    pub rows: Vec<PivotLine>,
    pub columns: Vec<PivotLine>,
}

/// A row or column of a pivot table.
#[derive(Clone, Debug, Default)]
pub struct PivotLine {
    /// Fields by number, with the item of each; none for a grand total.
    pub items: Vec<(usize, Value)>,
    /// The data field by number, where the lines tell them apart.
    pub data: Option<usize>,
}

/// The values another workbook had when it was last seen.
#[derive(Clone, Debug, Default)]
pub struct ExternalBook {
    /// What stands in brackets: `1` in files.
    pub key: String,
    pub sheets: Vec<ExternalSheet>,
    /// Names of the other workbook, as formulas of its own sheets.
    pub names: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default)]
pub struct ExternalSheet {
    pub name: String,
    /// `None` when nothing of the sheet was kept.
    pub cells: Option<BTreeMap<(u32, u32), Value>>,
}

fn fold(name: &str) -> String {
    folded(name).into_owned()
}

impl Book {
    #[must_use]
    pub fn new(sheets: &[&str], dates: DateSystem) -> Book {
        let mut book = Book { dates, ..Book::default() };
        for name in sheets {
            book.add_sheet(name);
        }
        book
    }

    pub fn add_sheet(&mut self, name: &str) -> SheetId {
        let id = SheetId(self.sheets.len() as u32);
        self.sheets.push(Arc::from(name));
        self.sheet_index.insert(fold(name), id);
        id
    }

    #[must_use]
    pub fn sheets(&self) -> &[Arc<str>] {
        &self.sheets
    }

    #[must_use]
    pub fn sheet(&self, name: &str) -> Option<SheetId> {
        self.sheet_index.get(&fold(name)).copied()
    }

    #[must_use]
    pub fn sheet_name(&self, id: SheetId) -> &str {
        self.sheets.get(id.0 as usize).map_or("", |name| name)
    }

    /// Define a name, or define it anew.
    pub fn define(&mut self, scope: Option<SheetId>, name: &str, formula: &str) -> Result<(), ParseError> {
        let formula = parse(formula)?;
        let defined = DefinedName { name: Arc::from(name), scope, formula, node: OnceLock::new() };
        match self.name_index.get(&(scope, fold(name))) {
            Some(at) => {
                if let Some(slot) = self.names.get_mut(*at) {
                    *slot = defined;
                }
            }
            None => {
                self.name_index.insert((scope, fold(name)), self.names.len());
                self.names.push(defined);
            }
        }
        self.forget_bindings();
        Ok(())
    }

    /// Names bind to sheets, tables and one another by position, so any change unbinds them all.
    fn forget_bindings(&mut self) {
        for name in &mut self.names {
            name.node = OnceLock::new();
        }
    }

    /// The name as seen from a sheet: local names come first.
    pub(crate) fn name_at(&self, from: SheetId, name: &str) -> Option<usize> {
        let key = fold(name);
        self.name_index.get(&(Some(from), key.clone())).or_else(|| self.name_index.get(&(None, key))).copied()
    }

    #[must_use]
    pub fn name(&self, from: SheetId, name: &str) -> Option<&DefinedName> {
        self.name_at(from, name).and_then(|at| self.names.get(at))
    }

    /// Every name that is defined.
    pub fn names(&self) -> impl Iterator<Item = &DefinedName> {
        self.name_index.values().filter_map(|at| self.names.get(*at))
    }

    pub(crate) fn name_node(&self, at: usize) -> Option<&Node> {
        let name = self.names.get(at)?;
        Some(name.node.get_or_init(|| bind(&name.formula.expr, self, name.scope.unwrap_or(SheetId(0)), None)))
    }

    pub fn add_table(&mut self, table: Table) {
        let key = fold(&table.name);
        match self.table_index.get(&key) {
            Some(at) => {
                if let Some(slot) = self.tables.get_mut(*at) {
                    *slot = table;
                }
            }
            None => {
                self.table_index.insert(key, self.tables.len());
                self.tables.push(table);
            }
        }
        self.forget_bindings();
    }

    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.table_index.get(&fold(name)).and_then(|at| self.tables.get(*at))
    }

    pub fn add_pivot(&mut self, pivot: Pivot) {
        self.pivots.push(pivot);
    }

    pub(crate) fn pivots(&self) -> &[Pivot] {
        &self.pivots
    }

    pub fn add_external(&mut self, book: ExternalBook) {
        self.externals.push(book);
        self.forget_bindings();
    }

    pub(crate) fn external(&self, key: &str) -> Option<(usize, &ExternalBook)> {
        self.externals.iter().enumerate().find(|(_, book)| book.key.eq_ignore_ascii_case(key))
    }

    pub(crate) fn external_sheet(&self, id: SheetId) -> Option<&ExternalSheet> {
        let (book, sheet) = id.as_external()?;
        self.externals.get(book)?.sheets.get(sheet)
    }
}

impl Table {
    /// The column's position, by its name.
    pub(crate) fn column(&self, name: &str) -> Option<u32> {
        let key = fold(name);
        self.columns.iter().position(|column| fold(column) == key).map(|at| at as u32)
    }
}
