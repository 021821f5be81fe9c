//! What goes into cells and lines, and what an edit answers.

use serde::{Deserialize, Serialize};

use crate::edits::looks::style_change::FontChange;
use crate::file::a1::{Area, CellRef};

/// A change of rows or columns; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineChange {
    /// Height of rows in points, width of columns in characters.
    pub size: Option<f64>,
    pub hidden: Option<bool>,
    pub outline: Option<u32>,
    /// Whether the group that this line ends is closed.
    pub collapsed: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellChange {
    pub at: CellRef,
    pub input: Input,
}

/// What goes into a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Nothing; the format stays.
    Clear,
    Number(f64),
    Text(String),
    /// A text in pieces that look different.
    Rich(Vec<TextRun>),
    Bool(bool),
    /// `#N/A` and its kin.
    Error(String),
    /// With or without a leading `=`.
    Formula(String),
    /// `2024-02-29`, `2024-02-29T13:30:00` or `13:30`; a cell that shows no date yet gets a date format.
    Date(String),
    /// A number; a cell without a number format gets this one.
    Formatted {
        number: f64,
        format: String,
    },
    /// A text of the workbook by its number, with all its looks. Only for cells that move.
    #[serde(skip)]
    Shared(u32),
    /// As typed into Excel: `25%`, `1,234.50`, `2024-03-01`, `=A1*2`; a leading apostrophe means text.
    Typed(String),
}

/// A piece of a cell's text; what its font leaves out is as the cell has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextRun {
    pub text: String,
    #[serde(default)]
    pub font: FontChange,
}

/// What an edit did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    pub sheet: String,
    /// The areas whose cells were written.
    pub touched: Vec<Area>,
    /// What the first of those cells show, once formulas are up to date.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<CellShown>,
    /// What calculating found, told by the last edit of a batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calculated: Option<Calculated>,
}

/// A cell and what it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CellShown {
    /// With its sheet, such as `Model!B4`.
    pub cell: String,
    pub value: String,
}

/// What calculating found after the last edit of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Calculated {
    /// How many cells beside the written ones have another value now.
    pub changed: usize,
    /// The first of them.
    pub first: Vec<CellShown>,
    /// How many cells show an error that was not there before.
    pub new_errors: usize,
    pub errors: Vec<CellShown>,
}
