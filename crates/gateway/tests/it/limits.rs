//! What keeps the server standing, and what it says of itself: limits, heads, measures and its own description.

use std::collections::BTreeSet;

use gateway::{Rates, Token};
use serde_json::{Value, json};

use crate::served::{KEY, start};

#[tokio::test]
async fn a_session_may_ask_so_often_and_is_told_where_it_stands() {
    let server = start(None, |config| config.rates = Rates { mcp: 3, ..Rates::default() }).await;
    let (_, one) = server.session("", &json!({})).await;
    let (_, two) = server.session("", &json!({})).await;
    for left in ["2", "1", "0"] {
        let answer = server.get("/mcp/status", &one).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("x-ratelimit-limit"), Some("3"));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(left));
        let reset: i64 = answer.header("x-ratelimit-reset").unwrap().parse().unwrap();
        assert!((1_700_000_000..=1_700_000_062).contains(&reset), "{reset}");
    }
    let refused = server.get("/mcp/status", &one).await;
    assert_eq!(refused.refused(429), "RATE_LIMITED");
    let wait: i64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=61).contains(&wait), "{wait}");
    assert_eq!(refused.body["error"]["data"]["retry_after"], wait);
    // Neither another session nor another kind of request is held up.
    assert_eq!(server.get("/mcp/status", &two).await.status, 200);
    assert_eq!(server.get("/document/context/none.md", &one).await.refused(404), "NOT_FOUND");
}

#[tokio::test]
async fn sessions_from_one_address_are_limited_and_every_answer_says_so() {
    let server = start(None, |config| config.rates = Rates { begin: 2, ..Rates::default() }).await;
    for _ in 0..2 {
        server.session("", &json!({})).await;
    }
    let third = server.post("/session/create", "", &json!({})).await;
    assert_eq!(third.refused(429), "RATE_LIMITED");
    for (line, status) in [
        ("GET /api/v1/health", 200),
        ("GET /api/v1/nothing", 404),
        ("POST /api/v1/health", 405),
        ("GET /api/v1/mcp/tools", 401),
        ("POST /api/v1/session/create", 429),
    ] {
        let answer = server.send(line, &[], "").await;
        assert_eq!(answer.status, status, "{line}");
        for header in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert!(
                answer.header(header).is_some_and(|value| value.parse::<i64>().is_ok()),
                "{line} {header}"
            );
        }
        assert!(answer.header("x-request-id").is_some(), "{line}");
    }
}

#[tokio::test]
async fn guessing_tokens_is_counted() {
    let server = start(None, |config| config.rates = Rates { other: 3, ..Rates::default() }).await;
    for _ in 0..3 {
        assert_eq!(server.get("/mcp/tools", "tok_guess").await.refused(401), "UNAUTHORIZED");
    }
    assert_eq!(server.get("/mcp/tools", "tok_guess").await.refused(429), "RATE_LIMITED");
}

#[tokio::test]
async fn heads_and_addresses_that_are_too_long_are_refused_in_shape() {
    let server = start(None, |_| {}).await;
    let long = "x".repeat(70_000);
    let head = server.send("GET /api/v1/health", &[("X-Long", &long)], "").await;
    assert_eq!(head.refused(431), "INVALID_REQUEST");
    let address = format!("GET /api/v1/health?{}", "x".repeat(9_000));
    assert_eq!(server.send(&address, &[], "").await.refused(414), "INVALID_REQUEST");
    let origin = "http://localhost\u{e9}";
    assert_eq!(server.send("GET /api/v1/health", &[("Origin", origin)], "").await.refused(403), "FORBIDDEN");
}

#[tokio::test]
async fn what_a_page_may_send_and_read_is_said() {
    let app = "https://app.example.com";
    let server = start(None, |config| config.access.origins = vec![app.to_owned()]).await;
    let asks = [("Origin", app), ("Access-Control-Request-Method", "POST")];
    let preflight = server.send("OPTIONS /api/v1/document/apply-changes", &asks, "").await;
    let allowed = preflight.header("access-control-allow-headers").unwrap();
    for name in ["Content-Type", "Authorization", "Last-Event-ID", "Idempotency-Key"] {
        assert!(allowed.contains(name), "{allowed}");
    }
    assert_eq!(preflight.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
    let answer = server.send("GET /api/v1/health", &[("Origin", app)], "").await;
    assert!(answer.header("access-control-expose-headers").unwrap().contains("X-RateLimit-Remaining"));
    assert_eq!(server.send("GET /api/v1/health", &[], "").await.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn measures_are_for_whoever_runs_the_server_and_name_no_ids() {
    let server = start(None, |config| config.access.token = Some(Token::new(KEY))).await;
    let (id, token) = server.session(KEY, &json!({})).await;
    assert_eq!(server.get(&format!("/session/{id}/status"), &token).await.status, 200);
    server.get("/mcp/tools", &token).await;
    server.get(&format!("/mcp/tools/status/{id}"), &token).await.refused(404);
    assert_eq!(server.send("GET /metrics", &[], "").await.status, 401);
    let key = format!("Bearer {KEY}");
    let metrics = server.send("GET /metrics", &[("Authorization", &key)], "").await;
    let text = metrics.body.as_str().unwrap();
    assert!(text.contains("route=\"/api/v1/session/{session_id}/status\",status=\"200\"} 1"), "{text}");
    assert!(text.contains(
        "docwright_errors_total{route=\"/api/v1/mcp/tools/status/{execution_id}\",error=\"NOT_FOUND\"} 1"
    ));
    assert!(text.contains("docwright_sessions_created_total 1"));
    assert!(!text.contains(&id) && !text.contains(&token));
}

#[tokio::test]
async fn the_description_has_every_documented_endpoint() {
    let server = start(None, |_| {}).await;
    let described = server.send("GET /api/v1/openapi.json", &[], "").await;
    assert_eq!(described.status, 200);
    let paths = described.body["paths"].as_object().unwrap();
    for (method, path) in [
        ("get", "/mcp/tools"),
        ("post", "/mcp/tools/execute"),
        ("get", "/mcp/tools/status/{execution_id}"),
        ("get", "/mcp/status"),
        ("get", "/document/context/{document_id}"),
        ("post", "/document/apply-changes"),
        ("post", "/session/create"),
        ("get", "/session/{session_id}/status"),
        ("delete", "/session/{session_id}"),
        ("get", "/health"),
        ("get", "/health/mcp"),
    ] {
        assert!(paths[&format!("/api/v1{path}")][method].is_object(), "{method} {path}");
    }
    let mut ids = BTreeSet::new();
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(!operation["summary"].as_str().unwrap().is_empty(), "{method} {path} says nothing");
            assert!(ids.insert(operation["operationId"].to_string()), "{method} {path}");
            assert!(operation["responses"]["429"].is_object(), "{method} {path}");
        }
    }
    let schemas = &described.body["components"]["schemas"];
    every_reference(&described.body, &mut |name| assert!(schemas[name].is_object(), "{name}"));
    let page = server.send("GET /docs", &[], "").await;
    let page_text = page.body.as_str().unwrap();
    assert!(page_text.contains("/api/v1/document/apply-changes"));
    assert!(
        !page_text.contains("http://") && !page_text.contains("https://") && !page_text.contains("<script")
    );
}

/// Calls `found` with the name of every schema that is referred to.
fn every_reference(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match (
                    name.as_str(),
                    member.as_str().and_then(|path| path.strip_prefix("#/components/schemas/")),
                ) {
                    ("$ref", Some(schema)) => found(schema),
                    _ => every_reference(member, found),
                }
            }
        }
        Value::Array(members) => members.iter().for_each(|member| every_reference(member, found)),
        _ => {}
    }
}
