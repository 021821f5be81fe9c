//! Sessions: begun, looked at, named and ended.
//!
//! A session sees itself; the holder of the access key sees all. What one may not see and what does not exist get the
//! same answer.

use mcp::documents::Glimpse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    bearer::Bearer,
    connections::{self, CONNECTED, DISCONNECTED},
    error::{ApiError, Code},
    health::{PROTOCOL, capabilities},
    route::Cx,
};
use crate::{
    agent::Policy,
    outer::OuterError,
    store::{self, NewSession, Session, Standing},
};

/// Characters in a name that a client gives to something.
const LONGEST_NAME: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "CreateSession")]
pub(crate) struct Create {
    user_id: Option<String>,
    document_id: Option<String>,
    title: Option<String>,
    mcp_server_config: Option<McpServer>,
    /// What the agent may do alone; never more than the server allows.
    approval: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "McpServerConfig")]
struct McpServer {
    server_url: Option<String>,
    auth_token: Option<String>,
    protocol_version: Option<String>,
    /// Seconds; never more than usual.
    connection_timeout: Option<u64>,
    max_retries: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SessionCreated")]
pub(crate) struct Created {
    session_id: String,
    /// Opens the session; it is told this once.
    session_token: String,
    status: &'static str,
    created_at: String,
    title: Option<String>,
    user_id: Option<String>,
    document_id: Option<String>,
    /// The document of `document_id`, which is open now; null if there is none, or if it cannot be opened.
    document: Option<Glimpse>,
    approval: &'static str,
    mcp_server_status: &'static str,
    mcp_protocol_version: String,
    mcp_capabilities: Value,
    server_info: Value,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct ServerInfo {
    name: &'static str,
    version: &'static str,
}

pub(crate) const SERVER: ServerInfo = ServerInfo { name: "docwright", version: env!("CARGO_PKG_VERSION") };

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SessionStatus")]
pub(crate) struct Status {
    session_id: String,
    status: &'static str,
    title: Option<String>,
    user_id: Option<String>,
    document_id: Option<String>,
    mcp_server_status: &'static str,
    mcp_protocol_version: String,
    mcp_capabilities: Value,
    approval: &'static str,
    created_at: String,
    last_activity: String,
    ended_at: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sessions")]
pub(crate) struct Listed {
    sessions: Vec<Status>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "RenameSession")]
pub(crate) struct Rename {
    /// An empty one takes the name away.
    title: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SessionEnded")]
pub(crate) struct Ended {
    session_id: String,
    status: &'static str,
    ended_at: String,
    mcp_connection_closed: bool,
    /// Documents with work that nobody has saved; it is kept and can be saved by whoever opens them.
    unsaved: Vec<String>,
}

pub(crate) async fn create(cx: Cx, input: Create) -> Result<Created, ApiError> {
    let protocol = agreed(input.mcp_server_config.as_ref()).inspect_err(|_| cx.state.metrics.not_agreed())?;
    let new = NewSession {
        user_id: name("user_id", input.user_id)?,
        title: name("title", input.title)?,
        document_id: input.document_id.filter(|id| !id.is_empty()),
        protocol,
        policy: approval(&cx, input.approval.as_deref())?,
        mcp: input.mcp_server_config.and_then(McpServer::other),
    };
    let (session, token) = cx.state.store.create_session(new, cx.state.now()).await?;
    // A desk without room says so now, and not at the first use.
    let client = match cx.state.client(&session) {
        Ok(client) => client,
        Err(full) => {
            cx.state.store.end_session(&session.id, cx.state.now()).await?;
            return Err(full);
        }
    };
    cx.state.live.has_begun(&session.id);
    let mcp = match connected(&cx, &session).await {
        Ok(connected) => connected,
        Err(refused) => {
            cx.state.store.end_session(&session.id, cx.state.now()).await?;
            cx.state.end_session(&session.id);
            return Err(refused);
        }
    };
    cx.state.metrics.begun(&session.protocol);
    // One that is not there may come; the session lives, and its document calls say what is missing.
    let document = match &session.document_id {
        Some(id) => client.open(id.clone()).await.ok(),
        None => None,
    };
    Ok(Created {
        session_token: token,
        document,
        status: "active",
        created_at: mcp::timestamp(session.created_at),
        approval: session.policy(cx.state.agent.policy).name(),
        mcp_server_status: mcp.status,
        mcp_protocol_version: mcp.protocol,
        mcp_capabilities: mcp.capabilities,
        server_info: mcp.info,
        session_id: session.id,
        title: session.title,
        user_id: session.user_id,
        document_id: session.document_id,
    })
}

/// What a session is told of its MCP server.
struct Connected {
    status: &'static str,
    protocol: String,
    capabilities: Value,
    info: Value,
}

/// Connects the other MCP server of a session. One that cannot be reached now may be later, so its session begins all the
/// same; with one that answers and is none that we can use, it does not.
async fn connected(cx: &Cx, session: &Session) -> Result<Connected, ApiError> {
    let Some(connection) = cx.state.connection(session) else {
        return Ok(Connected {
            status: CONNECTED,
            protocol: session.protocol.clone(),
            capabilities: capabilities(),
            info: json!(SERVER),
        });
    };
    match connection.server(cx.state.now()).await {
        Ok(server) => Ok(Connected {
            status: CONNECTED,
            protocol: server.protocol_version().to_owned(),
            capabilities: connections::capabilities(&server),
            info: connections::server_info(&server),
        }),
        Err(OuterError::Connection(why)) => {
            tracing::warn!(%why, "the MCP server of a session cannot be reached");
            let (capabilities, info) = (connections::no_capabilities(), connections::nobody());
            Ok(Connected { status: DISCONNECTED, protocol: session.protocol.clone(), capabilities, info })
        }
        Err(refused) => Err(refused.into()),
    }
}

impl McpServer {
    /// Another server than this one, if one is named.
    fn other(self) -> Option<store::McpServer> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        Some(store::McpServer {
            url: given(self.server_url)?,
            token: given(self.auth_token),
            connection_timeout: self.connection_timeout,
            max_retries: self.max_retries,
        })
    }
}

pub(crate) async fn status(cx: Cx) -> Result<Status, ApiError> {
    Ok(shown(&cx, visible(&cx).await?))
}

pub(crate) async fn list(cx: Cx) -> Result<Listed, ApiError> {
    let sessions = match &cx.bearer {
        Bearer::Key => cx.state.store.sessions(cx.state.now()).await?,
        bearer => vec![bearer.session()?.clone()],
    };
    Ok(Listed { sessions: sessions.into_iter().map(|session| shown(&cx, session)).collect() })
}

pub(crate) async fn rename(cx: Cx, input: Rename) -> Result<Status, ApiError> {
    let session = visible(&cx).await?;
    let title = name("title", Some(input.title))?;
    let renamed = cx.state.store.rename_session(session, title).await?;
    Ok(shown(&cx, renamed))
}

pub(crate) async fn end(cx: Cx) -> Result<Ended, ApiError> {
    let session = visible(&cx).await?;
    let now = cx.state.now();
    let unsaved = match session.standing(now) {
        Standing::Active => cx.state.client(&session)?.unsaved(),
        Standing::Inactive | Standing::Ended => Vec::new(),
    };
    let ended_at = match cx.state.store.end_session(&session.id, now).await? {
        Some(ended_at) => {
            let lived = u64::try_from(ended_at - session.created_at).unwrap_or(0);
            cx.state.metrics.ended(std::time::Duration::from_secs(lived));
            ended_at
        }
        None => session.ended_at.unwrap_or(now),
    };
    cx.state.end_session(&session.id);
    Ok(Ended {
        session_id: session.id,
        status: "ended",
        ended_at: mcp::timestamp(ended_at),
        mcp_connection_closed: true,
        unsaved,
    })
}

/// The session of the path, if whoever asks may see it.
pub(super) async fn visible(cx: &Cx) -> Result<Session, ApiError> {
    let id = cx.part("session_id")?;
    match &cx.bearer {
        Bearer::Session(session) if session.id == id => Ok((**session).clone()),
        Bearer::Key => {
            let found = cx.state.store.session(id).await?;
            let found = found.filter(|session| session.can_be_seen(cx.state.now()));
            found.ok_or_else(|| unknown(id))
        }
        Bearer::Session(_) | Bearer::Nobody => Err(unknown(id)),
    }
}

fn unknown(id: &str) -> ApiError {
    let id: String = id.chars().take(80).collect();
    ApiError::new(Code::NotFound, format!("there is no session `{id}`"))
        .details("a session can be asked about with its own token only")
}

fn shown(cx: &Cx, session: Session) -> Status {
    let outer = session.mcp.is_some();
    let (status, mcp) = match session.standing(cx.state.now()) {
        Standing::Active => match cx.state.connection(&session) {
            Some(connection) => ("active", connection.seen().status),
            None => ("active", CONNECTED),
        },
        Standing::Inactive => ("inactive", DISCONNECTED),
        Standing::Ended => ("ended", DISCONNECTED),
    };
    Status {
        status,
        mcp_server_status: mcp,
        // What another server can do is known to who asks it: `mcp/status`.
        mcp_capabilities: if outer { connections::no_capabilities() } else { capabilities() },
        approval: session.policy(cx.state.agent.policy).name(),
        created_at: mcp::timestamp(session.created_at),
        last_activity: mcp::timestamp(session.last_activity),
        ended_at: session.ended_at.map(mcp::timestamp),
        session_id: session.id,
        title: session.title,
        user_id: session.user_id,
        document_id: session.document_id,
        mcp_protocol_version: session.protocol,
    }
}

/// A name that people read; without one, none.
fn name(field: &str, given: Option<String>) -> Result<Option<String>, ApiError> {
    let Some(given) = given.map(|given| given.trim().to_owned()).filter(|given| !given.is_empty()) else {
        return Ok(None);
    };
    let length = given.chars().count();
    let wrong = match given.chars().find(|character| character.is_control()) {
        Some(control) => Some(format!("one with the control character U+{:04X}", u32::from(control))),
        None => (length > LONGEST_NAME).then(|| format!("one of {length} characters")),
    };
    if let Some(wrong) = wrong {
        let why = format!("`{field}` must be one line of at most {LONGEST_NAME} characters, found {wrong}");
        return Err(ApiError::new(Code::Params, why));
    }
    Ok(Some(given))
}

/// What the agent of the session may do alone, if the session asks for less than the server allows.
fn approval(cx: &Cx, asked: Option<&str>) -> Result<Option<Policy>, ApiError> {
    let Some(asked) = asked.filter(|asked| !asked.is_empty()) else { return Ok(None) };
    let asked: Policy =
        asked.parse().map_err(|why: String| ApiError::new(Code::Params, format!("approval: {why}")))?;
    Ok((asked > cx.state.agent.policy).then_some(asked))
}

/// The revision of MCP that the session asks for.
fn agreed(server: Option<&McpServer>) -> Result<String, ApiError> {
    let Some(server) = server else { return Ok(PROTOCOL.to_owned()) };
    let asked = server.protocol_version.as_deref().filter(|asked| !asked.is_empty()).unwrap_or(PROTOCOL);
    mcp::negotiated(asked).ok_or_else(|| {
        let asked: String = asked.chars().take(40).collect();
        ApiError::new(Code::McpProtocol, format!("`{asked}` is no revision of MCP that this server speaks"))
            .details(format!("ask for {}", mcp::revisions().join(", ")))
    })
}
