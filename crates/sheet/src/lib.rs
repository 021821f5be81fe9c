//! Excel workbooks, read in place and changed by splices.
//!
//! A [`View`] reads what is asked for straight from the bytes of the parts: one cell of a sheet of a million
//! rows costs a binary search. An [`Edit`] becomes splices on the few parts it concerns; charts, pivots,
//! macros and everything else that is not modelled here never passes through our hands. After the edits of a
//! batch, formulas that depend on them are calculated anew.
//!
//! Files, clocks and scripts are somebody else's business.

// In the order in which to read them: each floor knows only those above it in this list.
mod file;

mod read;

mod calc;

mod edits;

// How cells look and where objects lie, for whoever shows them.
pub mod resolved;

mod format;
mod run;

// Judging a workbook: what may be wrong in it, and what its validations allow.
pub mod allowed;
mod lint;
mod visibility;

mod changes;
mod new_workbook;
mod xls;

pub use calc::calculator::Calculator;
pub use calc::named_cells::{Spelling, spelled};
pub use calc::place::{AreaOnSheet, CellOnSheet};
pub use calc::settled::Settled;
pub use calc::verify::{Difference, Reason, Unanswerable, Verification, verify};
pub use calc::view::{Sheet, View};
pub use edits::anchor::mark_lines;
pub use edits::anchored_meaning::AnchoredMeaning;
pub use edits::book::book_edit::{CalculationMode, DocumentProperties, WorkbookChange};
pub use edits::book::page::{Margins, Page, PageChange};
pub use edits::book::sheet_edit::{FilterColumn, SheetChange, TabColor};
pub use edits::cells::sort::SortKey;
pub use edits::edit::{Edit, Run};
pub use edits::input::{Calculated, CellChange, CellShown, Input, LineChange, Outcome, TextRun};
pub use edits::looks::style_change::{
    AlignmentChange, BorderChange, EdgeChange, FillChange, FontChange, GradientChange, GradientForm,
    StyleChange,
};
pub use edits::objects::chart_spec::{
    AxisLook, BlankCells, ChartAxes, ChartKind, Legend, NewChart, NewGroup, NewLabels, NewSeries,
};
pub use edits::objects::charts::{ChartChange, SeriesChange};
pub use edits::objects::drawings::{DrawingChange, NewImage, Offsets};
pub use edits::objects::links::LinkTo;
pub use edits::objects::table_edit::{CalculatedColumn, ColumnTotal, TableChange, Total};
pub use edits::rules::conditional::{
    Average, CellsThat, ConditionalFormat, FormatRule, Point, TextMatch, Top,
};
pub use edits::rules::validation::ValidationRule;
pub use file::a1::{Area, CellRef};
pub use file::refs::translate as formula_moved;
pub use file::strings::RichRun;
pub use file::styles::{Alignment, Border, Color, Edge, Fill, Font, Style};
pub use file::workbook::{Calculation, DefinedName, ExternalLink, Tab, TabKind, Visibility, Workbook};
pub use format::limits;
pub use formula::{ErrorKind, Locale, Value, quote_sheet};
pub use lint::{
    Finding, LintOptions, Linted, RULES as LINT_RULES, Rule as LintRule, Severity, lint, rule as lint_rule,
};
pub use new_workbook::new_workbook;
pub use ooxml::extension_of;
pub use read::book::Book;
pub use read::chart_series::{ChartGroup, ChartSeries};
pub use read::check::{Problem, check};
pub use read::features::{Columns, Frozen, Hyperlink, RowProperties, Validation};
pub use read::nearest::nearest;
pub use read::objects::{Chart, Drawing, DrawingKind, NoteOnCell, Thread, ThreadComment};
pub use read::sheet_view::{Cell, CellFormula, DataTable, FormulaKind, SheetView};
pub use read::tables::{Table, TableColumn};
pub use run::run_print;
pub use visibility::{CellVisibility, Sight};
pub use xls::{Converted, from_xls, is_old};
