//! The desk at work: it takes connections, asks each who it is, and gives it a seat.

use std::{io, path::Path, sync::Arc, time::Duration};

use tokio::task::JoinSet;

use crate::{
    listener::{Listener, SocketState},
    lock::Lock,
    reception::Reception,
    seats::Seats,
    silent::Silent,
};

#[derive(Debug, Clone)]
pub struct Options {
    /// As callers compare it with theirs.
    pub version: String,
    /// How long the desk waits for another caller when the last one left; for ever if nothing is said.
    pub linger: Option<Duration>,
    /// Whether it ends when a newer version, or somebody who serves more, asks it to.
    pub steps_down: bool,
    /// How long running calls may go on when it ends.
    pub grace: Duration,
    /// Callers at a time.
    pub connections: usize,
    /// Connections at a time that have not said who they are. The oldest of them makes room for the next.
    pub silent: usize,
    /// How long a caller may take to say who it is.
    pub hello_time: Duration,
    pub limits: mcp::Limits,
}

impl Options {
    pub fn new(version: impl Into<String>) -> Self {
        Self {
            version: version.into(),
            linger: Some(Duration::from_secs(30)),
            steps_down: true,
            grace: Duration::from_secs(10),
            connections: 256,
            silent: 64,
            hello_time: Duration::from_secs(5),
            limits: mcp::Limits::default(),
        }
    }
}

/// Nobody sits at the desk any more. The lock is to be given up last, when what was served is put in order.
#[derive(Debug)]
#[must_use = "the lock goes with it, and the next desk begins"]
pub struct Ended {
    pub why: Why,
    pub lock: Lock,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It was told to by its own process.
    Shutdown,
    SteppedDown,
    /// Nobody came.
    Idle,
    /// Its folder is gone, so nobody can find it.
    Lost,
}

/// How often the desk looks whether it can still be found.
const LOOK: Duration = Duration::from_secs(2);
/// What the log may grow to before it begins anew.
const LONGEST_LOG: u64 = 1 << 20;

/// Serves callers until `shutdown` completes, nobody is left, or the desk is asked to step down. Then running
/// calls are finished, and callers sent to the next desk.
pub async fn serve(
    mut listener: Listener,
    seats: Arc<dyn Seats>,
    options: Options,
    shutdown: impl Future<Output = ()>,
) -> io::Result<Ended> {
    let (linger, grace) = (options.linger, options.grace);
    let mut silent = Silent::new(options.silent);
    let desk = Arc::new(Reception::new(seats, options)?);
    let mut connections = JoinSet::new();
    let mut look = tokio::time::interval(LOOK);
    tokio::pin!(shutdown);
    let why = loop {
        tokio::select! {
            arrived = listener.accept() => match arrived {
                Ok(arrival) => {
                    let (desk, silence) = (desk.clone(), silent.next());
                    connections.spawn(async move {
                        if let Err(error) = desk.receive(arrival, silence).await {
                            tracing::debug!(%error, "a connection failed");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    // Without room for another file this would go round and round.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            () = &mut shutdown => break Why::Shutdown,
            () = desk.step_down.notified() => break Why::SteppedDown,
            () = desk.callers.left_alone(linger) => break Why::Idle,
            _ = look.tick() => match listener.place() {
                SocketState::Held => shorten(&listener.folder().log()),
                SocketState::Taken => {
                    if let Err(error) = listener.renew().await {
                        tracing::warn!(%error, "the socket could not be put back");
                    }
                }
                SocketState::Lost => break Why::Lost,
            },
        }
    };
    let lock = listener.close();
    desk.end();
    // A little longer than calls have, for the answers.
    let over = tokio::time::sleep(grace + Duration::from_secs(3));
    tokio::pin!(over);
    loop {
        tokio::select! {
            done = connections.join_next() => if done.is_none() { break },
            () = &mut over => break,
        }
    }
    Ok(Ended { why, lock })
}

fn shorten(log: &Path) {
    if std::fs::symlink_metadata(log).is_ok_and(|found| found.len() > LONGEST_LOG) {
        // Whoever writes to it appends, and goes on at the beginning.
        let _ = std::fs::OpenOptions::new().write(true).truncate(true).open(log);
    }
}
