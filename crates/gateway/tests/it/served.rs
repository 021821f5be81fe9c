//! A server of a test, and a client that sees every byte of its answers.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use gateway::{Agent, Api, Config, Gateway, Rates, StartError, StoreKey};
use mcp::http::{Endpoint, Options};
use mcp::{Callers, Choice, Offer, Server};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tokio_util::sync::CancellationToken;
use workspace::{Caller, Clock, Desk};

use crate::postgres;

pub(crate) const DAY: i64 = 24 * 60 * 60;
pub(crate) const KEY: &str = "an-access-key-of-some-length";

/// What no test reaches that is not about limits.
const WIDE: Rates = Rates { chat: 1000, execute: 1000, document: 1000, mcp: 1000, begin: 1000, other: 1000 };

/// A clock that the test sets.
#[derive(Debug)]
pub(crate) struct SetClock(AtomicI64);

impl Clock for SetClock {
    fn now(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    clock: Arc<SetClock>,
    stop: CancellationToken,
    served: tokio::task::JoinHandle<Result<(), StartError>>,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Value,
}

/// An event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) id: i64,
    /// Empty for those without a name.
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Told {
    fn read(text: &str) -> Self {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        Self {
            id: field("id: ").unwrap().parse().unwrap(),
            name: field("event: ").unwrap_or("").to_owned(),
            data: serde_json::from_str(field("data: ").unwrap()).unwrap(),
        }
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// Asserts the shape of a refusal and gives its name.
    pub(crate) fn refused(&self, status: u16) -> &str {
        assert_eq!(self.status, status, "{}", self.body);
        let error = &self.body["error"];
        assert!(error["code"].is_i64() && error["message"].is_string(), "{}", self.body);
        assert!(error["data"]["details"].is_string() && error["timestamp"].is_string(), "{}", self.body);
        error["data"]["name"].as_str().unwrap()
    }
}

/// For callers that may use no files.
pub(crate) async fn start(state: Option<&Path>, change: impl FnOnce(&mut Config)) -> Running {
    start_in(None, state, change).await
}

/// For callers whose documents are in `root`.
pub(crate) async fn start_in(
    root: Option<&Path>,
    state: Option<&Path>,
    change: impl FnOnce(&mut Config),
) -> Running {
    start_with(root, state, Agent::default(), change).await
}

/// With an agent that is set up so.
pub(crate) async fn start_with(
    root: Option<&Path>,
    state: Option<&Path>,
    agent: Agent,
    change: impl FnOnce(&mut Config),
) -> Running {
    let roots = root.map(Path::to_owned).into_iter().collect();
    serve(Caller { roots, ..Caller::agent("Tester", "") }, state, agent, change).await
}

/// For sessions that may do what this caller may.
pub(crate) async fn start_for(
    caller: Caller,
    state: Option<&Path>,
    change: impl FnOnce(&mut Config),
) -> Running {
    serve(caller, state, Agent::default(), change).await
}

/// For callers that may do what this one may, with an agent that is set up so.
pub(crate) async fn serve(
    caller: Caller,
    state: Option<&Path>,
    agent: Agent,
    change: impl FnOnce(&mut Config),
) -> Running {
    let clock = Arc::new(SetClock(AtomicI64::new(1_700_000_000)));
    let state_folder = state.map(Path::to_owned);
    let kept =
        workspace::Config { clock: clock.clone(), state: state_folder, ..workspace::Config::default() };
    let desk = Desk::new(kept).unwrap();
    let server = Arc::new(Server::new(desk));
    let offer = Arc::new(Offer::new(&Choice::default()).unwrap());
    let callers = Callers::new(server.clone(), offer.clone(), caller.clone());
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    config.rates = WIDE;
    change(&mut config);
    let endpoint = Endpoint::new(server, offer, caller, Options::default());
    let database = postgres::database(state).await;
    // A database elsewhere has no key beside it.
    let store_key = database.is_some().then(|| StoreKey::new(&"test".repeat(10)).unwrap());
    let api = Api { callers, state: state.map(Path::to_owned), store_key, database, agent };
    let gateway = Gateway::bind(config, endpoint, Some(api)).await.unwrap();
    let address = gateway.address();
    let stop = CancellationToken::new();
    let served = tokio::spawn(gateway.run(stop.clone().cancelled_owned()));
    Running { address, clock, stop, served }
}

impl Running {
    pub(crate) async fn send(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let mut head = format!("{line} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await;
        read.expect("an answer in time").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let body = match serde_json::from_str(body) {
            Ok(body) => body,
            Err(_) if body.is_empty() => Value::Null,
            Err(_) if head.contains("application/json") => panic!("no JSON: {body}"),
            Err(_) => Value::String(body.to_owned()),
        };
        Answer { status, head: head.to_owned(), body }
    }

    /// These bytes, and all that is answered.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut answer)).await;
        read.expect("an answer in time").unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Answer {
        self.send(&format!("GET /api/v1{path}"), &[("Authorization", &format!("Bearer {token}"))], "").await
    }

    pub(crate) async fn delete(&self, path: &str, token: &str) -> Answer {
        self.send(&format!("DELETE /api/v1{path}"), &[("Authorization", &format!("Bearer {token}"))], "")
            .await
    }

    pub(crate) async fn post(&self, path: &str, token: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
        self.send(&format!("POST /api/v1{path}"), &headers, &body.to_string()).await
    }

    pub(crate) async fn post_once(&self, path: &str, token: &str, key: &str, body: &Value) -> Answer {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Idempotency-Key", key),
        ];
        self.send(&format!("POST /api/v1{path}"), &headers, &body.to_string()).await
    }

    /// A stream to its end: its status and its events.
    pub(crate) async fn follow(&self, path: &str, headers: &[(&str, &str)]) -> (u16, Vec<Told>) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // The older protocol has no chunks, so that what comes is what was sent.
        let mut head = format!("GET {path} HTTP/1.0\r\nHost: {}\r\n", self.address);
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await;
        read.expect("the end of the stream").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let events = body.split("\n\n").filter(|event| event.starts_with("id: "));
        (status, events.map(Told::read).collect())
    }

    /// A new session: its id and its token.
    pub(crate) async fn session(&self, key: &str, body: &Value) -> (String, String) {
        let made = self.post("/session/create", key, body).await;
        assert_eq!(made.status, 200, "{}", made.body);
        let text = |name: &str| made.body[name].as_str().unwrap().to_owned();
        (text("session_id"), text("session_token"))
    }

    pub(crate) fn later(&self, seconds: i64) {
        self.clock.0.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn ask_to_end(&self) {
        self.stop.cancel();
    }

    pub(crate) async fn end(self) {
        self.stop.cancel();
        self.served.await.unwrap().unwrap();
    }
}
