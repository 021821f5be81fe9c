//! What a client has said once and for all, and a new desk has to be told again.

use std::collections::BTreeSet;

use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(crate) struct Handshake {
    /// The client's `initialize`.
    opening: Option<Opening>,
    /// Whether it said that it is done with the handshake.
    initialized: bool,
    subscriptions: BTreeSet<String>,
    level: Option<Value>,
    /// Requests that were made in the client's name; it must not see their answers.
    repeated: Vec<Value>,
    count: u64,
}

#[derive(Debug)]
struct Opening {
    message: Value,
    /// Until then it is a request like others.
    answered: bool,
}

impl Handshake {
    /// Takes note of a request of the client.
    pub(crate) fn asked(&mut self, method: &str, line: &[u8]) {
        if !matches!(
            method,
            "initialize" | "resources/subscribe" | "resources/unsubscribe" | "logging/setLevel"
        ) {
            return;
        }
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return };
        let uri = message.pointer("/params/uri").and_then(Value::as_str);
        match (method, uri) {
            ("initialize", _) => {
                self.opening = Some(Opening { message, answered: false });
                self.initialized = false;
            }
            ("resources/subscribe", Some(uri)) => {
                self.subscriptions.insert(uri.to_owned());
            }
            ("resources/unsubscribe", Some(uri)) => {
                self.subscriptions.remove(uri);
            }
            ("logging/setLevel", _) => self.level = message.get("params").cloned(),
            _ => {}
        }
    }

    pub(crate) fn notified(&mut self, method: &str) {
        self.initialized |= method == "notifications/initialized";
    }

    pub(crate) fn answered(&mut self, id: &Value) {
        if let Some(opening) = &mut self.opening
            && opening.message.get("id") == Some(id)
        {
            opening.answered = true;
        }
    }

    /// Whether this answers something that was asked in the client's name.
    pub(crate) fn swallows(&mut self, id: &Value) -> bool {
        let position = self.repeated.iter().position(|repeated| repeated == id);
        position.map(|position| self.repeated.swap_remove(position)).is_some()
    }

    /// What to tell the client then: nobody told it of changes while there was no desk.
    pub(crate) fn missed(&self) -> Vec<Value> {
        let updated = |uri| json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": { "uri": uri } });
        self.subscriptions.iter().map(updated).collect()
    }

    /// What to say to a new desk before anything else.
    pub(crate) fn again(&mut self) -> Vec<Value> {
        self.repeated.clear();
        let Some(Opening { message, answered: true }) = &self.opening else { return Vec::new() };
        let mut messages = vec![message.clone()];
        if self.initialized {
            messages.push(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        let request =
            |method, params| json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params });
        messages.extend(self.level.iter().map(|level| request("logging/setLevel", level.clone())));
        let subscriptions = self.subscriptions.iter();
        messages.extend(subscriptions.map(|uri| request("resources/subscribe", json!({ "uri": uri }))));
        for message in messages.iter_mut().filter_map(|message| message.get_mut("id")) {
            // No client uses such an id.
            self.count += 1;
            *message = json!(format!("docwright-again-{}", self.count));
            self.repeated.push(message.clone());
        }
        messages
    }
}
