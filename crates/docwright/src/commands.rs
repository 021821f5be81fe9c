//! One file a command; each turns arguments into calls on the workspace and answers with a verdict.

pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod mcp;
pub(crate) mod md;
pub(crate) mod serve;
