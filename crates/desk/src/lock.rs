//! A lock that one process holds, for as long as it lives or keeps this value.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use crate::{folder, hello::identity};

#[derive(Debug)]
pub struct Lock {
    file: File,
}

const PAUSE: Duration = Duration::from_millis(5);

impl Lock {
    /// Nothing if another process has it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        let mut options = fs::OpenOptions::new();
        let file = folder::open_private(path, options.write(true).create(true).truncate(false))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// As [`Lock::take`], once it is free; `give_up` is asked from time to time.
    pub(crate) fn wait(
        path: &Path,
        patience: Duration,
        mut give_up: impl FnMut() -> bool,
    ) -> io::Result<Option<Self>> {
        let until = Instant::now() + patience;
        loop {
            if let Some(lock) = Self::take(path)? {
                return Ok(Some(lock));
            }
            if Instant::now() >= until || give_up() {
                return Ok(None);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Whether this is still the lock that others find there.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        match (self.file.metadata(), fs::symlink_metadata(path)) {
            (Ok(held), Ok(found)) => identity(&held) == identity(&found),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = Lock::take(&path).unwrap().expect("a free lock");
        assert!(Lock::take(&path).unwrap().is_none());
        assert!(lock.is_at(&path));
        fs::remove_file(&path).unwrap();
        assert!(!lock.is_at(&path));
        drop(lock);
        assert!(Lock::take(&path).unwrap().is_some());
    }
}
