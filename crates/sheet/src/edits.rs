//! What callers ask for, as splices on the few parts that it concerns.
//!
//! Leaves the values of formulas to the calculation.

pub(crate) mod anchor;
pub(crate) mod edit;
pub(crate) mod entry;
pub(crate) mod input;
pub(crate) mod meant;
pub(crate) mod report;

pub(crate) mod arrays;
pub(crate) mod calc_chain;
pub(crate) mod entered_text;
pub(crate) mod formula_format;
pub(crate) mod mentions;
pub(crate) mod metadata;
pub(crate) mod rich;
pub(crate) mod set_cells;
pub(crate) mod sort;
pub(crate) mod typed;

pub(crate) mod follow;
pub(crate) mod new_lines;
pub(crate) mod structure;

pub(crate) mod appearance;
pub(crate) mod number_code;
pub(crate) mod style_change;
pub(crate) mod style_edit;
pub(crate) mod style_values;

pub(crate) mod book_edit;
pub(crate) mod names;
pub(crate) mod page;
pub(crate) mod protection;
pub(crate) mod sheet_edit;

pub(crate) mod attached;
pub(crate) mod chart_change;
pub(crate) mod chart_markup;
pub(crate) mod chart_range;
pub(crate) mod chart_spec;
pub(crate) mod charts;
pub(crate) mod drawings;
pub(crate) mod links;
pub(crate) mod notes;
pub(crate) mod table_edit;
pub(crate) mod threads;

pub(crate) mod conditional;
pub(crate) mod extension;
pub(crate) mod format_rules;
pub(crate) mod rule_formula;
pub(crate) mod validation;
pub(crate) mod validity;
