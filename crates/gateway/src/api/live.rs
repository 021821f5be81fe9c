//! Sessions that are being used: their seats at the desk, and what is going on in them.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use mcp::{CancellationToken, Client, ToolError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;
use crate::runs::live::Front;

#[derive(Debug, Default)]
pub(crate) struct Live {
    sessions: Mutex<BTreeMap<String, Seated>>,
}

#[derive(Debug)]
struct Seated {
    client: Client,
    /// Ends whatever the session has going on.
    end: CancellationToken,
    turn: Turn,
    /// Whether the session itself began in this process.
    is_new: bool,
}

/// A session answers one message at a time.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    free: Arc<Semaphore>,
    /// Messages that are being answered or wait.
    here: Arc<AtomicUsize>,
    /// The message that has the turn and waits for a person.
    front: Front,
}

/// A place among those that wait for their turn, and then the turn; it is given up with this.
#[derive(Debug)]
pub(crate) struct Waiting(Turn);

impl Default for Turn {
    fn default() -> Self {
        Self { free: Arc::new(Semaphore::new(1)), here: Arc::default(), front: Front::default() }
    }
}

impl Turn {
    /// A place, if fewer than so many wait.
    pub(crate) fn wait(&self, most: usize) -> Option<Waiting> {
        let here = self.here.fetch_add(1, Ordering::SeqCst);
        let waiting = Waiting(self.clone());
        (here <= most).then_some(waiting)
    }
}

impl Turn {
    pub(crate) fn front(&self) -> Front {
        self.front.clone()
    }
}

impl Waiting {
    /// Comes when those before it are done, in the order in which they came.
    pub(crate) async fn turn(self) -> (Waiting, Option<OwnedSemaphorePermit>) {
        // Never closed.
        let permit = self.0.free.clone().acquire_owned().await.ok();
        (self, permit)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.here.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Live {
    /// The seat of a session, taken by `sit` if it has none.
    pub(crate) fn client(
        &self,
        id: &str,
        sit: impl FnOnce() -> Result<Client, ToolError>,
    ) -> Result<Client, ApiError> {
        let mut sessions = self.sessions();
        if let Some(seated) = sessions.get(id) {
            return Ok(seated.client.clone());
        }
        let client = sit().map_err(ApiError::from)?;
        let (client_of, end) = (client.clone(), CancellationToken::new());
        let seated = Seated { client: client_of, end, turn: Turn::default(), is_new: false };
        sessions.insert(id.to_owned(), seated);
        Ok(client)
    }

    /// The order of messages in a session that has a seat.
    pub(crate) fn turn(&self, id: &str) -> Option<Turn> {
        self.sessions().get(id).map(|seated| seated.turn.clone())
    }

    /// Is cancelled when the session ends; at once for one that has.
    pub(crate) fn ending(&self, id: &str) -> CancellationToken {
        match self.sessions().get(id) {
            Some(seated) => seated.end.clone(),
            None => {
                let ended = CancellationToken::new();
                ended.cancel();
                ended
            }
        }
    }

    /// The session has just begun.
    pub(crate) fn has_begun(&self, id: &str) {
        if let Some(seated) = self.sessions().get_mut(id) {
            seated.is_new = true;
        }
    }

    /// Whether all that the session was ever shown was shown by this process.
    pub(crate) fn is_new(&self, id: &str) -> bool {
        self.sessions().get(id).is_some_and(|seated| seated.is_new)
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        self.sessions().keys().cloned().collect()
    }

    /// Stops what the session has going on and leaves its seat; unsaved work stays in the journal.
    pub(crate) fn end(&self, id: &str) {
        if let Some(seated) = self.sessions().remove(id) {
            seated.end.cancel();
        }
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<String, Seated>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
