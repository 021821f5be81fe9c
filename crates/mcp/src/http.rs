//! MCP over Streamable HTTP, as an axum router with the one route `/mcp`.
//!
//! The SDK's service stands behind the same door as stdio, so a body that is no JSON is answered with a
//! JSON-RPC error instead of a complaint about its media type, and so is everything else the service would
//! answer in plain text. Added to it: limits on size, nesting, time and the number of sessions, one use at a
//! time for an id, batches for the revision that has them, and an end that lets running calls finish.
//!
//! Who may connect is not decided here but by the `gateway` that mounts the router.

mod active;
mod batch;
mod sessions;

use std::{convert::Infallible, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::Response,
    routing::any,
};
use bytes::Bytes;
use futures::FutureExt as _;
use http::{HeaderValue, Method, StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited, combinators::BoxBody};
use rmcp::{
    ServerHandler,
    model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, ProtocolVersion, ServerJsonRpcMessage},
    transport::{StreamableHttpServerConfig, StreamableHttpService},
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use workspace::Caller;

use crate::{
    connection::Connection,
    door::{self, Limits, Refused},
    offer::Offer,
    server::Server,
};
use active::Active;
use sessions::Sessions;

const SESSION_ID: &str = "mcp-session-id";

/// Seconds a client turned away for want of room is asked to wait.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("60");

#[derive(Debug, Clone)]
pub struct Options {
    pub limits: Limits,
    /// Sessions of the revisions that have them, at most this many at a time.
    pub sessions: usize,
    /// A session that is not used for this long is closed.
    pub idle: Duration,
    /// How long a client may take to send its request.
    pub body_time: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            sessions: 256,
            idle: Duration::from_secs(30 * 60),
            body_time: Duration::from_secs(30),
        }
    }
}

/// The endpoint: a router to mount and a way to end it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    router: Router,
    active: Arc<Active>,
    stop: CancellationToken,
}

impl Endpoint {
    /// For clients that may do what `caller` may. Each session is a caller of its own; requests without a session are
    /// one for each client name.
    pub fn new(server: Arc<Server>, offer: Arc<Offer>, caller: Caller, options: Options) -> Self {
        let connection = move || Connection::by_session(server.clone(), offer.clone(), caller.clone());
        Self::serving(connection, options)
    }

    /// The same transport for another handler; conformance fixtures are served by it.
    pub fn serving<H: ServerHandler>(make: impl Fn() -> H + Send + Sync + 'static, options: Options) -> Self {
        let stop = CancellationToken::new();
        let active = Arc::new(Active::default());
        let sessions = Arc::new(Sessions::new(options.sessions, options.idle));
        // Host and Origin are the gateway's to check, for all its routes alike.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(options.limits.message_bytes)
            .with_cancellation_token(stop.clone());
        let service = StreamableHttpService::new(move || Ok(make()), sessions.clone(), config);
        let inner = Arc::new(Inner { service, sessions, active: active.clone(), options });
        let router = Router::new().route("/mcp", any(answer::<H>)).with_state(inner);
        Self { router, active, stop }
    }

    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Ends every stream, after running calls had `grace` to finish.
    pub async fn close(&self, grace: Duration) {
        if tokio::time::timeout(grace, self.active.idle()).await.is_err() {
            tracing::warn!("calls were still running when the time to finish them was over");
        }
        self.stop.cancel();
    }
}

struct Inner<H> {
    service: StreamableHttpService<H, Sessions>,
    sessions: Arc<Sessions>,
    active: Arc<Active>,
    options: Options,
}

type Answer = http::Response<BoxBody<Bytes, Infallible>>;

async fn answer<H: ServerHandler>(State(inner): State<Arc<Inner<H>>>, request: Request) -> Response {
    let answered = AssertUnwindSafe(inner.answer(request)).catch_unwind().await;
    let answer = answered.unwrap_or_else(|_| {
        tracing::error!("a request panicked");
        refusal(
            StatusCode::INTERNAL_SERVER_ERROR,
            Refused::new(None, ErrorCode::INTERNAL_ERROR, "Internal error"),
        )
    });
    answer.map(Body::new)
}

impl<H: ServerHandler> Inner<H> {
    async fn answer(&self, request: Request) -> Answer {
        if request.method() != Method::POST {
            return as_json(self.service.handle(request).await).await;
        }
        let (parts, body) = request.into_parts();
        if !is_json(&parts) {
            let message = "Content-Type must be application/json";
            return refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, invalid(message));
        }
        let body = match self.collect(body).await {
            Ok(body) => body,
            Err(answer) => return answer,
        };
        match door::parse(&body, &self.options.limits) {
            Ok(Value::Array(entries)) => self.batch(&parts, entries).await,
            Ok(message) => self.message(parts, message, body).await,
            Err(refused) => refusal(StatusCode::BAD_REQUEST, refused),
        }
    }

    async fn collect(&self, body: Body) -> Result<Bytes, Answer> {
        let limits = &self.options.limits;
        let body = Limited::new(body, limits.message_bytes).collect();
        match tokio::time::timeout(self.options.body_time, body).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                Err(refusal(StatusCode::PAYLOAD_TOO_LARGE, Refused::too_long(None, limits)))
            }
            Ok(Err(_)) => Err(refusal(StatusCode::BAD_REQUEST, invalid("the body broke off"))),
            Err(_) => Err(refusal(StatusCode::REQUEST_TIMEOUT, invalid("the body took too long"))),
        }
    }

    async fn message(&self, parts: Parts, message: Value, body: Bytes) -> Answer {
        let message = match door::admit(message) {
            Ok(Some(message)) => message,
            // Malformed notifications are neither answered nor forwarded.
            Ok(None) => return accepted(),
            Err(refused) => {
                let status = match refused.error.code {
                    ErrorCode::INVALID_PARAMS => StatusCode::OK,
                    ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
                    _ => StatusCode::BAD_REQUEST,
                };
                return refusal(status, refused);
            }
        };
        let session = parts.headers.get(SESSION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        let mut guard = None;
        if let ClientJsonRpcMessage::Request(request) = &message {
            if matches!(request.request, ClientRequest::InitializeRequest(_))
                && session.is_none()
                && self.sessions.is_full().await
            {
                let refused = Refused::new(
                    Some(request.id.clone()),
                    ErrorCode(-32000),
                    format!("Too many sessions: all {} are in use; try again later", self.options.sessions),
                );
                let mut answer = refusal(StatusCode::SERVICE_UNAVAILABLE, refused);
                answer.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
                return answer;
            }
            match self.active.enter(session.as_deref(), &request.id) {
                Some(entered) => guard = Some(entered),
                None => return refusal(StatusCode::BAD_REQUEST, Refused::id_in_use(request.id.clone())),
            }
        }
        let answer = as_json(self.service.handle(Request::from_parts(parts, Full::new(body))).await).await;
        match guard {
            Some(guard) => answer.map(|body| guard.until_end_of(body)),
            None => answer,
        }
    }

    async fn batch(&self, parts: &Parts, entries: Vec<Value>) -> Answer {
        let session = parts.headers.get(SESSION_ID).and_then(|id| id.to_str().ok());
        let revision = session.and_then(|id| self.sessions.revision(id));
        if revision != Some(ProtocolVersion::V_2025_03_26) {
            let message = "batches exist in protocol revision 2025-03-26 only; send one message a request";
            return refusal(StatusCode::BAD_REQUEST, invalid(message));
        }
        if entries.is_empty() {
            return refusal(StatusCode::BAD_REQUEST, invalid("empty batch"));
        }
        let each = entries.into_iter().map(|entry| {
            let body = Bytes::from(entry.to_string());
            let parts = parts.clone();
            async move { batch::answer_in(self.message(parts, entry, body).await).await }
        });
        let answers: Vec<Value> = futures::future::join_all(each).await.into_iter().flatten().collect();
        if answers.is_empty() { accepted() } else { json(StatusCode::OK, &answers) }
    }
}

fn is_json(parts: &Parts) -> bool {
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn invalid(message: &str) -> Refused {
    Refused::new(None, ErrorCode::INVALID_REQUEST, format!("Invalid request: {message}"))
}

fn accepted() -> Answer {
    let mut answer = Answer::new(Full::default().boxed());
    *answer.status_mut() = StatusCode::ACCEPTED;
    answer
}

fn refusal(status: StatusCode, refused: Refused) -> Answer {
    json(status, &refused.into_message())
}

fn json(status: StatusCode, value: &impl serde::Serialize) -> Answer {
    let body = serde_json::to_vec(value).expect("our own messages are JSON");
    let mut answer = Answer::new(Full::from(body).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

/// What the service complains of in plain text, as a JSON-RPC error with the same status.
async fn as_json(answer: Answer) -> Answer {
    let is_json = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let status = answer.status();
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return answer;
    }
    let (head, body) = answer.into_parts();
    let text = body.collect().await.map_or_else(|_| Bytes::new(), |body| body.to_bytes());
    let message = String::from_utf8_lossy(&text).into_owned();
    let mut answer = json(
        status,
        &ServerJsonRpcMessage::error(rmcp::model::ErrorData::new(ErrorCode(-32000), message, None), None),
    );
    for (name, value) in &head.headers {
        if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    answer
}
