//! Whether the server can do its work, found out by having it do some.

use axum::response::Response;
use http::StatusCode;
use serde_json::json;
use tokio::time::Instant;

use super::{
    error::{ApiError, json_answer},
    route::Cx,
};

/// The revision of MCP that a session gets that asks for none.
pub(crate) const PROTOCOL: &str = "2024-11-05";

pub(crate) async fn service(cx: Cx) -> Result<Response, ApiError> {
    let (database, desk) = (cx.state.store.probe().await, cx.state.callers.probe().await);
    let word = |fine: bool| if fine { "healthy" } else { "unhealthy" };
    let status = word(database.is_ok() && desk.is_ok());
    let body = json!({
        "status": status,
        "services": {
            // There is no chat yet, and so nothing that a model or an agent could do here.
            "langchain_agent": "not_configured",
            "mcp_client": word(desk.is_ok()),
            "azure_openai": "not_configured",
            "database": word(database.is_ok()),
        },
        "mcp_protocol_version": PROTOCOL,
        "timestamp": mcp::timestamp(cx.state.now()),
    });
    Ok(json_answer(code(status), &body))
}

pub(crate) async fn mcp(cx: Cx) -> Result<Response, ApiError> {
    let begun = Instant::now();
    let fine = cx.state.callers.probe().await.is_ok();
    let (status, connection) = if fine { ("healthy", "connected") } else { ("unhealthy", "disconnected") };
    let body = json!({
        "status": status,
        "connection_status": connection,
        "protocol_version": PROTOCOL,
        "server_capabilities": capabilities(),
        "last_heartbeat": fine.then(|| mcp::timestamp(cx.state.now())),
        "response_time": begun.elapsed().as_secs_f64(),
    });
    Ok(json_answer(code(status), &body))
}

pub(crate) fn capabilities() -> serde_json::Value {
    json!({ "tools": { "listChanged": true } })
}

fn code(status: &str) -> StatusCode {
    if status == "healthy" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}
