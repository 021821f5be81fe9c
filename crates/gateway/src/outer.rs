//! Other MCP servers as the tools of a session: a small client for Streamable HTTP and for the transport before it.
//!
//! A read is tried again when it fails in a way that passes. A write is sent once: without an answer it is unknown
//! whether it was done, and that is what is said. The token goes to the origin of the server and nowhere else.

mod event_stream;
mod listeners;

use std::{
    collections::BTreeSet,
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::agent::{Annotations, Call, CallError, Catalogue, Steps, ToolInfo, ToolResult, Tools};
use crate::client::{Answer, Client, ClientError, Reach, SseParser};
use event_stream::EventStream;
use listeners::Listeners;

const CONNECT_TIME: Duration = Duration::from_secs(10);
const TOOL_TIME: Duration = Duration::from_secs(30);
const RETRIES: u32 = 3;
const MOST_BYTES: usize = 16 << 20;
const MOST_PAGES: usize = 50;
const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// What a session says of the server that it wants.
#[derive(Clone, PartialEq, Eq)]
pub struct OuterConfig {
    pub url: String,
    pub token: Option<String>,
    /// What is asked for; the server may answer another that we know.
    pub protocol_version: String,
    /// Whether addresses of this machine and its network, and plain HTTP, are allowed.
    pub allow_private: bool,
    pub connect_time: Duration,
    /// How often a read is tried again.
    pub retries: u32,
}

impl OuterConfig {
    /// With the time and the number of retries that are usual.
    pub fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            token: None,
            protocol_version: VERSIONS[0].to_owned(),
            allow_private: false,
            connect_time: CONNECT_TIME,
            retries: RETRIES,
        }
    }
}

impl fmt::Debug for OuterConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OuterConfig").field("url", &self.url).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OuterError {
    #[error("{0}")]
    Connection(String),
    /// The address may not be used, whatever is there.
    #[error("{0}")]
    Address(String),
    #[error("the MCP server did not initialise: {0}")]
    Initialization(String),
    #[error("the MCP server offers no tools")]
    Capability,
    #[error("the MCP server broke the protocol: {0}")]
    Protocol(String),
    /// Another transport may be understood.
    #[error("it does not speak Streamable HTTP there")]
    Transport,
}

impl OuterError {
    /// Its name in the error table of the API.
    pub fn name(&self) -> &'static str {
        match self {
            OuterError::Connection(_) | OuterError::Address(_) => "MCP_CONNECTION_ERROR",
            OuterError::Initialization(_) | OuterError::Transport => "MCP_INITIALIZATION_ERROR",
            OuterError::Capability => "MCP_CAPABILITY_ERROR",
            OuterError::Protocol(_) => "MCP_PROTOCOL_ERROR",
        }
    }
}

/// A connected server.
#[derive(Debug)]
pub struct OuterServer {
    url: Uri,
    client: Client,
    connect_time: Duration,
    retries: u32,
    /// Where the server speaks the older transport.
    stream: Option<EventStream>,
    headers: HeaderMap,
    next_id: AtomicU64,
    protocol_version: String,
    capabilities: Value,
    server_info: Value,
    /// Tools that said they only read, which may be called again.
    reads: Mutex<BTreeSet<String>>,
    listeners: Listeners,
    /// Whether the server was not there when it was last asked.
    gone: AtomicBool,
    /// Whether it does not know the session any more, because it was started anew.
    forgotten: AtomicBool,
}

/// Why a request has no result.
enum Lost {
    Client(ClientError),
    Status(StatusCode),
    Protocol(String),
    /// The server's own error: it decided, so nothing is left open.
    Error {
        code: i64,
        message: String,
    },
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Client(error) => error.fmt(f),
            Lost::Status(status) => write!(f, "the MCP server answered {status}"),
            Lost::Protocol(why) => f.write_str(why),
            Lost::Error { code, message } => write!(f, "the MCP server refused ({code}): {message}"),
        }
    }
}

impl Lost {
    fn passes(&self) -> bool {
        match self {
            Lost::Client(error) => !matches!(
                error,
                ClientError::BadUrl(_) | ClientError::Refused(..) | ClientError::Redirected(_)
            ),
            Lost::Status(status) => status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS,
            Lost::Protocol(_) | Lost::Error { .. } => false,
        }
    }

    /// Whether a write is known not to have been done.
    fn undone(&self) -> bool {
        match self {
            Lost::Client(error) => error.before_sending(),
            Lost::Status(status) => status.is_client_error(),
            Lost::Error { .. } => true,
            Lost::Protocol(_) => false,
        }
    }
}

impl OuterServer {
    /// Connects, agrees on a version and sees that there are tools.
    pub async fn connect(config: &OuterConfig) -> Result<Self, OuterError> {
        let bad = || OuterError::Address("server_url must be of the form https://host/path".to_owned());
        let url: Uri = config.url.parse().map_err(|_| bad())?;
        crate::client::Origin::of(&url).map_err(|_| bad())?;
        let reach = if config.allow_private { Reach::Anywhere } else { Reach::Public };
        let connect_time = config.connect_time.clamp(Duration::from_secs(1), CONNECT_TIME);
        let mut server = Self {
            url,
            client: Client::new(reach, connect_time, TOOL_TIME),
            connect_time,
            retries: config.retries.min(RETRIES),
            stream: None,
            headers: base_headers(config.token.as_deref())?,
            next_id: AtomicU64::new(1),
            protocol_version: String::new(),
            capabilities: Value::Null,
            server_info: Value::Null,
            reads: Mutex::default(),
            listeners: Listeners::default(),
            gone: AtomicBool::new(false),
            forgotten: AtomicBool::new(false),
        };
        match server.initialise(&config.protocol_version).await {
            Err(OuterError::Transport) => server.open_stream(reach, &config.protocol_version).await?,
            initialised => initialised?,
        }
        Ok(server)
    }

    /// Speaks the older transport with a server that does not know the newer one.
    async fn open_stream(&mut self, reach: Reach, wanted: &str) -> Result<(), OuterError> {
        let client = Client::new(reach, self.connect_time, event_stream::SILENCE);
        let opened = EventStream::open(&client, &self.url, self.headers.clone(), self.listeners.clone());
        let opened = tokio::time::timeout(self.connect_time, opened).await.map_err(|_| self.silent())?;
        self.stream = Some(opened.map_err(|lost| match lost {
            Lost::Client(error) => not_connected(&error),
            lost => OuterError::Initialization(format!(
                "it speaks neither Streamable HTTP nor HTTP+SSE there: {lost}"
            )),
        })?);
        self.initialise(wanted).await
    }

    fn silent(&self) -> OuterError {
        OuterError::Connection(format!("no answer within {} seconds", self.connect_time.as_secs()))
    }

    /// Whether there is still something to ask, as far as is known.
    pub fn is_open(&self) -> bool {
        let listens = self.stream.as_ref().is_none_or(|stream| !stream.has_ended());
        listens && !self.gone.load(Ordering::SeqCst) && !self.has_forgotten()
    }

    /// Whether it refused a request because it knows nothing of the session: nothing was done, and whoever connects anew
    /// may ask again.
    pub fn has_forgotten(&self) -> bool {
        self.forgotten.load(Ordering::SeqCst)
    }

    /// Keeps what an answer says of the server itself.
    fn note(&self, answered: Option<&Lost>) {
        let gone = match answered {
            Some(Lost::Client(ClientError::Connect(..) | ClientError::Broken(..))) => true,
            Some(Lost::Status(StatusCode::NOT_FOUND)) if self.headers.contains_key(SESSION) => {
                self.forgotten.store(true, Ordering::SeqCst);
                false
            }
            _ => false,
        };
        self.gone.store(gone, Ordering::SeqCst);
    }

    pub fn protocol_version(&self) -> &str {
        &self.protocol_version
    }

    pub fn capabilities(&self) -> &Value {
        &self.capabilities
    }

    /// Name and version, as the server gave them.
    pub fn server_info(&self) -> &Value {
        &self.server_info
    }

    /// The heartbeat.
    pub async fn ping(&self) -> Result<(), OuterError> {
        match self.read("ping", json!({})).await {
            // A server without `ping` answered all the same.
            Ok(_) | Err(Lost::Error { .. }) => Ok(()),
            Err(lost) => Err(OuterError::Connection(lost.to_string())),
        }
    }

    /// Lets the server forget the session; one that cannot is no matter.
    pub async fn close(&self) {
        if self.headers.contains_key(SESSION) {
            let sent = self.client.send(Method::DELETE, &self.url, self.headers.clone(), Bytes::new());
            let _ = tokio::time::timeout(CONNECT_TIME, sent).await;
        }
    }

    async fn initialise(&mut self, wanted: &str) -> Result<(), OuterError> {
        if !VERSIONS.contains(&wanted) {
            let valid = VERSIONS.join(", ");
            return Err(OuterError::Initialization(format!("`{wanted}` is no version; valid: {valid}")));
        }
        let params = json!({
            "protocolVersion": wanted,
            "capabilities": {},
            "clientInfo": { "name": "docwright", "version": env!("CARGO_PKG_VERSION") },
        });
        let request = self.request("initialize", params);
        let sent = tokio::time::timeout(self.connect_time, self.post(&request, true));
        let answered = sent.await.map_err(|_| self.silent())?;
        let (result, session) = answered.map_err(|lost| match lost {
            Lost::Client(error) => not_connected(&error),
            // What a server answers that wants a GET first.
            Lost::Status(
                StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED,
            ) if self.stream.is_none() => OuterError::Transport,
            Lost::Protocol(why) => OuterError::Protocol(why),
            lost => OuterError::Initialization(lost.to_string()),
        })?;
        let version = result.get("protocolVersion").and_then(Value::as_str);
        let version =
            version.ok_or_else(|| OuterError::Protocol("initialize gave no protocolVersion".to_owned()))?;
        if !VERSIONS.contains(&version) {
            return Err(OuterError::Initialization(
                "it answered a protocol version we do not know".to_owned(),
            ));
        }
        version.clone_into(&mut self.protocol_version);
        self.capabilities = result.get("capabilities").cloned().unwrap_or_else(|| json!({}));
        self.server_info = result.get("serverInfo").cloned().unwrap_or_else(|| json!({}));
        if !self.capabilities.get("tools").is_some_and(Value::is_object) {
            return Err(OuterError::Capability);
        }
        if let Some(session) = session {
            self.headers.insert(SESSION, session);
        }
        let version = HeaderValue::from_str(&self.protocol_version)
            .map_err(|_| OuterError::Protocol("its protocol version is no header".to_owned()))?;
        self.headers.insert(VERSION, version);
        let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let noted = tokio::time::timeout(self.connect_time, self.post(&note, false)).await;
        noted.map_err(|_| self.silent())?.map_err(|lost| OuterError::Initialization(lost.to_string()))?;
        Ok(())
    }

    fn request(&self, method: &str, params: Value) -> Value {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    /// A request that may be made again.
    async fn read(&self, method: &str, params: Value) -> Result<Value, Lost> {
        let mut attempt = 0;
        loop {
            let lost = match self.post(&self.request(method, params.clone()), true).await {
                Ok((result, _)) => return Ok(result),
                Err(lost) => lost,
            };
            attempt += 1;
            if attempt > self.retries || !lost.passes() {
                return Err(lost);
            }
            tokio::time::sleep(Duration::from_millis(200) * 2u32.pow(attempt - 1)).await;
        }
    }

    async fn post(&self, message: &Value, answered: bool) -> Result<(Value, Option<HeaderValue>), Lost> {
        let posted = self.sent(message, answered).await;
        self.note(posted.as_ref().err());
        posted
    }

    async fn sent(&self, message: &Value, answered: bool) -> Result<(Value, Option<HeaderValue>), Lost> {
        if let Some(stream) = &self.stream {
            let reply = stream.post(&self.client, self.headers.clone(), message).await?;
            return if answered { Ok((result_of(&reply)?, None)) } else { Ok((Value::Null, None)) };
        }
        let body = Bytes::from(message.to_string());
        let sent = self.client.send(Method::POST, &self.url, self.headers.clone(), body).await;
        let mut answer = sent.map_err(Lost::Client)?;
        if !answer.status.is_success() {
            return Err(Lost::Status(answer.status));
        }
        if !answered {
            return Ok((Value::Null, None));
        }
        let session = answer.headers.get(SESSION).cloned();
        let id = message.get("id");
        let reply = if answer.is("text/event-stream") {
            from_stream(&mut answer, id, &self.listeners).await?
        } else {
            let body = answer.whole(MOST_BYTES).await.map_err(Lost::Client)?;
            let reply: Value = serde_json::from_slice(&body)
                .map_err(|error| Lost::Protocol(format!("its answer is no JSON: {error}")))?;
            reply
        };
        if reply.get("id") != id {
            return Err(Lost::Protocol("it answered another request".to_owned()));
        }
        Ok((result_of(&reply)?, session))
    }

    async fn catalogue(&self) -> Result<Catalogue, CallError> {
        let mut tools = Catalogue::new();
        let mut params = json!({});
        for _ in 0..MOST_PAGES {
            let page =
                self.read("tools/list", params).await.map_err(|lost| CallError::Failed(lost.to_string()))?;
            let listed = page.get("tools").and_then(Value::as_array);
            let listed = listed.ok_or_else(|| CallError::Failed("tools/list gave no tools".to_owned()))?;
            tools.extend(listed.iter().filter_map(tool));
            match page.get("nextCursor").filter(|cursor| cursor.is_string()) {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => {
                    let reads = tools.iter().filter(|tool| tool.annotations.read_only);
                    let reads = reads.map(|tool| tool.name.clone()).collect();
                    *self.reads.lock().unwrap_or_else(PoisonError::into_inner) = reads;
                    return Ok(tools);
                }
            }
        }
        Err(CallError::Failed(format!("its list of tools has more than {MOST_PAGES} pages")))
    }

    async fn call_once(&self, call: &Call, reads: bool, progress: Steps) -> Result<ToolResult, CallError> {
        let mark = self.listeners.mark();
        let params = json!({
            "name": call.name, "arguments": call.arguments, "_meta": { "progressToken": mark },
        });
        let _listening = self.listeners.add(mark, progress);
        let answered = if reads {
            self.read("tools/call", params).await
        } else {
            self.post(&self.request("tools/call", params), true).await.map(|(result, _)| result)
        };
        match answered {
            Ok(result) => {
                ToolResult::from_json(result).ok_or_else(|| lost("its answer is no tool result", reads))
            }
            Err(Lost::Error { code: -32602, message }) => Err(CallError::BadArguments(message)),
            Err(error) if reads || error.undone() => Err(CallError::Failed(error.to_string())),
            Err(error) => Err(CallError::Unknown(error.to_string())),
        }
    }
}

impl Tools for OuterServer {
    fn list(&self) -> BoxFuture<'_, Result<Catalogue, CallError>> {
        Box::pin(self.catalogue())
    }

    fn call<'a>(
        &'a self,
        call: &'a Call,
        cancel: &'a CancellationToken,
        progress: Steps,
    ) -> BoxFuture<'a, Result<ToolResult, CallError>> {
        Box::pin(async move {
            if cancel.is_cancelled() {
                return Err(CallError::Cancelled);
            }
            let reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner).contains(&call.name);
            tokio::select! {
                done = self.call_once(call, reads, progress) => done,
                () = tokio::time::sleep(TOOL_TIME) => Err(lost("no answer within 30 seconds", reads)),
                () = cancel.cancelled() => {
                    if reads { Err(CallError::Cancelled) } else { Err(lost("cancelled on the way", reads)) }
                }
            }
        })
    }
}

/// The result in an answer, or the server's own error.
fn result_of(reply: &Value) -> Result<Value, Lost> {
    if let Some(error) = reply.get("error") {
        let code = error.get("code").and_then(Value::as_i64).unwrap_or(-32603);
        let said = error.get("message").and_then(Value::as_str).unwrap_or("no reason given");
        return Err(Lost::Error { code, message: said.chars().take(500).collect() });
    }
    let result = reply.get("result").cloned();
    result.ok_or_else(|| Lost::Protocol("an answer without a result".to_owned()))
}

fn not_connected(error: &ClientError) -> OuterError {
    match error {
        ClientError::BadUrl(_) | ClientError::Refused(..) => OuterError::Address(error.to_string()),
        _ => OuterError::Connection(error.to_string()),
    }
}

fn lost(why: &str, reads: bool) -> CallError {
    if reads { CallError::Failed(why.to_owned()) } else { CallError::Unknown(why.to_owned()) }
}

fn base_headers(token: Option<&str>) -> Result<HeaderMap, OuterError> {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    if let Some(token) = token.filter(|token| !token.is_empty()) {
        let mut value = HeaderValue::from_str(&format!("Bearer {token}"))
            .map_err(|_| OuterError::Address("auth_token has characters that cannot be sent".to_owned()))?;
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    Ok(headers)
}

/// The answer to a request among the other messages of its stream.
async fn from_stream(answer: &mut Answer, id: Option<&Value>, listeners: &Listeners) -> Result<Value, Lost> {
    let mut parser = SseParser::default();
    let mut size = 0;
    while let Some(chunk) = answer.chunk().await.map_err(Lost::Client)? {
        size += chunk.len();
        if size > MOST_BYTES {
            return Err(Lost::Protocol(format!("its answer is longer than {MOST_BYTES} bytes")));
        }
        for event in parser.feed(&chunk).map_err(Lost::Protocol)? {
            if event.data.is_empty() {
                continue;
            }
            let message: Value = serde_json::from_str(&event.data)
                .map_err(|error| Lost::Protocol(format!("an event is no JSON: {error}")))?;
            if message.get("id") == id && message.get("method").is_none() {
                return Ok(message);
            }
            listeners.hear(&message);
        }
    }
    Err(Lost::Protocol("its stream ended without an answer".to_owned()))
}

fn tool(listed: &Value) -> Option<ToolInfo> {
    let text = |name: &str| listed.get(name).and_then(Value::as_str);
    Some(ToolInfo {
        name: text("name")?.to_owned(),
        description: text("description").map_or_else(String::new, str::to_owned),
        input_schema: listed.get("inputSchema").cloned().unwrap_or_else(|| json!({ "type": "object" })),
        annotations: Annotations::from_json(listed.get("annotations")),
        also_asks: false,
    })
}
