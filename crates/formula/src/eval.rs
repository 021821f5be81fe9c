//! Evaluation of bound formulas: operators, calls, implicit intersection and broadcasting.
//!
//! A plain cell computes as Excel did before arrays spilled: a range where one value is wanted gives the cell
//! in the formula's own row or column. An array or dynamic formula computes over whole ranges. Arguments
//! carry their class in the function table: `V` one value, `E` one value that may be an error, `R` a range as
//! it is, `A` an array whatever the cell's mode.

pub(crate) mod args;
mod calls;
pub(crate) mod index;
mod lambda;
pub(crate) mod operators;
pub(crate) mod quick;
pub(crate) mod references;
pub(crate) mod tall;

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use crate::address::{Area, CellRef, MAX_COLS, MAX_ROWS, SheetId};
use crate::ast::{CellCoord, Operator};
use crate::bind::Node;
use crate::book::Book;
use crate::cells::Cells;
use crate::coerce;
use crate::date::DateSystem;
use crate::region::{Locale, Region};
use crate::value::{Array, ErrorKind, Value};

use index::Indexes;
use lambda::Code;
pub(crate) use lambda::Lambda;
use references::References;
pub(crate) use tall::{Tail, Tall};

/// How a cell's formula is entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// One value; ranges intersect with the cell's row or column.
    #[default]
    Plain,
    /// Entered as an array over a fixed range.
    Array,
    /// Spills as far as it needs.
    Dynamic,
}

/// What is neither in the cells nor in the formula.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// Now, as a serial date of the workbook's date system.
    pub now: f64,
    /// What `RAND` and its kin start from.
    pub seed: u64,
    /// The language that texts are read and written in.
    pub locale: Locale,
}

/// The value of a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Value(Value),
    Array(Array),
    /// Not ours to compute (a cube, a web service, a closed workbook, a macro): keep the value there was.
    Unanswerable(Arc<str>),
}

/// What an expression evaluates to on the way.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Value(Value),
    Area(Area),
    /// A union, or one area on each of several sheets.
    Areas(Arc<[Area]>),
    /// Several references at once, each in its place.
    References(Arc<References>),
    Array(Arc<Array>),
    /// An array of a whole column, of which only the first rows are kept.
    Tall(Arc<Tall>),
    Lambda(Arc<Lambda>),
    Missing,
}

/// Why an evaluation ended early. An error is an ordinary value to whoever called.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Error(ErrorKind),
    Unanswerable(Arc<str>),
}

impl From<ErrorKind> for Stop {
    fn from(kind: ErrorKind) -> Stop {
        Stop::Error(kind)
    }
}

pub(crate) type Answer = Result<Operand, Stop>;

/// Arrays larger than this take more memory than one formula may have.
const MAX_ELEMENTS: usize = 1 << 23;
/// How many cells, elements and calls one formula may go through before it is given up: some seconds.
const MAX_WORK: u64 = if cfg!(debug_assertions) { 30_000_000 } else { 300_000_000 };
/// What is said of such a formula.
const TOO_MUCH: &str = "more than 300 million steps, which is more than one formula may take";
/// Calls, lambdas and names may nest this deep, so that a thread's two megabytes of stack suffice. Unoptimised
/// code needs several times as much for each.
const MAX_DEPTH: u32 = if cfg!(debug_assertions) { 220 } else { 500 };

/// Everything a running formula can see.
pub(crate) struct Cx<'a> {
    pub(crate) book: &'a Book,
    pub(crate) cells: &'a dyn Cells,
    pub(crate) at: CellRef,
    pub(crate) clock: Clock,
    pub(crate) indexes: &'a Indexes,
    /// How far relative references move from where they were written.
    shift: Cell<(i64, i64)>,
    array: Cell<bool>,
    /// Whether the formula as a whole, or the name under way, computes over arrays.
    pub(in crate::eval) entered: Cell<bool>,
    frame: RefCell<Vec<Operand>>,
    base: Cell<usize>,
    depth: Cell<u32>,
    work: Cell<u64>,
    random: Cell<u64>,
    extent: OnceCell<(u32, u32)>,
    array_indexes: index::ArrayIndexes,
    /// Whether a text was taken for a name or a table, or for something that is not there.
    named: Cell<bool>,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(
        book: &'a Book,
        cells: &'a dyn Cells,
        at: CellRef,
        shift: (i64, i64),
        clock: Clock,
        indexes: &'a Indexes,
    ) -> Cx<'a> {
        // Each cell draws its own numbers, the same ones whatever the order of calculation.
        let place = (u64::from(at.sheet.0) << 40) ^ (u64::from(at.row) << 16) ^ u64::from(at.col);
        Cx {
            book,
            cells,
            at,
            clock,
            indexes,
            shift: Cell::new(shift),
            array: Cell::new(false),
            entered: Cell::new(false),
            frame: RefCell::new(Vec::new()),
            base: Cell::new(0),
            depth: Cell::new(0),
            work: Cell::new(0),
            random: Cell::new(clock.seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            extent: OnceCell::new(),
            array_indexes: index::ArrayIndexes::default(),
            named: Cell::new(false),
        }
    }

    pub(crate) fn dates(&self) -> DateSystem {
        self.book.dates
    }

    pub(crate) fn region(&self) -> Region {
        Region { dates: self.book.dates, locale: self.clock.locale }
    }

    pub(crate) fn in_array(&self) -> bool {
        self.array.get()
    }

    /// A number from zero up to one.
    pub(crate) fn random(&self) -> f64 {
        let state = self.random.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.random.set(state);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Leaves only so many steps of the work that one formula may take.
    pub(crate) fn within(self, steps: u64) -> Cx<'a> {
        self.work.set(MAX_WORK.saturating_sub(steps));
        self
    }

    /// Evaluate a cell's formula.
    pub(crate) fn run(&self, node: &Node, mode: Mode) -> Outcome {
        self.array.set(mode != Mode::Plain);
        self.entered.set(mode != Mode::Plain);
        if mode == Mode::Dynamic && self.runs_over(node) {
            return Outcome::Value(Value::Error(ErrorKind::Spill));
        }
        let result = match node {
            // The last addition or subtraction of a formula gives zero when all but noise cancels.
            Node::Chain(first, rest) => self.chain(first, rest, true),
            _ => self.eval(node),
        };
        match result {
            _ if self.exhausted() => Outcome::Unanswerable(TOO_MUCH.into()),
            Err(Stop::Unanswerable(reason)) => Outcome::Unanswerable(reason),
            Err(Stop::Error(kind)) => Outcome::Value(Value::Error(kind)),
            Ok(operand) => self.outcome(operand, mode),
        }
    }

    /// Whether what comes out is as high or wide as a sheet, and would begin below its top or right of its left edge.
    fn runs_over(&self, node: &Node) -> bool {
        match node {
            Node::Area(sheet, first, last) => {
                let area = Area {
                    sheet: *sheet,
                    top: first.row.at,
                    left: first.col.at,
                    bottom: last.row.at,
                    right: last.col.at,
                };
                (area.is_whole_columns() && self.at.row > 0) || (area.is_whole_rows() && self.at.col > 0)
            }
            Node::Negate(inner) | Node::Plus(inner) | Node::Percent(inner) | Node::Paren(inner) => {
                self.runs_over(inner)
            }
            Node::Chain(first, rest) => {
                let computes = |(operator, _): &(Operator, Node)| {
                    !matches!(operator, Operator::Range | Operator::Intersect | Operator::Union)
                };
                rest.iter().all(computes)
                    && (self.runs_over(first) || rest.iter().any(|(_, node)| self.runs_over(node)))
            }
            _ => false,
        }
    }

    fn outcome(&self, operand: Operand, mode: Mode) -> Outcome {
        let nonblank = |value: Value| if value.is_blank() { Value::Number(0.0) } else { value };
        match operand {
            Operand::Value(value) => Outcome::Value(nonblank(value)),
            Operand::Missing => Outcome::Value(Value::Number(0.0)),
            Operand::Lambda(_) => Outcome::Value(Value::Error(ErrorKind::Calc)),
            Operand::Area(_) | Operand::Areas(_) if mode == Mode::Plain => {
                Outcome::Value(nonblank(self.scalar(&operand)))
            }
            Operand::Area(area) if area.is_cell() => Outcome::Value(nonblank(self.cell(area.top_left()))),
            // What is as high as a sheet has room from its first row on only, and would fill it there.
            Operand::Tall(tall) if mode == Mode::Dynamic => {
                if self.at.row as usize + tall.rows > MAX_ROWS as usize {
                    Outcome::Value(Value::Error(ErrorKind::Spill))
                } else {
                    Outcome::Unanswerable(Arc::from(format!("an array that fills {} rows", tall.rows)))
                }
            }
            Operand::Tall(tall) if mode == Mode::Plain => Outcome::Value(nonblank(tall.head.corner())),
            operand => match self.array_of(&operand) {
                Err(Stop::Unanswerable(reason)) => Outcome::Unanswerable(reason),
                Err(Stop::Error(kind)) => Outcome::Value(Value::Error(kind)),
                Ok(array) if array.len() == 1 || mode == Mode::Plain => {
                    Outcome::Value(nonblank(array.corner()))
                }
                Ok(array) => Outcome::Array(Array::from_fn(array.rows(), array.cols(), |row, col| {
                    nonblank(array.value_at(row, col))
                })),
            },
        }
    }

    pub(crate) fn eval(&self, node: &Node) -> Answer {
        match node {
            Node::Value(value) => Ok(Operand::Value(value.clone())),
            Node::Cell(sheet, cell) => Ok(Operand::Area(self.place(*sheet, *cell, *cell))),
            Node::Area(sheet, first, last) => Ok(Operand::Area(self.place(*sheet, *first, *last))),
            Node::Call(function, args) => self.call(function, args),
            Node::Chain(first, rest) => self.chain(first, rest, false),
            Node::Array(array) => Ok(Operand::Array(array.clone())),
            Node::Missing => Ok(Operand::Missing),
            Node::Areas(sheets, first, last) => {
                Ok(Operand::Areas(sheets.iter().map(|sheet| self.place(*sheet, *first, *last)).collect()))
            }
            Node::ThisRow(area) => {
                if self.at.sheet == area.sheet && (area.top..=area.bottom).contains(&self.at.row) {
                    Ok(Operand::Area(Area { top: self.at.row, bottom: self.at.row, ..*area }))
                } else {
                    Err(ErrorKind::Value.into())
                }
            }
            Node::Name(at) => self.name(*at),
            Node::Local(slot) => {
                let frame = self.frame.borrow();
                frame.get(self.base.get() + slot).cloned().ok_or(Stop::Error(ErrorKind::Name))
            }
            Node::Negate(inner) => {
                let operand = self.eval(inner)?;
                self.map(operand, |value| match coerce::number(value, self.region()) {
                    Ok(number) => Value::Number(-number),
                    Err(kind) => Value::Error(kind),
                })
            }
            Node::Plus(inner) => match self.eval(inner)? {
                // What has a sign is computed, and no range any more.
                Operand::Area(area) if !area.is_cell() && self.array.get() => {
                    self.elements(&Operand::Area(area))
                }
                operand => Ok(operand),
            },
            Node::Percent(inner) => {
                let operand = self.eval(inner)?;
                self.map(operand, |value| match coerce::number(value, self.region()) {
                    Ok(number) => Value::Number(number / 100.0),
                    Err(kind) => Value::Error(kind),
                })
            }
            Node::Paren(inner) => self.eval(inner),
            Node::Single(inner) => {
                let operand = self.eval(inner)?;
                let was = self.array.replace(false);
                let value = match &operand {
                    Operand::Area(area) => match self.intersected(*area) {
                        Some(cell) => Ok(Operand::Area(Area::cell(cell))),
                        None => Err(ErrorKind::Value.into()),
                    },
                    other => Ok(Operand::Value(self.scalar(other))),
                };
                self.array.set(was);
                value
            }
            Node::Spill(inner) => match self.eval(inner)? {
                Operand::Area(area) if area.is_cell() => match self.cells.spill(area.top_left()) {
                    Some(area) => Ok(Operand::Area(area)),
                    None => Err(ErrorKind::Ref.into()),
                },
                _ => Err(ErrorKind::Ref.into()),
            },
            Node::Let(values, body) => self.binding(values, body),
            Node::Lambda(lambda) => {
                let frame = self.frame.borrow();
                let base = self.base.get();
                let captured = frame[base..base + lambda.captured].to_vec();
                Ok(Operand::Lambda(Arc::new(Lambda { code: Code::Lambda(lambda.clone()), captured })))
            }
            Node::Function(function) => {
                let (function, captured) = (*function, Vec::new());
                Ok(Operand::Lambda(Arc::new(Lambda { code: Code::Function(function), captured })))
            }
            Node::Apply(callee, args) => match self.eval(callee)? {
                Operand::Lambda(lambda) => {
                    let args = args.iter().map(|arg| self.argument(arg)).collect::<Result<Vec<_>, _>>()?;
                    self.invoke(&lambda, args)
                }
                Operand::Value(Value::Error(kind)) => Err(kind.into()),
                _ => Err(ErrorKind::Value.into()),
            },
            Node::Unanswerable(reason) => Err(Stop::Unanswerable(reason.clone())),
        }
    }

    /// An argument, where an error is a value like another.
    pub(crate) fn argument(&self, node: &Node) -> Answer {
        match self.eval(node) {
            Err(Stop::Error(kind)) => Ok(Operand::Value(Value::Error(kind))),
            other => other,
        }
    }

    fn place(&self, sheet: SheetId, first: CellCoord, last: CellCoord) -> Area {
        let (down, right) = self.shift.get();
        let row = |cell: CellCoord| {
            if cell.row.absolute || down == 0 { cell.row.at } else { wrap(cell.row.at, down, MAX_ROWS) }
        };
        let col = |cell: CellCoord| {
            if cell.col.absolute || right == 0 { cell.col.at } else { wrap(cell.col.at, right, MAX_COLS) }
        };
        Area::new(sheet, (row(first), col(first)), (row(last), col(last)))
    }

    fn enter(&self) -> Result<(), Stop> {
        let depth = self.depth.get() + 1;
        if depth > MAX_DEPTH {
            return Err(ErrorKind::Num.into());
        }
        self.depth.set(depth);
        Ok(())
    }

    /// Counts work done. A formula that goes on and on keeps the value it had, as others that cannot be answered.
    pub(crate) fn charge(&self, work: usize) -> Result<(), Stop> {
        let work = self.work.get().saturating_add(work as u64);
        self.work.set(work);
        if work > MAX_WORK {
            return Err(Stop::Unanswerable(TOO_MUCH.into()));
        }
        Ok(())
    }

    /// Notes that a text was taken for a name, which somebody may define anew.
    pub(crate) fn note_name(&self) {
        self.named.set(true);
    }

    pub(crate) fn named_anything(&self) -> bool {
        self.named.get()
    }

    /// Whether the formula has been given up, for loops that cannot say so themselves.
    fn exhausted(&self) -> bool {
        self.work.get() > MAX_WORK
    }

    fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }

    /// A name's formula is written relative to A1 and always computes over whole arrays.
    fn name(&self, at: usize) -> Answer {
        let Some(node) = self.book.name_node(at) else { return Err(ErrorKind::Name.into()) };
        self.enter()?;
        let shift = self.shift.replace((i64::from(self.at.row), i64::from(self.at.col)));
        let array = self.array.replace(true);
        let entered = self.entered.replace(true);
        let base = self.base.replace(self.frame.borrow().len());
        let result = self.eval(node);
        self.base.set(base);
        self.entered.set(entered);
        self.array.set(array);
        self.shift.set(shift);
        self.leave();
        result
    }

    fn binding(&self, values: &[Node], body: &Node) -> Answer {
        let height = self.frame.borrow().len();
        for value in values {
            let operand = self.argument(value);
            match operand {
                Ok(operand) => self.frame.borrow_mut().push(operand),
                Err(stop) => {
                    self.frame.borrow_mut().truncate(height);
                    return Err(stop);
                }
            }
        }
        let result = self.eval(body);
        self.frame.borrow_mut().truncate(height);
        result
    }

    /// Evaluate as the formula was entered, whatever the argument that this stands in: `SUMPRODUCT(IF(A1:A3>1,B1:B3))`
    /// takes the cell of its own row unless it was entered as an array.
    pub(crate) fn as_entered(&self, body: impl FnOnce() -> Answer) -> Answer {
        let was = self.array.replace(self.array.get() && self.entered.get());
        let result = body();
        self.array.set(was);
        result
    }

    /// Evaluate with ranges as arrays.
    pub(crate) fn eval_array(&self, node: &Node) -> Answer {
        let was = self.array.replace(true);
        let result = self.argument(node);
        self.array.set(was);
        result
    }

    /// Apply to one value, or to each of an array.
    pub(crate) fn map(&self, operand: Operand, each: impl Fn(&Value) -> Value) -> Answer {
        let operand = match operand {
            Operand::Area(area) if area.is_cell() => Operand::Value(self.cell(area.top_left())),
            Operand::Area(_) if self.array.get() => self.elements(&operand)?,
            Operand::References(references) => Operand::Array(Arc::new(self.values_of(&references))),
            Operand::Area(_) | Operand::Areas(_) | Operand::Lambda(_) => {
                Operand::Value(self.scalar(&operand))
            }
            Operand::Missing => Operand::Value(Value::Blank),
            other => other,
        };
        match operand {
            Operand::Value(value) => Ok(Operand::Value(each(&value))),
            Operand::Array(array) => {
                let values = array.values().iter().map(each).collect();
                Ok(Operand::Array(Arc::new(Array::new(array.rows(), array.cols(), values))))
            }
            tall @ Operand::Tall(_) => self.by_parts(&[tall], false, &mut |ops| {
                let array = self.array_of(ops.first().unwrap_or(&Operand::Missing))?;
                let values = array.values().iter().map(&each).collect();
                Ok(Arc::new(Array::new(array.rows(), array.cols(), values)))
            }),
            other => Ok(other),
        }
    }

    pub(crate) fn cell(&self, cell: CellRef) -> Value {
        if cell.sheet.0 >= SheetId::EXTERNAL {
            let cells = self.book.external_sheet(cell.sheet).and_then(|sheet| sheet.cells.as_ref());
            return cells.and_then(|cells| cells.get(&(cell.row, cell.col))).cloned().unwrap_or(Value::Blank);
        }
        self.cells.value(cell)
    }

    /// Counts the cells of an area that are in use as work; whether the formula may go on.
    fn may_read(&self, area: Area) -> bool {
        if area.sheet.0 >= SheetId::EXTERNAL {
            return true;
        }
        let (rows, cols) = self.cells.extent(area.sheet);
        let high = rows.saturating_sub(area.top).min(area.bottom - area.top + 1) as usize;
        let wide = cols.saturating_sub(area.left).min(area.right - area.left + 1) as usize;
        // Whoever asked hears of it at the next call.
        let _ = self.charge(high * wide);
        !self.exhausted()
    }

    /// The numbers of an area in order, many at a time; or its first error, after them or before.
    pub(crate) fn numbers(&self, area: Area, each: &mut dyn FnMut(&[f64])) -> Result<(), ErrorKind> {
        let quick = area.sheet.0 < SheetId::EXTERNAL && !area.is_cell();
        if quick && !self.may_read(area) {
            return Ok(());
        }
        if quick && let Some(done) = self.cells.numbers(area, each) {
            return done;
        }
        let mut wrong = None;
        let mut visitor = |_, _, value: &Value| match value {
            Value::Number(number) => each(&[*number]),
            Value::Error(kind) => {
                wrong.get_or_insert(*kind);
            }
            _ => {}
        };
        match quick {
            true => self.cells.visit(area, &mut visitor),
            false => self.visit(area, &mut visitor),
        }
        wrong.map_or(Ok(()), Err)
    }

    /// Every cell of the area that is not blank.
    pub(crate) fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        if !self.may_read(area) {
            return;
        }
        if area.is_cell() {
            let value = self.cell(area.top_left());
            if !value.is_blank() {
                each(area.top, area.left, &value);
            }
            return;
        }
        if area.sheet.0 >= SheetId::EXTERNAL {
            if let Some(cells) = self.book.external_sheet(area.sheet).and_then(|sheet| sheet.cells.as_ref()) {
                for ((row, col), value) in cells.range((area.top, 0)..=(area.bottom, u32::MAX)) {
                    if (area.left..=area.right).contains(col) && !value.is_blank() {
                        each(*row, *col, value);
                    }
                }
            }
            return;
        }
        self.cells.visit(area, each);
    }

    /// One value of an operand; a range gives the cell in the formula's row or column.
    pub(crate) fn scalar(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Value(value) => value.clone(),
            Operand::Missing => Value::Blank,
            Operand::Area(area) if area.is_cell() => self.cell(area.top_left()),
            Operand::Area(area) if self.array.get() => self.cell(area.top_left()),
            Operand::Area(area) => match self.intersected(*area) {
                Some(cell) => self.cell(cell),
                None => Value::Error(ErrorKind::Value),
            },
            Operand::Array(array) => array.corner(),
            Operand::Tall(tall) => tall.head.corner(),
            Operand::References(references) => self.scalar(&references.broadcast(0, 0)),
            Operand::Areas(_) => Value::Error(ErrorKind::Value),
            Operand::Lambda(_) => Value::Error(ErrorKind::Calc),
        }
    }

    /// The cell of a one-row or one-column range that lies level with the formula.
    pub(crate) fn intersected(&self, area: Area) -> Option<CellRef> {
        if area.is_cell() {
            return Some(area.top_left());
        }
        if area.left == area.right && (area.top..=area.bottom).contains(&self.at.row) {
            return Some(CellRef { sheet: area.sheet, row: self.at.row, col: area.left });
        }
        if area.top == area.bottom && (area.left..=area.right).contains(&self.at.col) {
            return Some(CellRef { sheet: area.sheet, row: area.top, col: self.at.col });
        }
        None
    }

    /// Whole columns and rows, cut where every sheet has ended.
    pub(crate) fn clip(&self, area: Area) -> Area {
        if !area.is_whole_columns() && !area.is_whole_rows() {
            return area;
        }
        let (rows, cols) = *self.extent.get_or_init(|| {
            (0..self.book.sheets().len() as u32)
                .map(|sheet| self.cells.extent(SheetId(sheet)))
                .fold((1, 1), |a, b| (a.0.max(b.0), a.1.max(b.1)))
        });
        let mut area = area;
        if area.is_whole_columns() {
            area.bottom = area.bottom.min(rows);
        }
        if area.is_whole_rows() {
            area.right = area.right.min(cols);
        }
        area
    }

    /// The values of an operand as a rectangle.
    pub(crate) fn array_of(&self, operand: &Operand) -> Result<Arc<Array>, Stop> {
        match operand {
            Operand::Array(array) => Ok(array.clone()),
            Operand::Tall(tall) => self.written_out(tall),
            Operand::References(references) => Ok(Arc::new(self.values_of(references))),
            Operand::Area(area) => self.filled(self.clip(*area)),
            Operand::Areas(_) => Err(ErrorKind::Value.into()),
            Operand::Lambda(_) => Err(ErrorKind::Calc.into()),
            Operand::Value(value) => Ok(Arc::new(Array::new(1, 1, vec![value.clone()]))),
            Operand::Missing => Ok(Arc::new(Array::new(1, 1, vec![Value::Blank]))),
        }
    }

    /// The values of all cells of an area.
    fn filled(&self, area: Area) -> Result<Arc<Array>, Stop> {
        let (rows, cols) = (area.rows(), area.cols());
        check_size(rows, cols)?;
        self.charge(rows * cols)?;
        let mut values = vec![Value::Blank; rows * cols];
        self.visit(area, &mut |row, col, value| {
            let at = (row - area.top) as usize * cols + (col - area.left) as usize;
            if let Some(slot) = values.get_mut(at) {
                *slot = value.clone();
            }
        });
        Ok(Arc::new(Array::new(rows, cols, values)))
    }

    fn chain(&self, first: &Node, rest: &[(Operator, Node)], last_snaps: bool) -> Answer {
        let mut left = self.argument(first)?;
        for (index, (operator, node)) in rest.iter().enumerate() {
            let right = self.argument(node)?;
            let snap = last_snaps && index + 1 == rest.len();
            left = self.binary(*operator, left, right, snap)?;
        }
        Ok(left)
    }
}

/// Coordinates that run off one edge of the sheet come back at the other.
pub(crate) fn wrap(at: u32, by: i64, limit: u32) -> u32 {
    (i64::from(at) + by).rem_euclid(i64::from(limit)) as u32
}

/// Whether an array of that many rows and columns may be. One that no sheet has room for is an error in Excel too;
/// one that is merely large is left to Excel.
pub(crate) fn check_size(rows: usize, cols: usize) -> Result<(), Stop> {
    if rows > MAX_ROWS as usize || cols > MAX_COLS as usize {
        return Err(ErrorKind::Num.into());
    }
    match rows * cols {
        size if size <= MAX_ELEMENTS => Ok(()),
        size => Err(Stop::Unanswerable(Arc::from(format!(
            "an array of {size} values, and more than {MAX_ELEMENTS} are not calculated here"
        )))),
    }
}
