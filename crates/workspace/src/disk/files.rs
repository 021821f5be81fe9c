//! Reading a file whole, and replacing it so that at every moment the old file or the new one is there.
//!
//! A save writes a temporary file beside the target, syncs it, renames it over the target and syncs the
//! folder. Whatever fails on the way, the target is untouched and the temporary file is removed.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cap_std::fs::{Dir, File, Metadata, OpenOptions, Permissions};
use edit::{Fault, Refusal};

use crate::disk::image::Image;
use crate::disk::journal::record::Identity;
use crate::disk::policy::{FilePlace, disk, not_a_file};
use crate::ids::Ids;

mod leftovers;
mod time_resolution;

pub(crate) use leftovers::Leftovers;

/// What tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    changed: (i64, i64),
    inode: (u64, u64),
    born: Option<SystemTime>,
    /// The file was so young when it was looked at that a later write may carry the same time.
    young: bool,
}

/// A file that was just put in its place.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) stamp: Stamp,
    /// As long as somebody has it open no other file gets its number. Only where that makes the stamp certain.
    pub(crate) held: Option<Arc<std::fs::File>>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok().map(cap_std::time::SystemTime::into_std);
        let young = modified.is_none_or(|modified| {
            let coarse =
                modified.duration_since(SystemTime::UNIX_EPOCH).is_ok_and(|age| age.subsec_nanos() == 0);
            let window = if coarse { Duration::from_secs(2) } else { Duration::from_millis(50) };
            SystemTime::now().duration_since(modified).map_or(true, |age| age < window)
        });
        #[cfg(unix)]
        let (changed, inode) = {
            use cap_std::fs::MetadataExt as _;
            ((metadata.ctime(), metadata.ctime_nsec()), (metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let (changed, inode) = ((0, 0), (0, 0));
        let born = metadata.created().ok().map(cap_std::time::SystemTime::into_std);
        Self { len: metadata.len(), modified, changed, inode, born, young }
    }

    /// Of a file that is gone. No other looks like it.
    pub(crate) fn of_nothing() -> Self {
        Self { len: 0, modified: None, changed: (0, 0), inode: (0, 0), born: None, young: true }
    }

    /// Whether the file is empty and was written a moment ago, as when a program is about to write it anew.
    pub(crate) fn half_written(&self) -> bool {
        let age = self.modified.and_then(|modified| SystemTime::now().duration_since(modified).ok());
        self.len == 0 && age.is_none_or(|age| age < Duration::from_secs(1))
    }

    /// Whether nothing can be seen from outside that would tell the file that shows `now` from the one that showed
    /// `self`. If both were young, somebody may have written between them all the same.
    pub(crate) fn looks_like(&self, now: &Stamp) -> bool {
        Stamp { young: false, ..*now } == Stamp { young: false, ..*self }
    }

    /// By what the file is known when it is renamed.
    pub(crate) fn identity(&self) -> Option<Identity> {
        let (device, inode) = self.inode;
        let born = self.born.and_then(nanoseconds);
        (inode != 0).then_some(Identity { device, inode, born })
    }

    pub(crate) fn is_young(&self) -> bool {
        self.young
    }

    /// Whether a file that now shows `now` is surely the one that showed `self`.
    pub(crate) fn surely_still(&self, now: &Stamp) -> bool {
        !self.young && self.looks_like(now)
    }
}

/// Since 1970-01-01 UTC.
pub(crate) fn nanoseconds(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) image: Image,
    pub(crate) stamp: Stamp,
    /// Names the file has; more than one means hard links.
    pub(crate) links: u64,
}

/// The file's bytes, if it is a regular file of at most `limit` bytes.
pub(crate) fn read(place: &FilePlace, limit: u64) -> Result<Read, Refusal> {
    let failed = |error: io::Error| disk("reading", &place.path, &error);
    let (file, metadata) = open(place)?;
    let too_large = |found: u64| Refusal::Limit {
        what: format!("the size of {}", place.path.display()).into(),
        found: format!("{found} bytes"),
        limit: format!("{limit} bytes"),
    };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(edit::room_for(metadata.len() as usize));
    (&file).take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    let image = Image::of(Arc::new(bytes));
    Ok(Read { image, stamp: Stamp::of(&metadata), links: links(&metadata) })
}

/// If the file has exactly these bytes, what it looks like. Nothing is kept of it, and nothing hashed: this is asked
/// before each save of a file that we wrote a moment ago.
pub(crate) fn has(place: &FilePlace, bytes: &[u8]) -> Result<Option<Stamp>, Refusal> {
    let (mut file, metadata) = open(place)?;
    let mut buffer = vec![0; 64 << 10];
    let mut rest = bytes;
    loop {
        let length = match file.read(&mut buffer) {
            Ok(0) => return Ok(rest.is_empty().then(|| Stamp::of(&metadata))),
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(disk("reading", &place.path, &error)),
        };
        match buffer.get(..length).and_then(|read| rest.strip_prefix(read)) {
            Some(behind) => rest = behind,
            None => return Ok(None),
        }
    }
}

fn open(place: &FilePlace) -> Result<(File, Metadata), Refusal> {
    let failed = |error: io::Error| disk("reading", &place.path, &error);
    // Opening a device can already have an effect, so the kind is looked at before.
    let metadata = place.folder.symlink_metadata(&place.name).map_err(failed)?;
    regular(place, &metadata)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        // A FIFO that took the file's place in the meantime must not make us wait for a writer.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = place.folder.open_with(&place.name, &options).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    regular(place, &metadata)?;
    Ok((file, metadata))
}

/// What the file looks like now; `None` if there is none.
pub(crate) fn stamp(place: &FilePlace) -> Result<Option<Stamp>, Refusal> {
    match place.folder.symlink_metadata(&place.name) {
        Ok(metadata) => regular(place, &metadata).map(|()| Some(Stamp::of(&metadata))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(disk("looking at", &place.path, &error)),
    }
}

/// Of the file, in bytes.
pub(crate) fn size(place: &FilePlace) -> Result<usize, Refusal> {
    Ok(stamp(place)?.map_or(0, |stamp| usize::try_from(stamp.len).unwrap_or(usize::MAX)))
}

/// What may become of a file that has the name already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    Replace,
    Keep,
}

/// Put `bytes` at `place`. `last_look` runs when all but the rename is done, and can still call it off; what it saw is
/// given back.
pub(crate) fn write<T>(
    place: &FilePlace,
    bytes: &[u8],
    existing: Existing,
    ids: &Ids,
    last_look: impl FnOnce() -> Result<T, Refusal>,
) -> Result<(Placed, T), Refusal> {
    write_with(place, existing, ids, |file| fill(file, bytes), last_look)
}

/// What the disk is given at a time.
const PIECE: usize = 512 << 10;

/// The disk begins with each piece while the next is copied, since a save waits for nothing as long as for the disk.
fn fill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let mut pieces = bytes.chunks(PIECE).peekable();
    let mut at = 0;
    while let Some(piece) = pieces.next() {
        file.write_all(piece)?;
        if pieces.peek().is_some() {
            begin_writing(file, at, piece.len());
        }
        at += piece.len();
    }
    Ok(())
}

/// Linux begins to write what it is told that nobody needs soon. It keeps the pages all the same until they are
/// written, and after that as long as there is memory for them.
fn begin_writing(file: &File, at: usize, length: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        // Advice that is not taken costs time and nothing else.
        let _ = fadvise(file, at as u64, std::num::NonZeroU64::new(length as u64), Advice::DontNeed);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, at, length);
}

fn write_with<T>(
    place: &FilePlace,
    existing: Existing,
    ids: &Ids,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
    last_look: impl FnOnce() -> Result<T, Refusal>,
) -> Result<(Placed, T), Refusal> {
    let failed = |error: io::Error| disk("saving", &place.path, &error);
    let old = match place.folder.symlink_metadata(&place.name) {
        Ok(metadata) => {
            regular(place, &metadata)?;
            writable(place, &metadata)?;
            Some(metadata)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    if old.is_some() && existing == Existing::Keep {
        return Err(taken(place));
    }
    let mut temporary = Temporary::create(&place.folder, ids, old.is_some()).map_err(failed)?;
    fill(&mut temporary.file).map_err(failed)?;
    let written = match &old {
        Some(old) => dress(&temporary.file, place, old).map_err(failed)?,
        None => None,
    };
    temporary.file.sync_all().map_err(failed)?;
    let seen = last_look()?;
    match existing {
        Existing::Replace => temporary.rename(&place.name).map_err(failed)?,
        Existing::Keep => temporary.rename_new(&place.name).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => taken(place),
            _ => failed(error),
        })?,
    }
    // The file is in place. Some file systems do not sync folders; that is no reason to call it unsaved.
    let _ = sync(&place.folder);
    Ok((placed(place, written)?, seen))
}

/// What the file at `place` looks like, which is the one that was `written` unless somebody was faster. Its name and
/// its times tell then that nobody has touched it, and with the next change they will tell otherwise.
fn placed(place: &FilePlace, written: Option<Stamp>) -> Result<Placed, Refusal> {
    let vanished = || Refusal::internal(format!("{} vanished while it was saved", place.shown()));
    let Some(written) = written else {
        return Ok(Placed { stamp: stamp(place)?.ok_or_else(vanished)?, held: None });
    };
    let (file, metadata) = open(place)?;
    let stamp = Stamp::of(&metadata);
    // Renaming changes the time of the last change, and no other.
    let same = Stamp { changed: written.changed, young: written.young, ..stamp } == written;
    Ok(match same {
        true => Placed { stamp: Stamp { young: false, ..stamp }, held: Some(Arc::new(file.into_std())) },
        false => Placed { stamp, held: None },
    })
}

/// Make names in the folder durable.
fn sync(folder: &Dir) -> io::Result<()> {
    // Windows has no such call; there a rename is written with the journal of the file system.
    if cfg!(unix) { folder.open(".")?.sync_all() } else { Ok(()) }
}

fn regular(place: &FilePlace, metadata: &Metadata) -> Result<(), Refusal> {
    if metadata.is_file() {
        return Ok(());
    }
    let why = match metadata.file_type() {
        kind if kind.is_dir() => "it is a folder",
        kind if kind.is_symlink() => "it was replaced by a symbolic link",
        _ => "it is not a regular file (a device, pipe or socket)",
    };
    Err(not_a_file(&place.path, why))
}

fn writable(place: &FilePlace, metadata: &Metadata) -> Result<(), Refusal> {
    if !metadata.permissions().readonly() {
        return Ok(());
    }
    // A rename would succeed, since only the folder must be writable; but the owner said no.
    Err(Refusal::Disk {
        fault: Fault::Permission,
        what: "saving",
        path: place.shown(),
        why: "the file is marked read-only".into(),
    })
}

fn taken(place: &FilePlace) -> Refusal {
    Refusal::Denied {
        what: format!("saving as {}", place.shown()),
        why: "a file with that name exists".into(),
        instead: Some("choose another name, or pass overwrite to replace it".into()),
    }
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    use cap_std::fs::MetadataExt as _;
    metadata.nlink()
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}

/// Give the new file what the old one had beside its bytes. The mode must be kept; owner and extended
/// attributes are kept where the system lets us. Gives what the file looks like if any further change will show.
fn dress(file: &File, place: &FilePlace, old: &Metadata) -> io::Result<Option<Stamp>> {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt as _;
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            let owner = Some(rustix::fs::Uid::from_raw(old.uid()));
            let group = Some(rustix::fs::Gid::from_raw(old.gid()));
            // Not allowed for most users; then at least the group, and else neither.
            if rustix::fs::fchown(file, owner, group).is_err() {
                let _ = rustix::fs::fchown(file, None, group);
            }
        }
        attributes::copy(place, file);
    }
    #[cfg(not(unix))]
    let _ = place;
    let permissions: Permissions = old.permissions();
    time_resolution::stamp_after_changes(file, || file.set_permissions(permissions.clone()))
}

#[cfg(unix)]
mod attributes {
    //! Extended attributes: tags, quarantine marks, access lists.

    use std::ffi::CString;

    use cap_std::fs::File;
    use rustix::buffer::spare_capacity;
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};

    use crate::disk::policy::FilePlace;

    /// Of the list of names, and of a value.
    const MOST: usize = 64 * 1024;

    /// Kept as far as possible: an attribute that may not be set is no reason not to save.
    pub(super) fn copy(place: &FilePlace, to: &File) {
        let Ok(from) = place.folder.open(&place.name) else { return };
        let mut names = Vec::with_capacity(MOST);
        if flistxattr(&from, spare_capacity(&mut names)).is_err() {
            return;
        }
        for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            let Ok(name) = CString::new(name) else { continue };
            let mut value = Vec::with_capacity(MOST);
            if fgetxattr(&from, &name, spare_capacity(&mut value)).is_ok() {
                let _ = fsetxattr(to, &name, &value, XattrFlags::empty());
            }
        }
    }
}

/// Names for a file that is written, until nobody takes it for left behind.
const TRIES: usize = 5;

/// A file that is removed again unless it takes its final name.
struct Temporary<'a> {
    folder: &'a Dir,
    name: String,
    file: File,
    placed: bool,
}

impl<'a> Temporary<'a> {
    fn create(folder: &'a Dir, ids: &Ids, private: bool) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            use cap_std::fs::OpenOptionsExt as _;
            // Until it has the permissions of the file it replaces, nobody else may read it.
            options.mode(0o600);
        }
        #[cfg(not(unix))]
        let _ = private;
        for _ in 0..TRIES {
            let name = leftovers::name(ids);
            let file = folder.open_with(&name, &options)?;
            let temporary = Self { folder, name, file, placed: false };
            if leftovers::lock(&temporary.file)? {
                return Ok(temporary);
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    fn rename(&mut self, name: &OsStr) -> io::Result<()> {
        self.folder.rename(&self.name, self.folder, name)?;
        self.placed = true;
        Ok(())
    }

    /// As `rename`, but never over a file that appeared in the meantime.
    fn rename_new(&mut self, name: &OsStr) -> io::Result<()> {
        match self.folder.hard_link(&self.name, self.folder, name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Some file systems have no links; there a look has to do.
            Err(_) => match self.folder.symlink_metadata(name) {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => self.rename(name),
            },
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.placed {
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

/// Names the file has, 0 if there is none.
pub(crate) fn links_of(place: &FilePlace) -> u64 {
    place.folder.symlink_metadata(&place.name).map_or(0, |metadata| links(&metadata))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::policy::Policy;

    fn bench() -> (tempfile::TempDir, Policy) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.md"), "old").unwrap();
        let policy = Policy::new(&[folder.path().to_owned()]).unwrap();
        (folder, policy)
    }

    fn left(folder: &tempfile::TempDir) -> Vec<String> {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let (folder, policy) = bench();
        let place = policy.target("a.md".as_ref()).unwrap();
        let fill = |file: &mut File| {
            file.write_all(b"half of it")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let refusal = write_with(&place, Existing::Replace, &Ids::new(), fill, || Ok(())).unwrap_err();
        assert!(matches!(refusal, Refusal::Disk { fault: Fault::NoSpace, .. }), "{refusal:?}");
        assert_eq!(std::fs::read(folder.path().join("a.md")).unwrap(), b"old");
        assert_eq!(left(&folder), ["a.md"]);
    }

    #[test]
    fn a_save_that_is_called_off_at_the_last_moment_leaves_nothing() {
        let (folder, policy) = bench();
        let place = policy.target("a.md".as_ref()).unwrap();
        let called_off = || Err::<(), _>(Refusal::Cancelled);
        let refusal = write(&place, b"new", Existing::Replace, &Ids::new(), called_off);
        assert_eq!(refusal.err(), Some(Refusal::Cancelled));
        assert_eq!(std::fs::read(folder.path().join("a.md")).unwrap(), b"old");
        assert_eq!(left(&folder), ["a.md"]);
    }

    #[test]
    fn a_panic_while_saving_leaves_nothing() {
        let (folder, policy) = bench();
        let place = policy.target("a.md".as_ref()).unwrap();
        let save = || write_with(&place, Existing::Replace, &Ids::new(), |_| panic!("a defect"), || Ok(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(save)).is_err());
        assert_eq!(left(&folder), ["a.md"]);
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_not_taken_for_a_new_one() {
        let (folder, policy) = bench();
        let place = policy.target("b.md".as_ref()).unwrap();
        let appear = || {
            std::fs::write(folder.path().join("b.md"), "theirs").unwrap();
            Ok(())
        };
        let refusal = write(&place, b"ours", Existing::Keep, &Ids::new(), appear).unwrap_err();
        assert!(matches!(refusal, Refusal::Denied { .. }), "{refusal:?}");
        assert_eq!(std::fs::read(folder.path().join("b.md")).unwrap(), b"theirs");
        assert_eq!(left(&folder).len(), 2);
        write(&policy.target("c.md".as_ref()).unwrap(), b"ours", Existing::Keep, &Ids::new(), || Ok(()))
            .unwrap();
        assert_eq!(left(&folder).len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_written_is_said_to_be_so() {
        use std::os::unix::fs::PermissionsExt as _;
        if rustix::process::geteuid().is_root() {
            eprintln!("SKIPPED: root writes everywhere");
            return;
        }
        let (folder, policy) = bench();
        let place = policy.target("a.md".as_ref()).unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
        let refusal = write(&place, b"new", Existing::Replace, &Ids::new(), || Ok(())).unwrap_err();
        assert!(matches!(refusal, Refusal::Disk { fault: Fault::Permission, .. }), "{refusal:?}");
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(left(&folder), ["a.md"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_system_that_takes_no_files_is_said_to_be_so() {
        let policy = Policy::new(&["/proc/self".into()]).unwrap();
        let place = policy.target("new.md".as_ref()).unwrap();
        let refusal = write(&place, b"new", Existing::Keep, &Ids::new(), || Ok(())).unwrap_err();
        assert!(matches!(refusal, Refusal::Disk { .. }), "{refusal:?}");
    }

    #[test]
    fn a_file_is_told_from_one_that_is_longer_shorter_or_different() {
        let (folder, policy) = bench();
        let place = policy.target("a.md".as_ref()).unwrap();
        let long: Vec<u8> = (0..200_000u32).map(|n| (n % 251) as u8).collect();
        std::fs::write(folder.path().join("a.md"), &long).unwrap();
        assert!(has(&place, &long).unwrap().is_some());
        let mut other = long.clone();
        other[150_000] ^= 1;
        for other in [&long[1..], &long[..199_999], &other, b"", &[long.as_slice(), b"x"].concat()] {
            assert!(has(&place, other).unwrap().is_none());
        }
        std::fs::write(folder.path().join("a.md"), b"").unwrap();
        assert!(has(&place, b"").unwrap().is_some() && has(&place, b"x").unwrap().is_none());
    }

    /// Replaces the file, and says whether its stamp is certain. It is on some file systems only.
    #[cfg(target_os = "linux")]
    fn certain(place: &FilePlace, bytes: &[u8], meanwhile: impl FnOnce()) -> Option<Placed> {
        let last_look = || {
            meanwhile();
            Ok(())
        };
        let (placed, ()) = write(place, bytes, Existing::Replace, &Ids::new(), last_look).unwrap();
        assert_eq!(placed.held.is_some(), !placed.stamp.is_young());
        Some(placed).filter(|placed| placed.held.is_some())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn where_times_are_sharp_every_write_shows_however_soon() {
        let (folder, policy) = bench();
        let place = policy.target("a.md".as_ref()).unwrap();
        let path = folder.path().join("a.md");
        let mut proved = 0;
        for round in 0..200 {
            // On a busy machine the proof may take too long to be one.
            let Some(ours) = certain(&place, b"ours", || ()) else { continue };
            proved += 1;
            assert!(ours.stamp.surely_still(&stamp(&place).unwrap().unwrap()));
            match round % 3 {
                0 => std::fs::write(&path, "mine").unwrap(),
                1 => {
                    let other = folder.path().join("other");
                    std::fs::write(&other, "mine").unwrap();
                    std::fs::rename(other, &path).unwrap();
                }
                _ => {
                    std::fs::remove_file(&path).unwrap();
                    std::fs::write(&path, "mine").unwrap();
                }
            }
            assert!(!ours.stamp.surely_still(&stamp(&place).unwrap().unwrap()), "round {round}");
        }
        if proved == 0 {
            eprintln!("SKIPPED: the file system of {} has coarse times", folder.path().display());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_write_between_the_last_look_and_the_name_leaves_doubt() {
        let (folder, policy) = bench();
        let place = policy.target("a.md".as_ref()).unwrap();
        let interfere = || {
            let ours = left(&folder).into_iter().find(|name| name != "a.md").unwrap();
            std::fs::write(folder.path().join(ours), "mine").unwrap();
        };
        assert!(certain(&place, b"ours", interfere).is_none());
        assert!(has(&place, b"ours").unwrap().is_none());
    }
}
