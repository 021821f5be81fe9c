//! x
pub(super) const FUNCTIONS: &[super::Function] = &[];
pub(super) mod bessel;
pub(super) mod complex;
