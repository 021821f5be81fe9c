//! What a cell or an argument can hold: scalar values, errors and rectangular arrays.

use std::fmt;
use std::sync::Arc;

/// One of Excel's error values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    Null,
    Div0,
    Value,
    Ref,
    Name,
    Num,
    NotAvailable,
    GettingData,
    Spill,
    Connect,
    Blocked,
    Unknown,
    Field,
    Calc,
    Busy,
    Python,
}

impl ErrorKind {
    /// Every error with its text and its `ERROR.TYPE` number.
    const TABLE: [(ErrorKind, &'static str, u8); 16] = [
        (ErrorKind::Null, "#NULL!", 1),
        (ErrorKind::Div0, "#DIV/0!", 2),
        (ErrorKind::Value, "#VALUE!", 3),
        (ErrorKind::Ref, "#REF!", 4),
        (ErrorKind::Name, "#NAME?", 5),
        (ErrorKind::Num, "#NUM!", 6),
        (ErrorKind::NotAvailable, "#N/A", 7),
        (ErrorKind::GettingData, "#GETTING_DATA", 8),
        (ErrorKind::Spill, "#SPILL!", 9),
        (ErrorKind::Connect, "#CONNECT!", 10),
        (ErrorKind::Blocked, "#BLOCKED!", 11),
        (ErrorKind::Unknown, "#UNKNOWN!", 12),
        (ErrorKind::Field, "#FIELD!", 13),
        (ErrorKind::Calc, "#CALC!", 14),
        (ErrorKind::Busy, "#BUSY!", 15),
        (ErrorKind::Python, "#PYTHON!", 19),
    ];

    /// The text Excel shows.
    #[must_use]
    pub fn text(self) -> &'static str {
        Self::TABLE.iter().find(|(kind, _, _)| *kind == self).map_or("#VALUE!", |(_, text, _)| text)
    }

    /// The number `ERROR.TYPE` answers.
    #[must_use]
    pub fn number(self) -> u8 {
        Self::TABLE.iter().find(|(kind, _, _)| *kind == self).map_or(3, |(_, _, number)| *number)
    }

    /// The error of an `ERROR.TYPE` number.
    #[must_use]
    pub fn numbered(number: u8) -> Option<ErrorKind> {
        Self::TABLE.iter().find(|(_, _, known)| *known == number).map(|(kind, _, _)| *kind)
    }

    /// The error whose text is exactly `text`, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<ErrorKind> {
        Self::TABLE.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(text)).map(|(kind, _, _)| *kind)
    }

    /// The error literal `text` begins with, and its length.
    pub(crate) fn prefix_of(text: &str) -> Option<(ErrorKind, usize)> {
        Self::TABLE
            .iter()
            .find(|(_, known, _)| {
                text.get(..known.len()).is_some_and(|head| head.eq_ignore_ascii_case(known))
            })
            .map(|(kind, known, _)| (*kind, known.len()))
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The value of one cell, or one element of an array.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    #[default]
    Blank,
    Number(f64),
    Text(Arc<str>),
    Bool(bool),
    Error(ErrorKind),
}

impl Value {
    #[must_use]
    pub fn text(text: &str) -> Value {
        Value::Text(Arc::from(text))
    }

    #[must_use]
    pub fn is_blank(&self) -> bool {
        matches!(self, Value::Blank)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Bool(flag)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(Arc::from(text))
    }
}

impl From<ErrorKind> for Value {
    fn from(kind: ErrorKind) -> Value {
        Value::Error(kind)
    }
}

/// A rectangle of values, row by row. Never empty: `rows * cols == values.len()` and both are at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    rows: usize,
    cols: usize,
    values: Vec<Value>,
}

impl Array {
    /// An array of the given shape; missing trailing values are blank, surplus ones are dropped.
    #[must_use]
    pub fn new(rows: usize, cols: usize, mut values: Vec<Value>) -> Array {
        let (rows, cols) = (rows.max(1), cols.max(1));
        values.resize(rows * cols, Value::Blank);
        Array { rows, cols, values }
    }

    #[must_use]
    pub fn filled(rows: usize, cols: usize, value: Value) -> Array {
        let (rows, cols) = (rows.max(1), cols.max(1));
        Array { rows, cols, values: vec![value; rows * cols] }
    }

    #[must_use]
    pub fn column(values: Vec<Value>) -> Array {
        Array::new(values.len(), 1, values)
    }

    #[must_use]
    pub fn row(values: Vec<Value>) -> Array {
        Array::new(1, values.len(), values)
    }

    /// Build by asking for each element.
    pub fn from_fn(rows: usize, cols: usize, mut value: impl FnMut(usize, usize) -> Value) -> Array {
        let (rows, cols) = (rows.max(1), cols.max(1));
        let mut values = Vec::with_capacity(rows * cols);
        for row in 0..rows {
            for col in 0..cols {
                values.push(value(row, col));
            }
        }
        Array { rows, cols, values }
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    #[must_use]
    pub fn cols(&self) -> usize {
        self.cols
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Always false; an array has at least one element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The element, or `None` outside.
    #[must_use]
    pub fn get(&self, row: usize, col: usize) -> Option<&Value> {
        if row < self.rows && col < self.cols { self.values.get(row * self.cols + col) } else { None }
    }

    /// The element; blank outside, as cells are that nobody filled.
    pub(crate) fn value_at(&self, row: usize, col: usize) -> Value {
        self.get(row, col).cloned().unwrap_or(Value::Blank)
    }

    /// The first element, which is what one cell shows of an array.
    pub(crate) fn corner(&self) -> Value {
        self.value_at(0, 0)
    }

    /// The element as broadcasting sees it: a single row or column repeats, elsewhere outside is `#N/A`.
    #[must_use]
    pub fn broadcast(&self, row: usize, col: usize) -> Value {
        let row = if self.rows == 1 { 0 } else { row };
        let col = if self.cols == 1 { 0 } else { col };
        self.get(row, col).cloned().unwrap_or(Value::Error(ErrorKind::NotAvailable))
    }

    #[must_use]
    pub(crate) fn transposed(&self) -> Array {
        Array::from_fn(self.cols, self.rows, |row, col| self.value_at(col, row))
    }

    /// One row, as values; none of a row that is not there.
    #[must_use]
    pub fn row_values(&self, row: usize) -> &[Value] {
        if row < self.rows { &self.values[row * self.cols..(row + 1) * self.cols] } else { &[] }
    }
}
