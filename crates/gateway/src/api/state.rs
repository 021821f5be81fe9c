//! What every route works with.

use std::{sync::Arc, time::Duration};

use mcp::{Callers, Client};

use super::{Api, error::ApiError, live::Live};
use crate::{
    access::Token,
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
}

impl State {
    pub(crate) async fn open(api: Api, key: Option<Token>) -> Result<Self, StoreError> {
        let store = Store::open(api.state.as_deref()).await?;
        Ok(Self { callers: api.callers, store, key, live: Live::default() })
    }

    /// Seconds since 1970-01-01 UTC.
    pub(crate) fn now(&self) -> i64 {
        self.callers.now()
    }

    /// The session's seat at the desk, taken when it is first needed; after a restart it is the same one again.
    pub(crate) fn client(&self, session: &Session) -> Result<Client, ApiError> {
        self.live.client(&session.id, || self.callers.seat(&session.id, session.user_id.as_deref()))
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
