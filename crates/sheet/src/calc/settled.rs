//! What bringing formulas up to date found, for those who ask and for the view that follows.

use std::sync::Arc;

use crate::calc::model::Model;
use crate::calc::place::CellOnSheet;

/// What bringing formulas up to date found.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// How many formulas were calculated.
    pub evaluated: usize,
    /// Cells whose value is another than the file had, in sheet order.
    pub changed: Vec<CellOnSheet>,
    /// Those of them that came to an error.
    pub errors: Vec<CellOnSheet>,
    /// Those of them that showed no error before.
    pub new_errors: Vec<CellOnSheet>,
    /// Formulas that refer to themselves in a circle.
    pub circular: Vec<CellOnSheet>,
    /// Formulas outside the circles that depend on them, and keep their last value too.
    pub behind_circles: Vec<CellOnSheet>,
    /// Formulas that keep their last value, and why.
    pub unanswerable: Vec<(CellOnSheet, Arc<str>)>,
    pub(crate) reached: Reached,
}

/// How far the calculation came, for the view that follows.
#[derive(Clone, Debug, Default)]
pub(crate) enum Reached {
    /// Nothing had to be calculated.
    #[default]
    Nothing,
    /// The file keeps another value than was calculated somewhere, so the next calculation starts from the file.
    Values,
    /// The workbook as calculated, which is what the file says.
    Model(Arc<Model>),
}
