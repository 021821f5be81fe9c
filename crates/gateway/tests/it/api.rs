//! The HTTP API through the real server: what it answers, and in what shape it refuses.
#![expect(clippy::disallowed_methods, reason = "a test writes the document that it then works on")]

use gateway::Token;
use serde_json::{Value, json};

use crate::served::{Answer, DAY, KEY, start, start_in};

#[tokio::test]
async fn health_is_asked_without_a_token() {
    let server = start(None, |config| config.access.token = Some(Token::new(KEY))).await;
    let health = server.send("GET /api/v1/health", &[], "").await;
    assert_eq!((health.status, &health.body["status"]), (200, &json!("healthy")));
    assert_eq!(health.body["services"]["mcp_client"], "healthy");
    assert_eq!(health.body["mcp_protocol_version"], "2024-11-05");
    let health = server.send("GET /api/v1/health/mcp", &[], "").await;
    assert_eq!(health.body["connection_status"], "connected");
    assert!(health.body["response_time"].is_f64() && health.body["last_heartbeat"].is_string());
}

#[tokio::test]
async fn a_session_lives_from_its_beginning_to_its_end() {
    let server = start(None, |_| {}).await;
    let made = server.post("/session/create", "", &json!({"user_id": "Ada", "document_id": "a.docx"})).await;
    assert_eq!((made.status, &made.body["status"]), (200, &json!("active")), "{}", made.body);
    assert_eq!(made.body["mcp_capabilities"], json!({"tools": {"listChanged": true}}));
    assert_eq!(made.body["server_info"]["name"], "docwright");
    assert_eq!(made.body["created_at"], "2023-11-14T22:13:20Z");
    let (id, token) =
        (made.body["session_id"].as_str().unwrap(), made.body["session_token"].as_str().unwrap());

    let path = format!("/session/{id}/status");
    // A client that knows the contract alone has nothing but the id.
    for bearer in [token, id] {
        let status = server.get(&path, bearer).await;
        assert_eq!((status.status, &status.body["status"]), (200, &json!("active")));
        assert_eq!(status.body["document_id"], "a.docx");
    }
    let tools = server.get("/mcp/tools", token).await;
    assert!(tools.body["tools"].as_array().unwrap().len() > 5, "{}", tools.body);
    assert_eq!(tools.body["tools"][0]["inputSchema"]["type"], "object");
    assert_eq!(tools.body["connection_status"], "connected");
    assert_eq!(server.get("/mcp/status", token).await.body["connection_status"], "connected");

    let renamed = server.post(&format!("/session/{id}/rename"), token, &json!({"title": " Lease "})).await;
    assert_eq!(renamed.body["title"], "Lease");
    let ended = server.delete(&format!("/session/{id}"), token).await;
    assert_eq!(ended.body["status"], "ended");
    assert_eq!((&ended.body["mcp_connection_closed"], &ended.body["unsaved"]), (&json!(true), &json!([])));
    assert_eq!(server.get("/mcp/tools", token).await.refused(401), "SESSION_EXPIRED");
    assert_eq!(server.get(&path, token).await.body["status"], "ended");
}

#[tokio::test]
async fn tools_are_called_and_their_calls_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.md"), "# Notes\n\nOne line.\n").unwrap();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (id, token) = server.session("", &json!({})).await;
    let call = |tool: &str, parameters: Value| json!({"tool_name": tool, "parameters": parameters, "session_id": id});
    let open = call("workspace_open_document", json!({"path": "notes.md"}));
    let opened = server.post("/mcp/tools/execute", &token, &open).await;
    assert_eq!((opened.status, &opened.body["status"]), (200, &json!("completed")), "{}", opened.body);
    assert_eq!(opened.body["result"]["content"][0]["type"], "text");
    assert!(opened.body["execution_time"].is_f64() && opened.body["error"].is_null());
    let path = format!("/mcp/tools/status/{}", opened.body["execution_id"].as_str().unwrap());
    assert_eq!(server.get(&path, &token).await.body, opened.body);

    let missing = call("workspace_open_document", json!({"path": "none.md"}));
    let failed = server.post("/mcp/tools/execute", &token, &missing).await;
    assert_eq!((failed.status, &failed.body["status"]), (200, &json!("error")), "{}", failed.body);
    assert_eq!(failed.body["error"]["data"]["tool_error"]["code"], "FILE_NOT_FOUND");

    let (_, stranger) = server.session("", &json!({})).await;
    assert_eq!(server.get(&path, &stranger).await.refused(404), "NOT_FOUND");
    assert_eq!(server.post("/mcp/tools/execute", &stranger, &open).await.refused(404), "NOT_FOUND");
    let unknown =
        server.post("/mcp/tools/execute", &token, &call("workspace_open_dokument", json!({}))).await;
    assert_eq!(unknown.refused(400), "INVALID_REQUEST");
    for (bad, part) in [
        (json!({}), "`tool_name` is required"),
        (json!({"tool_name": 3}), "`tool_name` must be a string, found 3"),
        (json!({"tool_name": "grep", "parameters": []}), "`parameters` must be an object"),
        (json!(["grep", {}, null]), "must be a JSON object, found an array"),
    ] {
        let refused = server.post("/mcp/tools/execute", &token, &bad).await;
        assert_eq!(refused.refused(400), "INVALID_REQUEST");
        let said = refused.body["error"]["message"].as_str().unwrap();
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(server.get("/", &token).await.refused(404), "NOT_FOUND");
}

#[tokio::test]
async fn sessions_expire_and_are_not_kept_alive_by_looking_at_them() {
    let server = start(None, |_| {}).await;
    let (id, token) = server.session("", &json!({})).await;
    let path = format!("/session/{id}/status");
    server.later(DAY - 1);
    assert_eq!(server.get(&path, &token).await.body["status"], "active");
    server.later(1);
    assert_eq!(server.get(&path, &token).await.body["status"], "inactive");
    assert_eq!(server.get("/mcp/status", &token).await.refused(401), "SESSION_EXPIRED");
    server.later(7 * DAY);
    assert_eq!(server.get(&path, &token).await.refused(401), "UNAUTHORIZED");

    let (_, token) = server.session("", &json!({})).await;
    server.later(DAY - 1);
    assert_eq!(server.get("/mcp/status", &token).await.status, 200);
    server.later(DAY - 1);
    assert_eq!(server.get("/mcp/status", &token).await.status, 200);
}

#[tokio::test]
async fn sessions_outlive_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(Some(folder.path()), |_| {}).await;
    let (id, token) = server.session("", &json!({"title": "Lease"})).await;
    server.end().await;
    let server = start(Some(folder.path()), |_| {}).await;
    let status = server.get(&format!("/session/{id}/status"), &token).await;
    assert_eq!(status.body["title"], "Lease");
    assert_eq!(server.get("/mcp/tools", &token).await.status, 200);
    #[cfg(unix)]
    if !crate::postgres::is_used() {
        use std::os::unix::fs::PermissionsExt as _;
        for kept in ["gateway.db", "gateway.key"] {
            let mode = std::fs::metadata(folder.path().join(kept)).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0);
        }
    }
}

#[tokio::test]
async fn each_sees_its_own_and_the_key_holder_sees_all() {
    let server = start(None, |config| config.access.token = Some(Token::new(KEY))).await;
    assert_eq!(server.post("/session/create", "wrong", &json!({})).await.refused(401), "UNAUTHORIZED");
    let (first, one) = server.session(KEY, &json!({})).await;
    let (second, two) = server.session(KEY, &json!({})).await;
    let foreign = server.get(&format!("/session/{second}/status"), &one).await;
    let unknown = server.get("/session/ses_none/status", &one).await;
    assert_eq!((foreign.refused(404), unknown.refused(404)), ("NOT_FOUND", "NOT_FOUND"));
    assert_eq!(server.delete(&format!("/session/{second}"), &one).await.refused(404), "NOT_FOUND");
    // With a key, an id is a name and opens nothing.
    assert_eq!(server.get(&format!("/session/{first}/status"), &first).await.refused(401), "UNAUTHORIZED");
    let listed = |answer: Answer| answer.body["sessions"].as_array().unwrap().len();
    assert_eq!(listed(server.get("/sessions", &one).await), 1);
    assert_eq!(listed(server.get("/sessions", KEY).await), 2);
    assert_eq!(server.delete(&format!("/session/{second}"), KEY).await.body["status"], "ended");
    assert_eq!(server.get("/mcp/tools", &two).await.refused(401), "SESSION_EXPIRED");
    assert_eq!(server.get("/mcp/tools", KEY).await.refused(401), "UNAUTHORIZED");
}

#[tokio::test]
async fn every_refusal_has_the_shape_of_the_contract() {
    let server = start(None, |_| {}).await;
    let (id, token) = server.session("", &json!({})).await;
    assert_eq!(server.get("/helth", "").await.refused(404), "NOT_FOUND");
    assert_eq!(server.send("GET /api/v1", &[], "").await.refused(404), "NOT_FOUND");
    assert_eq!(server.delete("/health", "").await.refused(405), "METHOD_NOT_ALLOWED");
    assert_eq!(server.get("/mcp/tools", "").await.refused(401), "UNAUTHORIZED");
    let create = "POST /api/v1/session/create";
    assert_eq!(server.send(create, &[], "{}").await.refused(415), "INVALID_REQUEST");
    let json_type = [("Content-Type", "application/json; charset=utf-8")];
    let broken = server.send(create, &json_type, "{\"user_id\":").await;
    assert_eq!((broken.refused(400), &broken.body["error"]["code"]), ("INVALID_REQUEST", &json!(-32700)));
    let deep = "[".repeat(100_000);
    assert_eq!(server.send(create, &json_type, &deep).await.refused(400), "INVALID_REQUEST");
    for (body, code) in [
        (json!({"user_id": 3}), -32602),
        (json!({"title": "two\nlines"}), -32602),
        (json!({"title": "x".repeat(201)}), -32602),
        (json!({"mcp_server_config": {"server_url": "https://127.0.0.1/mcp"}}), -32050),
        (json!({"mcp_server_config": {"server_url": "ftp://example.com/mcp"}}), -32050),
        (json!({"mcp_server_config": {"protocol_version": "1999-01-01"}}), -32053),
        (json!([]), -32602),
    ] {
        let answer = server.post("/session/create", "", &body).await;
        answer.refused(400);
        assert_eq!(answer.body["error"]["code"], code, "{}", answer.body);
    }
    assert_eq!(
        server.post(&format!("/session/{id}/rename"), &token, &json!({})).await.refused(400),
        "INVALID_REQUEST"
    );
    let agreed = json!({"mcp_server_config": {"protocol_version": "2025-06-18", "server_url": ""}});
    let agreed = server.post("/session/create", "", &agreed).await;
    assert_eq!(agreed.body["mcp_protocol_version"], "2025-06-18");
}

#[tokio::test]
async fn pages_of_other_origins_are_kept_out_and_known_ones_told_that_they_may() {
    let app = "https://app.example.com";
    let server = start(None, |config| {
        config.access.origins = vec![app.to_owned()];
        config.access.token = Some(Token::new(KEY));
    })
    .await;
    let health = "GET /api/v1/health";
    assert_eq!(
        server.send(health, &[("Origin", "https://evil.example")], "").await.refused(403),
        "FORBIDDEN"
    );
    assert_eq!(server.send(health, &[("Host", "evil.example")], "").await.refused(403), "FORBIDDEN");
    let known = server.send(health, &[("Origin", app)], "").await;
    assert_eq!((known.status, known.header("access-control-allow-origin")), (200, Some(app)));
    let asks = [("Origin", app), ("Access-Control-Request-Method", "POST")];
    let preflight = server.send("OPTIONS /api/v1/session/create", &asks, "").await;
    assert_eq!(preflight.status, 204);
    assert_eq!(preflight.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
    let mcp = server.send("POST /mcp", &[("Content-Type", "application/json")], "{}").await;
    assert_eq!((mcp.status, &mcp.body["jsonrpc"]), (401, &json!("2.0")));
}

#[tokio::test]
async fn an_address_that_is_no_text_and_a_body_that_is_said_to_be_endless_are_refused_in_shape() {
    let server = start(None, |_| {}).await;
    let (id, token) = server.session("", &json!({})).await;
    let bad = server.get("/document/context/%ff%fe", &token).await;
    assert_eq!(bad.refused(400), "INVALID_REQUEST");
    assert!(bad.header("x-request-id").is_some() && bad.header("x-ratelimit-limit").is_some());
    // No byte of it comes, and none is waited for.
    let head = format!(
        "POST /api/v1/chat/send HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n",
        server.address
    );
    let answer = server.raw(head.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("TOO_LARGE"), "{answer}");
    assert_eq!(server.get(&format!("/session/{id}/status"), &token).await.status, 200);
}

#[tokio::test]
async fn what_opens_a_session_is_not_in_its_database() {
    if crate::postgres::is_used() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = start(Some(folder.path()), |_| {}).await;
    let about = json!({"user_id": "Canary Ada", "title": "Canary Lease", "document_id": "canary.docx"});
    let (id, token) = server.session("", &about).await;
    let key = "canary-key";
    let sent = server.post_once("/chat/send", &token, key, &json!({"message": "Canary words"})).await;
    let run = sent.body["response_id"].as_str().unwrap().to_owned();
    server.end().await;
    let kept: Vec<u8> = ["gateway.db", "gateway.db-wal"]
        .iter()
        .filter_map(|name| std::fs::read(folder.path().join(name)).ok())
        .flatten()
        .collect();
    let kept = String::from_utf8_lossy(&kept).to_lowercase();
    for secret in [&*id, &*token, &*run, "canary", &id[4..], &run[4..]] {
        assert!(!kept.contains(&secret.to_lowercase()), "{secret}");
    }
}
