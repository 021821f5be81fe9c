//! Sessions that use another MCP server, over both transports.
#![expect(clippy::disallowed_methods, reason = "a test writes the document that it then works on")]

use gateway::Agent;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

use crate::served::{Running, start_in, start_with};

async fn private() -> Running {
    let agent = Agent { private_mcp: true, ..Agent::default() };
    start_with(None, None, agent, |_| {}).await
}

fn config(url: &str) -> Value {
    json!({"mcp_server_config": {"server_url": url, "auth_token": "outer-canary", "protocol_version": "2024-11-05"}})
}

#[tokio::test]
async fn a_session_uses_the_tools_of_another_server() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.md"), "# Notes\n").unwrap();
    let other = start_in(Some(folder.path()), None, |_| {}).await;
    let server = private().await;
    let url = format!("http://{}/mcp", other.address);
    let made = server.post("/session/create", "", &config(&url)).await;
    assert_eq!((made.status, &made.body["mcp_server_status"]), (200, &json!("connected")), "{}", made.body);
    assert_eq!(made.body["mcp_protocol_version"], "2024-11-05");
    assert!(!made.body["server_info"]["name"].as_str().unwrap().is_empty());
    assert!(!made.body.to_string().contains("outer-canary"));
    let token = made.body["session_token"].as_str().unwrap();
    let status = server.get("/mcp/status", token).await;
    assert_eq!(status.body["connection_status"], "connected", "{}", status.body);
    assert_eq!(status.body["last_heartbeat"], "2023-11-14T22:13:20Z");
    let tools = server.get("/mcp/tools", token).await;
    assert!(tools.body["tools"].as_array().unwrap().len() > 5);
    let call = json!({"tool_name": "workspace_open_document", "parameters": {"path": "notes.md"}});
    let called = server.post("/mcp/tools/execute", token, &call).await;
    assert_eq!((called.status, &called.body["status"]), (200, &json!("completed")), "{}", called.body);
    let unknown = json!({"tool_name": "workspace_open_dokument"});
    assert_eq!(server.post("/mcp/tools/execute", token, &unknown).await.refused(400), "INVALID_REQUEST");

    // It goes away, and that is what is said.
    other.end().await;
    server.later(60);
    let status = server.get("/mcp/status", token).await;
    assert_eq!(status.body["connection_status"], "disconnected", "{}", status.body);
    assert_eq!(server.post("/mcp/tools/execute", token, &call).await.refused(502), "MCP_CONNECTION_ERROR");
    let id = made.body["session_id"].as_str().unwrap();
    let shown = server.get(&format!("/session/{id}/status"), token).await;
    assert_eq!(shown.body["mcp_server_status"], "disconnected");
    assert_eq!(server.delete(&format!("/session/{id}"), token).await.body["mcp_connection_closed"], true);
}

#[tokio::test]
async fn a_server_that_was_started_anew_is_connected_again() {
    let server = private().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.md"), "# Notes\n").unwrap();
    let other = start_in(Some(folder.path()), None, |_| {}).await;
    let address = other.address;
    let made = server.post("/session/create", "", &config(&format!("http://{address}/mcp"))).await;
    let token = made.body["session_token"].as_str().unwrap();
    let session = format!("/session/{}/status", made.body["session_id"].as_str().unwrap());
    let call = json!({"tool_name": "workspace_open_document", "parameters": {"path": "notes.md"}});
    let called = server.post("/mcp/tools/execute", token, &call).await;
    assert_eq!((called.status, &called.body["status"]), (200, &json!("completed")), "{}", called.body);

    // Found dead by a call, it is disconnected from then on, however fresh its last sign of life is.
    other.end().await;
    assert_eq!(server.post("/mcp/tools/execute", token, &call).await.refused(502), "MCP_CONNECTION_ERROR");
    assert_eq!(server.get(&session, token).await.body["mcp_server_status"], "disconnected");
    let status = server.get("/mcp/status", token).await;
    assert_eq!(status.body["connection_status"], "disconnected", "{}", status.body);
    assert!(status.body["error"].is_string());

    // Back at its place it knows nothing of the session, which begins another.
    let again = start_in(Some(folder.path()), None, |config| config.listen = address).await;
    let called = server.post("/mcp/tools/execute", token, &call).await;
    assert_eq!((called.status, &called.body["status"]), (200, &json!("completed")), "{}", called.body);
    again.end().await;
    let again = start_in(Some(folder.path()), None, |config| config.listen = address).await;
    let called = server.post("/mcp/tools/execute", token, &call).await;
    assert_eq!((called.status, &called.body["status"]), (200, &json!("completed")), "{}", called.body);
    again.end().await;
}

#[tokio::test]
async fn a_server_of_2024_is_spoken_to_as_it_knows() {
    let address = old_server().await;
    let server = private().await;
    let made = server.post("/session/create", "", &config(&format!("http://{address}/sse"))).await;
    assert_eq!((made.status, &made.body["mcp_server_status"]), (200, &json!("connected")), "{}", made.body);
    assert_eq!(made.body["server_info"], json!({"name": "old", "version": "0.1"}));
    let token = made.body["session_token"].as_str().unwrap();
    let call = json!({"tool_name": "echo", "parameters": {"text": "hello"}});
    let called = server.post("/mcp/tools/execute", token, &call).await;
    assert_eq!(called.body["result"]["content"][0]["text"], "hello", "{}", called.body);
    // Whoever follows the call hears of the connection and of how far the call is.
    let stream = format!("/api/v1/chat/stream/{}", called.body["execution_id"].as_str().unwrap());
    let (_, events) = server.follow(&stream, &[]).await;
    let named = |name: &str| events.iter().find(|event| event.name == name).expect(name).data.clone();
    assert_eq!(named("mcp_status")["connection_status"], "connected");
    let step = named("progress");
    assert_eq!((&step["done"], &step["total"], &step["message"]), (&json!(1.0), &json!(2.0), &json!("half")));
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_told_of_and_a_forbidden_one_refused() {
    let server = private().await;
    // Nobody listens there.
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let made = server.post("/session/create", "", &config(&format!("http://{gone}/mcp"))).await;
    assert_eq!(
        (made.status, &made.body["mcp_server_status"]),
        (200, &json!("disconnected")),
        "{}",
        made.body
    );
    let token = made.body["session_token"].as_str().unwrap();
    assert_eq!(server.get("/mcp/tools", token).await.refused(502), "MCP_CONNECTION_ERROR");

    let strict = crate::served::start(None, |_| {}).await;
    for url in
        ["http://127.0.0.1:1/mcp", "https://localhost/mcp", "https://169.254.169.254/", "http://example.com/"]
    {
        let refused = strict.post("/session/create", "", &config(url)).await;
        // What has no address from here cannot be reached; what has a private one may not be.
        assert!(refused.status == 400 || url.contains("example"), "{url}: {}", refused.body);
    }
}

/// A server of the first transport, with one tool.
async fn old_server() -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (said, mut to_say) = mpsc::unbounded_channel::<Value>();
    tokio::spawn(async move {
        let (mut listening, _) = loop {
            let (stream, head) = request(&listener).await;
            if head.0.starts_with("GET /sse ") {
                break (stream, head);
            }
            refuse(stream).await;
        };
        let opening = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: endpoint\ndata: /messages?s=1\n\n";
        listening.write_all(opening.as_bytes()).await.unwrap();
        tokio::spawn(async move {
            while let Some(message) = to_say.recv().await {
                let event = format!("event: message\ndata: {message}\n\n");
                if listening.write_all(event.as_bytes()).await.is_err() {
                    return;
                }
            }
        });
        loop {
            let (mut stream, (head, body)) = request(&listener).await;
            assert!(
                head.starts_with("POST /messages?s=1 ") && head.contains("Bearer outer-canary"),
                "{head}"
            );
            stream.write_all(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n").await.unwrap();
            let asked: Value = serde_json::from_str(&body).unwrap();
            let result = match asked["method"].as_str().unwrap() {
                "initialize" => json!({
                    "protocolVersion": "2024-11-05",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "old", "version": "0.1"},
                }),
                "tools/list" => json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
                "tools/call" => {
                    let mark = &asked["params"]["_meta"]["progressToken"];
                    let step = json!({"progressToken": mark, "progress": 1, "total": 2, "message": "half"});
                    said.send(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": step}))
                        .unwrap();
                    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                    json!({"content": [{"type": "text", "text": asked["params"]["arguments"]["text"]}]})
                }
                _ => json!({}),
            };
            if asked["id"].is_u64() {
                said.send(json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})).unwrap();
            }
        }
    });
    address
}

async fn refuse(mut stream: TcpStream) {
    let answer = b"HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n";
    stream.write_all(answer).await.unwrap();
}

/// The next request: its head in one text, and its body.
async fn request(listener: &TcpListener) -> (TcpStream, (String, String)) {
    let (stream, _) = listener.accept().await.unwrap();
    let mut stream = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(given) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = given.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
    (stream.into_inner(), (head, String::from_utf8(body).unwrap()))
}
