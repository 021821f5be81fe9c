//! What a tool is given beside its input: the workspace, a way to hear that it was cancelled, and a way to
//! say how far it is.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};
use tokio::{runtime::Handle, sync::mpsc, time::Instant};
use tokio_util::sync::CancellationToken;
use workspace::{DocId, WindowLabel, Workspace};

use crate::{
    error::ToolError,
    wire::{self, Window},
};

/// The context of one call.
#[derive(Debug)]
pub struct Cx<'a> {
    /// The place of the caller on whose behalf the tool works.
    pub workspace: &'a Workspace,
    pub cancel: Cancel,
    pub progress: Progress,
    /// Whether the tool shows and changes nothing.
    pub(crate) reads: bool,
    /// What this server offers.
    pub(crate) catalogue: &'a Catalogue,
}

/// What the server offers, by name.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    pub(crate) tools: Vec<&'static str>,
    pub(crate) resources: Vec<&'static str>,
    pub(crate) read_only: bool,
}

impl Cx<'_> {
    /// The window a caller means and the document in front of it, as it is on disk and in memory by now.
    pub(crate) fn document(&self, window: Option<Window>) -> Result<(WindowLabel, DocId), ToolError> {
        let (label, document) = self.unrefreshed(window)?;
        self.workspace.refresh(document)?;
        self.shows(document)?;
        Ok((label, document))
    }

    /// A tool that reads shows its caller the document as it is now.
    pub(crate) fn shows(&self, document: DocId) -> Result<(), ToolError> {
        if self.reads {
            self.workspace.has_seen(document, self.workspace.status(document)?.revision);
        }
        Ok(())
    }

    /// The same without taking in what other programs wrote, for saving, which must notice it.
    pub(crate) fn unrefreshed(&self, window: Option<Window>) -> Result<(WindowLabel, DocId), ToolError> {
        Ok(self.workspace.meant(window.as_ref().map(Window::as_str))?)
    }

    /// The window a caller means; `None` is the focused one.
    pub(crate) fn window(&self, window: Option<Window>) -> Result<Option<WindowLabel>, ToolError> {
        let label = window.map(|window| self.workspace.window_of(window.as_str()));
        Ok(label.transpose()?)
    }

    /// How answers name a document.
    pub(crate) fn file(&self, document: DocId) -> Result<String, ToolError> {
        Ok(wire::file(&self.workspace.status(document)?))
    }
}

/// Whether the caller still wants the answer. Long work asks between steps, and before it writes.
#[derive(Debug, Clone, Default)]
pub struct Cancel(CancellationToken);

impl Cancel {
    pub(crate) fn new(token: CancellationToken) -> Self {
        Self(token)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// An error to return with `?` once the call was cancelled.
    pub fn check(&self) -> Result<(), ToolError> {
        if self.is_cancelled() {
            return Err(ToolError::new(ToolError::CANCELLED, "the call was cancelled"));
        }
        Ok(())
    }
}

/// Tells the caller how far the work is, if the caller asked to be told.
///
/// Clients drop progress that does not increase, and a notification per row would cost more than the work,
/// so reports are filtered here and tools may call as often as they like.
#[derive(Debug, Default)]
pub struct Progress(Option<Reporter>);

#[derive(Debug)]
struct Reporter {
    listener: Listener,
    last: Mutex<Option<(f64, Instant)>>,
}

/// Who hears how far a call is.
#[derive(Debug, Clone)]
pub(crate) enum Listener {
    Client { token: ProgressToken, peer: Peer<RoleServer>, runtime: Handle },
    InProcess(mpsc::UnboundedSender<Step>),
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub done: f64,
    pub total: Option<f64>,
    pub message: Option<String>,
}

/// At most ten reports a second.
const PAUSE: Duration = Duration::from_millis(100);
/// A caller that does not read does not hold up the work for longer than this.
const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    pub(crate) fn new(listener: Option<Listener>) -> Self {
        Self(listener.map(|listener| Reporter { listener, last: Mutex::new(None) }))
    }

    /// Reports that `done` of `total` steps are done. Called from the blocking thread a tool runs on.
    pub fn report(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let Some(reporter) = &self.0 else { return };
        if reporter.is_due(done) {
            reporter.listener.hear(Step { done, total, message: message.map(str::to_owned) });
        }
    }
}

impl Listener {
    fn hear(&self, step: Step) {
        match self {
            Listener::Client { token, peer, runtime } => {
                let mut report = ProgressNotificationParam::new(token.clone(), step.done);
                report.total = step.total;
                report.message = step.message;
                let sent = runtime
                    .block_on(async { tokio::time::timeout(PATIENCE, peer.notify_progress(report)).await });
                if !matches!(sent, Ok(Ok(()))) {
                    tracing::debug!("a progress report was not delivered");
                }
            }
            Listener::InProcess(steps) => {
                // Whoever asked may have gone; the work goes on.
                let _ = steps.send(step);
            }
        }
    }
}

impl Reporter {
    fn is_due(&self, done: f64) -> bool {
        let now = Instant::now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|(before, at)| done <= before || now < at + PAUSE) {
            return false;
        }
        *last = Some((done, now));
        true
    }
}
