//! Sessions that are being used: their seats at the desk, and what is going on in them.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use mcp::{CancellationToken, Client, ToolError};

use super::error::ApiError;

#[derive(Debug, Default)]
pub(crate) struct Live {
    sessions: Mutex<BTreeMap<String, Seated>>,
}

#[derive(Debug)]
struct Seated {
    client: Client,
    /// Ends whatever the session has going on.
    end: CancellationToken,
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
        sessions.insert(id.to_owned(), Seated { client: client.clone(), end: CancellationToken::new() });
        Ok(client)
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
