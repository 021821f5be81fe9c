//! Formulas of a workbook, what they depend on, and recalculation of just what a change reaches.
//!
//! Values live with the caller behind [`Store`]. Calculation never recurses from cell to cell: a formula that
//! meets an unfinished precedent waits on an explicit stack, so a chain of a hundred thousand cells is fine.

mod dirty;
mod entry;
mod graph;
mod moving;
mod news;
mod recalc;
mod what_if;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::address::{Area, CellRef, MAX_COLS, MAX_ROWS, SheetId};
use crate::ast::{CellCoord, Expr, Formula, Operator};
use crate::bind::{Node, bind};
use crate::book::Book;
use crate::cells::Cells;
use crate::eval::index::Indexes;
use crate::eval::quick::{self, Road};
use crate::eval::{Clock, Cx, Mode, Outcome, wrap};
use crate::shared::{Pages, Shards};
use crate::value::Value;

use entry::{Arrayed, Entry};
use graph::Dependents;
pub use recalc::Report;

/// Cells that calculation may write to.
pub trait Store: Cells {
    fn set(&mut self, cell: CellRef, value: Value);

    /// Whether nobody wants the values any more. Asked between formulas; those that are left then keep their values.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Sets a cell; whether its value is another than it was.
    fn replace(&mut self, cell: CellRef, value: Value) -> bool {
        let other = self.value(cell) != value;
        if other {
            self.set(cell, value);
        }
        other
    }
}

/// Cycles are calculated round and round, so many times, until nothing moves more than so much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    pub max: u32,
    pub change: f64,
}

pub(crate) type Id = u32;

/// The formulas of a workbook and how they hang together. A copy costs little and shares what is the same.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    book: Arc<Book>,
    /// `None` is Excel's default: a circular formula is zero.
    pub iteration: Option<Iteration>,
    entries: Pages<Option<Entry>>,
    by_cell: Shards<CellRef, Id>,
    dependents: Dependents,
    volatile: Arc<BTreeSet<Id>>,
    /// Formulas that use the moment, chance or the machine themselves.
    moving: Arc<BTreeSet<Id>>,
    /// Values put inside a range an array had filled.
    foreign: Arc<BTreeSet<CellRef>>,
    tables: Vec<DataTable>,
}

/// A what-if table: each cell of `area` is a formula's value with the values beside and above it put into the
/// input cells. Formulas stand at the corner (two inputs), left of the rows (a row input) or above the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataTable {
    pub area: Area,
    /// Takes the value above the column.
    pub row_input: Option<CellRef>,
    /// Takes the value left of the row.
    pub column_input: Option<CellRef>,
}

impl Engine {
    #[must_use]
    pub fn new(book: Book) -> Engine {
        Engine { book: Arc::new(book), ..Engine::default() }
    }

    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The cells with formulas, in no particular order.
    pub fn cells(&self) -> impl Iterator<Item = CellRef> {
        self.by_cell.keys().copied()
    }

    /// Set a cell's formula; `array` is the range of an array formula. It is calculated by the next
    /// [`Engine::recalculate`] that names the cell.
    pub fn set(&mut self, at: CellRef, formula: &Formula, mode: Mode, array: Option<Area>) {
        let node = Arc::new(bind(&formula.expr, &self.book, at.sheet, Some(at)));
        self.insert(at, node, (0, 0), mode, array);
    }

    /// Set the same formula in many cells, as if copied from `base`.
    pub fn set_shared(&mut self, base: CellRef, formula: &Formula, cells: &[CellRef]) {
        let node = Arc::new(bind(&formula.expr, &self.book, base.sheet, Some(base)));
        for at in cells {
            let shift = (at.row as i32 - base.row as i32, at.col as i32 - base.col as i32);
            self.insert(*at, node.clone(), shift, Mode::Plain, None);
        }
    }

    /// Add a data table; its cells are calculated after all formulas.
    pub fn add_data_table(&mut self, table: DataTable) {
        self.tables.retain(|known| known.area != table.area);
        self.tables.push(table);
    }

    /// Forget the data tables that touch an area.
    pub fn remove_data_tables(&mut self, area: Area) {
        self.tables.retain(|table| table.area.intersect(&area).is_none());
    }

    /// Forget a cell's formula; answers the range it had filled besides its own cell, for the caller to clear.
    pub fn remove(&mut self, at: CellRef) -> Option<Area> {
        let id = self.by_cell.remove(&at)?;
        let entry = self.entries.get_mut(id as usize)?.take()?;
        for area in entry.precedents.as_slice().iter().chain(entry.watch().iter()) {
            self.dependents.remove(*area, id);
        }
        if self.volatile.contains(&id) {
            Arc::make_mut(&mut self.volatile).remove(&id);
        }
        if self.moving.contains(&id) {
            Arc::make_mut(&mut self.moving).remove(&id);
        }
        entry.spill().or(entry.array())
    }

    fn insert(&mut self, at: CellRef, node: Arc<Node>, shift: (i32, i32), mode: Mode, array: Option<Area>) {
        self.remove(at);
        let reader = Reads::new(&self.book, at, (i64::from(shift.0), i64::from(shift.1))).of(&node);
        let Reads { mut areas, volatile, moving, dynamic, chooses, restless, subtotal, .. } = reader;
        areas.sort_unstable();
        areas.dedup();
        let id = self.entries.len() as Id;
        for area in &areas {
            self.dependents.add(*area, id);
        }
        if volatile {
            Arc::make_mut(&mut self.volatile).insert(id);
        }
        if moving {
            Arc::make_mut(&mut self.moving).insert(id);
        }
        let array = array.filter(|_| mode == Mode::Array);
        let road = if mode == Mode::Plain { quick::road(&node, &areas) } else { Road::Proper };
        let entry = Entry {
            at,
            node,
            shift,
            mode,
            dynamic,
            chooses: chooses && !restless,
            subtotal,
            road,
            precedents: areas.as_slice().into(),
            arrayed: array.map(|area| Box::new(Arrayed { array: Some(area), ..Arrayed::default() })),
        };
        self.entries.push(Some(entry));
        self.by_cell.insert(at, id);
    }

    /// Tell the engine what a dynamic array filled when it was last calculated, as a file records it.
    pub fn set_spill(&mut self, at: CellRef, area: Area) {
        let Some(id) = self.by_cell.get(&at).copied() else { return };
        self.fills(id, Some(area), Some(area));
    }

    /// Takes over what a dynamic array fills, and the range it needs.
    fn fills(&mut self, id: Id, spill: Option<Area>, watch: Option<Area>) {
        let before = self.entry(id).map(|entry| (entry.spill(), entry.watch()));
        if before == Some((spill, watch)) {
            return;
        }
        let Some(Some(entry)) = self.entries.get_mut(id as usize) else { return };
        let arrayed = entry.arrayed.get_or_insert_default();
        arrayed.spill = spill;
        let old = std::mem::replace(&mut arrayed.watch, watch);
        if old != watch {
            if let Some(old) = old {
                self.dependents.remove(old, id);
            }
            if let Some(new) = watch {
                self.dependents.add(new, id);
            }
        }
    }

    /// Change sheets, names or tables. Every formula is bound anew, since any of them may mean something else now;
    /// `formulas` gives their texts.
    pub fn rebind(&mut self, book: Book, formulas: &dyn Fn(CellRef) -> Option<Formula>) {
        self.book = Arc::new(book);
        let cells: Vec<(CellRef, Mode, Option<Area>, Option<Area>)> = self
            .entries
            .iter()
            .flatten()
            .map(|entry| (entry.at, entry.mode, entry.array(), entry.spill()))
            .collect();
        for (at, mode, array, spill) in cells {
            match formulas(at) {
                Some(formula) => {
                    self.set(at, &formula, mode, array);
                    if let Some(spill) = spill {
                        self.set_spill(at, spill);
                    }
                }
                None => {
                    self.remove(at);
                }
            }
        }
    }

    fn entry(&self, id: Id) -> Option<&Entry> {
        self.entries.get(id as usize).and_then(Option::as_ref)
    }

    /// The ranges a cell's formula names.
    #[must_use]
    pub fn precedents(&self, cell: CellRef) -> Option<&[Area]> {
        self.by_cell.get(&cell).and_then(|id| self.entry(*id)).map(|entry| entry.precedents.as_slice())
    }

    /// The cells whose formulas name this cell, in sheet order.
    #[must_use]
    pub fn dependents(&self, cell: CellRef) -> Vec<CellRef> {
        let mut found = Vec::new();
        self.dependents.each_area(cell, &mut |area, users| {
            for id in users {
                if let Some(entry) = self.entry(*id)
                    && entry.precedents.as_slice().contains(&area)
                {
                    found.push(entry.at);
                }
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The range that a cell's dynamic array fills, if it is more than the cell.
    #[must_use]
    pub fn spilled_to(&self, cell: CellRef) -> Option<Area> {
        self.by_cell.get(&cell).and_then(|id| self.entry(*id)).and_then(Entry::spill)
    }

    #[must_use]
    pub fn is_volatile(&self, cell: CellRef) -> bool {
        self.by_cell.get(&cell).is_some_and(|id| self.volatile.contains(id))
    }

    /// Evaluate an expression as if it stood in a cell, without keeping it.
    #[must_use]
    pub fn evaluate<S: Store>(
        &self,
        expr: &Expr,
        at: CellRef,
        mode: Mode,
        store: &S,
        clock: Clock,
    ) -> Outcome {
        self.evaluate_within(expr, at, mode, store, clock, u64::MAX)
    }

    /// The areas that a formula names, as if it stood in a cell.
    #[must_use]
    pub fn reads(&self, expr: &Expr, at: CellRef) -> Vec<Area> {
        let mut areas =
            Reads::new(&self.book, at, (0, 0)).of(&bind(expr, &self.book, at.sheet, Some(at))).areas;
        areas.sort_unstable();
        areas.dedup();
        areas
    }

    /// As [`Engine::evaluate`], in so many steps at most.
    pub fn evaluate_within<S: Store>(
        &self,
        expr: &Expr,
        at: CellRef,
        mode: Mode,
        store: &S,
        clock: Clock,
        steps: u64,
    ) -> Outcome {
        let node = bind(expr, &self.book, at.sheet, Some(at));
        let indexes = Indexes::default();
        let view = recalc::View::plain(self, store);
        Cx::new(&self.book, &view, at, (0, 0), clock, &indexes).within(steps).run(&node, mode)
    }
}

/// Whether `CELL` is asked for the file's place, or for the cell that happens to be selected.
fn asks_for_surroundings(args: &[Node]) -> bool {
    match args {
        [Node::Value(Value::Text(kind)), reference] => {
            kind.eq_ignore_ascii_case("filename") || matches!(reference, Node::Missing)
        }
        [_, _] => false,
        _ => true,
    }
}

/// Collects what a bound formula reads.
struct Reads<'a> {
    book: &'a Book,
    at: CellRef,
    shift: (i64, i64),
    areas: Vec<Area>,
    volatile: bool,
    moving: bool,
    dynamic: bool,
    /// Whether it calls `OFFSET` or `INDIRECT`.
    chooses: bool,
    /// Whether it calls something else that is calculated anew each time.
    restless: bool,
    /// Whether a range ends at a variable, as in `LET(start, A1, SUM(start:A9))`.
    ranges_of_locals: bool,
    subtotal: bool,
    depth: u32,
}

impl<'a> Reads<'a> {
    fn new(book: &'a Book, at: CellRef, shift: (i64, i64)) -> Self {
        Reads {
            book,
            at,
            shift,
            areas: Vec::new(),
            volatile: false,
            moving: false,
            dynamic: false,
            chooses: false,
            restless: false,
            ranges_of_locals: false,
            subtotal: false,
            depth: 0,
        }
    }

    fn of(mut self, node: &Node) -> Self {
        self.node(node);
        if self.ranges_of_locals {
            self.reach_between();
        }
        self
    }

    fn place(&self, sheet: SheetId, first: CellCoord, last: CellCoord) -> Area {
        let row = |cell: CellCoord| {
            if cell.row.absolute { cell.row.at } else { wrap(cell.row.at, self.shift.0, MAX_ROWS) }
        };
        let col = |cell: CellCoord| {
            if cell.col.absolute { cell.col.at } else { wrap(cell.col.at, self.shift.1, MAX_COLS) }
        };
        Area::new(sheet, (row(first), col(first)), (row(last), col(last)))
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Cell(sheet, cell) => self.push(self.place(*sheet, *cell, *cell)),
            Node::Area(sheet, first, last) => self.push(self.place(*sheet, *first, *last)),
            Node::Areas(sheets, first, last) => {
                for sheet in sheets.iter() {
                    self.push(self.place(*sheet, *first, *last));
                }
            }
            Node::ThisRow(area) => self.push(Area { top: self.at.row, bottom: self.at.row, ..*area }),
            Node::Name(at) => {
                // Names may refer to one another in circles.
                if self.depth > 32 {
                    return;
                }
                if let Some(node) = self.book.name_node(*at) {
                    let shift =
                        std::mem::replace(&mut self.shift, (i64::from(self.at.row), i64::from(self.at.col)));
                    self.depth += 1;
                    self.node(node);
                    self.depth -= 1;
                    self.shift = shift;
                }
            }
            Node::Negate(inner)
            | Node::Plus(inner)
            | Node::Percent(inner)
            | Node::Single(inner)
            | Node::Paren(inner) => {
                self.node(inner);
            }
            Node::Spill(inner) => {
                self.dynamic = true;
                self.node(inner);
            }
            Node::Chain(first, rest) => {
                let before = self.areas.len();
                self.node(first);
                for (_, operand) in rest.iter() {
                    self.node(operand);
                }
                let local = |node: &Node| matches!(node, Node::Local(_));
                self.ranges_of_locals |= rest.iter().any(|(operator, _)| *operator == Operator::Range)
                    && (local(first) || rest.iter().any(|(_, node)| local(node)));
                // `A1:INDEX(..)` reaches every cell between.
                if rest.iter().any(|(operator, _)| *operator == Operator::Range)
                    && let Some((head, tail)) = self.areas.get(before..).and_then(<[Area]>::split_first)
                {
                    let hull = tail
                        .iter()
                        .filter(|area| area.sheet == head.sheet)
                        .fold(*head, |hull, area| hull.hull(area));
                    self.areas.push(hull);
                }
            }
            Node::Call(function, args) => {
                self.volatile |= function.volatile;
                let choosing = matches!(function.name, "OFFSET" | "INDIRECT");
                self.chooses |= choosing;
                self.restless |= function.volatile && !choosing;
                self.moving |= function.moving || (function.name == "CELL" && asks_for_surroundings(args));
                self.subtotal |= matches!(function.name, "SUBTOTAL" | "AGGREGATE");
                self.dynamic |= matches!(function.name, "OFFSET" | "INDIRECT" | "CELL")
                    || (matches!(function.name, "SUMIF" | "AVERAGEIF") && args.len() > 2);
                args.iter().for_each(|arg| self.node(arg));
            }
            Node::Let(values, body) => {
                values.iter().for_each(|value| self.node(value));
                self.node(body);
            }
            Node::Lambda(lambda) => self.node(&lambda.body),
            Node::Apply(callee, args) => {
                self.node(callee);
                args.iter().for_each(|arg| self.node(arg));
            }
            Node::Function(function) => {
                self.volatile |= function.volatile;
                self.restless |= function.volatile;
                self.moving |= function.moving;
            }
            Node::Value(_) | Node::Array(_) | Node::Missing | Node::Local(_) | Node::Unanswerable(_) => {}
        }
    }

    /// What variables stand for is one of the areas that are named, so a range between them ends within these.
    fn reach_between(&mut self) {
        let mut hulls: Vec<Area> = Vec::new();
        for area in &self.areas {
            match hulls.iter_mut().find(|hull| hull.sheet == area.sheet) {
                Some(hull) => *hull = hull.hull(area),
                None => hulls.push(*area),
            }
        }
        self.areas.extend(hulls);
    }

    fn push(&mut self, area: Area) {
        if area.sheet.0 < SheetId::EXTERNAL {
            self.areas.push(area);
        }
    }
}
