//! What every route works with.

use std::{sync::Arc, time::Duration};

use mcp::{Callers, CancellationToken, Client};

use super::{
    Api,
    error::ApiError,
    live::{Live, Turn},
};
use crate::{
    access::Token,
    agent::Tools,
    runs::{self, Agent, Seat, live::LiveRuns},
    store::{Session, Store, StoreError},
};

/// How often sessions that have expired are let go.
const ROUNDS: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) callers: Callers,
    pub(crate) store: Store,
    /// The access key of the server, if it has one.
    pub(crate) key: Option<Token>,
    pub(crate) live: Live,
    /// What answers messages.
    pub(crate) agent: Agent,
    /// Runs that go on in this process.
    pub(crate) runs: LiveRuns,
    /// Is cancelled when the server is asked to end: streams, which have no end of their own, end with it.
    pub(crate) closing: CancellationToken,
}

impl State {
    pub(crate) async fn open(api: Api, key: Option<Token>) -> Result<Self, StoreError> {
        let store = Store::open(api.state.as_deref(), api.store_key.as_ref()).await?;
        let state = Self {
            callers: api.callers,
            store,
            key,
            live: Live::default(),
            agent: api.agent,
            runs: LiveRuns::default(),
            closing: CancellationToken::new(),
        };
        let interrupted = runs::interrupted::close_all(&state).await?;
        if interrupted > 0 {
            tracing::warn!(interrupted, "the process before this one left runs unfinished");
        }
        Ok(state)
    }

    /// Seconds since 1970-01-01 UTC.
    pub(crate) fn now(&self) -> i64 {
        self.callers.now()
    }

    /// The session's seat at the desk, taken when it is first needed; after a restart it is the same one again.
    pub(crate) fn client(&self, session: &Session) -> Result<Client, ApiError> {
        self.live.client(&session.id, || self.callers.seat(&session.id, session.user_id.as_deref()))
    }

    /// The tools that the agent of a session has.
    pub(crate) async fn tools(&self, session: &Session) -> Result<Arc<dyn Tools>, ApiError> {
        Ok(Arc::new(Seat(self.client(session)?)))
    }

    /// The order of messages in a session.
    pub(crate) fn turn(&self, session: &Session) -> Result<Turn, ApiError> {
        self.client(session)?;
        let turn = self.live.turn(&session.id);
        turn.ok_or_else(|| ApiError::new(super::error::Code::SessionExpired, "the session has ended"))
    }

    /// The document that a session means with an id: its path, if it is open, else what was given.
    pub(crate) fn document_path(&self, session: &Session, id: &str) -> Result<String, ApiError> {
        let open = self.client(session)?.workspace().documents();
        let found = open.into_iter().find(|document| document.id.to_string() == id);
        let path = found.and_then(|document| Some(document.path?.display().to_string()));
        Ok(path.unwrap_or_else(|| id.to_owned()))
    }

    /// Lets go of what has expired, as long as the server runs.
    pub(crate) async fn keep_house(self: Arc<Self>) {
        loop {
            if let Err(error) = self.one_round().await {
                tracing::error!(%error, "expired sessions could not be let go");
            }
            tokio::time::sleep(ROUNDS).await;
        }
    }

    async fn one_round(&self) -> Result<(), StoreError> {
        let now = self.now();
        for id in self.live.ids() {
            let session = self.store.session(&id).await?;
            if session.is_none_or(|session| !session.is_active(now)) {
                self.live.end(&id);
            }
        }
        self.store.forget(now).await?;
        Ok(())
    }
}
