//! Files and folders that are nobody else's business: made for their owner alone, and never reached through a link.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The folder for all state. One that somebody else named for us may hold other things, too; then only what we put into
/// it is made private.
pub(crate) fn state_folder(path: &Path) -> io::Result<()> {
    create(path)?;
    let ours = path.file_name().is_some_and(|name| name.to_string_lossy().contains("docwright"));
    let is_link = std::fs::symlink_metadata(path)?.is_symlink();
    if !is_link && (ours || std::fs::read_dir(path)?.next().is_none()) {
        tighten_folder(path)?;
    }
    Ok(())
}

/// A folder in the state folder.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    create(path)?;
    let metadata = std::fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is no folder", path.display())));
    }
    tighten_folder(path)
}

fn create(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Earlier versions left some readable by everybody.
#[cfg(unix)]
fn tighten_folder(path: &Path) -> io::Result<()> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    tighten(&folder, 0o700)
}

#[cfg(not(unix))]
fn tighten_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Take away what others may do with a file of ours. That of another owner stays as it is.
#[cfg(unix)]
fn tighten(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let metadata = file.metadata()?;
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if own && metadata.permissions().mode() & 0o077 != 0 {
        file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// A new file to append to. One of that name that was begun and not finished is in the way of nobody else.
pub(crate) fn new_file(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    for_owner(&mut options);
    options.open(path)
}

/// Puts bytes in the place of a file, or leaves it as it was.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = new_file(&temporary).and_then(|mut file| file.write_all(bytes));
    let placed = written.and_then(|()| std::fs::rename(&temporary, path));
    placed.inspect_err(|_| _ = std::fs::remove_file(&temporary))
}

/// Takes a file from the eyes of others that an earlier version left to them.
pub(crate) fn tighten_file(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    tighten(&open(path)?, 0o600)?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// A file that is there, to append to.
pub(crate) fn append_to(path: &Path) -> io::Result<File> {
    regular(path, OpenOptions::new().append(true))
}

/// All bytes of a regular file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn open(path: &Path) -> io::Result<File> {
    regular(path, OpenOptions::new().read(true))
}

/// Locks a folder for this process; `None` if another one has it.
pub(crate) fn lock(folder: &Path) -> io::Result<Option<File>> {
    let file = regular(&folder.join("lock"), OpenOptions::new().append(true).create(true))?;
    let locked = try_lock(&file)?;
    if locked && is_removed(&file)? {
        // Whoever had it before took the folder away in between.
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(locked.then_some(file))
}

/// Whether an open file has no name any more.
#[cfg(unix)]
pub(crate) fn is_removed(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0)
}

/// A file that is open cannot be removed there.
#[cfg(not(unix))]
pub(crate) fn is_removed(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// Whether another process works with a folder. Nothing is made or changed to find out.
pub(crate) fn is_locked(folder: &Path) -> bool {
    // The lock is gone again with the file.
    open(&folder.join("lock")).and_then(|file| try_lock(&file)).is_ok_and(|locked| !locked)
}

fn try_lock(file: &File) -> io::Result<bool> {
    // Somebody may only be asking whether it is locked.
    for pause in [1, 2, 0] {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(pause)),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

/// Opens what is a regular file and no link, for its owner alone if it is new. A pipe would keep us waiting for whoever is
/// at its other end.
pub(crate) fn regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    for_owner(options);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
        options.custom_flags(flags.bits() as i32);
    }
    let file = options.open(path)?;
    let metadata: Metadata = file.metadata()?;
    if !metadata.is_file() {
        let why = format!("{} is not a regular file", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(file)
}

fn for_owner(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}
