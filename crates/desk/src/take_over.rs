//! Becoming the desk, although there may be one.

use std::{io, path::Path, time::Duration};

use crate::{
    call,
    folder::{Folder, NotPrivate},
    hello::{Answer, Refused, Want},
    lock::Lock,
};

/// Running calls of the desk before get ten seconds, and what they wrote has to be put in order.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    #[error(transparent)]
    Folder(#[from] NotPrivate),
    #[error("the lock cannot be used: {0}")]
    Lock(#[from] io::Error),
    #[error("the desk that is there stays: {0}")]
    Stays(String),
    #[error("the desk that is there did not end in time")]
    Late,
}

/// Takes the lock of a state folder, and asks a desk that has it to step down. Blocks meanwhile.
pub fn take_over(state: &Path, version: &str) -> Result<(Folder, Lock), NotTaken> {
    let folder = Folder::open(state)?;
    // Nobody else shall start a desk in between; if somebody does, it is asked to step down too.
    let _starting = Lock::take(&folder.starting())?;
    let mut stays = None;
    let lock = Lock::wait(&folder.lock(), PATIENCE, || {
        match call::open(&folder, version, Want::StepDown) {
            Ok((_, Answer::Refused(Refused { code, why }))) if code == Refused::STAYS => stays = Some(why),
            _ => {}
        }
        stays.is_some()
    })?;
    match (lock, stays) {
        (Some(lock), _) => Ok((folder, lock)),
        (None, Some(why)) => Err(NotTaken::Stays(why)),
        (None, None) => Err(NotTaken::Late),
    }
}
