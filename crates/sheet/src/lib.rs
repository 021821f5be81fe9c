//! Excel workbooks, read in place and changed by splices.
//!
//! A [`View`] reads what is asked for straight from the bytes of the parts: one cell of a sheet of a million
//! rows costs a binary search. An [`Edit`] becomes splices on the few parts it concerns; charts, pivots,
//! macros and everything else that is not modelled here never passes through our hands. After the edits of a
//! batch, formulas that depend on them are calculated anew.
//!
//! Files, clocks and scripts are somebody else's business.

mod a1;
mod scan;
mod strings;
mod styles;
mod workbook;
mod worksheet;

mod dates;
mod display;
mod features;
mod objects;
mod sheet_view;
mod tables;
mod view;

mod allowed;
mod anchor;
mod arrays;
mod book_edit;
mod calc_chain;
mod charts;
mod conditional;
mod drawings;
mod edits;
mod entry;
mod extension;
mod follow;
mod format;
mod hang;
mod links;
mod looks;
mod mentions;
mod metadata;
mod names;
mod nearest;
mod notes;
mod old;
mod page;
mod pivots;
mod protection;
mod refs;
mod rich;
mod rules;
mod set_cells;
mod sheet_edit;
mod stored;
mod structure;
mod style_edit;
mod table_edit;
mod threads;
mod xml_edit;

mod calculator;
mod check;
mod dirt;
mod inventory;
mod model;
mod settle;
mod shown;
mod verify;

pub use a1::{Area, CellRef};
pub use anchor::Meant;
pub use book_edit::{CalculationMode, DocumentProperties, WorkbookChange};
pub use calculator::{Calculator, Place, Region};
pub use charts::{ChartChange, ChartKind, ChartSeries, Legend, NewChart, NewSeries, SeriesChange};
pub use check::{Problem, check};
pub use conditional::{Average, CellsThat, ConditionalFormat, FormatRule, Point, TextMatch, Top};
pub use drawings::NewImage;
pub use edits::{CellChange, Edit, Input, LineChange, Outcome, TextRun};
pub use features::{Columns, Frozen, Hyperlink, RowProperties, Validation};
pub use format::{Sheet, limits};
pub use formula::{ErrorKind, Value};
pub use links::LinkTo;
pub use objects::{Chart, Drawing, DrawingKind, NoteOnCell, Thread, ThreadComment};
pub use old::{Converted, from_xls, is_old};
pub use page::{Margins, Page, PageChange};
pub use rules::ValidationRule;
pub use settle::Settled;
pub use sheet_edit::{FilterColumn, SheetChange, TabColor};
pub use sheet_view::{Cell, CellFormula, FormulaKind, SheetView};
pub use strings::RichRun;
pub use style_edit::{AlignmentChange, BorderChange, EdgeChange, FillChange, FontChange, StyleChange};
pub use styles::{Alignment, Border, Color, Edge, Fill, Font, Style};
pub use table_edit::{ColumnTotal, TableChange, Total};
pub use tables::Table;
pub use verify::{Difference, Reason, Unanswerable, Verification, verify};
pub use view::View;
pub use workbook::{Calculation, DefinedName, ExternalLink, Tab, TabKind, Visibility, Workbook};
