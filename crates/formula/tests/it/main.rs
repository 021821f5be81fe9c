//! The formula engine against workbooks Excel calculated.

#![expect(clippy::disallowed_methods, reason = "the corpus is read from disk")]
#![expect(clippy::print_stdout, reason = "the report is for people")]

mod engine;
mod functions;
mod grid;
mod hostile;
mod parsing;
mod truth;
mod workbook;
mod xml;
