//! An MCP client over a pair of line streams: one request at a time, and its answer.

use std::io::{BufRead, Write};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::decisions::LOST;
use crate::report::Failure;

pub(super) struct Client {
    from: Box<dyn BufRead + Send>,
    to: Box<dyn Write + Send>,
    last: u64,
}

impl Client {
    /// Shakes hands with the server at the other end.
    pub(super) fn open(
        from: impl BufRead + Send + 'static,
        to: impl Write + Send + 'static,
    ) -> Result<Self, Failure> {
        let mut client = Self { from: Box::new(from), to: Box::new(to), last: 0 };
        let name = json!({ "name": "docwright review", "version": env!("CARGO_PKG_VERSION") });
        client.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": name }),
        )?;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// What a tool answers, or why it refuses.
    pub(super) fn call<T: DeserializeOwned>(&mut self, tool: &str, arguments: Value) -> Result<T, Failure> {
        let mut result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))?;
        if result["isError"] == true {
            return Err(refused(&result));
        }
        serde_json::from_value(result["structuredContent"].take()).map_err(|error| {
            Failure::new("PROTOCOL", format!("{tool} answered in a way that is not understood: {error}"))
        })
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.last += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }))?;
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line).map_err(|error| lost(&error.to_string()))? == 0 {
                return Err(lost("it hung up"));
            }
            let mut answer: Value = serde_json::from_str(&line).map_err(|error| lost(&error.to_string()))?;
            // Notices to everybody, and answers that nobody waits for any more.
            if answer["id"] != self.last {
                continue;
            }
            if let Some(message) = answer["error"]["message"].as_str() {
                return Err(Failure::new("PROTOCOL", message));
            }
            return Ok(answer["result"].take());
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let sent = writeln!(self.to, "{message}").and_then(|()| self.to.flush());
        sent.map_err(|error| lost(&error.to_string()))
    }
}

fn lost(why: &str) -> Failure {
    Failure::new(LOST, format!("the connection to the documents is lost: {why}"))
        .with_hint("start again; what was decided is kept")
}

/// The error as the server keeps it for programs.
fn refused(result: &Value) -> Failure {
    let record = &result["_meta"]["docwright/error"];
    let text = |field: &str| record[field].as_str();
    match (text("code"), text("message")) {
        (Some(code), Some(message)) => {
            let failure = Failure::new(code, message);
            match text("hint") {
                Some(hint) => failure.with_hint(hint),
                None => failure,
            }
        }
        _ => {
            let told = result["content"][0]["text"].as_str().unwrap_or("it was refused without a reason");
            Failure::new("REFUSED", told)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A server that says what it was told to say, whatever it hears.
    fn told(lines: &[Value]) -> Result<Client, Failure> {
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        Client::open(Cursor::new(lines.concat().into_bytes()), std::io::sink())
    }

    #[test]
    fn answers_are_found_among_other_messages() {
        let mut client = told(&[
            json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
            json!({ "jsonrpc": "2.0", "method": "notifications/progress" }),
            json!({ "jsonrpc": "2.0", "id": 2, "result": { "isError": false, "structuredContent": { "said": 1 } } }),
            json!({ "jsonrpc": "2.0", "id": 3, "result": { "isError": true,
                "_meta": { "docwright/error": { "code": "GONE", "message": "it is gone", "hint": "look" } } } }),
        ])
        .unwrap();
        let answer: Value = client.call("say", json!({})).unwrap();
        assert_eq!(answer["said"], 1);
        let refused = client.call::<Value>("say", json!({})).unwrap_err();
        assert_eq!(
            (refused.code.as_str(), refused.message.as_str(), refused.hint.as_deref()),
            ("GONE", "it is gone", Some("look"))
        );
        assert_eq!(client.call::<Value>("say", json!({})).unwrap_err().code, "DESK_LOST");
    }
}
