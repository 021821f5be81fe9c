//! The HTTP surface as an attacker and a client see it: bytes over a socket.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use gateway::{Access, Config, Gateway, StartError, Token};
use mcp::http::{Endpoint, Options};
use mcp::{About, Choice, Cx, Hints, Limits, Offer, Server, Set, Text, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::oneshot,
};
use workspace::{Caller, Desk};

/// Takes a number of milliseconds.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wait {
    ms: u64,
}

const ABOUT: About = About { title: "Sample", sets: &[Set::Core], hints: Hints::READ };

fn tools() -> Vec<Tool> {
    vec![
        Tool::new("wait", ABOUT, |cx: &Cx<'_>, input: Wait| {
            for _ in 0..input.ms / 10 {
                cx.cancel.check()?;
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(Text(format!("waited {} ms", input.ms)))
        }),
        Tool::new("fail", ABOUT, |_: &Cx<'_>, _: Wait| -> Result<Text, ToolError> {
            panic!("the floor gave way")
        }),
    ]
}

/// For callers that may use no files.
fn endpoint(options: Options) -> Endpoint {
    let server = Arc::new(Server::new(Desk::new(workspace::Config::default()).unwrap()));
    let offer = Arc::new(Offer::of(&Choice::default(), tools()).unwrap());
    let caller = Caller { roots: Vec::new(), ..Caller::agent("Tester", "") };
    Endpoint::new(server, offer, caller, options)
}

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: tokio::task::JoinHandle<Result<(), StartError>>,
}

async fn start(change: impl FnOnce(&mut Config)) -> Running {
    start_with(change, |_| {}).await
}

async fn start_with(change: impl FnOnce(&mut Config), limit: impl FnOnce(&mut Options)) -> Running {
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    change(&mut config);
    let mut options = Options::default();
    limit(&mut options);
    let gateway = Gateway::bind(config, endpoint(options), None).await.unwrap();
    let address = gateway.address();
    let (stop, stopped) = oneshot::channel();
    let served = tokio::spawn(gateway.run(async {
        let _ = stopped.await;
    }));
    Running { address, stop, served }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// The JSON-RPC message in it, in a body of its own or in the last event.
    fn message(&self) -> Value {
        let data =
            self.body.lines().filter_map(|line| line.strip_prefix("data:")).rfind(|data| data.len() > 1);
        serde_json::from_str(data.unwrap_or(&self.body))
            .unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    fn code(&self) -> i64 {
        self.message()["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error in {:?}", self.body))
    }
}

impl Running {
    async fn raw(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // The server may answer and hang up before it has read everything.
        let _ = stream.write_all(body).await;
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await;
        let _ = read.expect("an answer in time");
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: unchunked(head, body) }
    }

    async fn post(&self, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut lines = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Connection", "close"),
        ];
        let host = self.address.to_string();
        if !headers.iter().any(|(name, _)| *name == "Host") {
            lines.push(("Host", &host));
        }
        lines.retain(|(name, _)| !headers.iter().any(|(given, _)| given == name));
        lines.extend(headers);
        let lines: String = lines.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        self.raw(&format!("POST /mcp HTTP/1.1\r\n{lines}Content-Length: {}\r\n\r\n", body.len()), body).await
    }

    async fn send(&self, headers: &[(&str, &str)], message: Value) -> Answer {
        self.post(headers, message.to_string().as_bytes()).await
    }

    /// Opens a session and gives its id.
    async fn session(&self, revision: &str) -> String {
        let answer = self.send(&[], initialize(revision)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.message()["result"]["protocolVersion"], revision);
        answer.header("mcp-session-id").unwrap().to_owned()
    }
}

fn unchunked(head: &str, body: &str) -> String {
    if !head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let (mut out, mut rest) = (String::new(), body);
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        if size == 0 {
            break;
        }
        out.push_str(&after[..size]);
        rest = &after[size + 2..];
    }
    out
}

fn initialize(revision: &str) -> Value {
    let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn call(id: u64, name: &str, ms: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": {"ms": ms}}})
}

#[tokio::test]
async fn every_revision_is_spoken() {
    let server = start(|_| ()).await;
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let session = server.session(revision).await;
        let answer = server.send(&[("Mcp-Session-Id", &session)], call(1, "wait", 0)).await;
        assert_eq!(answer.message()["result"]["content"][0]["text"], "waited 0 ms", "{revision}");
    }
    let mut message = call(1, "wait", 0);
    message["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let headers =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "wait")];
    let answer = server.send(&headers, message).await;
    assert_eq!(answer.message()["result"]["resultType"], "complete", "{}", answer.body);
    assert_eq!(answer.header("mcp-session-id"), None);
}

#[tokio::test]
async fn what_cannot_be_read_is_answered_in_json() {
    let server =
        start_with(|_| {}, |options| options.limits = Limits { message_bytes: 5000, depth: 20 }).await;
    let session = server.session("2025-11-25").await;
    let session = [("Mcp-Session-Id", session.as_str())];
    let broken = server.post(&session, b"{\"jsonrpc\":\"2.0\",\"id\":3,").await;
    assert_eq!((broken.status, broken.code()), (400, -32700));
    assert_eq!(broken.message()["id"], 3);
    assert_eq!(broken.header("content-type"), Some("application/json"));
    let not_utf8 = server.post(&session, b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\xff\"}").await;
    assert_eq!((not_utf8.status, not_utf8.code()), (400, -32700));
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    let deep = server.post(&session, deep.as_bytes()).await;
    assert_eq!((deep.status, deep.code()), (400, -32700));
    let long = server.post(&session, &[b' '; 6000]).await;
    assert_eq!((long.status, long.code()), (413, -32600));
    let shape = server.send(&session, json!({"id": 1, "method": "ping"})).await;
    assert_eq!((shape.status, shape.code()), (400, -32600));
    let nameless = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}});
    assert_eq!(server.send(&session, nameless).await.code(), -32602);
    let media = server.post(&[("Content-Type", "text/plain")], b"{}").await;
    assert_eq!((media.status, media.code()), (415, -32600));
    let accept = server.send(&[("Accept", "text/html")], initialize("2025-11-25")).await;
    assert_eq!((accept.status, accept.code()), (406, -32000));
    let lost = server.send(&[("Mcp-Session-Id", "no-such")], call(1, "wait", 0)).await;
    assert_eq!((lost.status, lost.code()), (404, -32000));
    let none = server.send(&[], call(1, "wait", 0)).await;
    assert_eq!((none.status, none.code()), (400, -32000));
    // Chunked, so that the length is not known beforehand.
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000)).repeat(4);
    assert_eq!(server.raw(&head, chunk.as_bytes()).await.status, 413);
}

#[tokio::test]
async fn a_panic_is_an_answer() {
    let server = start(|_| ()).await;
    let session = server.session("2025-11-25").await;
    let answer = server.send(&[("Mcp-Session-Id", &session)], call(1, "fail", 0)).await;
    assert_eq!(answer.message()["result"]["isError"], true);
    let answer = server.send(&[("Mcp-Session-Id", &session)], call(2, "wait", 0)).await;
    assert_eq!(answer.message()["result"]["isError"], false);
}

#[tokio::test]
async fn strangers_are_turned_away() {
    let server = start(|config| {
        config.access.hosts = vec!["docs.example.com".to_owned()];
        config.access.origins = vec!["https://app.example.com".to_owned()];
    })
    .await;
    let port = server.address.port();
    let own = format!("http://{}", server.address);
    let local = format!("localhost:{port}");
    let rebound = format!("evil.example:{port}");
    let other_port = "http://127.0.0.1:1".to_owned();
    for (headers, wanted) in [
        (vec![("Host", local.as_str())], 200),
        (vec![("Host", "docs.example.com")], 200),
        (vec![("Host", "[::1]:80")], 200),
        (vec![("Host", rebound.as_str())], 403),
        (vec![("Host", "192.168.1.2")], 403),
        (vec![("Host", "a b")], 400),
        (vec![("Host", "localhost"), ("Host", "evil.example")], 400),
        (vec![("Origin", own.as_str())], 200),
        (vec![("Origin", "https://app.example.com")], 200),
        (vec![("Origin", "https://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Origin", other_port.as_str())], 403),
        (vec![("Origin", "https://app.example.com"), ("Origin", "null")], 403),
    ] {
        let answer = server.send(&headers, initialize("2025-11-25")).await;
        assert_eq!(answer.status, wanted, "{headers:?}: {}", answer.body);
    }
    let nameless = server.raw("POST /mcp HTTP/1.0\r\nContent-Length: 2\r\n\r\n", b"{}").await;
    assert_eq!(nameless.status, 400);
}

#[tokio::test]
async fn a_token_is_asked_for_and_guarded() {
    let token = "correct horse battery".replace(' ', "-");
    let server = start(|config| config.access.token = Some(Token::new(token.clone()))).await;
    for (header, wanted) in [
        (None, 401),
        (Some("Bearer wrong".to_owned()), 401),
        (Some(format!("Bearer {token}x")), 401),
        (Some(format!("Basic {token}")), 401),
        (Some(token.clone()), 401),
        (Some(format!("bearer {token}")), 200),
    ] {
        let headers: Vec<_> = header.iter().map(|value| ("Authorization", value.as_str())).collect();
        let answer = server.send(&headers, initialize("2025-11-25")).await;
        assert_eq!(answer.status, wanted, "{header:?}");
        if wanted == 401 {
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        }
    }
    assert_eq!(
        format!("{:?}", Access { token: Some(Token::new(token.clone())), ..Access::default() }).find(&token),
        None
    );
}

#[tokio::test]
async fn the_world_is_not_served_without_a_token() {
    let mut config = Config::new("0.0.0.0:0".parse().unwrap());
    let refused = Gateway::bind(config.clone(), endpoint(Options::default()), None).await.unwrap_err();
    assert!(matches!(refused, StartError::NoToken(_)), "{refused}");
    config.access.token = Some(Token::new("short"));
    assert!(matches!(
        Gateway::bind(config.clone(), endpoint(Options::default()), None).await,
        Err(StartError::ShortToken)
    ));
    config.access.token = Some(Token::new("0123456789abcdef"));
    assert!(Gateway::bind(config, endpoint(Options::default()), None).await.is_ok());
}

#[tokio::test]
async fn sessions_are_counted_and_idle_ones_end() {
    let limit = |options: &mut Options| {
        options.sessions = 2;
        options.idle = Duration::from_millis(600);
    };
    let server = start_with(|_| {}, limit).await;
    let first = server.session("2025-11-25").await;
    server.session("2025-06-18").await;
    let full = server.send(&[], initialize("2025-11-25")).await;
    assert_eq!((full.status, full.code(), full.header("retry-after")), (503, -32000, Some("60")));
    // Those who are in are served on, and those who need no session too.
    assert_eq!(server.send(&[("Mcp-Session-Id", &first)], call(1, "wait", 0)).await.status, 200);

    let head = format!(
        "DELETE /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nMcp-Session-Id: {first}\r\n\r\n",
        server.address
    );
    assert!(server.raw(&head, b"").await.status < 300);
    let third = server.session("2025-11-25").await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(server.send(&[("Mcp-Session-Id", &third)], call(1, "wait", 0)).await.status, 404);
    server.session("2025-11-25").await;
}

#[tokio::test]
async fn a_flood_of_sessions_finds_no_gap() {
    let server = start_with(|_| {}, |options| options.sessions = 5).await;
    let flood = (0..40).map(|_| server.send(&[], initialize("2025-11-25")));
    let mut opened = 0;
    let mut tasks = Vec::new();
    for attempt in flood {
        tasks.push(attempt);
    }
    for answer in futures_join(tasks).await {
        opened += usize::from(answer.status == 200);
        assert!([200, 503, 500].contains(&answer.status), "{}", answer.body);
    }
    assert_eq!(opened, 5);
}

async fn futures_join<F: Future<Output = Answer>>(each: Vec<F>) -> Vec<Answer> {
    let mut each: Vec<_> = each.into_iter().map(Box::pin).collect();
    let mut done: Vec<Option<Answer>> = each.iter().map(|_| None).collect();
    std::future::poll_fn(|cx| {
        for (future, done) in each.iter_mut().zip(&mut done) {
            if done.is_none()
                && let std::task::Poll::Ready(answer) = future.as_mut().poll(cx)
            {
                *done = Some(answer);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

#[tokio::test]
async fn an_id_in_use_is_refused() {
    let server = start(|_| ()).await;
    let session = server.session("2025-11-25").await;
    let session = [("Mcp-Session-Id", session.as_str())];
    let (first, second) = tokio::join!(server.send(&session, call(7, "wait", 400)), async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        server.send(&session, call(7, "wait", 0)).await
    });
    assert_eq!((second.status, second.code()), (400, -32600));
    assert_eq!(first.message()["result"]["content"][0]["text"], "waited 400 ms");
    assert_eq!(server.send(&session, call(7, "wait", 0)).await.message()["id"], 7);
}

#[tokio::test]
async fn a_batch_is_answered_as_one_in_the_revision_that_has_them() {
    let server = start(|_| ()).await;
    let batch = json!([call(1, "wait", 20), {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {}}, {"jsonrpc": "2.0", "id": 3, "method": "ping"}]);
    let session = server.session("2025-03-26").await;
    let answer = server.send(&[("Mcp-Session-Id", &session)], batch.clone()).await;
    let answers: Value = serde_json::from_str(&answer.body).unwrap();
    let ids: Vec<_> = answers.as_array().unwrap().iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, [json!(1), json!(2), json!(3)]);
    let session = server.session("2025-06-18").await;
    let answer = server.send(&[("Mcp-Session-Id", &session)], batch).await;
    assert_eq!((answer.status, answer.code()), (400, -32600));
}

#[tokio::test]
async fn running_calls_finish_before_the_server_ends() {
    let server = start(|_| ()).await;
    let session = server.session("2025-11-25").await;
    let mut listening = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
        server.address
    );
    listening.write_all(head.as_bytes()).await.unwrap();
    let Running { address, stop, served } = server;
    let (stop_later, _) = oneshot::channel();
    let server = Running { address, stop: stop_later, served: tokio::spawn(async { Ok(()) }) };
    let headers = [("Mcp-Session-Id", session.as_str())];
    let (answer, ended) = tokio::join!(server.send(&headers, call(1, "wait", 500)), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        stop.send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(5), served).await
    });
    assert_eq!(answer.message()["result"]["content"][0]["text"], "waited 500 ms");
    ended.expect("the open stream does not keep the server").unwrap().unwrap();
    let _ = (server.stop, server.served);
}

#[tokio::test]
async fn small_answers_do_not_wait_for_acknowledgements() {
    let server = start(|_| ()).await;
    let session = server.session("2025-11-25").await;
    let headers = [("Mcp-Session-Id", session.as_str())];
    let mut quickest = Duration::MAX;
    for id in 0..20 {
        let before = tokio::time::Instant::now();
        server.send(&headers, call(id, "wait", 0)).await;
        quickest = quickest.min(before.elapsed());
    }
    // One that waits waits for 40 ms, each time; a busy machine is slow now and then.
    assert!(quickest < Duration::from_millis(35), "{quickest:?} a call at least");
}
