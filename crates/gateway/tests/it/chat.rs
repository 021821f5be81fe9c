//! Messages to the agent over HTTP: sent, followed, approved, cancelled, cut off and gone on with.
#![expect(clippy::disallowed_methods, reason = "a test writes the document that it then works on")]

use std::{path::Path, sync::Arc, time::Duration};

use gateway::agent::{Kind, Provider, RemoteModel};
use gateway::{Agent, Token};
use serde_json::{Value, json};

use workspace::Caller;

use crate::served::{Answer, KEY, Running, Told, serve, start, start_for, start_in};

const NOTES: &str = "# Notes\n\nRevenue of 2024 was good.\n\nCosts of 2024 were not.\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.md"), NOTES).unwrap();
    folder
}

async fn begun(server: &Running, extra: Value) -> (String, String) {
    let mut body = json!({"user_id": "Ada", "document_id": "notes.md"});
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    server.session("", &body).await
}

const REPLACE: &str = "Replace 2024 with 2025";

async fn send(server: &Running, token: &str, message: &str) -> Answer {
    server.post("/chat/send", token, &json!({"message": message})).await
}

fn text<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.body[name].as_str().unwrap_or_else(|| panic!("{name} in {}", answer.body))
}

fn names(events: &[Told]) -> Vec<&str> {
    events.iter().map(|event| event.name.as_str()).collect()
}

#[tokio::test]
async fn a_message_is_carried_out_and_can_be_read_again() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (id, token) = begun(&server, json!({})).await;
    let context = json!({
        "document_id": "notes.md", "selection_text": "", "cursor_position": {"paragraph": 1, "character": 0},
    });
    let body = json!({"message": REPLACE, "session_id": id, "document_context": context, "unknown": 1});
    let sent = server.post("/chat/send", &token, &body).await;
    assert_eq!((sent.status, text(&sent, "status")), (200, "completed"), "{}", sent.body);
    assert_eq!((text(&sent, "message"), text(&sent, "session_id")), (REPLACE, id.as_str()));
    assert!(text(&sent, "llm_response").contains("2025"), "{}", sent.body);
    assert_eq!(text(&sent, "timestamp"), "2023-11-14T22:13:20Z");
    assert_eq!(text(&sent, "model"), "built-in planner");
    let execution = &sent.body["tool_execution"];
    assert_eq!((&execution["tool_name"], &execution["status"]), (&json!("ask"), &json!("success")));
    assert!(execution["execution_time"].is_f64() && execution["result"]["content"].is_array());
    assert_eq!(execution["mcp_protocol_version"], "2024-11-05");
    assert_eq!(sent.body["tool_executions"], json!([execution]));

    let response = text(&sent, "response_id");
    let history = server.get(&format!("/chat/history/{id}"), &token).await;
    assert_eq!(history.body["session_id"], id.as_str());
    let message = &history.body["messages"][0];
    assert_eq!((&message["message_id"], &message["user_message"]), (&json!(response), &json!(REPLACE)));
    assert_eq!(message["llm_response"], sent.body["llm_response"]);
    assert_eq!(message["tool_execution"]["status"], "completed");
    assert_eq!(message["document_context"]["cursor_position"]["paragraph"], 1);

    let again = send(&server, &token, "What is the weather?").await;
    assert!(text(&again, "llm_response").contains("no language model"), "{}", again.body);
    let page = server.get(&format!("/chat/history/{id}?limit=1"), &token).await;
    assert_eq!(page.body["messages"][0]["message_id"], again.body["response_id"]);
    assert_eq!(page.body["has_more"], true);
    let older = format!("/chat/history/{id}?limit=1&before={}", text(&again, "response_id"));
    let older = server.get(&older, &token).await;
    assert_eq!(
        (&older.body["messages"][0]["message_id"], &older.body["has_more"]),
        (&json!(response), &json!(false))
    );
}

#[tokio::test]
async fn a_stream_is_replayed_from_where_the_client_was() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (id, token) = begun(&server, json!({})).await;
    let sent = server.post("/chat/send", &token, &json!({"message": REPLACE, "stream": true})).await;
    let (response, path) = (text(&sent, "response_id"), text(&sent, "stream_url"));
    assert_eq!(path, format!("/api/v1/chat/stream/{response}"));
    let (status, events) = server.follow(path, &[]).await;
    assert_eq!(status, 200);
    let ids: Vec<i64> = events.iter().map(|event| event.id).collect();
    assert_eq!(ids, (1..=events.len() as i64).collect::<Vec<_>>());
    for name in ["status", "tool_call", "tool_result", "usage", ""] {
        assert!(names(&events).contains(&name), "{name} in {events:?}");
    }
    let chunks = events.iter().filter(|event| event.name.is_empty());
    let whole: String = chunks.clone().map(|event| event.data["chunk"].as_str().unwrap()).collect();
    let complete: Vec<bool> = chunks.map(|event| event.data["is_complete"].as_bool().unwrap()).collect();
    assert_eq!(complete.iter().filter(|complete| **complete).count(), 1);
    assert!(complete.last().unwrap() & events.last().unwrap().name.is_empty());
    let history = server.get(&format!("/chat/history/{id}"), &token).await;
    assert_eq!(history.body["messages"][0]["llm_response"], whole.as_str());

    for seen in 0..events.len() {
        let (_, rest) = server.follow(path, &[("Last-Event-ID", &seen.to_string())]).await;
        assert_eq!(rest, events[seen..]);
    }
    let last = events.len().to_string();
    assert_eq!(server.follow(path, &[("Last-Event-ID", &last)]).await, (204, Vec::new()));
    assert_eq!(
        server.send(&format!("GET {path}"), &[("Last-Event-ID", "x")], "").await.refused(400),
        "INVALID_REQUEST"
    );
    let listed = server.get(&format!("/runs/{response}/events?after=1&limit=2"), &token).await;
    assert_eq!((&listed.body["events"][0]["id"], &listed.body["has_more"]), (&json!(2), &json!(true)));
    assert_eq!(listed.body["events"][0]["data"], events[1].data);
}

#[tokio::test]
async fn a_stream_follows_a_run_as_it_goes_on() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (_, token) = begun(&server, json!({"approval": "ask-write"})).await;
    let sent = send(&server, &token, REPLACE).await;
    let response = text(&sent, "response_id").to_owned();
    let path = text(&sent, "stream_url").to_owned();
    let approve = format!("/runs/{response}/approve");
    let nothing = json!({});
    let (followed, approved) =
        tokio::join!(server.follow(&path, &[]), server.post(&approve, &token, &nothing));
    assert_eq!(approved.status, 200, "{}", approved.body);
    let events = followed.1;
    let decided = events.iter().find(|event| event.name == "approval_decided").expect("a decision");
    assert_eq!((&decided.data["decision"], &decided.data["by"]), (&json!("approved"), &json!("Ada")));
    assert_eq!(events.last().unwrap().data["is_complete"], true);
}

#[tokio::test]
async fn what_may_write_waits_for_a_person() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (_, token) = begun(&server, json!({"approval": "ask-write"})).await;
    let (_, stranger) = begun(&server, json!({})).await;
    let sent = send(&server, &token, REPLACE).await;
    assert_eq!(text(&sent, "status"), "running");
    assert_eq!(sent.body["tool_execution"]["status"], "pending");
    let approval = &sent.body["approvals"][0];
    assert_eq!(
        (&approval["tool_name"], &approval["parameters"]["request"]),
        (&json!("ask"), &json!(REPLACE))
    );
    let run = format!("/runs/{}", text(&sent, "response_id"));
    for path in [format!("{run}/approve"), format!("{run}/cancel"), format!("{run}/deny")] {
        assert_eq!(server.post(&path, &stranger, &json!({})).await.refused(404), "NOT_FOUND");
    }
    let other = json!({"approval_id": "another"});
    assert_eq!(server.post(&format!("{run}/approve"), &token, &other).await.refused(404), "NOT_FOUND");
    let denied = json!({"approval_id": approval["approval_id"], "reason": "not today"});
    assert_eq!(server.post(&format!("{run}/deny"), &token, &denied).await.status, 200);
    let (_, events) = server.follow(text(&sent, "stream_url"), &[]).await;
    assert_eq!(events.last().unwrap().data["is_complete"], true);
    assert_eq!(server.post(&format!("{run}/deny"), &token, &denied).await.refused(409), "CONFLICT");
    let told = server.get(&format!("{run}/events"), &token).await.body.to_string();
    assert!(told.contains("not today") && told.contains("not_done"), "{told}");

    let (id, token) = begun(&server, json!({"approval": "read-only"})).await;
    let refused = send(&server, &token, REPLACE).await;
    assert!(text(&refused, "llm_response").contains("does not allow changes"), "{}", refused.body);
    let call = json!({"tool_name": "ask", "parameters": {"request": REPLACE, "file_path": "notes.md"}});
    let refused = server.post("/mcp/tools/execute", &token, &call).await;
    assert_eq!((refused.status, text(&refused, "status")), (200, "error"), "{}", refused.body);
    let trail = server.get(&format!("/session/{id}/events"), &token).await;
    assert!(trail.body["events"].as_array().unwrap().len() > 3);
}

#[tokio::test]
async fn a_tool_call_waits_too_and_nobody_gets_more_than_the_server_allows() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (_, token) = begun(&server, json!({"approval": "ask-all"})).await;
    let call = json!({"tool_name": "workspace_open_document", "parameters": {"path": "notes.md"}});
    let waiting = server.post("/mcp/tools/execute", &token, &call).await;
    assert_eq!(text(&waiting, "status"), "running", "{}", waiting.body);
    let id = text(&waiting, "execution_id");
    assert_eq!(server.post(&format!("/runs/{id}/approve"), &token, &json!({})).await.status, 200);
    let path = format!("/api/v1/chat/stream/{id}");
    assert_eq!(server.follow(&path, &[]).await.1.last().unwrap().data["is_complete"], true);
    let status = server.get(&format!("/mcp/tools/status/{id}"), &token).await;
    assert_eq!(text(&status, "status"), "completed");

    let strict = gateway::Agent { policy: gateway::agent::Policy::AskAll, ..gateway::Agent::default() };
    let server = crate::served::start_with(None, None, strict, |_| {}).await;
    let made = server.post("/session/create", "", &json!({"approval": "auto"})).await;
    assert_eq!(text(&made, "approval"), "ask-all");
    let made = server.post("/session/create", "", &json!({"approval": "read-only"})).await;
    assert_eq!(text(&made, "approval"), "read-only");
    let made = server.post("/session/create", "", &json!({"approval": "whatever"})).await;
    assert_eq!(made.refused(400), "INVALID_REQUEST");
}

#[tokio::test]
async fn messages_wait_for_each_other_and_the_sixth_is_sent_away() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (id, token) = begun(&server, json!({"approval": "ask-all"})).await;
    let mut runs = vec![text(&send(&server, &token, REPLACE).await, "response_id").to_owned()];
    for number in 1..5 {
        let body = json!({"message": format!("Replace {number} with 9"), "stream": true});
        let sent = server.post("/chat/send", &token, &body).await;
        assert_eq!((sent.status, text(&sent, "status")), (200, "running"));
        runs.push(text(&sent, "response_id").to_owned());
    }
    let sixth = send(&server, &token, REPLACE).await;
    assert_eq!((sixth.refused(429), sixth.header("retry-after")), ("SESSION_BUSY", Some("1")));
    let cancelled = server.post(&format!("/runs/{}/cancel", runs[4]), &token, &json!({})).await;
    assert_eq!(cancelled.body["error"]["data"]["name"], "CANCELLED");
    let cancelled = server.post(&format!("/runs/{}/cancel", runs[0]), &token, &json!({})).await;
    assert_eq!(
        (text(&cancelled, "status"), cancelled.body["approvals"].as_array().unwrap().len()),
        ("error", 0)
    );

    server.delete(&format!("/session/{id}"), &token).await;
    for run in &runs {
        let (_, events) = server.follow(&format!("/api/v1/chat/stream/{run}"), &[]).await;
        let status = events.iter().rev().find(|event| event.name == "status").unwrap();
        assert_eq!(status.data["error"]["data"]["name"], "CANCELLED");
    }
    let history = server.get(&format!("/chat/history/{id}"), &token).await;
    assert_eq!(history.body["messages"].as_array().unwrap().len(), 5);
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.md")).unwrap(), NOTES);
}

#[tokio::test]
async fn the_same_key_does_nothing_twice() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (id, token) = begun(&server, json!({})).await;
    let body = json!({"message": REPLACE});
    let (first, second) = tokio::join!(
        server.post_once("/chat/send", &token, "key-1", &body),
        server.post_once("/chat/send", &token, "key-1", &body)
    );
    assert_eq!(first.body, second.body);
    let other = json!({"message": "Replace 2024 with 2026"});
    assert_eq!(server.post_once("/chat/send", &token, "key-1", &other).await.refused(409), "CONFLICT");
    let history = server.get(&format!("/chat/history/{id}"), &token).await;
    assert_eq!(history.body["messages"].as_array().unwrap().len(), 1);
    let call = json!({"tool_name": "workspace_open_document", "parameters": {"path": "notes.md"}});
    let first = server.post_once("/mcp/tools/execute", &token, "key-2", &call).await;
    let second = server.post_once("/mcp/tools/execute", &token, "key-2", &call).await;
    assert_eq!(first.body, second.body);
    // Keys are a session's own.
    let (_, stranger) = begun(&server, json!({})).await;
    let foreign = server.post_once("/chat/send", &stranger, "key-1", &other).await;
    assert_ne!(foreign.body["response_id"], first.body["response_id"]);
}

/// A server whose sessions may change documents at once.
async fn free(root: &Path, state: Option<&Path>) -> Running {
    let approval = workspace::Approval::auto();
    let caller = Caller { roots: vec![root.to_owned()], approval, ..Caller::agent("Tester", "") };
    start_for(caller, state, |_| {}).await
}

async fn interrupted(root: &Path, state: &Path) -> (Running, String, Answer) {
    let server = free(root, Some(state)).await;
    let (_, token) = begun(&server, json!({"approval": "ask-write"})).await;
    let sent = server.post_once("/chat/send", &token, "the-key", &json!({"message": REPLACE})).await;
    assert_eq!(text(&sent, "status"), "running");
    server.end().await;
    (free(root, Some(state)).await, token, sent)
}

#[tokio::test]
async fn a_run_that_the_end_of_the_server_cut_off_is_told_of_and_gone_on_with() {
    let (folder, state) = (folder(), tempfile::tempdir().unwrap());
    let (server, token, sent) = interrupted(folder.path(), state.path()).await;
    let run = text(&sent, "response_id");
    let (_, events) = server.follow(text(&sent, "stream_url"), &[]).await;
    assert_eq!(events.iter().filter(|event| event.data["is_complete"] == true).count(), 1);
    let result = events.iter().find(|event| event.name == "tool_result").expect("the end of the call");
    assert_eq!(result.data["error"]["data"]["outcome"], "not_done");
    let status = events.iter().rev().find(|event| event.name == "status").unwrap();
    assert_eq!(status.data["error"]["data"]["name"], "INTERRUPTED");

    // Sent again, it is gone on with; asked once more, it is the same.
    let resumed = server.post_once("/chat/send", &token, "the-key", &json!({"message": REPLACE})).await;
    assert_eq!(resumed.status, 200, "{}", resumed.body);
    let next = text(&resumed, "response_id");
    assert_ne!(next, run);
    let again = server.post(&format!("/runs/{run}/resume"), &token, &json!({})).await;
    assert_eq!(text(&again, "run_id"), next);
    assert_eq!(
        server.post(&format!("/runs/{next}/resume"), &token, &json!({})).await.refused(409),
        "CONFLICT"
    );
    // What was cut off before it began is asked for anew, and waits for a person as before.
    assert_eq!(text(&resumed, "status"), "running", "{}", resumed.body);
    let allowed = server.post(&format!("/runs/{next}/approve"), &token, &json!({})).await;
    assert_eq!(allowed.status, 200, "{}", allowed.body);
    assert_eq!(allowed.body["approvals"], json!([]));
}

#[tokio::test]
async fn a_key_leads_to_the_run_that_goes_on_whoever_began_it() {
    let (folder, state) = (folder(), tempfile::tempdir().unwrap());
    let (server, token, sent) = interrupted(folder.path(), state.path()).await;
    let (id, body) = (text(&sent, "session_id"), json!({"message": REPLACE}));
    let resume = format!("/runs/{}/resume", text(&sent, "response_id"));
    let nothing = json!({});
    let (one, two) =
        tokio::join!(server.post(&resume, &token, &nothing), server.post(&resume, &token, &nothing));
    assert_eq!(text(&one, "run_id"), text(&two, "run_id"));
    let next = text(&one, "run_id").to_owned();
    for _ in 0..2 {
        // Waits for a person, and says so at once.
        let again = server.post_once("/chat/send", &token, "the-key", &body).await;
        assert_eq!((text(&again, "response_id"), text(&again, "status")), (next.as_str(), "running"));
    }
    let approve = format!("/runs/{next}/approve");
    assert_eq!(server.post(&approve, &token, &json!({})).await.status, 200);
    server.follow(&format!("/api/v1/chat/stream/{next}"), &[]).await;
    for key in ["the-key", "the-key"] {
        let again = server.post_once("/chat/send", &token, key, &body).await;
        assert_eq!((text(&again, "response_id"), text(&again, "status")), (next.as_str(), "completed"));
    }
    let other = json!({"message": "Replace 2025 with 2026"});
    assert_eq!(server.post_once("/chat/send", &token, "the-key", &other).await.refused(409), "CONFLICT");
    let history = server.get(&format!("/chat/history/{id}"), &token).await;
    assert_eq!(history.body["messages"].as_array().unwrap().len(), 2);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("notes.md")).unwrap(),
        NOTES.replace("2024", "2025")
    );
}

#[tokio::test]
async fn a_run_that_is_interrupted_twice_is_gone_on_with_under_its_key() {
    let (folder, state) = (folder(), tempfile::tempdir().unwrap());
    let (server, token, sent) = interrupted(folder.path(), state.path()).await;
    let body = json!({"message": REPLACE});
    let second = server.post_once("/chat/send", &token, "the-key", &body).await;
    server.end().await;
    let server = start_in(Some(folder.path()), Some(state.path()), |_| {}).await;
    let resume = format!("/runs/{}/resume", text(&sent, "response_id"));
    let third = server.post(&resume, &token, &json!({})).await;
    assert_eq!(text(&third, "resumes"), text(&second, "response_id"));
    let again = server.post_once("/chat/send", &token, "the-key", &body).await;
    assert_eq!(text(&again, "response_id"), text(&third, "run_id"));
}

#[tokio::test]
async fn whoever_stands_behind_a_person_is_told_so() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (_, token) = begun(&server, json!({"approval": "ask-write"})).await;
    let first = send(&server, &token, REPLACE).await;
    let second = send(&server, &token, "Replace Notes with Remarks").await;
    assert_eq!((second.status, text(&second, "status")), (200, "running"), "{}", second.body);
    assert_eq!(text(&second, "waits_for"), text(&first, "response_id"));
    let run = format!("/runs/{}", text(&first, "response_id"));
    assert_eq!(server.post(&format!("{run}/deny"), &token, &json!({})).await.status, 200);
    server.follow(text(&first, "stream_url"), &[]).await;
    let third = send(&server, &token, "Replace 2024 with 2026").await;
    assert_eq!(text(&third, "waits_for"), text(&second, "response_id"));
}

#[tokio::test]
async fn a_question_needs_nobodys_leave() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    for policy in ["ask-write", "read-only"] {
        let (_, token) = begun(&server, json!({"approval": policy})).await;
        for question in ["how many words are there?", "find 2024", "Sing me a song"] {
            let asked = send(&server, &token, question).await;
            assert_eq!(text(&asked, "status"), "completed", "{policy}: {}", asked.body);
        }
        let call =
            json!({"tool_name": "ask", "parameters": {"request": "find 2024", "file_path": "notes.md"}});
        let called = server.post("/mcp/tools/execute", &token, &call).await;
        assert_eq!(text(&called, "status"), "completed", "{policy}: {}", called.body);
    }
    let (_, token) = begun(&server, json!({"approval": "ask-all"})).await;
    assert_eq!(text(&send(&server, &token, "find 2024").await, "status"), "running");
}

#[tokio::test]
async fn a_message_may_name_its_document_itself() {
    let folder = folder();
    let server = free(folder.path(), None).await;
    let (_, token) = server.session("", &json!({})).await;
    let asked = send(&server, &token, REPLACE).await;
    assert!(text(&asked, "llm_response").contains("document_context.document_id"), "{}", asked.body);
    let done = send(&server, &token, "Replace 2024 with 2025 in notes.md.").await;
    assert!(text(&done, "llm_response").starts_with("Done."), "{}", done.body);
    let path = folder.path().join("notes.md");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), NOTES.replace("2024", "2025"));
    let undone = send(&server, &token, "Undo that, please.").await;
    assert!(text(&undone, "llm_response").starts_with("Taken back"), "{}", undone.body);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), NOTES);
    // What another program did meanwhile is told below the answer.
    std::fs::write(&path, NOTES.replace("good", "better")).unwrap();
    let asked = send(&server, &token, "find 2024").await;
    assert!(text(&asked, "llm_response").starts_with("I found it in 2 places:"), "{}", asked.body);
}

#[tokio::test]
async fn work_of_an_interrupted_run_is_saved_by_the_one_that_goes_on() {
    // The provider takes the question and never answers: the change is made by then, and not in the file.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", silent.local_addr().unwrap());
    let provider = Provider::new(Kind::OpenAi, "silent", Some(&url)).unwrap();
    let agent = Agent { model: Some(Arc::new(RemoteModel::new(provider).unwrap())), ..Agent::default() };
    let (folder, state) = (folder(), tempfile::tempdir().unwrap());
    let caller = Caller {
        roots: vec![folder.path().to_owned()],
        approval: workspace::Approval::auto(),
        ..Caller::agent("Tester", "")
    };
    let short = |config: &mut gateway::Config| config.grace = Duration::from_millis(100);
    let server = serve(caller, Some(state.path()), agent, short).await;
    let (_, token) = begun(&server, json!({})).await;
    let tool = json!({"tool_name": "ask", "parameters": {"request": REPLACE, "file_path": "notes.md"}});
    let body = json!({"message": "Bring my notes up to date", "mcp_tool_request": tool});
    let on_disk = || std::fs::read_to_string(folder.path().join("notes.md")).unwrap();
    let (sent, ()) = tokio::join!(server.post_once("/chat/send", &token, "key", &body), async {
        silent.accept().await.unwrap();
        server.ask_to_end();
    });
    assert_eq!((sent.refused(503), on_disk()), ("INTERRUPTED", NOTES.to_owned()), "{}", sent.body);
    let run = sent.body["error"]["data"]["response_id"].as_str().unwrap().to_owned();
    server.end().await;
    let server = free(folder.path(), Some(state.path())).await;
    let next = server.post(&format!("/runs/{run}/resume"), &token, &json!({})).await;
    let next = text(&next, "run_id").to_owned();
    server.follow(&format!("/api/v1/chat/stream/{next}"), &[]).await;
    let done = server.post_once("/chat/send", &token, "key", &body).await;
    assert_eq!((text(&done, "response_id"), text(&done, "status")), (&*next, "completed"), "{}", done.body);
    assert_eq!(done.body["saved"][0]["saved"], true, "{}", done.body);
    assert_eq!(on_disk(), NOTES.replace("2024", "2025"));
}

#[tokio::test]
async fn a_call_that_nobody_decided_ends_with_its_run() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (id, token) = begun(&server, json!({"approval": "ask-write"})).await;
    let call = json!({"tool_name": "ask", "parameters": {"request": REPLACE, "file_path": "notes.md"}});
    let waiting = server.post("/mcp/tools/execute", &token, &call).await;
    let execution = text(&waiting, "execution_id");
    server.post(&format!("/runs/{execution}/cancel"), &token, &json!({})).await;
    let status = server.get(&format!("/mcp/tools/status/{execution}"), &token).await;
    assert_eq!((text(&status, "status"), &status.body["approvals"]), ("error", &json!([])));
    let sent = send(&server, &token, REPLACE).await;
    server.post(&format!("/runs/{}/cancel", text(&sent, "response_id")), &token, &json!({})).await;
    let history = server.get(&format!("/chat/history/{id}"), &token).await;
    assert_eq!(history.body["messages"][0]["tool_execution"]["status"], "error", "{}", history.body);
}

#[tokio::test]
async fn a_requested_tool_runs_first_and_is_what_is_answered() {
    let folder = folder();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (_, token) = begun(&server, json!({})).await;
    let tool = json!({
        "tool_name": "workspace_open_document", "parameters": {"path": "notes.md"}, "protocol_version": "2024-11-05",
    });
    let body = json!({"message": "Open my notes", "mcp_tool_request": tool});
    let sent = server.post("/chat/send", &token, &body).await;
    assert_eq!((sent.status, text(&sent, "status")), (200, "completed"), "{}", sent.body);
    assert_eq!(sent.body["tool_execution"]["tool_name"], "workspace_open_document");
    assert_eq!(sent.body["tool_execution"]["status"], "success");
    for (name, value, status, code) in [
        ("tool_name", json!("no_such_tool"), 400, "INVALID_REQUEST"),
        ("protocol_version", json!("1999-01-01"), 400, "MCP_PROTOCOL_ERROR"),
        ("parameters", json!([]), 400, "INVALID_REQUEST"),
    ] {
        let mut body = body.clone();
        body["mcp_tool_request"][name] = value;
        assert_eq!(server.post("/chat/send", &token, &body).await.refused(status), code);
    }
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused() {
    let server = start(None, |_| {}).await;
    let (id, token) = server.session("", &json!({})).await;
    let (other, stranger) = server.session("", &json!({})).await;
    let sent = send(&server, &token, "Hello").await;
    for body in [
        json!({}),
        json!({"message": ""}),
        json!({"message": 3}),
        json!({"message": "x".repeat(100_001)}),
        json!({"message": "x", "document_context": {"cursor_position": {"paragraph": -1, "character": 0}}}),
        json!({"message": "x", "stream": "yes"}),
    ] {
        assert_eq!(server.post("/chat/send", &token, &body).await.refused(400), "INVALID_REQUEST");
    }
    let foreign = json!({"message": "x", "session_id": other});
    assert_eq!(server.post("/chat/send", &token, &foreign).await.refused(404), "NOT_FOUND");
    assert_eq!(
        server.post("/chat/send", "tok_none", &json!({"message": "x"})).await.refused(401),
        "UNAUTHORIZED"
    );
    let run = text(&sent, "response_id");
    for path in [
        format!("/chat/history/{id}"),
        format!("/chat/stream/{run}"),
        format!("/runs/{run}/events"),
        format!("/mcp/tools/status/{run}"),
        format!("/session/{id}/events"),
        "/chat/stream/rsp_none".to_owned(),
        "/runs/rsp_none/events".to_owned(),
    ] {
        assert_eq!(server.get(&path, &stranger).await.refused(404), "NOT_FOUND", "{path}");
    }
    for query in ["limit=x", "limit=-1", "before=rsp_none"] {
        let answer = server.get(&format!("/chat/history/{id}?{query}"), &token).await;
        assert!([400, 404].contains(&answer.status), "{query}: {}", answer.body);
    }
    let long = "k".repeat(201);
    let answer = server.post_once("/chat/send", &token, &long, &json!({"message": "x"})).await;
    assert_eq!(answer.refused(400), "INVALID_REQUEST");
}

#[tokio::test]
async fn with_an_access_key_a_stream_needs_a_token_or_its_ticket() {
    let server = start(None, |config| config.access.token = Some(Token::new(KEY))).await;
    let (_, token) = server.session(KEY, &json!({})).await;
    let sent = send(&server, &token, "Hello").await;
    let url = text(&sent, "stream_url");
    let (path, ticket) = url.split_once("?ticket=").expect("a ticket");
    assert_eq!(server.follow(url, &[]).await.0, 200);
    assert_eq!(server.follow(path, &[("Authorization", &format!("Bearer {token}"))]).await.0, 200);
    for bad in [path.to_owned(), format!("{path}?ticket={}", &ticket[2..]), format!("{path}?ticket=é")] {
        assert_eq!(server.send(&format!("GET {bad}"), &[], "").await.refused(401), "UNAUTHORIZED");
    }
    server.later(60 * 60);
    assert_eq!(server.send(&format!("GET {url}"), &[], "").await.refused(401), "UNAUTHORIZED");
}

#[tokio::test]
async fn what_a_message_changed_is_saved_and_nobody_blocks_anybody_for_good() {
    let folder = folder();
    let caller = || workspace::Caller {
        roots: vec![folder.path().to_owned()],
        approval: workspace::Approval::auto(),
        ..workspace::Caller::agent("Tester", "")
    };
    let server = crate::served::start_for(caller(), None, |_| {}).await;
    let on_disk = || std::fs::read_to_string(folder.path().join("notes.md")).unwrap();
    let (_, ann) = begun(&server, json!({})).await;
    let sent = send(&server, &ann, REPLACE).await;
    assert_eq!(sent.body["saved"][0]["saved"], true, "{}", sent.body);
    assert!(on_disk().contains("2025") && !on_disk().contains("2024"), "{}", on_disk());

    // Bob edits with a tool, which saves nothing; Ann's message waits for that, and Bob's own change ends it.
    let (_, bob) = server.session("", &json!({"user_id": "Bob", "document_id": "notes.md"})).await;
    let edit = json!({"tool_name": "ask", "parameters": {"file_path": "notes.md", "request": "Replace Costs with Expenses"}});
    let edited = server.post("/mcp/tools/execute", &bob, &edit).await;
    assert_eq!(edited.body["status"], "completed", "{}", edited.body);
    let sent = send(&server, &ann, "Replace Revenue with Income").await;
    assert_eq!(sent.body["saved"][0]["saved"], false, "{}", sent.body);
    assert!(text(&sent, "llm_response").contains("work of Bob in it is unsaved"), "{}", sent.body);
    assert!(!on_disk().contains("Expenses") && !on_disk().contains("Income"));
    let change = json!({"document_id": "notes.md", "changes": [
        {"type": "insert", "position": {"text": "Notes", "place": "after"}, "content": "!"}
    ]});
    let changed = server.post("/document/apply-changes", &bob, &change).await;
    assert_eq!(changed.body["saved"], true, "{}", changed.body);
    assert!(
        on_disk().starts_with("# Notes!") && on_disk().contains("Expenses") && on_disk().contains("Income")
    );
}

#[tokio::test]
async fn a_message_is_about_what_is_selected_if_that_stands_there() {
    let folder = folder();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/contract.docx");
    std::fs::copy(samples, folder.path().join("contract.docx")).unwrap();
    let server = start_in(Some(folder.path()), None, |_| {}).await;
    let (_, token) = server.session("", &json!({})).await;
    let ask = |message: &str, selected: &str, paragraph: u64, character: u64| {
        let body = json!({"message": message, "document_context": {
            "document_id": "contract.docx", "selection_text": selected,
            "cursor_position": {"paragraph": paragraph, "character": character},
        }});
        let (server, token) = (&server, token.clone());
        async move { server.post("/chat/send", &token, &body).await }
    };
    let read = || async {
        let read = server.get("/document/context/contract.docx?from=0&count=9", &token).await.body;
        (read["paragraphs"][7]["text"].as_str().unwrap().to_owned(), read["current_selection"].clone())
    };
    let before = read().await.0;
    let at = before.find("thirty (30)").unwrap() as u64;
    let done = ask("replace the selection with forty (40)", "thirty (30)", 7, at).await;
    assert_eq!(read().await.0, before.replace("thirty (30)", "forty (40)"), "{}", done.body);
    // What does not stand there is not taken for what does.
    let wrong = ask("replace the selection with fifty", "thirty (30)", 7, at).await;
    assert!(text(&wrong, "llm_response").contains("does not stand there"), "{}", wrong.body);
    assert_eq!(read().await, (before.replace("thirty (30)", "forty (40)"), Value::Null));
    let inserted = ask("insert \"Really. \" at the cursor", "", 7, 0).await;
    assert!(read().await.0.starts_with("Really. "), "{}", inserted.body);
}
