//! Logs reach the device once a second, and nobody waits for it.

use std::fs::File;
use std::sync::{Arc, Condvar, PoisonError};
use std::thread;
use std::time::Duration;

use crate::sync::Lock;

const EVERY: Duration = Duration::from_secs(1);
/// With so many files waiting, the next round begins at once.
const MANY: usize = 32;
/// With so many, whoever adds another one syncs it: a process may have only so many files open.
const MOST: usize = 128;

#[derive(Debug, Default)]
pub(super) struct Syncing {
    state: Lock<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Written to since the last sync.
    waiting: Vec<Arc<File>>,
    /// To be closed.
    replaced: Vec<Arc<File>>,
    stopped: bool,
}

impl Syncing {
    pub(super) fn add(&self, log: &Arc<File>) {
        let mut state = self.state.lock();
        if state.waiting.iter().any(|waiting| Arc::ptr_eq(waiting, log)) {
            return;
        }
        if state.waiting.len() >= MOST {
            drop(state);
            let _ = log.sync_data();
            return;
        }
        state.waiting.push(Arc::clone(log));
        self.hurry(&state);
    }

    /// Close a file without anybody waiting for it.
    pub(super) fn close(&self, replaced: Arc<File>) {
        let mut state = self.state.lock();
        if state.replaced.len() < MOST {
            state.replaced.push(replaced);
            self.hurry(&state);
        }
    }

    /// What was written to these files does not matter any more.
    pub(super) fn forget(&self, files: &[Arc<File>]) {
        self.state.lock().waiting.retain(|waiting| !files.iter().any(|file| Arc::ptr_eq(file, waiting)));
    }

    fn hurry(&self, state: &State) {
        if state.waiting.len() + state.replaced.len() >= MANY {
            self.wake.notify_all();
        }
    }

    pub(super) fn start(self: &Arc<Self>) {
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
        if state.stopped || state.waiting.len() + state.replaced.len() >= MANY {
            return state.stopped;
        }
        self.wake.wait_timeout(state, EVERY).unwrap_or_else(PoisonError::into_inner).0.stopped
    }

    pub(super) fn stop(&self) {
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
