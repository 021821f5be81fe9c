//! The vocabulary of changes to a workbook.

use serde::{Deserialize, Serialize};

use crate::edits::anchored_meaning::AnchoredMeaning;
use crate::edits::book::book_edit::WorkbookChange;
use crate::edits::book::page::PageChange;
use crate::edits::book::sheet_edit::{FilterColumn, SheetChange};
use crate::edits::cells::sort::SortKey;
use crate::edits::input::{CellChange, LineChange};
use crate::edits::looks::style_change::StyleChange;
use crate::edits::objects::chart_spec::NewChart;
use crate::edits::objects::charts::ChartChange;
use crate::edits::objects::drawings::{DrawingChange, NewImage, Offsets};
use crate::edits::objects::links::LinkTo;
use crate::edits::objects::table_edit::TableChange;
use crate::edits::rules::conditional::FormatRule;
use crate::edits::rules::validation::ValidationRule;
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::Visibility;

/// One change. Sheets are named as the workbook names them, in any case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Put values and formulas into cells, or clear them.
    SetCells {
        sheet: String,
        cells: Vec<CellChange>,
        /// Noted by earlier versions, in a form that cannot be read again. An edit that has it is stale.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<u64>,
    },
    /// One formula for all cells of an area, as Ctrl+Shift+Enter enters it; it is changed and cleared as a whole.
    SetArray {
        sheet: String,
        area: Area,
        formula: String,
    },
    /// A what-if table: the area gets what the formulas above or left of it would answer for the values beside it,
    /// put into the input cells in turn.
    SetDataTable {
        sheet: String,
        area: Area,
        /// Where the values of the row above go.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row_input: Option<CellRef>,
        /// Where the values of the column on the left go.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column_input: Option<CellRef>,
    },
    /// Put the rows of an area into another order; the area has no header.
    SortRange {
        sheet: String,
        area: Area,
        /// The first counts most.
        keys: Vec<SortKey>,
    },
    /// Change how cells look. Cells that are not there yet come to be, to carry the format.
    SetStyle {
        sheet: String,
        areas: Vec<Area>,
        style: StyleChange,
    },
    /// New rows before row `at`, counted from zero.
    InsertRows {
        sheet: String,
        at: u32,
        count: u32,
    },
    DeleteRows {
        sheet: String,
        at: u32,
        count: u32,
    },
    /// New columns before column `at`, counted from zero.
    InsertColumns {
        sheet: String,
        at: u32,
        count: u32,
    },
    DeleteColumns {
        sheet: String,
        at: u32,
        count: u32,
    },
    /// A new sheet, before another or last.
    AddSheet {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
    },
    DeleteSheet {
        sheet: String,
    },
    RenameSheet {
        sheet: String,
        to: String,
    },
    /// To position `to`, counted from zero.
    MoveSheet {
        sheet: String,
        to: usize,
    },
    ShowSheet {
        sheet: String,
        visibility: Visibility,
    },
    /// Merge the cells of an area; all but the first have to be blank.
    Merge {
        sheet: String,
        area: Area,
    },
    /// Take apart the merged cells that touch an area.
    Unmerge {
        sheet: String,
        area: Area,
    },
    /// Height, visibility and outline of rows `first..=last`.
    SetRows {
        sheet: String,
        first: u32,
        last: u32,
        properties: LineChange,
    },
    /// Width, visibility and outline of columns `first..=last`.
    SetColumns {
        sheet: String,
        first: u32,
        last: u32,
        properties: LineChange,
    },
    /// Keep the first rows and columns in sight; zero for none.
    Freeze {
        sheet: String,
        rows: u32,
        columns: u32,
    },
    /// What may be entered into cells; replaces the validations they had.
    SetValidation {
        sheet: String,
        areas: Vec<Area>,
        rule: ValidationRule,
    },
    RemoveValidations {
        sheet: String,
        areas: Vec<Area>,
    },
    AddConditionalFormat {
        sheet: String,
        areas: Vec<Area>,
        rule: FormatRule,
        /// Rules that come after it are not looked at where it applies.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stop_if_true: bool,
    },
    /// Take the areas out of the rules that touch them; or take off only some rules, wherever they apply.
    RemoveConditionalFormats {
        sheet: String,
        areas: Vec<Area>,
        /// Counted from zero, as they are listed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rules: Vec<u32>,
    },
    /// Colour of the tab, zoom, gridlines and the like.
    SetSheet {
        sheet: String,
        properties: SheetChange,
    },
    /// Paper, margins, header and footer, print areas and titles.
    SetPage {
        sheet: String,
        page: PageChange,
    },
    /// The filter of a sheet, header included; without an area it is taken off.
    SetFilter {
        sheet: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        area: Option<Area>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        columns: Vec<FilterColumn>,
    },
    /// Protect a sheet, or take off a protection without a password.
    Protect {
        sheet: String,
        protected: bool,
    },
    /// Make cells a table; their first row is its header.
    AddTable {
        sheet: String,
        area: Area,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        style: Option<String>,
    },
    /// Rename, resize and restyle a table, and its totals row.
    SetTable {
        table: String,
        change: TableChange,
    },
    /// Turn a table into plain cells.
    DeleteTable {
        table: String,
    },
    /// A link on cells, in place of the one they had.
    SetLink {
        sheet: String,
        area: Area,
        to: LinkTo,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tooltip: Option<String>,
    },
    /// Take off every link that touches the areas.
    RemoveLinks {
        sheet: String,
        areas: Vec<Area>,
    },
    /// A note on a cell, in place of the one it had.
    SetNote {
        sheet: String,
        at: CellRef,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        author: Option<String>,
    },
    RemoveNotes {
        sheet: String,
        areas: Vec<Area>,
    },
    /// Start a thread of comments on a cell, or reply in the one it has.
    AddComment {
        sheet: String,
        at: CellRef,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        author: Option<String>,
    },
    ResolveThread {
        sheet: String,
        at: CellRef,
        resolved: bool,
    },
    DeleteThread {
        sheet: String,
        at: CellRef,
    },
    /// A picture whose first corner lies on a cell.
    AddImage {
        sheet: String,
        at: CellRef,
        image: NewImage,
    },
    /// A chart over an area of cells.
    AddChart {
        sheet: String,
        area: Area,
        chart: NewChart,
    },
    /// Title and series of a chart, which is named, or counted among the drawings as `#1`.
    SetChart {
        sheet: String,
        drawing: String,
        change: ChartChange,
    },
    /// Put the first corner of a picture or chart on another cell; `to` is its other corner.
    MoveDrawing {
        sheet: String,
        drawing: String,
        at: CellRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<CellRef>,
        /// Left out, it lies as far in from its cells as before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offsets: Option<Offsets>,
    },
    /// The name of a picture or chart, and what is told to people who cannot see it; what is left out stays.
    DescribeDrawing {
        sheet: String,
        drawing: String,
        change: DrawingChange,
    },
    DeleteDrawing {
        sheet: String,
        drawing: String,
    },
    /// When the workbook is calculated, its date system, its title and author.
    SetWorkbook {
        properties: WorkbookChange,
    },
    /// Calculate every formula, whether or not anything changed.
    Calculate,
    /// Define a name, or define it anew; local to a sheet where one is given.
    DefineName {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scope: Option<String>,
        formula: String,
    },
    DeleteName {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scope: Option<String>,
    },
    /// What a program did to the workbook, made again as one change.
    Run(Run),
    /// An edit with what it means; see [`edit::Format::anchor`].
    Anchored {
        edit: Box<Edit>,
        meant: AnchoredMeaning,
    },
}

/// Edits in turns, each of what the one before it left; formulas are brought up to date after every turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    pub turns: Vec<Vec<Edit>>,
    /// The sheets that were looked at or changed. If one of them changes before the run is made, it is stale.
    pub sheets: Vec<String>,
    /// As whom, when and with which seed it was made, because values depend on them.
    pub author: String,
    pub now: i64,
    pub seed: u64,
    /// What the parts must be afterwards ([`run_print`](crate::run_print)); nothing once the workbook is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}
