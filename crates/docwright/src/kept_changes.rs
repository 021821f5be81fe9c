//! What commands changed, kept in the state folder so that `docwright undo` can take it back.
//!
//! Before a command writes over a file, the bytes that were there are put aside, and with them the fingerprints of the
//! file before and after. Whoever wants them back gets exactly these bytes, and only as long as nobody changed the file in
//! the meantime. A change that cannot be put aside is made all the same, and that is said.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::access;
use crate::report::{self, Failure};

/// The command of this process, without its arguments: they are nobody's business.
pub(crate) static COMMAND: OnceLock<String> = OnceLock::new();

/// Changes of one file.
const MOST_CHANGES: usize = 20;
/// Of all files together.
const MOST_BYTES: u64 = 512 << 20;
const DAYS: u64 = 30;

const LIST: &str = "changes.json";

/// The changes of one file, the latest last.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) file: PathBuf,
    pub(crate) changes: Vec<Change>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Change {
    /// SHA-256 of the file before and after it.
    pub(crate) before: String,
    pub(crate) after: String,
    /// Such as `word edit`.
    pub(crate) command: String,
    /// In seconds since 1970.
    pub(crate) at: u64,
    /// Then the bytes that are kept are those after it.
    pub(crate) undone: bool,
    /// Where the bytes are, beside the list.
    copy: String,
}

impl Change {
    /// How long ago, as people say it.
    pub(crate) fn age(&self) -> String {
        let minutes = seconds().saturating_sub(self.at) / 60;
        match minutes {
            0 => "just now".to_owned(),
            1 => "a minute ago".to_owned(),
            2..120 => format!("{minutes} minutes ago"),
            120..2880 => format!("{} hours ago", minutes / 60),
            _ => format!("{} days ago", minutes / 1440),
        }
    }
}

/// A file about to be written, whose bytes are put aside.
pub(crate) struct KeptCopy {
    folder: PathBuf,
    file: PathBuf,
    copy: String,
    before: String,
}

/// Puts the bytes of a file aside that is about to be written. What is not there yet, or no file, has none.
pub(crate) fn put_aside(file: &Path) -> Option<KeptCopy> {
    // A pipe or a device has no bytes to keep, and reading it would wait for ever.
    let file = file.canonicalize().ok().filter(|file| file.is_file())?;
    let try_it = || -> Result<KeptCopy, Failure> {
        let folder = folder_of(&file)?;
        let (copy, before) = copy_into(&folder, &file)?;
        Ok(KeptCopy { folder, file: file.clone(), copy, before })
    };
    try_it().map_err(|failure| not_kept(&failure)).ok()
}

impl KeptCopy {
    /// The file was written, and has this fingerprint now.
    pub(crate) fn written(self, after: &str) {
        let Self { folder, file, copy, before } = self;
        if before == after {
            let _ = std::fs::remove_file(folder.join(copy));
            return;
        }
        let change = Change {
            before,
            after: after.to_owned(),
            command: COMMAND.get().expect("a command is known before it writes").clone(),
            at: seconds(),
            undone: false,
            copy,
        };
        let keep = || -> Result<(), Failure> {
            let mut kept = read(&folder)?;
            kept.file = file;
            // What was undone can no longer be done again.
            kept.changes.retain(|change| !change.undone);
            kept.changes.push(change);
            let surplus = kept.changes.len().saturating_sub(MOST_CHANGES);
            kept.changes.drain(..surplus);
            write(&folder, &kept)?;
            tidy(&folder, &kept);
            Ok(())
        };
        if let Err(failure) = keep() {
            not_kept(&failure);
        }
        if let Some(all) = folder.parent() {
            make_room(all, &folder);
        }
    }

    /// The file was not written after all.
    pub(crate) fn dropped(self) {
        let _ = std::fs::remove_file(self.folder.join(self.copy));
    }
}

fn not_kept(failure: &Failure) {
    report::remark(&format!("`docwright undo` will not know this change: {}", failure.message));
}

/// What is kept of a file.
pub(crate) fn of(file: &Path) -> Result<Kept, Failure> {
    read(&folder_of(file)?)
}

/// The bytes that were put aside for a change, as a file.
pub(crate) fn copy_of(file: &Path, change: &Change) -> Result<PathBuf, Failure> {
    Ok(folder_of(file)?.join(&change.copy))
}

/// The change was turned round: its file now has the other bytes, and those it had are kept instead.
pub(crate) fn turned(file: &Path, index: usize, aside: KeptCopy) -> Result<(), Failure> {
    let mut kept = read(&aside.folder)?;
    if let Some(change) = kept.changes.get_mut(index) {
        change.undone = !change.undone;
        change.copy = aside.copy;
        change.at = seconds();
    }
    kept.file = file.to_owned();
    write(&aside.folder, &kept)?;
    tidy(&aside.folder, &kept);
    Ok(())
}

pub(crate) fn fingerprint(file: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(file).map_err(|error| disk(file, &error))?;
    Ok(hexadecimal(&bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn folder_of(file: &Path) -> Result<PathBuf, Failure> {
    let key: String = hexadecimal(file.as_os_str().as_encoded_bytes()).chars().take(32).collect();
    Ok(access::state_folder(None)?.join("undo").join(key))
}

/// A copy that only its owner may read, with the fingerprint of what is in it.
fn copy_into(folder: &Path, file: &Path) -> Result<(String, String), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| disk(folder, &error))?;
    let bytes = std::fs::read(file).map_err(|error| disk(file, &error))?;
    let extension = file.extension().unwrap_or(OsStr::new("")).to_string_lossy();
    let mut copy = tempfile::Builder::new()
        .prefix("was-")
        .suffix(&format!(".{extension}"))
        .tempfile_in(folder)
        .map_err(|error| disk(folder, &error))?;
    copy.write_all(&bytes).map_err(|error| disk(copy.path(), &error))?;
    let (_, path) = copy.keep().map_err(|error| disk(folder, &error.error))?;
    let name = path.file_name().unwrap_or(OsStr::new("")).to_string_lossy().into_owned();
    Ok((name, hexadecimal(&bytes)))
}

fn read(folder: &Path) -> Result<Kept, Failure> {
    let list = folder.join(LIST);
    match std::fs::read(&list) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map_err(|error| Failure::new("DISK_ERROR", format!("{}: {error}", list.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(disk(&list, &error)),
    }
}

fn write(folder: &Path, kept: &Kept) -> Result<(), Failure> {
    let failed = |error: std::io::Error| disk(folder, &error);
    let mut list = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    serde_json::to_writer(&mut list, kept).map_err(|error| failed(error.into()))?;
    list.persist(folder.join(LIST)).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Removes copies that the list does not name; of those being made just now it knows nothing yet.
fn tidy(folder: &Path, kept: &Kept) {
    let named = |name: &str| name == LIST || kept.changes.iter().any(|change| change.copy == name);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let old = age_of(&entry.path()).is_some_and(|age| age > Duration::from_secs(60));
        if old && !entry.file_name().to_str().is_some_and(named) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Forgets files that nobody touched for long, and the oldest when it gets too much; never the one just written.
fn make_room(all: &Path, just: &Path) {
    let mut folders: Vec<(Duration, u64, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let path = entry.path();
        let Some(age) = age_of(&path.join(LIST)) else { continue };
        let files = std::fs::read_dir(&path).into_iter().flatten().flatten();
        let bytes = files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum();
        folders.push((age, bytes, path));
    }
    folders.sort();
    let mut total = 0;
    for (age, bytes, path) in folders {
        total += bytes;
        if path != just && (total > MOST_BYTES || age.as_secs() > DAYS * 86_400) {
            let _ = std::fs::remove_dir_all(path);
        }
    }
}

fn age_of(path: &Path) -> Option<Duration> {
    let modified = std::fs::metadata(path).ok()?.modified().ok()?;
    SystemTime::now().duration_since(modified).ok()
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn disk(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new("DISK_ERROR", format!("{}: {error}", path.display()))
}
