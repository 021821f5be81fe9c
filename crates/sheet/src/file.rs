//! The parts of a workbook as bytes: addresses, cells, strings, formats, and XML that changes in place.
//!
//! Knows a part, never the workbook as a whole, and calculates nothing.

pub(crate) mod a1;
pub(crate) mod dates;
pub(crate) mod formula_text;
pub(crate) mod numbers;
pub(crate) mod refs;

pub(crate) mod scan;
pub(crate) mod worksheet;

pub(crate) mod strings;
pub(crate) mod styles;
pub(crate) mod workbook;

pub(crate) mod xml_edit;
