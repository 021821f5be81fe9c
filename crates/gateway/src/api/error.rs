//! What a request is answered that could not be served: one shape, with a number and a name.
//!
//! The numbers of JSON-RPC mean what they mean there; names that it has no number for have fixed ones from -32050 on.

use axum::{body::Body, response::Response};
use http::{HeaderValue, StatusCode, header};
use mcp::ToolError;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::metrics::Failed;

/// Why a request was not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// The body is no JSON.
    Parse,
    /// The request as a whole: its head, its media type, its size.
    Request,
    NoSuchRoute,
    NoSuchMethod,
    /// A field of the request.
    Params,
    Internal,
    McpConnection,
    McpInitialization,
    McpCapability,
    McpProtocol,
    ToolExecution,
    /// The model provider failed.
    Llm,
    SessionExpired,
    Unauthorized,
    Forbidden,
    NotFound,
    /// Something else happened first, or the document is not as the request takes it to be.
    Conflict,
    /// Too many requests of one kind in a minute.
    RateLimited,
    TooLarge,
    Unavailable,
    Cancelled,
    /// The end of the server cut it off.
    Interrupted,
    ApprovalExpired,
    /// A run took as much as a run may take.
    Limit,
    /// The session has enough to do.
    Busy,
}

impl Code {
    pub(crate) fn number(self) -> i64 {
        match self {
            Code::Parse => -32700,
            Code::Request => -32600,
            Code::NoSuchRoute | Code::NoSuchMethod => -32601,
            Code::Params => -32602,
            Code::Internal => -32603,
            Code::McpConnection => -32050,
            Code::McpInitialization => -32051,
            Code::McpCapability => -32052,
            Code::McpProtocol => -32053,
            Code::ToolExecution => -32054,
            Code::Llm => -32055,
            Code::SessionExpired => -32056,
            Code::Unauthorized => -32057,
            Code::Forbidden => -32058,
            Code::NotFound => -32059,
            Code::Conflict => -32060,
            Code::RateLimited => -32061,
            Code::TooLarge => -32062,
            Code::Unavailable => -32063,
            Code::Cancelled => -32064,
            Code::Interrupted => -32065,
            Code::ApprovalExpired => -32066,
            Code::Limit => -32067,
            Code::Busy => -32068,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Code::Parse | Code::Request | Code::Params => "INVALID_REQUEST",
            Code::NoSuchRoute | Code::NotFound => "NOT_FOUND",
            Code::NoSuchMethod => "METHOD_NOT_ALLOWED",
            Code::Internal => "INTERNAL_ERROR",
            Code::McpConnection => "MCP_CONNECTION_ERROR",
            Code::McpInitialization => "MCP_INITIALIZATION_ERROR",
            Code::McpCapability => "MCP_CAPABILITY_ERROR",
            Code::McpProtocol => "MCP_PROTOCOL_ERROR",
            Code::ToolExecution => "TOOL_EXECUTION_ERROR",
            Code::Llm => "LLM_ERROR",
            Code::SessionExpired => "SESSION_EXPIRED",
            Code::Unauthorized => "UNAUTHORIZED",
            Code::Forbidden => "FORBIDDEN",
            Code::Conflict => "CONFLICT",
            Code::RateLimited => "RATE_LIMITED",
            Code::TooLarge => "TOO_LARGE",
            Code::Cancelled => "CANCELLED",
            Code::Interrupted => "INTERRUPTED",
            Code::ApprovalExpired => "APPROVAL_EXPIRED",
            Code::Limit => "LIMIT_REACHED",
            Code::Busy => "SESSION_BUSY",
            Code::Unavailable => "UNAVAILABLE",
        }
    }

    pub(crate) fn status(self) -> StatusCode {
        match self {
            Code::Parse | Code::Request | Code::Params | Code::McpProtocol => StatusCode::BAD_REQUEST,
            Code::NoSuchRoute | Code::NotFound => StatusCode::NOT_FOUND,
            Code::NoSuchMethod => StatusCode::METHOD_NOT_ALLOWED,
            Code::McpConnection
            | Code::McpInitialization
            | Code::McpCapability
            | Code::ToolExecution
            | Code::Llm => StatusCode::BAD_GATEWAY,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Code::SessionExpired | Code::Unauthorized => StatusCode::UNAUTHORIZED,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::Conflict | Code::Cancelled | Code::Interrupted | Code::ApprovalExpired | Code::Limit => {
                StatusCode::CONFLICT
            }
            Code::Busy | Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Whether it is the protocol behind the API that failed, rather than the request.
    fn is_of_mcp(self) -> bool {
        matches!(
            self,
            Code::McpConnection | Code::McpInitialization | Code::McpCapability | Code::McpProtocol
        )
    }
}

/// What every refusal is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Refusal {
    error: RefusalError,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RefusalError {
    /// As JSON-RPC numbers errors; those that it has no number for are -32050 and below.
    code: i64,
    message: String,
    data: RefusalData,
    timestamp: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RefusalData {
    /// What to try instead, or what is behind it.
    details: String,
    /// The code by name, such as `SESSION_EXPIRED`.
    name: String,
    #[serde(flatten)]
    facts: Map<String, Value>,
}

#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    pub(crate) code: Code,
    /// Where the code does not say it well enough.
    status: Option<StatusCode>,
    pub(crate) message: String,
    data: Map<String, Value>,
}

impl ApiError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, status: None, message: message.into(), data: Map::new() }
    }

    /// What the caller cannot mend is logged, and not told.
    pub(crate) fn internal(why: impl std::fmt::Display) -> Self {
        tracing::error!(%why, "a request failed");
        Self::new(Code::Internal, "Internal error")
            .details("the server could not finish the request; its log says why")
    }

    /// What to try instead, or what is behind it.
    #[must_use]
    pub(crate) fn details(self, details: impl Into<String>) -> Self {
        self.with("details", details.into())
    }

    /// A fact for programs.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, fact: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), fact.into());
        self
    }

    #[must_use]
    pub(crate) fn status(self, status: StatusCode) -> Self {
        Self { status: Some(status), ..self }
    }

    /// As the contract has it, said at this time.
    pub(crate) fn answer(self, now: i64) -> Response {
        let Self { code, status, message, mut data } = self;
        let details = match data.remove("details") {
            Some(Value::String(details)) => details,
            _ => message.clone(),
        };
        if code.is_of_mcp() {
            data.insert("mcp_protocol".to_owned(), true.into());
            data.insert("mcp_error_code".to_owned(), code.number().into());
        }
        let data = RefusalData { details, name: code.name().to_owned(), facts: data };
        let error = RefusalError { code: code.number(), message, data, timestamp: mcp::timestamp(now) };
        let status = status.unwrap_or(code.status());
        let mut answer = json_answer(status, &json!(Refusal { error }));
        answer.extensions_mut().insert(Failed { name: code.name(), number: code.number() });
        if status == StatusCode::TOO_MANY_REQUESTS {
            answer.headers_mut().entry(header::RETRY_AFTER).or_insert(HeaderValue::from_static("1"));
        }
        if status == StatusCode::UNAUTHORIZED {
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        answer
    }
}

impl From<ToolError> for ApiError {
    fn from(error: ToolError) -> Self {
        let code = match &*error.code {
            "NOT_FOUND" | "FILE_NOT_FOUND" | "SHEET_NOT_FOUND" | "NAME_NOT_FOUND" => Code::NotFound,
            "PERMISSION_DENIED" => Code::Forbidden,
            "LIMIT_EXCEEDED" | "NO_SPACE" | "CANCELLED" | "TIMED_OUT" => Code::Unavailable,
            ToolError::INVALID_ARGUMENT | "AMBIGUOUS" | "UNSUPPORTED" | "FORMULA_SYNTAX" => Code::Params,
            "INTERNAL_ERROR" | "DISK_ERROR" => {
                return Self::internal(format!("{}: {}", error.code, error.message));
            }
            // A rule of the document, or its state, is in the way.
            _ => Code::Conflict,
        };
        let mut told = Self::new(code, error.message).with("tool_code", &*error.code);
        if let Some(Value::Object(facts)) = error.data.map(|data| *data) {
            told.data.extend(facts);
        }
        match error.hint {
            Some(hint) => told.details(hint),
            None => told,
        }
    }
}

/// A JSON body with its head.
pub(crate) fn json_answer(status: StatusCode, body: &Value) -> Response {
    let mut answer = Response::new(Body::from(body.to_string()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // What a session is told is nobody else's, and old the moment it is said.
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
