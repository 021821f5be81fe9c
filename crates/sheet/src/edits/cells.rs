//! What is put into cells, and what comes with it: formulas, arrays, rich text, sorting.

pub(crate) mod arrays;
pub(crate) mod calc_chain;
pub(crate) mod entered_text;
pub(crate) mod formula_format;
pub(crate) mod mentions;
pub(crate) mod metadata;
pub(crate) mod rich;
pub(crate) mod set_cells;
pub(crate) mod sort;
pub(crate) mod typed;
