//! The private folder in which the desk is found: `STATE/desk`.
//!
//! Whoever can write here can pass for the desk, so it must be ours alone: not a link, and closed to others. A
//! folder that is not is not mended, since somebody may have had a hand in it already.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A folder that belongs to this user and that nobody else can enter.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum NotPrivate {
    #[error("{} cannot be used: {source}", path.display())]
    Unusable { path: PathBuf, source: io::Error },
    #[error("{} is no folder of its own", .0.display())]
    NoFolder(PathBuf),
    #[error("{} belongs to somebody else", .0.display())]
    NotOurs(PathBuf),
    #[error("{} can be entered by others", .0.display())]
    Open(PathBuf),
}

impl Folder {
    /// The folder of a state folder; both are made where they are missing.
    pub fn open(state: &Path) -> Result<Self, NotPrivate> {
        let unusable = |source| NotPrivate::Unusable { path: state.to_owned(), source };
        builder().recursive(true).create(state).map_err(unusable)?;
        // The desk works in another folder, and all shall find the same one.
        let path = fs::canonicalize(state).map_err(unusable)?.join("desk");
        match builder().create(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(NotPrivate::Unusable { path, source }),
        }
        Self::check(path)
    }

    /// The same without making anything.
    pub(crate) fn find(state: &Path) -> Result<Option<Self>, NotPrivate> {
        match fs::canonicalize(state.join("desk")) {
            Ok(_) => {
                let state = fs::canonicalize(state)
                    .map_err(|source| NotPrivate::Unusable { path: state.to_owned(), source })?;
                Self::check(state.join("desk")).map(Some)
            }
            Err(_) => Ok(None),
        }
    }

    fn check(path: PathBuf) -> Result<Self, NotPrivate> {
        match fs::symlink_metadata(&path) {
            Err(source) => Err(NotPrivate::Unusable { path, source }),
            Ok(found) if !found.is_dir() => Err(NotPrivate::NoFolder(path)),
            Ok(found) => check_owner(path, &found),
        }
    }

    /// The state folder it is in.
    pub(crate) fn state(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Held for as long as a process is the desk.
    pub(crate) fn lock(&self) -> PathBuf {
        self.path.join("lock")
    }

    /// Held by the one client that starts a desk, so that the others need not.
    pub(crate) fn starting(&self) -> PathBuf {
        self.path.join("starting")
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.path.join("socket")
    }

    /// Port and secret, where there are no sockets in folders.
    pub(crate) fn port(&self) -> PathBuf {
        self.path.join("port")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path.join("log")
    }
}

/// Makes folders that are closed to others. The folders of a user are, where the system has no modes.
fn builder() -> fs::DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only modes are set"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(unix)]
fn check_owner(path: PathBuf, found: &fs::Metadata) -> Result<Folder, NotPrivate> {
    use std::os::unix::fs::MetadataExt as _;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(NotPrivate::NotOurs(path));
    }
    if found.mode() & 0o077 != 0 {
        return Err(NotPrivate::Open(path));
    }
    Ok(Folder { path })
}

#[cfg(not(unix))]
fn check_owner(path: PathBuf, _: &fs::Metadata) -> Result<Folder, NotPrivate> {
    Ok(Folder { path })
}

/// Opens a file of the folder that only this user may read; a link, pipe or folder in its place is refused.
pub(crate) fn open_private(path: &Path, options: &mut fs::OpenOptions) -> io::Result<fs::File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // The bits fit, and a sign has no meaning among them.
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    // A pipe would be waited for; nothing but a file can be ours.
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn it_is_made_closed_to_others() {
        let state = tempfile::tempdir().unwrap();
        let folder = Folder::open(&state.path().join("deep/state")).unwrap();
        assert_eq!(fs::metadata(folder.path).unwrap().permissions().mode() & 0o777, 0o700);
        Folder::open(&state.path().join("deep/state")).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_private_is_refused() {
        let state = tempfile::tempdir().unwrap();
        let path = state.path().join("desk");
        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(Folder::open(state.path()), Err(NotPrivate::Open(_))));
        fs::remove_dir(&path).unwrap();

        let other = tempfile::tempdir().unwrap();
        symlink(other.path(), &path).unwrap();
        assert!(matches!(Folder::open(state.path()), Err(NotPrivate::NoFolder(_))));
        fs::remove_file(&path).unwrap();

        fs::write(&path, "").unwrap();
        assert!(matches!(Folder::open(state.path()), Err(NotPrivate::NoFolder(_))));
    }
}
