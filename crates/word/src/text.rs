//! The second floor: what a document says, as a caller reads and quotes it.
//!
//! Pages of text, searches, and the forgiving ways in which a quotation finds its place. Nothing here changes a byte.

// What callers hand in and how it is taken apart.
pub(crate) mod definitions;
pub(crate) mod tags;
pub(crate) mod tokens;

// What they are shown.
pub(crate) mod header;
pub(crate) mod quotation;
pub mod read;
pub(crate) mod shown;

// How what they quote is found.
pub(crate) mod accents;
pub(crate) mod grep;
pub(crate) mod ladder;
pub(crate) mod locate;
pub(crate) mod near;
pub(crate) mod wildcards;
