//! The vocabulary of our tests.
//!
//! [`check`] runs an engine case and asserts, beside the wanted result, the laws that every edit of every
//! format obeys. [`cases`] reads cases that people can read. [`Chance`] makes the choices of random cases. [`corpus`] finds real files that nobody here wrote. Never a normal dependency.
#![allow(clippy::disallowed_methods, reason = "tests read files; the engines under test do not")]

pub mod cases;
mod chance;
pub mod corpus;
mod laws;
pub mod shapes;

pub use chance::Chance;
pub use laws::{Checked, Kept, assert_same_view, check, check_carried, context, kept, packed};
