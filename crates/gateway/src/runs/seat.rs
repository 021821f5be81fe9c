//! The tools of this server as a session's agent has them.

use futures::future::BoxFuture;
use mcp::{CancellationToken, Client};
use serde_json::Value;

use crate::agent::{Annotations, Call, CallError, Catalogue, Steps, ToolInfo, ToolResult, Tools};

#[derive(Debug, Clone)]
pub(crate) struct Seat(pub(crate) Client);

impl Tools for Seat {
    fn list(&self) -> BoxFuture<'_, Result<Catalogue, CallError>> {
        let tools = self.0.tools().into_iter().map(|tool| ToolInfo {
            description: tool.description,
            input_schema: tool.input_schema,
            annotations: Annotations {
                read_only: tool.read_only,
                destructive: tool.destructive,
                idempotent: false,
                open_world: false,
            },
            also_asks: mcp::also_asks(&tool.name),
            name: tool.name,
        });
        let tools = tools.collect();
        Box::pin(async move { Ok(tools) })
    }

    fn only_asked<'a>(
        &'a self,
        call: &'a Call,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Option<ToolResult>> {
        Box::pin(async move {
            let asked = self.0.only_asked(&call.name, call.arguments.clone(), cancel.clone()).await?;
            Some(result(asked))
        })
    }

    fn call<'a>(
        &'a self,
        call: &'a Call,
        cancel: &'a CancellationToken,
        progress: Steps,
    ) -> BoxFuture<'a, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let seat = self.0.under(&call.operation);
            let called = seat.call(&call.name, call.arguments.clone(), cancel.clone(), Some(progress)).await;
            let called = called.map_err(CallError::NoSuchTool)?;
            let said = |name: &str| called.error.as_ref().and_then(|error| error.get(name)?.as_str());
            // A tool stops between two steps and before it writes, so one that was stopped did nothing.
            if called.failed && said("code") == Some("CANCELLED") && cancel.is_cancelled() {
                return Err(CallError::Cancelled);
            }
            if called.failed && said("written").is_some_and(|written| written.starts_with("unknown")) {
                return Err(CallError::Unknown(called.text()));
            }
            Ok(result(called))
        })
    }
}

fn result(called: mcp::CallResult) -> ToolResult {
    ToolResult {
        content: called.content,
        structured: called.structured.filter(Value::is_object),
        is_error: called.failed,
        error: called.error,
    }
}
