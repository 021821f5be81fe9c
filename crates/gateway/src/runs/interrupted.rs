//! Runs that the end of a process cut off.
//!
//! The next process closes their logs before it answers anybody: each call without an end gets one that says what is
//! known of it, so that whoever goes on with the run never does a write for the second time.

use std::{collections::BTreeSet, path::PathBuf};

use serde_json::json;

use super::{
    Request,
    log::chunk,
    record,
    record::{Execution, Fate, Record},
    shapes,
};
use crate::{
    agent::Message,
    api::{
        error::{ApiError, Code},
        state::State,
    },
    store::{Ending, EventKind, NewEvent, Run, RunState, StoreError},
};

/// What a run did that another goes on with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Before {
    /// What was said in it, with its calls and their ends; empty if nothing was.
    pub(crate) messages: Vec<Message>,
    /// Calls that may have been done, by name and arguments.
    pub(crate) unknown: BTreeSet<(String, String)>,
}

/// Closes the logs of all runs that nobody carries out any more.
pub(crate) async fn close_all(state: &State) -> Result<usize, StoreError> {
    let runs = state.store.unfinished().await?;
    for run in &runs {
        close(state, run).await?;
    }
    Ok(runs.len())
}

async fn close(state: &State, run: &Run) -> Result<(), StoreError> {
    let record = record(state, &run.id).await?;
    let session = state.store.session(&run.session).await?;
    // Another server's tools may do anything.
    let own = session.is_some_and(|session| session.mcp.is_none());
    let mut events = Vec::new();
    for execution in record.open_calls() {
        let fate = if own { fate(state, execution).await } else { Fate::Unknown };
        let payload = Record::ended_event(execution, &fate);
        events.push(NewEvent { kind: EventKind::ToolResult, payload });
    }
    let details = "resume it with POST /api/v1/runs/{run_id}/resume, or send it again under the same Idempotency-Key: \
                   what was done is not done again";
    let error = shapes::error(Code::Interrupted, "the server ended before the run did", details);
    events.push(NewEvent {
        kind: EventKind::Status,
        payload: json!({"status": RunState::Interrupted.shown(), "error": error}),
    });
    events.push(NewEvent { kind: EventKind::Chunk, payload: chunk("", true) });
    let first = state.store.last_event(&run.id).await? + 1;
    let ending =
        Ending { state: RunState::Interrupted, error: Some(&error), seconds: None, events: &events, first };
    state.store.end_run(run, ending, state.now()).await
}

/// What became of a call of our own tools. A change and the name of its call are written in one stroke, so an edit that no
/// journal tells of was not made; what writes files itself may have done so all the same.
async fn fate(state: &State, execution: &Execution) -> Fate {
    if mcp::reads(&execution.tool).unwrap_or(false) {
        return Fate::Undone;
    }
    match state.callers.performed(&execution.operation).await {
        Ok(done) if !done.is_empty() => Fate::Done(done),
        Ok(_) if mcp::only_edits(&execution.tool).unwrap_or(false) => Fate::Undone,
        Ok(_) => Fate::Unknown,
        Err(error) => {
            tracing::error!(why = %error.message, "the journals could not be asked for a call");
            Fate::Unknown
        }
    }
}

/// The interrupted runs that a request goes on with, the last of them first.
async fn earlier(state: &State, request: &Request) -> Result<Vec<Run>, ApiError> {
    let mut next = request.resumes.clone();
    let mut runs = Vec::new();
    while let Some(id) = next {
        let run = state.store.run(&id).await?;
        let run = run.ok_or_else(|| ApiError::new(Code::NotFound, "the interrupted run is gone"))?;
        next = Request::of(&run)?.resumes;
        runs.push(run);
    }
    Ok(runs)
}

/// What the operations of the interrupted runs begin with, and the files that they changed: whoever goes on with them
/// saves those as well.
pub(super) async fn work_left(
    state: &State,
    request: &Request,
) -> Result<(Vec<String>, Vec<PathBuf>), ApiError> {
    let (mut begin, mut files) = (Vec::new(), Vec::new());
    for run in earlier(state, request).await? {
        for execution in record(state, &run.id).await?.executions {
            let done = state.callers.performed(&execution.operation).await?;
            files.extend(done.into_iter().filter_map(|done| done.path));
        }
        begin.push(format!("{}/", run.id));
    }
    Ok((begin, files))
}

/// What is known of the run that another goes on with, and of those before it.
pub(super) async fn before(state: &State, request: &Request) -> Result<Before, ApiError> {
    let mut before = Before::default();
    let runs = earlier(state, request).await?;
    for run in runs.iter().rev() {
        let record = record(state, &run.id).await?;
        let unknown = record.executions.iter().filter(|execution| execution.is_unknown());
        before.unknown.extend(
            unknown.map(|call| {
                (call.tool.clone(), serde_json::Value::Object(call.parameters.clone()).to_string())
            }),
        );
        // The person's words are said once.
        let said = record.messages(request, state.agent.limits.result_chars).into_iter().skip(1);
        before.messages.extend(said);
    }
    if !before.messages.is_empty() {
        before.messages.insert(0, Message::user(request.words()));
    }
    // A text that was cut off is no turn: the model says it again.
    while let Some(Message::Assistant { calls, .. }) = before.messages.last()
        && calls.is_empty()
    {
        before.messages.pop();
    }
    Ok(before)
}
