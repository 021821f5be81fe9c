//! Formulas brought up to date: what changed, what depends on it, and the new values as splices.
//!
//! Writes values that formulas have, and nothing that a caller asks for.

pub(crate) mod model;
pub(crate) mod pivots;
pub(crate) mod place;

pub(crate) mod affected;
pub(crate) mod dirt;
pub(crate) mod moves;
pub(crate) mod rich_errors;
pub(crate) mod settle;
pub(crate) mod settled;
pub(crate) mod view;

pub(crate) mod calculator;
pub(crate) mod named_cells;
pub(crate) mod verify;
