//! A parsed formula. References keep the bytes they came from, so that an edit rewrites those bytes and
//! leaves the writer's spacing and spelling alone.

use std::ops::Range;
use std::sync::Arc;

use crate::value::{Array, ErrorKind};

/// A formula as written, without its leading `=`, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    pub text: Arc<str>,
    pub expr: Expr,
}

/// Bytes of the formula's text.
pub type Span = Range<usize>;

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Number(f64),
    Text(Arc<str>),
    Bool(bool),
    Error(ErrorKind),
    /// An argument left out: `IF(A1,,2)`.
    Missing,
    Array(Arc<Array>),
    Reference(Reference),
    Name(NameUse),
    Structured(Structured),
    Negate(Box<Expr>),
    Plus(Box<Expr>),
    /// `@`: one value out of a range. The span is of both.
    Single(Box<Expr>, Span),
    Percent(Box<Expr>),
    /// `A1#`: the range an array spilled into. The span is of both.
    Spill(Box<Expr>, Span),
    /// `A1:.A9`: a range without the empty rows and columns at its edges. The reference has the span.
    Trimmed(Box<Expr>, Trim),
    /// Operators of one level, in order: `1 + 2 - 3`. Flat, because a formula may chain thousands.
    Chain {
        first: Box<Expr>,
        rest: Vec<(Operator, Expr)>,
    },
    Paren(Box<Expr>),
    /// `name` as written, with any `_xlfn.` prefix.
    Call {
        name: Arc<str>,
        span: Span,
        args: Vec<Expr>,
    },
    /// A lambda called on the spot: `LAMBDA(x,x+1)(2)`.
    Apply {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
}

/// Which edges of a range are trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trim {
    /// `A1.:A9`
    Leading,
    /// `A1:.A9`
    Trailing,
    /// `A1.:.A9`
    All,
}

impl Trim {
    /// The function that stands for it in files.
    #[must_use]
    pub fn function(self) -> &'static str {
        match self {
            Trim::Leading => "_TRO_LEADING",
            Trim::Trailing => "_TRO_TRAILING",
            Trim::All => "_TRO_ALL",
        }
    }

    /// The operator between the corners.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Trim::Leading => ".:",
            Trim::Trailing => ":.",
            Trim::All => ".:.",
        }
    }

    pub(crate) fn of_function(name: &str) -> Option<Trim> {
        [Trim::Leading, Trim::Trailing, Trim::All]
            .into_iter()
            .find(|trim| trim.function().eq_ignore_ascii_case(name))
    }

    /// What `TRIMRANGE` calls it.
    pub(crate) fn mode(self) -> f64 {
        match self {
            Trim::Leading => 1.0,
            Trim::Trailing => 2.0,
            Trim::All => 3.0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Range,
    Intersect,
    Union,
    Power,
    Multiply,
    Divide,
    Add,
    Subtract,
    Concat,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Operator {
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Range => ":",
            Operator::Intersect => " ",
            Operator::Union => ",",
            Operator::Power => "^",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Concat => "&",
            Operator::Equal => "=",
            Operator::NotEqual => "<>",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
        }
    }

    /// How tightly it binds; a larger number binds tighter. Prefix signs stand between union and percent.
    pub(crate) fn level(self) -> u8 {
        match self {
            Operator::Range => 8,
            Operator::Intersect => 7,
            Operator::Union => 6,
            Operator::Power => 4,
            Operator::Multiply | Operator::Divide => 3,
            Operator::Add | Operator::Subtract => 2,
            Operator::Concat => 1,
            _ => 0,
        }
    }
}

/// The sheet or sheets before `!`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetSpec {
    /// What stood in brackets: an index in files, a file name as typed.
    pub book: Option<Arc<str>>,
    /// Empty in `[1]!Name`.
    pub first: Arc<str>,
    /// The last sheet of a 3D reference.
    pub last: Option<Arc<str>>,
}

/// One coordinate: counted from zero, `$` or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coord {
    pub at: u32,
    pub absolute: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellCoord {
    pub row: Coord,
    pub col: Coord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Cell(CellCoord),
    Area(CellCoord, CellCoord),
    Rows(Coord, Coord),
    Cols(Coord, Coord),
    /// `Sheet1!#REF!`
    Lost,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The whole reference, sheet included.
    pub span: Span,
    /// The sheet with its `!`; empty when there is none.
    pub sheet_span: Span,
    pub sheet: Option<SheetSpec>,
    pub target: Target,
}

#[derive(Clone, Debug, PartialEq)]
pub struct NameUse {
    pub span: Span,
    pub sheet_span: Span,
    pub sheet: Option<SheetSpec>,
    pub name: Arc<str>,
}

/// A reference into a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Structured {
    pub span: Span,
    /// `None` for a formula inside the table: `[@Col]`.
    pub table: Option<Arc<str>>,
    /// External workbook or sheet prefix, if any.
    pub sheet: Option<SheetSpec>,
    pub rows: TableRows,
    pub columns: TableColumns,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableRows {
    pub headers: bool,
    pub data: bool,
    pub totals: bool,
    pub this_row: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableColumns {
    All,
    One(Arc<str>),
    Range(Arc<str>, Arc<str>),
}

/// Why a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Byte of the text where reading stopped.
    pub at: usize,
    /// What would have been right there.
    pub expected: &'static str,
    /// What stood there.
    pub found: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at character {}: expected {}, found {}", self.at + 1, self.expected, self.found)
    }
}

impl std::error::Error for ParseError {}

impl Expr {
    /// Visit this expression and everything inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        match self {
            Expr::Negate(inner)
            | Expr::Plus(inner)
            | Expr::Single(inner, _)
            | Expr::Percent(inner)
            | Expr::Spill(inner, _)
            | Expr::Trimmed(inner, _)
            | Expr::Paren(inner) => inner.walk(visit),
            Expr::Chain { first, rest } => {
                first.walk(visit);
                for (_, operand) in rest {
                    operand.walk(visit);
                }
            }
            Expr::Call { args, .. } => args.iter().for_each(|arg| arg.walk(visit)),
            Expr::Apply { callee, args } => {
                callee.walk(visit);
                args.iter().for_each(|arg| arg.walk(visit));
            }
            _ => {}
        }
    }
}
