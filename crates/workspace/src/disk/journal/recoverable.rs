//! Unsaved work that is there to be brought back.

use std::path::PathBuf;

/// Unsaved work that an earlier run left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoverable {
    /// The name of its folder in the state directory.
    pub id: String,
    pub path: Option<PathBuf>,
    pub title: String,
    pub edits: usize,
    pub suggestions: usize,
    /// Who made those.
    pub suggested_by: Vec<String>,
    /// It could not be brought back, or was given up, and is kept.
    pub aside: bool,
    /// What is wrong with it, or why it is aside.
    pub why: Option<String>,
}
