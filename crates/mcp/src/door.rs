//! The door: every inbound message passes here before the SDK sees it.
//!
//! The SDK drops what it cannot parse, and takes a known method with unusable parameters for an unknown
//! method. A caller then waits for ever, or is told the wrong thing. Here each message becomes typed, or a
//! refusal with the JSON-RPC code the specification names and, whenever it can be found, the caller's id.

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ClientResult, CustomRequest, ErrorCode,
    ErrorData, RequestId, ServerJsonRpcMessage,
};
use serde_json::{Map, Value};

use crate::outer_id::OuterId;

/// What a single message may cost before it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub message_bytes: usize,
    /// Nesting of arrays and objects. The parser's own limit is 127, so a higher one has no effect.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { message_bytes: 16 * 1024 * 1024, depth: 127 }
    }
}

/// A message that was not admitted, and what its sender is told.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) id: Option<RequestId>,
    pub(crate) error: ErrorData,
}

impl Refused {
    pub(crate) fn new(id: Option<RequestId>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { id, error: ErrorData::new(code, message.into(), None) }
    }

    pub(crate) fn too_long(id: Option<RequestId>, limits: &Limits) -> Self {
        let limit = limits.message_bytes;
        Self::new(
            id,
            ErrorCode::INVALID_REQUEST,
            format!("Message is longer than {limit} bytes; it was not read"),
        )
    }

    pub(crate) fn id_in_use(id: RequestId) -> Self {
        let message = format!("Request id {id} is still in use by an unfinished request");
        Self::new(Some(id), ErrorCode::INVALID_REQUEST, message)
    }

    pub(crate) fn into_message(self) -> ServerJsonRpcMessage {
        ServerJsonRpcMessage::error(self.error, self.id)
    }
}

/// Reads one message as JSON, within the limits.
pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<Value, Refused> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut scan = OuterId::default();
    scan.feed(bytes);
    if scan.deepest() > limits.depth {
        let message =
            format!("Parse error: nested {} levels deep, at most {} are read", scan.deepest(), limits.depth);
        return Err(Refused::new(scan.into_id(), ErrorCode::PARSE_ERROR, message));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("Parse error: not UTF-8 at byte {}", error.valid_up_to());
            return Err(Refused::new(scan.into_id(), ErrorCode::PARSE_ERROR, message));
        }
    };
    serde_json::from_str(text).map_err(|error| {
        Refused::new(scan.into_id(), ErrorCode::PARSE_ERROR, format!("Parse error: {error}"))
    })
}

/// Types one message. `None` is a message that needs neither work nor an answer.
pub(crate) fn admit(value: Value) -> Result<Option<ClientJsonRpcMessage>, Refused> {
    let Value::Object(members) = value else {
        return Err(invalid(None, "a message is a JSON object"));
    };
    let id = read_id(&members);
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(id.ok().flatten(), "`jsonrpc` must be \"2.0\""));
    }
    match members.get("method") {
        Some(Value::String(method)) => {
            let method = method.clone();
            if members.contains_key("result") || members.contains_key("error") {
                return Err(invalid(
                    id.ok().flatten(),
                    "a message with a `method` has no `result` or `error`",
                ));
            }
            match id {
                Ok(Some(id)) => request(&method, members, id).map(Some),
                Ok(None) => Ok(notification(members)),
                Err(found) => {
                    Err(invalid(None, format!("`id` must be a string or an integer, found {found}")))
                }
            }
        }
        Some(_) => Err(invalid(id.ok().flatten(), "`method` must be a string")),
        None => answer(members, id),
    }
}

fn invalid(id: Option<RequestId>, message: impl std::fmt::Display) -> Refused {
    Refused::new(id, ErrorCode::INVALID_REQUEST, format!("Invalid request: {message}"))
}

fn read_id(members: &Map<String, Value>) -> Result<Option<RequestId>, String> {
    let Some(id) = members.get("id") else { return Ok(None) };
    serde_json::from_value(id.clone()).map(Some).map_err(|_| id.to_string())
}

fn request(
    method: &str,
    members: Map<String, Value>,
    id: RequestId,
) -> Result<ClientJsonRpcMessage, Refused> {
    if let Some(params) = members.get("params")
        && !matches!(params, Value::Object(_) | Value::Null)
    {
        let message = format!("Invalid params of {method}: expected an object");
        return Err(Refused::new(Some(id), ErrorCode::INVALID_PARAMS, message));
    }
    let removed = REMOVED.contains(&method) && is_stateless(&members);
    match typed(method, Value::Object(members)) {
        Ok(request) => Ok(ClientJsonRpcMessage::request(request, id)),
        Err(_) if removed => {
            let message = format!("{method} does not exist in protocol revision {STATELESS}");
            Err(Refused::new(Some(id), ErrorCode::METHOD_NOT_FOUND, message))
        }
        Err(error) => {
            let message = format!("Invalid params of {method}: {error}");
            Err(Refused::new(Some(id), ErrorCode::INVALID_PARAMS, message))
        }
    }
}

const STATELESS: &str = "2026-07-28";

/// Methods that the stateless revision no longer has, so that their parameters cannot be wrong in it.
const REMOVED: [&str; 5] =
    ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

fn is_stateless(members: &Map<String, Value>) -> bool {
    let version = members
        .get("params")
        .and_then(|params| params.get("_meta")?.get("io.modelcontextprotocol/protocolVersion"));
    version.and_then(Value::as_str).is_some_and(|version| version >= STATELESS)
}

/// The request as the type its method asks for, so that bad parameters are named as such. The SDK's own
/// union would turn them into a request with an unknown method.
fn typed(method: &str, message: Value) -> Result<ClientRequest, serde_json::Error> {
    macro_rules! by_method {
        ($($name:literal => $kind:ident,)*) => {
            match method {
                $($name => serde_json::from_value(message).map(ClientRequest::$kind),)*
                _ => serde_json::from_value::<CustomRequest>(message).map(ClientRequest::CustomRequest),
            }
        };
    }
    by_method! {
        "tools/call" => CallToolRequest,
        "tools/list" => ListToolsRequest,
        "initialize" => InitializeRequest,
        "server/discover" => DiscoverRequest,
        "ping" => PingRequest,
        "completion/complete" => CompleteRequest,
        "logging/setLevel" => SetLevelRequest,
        "prompts/get" => GetPromptRequest,
        "prompts/list" => ListPromptsRequest,
        "resources/list" => ListResourcesRequest,
        "resources/templates/list" => ListResourceTemplatesRequest,
        "resources/read" => ReadResourceRequest,
        "resources/subscribe" => SubscribeRequest,
        "resources/unsubscribe" => UnsubscribeRequest,
        "subscriptions/listen" => SubscriptionsListenRequest,
        "tasks/get" => GetTaskRequest,
        "tasks/update" => UpdateTaskRequest,
        "tasks/cancel" => CancelTaskRequest,
    }
}

/// A notification is never answered, not even a malformed one.
fn notification(members: Map<String, Value>) -> Option<ClientJsonRpcMessage> {
    match serde_json::from_value::<ClientNotification>(Value::Object(members)) {
        Ok(notification) => Some(ClientJsonRpcMessage::notification(notification)),
        Err(error) => {
            tracing::debug!(%error, "ignored a malformed notification");
            None
        }
    }
}

fn answer(
    mut members: Map<String, Value>,
    id: Result<Option<RequestId>, String>,
) -> Result<Option<ClientJsonRpcMessage>, Refused> {
    match (members.remove("result"), members.remove("error"), id) {
        (Some(result), None, Ok(Some(id))) => Ok(serde_json::from_value::<ClientResult>(result)
            .ok()
            .map(|result| ClientJsonRpcMessage::response(result, id))),
        // Answering an error with an error could go on for ever.
        (None, Some(error), id) => Ok(serde_json::from_value::<ErrorData>(error)
            .ok()
            .map(|error| ClientJsonRpcMessage::error(error, id.ok().flatten()))),
        (_, _, id) => Err(invalid(id.ok().flatten(), "neither a request, a notification nor a response")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &[u8]) -> (i32, Option<RequestId>, String) {
        let refused = parse(text, &Limits::default()).and_then(admit).unwrap_err();
        (refused.error.code.0, refused.id, refused.error.message.into_owned())
    }

    #[test]
    fn unparsable_input_is_named_and_keeps_its_id() {
        let (code, id, message) = refused(br#"{"jsonrpc":"2.0","id":5,"method":"ping""#);
        assert_eq!((code, id), (-32700, Some(RequestId::Number(5))));
        assert!(message.starts_with("Parse error: EOF"), "{message}");

        let (code, id, message) = refused(b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"\xff\"}");
        assert_eq!(
            (code, id, message.as_str()),
            (-32700, Some(RequestId::Number(6)), "Parse error: not UTF-8 at byte 34")
        );

        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":"d","method":"x","params":{}1{}}}"#,
            "[".repeat(5000),
            "]".repeat(5000)
        );
        let (code, id, message) = refused(deep.as_bytes());
        assert_eq!((code, id), (-32700, Some(RequestId::String("d".into()))));
        assert!(message.contains("nested 5001 levels deep, at most 127"), "{message}");
    }

    #[test]
    fn nesting_up_to_the_limit_is_read() {
        let nested = format!(r#"{{"a":{}{}}}"#, "[".repeat(126), "]".repeat(126));
        assert!(parse(nested.as_bytes(), &Limits::default()).is_ok());
    }

    #[test]
    fn requests_that_are_no_requests() {
        assert_eq!(refused(b"1").0, -32600);
        assert_eq!(refused(br#"{"id":1,"method":"ping"}"#).0, -32600);
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":1}"#).0, -32600);
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":1,"method":7}"#).0, -32600);
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#).0, -32600);
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#).0, -32600);
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#).0, -32600);
    }

    #[test]
    fn known_methods_with_unusable_parameters() {
        let (code, id, message) =
            refused(br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"arguments":{}}}"#);
        assert_eq!((code, id), (-32602, Some(RequestId::Number(3))));
        assert!(message.contains("missing field `name`"), "{message}");
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#).0, -32602);
        assert_eq!(
            refused(
                br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","arguments":[]}}"#
            )
            .0,
            -32602
        );
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{}}"#).0, -32602);
        assert_eq!(refused(br#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[1]}"#).0, -32602);
    }

    #[test]
    fn methods_that_a_revision_dropped_are_unknown_in_it() {
        let text = br#"{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        assert_eq!(refused(text).0, -32601);
        assert_eq!(
            refused(br#"{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{}}"#).0,
            -32602
        );
    }

    #[test]
    fn what_is_never_answered() {
        for text in [
            &br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"bad":1}}"#[..],
            br#"{"jsonrpc":"2.0","method":"$/setTrace"}"#,
            br#"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"no"}}"#,
            br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
        ] {
            assert!(
                parse(text, &Limits::default()).and_then(admit).is_ok(),
                "{}",
                String::from_utf8_lossy(text)
            );
        }
    }

    #[test]
    fn an_unknown_method_goes_on_to_be_answered_as_such() {
        let message =
            parse(br#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, &Limits::default()).and_then(admit);
        assert!(matches!(
            message,
            Ok(Some(ClientJsonRpcMessage::Request(request))) if matches!(request.request, ClientRequest::CustomRequest(_))
        ));
    }
}
