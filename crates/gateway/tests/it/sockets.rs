//! What a stranger can do with sockets before anybody asks for a token.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use gateway::{Config, Gateway, Limits};
use mcp::http::{Endpoint, Options};
use mcp::{About, Choice, Cx, Hints, Offer, Server, Set, Text, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::Instant,
};
use workspace::{Caller, Desk};

/// Takes a number of milliseconds.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wait {
    ms: u64,
}

const ABOUT: About = About { title: "Sample", sets: &[Set::Core], hints: Hints::READ };
const HEAD: Duration = Duration::from_millis(300);
const REST: Duration = Duration::from_millis(1500);

async fn start(sockets: u32) -> SocketAddr {
    let tools = vec![Tool::new("wait", ABOUT, |_: &Cx<'_>, input: Wait| {
        std::thread::sleep(Duration::from_millis(input.ms));
        Ok(Text("waited".to_owned()))
    })];
    let server = Arc::new(Server::new(Desk::new(workspace::Config::default()).unwrap()));
    let offer = Arc::new(Offer::of(&Choice::default(), tools).unwrap());
    let caller = Caller { roots: Vec::new(), ..Caller::agent("Tester", "") };
    let endpoint = Endpoint::new(server, offer, caller, Options::default());
    let mut config = Config::new("127.0.0.1:0".parse().unwrap());
    config.limits = Limits { sockets, head_time: HEAD, rest_time: REST, ..Limits::default() };
    let gateway = Gateway::bind(config, endpoint, None).await.unwrap();
    let address = gateway.address();
    tokio::spawn(gateway.run(std::future::pending()));
    address
}

/// How long the server keeps a connection open that says no more.
async fn closed_after(mut stream: TcpStream) -> Duration {
    let began = Instant::now();
    let mut rest = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await;
    let _ = read.expect("the server hangs up");
    began.elapsed()
}

fn request(address: SocketAddr, body: &str) -> String {
    let length = body.len();
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// Reads until the answer has this in it.
async fn until(stream: &mut TcpStream, wanted: &str) -> String {
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    while !text.contains(wanted) {
        let read = tokio::time::timeout(Duration::from_secs(10), stream.read(&mut buffer)).await;
        let read = read.expect("an answer in time").unwrap();
        assert!(read > 0, "the server hung up after {text:?}");
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    text
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

#[tokio::test]
async fn whoever_says_nothing_is_hung_up_on() {
    let address = start(100).await;
    let kept = closed_after(TcpStream::connect(address).await.unwrap()).await;
    assert!(kept >= HEAD / 2 && kept < HEAD * 5, "{kept:?}");
}

#[tokio::test]
async fn a_head_that_never_ends_is_cut_off() {
    let address = start(100).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let began = Instant::now();
    let mut dripped = stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ").await;
    while dripped.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
        dripped = stream.write_all(b"x").await;
        assert!(began.elapsed() < Duration::from_secs(10), "it is still read");
    }
}

#[tokio::test]
async fn the_second_head_has_no_more_time_than_the_first() {
    let address = start(100).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request(address, INITIALIZE).as_bytes()).await.unwrap();
    until(&mut stream, "serverInfo").await;
    tokio::time::sleep(HEAD * 2).await;
    stream.write_all(b"POST /mcp HTTP/1.1\r\n").await.unwrap();
    let kept = closed_after(stream).await;
    assert!(kept < REST - HEAD, "{kept:?}");
}

#[tokio::test]
async fn a_client_may_rest_and_be_answered_slowly() {
    let address = start(100).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request(address, INITIALIZE).as_bytes()).await.unwrap();
    let opened = until(&mut stream, "serverInfo").await;
    let session = opened.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
    tokio::time::sleep(HEAD * 2).await;
    let call =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"ms":1000}}}"#;
    let call = request(address, call).replacen("\r\n", &format!("\r\nMcp-Session-Id: {session}\r\n"), 1);
    stream.write_all(call.as_bytes()).await.unwrap();
    until(&mut stream, "waited").await;
    let kept = closed_after(stream).await;
    assert!(kept > HEAD * 2 && kept < REST * 3, "{kept:?}");
}

#[tokio::test]
async fn a_head_has_a_size() {
    let address = start(100).await;
    let many = "X: y\r\n".repeat(200);
    let long = format!("X: {}\r\n", "y".repeat(100_000));
    for fields in [many, long] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!("POST /mcp HTTP/1.1\r\nHost: {address}\r\n{fields}\r\n");
        // The server may answer before it has read everything.
        let _ = stream.write_all(head.as_bytes()).await;
        until(&mut stream, "431").await;
    }
}

#[tokio::test]
async fn a_crowd_of_idle_sockets_does_not_keep_others_out() {
    let address = start(20).await;
    let mut crowd = Vec::new();
    for _ in 0..60 {
        crowd.push(TcpStream::connect(address).await.unwrap());
    }
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request(address, INITIALIZE).as_bytes()).await.unwrap();
    until(&mut stream, "serverInfo").await;
}
