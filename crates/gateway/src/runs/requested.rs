//! A call that a client asked for, as the first thing that a model says: it then takes the road of every call.

use futures::{future::BoxFuture, stream};
use serde_json::Value;

use super::ToolAsked;
use crate::agent::{Message, Model, ModelError, Piece, Pieces, Prompt, Reply, StopReason, ToolRequest};

/// What the ids of such calls begin with.
const ID: &str = "requested_";

pub(super) struct Requested<'a> {
    pub(super) tool: &'a ToolAsked,
    pub(super) then: &'a dyn Model,
}

impl Model for Requested<'_> {
    fn name(&self) -> &str {
        self.then.name()
    }

    fn prices(&self) -> Option<(f64, f64)> {
        self.then.prices()
    }

    fn ask<'a>(&'a self, prompt: &'a Prompt<'a>) -> BoxFuture<'a, Result<Pieces<'a>, ModelError>> {
        if has_been_made(prompt.messages) {
            return self.then.ask(prompt);
        }
        let call = ToolRequest {
            id: format!("{ID}{}", prompt.messages.len()),
            name: self.tool.tool_name.clone(),
            arguments: Value::Object(self.tool.parameters.clone()).to_string(),
        };
        said(vec![call])
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), ModelError>> {
        self.then.probe()
    }
}

fn has_been_made(messages: &[Message]) -> bool {
    let since = messages.iter().rev().take_while(|message| !matches!(message, Message::User { .. }));
    since.into_iter().any(|message| match message {
        Message::Assistant { calls, .. } => calls.iter().any(|call| call.id.starts_with(ID)),
        Message::User { .. } | Message::Tool { .. } => false,
    })
}

/// Says nothing: a tool that is called alone needs no words.
pub(super) struct Nothing;

impl Model for Nothing {
    fn name(&self) -> &'static str {
        "none"
    }

    fn ask<'a>(&'a self, _: &'a Prompt<'a>) -> BoxFuture<'a, Result<Pieces<'a>, ModelError>> {
        said(Vec::new())
    }

    fn probe(&self) -> BoxFuture<'_, Result<(), ModelError>> {
        Box::pin(async { Ok(()) })
    }
}

fn said<'a>(calls: Vec<ToolRequest>) -> BoxFuture<'a, Result<Pieces<'a>, ModelError>> {
    let stop = if calls.is_empty() { StopReason::Finished } else { StopReason::Calls };
    let reply = Reply { text: String::new(), calls, stop, tokens: Some((0, 0)) };
    Box::pin(async move { Ok(Box::pin(stream::iter([Ok(Piece::Done(reply))])) as Pieces<'a>) })
}
