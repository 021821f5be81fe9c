//! The id and the method of a message, without parsing it.
//!
//! Lines are passed on as they are; all that has to be known of one is which request it is or answers. This
//! reads no further than it must, keeps nothing else, and takes a message in pieces, since a long one is never
//! held whole.

use memchr::memchr2;
use serde_json::Value;

/// An id or a method longer than this is none that anybody answers.
const LONGEST: usize = 256;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Head {
    pub(crate) id: Option<Value>,
    pub(crate) method: Option<String>,
    /// Several messages in one line, which have to be looked at one by one.
    pub(crate) batch: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Scanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Text of the string or scalar at depth one that is being read.
    token: Vec<u8>,
    /// Whether the next token at depth one is a member's name.
    at_name: bool,
    member: Member,
    id: Option<Vec<u8>>,
    method: Option<Vec<u8>>,
    answers: bool,
    batch: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Member {
    #[default]
    Other,
    Id,
    Method,
}

/// The head of a whole message.
pub(crate) fn head_of(line: &[u8]) -> Head {
    let mut scanner = Scanner::default();
    scanner.feed(line);
    scanner.into_head()
}

impl Scanner {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            if self.is_done() {
                return;
            }
            if !self.in_string {
                self.step(byte);
                rest = after;
            } else if self.escaped {
                self.keep(&[byte]);
                self.escaped = false;
                rest = after;
            } else {
                let Some((text, after)) =
                    memchr2(b'"', b'\\', rest).and_then(|at| rest.split_at_checked(at + 1))
                else {
                    self.keep(rest);
                    return;
                };
                self.keep(text);
                match text.ends_with(b"\"") {
                    true => self.in_string = false,
                    false => self.escaped = true,
                }
                rest = after;
            }
        }
    }

    pub(crate) fn into_head(self) -> Head {
        let parsed = |token: Option<Vec<u8>>| serde_json::from_slice::<Value>(&token?).ok();
        let id = parsed(self.id).filter(|id| matches!(id, Value::String(_) | Value::Number(_)));
        let method = match parsed(self.method) {
            Some(Value::String(method)) => Some(method),
            _ => None,
        };
        Head { id, method, batch: self.batch }
    }

    /// An answer has no method, so there is no need to look for one in it.
    fn is_done(&self) -> bool {
        self.batch || (self.id.is_some() && (self.method.is_some() || self.answers))
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.in_string = true;
                self.keep(b"\"");
            }
            b'{' | b'[' => {
                self.batch |= self.depth == 0 && byte == b'[';
                self.depth += 1;
                self.token.clear();
                self.at_name = self.depth == 1;
            }
            b'}' | b']' => {
                self.end_member();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 && self.at_name => {
                self.member = match self.token.as_slice() {
                    b"\"id\"" => Member::Id,
                    b"\"method\"" => Member::Method,
                    _ => Member::Other,
                };
                self.answers |= matches!(self.token.as_slice(), b"\"result\"" | b"\"error\"");
                self.at_name = false;
                self.token.clear();
            }
            b',' if self.depth == 1 => {
                self.end_member();
                self.at_name = true;
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.keep(&[byte]),
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.depth == 1 && self.token.len() <= LONGEST {
            let room = LONGEST + 1 - self.token.len();
            self.token.extend(bytes.iter().take(room));
        }
    }

    fn end_member(&mut self) {
        if self.depth != 1 {
            return;
        }
        let fits = !self.token.is_empty() && self.token.len() <= LONGEST;
        match std::mem::take(&mut self.member) {
            Member::Id if fits => self.id = Some(std::mem::take(&mut self.token)),
            Member::Method if fits => self.method = Some(std::mem::take(&mut self.token)),
            _ => self.token.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn is(text: &str, id: Option<Value>, method: Option<&str>) {
        let wanted = Head { id, method: method.map(str::to_owned), batch: false };
        assert_eq!(head_of(text.as_bytes()), wanted, "{text}");
        let mut scanner = Scanner::default();
        text.as_bytes().chunks(3).for_each(|piece| scanner.feed(piece));
        assert_eq!(scanner.into_head(), wanted, "{text} in pieces");
    }

    #[test]
    fn id_and_method_are_found_wherever_they_stand() {
        is(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, Some(json!(7)), Some("ping"));
        is(
            r#"{"method":"tools/call","params":{"name":"id","id":1,"a":["method",{"id":2}]},"id":"q\"9"}"#,
            Some(json!("q\"9")),
            Some("tools/call"),
        );
        is(r#" { "id" : "a\u0041" , "method" : "x\/y" } "#, Some(json!("aA")), Some("x/y"));
        is(
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            None,
            Some("notifications/initialized"),
        );
        is(r#"{"jsonrpc":"2.0","id":-4,"result":{"method":"x","id":3}}"#, Some(json!(-4)), None);
        is(r#"{"result":{},"id":5}"#, Some(json!(5)), None);
    }

    #[test]
    fn other_things_are_not_taken_for_them() {
        is(r#"{"params":{"id":1},"x":"id:3"}"#, None, None);
        is(r#"{"id":{"id":1},"method":["ping"]}"#, None, None);
        is(r#"{"id":null,"method":7}"#, None, None);
        is(r#"{"id":tru"#, None, None);
        is("not json", None, None);
        is("", None, None);
        is(&format!(r#"{{"id":"{}","method":"ping"}}"#, "x".repeat(300)), None, Some("ping"));
        assert!(head_of(br#" [{"id":1,"method":"ping"}]"#).batch);
    }
}
