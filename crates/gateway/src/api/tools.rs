//! The tools that a session has, and whether they can be reached.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    connections::{self, CONNECTED, DISCONNECTED},
    error::ApiError,
    health,
    route::Cx,
    sessions::SERVER,
};

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Tools {
    tools: Vec<Listed>,
    protocol_version: String,
    server_capabilities: Value,
    connection_status: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Tool")]
struct Listed {
    name: String,
    description: String,
    input_schema: Value,
    #[serde(rename = "server_info")]
    server: Value,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "McpStatus")]
pub(crate) struct Status {
    connection_status: &'static str,
    protocol_version: String,
    server_capabilities: Value,
    /// When the tools last answered; none if they never did.
    last_heartbeat: Option<String>,
    server_info: Value,
    /// Why they cannot be reached.
    error: Option<String>,
}

pub(crate) async fn list(cx: Cx) -> Result<Tools, ApiError> {
    let session = cx.bearer.session()?;
    if let Some(connection) = cx.state.connection(session) {
        let (server, tools) = connection.tools().await?;
        let info = connections::server_info(&server);
        let tools = tools.into_iter().map(|tool| Listed {
            name: tool.name,
            description: tool.description,
            input_schema: tool.input_schema,
            server: info.clone(),
        });
        return Ok(Tools {
            tools: tools.collect(),
            protocol_version: server.protocol_version().to_owned(),
            server_capabilities: connections::capabilities(&server),
            connection_status: CONNECTED,
        });
    }
    let begun = Instant::now();
    let tools = cx.state.client(session)?.tools().into_iter().map(|tool| Listed {
        name: tool.name,
        description: tool.description,
        input_schema: tool.input_schema,
        server: json!(SERVER),
    });
    let tools = tools.collect();
    cx.state.metrics.discovery(begun.elapsed());
    Ok(Tools {
        tools,
        protocol_version: session.protocol.clone(),
        server_capabilities: health::capabilities(),
        connection_status: own_connection(&cx).await,
    })
}

pub(crate) async fn status(cx: Cx) -> Result<Status, ApiError> {
    let session = cx.bearer.session()?;
    let Some(connection) = cx.state.connection(session) else {
        let connection_status = own_connection(&cx).await;
        let answered = connection_status == CONNECTED;
        return Ok(Status {
            connection_status,
            protocol_version: session.protocol.clone(),
            server_capabilities: health::capabilities(),
            last_heartbeat: answered.then(|| mcp::timestamp(cx.state.now())),
            server_info: json!(SERVER),
            error: None,
        });
    };
    let reached = connection.server(cx.state.now()).await;
    let seen = connection.seen();
    let server = reached.as_ref().ok();
    Ok(Status {
        connection_status: seen.status,
        protocol_version: server
            .map_or(session.protocol.as_str(), |server| server.protocol_version())
            .to_owned(),
        server_capabilities: server
            .map_or_else(connections::no_capabilities, |server| connections::capabilities(server)),
        last_heartbeat: seen.heartbeat.map(mcp::timestamp),
        server_info: server.map_or_else(connections::nobody, |server| connections::server_info(server)),
        error: reached.as_ref().err().map(ToString::to_string),
    })
}

/// The name of a tool that the session has.
pub(super) async fn known(cx: &Cx, name: &str) -> Result<String, ApiError> {
    let session = cx.bearer.session()?;
    if let Some(connection) = cx.state.connection(session) {
        return Ok(connections::find(&connection.tools().await?.1, name)?.name.clone());
    }
    let tool = cx.state.client(session)?.knows(name);
    Ok(tool.map_err(|why| ApiError::new(super::error::Code::Params, why))?.name)
}

async fn own_connection(cx: &Cx) -> &'static str {
    if cx.state.callers.probe().await.is_ok() { CONNECTED } else { DISCONNECTED }
}
