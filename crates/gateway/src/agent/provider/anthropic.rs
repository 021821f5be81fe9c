//! Messages as Anthropic has them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Dialect, in_stream_error, parsed};
use crate::agent::{
    conversation::{Message, ToolRequest},
    model::{ModelError, Piece, Prompt, Reply, StopReason},
};
use crate::client::SseEvent;

pub(super) fn body(model: &str, prompt: &Prompt<'_>) -> Value {
    let mut body = json!({
        "model": model,
        "system": prompt.system,
        "messages": messages(prompt.messages),
        "max_tokens": prompt.max_tokens,
        "stream": true,
    });
    if !prompt.tools.is_empty() {
        let tools = prompt.tools.iter().map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "input_schema": tool.input_schema })
        });
        body["tools"] = tools.collect();
    }
    body
}

/// Results of tools are what a user says here, and all results of one turn must be one message.
fn messages(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message {
            Message::User { text } => ("user", text_block(text)),
            Message::Assistant { text, calls } => {
                let mut blocks = text_block(text);
                blocks.extend(calls.iter().map(|call| {
                    let input: Value = serde_json::from_str(&call.arguments)
                        .ok()
                        .filter(Value::is_object)
                        .unwrap_or_else(|| json!({}));
                    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
                }));
                ("assistant", blocks)
            }
            Message::Tool { call_id, text, is_error, .. } => {
                let block = json!({
                    "type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error,
                });
                ("user", vec![block])
            }
        };
        match turns.last_mut() {
            Some((last, all)) if *last == role => all.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => turns.push((role, blocks)),
        }
    }
    turns.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

/// Empty text is refused there.
fn text_block(text: &str) -> Vec<Value> {
    if text.trim().is_empty() { Vec::new() } else { vec![json!({ "type": "text", "text": text })] }
}

#[derive(Debug, Default)]
pub(super) struct Reader {
    text: String,
    calls: BTreeMap<u64, ToolRequest>,
    stop: Option<String>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

impl Dialect for Reader {
    fn event(&mut self, event: &SseEvent) -> Result<Vec<Piece>, ModelError> {
        let event = parsed(event)?;
        let index = event.get("index").and_then(Value::as_u64);
        let mut pieces = Vec::new();
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => {
                let count =
                    |name: &str| event.pointer(&format!("/message/usage/{name}")).and_then(Value::as_u64);
                let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"].map(count);
                let cached: u64 = cached.into_iter().flatten().sum();
                self.input_tokens = count("input_tokens").map(|fresh| fresh + cached);
            }
            Some("content_block_start") => self.block(index, &event)?,
            Some("content_block_delta") => {
                let delta = |name: &str| event.pointer(&format!("/delta/{name}")).and_then(Value::as_str);
                if let Some(text) = delta("text") {
                    self.text.push_str(text);
                    pieces.push(Piece::Text(text.to_owned()));
                }
                if let Some(part) = delta("partial_json") {
                    let call = index.and_then(|index| self.calls.get_mut(&index));
                    let call =
                        call.ok_or_else(|| ModelError::Malformed("arguments of no call".to_owned()))?;
                    call.arguments.push_str(part);
                }
            }
            Some("message_delta") => {
                if let Some(stop) = event.pointer("/delta/stop_reason").and_then(Value::as_str) {
                    self.stop = Some(stop.to_owned());
                }
                self.output_tokens =
                    event.pointer("/usage/output_tokens").and_then(Value::as_u64).or(self.output_tokens);
            }
            Some("message_stop") => pieces.push(self.end()?),
            Some("error") => {
                let error = event.get("error").unwrap_or(&Value::Null);
                let status = match error.get("type").and_then(Value::as_str) {
                    Some("overloaded_error") => 529,
                    Some("rate_limit_error") => 429,
                    Some("invalid_request_error") => 400,
                    _ => 500,
                };
                return Err(in_stream_error(error, status));
            }
            // Pings, ends of blocks, and kinds that are yet to come.
            _ => {}
        }
        Ok(pieces)
    }

    fn end(&mut self) -> Result<Piece, ModelError> {
        let Some(stop) = self.stop.take() else {
            return Err(ModelError::Cut("it ended before it was complete".to_owned()));
        };
        let calls: Vec<ToolRequest> = std::mem::take(&mut self.calls).into_values().collect();
        let stop = match stop.as_str() {
            "max_tokens" => StopReason::Length,
            "refusal" => StopReason::Refused,
            _ if calls.is_empty() => StopReason::Finished,
            _ => StopReason::Calls,
        };
        let text = std::mem::take(&mut self.text);
        Ok(Piece::Done(Reply { text, calls, stop, tokens: self.input_tokens.zip(self.output_tokens) }))
    }
}

impl Reader {
    fn block(&mut self, index: Option<u64>, event: &Value) -> Result<(), ModelError> {
        let field = |name: &str| event.pointer(&format!("/content_block/{name}")).and_then(Value::as_str);
        if field("type") != Some("tool_use") {
            return Ok(());
        }
        let (Some(index), Some(id), Some(name)) = (index, field("id"), field("name")) else {
            return Err(ModelError::Malformed("a call without index, id or name".to_owned()));
        };
        let call = ToolRequest { id: id.to_owned(), name: name.to_owned(), arguments: String::new() };
        self.calls.insert(index, call);
        Ok(())
    }
}
