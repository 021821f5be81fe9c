//! Sessions of the revisions that have them, with a limit on their number.
//!
//! The SDK keeps sessions without counting them, so a client that only ever says `initialize` could fill
//! the memory. Idle ones it closes by itself.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, ProtocolVersion, ServerJsonRpcMessage, ServerResult},
    transport::streamable_http_server::session::{
        ServerSseMessage, SessionId, SessionManager,
        local::{LocalSessionManager, LocalSessionManagerError},
    },
};

#[derive(Debug)]
pub(super) struct Sessions {
    local: LocalSessionManager,
    most: usize,
    /// Held from the count to the creation, so that two at once cannot both take the last place.
    door: tokio::sync::Mutex<()>,
    revisions: Mutex<HashMap<SessionId, ProtocolVersion>>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum SessionError {
    #[error("all sessions are in use")]
    Full,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl Sessions {
    pub(super) fn new(most: usize, idle: Duration) -> Self {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(idle);
        Self { local, most, door: tokio::sync::Mutex::default(), revisions: Mutex::default() }
    }

    pub(super) async fn is_full(&self) -> bool {
        self.local.sessions.read().await.len() >= self.most
    }

    /// The protocol revision a session was opened with.
    pub(super) fn revision(&self, id: &str) -> Option<ProtocolVersion> {
        self.revisions().get(id).cloned()
    }

    fn revisions(&self) -> MutexGuard<'_, HashMap<SessionId, ProtocolVersion>> {
        self.revisions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionManager for Sessions {
    type Error = SessionError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionError> {
        let _held = self.door.lock().await;
        if self.is_full().await {
            return Err(SessionError::Full);
        }
        Ok(self.local.create_session().await?)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionError> {
        let answer = self.local.initialize_session(id, message).await?;
        if let ServerJsonRpcMessage::Response(response) = &answer
            && let ServerResult::InitializeResult(result) = &response.result
        {
            self.revisions().insert(id.clone(), result.protocol_version.clone());
        }
        Ok(answer)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionError> {
        Ok(self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), SessionError> {
        self.revisions().remove(id);
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        Ok(self.local.create_stream(id, message).await?)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionError> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        Ok(self.local.resume(id, last_event_id).await?)
    }
}
