//! What happens to documents, on disk, so that neither a crash nor an eviction loses it.
//!
//! A document that was changed, or has suggestions or named ranges, has a folder in the state directory: `base-N` is a
//! file, `log-N` the record of what led from it to the document, `lock` is locked while a process works on the document.
//! A log is appended to until it has outgrown what it must say; then the next generation N says it anew. A document that
//! is let go with everything saved and decided takes its journal along.
//!
//! A record is written before the edit is answered, so a process that is killed loses nothing. Records are
//! synced to the device once a second, which is what a power failure can cost. A torn last record is
//! dropped: it was never answered.

use std::fs::File;
use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::disk::private;
use crate::ids::Ids;
use crate::sync::Lock;

pub(crate) mod record;

mod account;
mod bounds;
mod left;
mod log;
mod performed;
mod recoverable;
mod request_name;
mod requests;
mod syncing;
mod version2;
mod wire;

pub(crate) use account::Account;
pub(crate) use bounds::removed;
pub use bounds::{DAYS_KEPT, MOST_BYTES_KEPT, MOST_KEPT, Removed};
use edit::OrEmpty;
pub(crate) use left::{KeptJournal, Left};
pub(crate) use log::{End, Log, VERSION};
use record::Identity;
pub(crate) use record::Record;

use bounds::KEPT;
pub(crate) use performed::performed_in;
pub use performed::{Performed, PerformedAs};
pub use recoverable::Recoverable;
pub(crate) use request_name::{RequestName, named, reused};
pub(crate) use requests::NamedRequest;
use requests::NamedRequests;
use syncing::Syncing;

/// Processes that may work on one file at a time.
const MOST_JOURNALS: usize = 1000;
/// Why a journal is aside that somebody gave up.
pub(crate) const GIVEN_UP: &str = "it was closed without saving";
/// A log may be so long, whatever it must say.
const ROOM: u64 = 1 << 20;

/// All journals of a workspace.
#[derive(Debug)]
pub(crate) struct Journals {
    folder: PathBuf,
    ids: Ids,
    syncing: Arc<Syncing>,
    /// The folders that this process works with.
    own: Lock<std::collections::BTreeSet<PathBuf>>,
    /// Whether something was left since it was last looked whether that is too much.
    left: AtomicBool,
    pub(crate) requests: NamedRequests,
}

/// The journal of one open document, locked for this process.
#[derive(Debug)]
pub(crate) struct Journal {
    journals: Arc<Journals>,
    folder: PathBuf,
    generation: u64,
    /// `None` until it is first written anew.
    log: Option<Arc<File>>,
    log_path: PathBuf,
    /// As long as somebody has to sync it.
    base: Weak<File>,
    /// Held as long as the journal is in use.
    lock: File,
    /// Bytes of the log.
    written: u64,
    /// Bytes of the log that say how things stood when it was begun, and of the base.
    begun: (u64, u64),
    /// Nobody would miss it: everything is saved and decided.
    pub(crate) idle: bool,
    /// Somebody closed the document without saving it, and nobody opened it since.
    given_up: bool,
    /// The number of the oldest revision that it tells of.
    pub(crate) first: u64,
}

impl Journals {
    pub(crate) fn new(state: &Path) -> io::Result<Self> {
        let folder = state.join("journals");
        let usable = match prepare(state, &folder) {
            Ok(()) => true,
            // Nothing can be written down then, which is said of each document that is edited.
            Err(error) if matches!(error.kind(), ReadOnlyFilesystem | PermissionDenied) => false,
            Err(error) => return Err(error),
        };
        let syncing = Arc::new(Syncing::default());
        syncing.start();
        let left = AtomicBool::new(false);
        let requests = NamedRequests::load(state);
        let journals = Self { folder, ids: Ids::new(), syncing, own: Lock::default(), left, requests };
        if usable {
            journals.keep_bounds();
        }
        Ok(journals)
    }

    /// Begin a journal for the document at `path`.
    pub(crate) fn begin(self: &Arc<Self>, path: Option<&Path>) -> io::Result<Journal> {
        let key = path.map_or_else(|| bounds::untitled(&self.ids.secret()), key);
        for number in 0..MOST_JOURNALS {
            let folder = self.folder.join(format!("{key}-{number}"));
            if self.own.lock().contains(&folder) {
                continue;
            }
            private::folder(&folder)?;
            // Another process that has the same file open works with its own journal, and one that cannot be locked is
            // nobody's.
            let Ok(Some(lock)) = private::lock(&folder) else { continue };
            if left::logs(&folder)?.is_empty() {
                return Ok(self.journal(folder, 0, lock));
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Go on with a journal. One that cannot be appended to must be written anew.
    pub(crate) fn resume(self: &Arc<Self>, left: Left) -> io::Result<Journal> {
        let Left { folder, lock, found } = left;
        let found = found.map_err(io::Error::other)?;
        let lock = lock.ok_or(io::ErrorKind::NotFound)?;
        let mut journal = self.journal(folder, found.generation, lock);
        journal.given_up = matches!(found.log.records.last(), Some(Record::Closed));
        if let Some(written) = found.can_go_on() {
            journal.log = Some(Arc::new(private::append_to(&journal.log_path)?));
            journal.written = written;
            journal.first = found.log.opened.first.map_or(0, |(number, _)| number);
            journal.begun = (written, found.base.map_or(0, |base| base.len() as u64));
        }
        Ok(journal)
    }

    fn journal(self: &Arc<Self>, folder: PathBuf, generation: u64, lock: File) -> Journal {
        self.own.lock().insert(folder.clone());
        Journal {
            journals: Arc::clone(self),
            log_path: folder.join(format!("log-{generation}")),
            folder,
            generation,
            log: None,
            base: Weak::new(),
            lock,
            written: 0,
            begun: (0, 0),
            idle: false,
            given_up: false,
            first: 0,
        }
    }

    /// What earlier processes left of the document at `path`, the latest first.
    pub(crate) fn left_of(&self, path: &Path) -> Vec<Left> {
        let prefix = format!("{}-", key(path));
        self.left_in(&self.folder, |folder| name_of(folder).starts_with(&prefix))
    }

    /// What earlier processes left of the file that is now at `path` and was renamed since, the latest first.
    pub(crate) fn left_of_moved(&self, path: &Path, identity: Option<Identity>, hash: &str) -> Vec<Left> {
        let gone = |folder: &Path| {
            let was = left::head(folder).and_then(|opened| opened.path);
            was.filter(|was| was != path && std::fs::symlink_metadata(was).is_err())
        };
        let same = |left: &Left| {
            let Ok(found) = &left.found else { return false };
            let (account, was) = (Account::of(&found.log), &found.log.opened.path);
            let known = account.knows(hash);
            let beside = was.as_ref().is_some_and(|was| was.parent() == path.parent());
            match (account.identity, identity) {
                // A new file from the same template says the same, and may get the number of the one that is gone.
                (Some(Identity { born: Some(_), .. }), Some(Identity { born: Some(_), .. })) => {
                    account.identity == identity
                }
                // No file system that tells nothing of its files can tell a copy from a rename either.
                (Some(was), Some(is)) => was == is && known && beside,
                (None, _) | (_, None) => false,
            }
        };
        let mut left = self.left_in(&self.folder, |folder| gone(folder).is_some());
        left.retain(same);
        left
    }

    /// What earlier processes left of any document, and what was set aside.
    pub(crate) fn all_left(&self) -> Vec<Left> {
        let mut left = self.left_in(&self.folder, |_| true);
        left.extend(self.left_in(&self.aside(), |_| true));
        left
    }

    /// What there is to be said of all that; nothing of what nobody would miss.
    pub(crate) fn recoverable(&self) -> Vec<Recoverable> {
        let mut described = Vec::new();
        for left in self.all_left() {
            let about = left.describe();
            let idle = about.why.is_none() && about.edits == 0 && about.suggestions == 0;
            match idle {
                false => described.push(about),
                true if left.age().is_some_and(|age| age > KEPT) => left.discard(),
                true => {}
            }
        }
        described
    }

    /// What an earlier process left in the folder of that name.
    pub(crate) fn left_named(&self, name: &str) -> Option<Left> {
        self.left_in(&self.folder, |folder| name_of(folder) == name).pop()
    }

    fn left_in(&self, folder: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<Left> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let folders = folders.filter(|folder| !self.own.lock().contains(folder) && wanted(folder));
        let folders =
            folders.filter(|folder| std::fs::symlink_metadata(folder).is_ok_and(|entry| entry.is_dir()));
        let mut left: Vec<Left> = folders.filter_map(|folder| Left::read(folder).ok().flatten()).collect();
        left.sort_by_cached_key(|left| std::cmp::Reverse(left.at()));
        left
    }

    /// Closes a file that another has replaced, in a moment and without anybody waiting for it: freeing all of a large
    /// file takes longer than replacing it.
    pub(crate) fn let_go(&self, replaced: Arc<File>) {
        self.syncing.close(replaced);
    }

    fn aside(&self) -> PathBuf {
        self.folder.with_file_name("aside")
    }

    /// Put a journal where it is kept but not looked for. Gives the place.
    pub(crate) fn set_aside(&self, left: Left, why: &str, path: Option<&Path>) -> io::Result<PathBuf> {
        let place = self.put_aside(&left.folder, why, path)?;
        drop(left);
        Ok(place)
    }

    /// As `set_aside`, for who has the lock.
    fn put_aside(&self, folder: &Path, why: &str, path: Option<&Path>) -> io::Result<PathBuf> {
        let place = self.place_aside(folder)?;
        std::fs::rename(folder, &place)?;
        left::explain(&place, why, path)?;
        self.left.store(true, Ordering::Relaxed);
        Ok(place)
    }

    /// Keep a journal as it is now, before it goes on without what is damaged in it. Gives the place.
    pub(crate) fn copy_aside(&self, left: &Left, why: &str, path: Option<&Path>) -> io::Result<PathBuf> {
        let place = self.place_aside(&left.folder)?;
        private::folder(&place)?;
        left::explain(&place, why, path)?;
        for entry in std::fs::read_dir(&left.folder)? {
            let entry = entry?;
            if entry.file_name() != "lock" && entry.file_type()?.is_file() {
                let mut copy = private::new_file(&place.join(entry.file_name()))?;
                copy.write_all(&private::read(&entry.path())?)?;
                copy.sync_data()?;
            }
        }
        Ok(place)
    }

    /// Look whether too much was left, if anything was since the last time.
    pub(crate) fn look_after(&self) {
        if self.left.swap(false, Ordering::Relaxed) {
            self.keep_bounds();
        }
    }

    fn place_aside(&self, folder: &Path) -> io::Result<PathBuf> {
        private::folder(&self.aside())?;
        Ok(self.aside().join(format!("{}-{}", name_of(folder), self.ids.secret())))
    }
}

impl Drop for Journals {
    fn drop(&mut self) {
        self.syncing.stop();
    }
}

impl Journal {
    pub(crate) fn name(&self) -> String {
        name_of(&self.folder)
    }

    pub(crate) fn journals(&self) -> &Arc<Journals> {
        &self.journals
    }

    /// Start the next generation: the records lead from `base` to the document. The one before is removed only when this
    /// one is whole.
    pub(crate) fn restart(&mut self, base: &[u8], records: &[Record]) -> io::Result<()> {
        let next = self.generation + 1;
        let in_folder = |name: &str| self.folder.join(format!("{name}-{next}"));
        let (base_path, new, log_path) = (in_folder("base"), in_folder("new"), in_folder("log"));
        let frames = log::frames(records)?;
        // The log first: a base beside which there is none says that it was taken away.
        let written = write_new(&new, &frames).and_then(|log| Ok((write_new(&base_path, base)?, log)));
        let synced = written.and_then(|(base, log)| {
            if self.generation > 0 {
                // The one before may be all there is after a power failure, until this one is on the device.
                base.sync_data()?;
                log.sync_data()?;
            }
            // A log with this name says all that it must.
            std::fs::rename(&new, &log_path)?;
            if self.generation > 0 {
                // Some file systems do not sync folders; that is no reason to call it unwritten.
                let _ = sync_names(&self.folder);
            }
            Ok((base, log))
        });
        let (base_file, log) = synced.inspect_err(|_| {
            let _ = std::fs::remove_file(&new);
            let _ = std::fs::remove_file(&base_path);
        })?;
        self.forget_files();
        let (log, base_file) = (Arc::new(log), Arc::new(base_file));
        self.journals.syncing.add(&log);
        self.journals.syncing.add(&base_file);
        (self.log, self.base) = (Some(log), Arc::downgrade(&base_file));
        for old in left::logs(&self.folder)?.into_iter().filter(|old| old.generation < next) {
            let _ = std::fs::remove_file(self.folder.join(old.name));
            let _ = std::fs::remove_file(self.folder.join(format!("base-{}", old.generation)));
        }
        (self.generation, self.log_path) = (next, log_path);
        self.written = frames.len() as u64;
        self.begun = (self.written, base.len() as u64);
        self.given_up = false;
        Ok(())
    }

    /// Write records in one call. If that fails, the log is as it was.
    pub(crate) fn append(&mut self, records: &[Record]) -> io::Result<()> {
        let frames = log::frames(records)?;
        let log = self.log.as_ref().ok_or(io::ErrorKind::NotFound)?;
        if private::is_removed(log)? {
            return Err(io::Error::new(io::ErrorKind::NotFound, "its journal was removed"));
        }
        if let Err(error) = (&**log).write_all(&frames) {
            // What was written of it would be torn. Should it stay so, it is read as that.
            let _ = log.set_len(self.written);
            return Err(error);
        }
        self.written += frames.len() as u64;
        self.given_up = matches!(records.last(), Some(Record::Closed));
        self.journals.syncing.add(log);
        Ok(())
    }

    /// Whether what was appended is more than all that must be said.
    pub(crate) fn has_outgrown(&self) -> bool {
        let (standing, base) = self.begun;
        self.written.saturating_sub(standing) > standing.max(base).max(ROOM)
    }

    /// It could not be written anew; that is tried again when it has grown by as much once more.
    pub(crate) fn put_up_with(&mut self, first: u64) {
        (self.begun.0, self.first) = (self.written, first);
    }

    /// The log could not follow its document, which is about to be saved with this hash. If that succeeds and nothing
    /// else does, whoever finds the log knows that its time is over. A name takes no space on a disk that is full.
    pub(crate) fn outlived_by(&mut self, hash: &str) {
        let to = self.folder.join(format!("log-{}-{hash}", self.generation));
        // Should it fail, the log is removed after the save.
        if std::fs::rename(&self.log_path, &to).is_ok() {
            self.log_path = to;
        }
    }

    /// There is nothing left to protect.
    pub(crate) fn remove(mut self) {
        self.idle = true;
    }

    /// Whether somebody took it away; then it cannot be gone on with.
    pub(crate) fn is_removed(&self) -> bool {
        private::is_removed(&self.lock).unwrap_or(true)
    }

    fn forget_files(&self) {
        let files = self.log.iter().cloned().chain(self.base.upgrade());
        self.journals.syncing.forget(&files.collect::<Vec<_>>());
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.idle {
            self.forget_files();
            // The lock goes last.
            let _ = std::fs::remove_dir_all(&self.folder);
        } else if bounds::is_untitled(&self.folder) {
            if self.given_up {
                // Nobody opens its file again, when this would be done otherwise. Should it fail, it stays where it is.
                let _ = self.journals.put_aside(&self.folder, GIVEN_UP, None);
            }
            self.journals.left.store(true, Ordering::Relaxed);
        }
        self.journals.own.lock().remove(&self.folder);
    }
}

fn prepare(state: &Path, folder: &Path) -> io::Result<()> {
    private::state_folder(state)?;
    private::folder(folder)?;
    let aside = state.join("aside");
    if aside.exists() { private::folder(&aside) } else { Ok(()) }
}

/// What the journals of a file say that a running process works with.
pub(crate) fn held_elsewhere(state: &Path, path: &Path) -> Vec<Account> {
    let prefix = format!("{}-", key(path));
    let Ok(entries) = std::fs::read_dir(state.join("journals")) else { return Vec::new() };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let folders = folders.filter(|folder| name_of(folder).starts_with(&prefix));
    let held = folders.filter_map(|folder| {
        // A log that is replaced between finding and reading it has a successor.
        let log = (0..3).find_map(|_| {
            let newest = left::logs(&folder).ok()?.pop()?;
            private::read(&folder.join(newest.name)).ok()
        });
        let account = Account::of(&log::read(&log?).ok()?);
        (!account.is_idle() && private::is_locked(&folder)).then_some(account)
    });
    held.collect()
}

/// Make the names in a folder durable.
fn sync_names(folder: &Path) -> io::Result<()> {
    // Windows has no such call; there a rename is written with the journal of the file system.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = private::new_file(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

fn key(path: &Path) -> String {
    let mut hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex().to_string();
    hash.truncate(24);
    hash
}

fn name_of(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).or_empty()
}

#[cfg(test)]
mod tests;
