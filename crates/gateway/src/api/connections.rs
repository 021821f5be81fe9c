//! The other MCP servers that sessions use: connected when they are needed, asked for signs of life, and closed with
//! their sessions.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::future::BoxFuture;
use mcp::{Callers, CancellationToken};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::error::{ApiError, Code};
use crate::{
    agent::{Call, CallError, Catalogue, Steps, ToolInfo, ToolResult, Tools},
    outer::{OuterConfig, OuterError, OuterServer},
    store::Session,
};

/// Seconds for which a sign of life is taken as one.
const FRESH: i64 = 15;

#[derive(Debug)]
pub(crate) struct Connection {
    config: OuterConfig,
    /// One connects at a time, and the others wait for it.
    server: tokio::sync::Mutex<Option<Arc<OuterServer>>>,
    seen: watch::Sender<Seen>,
    /// Whose clock it is.
    callers: Callers,
}

/// A connection as the tools of a run: what becomes of the server meanwhile is seen to.
#[derive(Debug)]
pub(crate) struct Used(pub(crate) Arc<Connection>);

impl Used {
    async fn server(&self) -> Result<Arc<OuterServer>, CallError> {
        let connection = &self.0;
        connection
            .server(connection.callers.now())
            .await
            .map_err(|error| CallError::Failed(error.to_string()))
    }
}

impl Tools for Used {
    fn list(&self) -> BoxFuture<'_, Result<Catalogue, CallError>> {
        Box::pin(async {
            let listed = self.0.tools().await;
            Ok(listed.map_err(|error| CallError::Failed(error.message))?.1)
        })
    }

    fn call<'a>(
        &'a self,
        call: &'a Call,
        cancel: &'a CancellationToken,
        progress: Steps,
    ) -> BoxFuture<'a, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let mut server = self.server().await?;
            let mut called = server.call(call, cancel, progress.clone()).await;
            // It did nothing, since it did not know who asked.
            if called.is_err() && server.has_forgotten() {
                server = self.server().await?;
                called = server.call(call, cancel, progress).await;
            }
            self.0.look_at(&server);
            called
        })
    }
}

/// What is known of a server without asking it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// `connected`, `disconnected` or `initializing`.
    pub(crate) status: &'static str,
    /// When it last answered.
    pub(crate) heartbeat: Option<i64>,
}

pub(crate) const CONNECTED: &str = "connected";
pub(crate) const DISCONNECTED: &str = "disconnected";
const INITIALIZING: &str = "initializing";

impl Connection {
    fn new(session: &Session, private: bool, callers: &Callers) -> Option<Self> {
        let asked = session.mcp.as_ref()?;
        let usual = OuterConfig::new(&asked.url);
        let config = OuterConfig {
            token: asked.token.clone(),
            protocol_version: session.protocol.clone(),
            allow_private: private,
            connect_time: asked.connection_timeout.map_or(usual.connect_time, Duration::from_secs),
            retries: asked.max_retries.unwrap_or(usual.retries),
            ..usual
        };
        let seen = watch::Sender::new(Seen { status: DISCONNECTED, heartbeat: None });
        Some(Self { config, server: tokio::sync::Mutex::new(None), seen, callers: callers.clone() })
    }

    pub(crate) fn seen(&self) -> Seen {
        *self.seen.borrow()
    }

    /// Hears of what becomes of it.
    pub(crate) fn watch(&self) -> watch::Receiver<Seen> {
        self.seen.subscribe()
    }

    /// The server, connected if it is not, and alive a moment ago.
    pub(crate) async fn server(&self, now: i64) -> Result<Arc<OuterServer>, OuterError> {
        let mut server = self.server.lock().await;
        let known = server.take().filter(|known| known.is_open());
        if let Some(known) = known {
            let fresh = self.seen().heartbeat.is_some_and(|heartbeat| now - heartbeat < FRESH);
            if fresh || known.ping().await.is_ok() {
                self.is(CONNECTED, Some(now));
                *server = Some(known.clone());
                return Ok(known);
            }
        }
        self.is(INITIALIZING, None);
        match OuterServer::connect(&self.config).await {
            Ok(connected) => {
                let connected = Arc::new(connected);
                *server = Some(connected.clone());
                self.is(CONNECTED, Some(now));
                Ok(connected)
            }
            Err(error) => {
                self.is(DISCONNECTED, None);
                Err(error)
            }
        }
    }

    /// The server and its tools. One that was started anew has forgotten the session, and is connected again.
    pub(crate) async fn tools(&self) -> Result<(Arc<OuterServer>, Catalogue), ApiError> {
        let mut server = self.server(self.callers.now()).await?;
        let mut listed = server.list().await;
        if listed.is_err() && server.has_forgotten() {
            server = self.server(self.callers.now()).await?;
            listed = server.list().await;
        }
        self.look_at(&server);
        let listed = listed.map_err(|error| ApiError::new(Code::McpConnection, error.to_string()))?;
        Ok((server, listed))
    }

    /// Sees whether the server is still there, after it was asked something.
    fn look_at(&self, server: &OuterServer) {
        if !server.is_open() {
            self.is(DISCONNECTED, None);
        }
    }

    async fn close(&self) {
        if let Some(server) = self.server.lock().await.take() {
            server.close().await;
        }
    }

    /// A later heartbeat is kept, an absent one changes nothing.
    fn is(&self, status: &'static str, heartbeat: Option<i64>) {
        self.seen.send_modify(|seen| *seen = Seen { status, heartbeat: heartbeat.or(seen.heartbeat) });
    }
}

#[derive(Debug, Default)]
pub(crate) struct Connections(Mutex<BTreeMap<String, Arc<Connection>>>);

impl Connections {
    /// That of a session; `None` for a session that uses our own tools.
    pub(crate) fn of(&self, session: &Session, private: bool, callers: &Callers) -> Option<Arc<Connection>> {
        let mut all = self.all();
        if let Some(known) = all.get(&session.id) {
            return Some(known.clone());
        }
        let connection = Arc::new(Connection::new(session, private, callers)?);
        all.insert(session.id.clone(), connection.clone());
        Some(connection)
    }

    /// Asks those that were used for a sign of life.
    pub(crate) async fn heartbeat(&self, now: i64) {
        let used: Vec<Arc<Connection>> = self.all().values().cloned().collect();
        let used = used.iter().filter(|connection| connection.seen().heartbeat.is_some());
        futures::future::join_all(used.map(|connection| connection.server(now))).await;
    }

    /// Closes that of a session without waiting for it; whether there was one.
    pub(crate) fn end(&self, session: &str) -> bool {
        let ended = self.all().remove(session);
        let had = ended.is_some();
        if let Some(connection) = ended {
            tokio::spawn(async move { connection.close().await });
        }
        had
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tool of another server, as the list of ours has them.
pub(crate) fn find<'a>(tools: &'a [ToolInfo], name: &str) -> Result<&'a ToolInfo, ApiError> {
    tools.iter().find(|tool| tool.name == name).ok_or_else(|| {
        let shown: String = name.chars().take(80).collect();
        let error = ApiError::new(Code::Params, format!("Unknown tool: {shown}."));
        match mcp::nearest(name, tools.iter().map(|tool| tool.name.as_str())) {
            Some(near) => error.details(format!("Did you mean {near}?")),
            None => error,
        }
    })
}

/// What is said of a server that cannot be asked, in the same shape.
pub(crate) fn no_capabilities() -> Value {
    json!({"tools": {"listChanged": false}})
}

pub(crate) fn nobody() -> Value {
    json!({"name": "", "version": ""})
}

/// Name and version, whatever a server says of itself.
pub(crate) fn server_info(server: &OuterServer) -> Value {
    let said = |name: &str| server.server_info().get(name).and_then(Value::as_str).unwrap_or("").to_owned();
    json!({"name": said("name"), "version": said("version")})
}

/// What its tools can do, as the contract shows it.
pub(crate) fn capabilities(server: &OuterServer) -> Value {
    let changes = server.capabilities().pointer("/tools/listChanged").and_then(Value::as_bool);
    json!({"tools": {"listChanged": changes.unwrap_or(false)}})
}

impl From<OuterError> for ApiError {
    fn from(error: OuterError) -> Self {
        let code = match &error {
            OuterError::Connection(_) | OuterError::Address(_) => Code::McpConnection,
            OuterError::Initialization(_) | OuterError::Transport => Code::McpInitialization,
            OuterError::Capability => Code::McpCapability,
            OuterError::Protocol(_) => Code::McpProtocol,
        };
        let told = Self::new(code, error.to_string());
        match error {
            OuterError::Address(_) => told.status(http::StatusCode::BAD_REQUEST),
            _ => told.status(http::StatusCode::BAD_GATEWAY),
        }
    }
}
