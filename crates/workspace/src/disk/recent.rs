//! The files that were used last.

use std::path::{Path, PathBuf};

use edit::OrEmpty;
use serde::{Deserialize, Serialize};

use crate::disk::name_of;
use crate::disk::private;

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
        let files = store.as_deref().map(stored).or_empty();
        // A list that is not there is nobody's to read.
        let _ = store.as_deref().map(private::tighten_file);
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
            // Losing the list loses nothing of a document.
            let _ = private::replace(store, &text);
        }
    }
}

fn stored(store: &Path) -> Vec<RecentFile> {
    // A list that cannot be read begins anew: losing it loses nothing of a document.
    private::read(store).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_list_is_for_its_owner_alone() {
        let state = tempfile::tempdir().unwrap();
        let store = state.path().join("recent.json");
        let mode = || std::fs::metadata(&store).unwrap().permissions().mode() & 0o777;
        Recent::load(Some(state.path())).add(Path::new("/a.md"), 1, "c");
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&store, std::fs::Permissions::from_mode(0o644)).unwrap();
        let recent = Recent::load(Some(state.path()));
        assert_eq!((mode(), recent.files.len()), (0o600, 1));
        // What is put in its place is neither followed nor waited for.
        std::fs::remove_file(&store).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", &store).unwrap();
        let mut recent = Recent::load(Some(state.path()));
        recent.add(Path::new("/b.md"), 2, "c");
        assert!(std::fs::symlink_metadata(&store).unwrap().is_file());
    }
}
