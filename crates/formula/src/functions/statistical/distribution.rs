//! x
pub(in super::super) const FUNCTIONS: &[super::super::Function] = &[];
