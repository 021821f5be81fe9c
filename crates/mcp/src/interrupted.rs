//! Answers to requests whose server ended before it answered them.
//!
//! Whoever passes lines on to a server that is a process of its own has to answer for it when it is gone. What
//! was asked decides the form: a model reads results of tools, so a tool's caller gets one that failed.

use rmcp::model::{ErrorCode, ErrorData};
use serde_json::{Value, json};

use crate::{error::ToolError, tool::error_result, tools};

/// A request, as far as it must be known to answer for its server.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    pub id: Value,
    /// Whether it called a tool.
    pub call: bool,
    /// Whether its revision of the protocol has results that say that they are whole.
    pub stateless: bool,
}

/// Why it has no other answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why<'a> {
    /// The server had it, and may have done it.
    Unknown,
    /// The server did not get it whole, so that nothing was done.
    NotDone,
    /// It only reads, and was not asked again: it is too long to be kept, or ended its server before.
    NotRepeated,
    /// There is no server.
    Nobody(&'a str),
}

/// Whether a request changes nothing, so that it may be sent to another server once more.
pub fn only_reads(method: &str, tool: Option<&str>) -> bool {
    const FAMILIES: [&str; 5] = ["resources/", "prompts/", "completion/", "logging/", "subscriptions/"];
    match method {
        "tools/call" => tool.and_then(tools::reads) == Some(true),
        "initialize" | "ping" | "tools/list" | "server/discover" => true,
        _ => FAMILIES.iter().any(|family| method.starts_with(family)),
    }
}

impl Lost {
    /// The message that answers the request.
    pub fn answer(&self, why: Why<'_>) -> Value {
        let error = error(why);
        if !self.call {
            let error = ErrorData::new(ErrorCode(-32000), error.text(), Some(error.record()));
            return json!({ "jsonrpc": "2.0", "id": self.id, "error": error });
        }
        let mut result = json!(error_result(&error));
        if let (Value::Object(members), true) = (&mut result, self.stateless) {
            members.insert("resultType".to_owned(), json!("complete"));
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "result": result })
    }
}

fn error(why: Why<'_>) -> ToolError {
    match why {
        Why::Unknown => {
            let found = "the desk ended before it answered, so the edit may or may not have been made";
            let mut error =
                ToolError::new("UNKNOWN_OUTCOME", found).hint("read the document before repeating the call");
            error.written = Some("unknown".to_owned());
            error
        }
        Why::NotDone => {
            ToolError::new("DESK_ENDED", "the desk ended before it had read the request").hint("call again")
        }
        Why::NotRepeated => {
            ToolError::new("DESK_ENDED", "the desk ended while it worked on this request").hint("call again")
        }
        Why::Nobody(reason) => ToolError::new("NO_DESK", format!("no desk can be reached: {reason}"))
            .hint("call again in a moment; `docwright doctor` tells more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_reads_is_repeated() {
        for (method, tool) in [
            ("tools/call", Some("read_file")),
            ("tools/list", None),
            ("resources/subscribe", None),
            ("prompts/get", None),
            ("initialize", None),
        ] {
            assert!(only_reads(method, tool), "{method} {tool:?}");
        }
        for (method, tool) in [
            ("tools/call", Some("smart_edit")),
            // A name of before, under which a tool that writes is known.
            ("tools/call", Some("replace_text")),
            ("tools/call", Some("no_such_tool")),
            ("tools/call", None),
            ("tasks/cancel", None),
            ("anything/else", None),
        ] {
            assert!(!only_reads(method, tool), "{method} {tool:?}");
        }
    }

    #[test]
    fn a_call_is_answered_as_a_result_and_the_rest_as_an_error() {
        let lost = Lost { id: json!("a"), call: true, stateless: true };
        let answer = lost.answer(Why::Unknown);
        assert_eq!(answer["id"], "a");
        assert_eq!(answer["result"]["isError"], true);
        assert_eq!(answer["result"]["resultType"], "complete");
        assert_eq!(answer["result"]["_meta"]["docwright/error"]["code"], "UNKNOWN_OUTCOME");
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains("may or may not have been made") && text.contains("read the document"),
            "{text}"
        );

        let lost = Lost { id: json!(7), call: false, stateless: false };
        let answer = lost.answer(Why::Nobody("it is late"));
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32000)));
        assert!(answer["error"]["message"].as_str().unwrap().contains("it is late"));
    }
}
