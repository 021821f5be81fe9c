//! What happens during a run, in order, as it happens.

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::{
    approval::{ApprovalRequest, Decision},
    limits::Usage,
    tools::{CallError, Step, ToolResult},
};

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    Status(Status),
    /// A piece of the answer.
    Text(String),
    ToolCall {
        call_id: String,
        operation: String,
        tool: String,
        arguments: Map<String, Value>,
    },
    ApprovalNeeded(ApprovalRequest),
    ApprovalDecided {
        id: String,
        decision: Decision,
    },
    /// How far a call is.
    Progress {
        call_id: String,
        operation: String,
        tool: String,
        step: Step,
    },
    /// The end of a call that began, was refused or was not understood.
    ToolResult {
        call_id: String,
        operation: String,
        tool: String,
        result: Result<ToolResult, CallError>,
        seconds: f64,
    },
    /// All of the run so far.
    Usage(Usage),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// The model is asked; the number of the turn, from 1.
    Thinking { turn: u32 },
    /// The provider failed in a way that passes, and is asked again.
    Retrying { attempt: u32, wait_millis: u64, why: String },
}

/// Where events go; it returns when the event is kept. A run whose events cannot be kept ends.
pub trait Sink: Send + Sync {
    fn event(&self, event: Event) -> BoxFuture<'_, Result<(), SinkError>>;
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what happened could not be recorded: {0}")]
pub struct SinkError(pub String);
