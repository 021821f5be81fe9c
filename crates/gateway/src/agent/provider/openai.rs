//! Chat completions as OpenAI has them and many others speak them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Dialect, Kind, Provider, in_stream_error, parsed};
use crate::agent::{
    conversation::{Message, ToolRequest},
    model::{ModelError, Piece, Prompt, Reply, StopReason},
};
use crate::client::SseEvent;

pub(super) fn body(provider: &Provider, prompt: &Prompt<'_>) -> Value {
    let mut messages = vec![json!({ "role": "system", "content": prompt.system })];
    messages.extend(prompt.messages.iter().map(message));
    // OpenAI's newer models know only the long name, most others only the short one.
    let own = provider.kind == Kind::Azure || provider.base_url.starts_with("https://api.openai.com");
    let most = if own { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({
        "model": provider.model,
        "messages": messages,
        "stream": true,
        "stream_options": { "include_usage": true },
        most: prompt.max_tokens,
    });
    if !prompt.tools.is_empty() {
        let tools = prompt.tools.iter().map(|tool| {
            json!({ "type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.input_schema,
            }})
        });
        body["tools"] = tools.collect();
    }
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::User { text } => json!({ "role": "user", "content": text }),
        Message::Assistant { text, calls } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text })
        }
        Message::Assistant { text, calls } => {
            let calls: Vec<Value> = calls.iter().map(call).collect();
            let content = if text.is_empty() { Value::Null } else { json!(text) };
            json!({ "role": "assistant", "content": content, "tool_calls": calls })
        }
        Message::Tool { call_id, text, is_error, .. } => {
            let content = if *is_error { format!("ERROR: {text}") } else { text.clone() };
            json!({ "role": "tool", "tool_call_id": call_id, "content": content })
        }
    }
}

fn call(call: &ToolRequest) -> Value {
    // A server that parses the arguments of earlier turns must not fail on those that a model got wrong.
    let sound = serde_json::from_str::<Value>(&call.arguments).is_ok_and(|value| value.is_object());
    let arguments = if sound { call.arguments.as_str() } else { "{}" };
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
}

#[derive(Debug, Default)]
pub(super) struct Reader {
    text: String,
    calls: BTreeMap<u64, ToolRequest>,
    refusal: bool,
    finish: Option<String>,
    tokens: Option<(u64, u64)>,
}

impl Dialect for Reader {
    fn event(&mut self, event: &SseEvent) -> Result<Vec<Piece>, ModelError> {
        if event.data.trim() == "[DONE]" {
            return Ok(vec![self.end()?]);
        }
        let event = parsed(event)?;
        if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
            return Err(in_stream_error(error, 500));
        }
        if let Some(usage) = event.get("usage").filter(|usage| usage.is_object()) {
            let count = |name: &str| usage.get(name).and_then(Value::as_u64);
            self.tokens = count("prompt_tokens").zip(count("completion_tokens")).or(self.tokens);
        }
        let mut pieces = Vec::new();
        let Some(choice) = event.pointer("/choices/0") else { return Ok(pieces) };
        if let Some(finish) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish = Some(finish.to_owned());
        }
        let delta = choice.get("delta").unwrap_or(&Value::Null);
        for (field, refuses) in [("content", false), ("refusal", true)] {
            if let Some(text) = delta.get(field).and_then(Value::as_str).filter(|text| !text.is_empty()) {
                self.text.push_str(text);
                self.refusal |= refuses;
                pieces.push(Piece::Text(text.to_owned()));
            }
        }
        for part in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.part(part)?;
        }
        Ok(pieces)
    }

    fn end(&mut self) -> Result<Piece, ModelError> {
        let Some(finish) = self.finish.take() else {
            return Err(ModelError::Cut("it ended before it was complete".to_owned()));
        };
        let calls: Vec<ToolRequest> = std::mem::take(&mut self.calls).into_values().collect();
        let stop = match finish.as_str() {
            "length" => StopReason::Length,
            "content_filter" => StopReason::Refused,
            _ if self.refusal => StopReason::Refused,
            _ if calls.is_empty() => StopReason::Finished,
            _ => StopReason::Calls,
        };
        let text = std::mem::take(&mut self.text);
        Ok(Piece::Done(Reply { text, calls, stop, tokens: self.tokens }))
    }
}

impl Reader {
    fn part(&mut self, part: &Value) -> Result<(), ModelError> {
        let field = |path: &str| part.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty());
        let next = self.calls.keys().last().map_or(0, |last| last + 1);
        // Some servers give no index: a part with a name begins a call, one without continues the last.
        let index = part
            .get("index")
            .and_then(Value::as_u64)
            .unwrap_or_else(|| if field("/function/name").is_some() { next } else { next.saturating_sub(1) });
        if !self.calls.contains_key(&index) && self.calls.len() >= 128 {
            return Err(ModelError::Malformed("more than 128 calls in one answer".to_owned()));
        }
        let call = self.calls.entry(index).or_insert_with(|| ToolRequest {
            id: format!("call_{index}"),
            name: String::new(),
            arguments: String::new(),
        });
        if let Some(id) = field("/id") {
            id.clone_into(&mut call.id);
        }
        if let Some(name) = field("/function/name") {
            call.name.push_str(name);
        }
        match part.pointer("/function/arguments") {
            Some(Value::String(arguments)) => call.arguments.push_str(arguments),
            // Ollama has had them as an object.
            Some(arguments @ Value::Object(_)) => call.arguments = arguments.to_string(),
            _ => {}
        }
        Ok(())
    }
}
