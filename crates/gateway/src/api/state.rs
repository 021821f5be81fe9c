//! What every route works with.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use mcp::{Callers, CancellationToken, Client};

use super::{
    Api,
    connections::{Connection, Connections, Used},
    error::ApiError,
    health::ModelHealth,
    live::{Live, Turn},
};
use crate::{
    access::Token,
    agent::Tools,
    metrics::Metrics,
    rates::{Counts, Rates},
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
    /// Held from the time at which a run with a key is written down until it can be waited for: a second request with the
    /// key would find the row and nobody to wait for.
    pub(crate) keyed: tokio::sync::Mutex<()>,
    /// Is cancelled when the server is asked to end: streams, which have no end of their own, end with it.
    pub(crate) closing: CancellationToken,
    /// The other MCP servers of sessions.
    pub(crate) connections: Connections,
    pub(crate) model_health: ModelHealth,
    /// When this server began.
    pub(crate) begun: i64,
    pub(crate) counts: Counts,
    pub(crate) metrics: Metrics,
    requests: AtomicU64,
}

impl State {
    pub(crate) async fn open(api: Api, key: Option<Token>, rates: Rates) -> Result<Self, StoreError> {
        let store = Store::open(api.database.as_ref(), api.state.as_deref(), api.store_key.as_ref()).await?;
        let state = Self {
            begun: api.callers.now(),
            callers: api.callers,
            store,
            key,
            live: Live::default(),
            agent: api.agent,
            runs: LiveRuns::default(),
            keyed: tokio::sync::Mutex::default(),
            closing: CancellationToken::new(),
            connections: Connections::default(),
            model_health: ModelHealth::default(),
            counts: Counts::new(rates),
            metrics: Metrics::default(),
            requests: AtomicU64::new(1),
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

    /// A name for one request, in its answer and in the log; it says nothing and opens nothing.
    pub(crate) fn request_id(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("req_{:x}_{number:x}", self.begun)
    }

    /// The session's seat at the desk, taken when it is first needed; after a restart it is the same one again.
    pub(crate) fn client(&self, session: &Session) -> Result<Client, ApiError> {
        self.live.client(&session.id, || self.callers.seat(&session.id, session.user_id.as_deref()))
    }

    /// The tools that the agent of a session has.
    pub(crate) async fn tools(&self, session: &Session) -> Result<Arc<dyn Tools>, ApiError> {
        match self.connection(session) {
            Some(connection) => {
                connection.server(self.now()).await?;
                Ok(Arc::new(Used(connection)))
            }
            None => Ok(Arc::new(Seat(self.client(session)?))),
        }
    }

    /// The other MCP server of a session, if it uses one.
    pub(crate) fn connection(&self, session: &Session) -> Option<Arc<Connection>> {
        self.connections.of(session, self.agent.private_mcp, &self.callers)
    }

    /// Stops what a session has going on, lets go of its seat and closes its connection.
    pub(crate) fn end_session(&self, id: &str) {
        self.live.end(id);
        self.connections.end(id);
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

    /// Ends all that goes on, for a process that ends: what is not done is told as interrupted by the next one.
    pub(crate) async fn close(&self) {
        const PATIENCE: Duration = Duration::from_secs(2);
        self.runs.abandon();
        if tokio::time::timeout(PATIENCE, self.store.close()).await.is_err() {
            tracing::warn!("the database was still in use at the end");
        }
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
                self.end_session(&id);
            }
        }
        self.connections.heartbeat(now).await;
        self.counts.sweep();
        self.store.forget(now).await?;
        Ok(())
    }
}
