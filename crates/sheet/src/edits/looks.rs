//! How cells look: formats, fonts, fills, borders.

pub(crate) mod appearance;
pub(crate) mod number_code;
pub(crate) mod style_change;
pub(crate) mod style_edit;
pub(crate) mod style_values;
