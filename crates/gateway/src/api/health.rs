//! Whether the server can do its work, found out by having it do some.

use std::time::Duration;

use axum::response::Response;
use http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use tokio::{sync::Mutex, time::Instant};

use super::{
    error::{ApiError, json_answer},
    route::Cx,
};
use crate::agent::{Model as _, RemoteModel};

/// The revision of MCP that a session gets that asks for none.
pub(crate) const PROTOCOL: &str = "2024-11-05";

/// Seconds for which an answer of the provider is taken for its health.
const FRESH: i64 = 30;
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the model provider answered, and when that was found out: everybody may ask for health, and the provider is
/// not to be asked by everybody.
#[derive(Debug, Default)]
pub(crate) struct ModelHealth(Mutex<Option<(i64, bool)>>);

impl ModelHealth {
    async fn is_fine(&self, model: &RemoteModel, now: i64) -> bool {
        let mut known = self.0.lock().await;
        if let Some((at, fine)) = *known
            && (0..FRESH).contains(&(now - at))
        {
            return fine;
        }
        let answered = tokio::time::timeout(PATIENCE, model.probe()).await;
        let fine = matches!(answered, Ok(Ok(())));
        if !fine {
            tracing::warn!(model = model.name(), "the model provider does not answer");
        }
        *known = Some((now, fine));
        fine
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ServiceHealth {
    /// `healthy`, `degraded` or `unhealthy`.
    status: &'static str,
    services: Services,
    mcp_protocol_version: &'static str,
    timestamp: String,
}

/// Each `healthy`, `unhealthy` or `not_configured`, which is no illness.
#[derive(Debug, Serialize, JsonSchema)]
struct Services {
    /// Our agent.
    langchain_agent: &'static str,
    /// Our MCP side.
    mcp_client: &'static str,
    /// The provider of the model.
    azure_openai: &'static str,
    database: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct McpHealth {
    status: &'static str,
    connection_status: &'static str,
    protocol_version: &'static str,
    server_capabilities: serde_json::Value,
    last_heartbeat: Option<String>,
    /// In seconds.
    response_time: f64,
}

pub(crate) async fn service(cx: Cx) -> Result<Response, ApiError> {
    let state = &cx.state;
    let (database, desk) = (state.store.probe().await, state.callers.probe().await);
    let model = match &state.agent.model {
        None => None,
        Some(model) => Some(state.model_health.is_fine(model, state.now()).await),
    };
    let word = |fine: bool| if fine { "healthy" } else { "unhealthy" };
    // Without its model the server still serves documents and tools.
    let status = match (database.is_ok() && desk.is_ok(), model) {
        (false, _) => "unhealthy",
        (true, Some(false)) => "degraded",
        (true, _) => "healthy",
    };
    state.metrics.connected(desk.is_ok());
    let body = ServiceHealth {
        status,
        services: Services {
            langchain_agent: word(desk.is_ok() && model != Some(false)),
            mcp_client: word(desk.is_ok()),
            azure_openai: model.map_or("not_configured", word),
            database: word(database.is_ok()),
        },
        mcp_protocol_version: PROTOCOL,
        timestamp: mcp::timestamp(state.now()),
    };
    Ok(json_answer(code(status), &json!(body)))
}

pub(crate) async fn mcp(cx: Cx) -> Result<Response, ApiError> {
    let begun = Instant::now();
    let fine = cx.state.callers.probe().await.is_ok();
    let (status, connection) = if fine { ("healthy", "connected") } else { ("unhealthy", "disconnected") };
    cx.state.metrics.connected(fine);
    let body = McpHealth {
        status,
        connection_status: connection,
        protocol_version: PROTOCOL,
        server_capabilities: capabilities(),
        last_heartbeat: fine.then(|| mcp::timestamp(cx.state.now())),
        response_time: begun.elapsed().as_secs_f64(),
    };
    Ok(json_answer(code(status), &json!(body)))
}

pub(crate) fn capabilities() -> serde_json::Value {
    json!({ "tools": { "listChanged": true } })
}

fn code(status: &str) -> StatusCode {
    if status == "unhealthy" { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }
}
