//! Tools called for a session, and what became of the calls.
//!
//! A call goes on when its client hangs up, and is waited for as long as the contract lets a tool work; what takes
//! longer, or waits for a person, is answered as running, and asked about by its id.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    chat::own_session,
    error::ApiError,
    route::Cx,
    run_routes::{self, idempotency_key, run_of},
    tools,
};
use crate::{
    runs::{self, Request, ToolAsked, record::Record},
    store::{Run, RunKind, RunState},
};

/// How long an execution is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ExecuteTool")]
pub(crate) struct Execute {
    tool_name: String,
    #[serde(default)]
    parameters: Map<String, Value>,
    /// The token says it already; another one is refused.
    session_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Execution {
    execution_id: String,
    status: &'static str,
    result: Option<Value>,
    error: Option<Value>,
    /// In seconds; none as long as it runs.
    execution_time: Option<f64>,
    mcp_protocol_version: String,
    tool_name: Option<String>,
    /// Calls that wait for a person.
    approvals: Vec<Value>,
}

pub(crate) async fn execute(cx: Cx, input: Execute) -> Result<Execution, ApiError> {
    let session = cx.bearer.session()?;
    own_session(session, input.session_id.as_deref())?;
    let tool = tools::known(&cx, &input.tool_name).await?;
    let asked = ToolAsked { tool_name: tool, parameters: input.parameters };
    let request = Request { tool: Some(asked), ..Request::default() };
    let key = idempotency_key(&cx.headers)?;
    let (run, live) = runs::begin(&cx.state, session, RunKind::Tool, &request, key.as_deref()).await?;
    if let Some(live) = live {
        runs::settled(&live, Some(PATIENCE)).await;
        run_routes::not_abandoned(&live, &run.id)?;
    }
    shown(&cx, &run.id, &session.protocol).await
}

pub(crate) async fn status(cx: Cx) -> Result<Execution, ApiError> {
    let (session, id) = (cx.bearer.session()?, cx.part("execution_id")?);
    let run = run_of(&cx, session, id).await?;
    if run.kind != RunKind::Tool {
        return Err(super::run_routes::unknown(id));
    }
    shown(&cx, &run.id, &session.protocol).await
}

async fn shown(cx: &Cx, id: &str, protocol: &str) -> Result<Execution, ApiError> {
    let mut record = runs::record(&cx.state, id).await?;
    // Read after the events: a run that ended between the two is shown with its end.
    let run = cx.state.store.run(id).await?;
    let run = run.ok_or_else(|| super::run_routes::unknown(id))?;
    // A call that was made before the server was started anew is told of by the run that made it.
    let mut before = Request::of(&run)?.resumes;
    while let (true, Some(earlier)) = (record.executions.is_empty(), before) {
        record = runs::record(&cx.state, &earlier).await?;
        let earlier = cx.state.store.run(&earlier).await?;
        before =
            earlier.map(|earlier| Request::of(&earlier)).transpose()?.and_then(|request| request.resumes);
    }
    Ok(execution(run, &record, protocol))
}

fn execution(run: Run, record: &Record, protocol: &str) -> Execution {
    let call = record.executions.first();
    let field = |name: &str| call.and_then(|call| call.field(name));
    // A run may fail without its call, for want of a person or of a server.
    let error = run.error.or_else(|| field("error"));
    Execution {
        execution_id: run.id,
        status: run.state.shown(),
        result: field("result"),
        error,
        execution_time: field("execution_time").and_then(|seconds| seconds.as_f64()).or(run.seconds),
        mcp_protocol_version: protocol.to_owned(),
        tool_name: call.map(|call| call.tool.clone()),
        approvals: if run.state == RunState::Running { record.approvals.clone() } else { Vec::new() },
    }
}
