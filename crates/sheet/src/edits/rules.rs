//! Conditional formats and data validation.

pub(crate) mod conditional;
pub(crate) mod extension;
pub(crate) mod format_rules;
pub(crate) mod rule_formula;
pub(crate) mod validation;
pub(crate) mod validity;
