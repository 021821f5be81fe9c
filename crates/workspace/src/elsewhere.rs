//! What other processes have not saved yet, for commands that write a file in place and need no workspace for it.

use std::path::Path;

use crate::journal;

/// Unsaved work that a running process has on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaved {
    pub edits: usize,
    /// That wait for a decision.
    pub suggestions: usize,
    /// The authors of the edits.
    pub by: Vec<String>,
}

/// What running processes that keep their state in `state` have not saved of the file at `path`. Only looks, and waits
/// for nobody. What a process left that has ended is not told: it comes back when the file is opened.
pub fn unsaved_elsewhere(state: &Path, path: &Path) -> Option<Unsaved> {
    let path = std::fs::canonicalize(path);
    let path = path.as_deref().ok()?;
    let mut unsaved = Unsaved { edits: 0, suggestions: 0, by: Vec::new() };
    for account in journal::held_elsewhere(state, path) {
        unsaved.edits += account.edits;
        unsaved.suggestions += account.suggestions;
        unsaved.by.extend(account.by);
    }
    unsaved.by.sort();
    unsaved.by.dedup();
    (unsaved.edits + unsaved.suggestions > 0).then_some(unsaved)
}
