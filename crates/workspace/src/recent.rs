//! The files that were used last.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::saving::name_of;

/// So many are shown to a caller, and so many kept for all.
const MOST_SHOWN: usize = 10;
const MOST: usize = 200;

/// Seconds within which the newest file is not written down again.
const MOMENT: i64 = 60;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentFile {
    pub path: PathBuf,
    pub name: String,
    /// When it was last opened or saved; seconds since 1970-01-01 UTC.
    pub at: i64,
    /// Who used it, if that was written down.
    #[serde(default)]
    caller: String,
}

#[derive(Debug)]
pub(crate) struct Recent {
    /// Newest first.
    files: Vec<RecentFile>,
    store: Option<PathBuf>,
}

impl Recent {
    /// A list that cannot be read is an empty one: it is a convenience, and made anew by use.
    pub(crate) fn load(state: Option<&Path>) -> Self {
        let store = state.map(|state| state.join("recent.json"));
        let files = store.as_deref().map(stored).unwrap_or_default();
        Self { files, store }
    }

    /// What a caller used, and what others did who have gone since, as far as it lies in the caller's folders.
    pub(crate) fn files(
        &self,
        caller: &str,
        in_reach: impl Fn(&Path) -> bool,
        is_here: impl Fn(&str) -> bool,
    ) -> Vec<RecentFile> {
        let theirs = self.files.iter().filter(|file| file.caller == caller || !is_here(&file.caller));
        let mut shown: Vec<RecentFile> = Vec::new();
        for file in theirs.filter(|file| in_reach(&file.path)) {
            if shown.len() < MOST_SHOWN && !shown.iter().any(|known| known.path == file.path) {
                shown.push(file.clone());
            }
        }
        shown
    }

    pub(crate) fn add(&mut self, path: &Path, at: i64, caller: &str) {
        // A file that is saved again and again stays where it is in the list.
        if let Some(newest) = self.files.first()
            && newest.path == path
            && newest.caller == caller
            && (0..MOMENT).contains(&(at - newest.at))
        {
            return;
        }
        if let Some(store) = &self.store {
            // Another process may have added to it.
            for other in stored(store) {
                if !self.files.iter().any(|file| file.path == other.path && file.caller == other.caller) {
                    self.files.push(other);
                }
            }
            self.files.sort_by_key(|file| std::cmp::Reverse(file.at));
        }
        self.files.retain(|file| file.path != path || file.caller != caller);
        let caller = caller.to_owned();
        self.files.insert(0, RecentFile { path: path.to_owned(), name: name_of(path), at, caller });
        self.files.truncate(MOST);
        if let Some(store) = &self.store
            && let Ok(text) = serde_json::to_vec(&self.files)
        {
            let temporary = store.with_extension(format!("{}.tmp", std::process::id()));
            // Losing the list loses nothing of a document.
            let written = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, store));
            if written.is_err() {
                let _ = std::fs::remove_file(&temporary);
            }
        }
    }
}

fn stored(store: &Path) -> Vec<RecentFile> {
    std::fs::read(store).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}
