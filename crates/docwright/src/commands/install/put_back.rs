//! What `install` changed, kept in the state folder so that `uninstall` can put each file back to the byte.
//!
//! Settings may hold secrets, so no file is kept as a whole: only the place, what stood there before and what stands there
//! now, with a fingerprint of the file after the change. A file that was changed since is mended by what it says instead.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::access;

const FOLDER: &str = "installed";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    file: PathBuf,
    /// SHA-256 of the file after the change.
    after: String,
    /// Whether there was such a file.
    existed: bool,
    /// Where the change is, in bytes.
    at: usize,
    removed: String,
    /// How many bytes stand there now.
    added: usize,
}

impl Kept {
    fn of(file: &Path, before: Option<&str>, after: &str) -> Self {
        let (old, existed) = (before.unwrap_or(""), before.is_some());
        let at = old.bytes().zip(after.bytes()).take_while(|(old, new)| old == new).count();
        let at =
            (0..=at).rev().find(|at| old.is_char_boundary(*at) && after.is_char_boundary(*at)).unwrap_or(0);
        let most = old.len().min(after.len()) - at;
        let same =
            old.bytes().rev().zip(after.bytes().rev()).take(most).take_while(|(old, new)| old == new).count();
        let fits = |same: &usize| {
            old.is_char_boundary(old.len() - same) && after.is_char_boundary(after.len() - same)
        };
        let same = (0..=same).rev().find(fits).unwrap_or(0);
        let removed = old[at..old.len() - same].to_owned();
        let added = after.len() - same - at;
        Self { file: file.to_owned(), after: digest(after), existed, at, removed, added }
    }

    /// The file as it was; nothing where there was none. `None` if it is not as the change left it.
    fn undone(&self, now: &str) -> Option<Option<String>> {
        if digest(now) != self.after {
            return None;
        }
        let (start, end) = (now.get(..self.at)?, now.get(self.at.checked_add(self.added)?..)?);
        Some(self.existed.then(|| format!("{start}{}{end}", self.removed)))
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn place(file: &Path) -> Option<PathBuf> {
    let folder = access::state_folder(None).ok()?.join(FOLDER);
    Some(folder.join(format!("{}.json", digest(&file.to_string_lossy()))))
}

fn kept(file: &Path) -> Option<Kept> {
    let text = std::fs::read_to_string(place(file)?).ok()?;
    serde_json::from_str::<Kept>(&text).ok().filter(|kept| kept.file == file)
}

/// The file as it was before we first changed it, if nobody else has changed it since; nothing where there was none.
pub(super) fn original(file: &Path, now: &str) -> Option<Option<String>> {
    kept(file)?.undone(now)
}

/// The file is as it was, or as somebody else wants it.
pub(super) fn forget(file: &Path) {
    if let Some(place) = place(file) {
        let _ = std::fs::remove_file(place);
    }
}

/// Keeps what a change is going to do to a file. Where that cannot be kept, `uninstall` goes by what the file says.
pub(super) fn keep(file: &Path, before: Option<&str>, after: Option<&str>) {
    let Some(place) = place(file) else { return };
    let Some(after) = after else { return forget(file) };
    let first = before.and_then(|before| original(file, before)).unwrap_or_else(|| before.map(str::to_owned));
    let Ok(text) = serde_json::to_string(&Kept::of(file, first.as_deref(), after)) else { return };
    let folder = place.parent().unwrap_or(Path::new("."));
    if std::fs::create_dir_all(folder).is_ok()
        && let Ok(mut file) = tempfile::NamedTempFile::new_in(folder)
        && std::io::Write::write_all(&mut file, text.as_bytes()).is_ok()
    {
        // A temporary file is its owner's alone, and stays so under its new name.
        let _ = file.persist(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_taken_back_to_the_byte_or_not_at_all() {
        let file = Path::new("/a");
        for (before, after) in [
            (None, "{}"),
            (Some(""), "{\"a\": 1}\n"),
            (Some("{\r\n\t\"m\": {}\r\n}"), "{\r\n\t\"m\": {\"d\": 1}\r\n}"),
            (Some("no end"), "no end\n[d]\n"),
            (Some("xä"), "xü"),
            (Some("aaaa"), "aa"),
        ] {
            let kept = Kept::of(file, before, after);
            assert_eq!(kept.undone(after), Some(before.map(str::to_owned)), "{before:?}");
            assert_eq!(kept.undone(&format!("{after} ")), None);
        }
    }
}
