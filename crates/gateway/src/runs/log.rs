//! Where the events of a run go: kept first, then told.
//!
//! Pieces of text that come within 50 ms are one event, because a model sends them by the word and each event is a
//! line in the database.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, sleep_until},
};

use super::{
    live::LiveRun,
    shapes::{called_event, failure},
};
use crate::{
    agent::{self, Decision, SinkError},
    api::state::State,
    store::{EventKind, NewEvent, Run},
};

const JOINED: Duration = Duration::from_millis(50);
/// Between tries to keep an event; twice as long each time, some six seconds in all.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LAST_PAUSE: Duration = Duration::from_millis(3200);
/// As much text is one event at most.
const LONGEST: usize = 16 << 10;

/// The log of one run, which has one writer.
#[derive(Debug)]
pub(crate) struct Log {
    entries: mpsc::Sender<Entry>,
    live: Arc<LiveRun>,
}

#[derive(Debug)]
enum Entry {
    Text(String),
    Event(NewEvent, oneshot::Sender<Result<(), SinkError>>),
    /// No more; what is left of the text, and the number of the next event.
    End(oneshot::Sender<Result<(String, i64), SinkError>>),
}

struct Writer {
    state: Arc<State>,
    live: Arc<LiveRun>,
    run: Run,
    next: i64,
    text: String,
    since: Option<Instant>,
    /// A write failed; the next one who waits hears of it.
    failed: Option<SinkError>,
}

impl Writer {
    /// Counts a call of a tool that has come to its end.
    fn measure(&self, event: &NewEvent) {
        if event.kind == EventKind::ToolResult
            && let Some(seconds) = event.payload.get("execution_time").and_then(Value::as_f64)
        {
            let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            self.state.metrics.tool(event.payload.get("error").is_none_or(Value::is_null), time);
        }
    }
}

impl Log {
    pub(crate) fn begin(state: &Arc<State>, run: &Run, live: &Arc<LiveRun>) -> Self {
        // A run that is faster than the disk waits for it.
        let (entries, received) = mpsc::channel(64);
        let writer = Writer {
            state: state.clone(),
            live: live.clone(),
            run: run.clone(),
            next: 1,
            text: String::new(),
            since: None,
            failed: None,
        };
        tokio::spawn(writer.write(received));
        Self { entries, live: live.clone() }
    }

    pub(crate) async fn add(&self, kind: EventKind, payload: Value) -> Result<(), SinkError> {
        let (done, kept) = oneshot::channel();
        self.entries.send(Entry::Event(NewEvent { kind, payload }, done)).await.map_err(|_| gone())?;
        kept.await.map_err(|_| gone())?
    }

    /// What is left of the text, and the number that the next event has.
    pub(crate) async fn end(self) -> Result<(String, i64), SinkError> {
        let (done, left) = oneshot::channel();
        self.entries.send(Entry::End(done)).await.map_err(|_| gone())?;
        left.await.map_err(|_| gone())?
    }

    async fn keep(&self, event: agent::Event) -> Result<(), SinkError> {
        match event {
            agent::Event::Text(text) => self.entries.send(Entry::Text(text)).await.map_err(|_| gone()),
            agent::Event::ApprovalNeeded(request) => {
                self.live.expect(&request.id);
                let payload = json!({
                    "approval_id": request.id,
                    "call_id": request.call_id,
                    "tool_name": request.tool,
                    "parameters": request.arguments,
                    "destructive": request.annotations.destructive && !request.annotations.read_only,
                    "expires_in": request.expires_in.as_secs_f64(),
                });
                self.add(EventKind::ApprovalNeeded, payload).await?;
                self.live.waits(true);
                Ok(())
            }
            agent::Event::ApprovalDecided { id, decision } => {
                self.live.waits(false);
                let (decision, reason) = match decision {
                    Decision::Approved => ("approved", None),
                    Decision::Denied { reason } => ("denied", reason),
                    Decision::Expired => ("expired", None),
                };
                let by = self.live.decider(&id);
                let payload = json!({"approval_id": id, "decision": decision, "reason": reason, "by": by});
                self.add(EventKind::ApprovalDecided, payload).await
            }
            agent::Event::Status(agent::Status::Thinking { turn }) => {
                self.add(EventKind::Status, json!({"status": "thinking", "turn": turn})).await
            }
            agent::Event::Status(agent::Status::Retrying { attempt, wait_millis, why }) => {
                let wait = Duration::from_millis(wait_millis).as_secs_f64();
                let payload = json!({"status": "retrying", "attempt": attempt, "wait": wait, "reason": why});
                self.add(EventKind::Status, payload).await
            }
            agent::Event::ToolCall { call_id, operation, tool, arguments } => {
                let payload = json!({
                    "call_id": call_id, "operation_id": operation, "tool_name": tool, "parameters": arguments,
                });
                self.add(EventKind::ToolCall, payload).await
            }
            agent::Event::Progress { call_id, operation, tool, step } => {
                let payload = json!({
                    "call_id": call_id, "operation_id": operation, "tool_name": tool,
                    "done": step.done, "total": step.total, "message": step.message,
                });
                self.add(EventKind::Progress, payload).await
            }
            agent::Event::ToolResult { call_id, operation, tool, result, seconds } => {
                let suggestions = result.as_ref().ok().and_then(super::shapes::suggestions);
                let error = failure(&tool, &result);
                let payload = called_event(&call_id, &operation, &tool, (result, error), seconds);
                self.add(EventKind::ToolResult, payload).await?;
                match suggestions {
                    Some(suggestions) => {
                        let payload =
                            json!({"operation_id": operation, "tool_name": tool, "suggestions": suggestions});
                        self.add(EventKind::Suggestion, payload).await
                    }
                    None => Ok(()),
                }
            }
            agent::Event::Usage(usage) => {
                let payload = serde_json::to_value(usage).map_err(|error| SinkError(error.to_string()))?;
                self.add(EventKind::Usage, payload).await
            }
        }
    }
}

impl agent::Sink for Log {
    fn event(&self, event: agent::Event) -> BoxFuture<'_, Result<(), SinkError>> {
        Box::pin(self.keep(event))
    }
}

fn gone() -> SinkError {
    SinkError("the log has ended".to_owned())
}

impl Writer {
    async fn write(mut self, mut entries: mpsc::Receiver<Entry>) {
        loop {
            let due = self.since.map(|since| since + JOINED);
            let entry = tokio::select! {
                entry = entries.recv() => entry,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.flush().await;
                    continue;
                }
            };
            match entry {
                Some(Entry::Text(text)) => {
                    self.text.push_str(&text);
                    self.since.get_or_insert_with(Instant::now);
                    if self.text.len() >= LONGEST {
                        self.flush().await;
                    }
                }
                Some(Entry::Event(event, done)) => {
                    self.flush().await;
                    self.measure(&event);
                    let kept = match self.failed.take() {
                        Some(failed) => Err(failed),
                        None => self.store(event).await,
                    };
                    // A run that has ended meanwhile needs no answer.
                    let _ = done.send(kept);
                }
                Some(Entry::End(done)) => {
                    let left = match self.failed.take() {
                        Some(failed) => Err(failed),
                        None => Ok((std::mem::take(&mut self.text), self.next)),
                    };
                    let _ = done.send(left);
                    return;
                }
                None => {
                    self.flush().await;
                    return;
                }
            }
        }
    }

    async fn flush(&mut self) {
        self.since = None;
        if self.text.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.text);
        let event = NewEvent { kind: EventKind::Chunk, payload: chunk(&text, false) };
        if let Err(failed) = self.store(event).await {
            self.failed = Some(failed);
        }
    }

    async fn store(&mut self, event: NewEvent) -> Result<(), SinkError> {
        let (store, run) = (&self.state.store, &self.run);
        let mut pause = FIRST_PAUSE;
        let mut again = false;
        loop {
            let kept = store.append_event(&run.session, &run.id, self.next, &event, self.state.now()).await;
            match kept {
                Ok(()) => break,
                // It was kept, and the answer was lost.
                Err(error) if again && error.is_there_already() => break,
                // A database that is started anew, or a disk that is full for a moment, ends no run.
                Err(error) if error.may_pass() && pause <= LAST_PAUSE => {
                    tracing::warn!(%error, "an event of a run is not kept yet");
                    tokio::time::sleep(pause).await;
                    (pause, again) = (pause * 2, true);
                }
                Err(error) => return Err(SinkError(error.to_string())),
            }
        }
        self.live.reached(self.next);
        self.next += 1;
        Ok(())
    }
}

/// A piece of the answer as the contract writes it.
pub(crate) fn chunk(text: &str, is_complete: bool) -> Value {
    json!({"chunk": text, "is_complete": is_complete})
}
