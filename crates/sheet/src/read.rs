//! A workbook as it reads: sheets, cells, tables, what lies on sheets.
//!
//! Reads what is asked for from the parts below, and changes nothing.

pub(crate) mod book;
pub(crate) mod sheet_view;

pub(crate) mod chart_series;
pub(crate) mod display;
pub(crate) mod extension;
pub(crate) mod features;
pub(crate) mod objects;
pub(crate) mod pivot_areas;
pub(crate) mod protection;
pub(crate) mod query;
pub(crate) mod rich_errors;
pub(crate) mod tables;

pub(crate) mod check;
pub(crate) mod inventory;
pub(crate) mod nearest;
