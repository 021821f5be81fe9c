//! Tools called for a session, and what became of the calls.
//!
//! A call goes on when its client hangs up, and is waited for as long as the contract lets a tool work; what takes
//! longer is answered as running, and asked about by its id.

use std::{sync::Arc, time::Duration};

use mcp::{CallResult, CancellationToken, Client};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::{
    error::{ApiError, Code},
    route::Cx,
    state::State,
};
use crate::store::{Run, RunKind, RunState};

/// How long an execution is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// The number of `TOOL_EXECUTION_ERROR`.
const FAILED: i64 = -32054;

#[derive(Debug, Deserialize)]
pub(crate) struct Execute {
    tool_name: String,
    #[serde(default)]
    parameters: Map<String, Value>,
    /// The token says it already; another one is refused.
    session_id: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Execution {
    execution_id: String,
    status: &'static str,
    result: Option<Value>,
    error: Option<Value>,
    /// In seconds; none as long as it runs.
    execution_time: Option<f64>,
    mcp_protocol_version: String,
}

pub(crate) async fn execute(cx: Cx, input: Execute) -> Result<Execution, ApiError> {
    let session = cx.bearer.session()?;
    if input.session_id.as_deref().is_some_and(|id| !id.is_empty() && id != session.id) {
        return Err(ApiError::new(Code::NotFound, "session_id is not the session of this token"));
    }
    let client = cx.state.client(session)?;
    let tool = client.knows(&input.tool_name).map_err(|why| ApiError::new(Code::Params, why))?;
    let arguments = input.parameters;
    let request = json!({"tool_name": tool.name, "parameters": arguments});
    let store = &cx.state.store;
    let id = store.begin_run(&session.id, RunKind::Tool, &request, cx.state.now()).await?;
    let run = Run { id: id.clone(), state: RunState::Running, result: None, error: None, seconds: None };
    let cancel = cx.state.live.ending(&session.id);
    let call = carry_out(cx.state.clone(), client, run.clone(), (tool.name, arguments), cancel);
    let run = match tokio::time::timeout(PATIENCE, tokio::spawn(call)).await {
        Ok(ended) => ended.map_err(ApiError::internal)??,
        Err(_) => run,
    };
    Ok(shown(run, &session.protocol))
}

pub(crate) async fn status(cx: Cx) -> Result<Execution, ApiError> {
    let (session, id) = (cx.bearer.session()?, cx.part("execution_id")?);
    let found = cx.state.store.run(&session.id, RunKind::Tool, id).await?;
    let run = found.ok_or_else(|| {
        let id: String = id.chars().take(80).collect();
        ApiError::new(Code::NotFound, format!("this session has no execution `{id}`"))
    })?;
    Ok(shown(run, &session.protocol))
}

/// Calls the tool and writes down how it ended, whoever still waits for it.
async fn carry_out(
    state: Arc<State>,
    client: Client,
    run: Run,
    (tool, arguments): (String, Map<String, Value>),
    cancel: CancellationToken,
) -> Result<Run, ApiError> {
    let begun = Instant::now();
    let called = client.call(&tool, arguments, cancel, None).await;
    let seconds = Some(begun.elapsed().as_secs_f64());
    let (ending, result, error) = match called {
        Ok(called) if called.failed => {
            let error = failure(&tool, &called);
            (RunState::Error, Some(whole(called)), Some(error))
        }
        Ok(called) => (RunState::Completed, Some(whole(called)), None),
        Err(why) => (RunState::Error, None, Some(json!({"code": -32602, "message": why}))),
    };
    let run = Run { state: ending, result, error, seconds, ..run };
    state.store.end_run(&run, state.now()).await?;
    Ok(run)
}

fn failure(tool: &str, called: &CallResult) -> Value {
    let mut data = json!({"details": called.text(), "name": "TOOL_EXECUTION_ERROR"});
    if let Some(error) = &called.error {
        data["tool_error"] = error.clone();
    }
    json!({"code": FAILED, "message": format!("{tool} failed"), "data": data})
}

/// The result as the contract writes it: a picture is a data URL.
fn whole(called: CallResult) -> Value {
    let content: Vec<Value> = called.content.into_iter().map(block).collect();
    let mut result = json!({ "content": content });
    if let Some(structured) = called.structured {
        result["structured_content"] = structured;
    }
    result
}

fn block(block: Value) -> Value {
    let text = |name: &str| block.get(name).and_then(Value::as_str);
    match (text("type"), text("mimeType"), text("data")) {
        (Some("image"), Some(media), Some(data)) => {
            json!({"type": "image", "image_url": format!("data:{media};base64,{data}")})
        }
        _ => block,
    }
}

fn shown(run: Run, protocol: &str) -> Execution {
    Execution {
        execution_id: run.id,
        status: run.state.name(),
        result: run.result,
        error: run.error,
        execution_time: run.seconds,
        mcp_protocol_version: protocol.to_owned(),
    }
}
