//! How much unsaved work is kept that nobody may ever ask for again.
//!
//! Work on a file comes back when the file is opened. Nobody opens a document that has no file, so what callers leave
//! of those would pile up for ever, and so would what they closed without saving. Of both, the latest is kept, and what
//! is removed is written down for whoever looks for it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::left::{self, Left};
use super::{GIVEN_UP, Journals};
use crate::disk::private;

/// Documents without a file that are kept after their callers went, and as many that were closed without saving.
pub const MOST_KEPT: usize = 200;
/// Bytes of each of the two.
pub const MOST_BYTES_KEPT: u64 = 64 << 20;
pub const DAYS_KEPT: u64 = 30;
/// A journal of which nobody would miss anything is kept so long for whoever opens the file again, too.
pub(super) const KEPT: Duration = Duration::from_secs(DAYS_KEPT * 24 * 60 * 60);
/// How many removed ones are remembered.
const MOST_TOLD: usize = 100;
const UNTITLED: &str = "untitled-";

/// Unsaved work that was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    pub title: String,
    pub edits: usize,
    pub suggestions: usize,
    /// Seconds since 1970-01-01 UTC.
    pub at: i64,
    /// Which bound it exceeded.
    pub why: String,
}

/// Something that may have to go.
#[derive(Debug)]
struct Kept {
    folder: PathBuf,
    at: SystemTime,
    bytes: u64,
}

impl Journals {
    /// Remove the oldest of what is more than is kept.
    pub(super) fn keep_bounds(&self) {
        let untitled = self.kept_in(&self.folder, is_untitled);
        let given_up = |folder: &Path| left::reason(folder).is_some_and(|reason| reason.why == GIVEN_UP);
        let given_up = self.kept_in(&self.aside(), given_up);
        let now = SystemTime::now();
        let mut removed = Vec::new();
        for (kept, what) in [(untitled, "without a file"), (given_up, "closed without saving")] {
            removed.extend(too_many(kept, what, now).into_iter().filter_map(|(kept, why)| {
                // One that a process works with is not left.
                let left = Left::read(kept.folder).ok().flatten()?;
                let about = left.describe();
                left.discard();
                let (title, edits, suggestions) = (about.title, about.edits, about.suggestions);
                Some(Removed { title, edits, suggestions, at: seconds(now), why })
            }));
        }
        // Nobody misses what says nothing.
        removed.retain(|removed| removed.edits + removed.suggestions > 0);
        if !removed.is_empty() {
            // What cannot be written down is removed all the same.
            let _ = tell(&self.removed_file(), removed);
        }
    }

    fn removed_file(&self) -> PathBuf {
        self.folder.with_file_name("removed")
    }

    fn kept_in(&self, folder: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<Kept> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let folders = folders.filter(|folder| !self.own.lock().contains(folder) && wanted(folder));
        folders.filter_map(|folder| Kept::look(folder).ok()).collect()
    }
}

impl Kept {
    fn look(folder: PathBuf) -> io::Result<Self> {
        // A folder is changed when it is put aside, and when a log is begun; what is appended to that is newer.
        let mut at = fs::symlink_metadata(&folder)?.modified()?;
        let aside = left::reason(&folder).is_some();
        let mut bytes = 0;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            bytes += metadata.len();
            if !aside && entry.file_name() != "lock" {
                at = at.max(metadata.modified()?);
            }
        }
        Ok(Self { folder, at, bytes })
    }
}

/// Whether a journal is of a document without a file.
pub(super) fn is_untitled(folder: &Path) -> bool {
    super::name_of(folder).starts_with(UNTITLED)
}

/// The name of a new journal of such a document.
pub(super) fn untitled(secret: &str) -> String {
    format!("{UNTITLED}{secret}")
}

/// What of it has to go, and why.
fn too_many(mut kept: Vec<Kept>, what: &str, now: SystemTime) -> Vec<(Kept, String)> {
    kept.sort_by_key(|kept| std::cmp::Reverse(kept.at));
    let mut bytes = 0;
    let mut gone = Vec::new();
    for (number, one) in kept.into_iter().enumerate() {
        bytes += one.bytes;
        let why = match () {
            () if now.duration_since(one.at).is_ok_and(|age| age > KEPT) => {
                format!("it was {what} for more than {DAYS_KEPT} days")
            }
            () if number >= MOST_KEPT => format!("there were more than {MOST_KEPT} documents {what}"),
            // The latest one is kept, however large it is.
            () if number > 0 && bytes > MOST_BYTES_KEPT => {
                format!("documents {what} took more than {} MB", MOST_BYTES_KEPT >> 20)
            }
            () => continue,
        };
        gone.push((one, why));
    }
    gone
}

/// What was removed in a state folder lately, the latest last.
pub(crate) fn removed(state: &Path) -> Vec<Removed> {
    let text = private::read(&state.join("removed")).unwrap_or_else(|_| Vec::new());
    let lines = text.split(|byte| *byte == b'\n');
    // A line that was cut off says nothing.
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

fn tell(file: &Path, removed: Vec<Removed>) -> io::Result<()> {
    let mut told = file.parent().map(self::removed).unwrap_or_default();
    told.extend(removed);
    let first = told.len().saturating_sub(MOST_TOLD);
    let mut lines = Vec::new();
    for one in &told[first..] {
        lines.extend(serde_json::to_vec(one)?);
        lines.push(b'\n');
    }
    private::replace(file, &lines)
}

fn seconds(at: SystemTime) -> i64 {
    at.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs().try_into().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(name: &str, days: u64, bytes: u64, now: SystemTime) -> Kept {
        Kept { folder: name.into(), at: now - Duration::from_secs(days * 24 * 60 * 60), bytes }
    }

    fn gone(kept: Vec<Kept>, now: SystemTime) -> Vec<(String, String)> {
        let gone = too_many(kept, "without a file", now);
        gone.into_iter().map(|(kept, why)| (kept.folder.display().to_string(), why)).collect()
    }

    #[test]
    fn the_oldest_go_first_by_age_number_and_size() {
        let now = SystemTime::now();
        let old = gone(vec![kept("old", 31, 1, now), kept("new", 29, 1, now)], now);
        assert_eq!(old, [("old".into(), "it was without a file for more than 30 days".into())]);

        let many = (0..MOST_KEPT as u64 + 1).map(|number| kept(&number.to_string(), number / 10, 1, now));
        let many = gone(many.rev().collect(), now);
        assert_eq!(many.len(), 1);
        assert_eq!(many[0].0, "200");
        assert_eq!(many[0].1, "there were more than 200 documents without a file");

        let large = vec![kept("large", 0, MOST_BYTES_KEPT + 1, now), kept("small", 1, 1, now)];
        assert_eq!(
            gone(large, now),
            [("small".into(), "documents without a file took more than 64 MB".into())]
        );
    }
}
