//! x
pub(super) const FUNCTIONS: &[super::Function] = &[];
