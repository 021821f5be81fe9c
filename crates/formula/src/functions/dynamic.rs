//! x
pub(super) const FUNCTIONS: &[super::Function] = &[];
pub(super) mod group;
