//! JSON schemas from Rust types, and arguments held against them.
//!
//! Tools and the functions that scripts call are described once, by the types that they take. What clients are shown
//! and what is checked comes from those types, and a fault reads the same whoever made it. What a function does with
//! its arguments is no business of this crate.

mod check;
mod shape;

pub use check::{KEYWORDS, MEANS_NULL, arguments};
pub use shape::{Side, as_listed, of};
