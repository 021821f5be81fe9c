//! The `id` of a JSON-RPC message that cannot be parsed.
//!
//! A message that is too long, too deep or not quite JSON still has to be answered, and an answer with
//! the right id frees the caller instead of leaving it to its time-out. This reads a message byte by byte,
//! keeps nothing but the id, and so works on a message that is being thrown away.

use rmcp::model::RequestId;
use serde_json::Value;

/// An id longer than this is not worth echoing.
const LONGEST: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct OuterId {
    depth: usize,
    deepest: usize,
    in_string: bool,
    escaped: bool,
    /// Text of the string or scalar at depth one that is being read.
    token: Vec<u8>,
    /// Whether the next token at depth one is a member's name.
    at_name: bool,
    name_is_id: bool,
    found: Option<Vec<u8>>,
}

impl OuterId {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.step(byte);
        }
    }

    /// How deep arrays and objects were nested.
    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    pub(crate) fn into_id(self) -> Option<RequestId> {
        match serde_json::from_slice(&self.found?).ok()? {
            id @ (Value::String(_) | Value::Number(_)) => serde_json::from_value(id).ok(),
            _ => None,
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
                self.token.clear();
                self.at_name = self.depth == 1 && byte == b'{';
            }
            b'}' | b']' => {
                self.end_member();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 && self.at_name => {
                self.name_is_id = self.token == b"\"id\"";
                self.at_name = false;
                self.token.clear();
            }
            b',' if self.depth == 1 => {
                self.end_member();
                self.at_name = true;
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() <= LONGEST {
            self.token.push(byte);
        }
    }

    fn end_member(&mut self) {
        if self.depth != 1 {
            return;
        }
        let token = std::mem::take(&mut self.token);
        if std::mem::take(&mut self.name_is_id) && !token.is_empty() && token.len() <= LONGEST {
            self.found = Some(token);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(text: &str) -> Option<RequestId> {
        let mut scan = OuterId::default();
        // In pieces, as a stream delivers them.
        for piece in text.as_bytes().chunks(3) {
            scan.feed(piece);
        }
        scan.into_id()
    }

    #[test]
    fn finds_the_outer_id_wherever_it_stands() {
        assert_eq!(id_of(r#"{"id": 7,"method":"x""#), Some(RequestId::Number(7)));
        assert_eq!(
            id_of(r#"{"params":{"id":1,"a":["id",{"id":2}]},"id":"q\"9"}"#),
            Some(RequestId::String("q\"9".into()))
        );
        assert_eq!(id_of(r#"{"params":{"id":1},"jsonrpc":"2.0","id":-4}"#), Some(RequestId::Number(-4)));
    }

    #[test]
    fn does_not_take_another_id_for_it() {
        assert_eq!(id_of(r#"{"params":{"id":1},"x":"id:3"}"#), None);
        assert_eq!(id_of(r#"[{"id":1}]"#), None);
        assert_eq!(id_of(r#"{"id":{"id":1}}"#), None);
        assert_eq!(id_of(r#"{"id":null}"#), None);
        assert_eq!(id_of(r#"{"id":tru}"#), None);
        assert_eq!(id_of("not json"), None);
    }

    #[test]
    fn measures_depth_outside_strings() {
        let mut scan = OuterId::default();
        scan.feed(br#"{"a":[[["[[[["]]]}"#);
        assert_eq!(scan.deepest(), 4);
    }
}
