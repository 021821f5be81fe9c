//! Several clients at one desk.

use std::path::Path;

use tokio::time::Instant;
use workspace::Approval;

use super::*;

/// A server with a folder of documents, for as many clients as a test needs.
pub(super) struct Hall {
    pub(super) server: Arc<Server>,
    folder: tempfile::TempDir,
}

impl Hall {
    pub(super) fn new() -> Self {
        let server = Arc::new(Server::new(Desk::new(workspace::Config::default()).unwrap()));
        Self { server, folder: tempfile::tempdir().unwrap() }
    }

    #[expect(clippy::disallowed_methods, reason = "tests make the files themselves")]
    pub(super) fn file(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(super) async fn client(&self, caller: Caller) -> Client {
        let connection = connect(&self.server, everything(), caller);
        let mut client = Client::connect_to(connection, Limits::default());
        client.initialize("2025-11-25").await;
        client
    }

    pub(super) async fn agent(&self, name: &str) -> Client {
        self.client(Caller { approval: Approval::auto(), ..Caller::agent(name, self.root()) }).await
    }
}

fn structured(answer: &Value) -> &Value {
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    &answer["result"]["structuredContent"]
}

#[tokio::test]
async fn each_client_writes_into_its_own_document_and_is_told_which() {
    let hall = Hall::new();
    hall.file("a.md", "");
    hall.file("b.md", "");
    let (mut one, mut two) = (hall.agent("One").await, hall.agent("Two").await);
    one.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    two.call(1, "workspace_open_document", json!({"path": "b.md"})).await;
    for round in 0..20 {
        let first = one.call(2 + round, "document_insert_at_cursor", json!({"text": "a"})).await;
        let second = two.call(2 + round, "document_insert_at_cursor", json!({"text": "b"})).await;
        assert!(structured(&first)["file"].as_str().unwrap().ends_with("a.md"), "{first}");
        assert!(structured(&second)["file"].as_str().unwrap().ends_with("b.md"), "{second}");
    }
    let text = one.call(50, "document_get_content", json!({})).await;
    assert_eq!(super::text(&text), "a".repeat(20));
    let text = two.call(50, "document_get_content", json!({})).await;
    assert_eq!(super::text(&text), "b".repeat(20));
}

#[tokio::test]
async fn a_path_or_an_id_names_a_document_without_bringing_it_to_the_front() {
    let hall = Hall::new();
    hall.file("a.md", "in front");
    hall.file("b.md", "behind");
    let mut client = hall.agent("One").await;
    client.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    let behind = client.call(2, "document_get_content", json!({"windowId": "b.md"})).await;
    assert_eq!(text(&behind), "behind");
    let edit = json!({"text": "not ", "position": 0, "windowId": "b.md"});
    let edited = client.call(3, "document_insert_at_position", edit).await;
    assert!(structured(&edited)["file"].as_str().unwrap().ends_with("b.md"), "{edited}");
    assert_eq!(text(&client.call(4, "document_get_content", json!({})).await), "in front");
    let closed = client.call(5, "tabs_close", json!({"windowId": "b.md", "force": true})).await;
    assert!(text(&closed).contains("Closed b.md"), "{closed}");
    let missing = client.call(6, "document_get_content", json!({"windowId": "c.md"})).await;
    assert!(text(&missing).starts_with("FILE_NOT_FOUND"), "{missing}");
}

#[tokio::test]
async fn those_who_wait_hold_nobody_up_and_hear_of_the_decision_at_once() {
    let hall = Hall::new();
    hall.file("a.md", "one");
    let person = hall.server.desk.seat(Caller::person("Ann", hall.root())).unwrap();
    let mut waiting = Vec::new();
    let mut suggested = Vec::new();
    for number in 0..12 {
        let mut client = hall.client(Caller::agent(format!("Bot {number}"), hall.root())).await;
        client.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
        let staged = client.call(2, "document_insert_at_cursor", json!({"text": "x"})).await;
        let id = structured(&staged)["suggestionId"].as_str().unwrap().to_owned();
        let wait = json!({"name": "suggestion_wait", "arguments": {"suggestionIds": [id], "seconds": 60}});
        client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": wait})).await;
        suggested.push(id);
        waiting.push(client);
    }
    let begun = Instant::now();
    let mut other = hall.agent("Busy").await;
    other.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    for round in 0..20 {
        assert_eq!(text(&other.call(2 + round, "document_get_content", json!({})).await), "one");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let document = person.documents()[0].id;
    for id in &suggested {
        person.accept(document, &id.parse().unwrap()).unwrap();
    }
    for client in &mut waiting {
        let answer = client.next().await;
        assert_eq!(structured(&answer)["suggestions"][0]["status"], "accepted", "{answer}");
        assert_eq!(structured(&answer)["suggestions"][0]["detail"], "Ann");
    }
}

#[tokio::test]
async fn a_wait_ends_with_its_time_and_with_a_cancellation() {
    let hall = Hall::new();
    hall.file("a.md", "one");
    let mut client = hall.client(Caller::agent("Bot", hall.root())).await;
    client.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    let staged = client.call(2, "document_insert_at_cursor", json!({"text": "x"})).await;
    let id = structured(&staged)["suggestionId"].as_str().unwrap();
    let begun = Instant::now();
    let waited = client.call(3, "suggestion_wait", json!({"suggestionIds": [id], "seconds": 1})).await;
    assert_eq!(structured(&waited)["suggestions"][0]["status"], "pending", "{waited}");
    assert!(begun.elapsed() >= Duration::from_millis(900));
    let wait = json!({"name": "suggestion_wait", "arguments": {"suggestionIds": [id], "seconds": 100}});
    client.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": wait})).await;
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 4}}))
        .await;
    assert_eq!(client.ask(json!({"jsonrpc": "2.0", "id": 5, "method": "ping"})).await["id"], 5);
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn a_hostile_client_learns_nothing_and_changes_nothing() {
    let hall = Hall::new();
    hall.file("a.docx", "");
    std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/contract.docx"),
        hall.root().join("a.docx"),
    )
    .unwrap();
    hall.file("a.md", "one");
    std::fs::create_dir(hall.root().join("other")).unwrap();
    let mut honest = hall.client(Caller::agent("Bot", hall.root())).await;
    honest.call(1, "workspace_open_document", json!({"path": "a.md"})).await;
    let tab = structured(&honest.call(2, "tabs_get_active", json!({})).await)["id"].clone();
    let staged = honest.call(3, "document_insert_at_cursor", json!({"text": "x"})).await;
    let suggestion = structured(&staged)["suggestionId"].clone();
    let read = honest.call(4, "read_file", json!({"file_path": "a.docx"})).await;
    let session = text(&read).split_whitespace().nth(1).unwrap().to_owned();
    let range = json!({"content": "x", "sessionId": session, "meta": json!({
        "type": "word.op", "op": "getSelection", "version": "1.0", "args": {}
    }).to_string()});
    honest.call(5, "mcp_word__editTask", range).await;

    for root in ["other", ""] {
        let caller = Caller { approval: Approval::auto(), ..Caller::agent("Eve", hall.root().join(root)) };
        let mut hostile = hall.client(caller).await;
        let mut refused = async |name: &str, arguments: Value| {
            let answer = hostile.call(9, name, arguments).await;
            assert_eq!(answer["result"]["isError"], true, "{name} with root `{root}`: {answer}");
        };
        refused("document_get_content", json!({})).await;
        refused("document_get_content", json!({"windowId": "window-2"})).await;
        refused("tabs_switch", json!({"tabId": tab})).await;
        refused("tabs_close", json!({"tabId": tab, "force": true})).await;
        refused("read_file", json!({"session_id": session})).await;
        refused("smart_edit", json!({"session_id": session, "target_paragraph_id": "jr_para_0", "old_string": "a", "new_string": "b", "instruction": "x"})).await;
        refused("save", json!({"session_id": session})).await;
        refused("suggestion_accept", json!({"suggestionId": suggestion})).await;
        refused("suggestion_reject", json!({"suggestionId": suggestion})).await;
        if root == "other" {
            refused("suggestion_wait", json!({"suggestionIds": [suggestion], "seconds": 0})).await;
            for id in 0..200 {
                refused("document_get_content", json!({"windowId": format!("doc-{id}")})).await;
            }
        }
        let windows = hostile.call(10, "workspace_list_windows", json!({})).await;
        assert!(!windows.to_string().contains("a.md"), "{windows}");
        let recent = hostile.call(11, "workspace_list_recent_files", json!({})).await;
        assert!(!recent.to_string().contains("a.md"), "{recent}");
    }
    let list = honest.call(12, "suggestion_list", json!({"windowId": "a.md"})).await;
    assert_eq!(structured(&list)["count"], 1);
}
