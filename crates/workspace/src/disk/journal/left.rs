//! Journals that earlier processes left behind, and what is kept of those that cannot be used.

use edit::OrEmpty;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::disk::image;
use crate::disk::journal::Recoverable;
use crate::disk::journal::account::Account;
use crate::disk::journal::log::{self, End, Log};
use crate::disk::journal::record::Opened;
use crate::disk::private;

/// Why something is kept, and of which file it is.
const WHY: &str = "why.txt";

/// A journal that no process works with.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) folder: PathBuf,
    /// `None` if that cannot be had, because something else stands in its place.
    pub(super) lock: Option<File>,
    /// What is in it, or why nothing can be made of it.
    pub(crate) found: Result<KeptJournal, String>,
}

#[derive(Debug)]
pub(crate) struct KeptJournal {
    pub(super) generation: u64,
    /// The file that the log starts from, unless it is missing or damaged.
    pub(crate) base: Option<Vec<u8>>,
    pub(crate) log: Log,
    /// The log is older than its document was, and the document was being saved with this hash when it ended.
    pub(crate) outlived: Option<String>,
}

/// Why a journal was put aside.
#[derive(Debug)]
pub(super) struct Reason {
    pub(super) why: String,
    pub(super) path: Option<PathBuf>,
}

impl Left {
    /// `None` if another process works with it, or nothing was ever written.
    pub(super) fn read(folder: PathBuf) -> io::Result<Option<Self>> {
        let lock = match lock(&folder) {
            Ok(Some(lock)) => lock,
            Ok(None) => return Ok(None),
            Err(error) => {
                return Ok(Some(Self {
                    folder,
                    lock: None,
                    found: Err(format!("it cannot be locked: {error}")),
                }));
            }
        };
        let mut logs = logs(&folder)?;
        let Some(newest) = logs.pop() else {
            if is_without_log(&folder)? {
                let found = Err("its log is missing".to_owned());
                return Ok(Some(Self { folder, lock: Some(lock), found }));
            }
            // A journal that was begun and not finished, so nothing in it was answered.
            let _ = std::fs::remove_dir_all(&folder);
            return Ok(None);
        };
        let mut found = KeptJournal::read(&folder, newest);
        // The one before is still there if the process ended right after it had written the newest.
        while let (Err(_), Some(older)) = (&found, logs.pop()) {
            found = KeptJournal::read(&folder, older).or(found);
        }
        Ok(Some(Self { folder, lock: Some(lock), found }))
    }

    /// The name of its folder.
    pub(crate) fn id(&self) -> String {
        super::name_of(&self.folder)
    }

    /// What there is to be said of it, without making a document of it.
    pub(crate) fn describe(&self) -> Recoverable {
        let reason = reason(&self.folder);
        let aside = reason.is_some();
        let (why, kept_path) = reason.map_or((None, None), |Reason { why, path }| (Some(why), path));
        let id = self.id();
        match &self.found {
            Err(broken) => {
                let title = kept_path.as_deref().map_or_else(|| id.clone(), crate::disk::name_of);
                let why = why.or_else(|| Some(broken.clone()));
                let suggested_by = Vec::new();
                Recoverable { id, path: kept_path, title, edits: 0, suggestions: 0, suggested_by, aside, why }
            }
            Ok(found) => {
                let Account { edits, suggestions, suggested_by, .. } = Account::of(&found.log);
                let suggested_by = suggested_by.into_iter().collect();
                let damage = match (&found.log.end, &found.base) {
                    (End::Damaged(why), _) => Some(why.clone()),
                    (_, None) => Some("the file that it starts from is missing or damaged".to_owned()),
                    (End::Whole(_) | End::Torn, Some(_)) => None,
                };
                let path = found.log.opened.path.clone().or(kept_path);
                let title = found.log.opened.title.clone();
                Recoverable { id, path, title, edits, suggestions, suggested_by, aside, why: why.or(damage) }
            }
        }
    }

    pub(crate) fn age(&self) -> Option<Duration> {
        SystemTime::now().duration_since(self.at()?).ok()
    }

    /// When it was last written to.
    pub(crate) fn at(&self) -> Option<SystemTime> {
        let newest = logs(&self.folder).ok()?.pop()?;
        std::fs::symlink_metadata(self.folder.join(newest.name)).ok()?.modified().ok()
    }

    pub(crate) fn discard(self) {
        let _ = std::fs::remove_dir_all(&self.folder);
        drop(self.lock);
    }
}

/// A process that was killed is gone only when all its files are closed, and the desk after it may be faster.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    const PAUSE: Duration = Duration::from_millis(10);
    for _ in 0..5 {
        match private::lock(folder) {
            Ok(None) => std::thread::sleep(PAUSE),
            taken => return taken,
        }
    }
    private::lock(folder)
}

impl KeptJournal {
    /// How long the log is, if the next record can just follow.
    pub(crate) fn can_go_on(&self) -> Option<u64> {
        match (&self.log.end, &self.outlived) {
            (End::Whole(length), None) => Some(*length),
            _ => None,
        }
    }

    fn read(folder: &Path, LogName { generation, outlived, name }: LogName) -> Result<Self, String> {
        let bytes = private::read(&folder.join(name)).map_err(|error| error.to_string())?;
        let log = log::read(&bytes)?;
        let base = private::read(&folder.join(format!("base-{generation}"))).ok();
        let sound = |base: &Vec<u8>| {
            log.opened.file.as_deref().is_none_or(|file| *file == image::hex(&image::hash(base)))
        };
        Ok(Self { generation, base: base.filter(sound), log, outlived })
    }
}

/// What the newest log in a folder says of its document. Nothing is locked for it.
pub(super) fn head(folder: &Path) -> Option<Opened> {
    /// The first record is short.
    const ENOUGH: u64 = 64 << 10;
    let newest = logs(folder).ok()?.pop()?;
    let mut bytes = Vec::new();
    private::open(&folder.join(newest.name)).ok()?.take(ENOUGH).read_to_end(&mut bytes).ok()?;
    log::head(&bytes)
}

/// Why a folder was put aside, if it was.
pub(super) fn reason(folder: &Path) -> Option<Reason> {
    let text = String::from_utf8(private::read(&folder.join(WHY)).ok()?).ok()?;
    let (why, path) = text.split_once('\n').unwrap_or((&text, ""));
    let path = path.trim_end();
    Some(Reason { why: why.to_owned(), path: (!path.is_empty()).then(|| path.into()) })
}

/// Say in a folder why it is kept.
pub(super) fn explain(folder: &Path, why: &str, path: Option<&Path>) -> io::Result<()> {
    let why = why.replace('\n', " ");
    let path = path.map(|path| path.display().to_string()).or_empty();
    let mut file = private::new_file(&folder.join(WHY))?;
    io::Write::write_all(&mut file, format!("{why}\n{path}\n").as_bytes())
}

/// The name of a log: `log-N`, or `log-N-HASH` for one that could not follow its document any more.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LogName {
    pub(super) generation: u64,
    pub(super) outlived: Option<String>,
    pub(super) name: String,
}

/// Whether there was a log in a folder in which there is none: the base is written last, and right before its log gets the
/// name.
fn is_without_log(folder: &Path) -> io::Result<bool> {
    let (mut base, mut unnamed) = (false, false);
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        base |= name.starts_with("base-");
        unnamed |= name.starts_with("new-");
    }
    Ok(base && !unnamed)
}

/// The logs in a folder, the oldest first.
pub(super) fn logs(folder: &Path) -> io::Result<Vec<LogName>> {
    let names = std::fs::read_dir(folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut logs: Vec<LogName> = names
        .filter_map(|name| {
            let rest = name.strip_prefix("log-")?;
            let (number, outlived) = match rest.split_once('-') {
                Some((number, hash)) => (number, Some(hash.to_owned())),
                None => (rest, None),
            };
            Some(LogName { generation: number.parse().ok()?, outlived, name })
        })
        .collect();
    logs.sort_unstable();
    Ok(logs)
}
