//! Rows and columns that come, go and move, and the references that follow.

pub(crate) mod follow;
pub(crate) mod new_lines;
pub(crate) mod structure;
