//! Messages to the agent of a session: sent, and read again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    error::{ApiError, Code},
    route::{Cx, Parameter},
    run_routes::{self, idempotency_key, unknown},
    sessions::visible,
    stream::address,
    tools,
};
use crate::{
    runs::{self, DocumentContext, Request, ToolAsked, record::Record},
    store::{Run, RunKind, RunState, Session},
};

/// Characters of a message. More is a document, which tools read.
const LONGEST_MESSAGE: usize = 100_000;
/// Messages of a history that come at once, unless another number is asked for.
const PAGE: i64 = 50;
const MOST: i64 = 200;

pub(crate) const HISTORY: &[Parameter] = &[
    Parameter { name: "before", kind: "string", about: "only messages older than this one" },
    Parameter { name: "limit", kind: "integer", about: "how many, at most 200" },
];

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "SendMessage")]
pub(crate) struct Send {
    message: String,
    session_id: Option<String>,
    document_context: Option<DocumentContext>,
    mcp_tool_request: Option<ToolRequest>,
    /// Answers at once, with the address of the stream.
    #[serde(default)]
    stream: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ToolRequest {
    tool_name: String,
    #[serde(default)]
    parameters: Map<String, Value>,
    protocol_version: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Sent {
    response_id: String,
    message: String,
    llm_response: String,
    tool_execution: Option<Value>,
    session_id: String,
    timestamp: String,
    tool_executions: Vec<Value>,
    /// `running` as long as it runs or waits for a person, then `completed` or `error`.
    status: &'static str,
    error: Option<Value>,
    /// Calls that wait for a person.
    approvals: Vec<Value>,
    /// The message that is before it in the session and waits for a person.
    waits_for: Option<String>,
    /// What answers.
    model: Option<String>,
    usage: Option<Value>,
    /// Documents that it changed, and whether their files have that.
    saved: Vec<Value>,
    /// The run that went on with this one, if it was interrupted.
    resumed_by: Option<String>,
    /// Where the answer can be followed.
    stream_url: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct History {
    session_id: String,
    /// The oldest first.
    messages: Vec<Exchange>,
    /// Whether there are older ones; ask for them with `before` and the first id of these.
    has_more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Exchange {
    message_id: String,
    session_id: String,
    user_message: String,
    llm_response: String,
    tool_execution: Option<Value>,
    timestamp: String,
    document_context: Option<DocumentContext>,
    tool_executions: Vec<Value>,
    status: &'static str,
    error: Option<Value>,
    approvals: Vec<Value>,
    resumed_by: Option<String>,
}

pub(crate) async fn send(cx: Cx, input: Send) -> Result<Sent, ApiError> {
    let session = cx.bearer.session()?;
    own_session(session, input.session_id.as_deref())?;
    let tool = match input.mcp_tool_request {
        None => None,
        Some(tool) => Some(asked_tool(&cx, tool).await?),
    };
    let length = input.message.chars().count();
    if length > LONGEST_MESSAGE || (tool.is_none() && input.message.trim().is_empty()) {
        let why = format!("message must have 1 to {LONGEST_MESSAGE} characters; it has {length}");
        return Err(ApiError::new(Code::Params, why));
    }
    let request = Request {
        message: Some(input.message),
        document_context: input.document_context,
        tool,
        resumes: None,
    };
    let key = idempotency_key(&cx.headers)?;
    let (run, live) = runs::begin(&cx.state, session, RunKind::Chat, &request, key.as_deref()).await?;
    if let (Some(live), false) = (&live, input.stream) {
        runs::settled(live, None).await;
        run_routes::not_abandoned(live, &run.id)?;
    }
    let mut sent = answered(&cx, session, &run.id).await?;
    sent.waits_for = live.and_then(|live| live.stands_behind()).filter(|_| sent.status == "running");
    refused_by_provider(sent)
}

async fn asked_tool(cx: &Cx, tool: ToolRequest) -> Result<ToolAsked, ApiError> {
    if let Some(asked) = tool.protocol_version.as_deref().filter(|asked| !asked.is_empty())
        && mcp::negotiated(asked).is_none()
    {
        let asked: String = asked.chars().take(40).collect();
        let why = format!("mcp_tool_request.protocol_version: `{asked}` is no revision of MCP");
        return Err(
            ApiError::new(Code::McpProtocol, why).details(format!("ask for {}", mcp::revisions().join(", ")))
        );
    }
    let tool_name = tools::known(cx, &tool.tool_name).await?;
    Ok(ToolAsked { tool_name, parameters: tool.parameters })
}

/// A provider that could not answer is the fault of what is behind this server.
fn refused_by_provider(sent: Sent) -> Result<Sent, ApiError> {
    let code = sent.error.as_ref().and_then(|error| error.get("code")?.as_i64());
    let code = [Code::Llm, Code::McpConnection].into_iter().find(|known| Some(known.number()) == code);
    let Some(code) = code else { return Ok(sent) };
    let text = |path: &str| sent.error.as_ref().and_then(|error| error.pointer(path)?.as_str());
    let error = ApiError::new(code, text("/message").unwrap_or("no reason is known"));
    let error = error.details(text("/data/details").unwrap_or("no reason is known"));
    Err(error.with("response_id", sent.response_id))
}

/// What is known of a message and its answer now.
pub(super) async fn answered(cx: &Cx, session: &Session, id: &str) -> Result<Sent, ApiError> {
    let record = runs::record(&cx.state, id).await?;
    let run = cx.state.store.run(id).await?.ok_or_else(|| unknown(id))?;
    let request = Request::of(&run)?;
    let executions = executions(&record, "success", session);
    Ok(Sent {
        stream_url: address(cx, &run)?,
        timestamp: mcp::timestamp(run.created_at),
        message: request.message.unwrap_or_else(String::new),
        llm_response: record.text,
        tool_execution: chosen(&executions, request.tool.is_some()),
        tool_executions: executions,
        status: run.state.shown(),
        error: run.error,
        approvals: if run.state == RunState::Running { record.approvals } else { Vec::new() },
        waits_for: None,
        model: record.model,
        usage: record.usage,
        saved: record.saved,
        resumed_by: run.resumed_by,
        session_id: run.session,
        response_id: run.id,
    })
}

fn executions(record: &Record, fine: &str, session: &Session) -> Vec<Value> {
    record.executions.iter().map(|execution| execution.shown(fine, &session.protocol)).collect()
}

/// The call that was asked for, else the last one.
fn chosen(executions: &[Value], requested: bool) -> Option<Value> {
    if requested { executions.first() } else { executions.last() }.cloned()
}

pub(crate) async fn history(cx: Cx) -> Result<History, ApiError> {
    let session = visible(&cx).await?;
    let most = cx.asked_number("limit", PAGE, MOST)?.max(1);
    let before = match cx.asked("before").filter(|before| !before.is_empty()) {
        None => i64::MAX,
        Some(id) => {
            let run = cx.state.store.run(id).await?;
            run.filter(|run| run.session == session.id).ok_or_else(|| unknown(id))?.number
        }
    };
    let mut runs = cx.state.store.chats(&session.id, before, most + 1).await?;
    let has_more = runs.len() as i64 > most;
    runs.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    runs.reverse();
    let mut messages = Vec::new();
    for run in runs {
        messages.push(message(&cx, &session, run).await?);
    }
    Ok(History { session_id: session.id, messages, has_more })
}

async fn message(cx: &Cx, session: &Session, run: Run) -> Result<Exchange, ApiError> {
    let record = runs::record(&cx.state, &run.id).await?;
    let request = Request::of(&run)?;
    let executions = executions(&record, "completed", session);
    Ok(Exchange {
        timestamp: mcp::timestamp(run.created_at),
        user_message: request.message.unwrap_or_else(String::new),
        llm_response: record.text,
        tool_execution: chosen(&executions, request.tool.is_some()),
        tool_executions: executions,
        document_context: request.document_context,
        status: run.state.shown(),
        error: run.error,
        approvals: if run.state == RunState::Running { record.approvals } else { Vec::new() },
        resumed_by: run.resumed_by,
        session_id: run.session,
        message_id: run.id,
    })
}

/// A session that is named beside the token must be the token's.
pub(super) fn own_session(session: &Session, named: Option<&str>) -> Result<(), ApiError> {
    match named.is_some_and(|id| !id.is_empty() && id != session.id) {
        true => Err(ApiError::new(Code::NotFound, "session_id is not the session of this token")),
        false => Ok(()),
    }
}
