//! What other processes have not saved: those that run, for commands that write a file in place, and those that have
//! ended, for whoever looks after the state folder. Neither needs a desk for it.

use std::path::Path;

use edit::Refusal;

use crate::disk::journal::Recoverable;
use crate::disk::journal::{self, Journals, Removed};
use crate::disk::policy::disk;

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
    let path = std::fs::canonicalize(path).or_else(|_| {
        // The file may be gone, and its folder be there.
        let (folder, name) = path.parent().zip(path.file_name()).ok_or(std::io::ErrorKind::NotFound)?;
        std::fs::canonicalize(folder).map(|folder| folder.join(name))
    });
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

/// Unsaved work of earlier runs that kept their state in `state`, and what is kept because it could not be brought back.
pub fn recoverable_in(state: &Path) -> Result<Vec<Recoverable>, Refusal> {
    let journals = Journals::new(state).map_err(|error| disk("opening the state folder", state, &error))?;
    Ok(journals.recoverable())
}

/// Unsaved work without a file that was removed in `state` lately because there was too much of it, the latest last.
pub fn removed_in(state: &Path) -> Vec<Removed> {
    journal::removed(state)
}
