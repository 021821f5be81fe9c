//! The server: the desk, and the threads on which everybody's calls run.
//!
//! One [`Server`] serves every client and every transport; a [`Connection`](crate::Connection) is one client's view of
//! it. Tools run on blocking threads, a bounded number at a time, except those that only glance at memory. A call that
//! waits for something to happen holds no thread meanwhile; a panic in one is an answer like any other.

use std::{
    any::Any,
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Once},
    time::Duration,
};

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::Value;
use tokio::{
    sync::{Semaphore, broadcast},
    time::Instant,
};
use tokio_util::sync::CancellationToken;
use workspace::{Desk, Notice, Stop, Workspace};

use crate::{
    call_thread::CallThread,
    cx::{Cancel, Cx, Listener, Progress},
    error::ToolError,
    offer::Offer,
    tool::{Called, error_result},
};

/// What a call runs under, whoever makes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Terms {
    pub(crate) cancel: CancellationToken,
    pub(crate) listener: Option<Listener>,
}

/// How often the watching thread looks whether the server is still there.
const WATCH: Duration = Duration::from_secs(2);

/// Work that takes longer is stopped; waiting does not count.
const CALL_TIME: Duration = Duration::from_secs(10 * 60);

#[derive(Debug)]
pub struct Server {
    pub(crate) desk: Arc<Desk>,
    threads: Arc<Semaphore>,
    /// How many permits `threads` has when no call is running.
    most: usize,
    call_thread: CallThread,
    /// Beats when something happened at the desk, whoever did it.
    changes: Arc<broadcast::Sender<()>>,
    watching: Once,
    call_time: Duration,
}

impl Server {
    pub fn new(desk: Arc<Desk>) -> Self {
        let most = std::thread::available_parallelism().map_or(4, NonZero::get).clamp(4, 32);
        Self {
            desk,
            threads: Arc::new(Semaphore::new(most)),
            call_thread: CallThread::default(),
            most,
            changes: Arc::new(broadcast::Sender::new(16)),
            watching: Once::new(),
            call_time: CALL_TIME,
        }
    }

    pub fn desk(&self) -> &Arc<Desk> {
        &self.desk
    }

    /// With another limit on the time that a call may work.
    #[must_use]
    pub fn with_call_time(self, call_time: Duration) -> Self {
        Self { call_time, ..self }
    }

    /// Hears of every change from now on. The desk is watched from the first subscriber on, by a thread that ends with
    /// the server.
    pub(crate) fn changes(&self) -> broadcast::Receiver<()> {
        self.watching.call_once(|| {
            let (desk, changes) = (self.desk.clone(), Arc::downgrade(&self.changes));
            let mut seen = desk.beat();
            std::thread::spawn(move || {
                while let Some(changes) = changes.upgrade() {
                    let beat = desk.wait_for_change(seen, WATCH);
                    if beat != std::mem::replace(&mut seen, beat) {
                        // Nobody listening is not a failure.
                        let _ = changes.send(());
                    }
                }
            });
        });
        self.changes.subscribe()
    }

    /// Runs a tool for a client, and again after each change as long as its answer waits for one.
    pub(crate) async fn call(
        &self,
        offer: &Arc<Offer>,
        index: usize,
        arguments: Option<JsonObject>,
        terms: Terms,
        workspace: Workspace,
    ) -> CallToolResult {
        let begun = Instant::now();
        let mut changes = None;
        loop {
            let called = self.run(offer, index, arguments.clone(), &terms, workspace.clone()).await;
            let called = called.unwrap_or_else(|error| Called::done(error_result(&error)));
            let left = called.again.and_then(|time| time.checked_sub(begun.elapsed()));
            let Some(left) = left.filter(|left| !left.is_zero() && !terms.cancel.is_cancelled()) else {
                return with_notices(called.result, &workspace.notices());
            };
            match &mut changes {
                // Once more, for what happened before anybody listened.
                None => changes = Some(self.changes()),
                Some(changes) => tokio::select! {
                    _ = changes.recv() => {}
                    () = tokio::time::sleep(left) => {}
                    () = terms.cancel.cancelled() => {}
                },
            }
        }
    }

    async fn run(
        &self,
        offer: &Arc<Offer>,
        index: usize,
        arguments: Option<JsonObject>,
        terms: &Terms,
        workspace: Workspace,
    ) -> Result<Called, ToolError> {
        let progress = Progress::new(terms.listener.clone());
        let (token, end) = (terms.cancel.clone(), Instant::now() + self.call_time);
        let cancel = Cancel::new(token.clone());
        let workspace = workspace.until(Stop::when(move || token.is_cancelled() || Instant::now() >= end));
        let offer = offer.clone();
        let at_once = offer.tools.get(index).is_some_and(|tool| tool.about.hints.at_once);
        let call = move || {
            let tool = offer.tools.get(index);
            let tool =
                tool.ok_or_else(|| ToolError::new(ToolError::INTERNAL, "a tool that is not offered"))?;
            let catalogue = &offer.catalogue;
            let reads = tool.about.hints.read_only;
            Ok(tool.call(&Cx { workspace: &workspace, cancel, progress, reads, catalogue }, arguments))
        };
        // With another call running, even a glance may wait for a lock, and must not keep the reader waiting.
        let called = if at_once && self.threads.available_permits() == self.most {
            catch_unwind(AssertUnwindSafe(call)).map_err(panicked)
        } else {
            self.on_thread(&terms.cancel, call).await
        };
        let called = called.and_then(|called| called)?;
        match called.cancelled && Instant::now() >= end {
            true => Err(ToolError::timed_out(self.call_time)),
            false => Ok(called),
        }
    }

    /// Runs `work` on a blocking thread, of which a bounded number is busy at a time.
    pub(crate) async fn on_thread<T: Send + 'static>(
        &self,
        cancelled: &CancellationToken,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let permit = tokio::select! {
            permit = self.threads.clone().acquire_owned() => permit.ok(),
            () = cancelled.cancelled() => None,
        };
        let Some(permit) = permit else {
            return Err(ToolError::new(ToolError::CANCELLED, "the call was cancelled before it began"));
        };
        let work = move || {
            let done = work();
            drop(permit);
            done
        };
        let stopped = || ToolError::new(ToolError::CANCELLED, "the call was stopped with the server");
        match self.call_thread.take(work) {
            Ok(done) => done.await.map_err(|_| stopped())?.map_err(panicked),
            Err(work) => {
                tokio::task::spawn_blocking(work).await.map_err(|failed| match failed.try_into_panic() {
                    Ok(panic) => panicked(panic),
                    Err(_) => stopped(),
                })
            }
        }
    }
}

/// The answer to a call that panicked: it is logged and survived, and the caller is told what to do.
fn panicked(panic: Box<dyn Any + Send>) -> ToolError {
    let why = panic_text(panic);
    tracing::error!(%why, "a call panicked");
    let mut error = ToolError::new(ToolError::INTERNAL, format!("the call failed unexpectedly: {why}"))
        .hint("this is a defect of the server; read the document again before going on");
    error.written = Some("unknown; the file on disk is as it was unless it was being saved".to_owned());
    error
}

/// Adds what happened since the client's last call, such as a person's decision about its suggestion.
fn with_notices(mut result: CallToolResult, notices: &[Notice]) -> CallToolResult {
    if notices.is_empty() {
        return result;
    }
    let lines: Vec<String> = notices.iter().map(Notice::to_string).collect();
    result.content.push(ContentBlock::text(format!("Since your last call:\n- {}", lines.join("\n- "))));
    if let Some(Value::Object(structured)) = &mut result.structured_content {
        structured.insert("notices".to_owned(), lines.into());
    }
    result
}

fn panic_text(panic: Box<dyn Any + Send>) -> String {
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => {
            panic.downcast::<&str>().map_or_else(|_| "no reason given".to_owned(), |text| (*text).to_owned())
        }
    }
}
