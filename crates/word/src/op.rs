//! The fourth floor: the operations of `word.op`, typed once for every executor: files here, a live Word elsewhere.
//!
//! Names, arguments and defaults are those of the published vocabulary. What goes beyond it is marked, and
//! an executor that cannot do it says so.

mod execute;
mod place;
mod sequence;

mod beside_table;
mod codes;
mod cut;
mod draft;
mod properties;
mod styles;

mod format;
mod lists;
mod picture;
mod replace;
mod search;
mod table;
mod text;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use crate::document::span::Span;
pub use crate::edits::outcome::{Answer, Hit, RangeOf, StyleList, StyleName};
pub use execute::{Operation, Reading, read, text_of};
#[cfg(test)]
pub(crate) use place::Ground;
pub use place::{Places, end_of, span_of};

pub(crate) use execute::{anchor, carry, plan};
pub(crate) use sequence::{anchor_all, plan_all};
pub(crate) use table::insert_table;

/// One operation with its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Op {
    InsertText(InsertText),
    GetSelection,
    /// Beyond the vocabulary: a file has no cursor of its own until one is set.
    SetSelection(SetSelection),
    Search(Search),
    Replace(Replace),
    InsertPicture(InsertPicture),
    TableCreate(TableCreate),
    TableInsertRows(TableInsert),
    TableInsertColumns(TableInsert),
    TableDeleteRows(TableDelete),
    TableDeleteColumns(TableDelete),
    TableSetCellText(TableSetCellText),
    TableMergeCells(TableMergeCells),
    TableApplyStyle(TableApplyStyle),
    ApplyStyle(ApplyStyle),
    ListStyles(ListStyles),
}

impl Op {
    /// Every name, in the order of the published index.
    pub const NAMES: [&'static str; 16] = [
        "insertText",
        "getSelection",
        "setSelection",
        "search",
        "replace",
        "insertPicture",
        "table.create",
        "table.insertRows",
        "table.insertColumns",
        "table.deleteRows",
        "table.deleteColumns",
        "table.setCellText",
        "table.mergeCells",
        "table.applyStyle",
        "applyStyle",
        "listStyles",
    ];

    pub fn name(&self) -> &'static str {
        match self {
            Self::InsertText(_) => "insertText",
            Self::GetSelection => "getSelection",
            Self::SetSelection(_) => "setSelection",
            Self::Search(_) => "search",
            Self::Replace(_) => "replace",
            Self::InsertPicture(_) => "insertPicture",
            Self::TableCreate(_) => "table.create",
            Self::TableInsertRows(_) => "table.insertRows",
            Self::TableInsertColumns(_) => "table.insertColumns",
            Self::TableDeleteRows(_) => "table.deleteRows",
            Self::TableDeleteColumns(_) => "table.deleteColumns",
            Self::TableSetCellText(_) => "table.setCellText",
            Self::TableMergeCells(_) => "table.mergeCells",
            Self::TableApplyStyle(_) => "table.applyStyle",
            Self::ApplyStyle(_) => "applyStyle",
            Self::ListStyles(_) => "listStyles",
        }
    }

    /// Whether the operation leaves the document as it is.
    pub fn only_reads(&self) -> bool {
        matches!(self, Self::GetSelection | Self::SetSelection(_) | Self::Search(_) | Self::ListStyles(_))
    }
}

/// What an operation works on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Scope {
    Document,
    #[default]
    Selection,
    /// `rangeId:<id>`; also the id of a paragraph or a table, as reading prints it.
    Range(String),
    /// `tableId:<id>`: all of a table. Before and behind it is outside of it, its start and end are inside.
    Table(String),
    /// Beyond the vocabulary: where this text stands, for requests such as "make 'Total' bold". Refused if it
    /// stands nowhere or in several places; never a guess.
    Found(String),
    /// Beyond the vocabulary: the first place where this text stands, however many there are.
    First(String),
    /// Beyond the vocabulary: the paragraph that has this text and no other, such as a heading.
    Paragraph(String),
}

/// Where, relative to the scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Location {
    Start,
    End,
    Before,
    After,
    #[default]
    Replace,
}

/// Which table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableRef {
    /// `tableId:<id>`
    Table(String),
    /// `rangeId:<id>`: the table that holds this range.
    Range(String),
    /// Beyond the vocabulary: the table at the selection, else the only table of the document.
    Current,
    /// Beyond the vocabulary: by its place in the document, from 0.
    Nth(usize),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InsertText {
    pub text: String,
    pub scope: Scope,
    pub location: Location,
    pub new_paragraph: bool,
    pub keep_formatting: bool,
}

impl Default for InsertText {
    fn default() -> Self {
        Self {
            text: String::new(),
            scope: Scope::Selection,
            location: Location::Replace,
            new_paragraph: false,
            keep_formatting: true,
        }
    }
}

/// A scope, and which end of it; `Replace` selects all of it, the others leave a cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetSelection {
    pub scope: Scope,
    pub location: Location,
}

/// How text is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Matching {
    pub regex: bool,
    /// Beyond the vocabulary: Word's own wildcards.
    pub wildcards: bool,
    pub case: bool,
    pub whole_word: bool,
    pub prefix: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Search {
    pub query: String,
    pub scope: Scope,
    pub matching: Matching,
    pub max_results: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self { query: String::new(), scope: Scope::Document, matching: Matching::default(), max_results: 100 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replace {
    pub target: Target,
    pub with: String,
    pub mode: ReplaceMode,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// All of the scope's text.
    Whole(Scope),
    /// Each match inside the scope.
    Query { query: String, matching: Matching, scope: Scope },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ReplaceMode {
    First,
    #[default]
    All,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InsertPicture {
    pub source: PictureSource,
    pub scope: Scope,
    pub location: Location,
    /// Points.
    pub width: Option<f64>,
    pub height: Option<f64>,
    pub lock_aspect_ratio: bool,
    pub alt_text: Option<String>,
    pub wrap: Wrap,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureSource {
    Url(String),
    Base64(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Wrap {
    #[default]
    Inline,
    Square,
    Tight,
    Behind,
    InFront,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TableCreate {
    pub rows: usize,
    pub cols: usize,
    pub scope: Scope,
    pub location: Location,
    pub data: Vec<Vec<String>>,
    pub header: bool,
}

/// Rows or columns to insert beside the one at index `at` (from 0).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableInsert {
    pub table: TableRef,
    /// Beyond the vocabulary: `None` is the last one.
    pub at: Option<usize>,
    pub count: usize,
    pub side: Side,
}

/// The vocabulary has only `at`, and its authoring tip reads "after row 1" as `at: 1`; hence the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Side {
    Before,
    #[default]
    After,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableDelete {
    pub table: TableRef,
    /// From 0, in any order; repeats count once.
    pub indexes: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSetCellText {
    pub table: TableRef,
    pub row: usize,
    pub col: usize,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableMergeCells {
    pub table: TableRef,
    pub start_row: usize,
    pub start_col: usize,
    pub row_span: usize,
    pub col_span: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableApplyStyle {
    pub table: TableRef,
    pub style: TableStyle,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TableStyle {
    pub name: Option<String>,
    pub banded_rows: Option<bool>,
    pub banded_columns: Option<bool>,
    pub first_row: Option<bool>,
    pub last_row: Option<bool>,
    pub first_column: Option<bool>,
    pub last_column: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ApplyStyle {
    pub scope: Scope,
    pub character: CharacterFormat,
    pub paragraph: ParagraphFormat,
    pub named_style: Option<String>,
    pub clear_other_styles: bool,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CharacterFormat {
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub underline: Option<Underline>,
    pub font_name: Option<String>,
    /// Points.
    pub font_size: Option<f64>,
    pub color: Option<Color>,
    pub highlight: Option<Highlight>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Underline {
    None,
    Single,
    Double,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Highlight {
    None,
    Color(Color),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Color {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

impl Color {
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ParagraphFormat {
    pub alignment: Option<Alignment>,
    /// A multiple of a line, such as 1.15.
    pub line_spacing: Option<f64>,
    /// Points.
    pub space_before: Option<f64>,
    pub space_after: Option<f64>,
    pub list: Option<List>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Alignment {
    Left,
    Center,
    Right,
    Justify,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum List {
    None,
    Bullet,
    Number,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ListStyles {
    pub category: StyleCategory,
    pub query: Option<String>,
    pub built_in_only: bool,
    pub include_localized: bool,
    pub max: Option<usize>,
}

impl Default for ListStyles {
    fn default() -> Self {
        Self {
            category: StyleCategory::All,
            query: None,
            built_in_only: true,
            include_localized: true,
            max: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum StyleCategory {
    Paragraph,
    Character,
    Table,
    #[default]
    All,
}
