//! The desk as a process of its own.

use std::{io, path::Path, sync::Arc};

use crate::{
    call,
    folder::{Folder, NotPrivate},
    hello::Want,
    listener::Listener,
    lock::Lock,
    seats::Seats,
    serve::{Options, serve},
    take_over,
    transport::Transport,
};

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Folder(#[from] NotPrivate),
    #[error("the desk could not be set up: {0}")]
    SetUp(#[from] io::Error),
    #[error("another process has the lock and does not answer")]
    Locked,
}

/// Is the desk of a state folder until nobody needs it. Ends at once if there is one already. `seats` is asked
/// for when the lock is held.
pub fn run<S: Seats>(
    state: &Path,
    transport: Transport,
    options: Options,
    seats: impl FnOnce() -> io::Result<S>,
) -> Result<(), RunError> {
    leave_the_terminal();
    let folder = Folder::open(state)?;
    let mut answered = false;
    let lock = Lock::wait(&folder.lock(), take_over::PATIENCE, || {
        answered = call::open(&folder, &options.version, Want::Status).is_ok();
        answered
    })?;
    let Some(lock) = lock else {
        return if answered { Ok(()) } else { Err(RunError::Locked) };
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let asked = asked_to_end()?;
        let listener = Listener::bind(folder, lock, transport).await?;
        serve(listener, Arc::new(seats()?), options, asked).await
    })?;
    tracing::info!(why = ?ended.why, "the desk ends");
    // A tool that does not notice that its caller has gone shall not keep the process.
    runtime.shutdown_background();
    drop(ended.lock);
    Ok(())
}

/// A terminal that is closed, and keys that are pressed in it, are not meant for the desk.
#[cfg(unix)]
fn leave_the_terminal() {
    // Fails where the process leads a session already.
    let _ = rustix::process::setsid();
}

#[cfg(not(unix))]
fn leave_the_terminal() {}

/// Completes when the system asks the process to end. It listens for that before anybody can find the desk.
#[cfg(unix)]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    // The terminal of whoever started the desk is nothing to it.
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = interrupt.recv() => return,
                _ = hangup.recv() => {}
            }
        }
    })
}

#[cfg(not(unix))]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
