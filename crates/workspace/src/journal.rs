//! Unsaved work on disk, so that neither a crash nor an eviction loses it.
//!
//! A document with unsaved edits or undecided suggestions has a folder in the state directory: `base-N` is
//! the file the edits are made on, `log-N` the record of them, `lock` is locked while a process works on the
//! document. A log is only ever appended to; when the file is saved, the journal is removed, or rests until the next edit
//! if the file is large, and the next generation N starts from the file when suggestions remain.
//!
//! A record is written before the edit is answered, so a process that is killed loses nothing. Records are
//! synced to the device once a second, which is what a power failure can cost. A torn last record is
//! dropped: it was never answered.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ids::{Ids, SuggestionId};
use crate::image;
use crate::journal::wire::WirePatch;
use crate::sync::Lock;

pub(crate) mod wire;

/// Logs from before version 2 name files by another hash, and have no saves in them.
const VERSION: u32 = 2;
const HEADER: usize = 12;
/// Processes that may work on one file at a time.
const MOST_JOURNALS: usize = 1000;
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// Files so large are not written down again for each edit that follows a save. Others leave no trace once saved.
const LARGE: u64 = 256 << 10;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Record {
    /// First in each log.
    Opened {
        version: u32,
        path: Option<PathBuf>,
        title: String,
        /// The file's kind, by name.
        kind: String,
        /// SHA-256 of the file as it was on disk, which is also that of the base; in hexadecimal.
        file: Option<String>,
        at: i64,
    },
    /// A change, with what it did to suggestions beyond carrying them along.
    Changed {
        patch: WirePatch,
        summary: String,
        author: String,
        at: i64,
        accepted: Vec<SuggestionId>,
        restaged: Vec<Staged>,
    },
    Staged(Staged),
    Rejected {
        ids: Vec<SuggestionId>,
        by: String,
        at: i64,
    },
    /// The file is about to be replaced by bytes of this hash.
    Saving {
        hash: String,
    },
    /// The file was replaced, and has the state that the records up to here lead to.
    Saved {
        hash: String,
    },
    /// Somebody closed the document and gave its unsaved edits up.
    Closed,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Staged {
    pub(crate) id: SuggestionId,
    pub(crate) group: Option<String>,
    pub(crate) author: String,
    pub(crate) client: String,
    pub(crate) at: i64,
    pub(crate) summary: String,
    /// The edits in their own notation; none if the suggestion is stale.
    pub(crate) edits: Option<String>,
    pub(crate) stale: Option<String>,
}

/// All journals of a workspace.
#[derive(Debug)]
pub(crate) struct Journals {
    folder: PathBuf,
    ids: Ids,
    syncing: Arc<Syncing>,
}

/// The journal of one open document, locked for this process.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    generation: u64,
    log: Arc<File>,
    /// Held as long as the journal is in use.
    _lock: File,
    syncing: Arc<Syncing>,
    /// Bytes of the base and of the log.
    written: (u64, u64),
    /// Everything in it was saved.
    resting: bool,
}

/// A journal that no process works with.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) folder: PathBuf,
    lock: File,
    pub(crate) generation: u64,
    pub(crate) base: Vec<u8>,
    pub(crate) records: Vec<Record>,
}

impl Journals {
    pub(crate) fn new(state: &Path) -> io::Result<Self> {
        let folder = state.join("journals");
        private_folder(&folder)?;
        let syncing = Arc::new(Syncing::default());
        syncing.start();
        Ok(Self { folder, ids: Ids::new(), syncing })
    }

    /// Begin a journal for the document at `path`.
    pub(crate) fn begin(&self, path: Option<&Path>) -> io::Result<Journal> {
        let key = path.map_or_else(|| format!("untitled-{}", self.ids.secret()), key);
        for number in 0..MOST_JOURNALS {
            let folder = self.folder.join(format!("{key}-{number}"));
            private_folder(&folder)?;
            // Another process that has the same file open works with its own journal.
            let Some(lock) = lock(&folder)? else { continue };
            if generations(&folder)?.is_empty() {
                let log = Arc::new(lock.try_clone()?);
                let syncing = Arc::clone(&self.syncing);
                return Ok(Journal {
                    folder,
                    generation: 0,
                    log,
                    _lock: lock,
                    syncing,
                    written: (0, 0),
                    resting: false,
                });
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// What earlier processes left of the document at `path`, the latest first.
    pub(crate) fn left_of(&self, path: &Path) -> Vec<Found> {
        let prefix = format!("{}-", key(path));
        left_in(&self.folder, |name| name.starts_with(&prefix))
    }

    /// What earlier processes left of any document, and what was set aside.
    pub(crate) fn all_left(&self) -> Vec<Found> {
        let mut found = left_in(&self.folder, |_| true);
        found.extend(left_in(&self.aside(), |_| true));
        found
    }

    /// Closes a file that another has replaced, in a moment and without anybody waiting for it: freeing all of a large
    /// file takes longer than replacing it.
    pub(crate) fn let_go(&self, replaced: Arc<File>) {
        self.syncing.state.lock().replaced.push(replaced);
    }

    pub(crate) fn aside(&self) -> PathBuf {
        self.folder.with_file_name("aside")
    }

    /// Go on with a journal that was found.
    pub(crate) fn resume(&self, found: Found) -> io::Result<Journal> {
        let Found { folder, lock, generation, .. } = found;
        let log = Arc::new(lock.try_clone()?);
        let syncing = Arc::clone(&self.syncing);
        let written = (0, 0);
        Ok(Journal { folder, generation, log, _lock: lock, syncing, written, resting: false })
    }

    /// Put a journal where it is kept but not looked for. Gives the place.
    pub(crate) fn set_aside(&self, found: Found, why: &str) -> io::Result<PathBuf> {
        let aside = self.aside();
        private_folder(&aside)?;
        let name =
            found.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let place = aside.join(format!("{name}-{}", self.ids.secret()));
        std::fs::rename(&found.folder, &place)?;
        std::fs::write(place.join("why.txt"), why)?;
        drop(found.lock);
        Ok(place)
    }
}

impl Drop for Journals {
    fn drop(&mut self) {
        self.syncing.stop();
    }
}

impl Journal {
    /// Start the next generation: `base` is what is on disk, the records lead from it to the head. The one
    /// before is removed only when this one is whole.
    pub(crate) fn restart(&mut self, base: &[u8], records: &[Record]) -> io::Result<()> {
        let next = self.generation + 1;
        let base_path = self.folder.join(format!("base-{next}"));
        let log_path = self.folder.join(format!("log-{next}"));
        let mut base_file = private_file(&base_path)?;
        base_file.write_all(base)?;
        let mut log = private_file(&log_path)?;
        let frames: Result<Vec<Vec<u8>>, _> = records.iter().map(frame).collect();
        let frames = frames?.concat();
        log.write_all(&frames)?;
        if self.generation > 0 {
            // The one before may be all there is after a power failure, until this one is on the device.
            base_file.sync_data()?;
            log.sync_data()?;
        }
        self.log = Arc::new(log);
        self.syncing.add(&self.log);
        self.syncing.add(&Arc::new(base_file));
        for old in generations(&self.folder)?.into_iter().filter(|old| *old < next) {
            let _ = std::fs::remove_file(self.folder.join(format!("log-{old}")));
            let _ = std::fs::remove_file(self.folder.join(format!("base-{old}")));
        }
        self.generation = next;
        self.written = (base.len() as u64, frames.len() as u64);
        self.resting = false;
        Ok(())
    }

    pub(crate) fn append(&mut self, record: &Record) -> io::Result<()> {
        // One call, so that a process killed in between has written all of it or none.
        let frame = frame(record)?;
        (&*self.log).write_all(&frame)?;
        self.written.1 += frame.len() as u64;
        self.resting = false;
        self.syncing.add(&self.log);
        Ok(())
    }

    /// Whether going on with it is less work than beginning another one: its file is large, and its log is not.
    pub(crate) fn worth_keeping(&self) -> bool {
        let (base, log) = self.written;
        base >= LARGE && log <= base
    }

    /// The file was saved and has this hash; there may be more edits. If there are none, the journal goes when the
    /// document does, or is thrown away by whoever finds it.
    pub(crate) fn rest(&mut self, hash: String) -> io::Result<()> {
        self.append(&Record::Saved { hash })?;
        self.resting = true;
        Ok(())
    }

    /// There is nothing left to protect.
    pub(crate) fn remove(mut self) {
        self.resting = true;
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if self.resting {
            // The lock goes last.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

impl Found {
    /// `None` if another process works with it.
    fn read(folder: PathBuf) -> io::Result<Option<Self>> {
        let Some(lock) = lock(&folder)? else { return Ok(None) };
        // The last generation whose beginning is whole.
        for generation in generations(&folder)?.into_iter().rev() {
            let Ok(base) = std::fs::read(folder.join(format!("base-{generation}"))) else { continue };
            let records = read_log(&folder.join(format!("log-{generation}")))?;
            if let Some(Record::Opened { version: VERSION, file, .. }) = records.first()
                && file.as_deref().is_none_or(|file| *file == image::hex(&image::hash(&base)))
            {
                if let Some(Record::Saved { .. }) = records.last() {
                    let _ = std::fs::remove_dir_all(&folder);
                    return Ok(None);
                }
                return Ok(Some(Self { folder, lock, generation, base, records }));
            }
        }
        if generations(&folder)?.is_empty() {
            let _ = std::fs::remove_dir_all(&folder);
        }
        Ok(None)
    }

    pub(crate) fn discard(self) {
        let _ = std::fs::remove_dir_all(&self.folder);
        drop(self.lock);
    }
}

impl Record {
    pub(crate) fn opened(
        path: Option<PathBuf>,
        title: String,
        kind: String,
        file: Option<String>,
        at: i64,
    ) -> Self {
        Self::Opened { version: VERSION, path, title, kind, file, at }
    }
}

/// The journals in a folder that no process works with, the latest first.
fn left_in(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<Found> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let folders =
        folders.filter(|folder| folder.file_name().and_then(|name| name.to_str()).is_some_and(&wanted));
    let mut found: Vec<Found> = folders.filter_map(|folder| Found::read(folder).ok().flatten()).collect();
    let age = |found: &Found| {
        let log = std::fs::metadata(found.folder.join(format!("log-{}", found.generation)));
        log.and_then(|log| log.modified()).ok()
    };
    found.sort_by_cached_key(|found| std::cmp::Reverse(age(found)));
    found
}

fn key(path: &Path) -> String {
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    hash.get(..24).unwrap_or_default().to_owned()
}

fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // A generation that was begun and not finished is in the way of nobody else.
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    options.open(path)
}

fn lock(folder: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(folder.join("lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The generations in a folder, oldest first.
fn generations(folder: &Path) -> io::Result<Vec<u64>> {
    let names = std::fs::read_dir(folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut generations: Vec<u64> =
        names.filter_map(|name| name.strip_prefix("log-").and_then(|number| number.parse().ok())).collect();
    generations.sort_unstable();
    Ok(generations)
}

fn frame(record: &Record) -> io::Result<Vec<u8>> {
    let payload = serde_json::to_vec(record)?;
    let length = u32::try_from(payload.len()).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
    let mut frame = Vec::with_capacity(HEADER + payload.len());
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(&checksum(&payload));
    frame.extend_from_slice(&payload);
    Ok(frame)
}

fn checksum(payload: &[u8]) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = *blake3::hash(payload).as_bytes();
    [a, b, c, d, e, f, g, h]
}

/// The records up to the first that is torn or damaged.
fn read_log(path: &Path) -> io::Result<Vec<Record>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    let mut records = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some((header, behind)) = rest.split_first_chunk::<HEADER>() {
        let [a, b, c, d, sum @ ..] = *header;
        let Some((payload, behind)) = behind.split_at_checked(u32::from_le_bytes([a, b, c, d]) as usize)
        else {
            break;
        };
        if checksum(payload) != sum {
            break;
        }
        let Ok(record) = serde_json::from_slice(payload) else { break };
        records.push(record);
        rest = behind;
    }
    Ok(records)
}

/// Logs that were written to since the last sync.
#[derive(Debug, Default)]
struct Syncing {
    state: Lock<SyncState>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct SyncState {
    waiting: Vec<Arc<File>>,
    /// To be closed.
    replaced: Vec<Arc<File>>,
    stopped: bool,
}

impl Syncing {
    fn add(&self, log: &Arc<File>) {
        let mut state = self.state.lock();
        if !state.waiting.iter().any(|waiting| Arc::ptr_eq(waiting, log)) {
            state.waiting.push(Arc::clone(log));
        }
    }

    fn start(self: &Arc<Self>) {
        let syncing = Arc::clone(self);
        // Without the thread the logs are still written, and synced when the workspace is closed.
        let _ = thread::Builder::new().name("journal".into()).spawn(move || while !syncing.round() {});
    }

    /// Sync what is waiting, then wait; `true` when it is time to end.
    fn round(&self) -> bool {
        let mut state = self.state.lock();
        let (waiting, replaced) = (std::mem::take(&mut state.waiting), std::mem::take(&mut state.replaced));
        drop(state);
        for log in waiting {
            let _ = log.sync_data();
        }
        drop(replaced);
        let state = self.state.lock();
        if state.stopped {
            return true;
        }
        let waited = self.wake.wait_timeout(state, SYNC_EVERY);
        waited.unwrap_or_else(PoisonError::into_inner).0.stopped
    }

    fn stop(&self) {
        let mut state = self.state.lock();
        state.stopped = true;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        self.wake.notify_all();
        for log in waiting {
            let _ = log.sync_data();
        }
    }
}
