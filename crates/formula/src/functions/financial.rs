//! x
pub(super) const FUNCTIONS: &[super::Function] = &[];
pub(super) mod bond;
pub(super) mod depreciation;
