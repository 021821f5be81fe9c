//! What a user would see: small workbooks edited, and real ones that nobody here wrote.
#![allow(clippy::disallowed_methods, reason = "tests read files; the engine under test does not")]

mod arrays;
mod bad_input;
mod book;
mod calculation;
mod cases;
mod conditional;
mod corpus;
mod everything;
mod incremental;
mod mutated;
mod notation;
mod objects;
mod pairs;
mod random;
mod resolved;
mod rich;
mod shown;
mod staging;
mod structure;
mod structure_corpus;
