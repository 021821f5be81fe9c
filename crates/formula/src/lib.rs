//! Excel formulas: parsing, printing, rewriting, dependencies and evaluation, and number formats.
//!
//! The crate knows no files and no workbook model. It is told of sheets, names and tables through [`Book`]
//! and asks [`Cells`] for values. Everything is checked against values Excel itself computed.

mod address;
mod ast;
mod bind;
mod book;
mod cells;
mod coerce;
mod criteria;
mod date;
mod engine;
mod entering;
mod eval;
mod functions;
mod hash;
mod key;
pub mod numfmt;
mod parse;
mod print;
mod region;
mod rewrite;
mod shared;
mod value;

pub use address::{
    Area, CellRef, MAX_COLS, MAX_ROWS, SheetId, a1, column_index, column_letters, needs_quotes, quote_sheet,
};
pub use ast::{
    CellCoord, Coord, Expr, Formula, NameUse, Operator, ParseError, Reference, SheetSpec, Span, Structured,
    TableColumns, TableRows, Target, Trim,
};
pub use book::{Book, DefinedName, ExternalBook, ExternalSheet, Pivot, PivotLine, Table};
pub use cells::{Cells, RowState};
pub use coerce::{compare_text, fifteen_digits, text_to_moment, text_to_number};
pub use date::DateSystem;
pub use engine::{DataTable, Engine, Iteration, Report, Store};
pub use entering::{entered, implied_singles, needless_singles};
pub use eval::{Clock, Mode, Outcome};
pub use functions::{Category, Function, functions, plain_name};
pub use parse::{Notation, parse, parse_notation};
pub use print::{print, print_structured};
pub use region::{DateOrder, Locale, Region};
pub use rewrite::{Change, copied, renotate, rewrite, shift};
pub use shared::{Pages, Shards};
pub use value::{Array, ErrorKind, Value};

/// Evaluate an expression as the formula of a cell.
#[must_use]
pub fn evaluate(
    expr: &Expr,
    book: &Book,
    cells: &dyn Cells,
    at: CellRef,
    mode: Mode,
    clock: Clock,
) -> Outcome {
    Evaluator::new(book, cells, clock).evaluate(expr, at, at, mode)
}

/// Evaluates many expressions over cells that do not change meanwhile; lookups remember what they read.
pub struct Evaluator<'a> {
    book: &'a Book,
    cells: &'a dyn Cells,
    clock: Clock,
    indexes: eval::index::Indexes,
}

impl std::fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").field("clock", &self.clock).finish_non_exhaustive()
    }
}

impl<'a> Evaluator<'a> {
    #[must_use]
    pub fn new(book: &'a Book, cells: &'a dyn Cells, clock: Clock) -> Evaluator<'a> {
        Evaluator { book, cells, clock, indexes: eval::index::Indexes::default() }
    }

    /// Evaluate an expression written for the cell `base` as the formula of the cell `at`, as shared formulas
    /// are; most often the two are one.
    #[must_use]
    pub fn evaluate(&self, expr: &Expr, base: CellRef, at: CellRef, mode: Mode) -> Outcome {
        let node = bind::bind(expr, self.book, at.sheet, Some(at));
        let shift = (i64::from(at.row) - i64::from(base.row), i64::from(at.col) - i64::from(base.col));
        eval::Cx::new(self.book, self.cells, at, shift, self.clock, &self.indexes).run(&node, mode)
    }
}
