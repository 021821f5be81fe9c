//! Sessions: begun, looked at, named and ended.
//!
//! A session sees itself; the holder of the access key sees all. What one may not see and what does not exist get the
//! same answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    bearer::Bearer,
    error::{ApiError, Code},
    health::{PROTOCOL, capabilities},
    route::Cx,
};
use crate::{
    agent::Policy,
    store::{NewSession, Session, Standing},
};

/// Characters in a name that a client gives to something.
const LONGEST_NAME: usize = 200;

#[derive(Debug, Deserialize)]
pub(crate) struct Create {
    user_id: Option<String>,
    document_id: Option<String>,
    title: Option<String>,
    mcp_server_config: Option<McpServer>,
    /// What the agent may do alone; never more than the server allows.
    approval: Option<String>,
}

#[derive(Debug, Deserialize)]
struct McpServer {
    server_url: Option<String>,
    auth_token: Option<String>,
    protocol_version: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Created {
    session_id: String,
    /// Opens the session; it is told this once.
    session_token: String,
    status: &'static str,
    created_at: String,
    title: Option<String>,
    user_id: Option<String>,
    document_id: Option<String>,
    approval: &'static str,
    mcp_server_status: &'static str,
    mcp_protocol_version: String,
    mcp_capabilities: Value,
    server_info: ServerInfo,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct ServerInfo {
    name: &'static str,
    version: &'static str,
}

pub(crate) const SERVER: ServerInfo = ServerInfo { name: "docwright", version: env!("CARGO_PKG_VERSION") };

#[derive(Debug, Serialize)]
pub(crate) struct Status {
    session_id: String,
    status: &'static str,
    title: Option<String>,
    user_id: Option<String>,
    document_id: Option<String>,
    mcp_server_status: &'static str,
    mcp_protocol_version: String,
    mcp_capabilities: Value,
    created_at: String,
    last_activity: String,
    ended_at: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    sessions: Vec<Status>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Rename {
    /// An empty one takes the name away.
    title: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Ended {
    session_id: String,
    status: &'static str,
    ended_at: String,
    mcp_connection_closed: bool,
    /// Documents with work that nobody has saved; it is kept and can be saved by whoever opens them.
    unsaved: Vec<String>,
}

pub(crate) async fn create(cx: Cx, input: Create) -> Result<Created, ApiError> {
    let protocol = agreed(input.mcp_server_config.as_ref())?;
    let new = NewSession {
        user_id: name("user_id", input.user_id)?,
        title: name("title", input.title)?,
        document_id: input.document_id.filter(|id| !id.is_empty()),
        protocol,
        policy: approval(&cx, input.approval.as_deref())?,
        mcp: None,
    };
    let (session, token) = cx.state.store.create_session(new, cx.state.now()).await?;
    // A desk without room says so now, and not at the first use.
    if let Err(full) = cx.state.client(&session) {
        cx.state.store.end_session(&session.id, cx.state.now()).await?;
        return Err(full);
    }
    Ok(Created {
        session_token: token,
        status: "active",
        created_at: mcp::timestamp(session.created_at),
        approval: session.policy(cx.state.agent.policy).name(),
        mcp_server_status: "connected",
        mcp_protocol_version: session.protocol,
        mcp_capabilities: capabilities(),
        server_info: SERVER,
        session_id: session.id,
        title: session.title,
        user_id: session.user_id,
        document_id: session.document_id,
    })
}

pub(crate) async fn status(cx: Cx) -> Result<Status, ApiError> {
    Ok(shown(visible(&cx).await?, cx.state.now()))
}

pub(crate) async fn list(cx: Cx) -> Result<Listed, ApiError> {
    let now = cx.state.now();
    let sessions = match &cx.bearer {
        Bearer::Key => cx.state.store.sessions(now).await?,
        bearer => vec![bearer.session()?.clone()],
    };
    Ok(Listed { sessions: sessions.into_iter().map(|session| shown(session, now)).collect() })
}

pub(crate) async fn rename(cx: Cx, input: Rename) -> Result<Status, ApiError> {
    let session = visible(&cx).await?;
    let title = name("title", Some(input.title))?;
    cx.state.store.rename_session(&session.id, title.as_deref()).await?;
    let renamed = cx.state.store.session(&session.id).await?.ok_or_else(|| unknown(&session.id))?;
    Ok(shown(renamed, cx.state.now()))
}

pub(crate) async fn end(cx: Cx) -> Result<Ended, ApiError> {
    let session = visible(&cx).await?;
    let now = cx.state.now();
    let unsaved = match session.standing(now) {
        Standing::Active => cx.state.client(&session)?.unsaved(),
        Standing::Inactive | Standing::Ended => Vec::new(),
    };
    let ended_at = match cx.state.store.end_session(&session.id, now).await? {
        Some(ended_at) => ended_at,
        None => session.ended_at.unwrap_or(now),
    };
    cx.state.live.end(&session.id);
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

fn shown(session: Session, now: i64) -> Status {
    let (status, mcp) = match session.standing(now) {
        Standing::Active => ("active", "connected"),
        Standing::Inactive => ("inactive", "disconnected"),
        Standing::Ended => ("ended", "disconnected"),
    };
    Status {
        status,
        mcp_server_status: mcp,
        mcp_capabilities: capabilities(),
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
    if length > LONGEST_NAME || given.chars().any(char::is_control) {
        let why = format!("{field} must be one line of at most {LONGEST_NAME} characters; it has {length}");
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

/// The revision of MCP that the session speaks. Another server than this one cannot be connected.
fn agreed(server: Option<&McpServer>) -> Result<String, ApiError> {
    let Some(server) = server else { return Ok(PROTOCOL.to_owned()) };
    let given = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
    if given(&server.server_url) || given(&server.auth_token) {
        return Err(ApiError::new(Code::Params, "mcp_server_config.server_url: sessions use this server's own tools, and no other MCP server can be connected")
            .details("leave server_url and auth_token out"));
    }
    let asked = server.protocol_version.as_deref().filter(|asked| !asked.is_empty()).unwrap_or(PROTOCOL);
    mcp::negotiated(asked).ok_or_else(|| {
        let asked: String = asked.chars().take(40).collect();
        ApiError::new(Code::McpProtocol, format!("`{asked}` is no revision of MCP that this server speaks"))
            .details(format!("ask for {}", mcp::revisions().join(", ")))
    })
}
