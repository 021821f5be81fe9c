//! The tools that a session has, and whether they can be reached.

use serde::Serialize;
use serde_json::Value;

use super::{
    error::ApiError,
    health::capabilities,
    route::Cx,
    sessions::{SERVER, ServerInfo},
};

#[derive(Debug, Serialize)]
pub(crate) struct Tools {
    tools: Vec<Listed>,
    protocol_version: String,
    server_capabilities: Value,
    connection_status: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    description: String,
    input_schema: Value,
    #[serde(rename = "server_info")]
    server: ServerInfo,
}

#[derive(Debug, Serialize)]
pub(crate) struct Status {
    connection_status: &'static str,
    protocol_version: String,
    server_capabilities: Value,
    /// When the tools last answered; none if they did not just now.
    last_heartbeat: Option<String>,
    server_info: ServerInfo,
}

pub(crate) async fn list(cx: Cx) -> Result<Tools, ApiError> {
    let session = cx.bearer.session()?;
    let tools = cx.state.client(session)?.tools().into_iter().map(|tool| Listed {
        name: tool.name,
        description: tool.description,
        input_schema: tool.input_schema,
        server: SERVER,
    });
    Ok(Tools {
        tools: tools.collect(),
        protocol_version: session.protocol.clone(),
        server_capabilities: capabilities(),
        connection_status: connection(&cx).await,
    })
}

pub(crate) async fn status(cx: Cx) -> Result<Status, ApiError> {
    let connection_status = connection(&cx).await;
    let answered = connection_status == CONNECTED;
    Ok(Status {
        connection_status,
        protocol_version: cx.bearer.session()?.protocol.clone(),
        server_capabilities: capabilities(),
        last_heartbeat: answered.then(|| mcp::timestamp(cx.state.now())),
        server_info: SERVER,
    })
}

const CONNECTED: &str = "connected";

async fn connection(cx: &Cx) -> &'static str {
    if cx.state.callers.probe().await.is_ok() { CONNECTED } else { "disconnected" }
}
