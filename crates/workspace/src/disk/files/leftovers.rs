//! What a save leaves beside a document when its process is killed before the new file has its name.
//!
//! A file that is being written is locked by who writes it, so one that nobody has locked is nobody's any more. The name
//! says that it is of this kind. Earlier versions locked nothing; theirs are taken for left behind when they are old.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use cap_std::fs::{Dir, File, Metadata};

use crate::disk::policy::FilePlace;
use crate::ids::Ids;
use crate::sync::Lock;

/// A folder may be large, so it is not looked through each time.
const PAUSE: Duration = Duration::from_secs(60);
const MOST_FOLDERS: usize = 1000;
const MOST_NAMES: usize = 10_000;
/// No save takes so long.
const OLD: Duration = Duration::from_secs(60);

/// Looks after the folders of documents.
#[derive(Debug, Default)]
pub(crate) struct Leftovers {
    looked: Lock<BTreeMap<PathBuf, Instant>>,
}

/// Who left a file behind, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Maker {
    /// Locks it.
    Locking,
    /// Locked nothing.
    Earlier,
}

impl Leftovers {
    /// Remove what killed saves left in the folder of a document.
    pub(crate) fn sweep(&self, place: &FilePlace) {
        let Some(folder) = place.path.parent() else { return };
        let mut looked = self.looked.lock();
        if looked.get(folder).is_some_and(|at| at.elapsed() < PAUSE) {
            return;
        }
        if looked.len() >= MOST_FOLDERS {
            looked.clear();
        }
        looked.insert(folder.to_owned(), Instant::now());
        drop(looked);
        sweep(&place.folder);
    }
}

fn sweep(folder: &Dir) {
    let Ok(entries) = folder.entries() else { return };
    for entry in entries.take(MOST_NAMES).flatten() {
        let name = entry.file_name();
        if let Some(maker) = maker_of(&name)
            && is_left(folder, &name, maker).is_ok_and(|left| left)
        {
            // Whoever cannot remove it leaves it to the next.
            let _ = folder.remove_file(&name);
        }
    }
}

/// A name for a file that will be locked while it is written.
pub(super) fn name(ids: &Ids) -> String {
    format!(".docwright-w{}.tmp", ids.secret())
}

/// Locks a file that was just made. `false` if somebody took it for left behind in between.
pub(super) fn lock(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    {
        // A file system without locks has none for whoever looks, and then nothing is removed.
        let taken = try_lock(file).is_err_and(|error| error == rustix::io::Errno::WOULDBLOCK);
        Ok(!taken && cap_std::fs::MetadataExt::nlink(&file.metadata()?) > 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Ok(true)
    }
}

#[cfg(unix)]
fn try_lock(file: &File) -> rustix::io::Result<()> {
    rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive)
}

fn maker_of(name: &OsStr) -> Option<Maker> {
    let inner = name.to_str()?.strip_prefix(".docwright-")?.strip_suffix(".tmp")?;
    let (secret, maker) = match inner.strip_prefix('w') {
        Some(secret) => (secret, Maker::Locking),
        None => (inner, Maker::Earlier),
    };
    let plain = secret.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (plain && secret.len() == 24).then_some(maker)
}

fn is_left(folder: &Dir, name: &OsStr, maker: Maker) -> io::Result<bool> {
    let metadata = folder.symlink_metadata(name)?;
    if !metadata.is_file() || !is_own(&metadata) {
        return Ok(false);
    }
    #[cfg(unix)]
    if maker == Maker::Locking {
        use cap_std::fs::{MetadataExt as _, OpenOptions, OpenOptionsExt as _};
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let file = folder.open_with(name, OpenOptions::new().read(true).custom_flags(flags.bits() as i32))?;
        return Ok(file.metadata()?.ino() == metadata.ino() && try_lock(&file).is_ok());
    }
    let _ = maker;
    let modified = metadata.modified()?.into_std();
    Ok(SystemTime::now().duration_since(modified).is_ok_and(|age| age > OLD))
}

#[cfg(unix)]
fn is_own(metadata: &Metadata) -> bool {
    cap_std::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_own(_: &Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::disk::policy::Policy;

    const OURS: &str = ".docwright-w0123456789abcdef01234567.tmp";
    const EARLIER: &str = ".docwright-0123456789abcdef01234567.tmp";

    struct Case {
        folder: tempfile::TempDir,
        place: FilePlace,
    }

    impl Case {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("a.md"), "text").unwrap();
            let policy = Policy::new(&[folder.path().to_owned()]).unwrap();
            let place = policy.existing("a.md".as_ref()).unwrap();
            Self { folder, place }
        }

        fn file(&self, name: &str) -> std::fs::File {
            std::fs::File::create(self.folder.path().join(name)).unwrap()
        }

        fn swept(&self) -> Vec<String> {
            Leftovers::default().sweep(&self.place);
            let entries = std::fs::read_dir(self.folder.path()).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.filter(|name| name != "a.md").collect();
            names.sort();
            names
        }
    }

    #[test]
    fn what_a_killed_save_left_is_removed_and_what_is_being_written_is_not() {
        let case = Case::new();
        let writing = case.file(OURS);
        writing.lock().unwrap();
        assert_eq!(case.swept(), [OURS]);
        drop(writing);
        assert_eq!(case.swept(), [""; 0]);
        // An earlier version may be writing this one.
        let earlier = case.file(EARLIER);
        assert_eq!(case.swept(), [EARLIER]);
        earlier.set_modified(SystemTime::now() - Duration::from_secs(100)).unwrap();
        assert_eq!(case.swept(), [""; 0]);
    }

    #[test]
    fn what_only_looks_like_it_stays() {
        let case = Case::new();
        let names = [
            ".docwright-w0123.tmp",
            ".docwright-wXYZ3456789abcdef01234567.tmp",
            ".docwright-w0123456789abcdef01234567.tmp.bak",
            "docwright-w0123456789abcdef01234567.tmp",
            ".docwright-notes.tmp",
        ];
        for name in names {
            case.file(name).set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        std::os::unix::fs::symlink("a.md", case.folder.path().join(OURS)).unwrap();
        std::fs::create_dir(case.folder.path().join(EARLIER)).unwrap();
        assert_eq!(case.swept().len(), names.len() + 2);
        std::fs::remove_file(case.folder.path().join(OURS)).unwrap();
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        let pipe = case.folder.path().join(OURS);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert_eq!(case.swept().len(), names.len() + 2);
    }

    #[test]
    fn a_folder_is_not_looked_through_each_time() {
        let case = Case::new();
        let leftovers = Leftovers::default();
        leftovers.sweep(&case.place);
        drop(case.file(OURS));
        leftovers.sweep(&case.place);
        assert!(case.folder.path().join(OURS).exists());
    }
}
