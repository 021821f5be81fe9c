//! The Word engine on real files that nobody here wrote.
#![allow(clippy::disallowed_methods, reason = "tests read files; the engine under test does not")]

mod editing;
mod kinds;
mod mutations;
mod random;
