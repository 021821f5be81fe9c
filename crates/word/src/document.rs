//! The first floor: a document as its file has it, with names for what is in it.
//!
//! Parts, paragraphs with the bytes of each character, styles and what follows from them, list labels, notes, tables.
//! Nothing here knows what a caller may ask, and nothing writes.

// How a part is gone through.
pub(crate) mod finders;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod scan;

// What is where.
pub(crate) mod fields;
pub(crate) mod ids;
pub(crate) mod index;
pub(crate) mod layout;
pub(crate) mod protection;
pub(crate) mod span;
pub(crate) mod view;

// One paragraph.
pub(crate) mod paragraph;
pub(crate) mod symbols;

// How it looks.
pub(crate) mod look;
pub(crate) mod numbering;
pub(crate) mod props;
pub(crate) mod regions;
pub(crate) mod style;

// What stands around and beside it.
pub(crate) mod notes;
pub(crate) mod tables;

pub(crate) mod stamp;

/// The `.docx` family: documents and templates, with macros or without. On the common road of edits in `format`.
#[derive(Debug, Clone, Copy)]
pub struct Word;
