//! What callers ask for, as splices on the few parts that it concerns.
//!
//! Leaves the values of formulas to the calculation.

pub(crate) mod anchor;
pub(crate) mod anchored_meaning;
pub(crate) mod edit;
pub(crate) mod entry;
pub(crate) mod input;
pub(crate) mod report;

pub(crate) mod cells;
pub(crate) mod lines;
pub(crate) mod looks;

pub(crate) mod book;
pub(crate) mod objects;
pub(crate) mod rules;
