//! Pictures as users get them: small workbooks of our own held against stored pictures, and real ones drawn whole.
#![allow(clippy::disallowed_methods, reason = "tests read and write files; what they test does not")]

mod charts;
mod corpus;
mod damaged;
mod everything;
mod pictures;
mod workbook;
