//! Documents through the API: read at a glance, changed at positions, and taken back.
#![expect(clippy::disallowed_methods, reason = "a test writes the documents that it then works on")]

use serde_json::{Value, json};
use workspace::{Approval, Caller};

use crate::served::{Answer, Running, start_for};

/// A server on a folder with a Word document, a workbook and a Markdown file, and two sessions at it.
struct Desk {
    server: Running,
    folder: tempfile::TempDir,
    one: String,
    two: String,
}

const NOTES: &str = "# Notes\n\nFirst paragraph.\n\nSecond paragraph.\n\n- an item\n- another\n";

async fn desk() -> Desk {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.md"), NOTES).unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    std::fs::write(folder.path().join("deep/inner.md"), "Inner.\n").unwrap();
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for entry in std::fs::read_dir(samples).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "docx" || end == "xlsx") {
            std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    desk_of(folder, Approval::auto()).await
}

async fn desk_of(folder: tempfile::TempDir, approval: Approval) -> Desk {
    let caller = Caller { roots: vec![folder.path().to_owned()], approval, ..Caller::agent("Tester", "") };
    let server = start_for(caller, None, |_| {}).await;
    let one = server.session("", &json!({"user_id": "Ann"})).await.1;
    let two = server.session("", &json!({"user_id": "Bob"})).await.1;
    Desk { server, folder, one, two }
}

impl Desk {
    async fn change(&self, token: &str, document: &str, more: Value, changes: Value) -> Answer {
        let mut body = json!({"document_id": document, "changes": changes});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.server.post("/document/apply-changes", token, &body).await
    }

    async fn context(&self, token: &str, document: &str) -> Value {
        let answer = self.server.get(&format!("/document/context/{document}"), token).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    fn on_disk(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

#[tokio::test]
async fn a_document_is_told_at_a_glance() {
    let desk = desk().await;
    let notes = desk.context(&desk.one, "notes.md?from=0").await;
    assert_eq!((&notes["document_id"], &notes["title"]), (&json!("notes.md"), &json!("notes.md")));
    assert_eq!(notes["document_stats"]["paragraph_count"], 5, "{notes}");
    assert!(notes["document_stats"]["word_count"].as_u64().unwrap() > 5);
    assert_eq!((&notes["current_selection"], &notes["cursor_position"]), (&Value::Null, &Value::Null));
    assert_eq!(notes["paragraphs"][1]["text"], "First paragraph.");
    assert_eq!(desk.context(&desk.one, "deep/inner.md").await["document_id"], "deep/inner.md");
    assert_eq!(desk.context(&desk.one, "deep%2Finner.md").await["document_id"], "deep/inner.md");
    let contract = desk.context(&desk.one, "contract.docx?from=0&count=2").await;
    assert_eq!(contract["format"], "word");
    assert_eq!(contract["paragraphs"].as_array().unwrap().len(), 2);
    for missing in ["none.md", "../x.md", "doc-999", "%2Fetc%2Fpasswd", "main"] {
        let answer = desk.server.get(&format!("/document/context/{missing}"), &desk.one).await;
        assert_eq!(answer.refused(404), "NOT_FOUND", "{missing}");
    }
    let bad = desk.server.get("/document/context/notes.md?from=x", &desk.one).await;
    assert_eq!(bad.refused(400), "INVALID_REQUEST");
}

#[tokio::test]
async fn changes_land_in_the_file_and_can_be_taken_back() {
    let desk = desk().await;
    let first = json!([
        {"type": "insert", "position": {"paragraph": 1, "character": 5}, "content": " little"},
        {"type": "replace", "position": {"paragraph": 2, "character": 0, "length": 6}, "content": "Another"},
        {"type": "delete", "position": {"text": "- another\n"}},
    ]);
    let done = desk.change(&desk.one, "notes.md", json!({}), first).await;
    assert_eq!((done.status, &done.body["status"]), (200, &json!("applied")), "{}", done.body);
    assert_eq!(done.body["saved"], true, "{}", done.body);
    assert_eq!(done.body["changed"].as_array().unwrap().len(), 2, "{}", done.body);
    let wanted = "# Notes\n\nFirst little paragraph.\n\nAnother paragraph.\n\n- an item\n";
    assert_eq!(desk.on_disk("notes.md"), wanted);

    let undo = &done.body["undo"];
    let path = undo["path"].as_str().unwrap().strip_prefix("/api/v1").unwrap();
    let foreign = desk.server.post(path, &desk.two, &undo["body"]).await;
    assert_eq!(foreign.refused(403), "FORBIDDEN");
    let undone = desk.server.post(path, &desk.one, &undo["body"]).await;
    assert_eq!((undone.status, &undone.body["saved"]), (200, &json!(true)), "{}", undone.body);
    assert_eq!(desk.on_disk("notes.md"), NOTES);
    assert_eq!(desk.server.post(path, &desk.one, &undo["body"]).await.refused(409), "CONFLICT");
    let revisions = desk.server.get("/document/revisions/notes.md", &desk.two).await;
    assert_eq!(revisions.body["revisions"].as_array().unwrap().len(), 2, "{}", revisions.body);
    assert_eq!(revisions.body["revisions"][0]["author"], "Ann");
    let redone = desk.server.post("/document/redo", &desk.one, &json!({"document_id": "notes.md"})).await;
    assert_eq!(redone.status, 200, "{}", redone.body);
    assert_eq!(desk.on_disk("notes.md"), wanted);
}

#[tokio::test]
async fn a_dry_run_changes_nothing_and_a_bad_change_stops_all() {
    let desk = desk().await;
    let change = json!([{"type": "replace", "position": {"paragraph": 1}, "content": "Whole."}]);
    let dry = desk.change(&desk.one, "notes.md", json!({"dry_run": true}), change.clone()).await;
    assert_eq!((dry.status, &dry.body["status"]), (200, &json!("dry_run")), "{}", dry.body);
    assert_eq!(dry.body["undo"], Value::Null);
    let one_is_bad = json!([change[0], {"type": "delete", "position": {"paragraph": 99}}]);
    let bad = desk.change(&desk.one, "notes.md", json!({}), one_is_bad).await;
    assert_eq!(bad.refused(400), "INVALID_REQUEST");
    assert_eq!(bad.body["error"]["data"]["change"], 1, "{}", bad.body);
    assert_eq!(desk.on_disk("notes.md"), NOTES);
}

#[tokio::test]
async fn positions_that_say_nothing_or_too_much_are_refused() {
    let desk = desk().await;
    for (document, change) in [
        ("notes.md", json!({"type": "insert", "position": {"paragraph": 0}, "content": "x"})),
        (
            "notes.md",
            json!({"type": "insert", "position": {"paragraph": 0, "character": 900}, "content": "x"}),
        ),
        (
            "notes.md",
            json!({"type": "insert", "position": {"paragraph": 0, "character": 0, "length": 2}, "content": "x"}),
        ),
        ("notes.md", json!({"type": "insert", "position": {"paragraph": 0, "character": 0}, "content": ""})),
        ("notes.md", json!({"type": "delete", "position": {"paragraph": 0, "character": 0}})),
        ("notes.md", json!({"type": "delete", "position": {"paragraph": 0}, "content": "x"})),
        ("notes.md", json!({"type": "delete", "position": {}})),
        ("notes.md", json!({"type": "delete", "position": {"paragraph": 0, "text": "Notes"}})),
        ("notes.md", json!({"type": "delete", "position": {"paragraph": -1}})),
        ("notes.md", json!({"type": "delete", "position": {"text": "paragraph"}})),
        ("notes.md", json!({"type": "delete", "position": {"cell": "A1"}})),
        ("notes.md", json!({"type": "move", "position": {"paragraph": 0}})),
        ("notes.md", json!({"type": "delete"})),
        ("contract.docx", json!({"type": "delete", "position": {"cell": "A1"}})),
        ("contract.docx", json!({"type": "delete", "position": {"block_id": "p-0"}})),
        ("contract.docx", json!({"type": "delete", "position": {"range_id": "r1"}})),
        ("budget.xlsx", json!({"type": "delete", "position": {"paragraph": 0}})),
        ("budget.xlsx", json!({"type": "replace", "position": {"cell": "A1:B2"}, "content": "1"})),
        (
            "budget.xlsx",
            json!({"type": "replace", "position": {"cell": "A1", "character": 1}, "content": "1"}),
        ),
    ] {
        let answer = desk.change(&desk.one, document, json!({}), json!([change])).await;
        assert_eq!(answer.refused(400), "INVALID_REQUEST", "{change}");
    }
    let empty = desk.change(&desk.one, "notes.md", json!({}), json!([])).await;
    assert_eq!(empty.refused(400), "INVALID_REQUEST");
    let base = json!({"base_revision": "rev-1"});
    let bad_base = desk
        .change(&desk.one, "notes.md", base, json!([{"type": "delete", "position": {"paragraph": 0}}]))
        .await;
    assert_eq!(bad_base.refused(400), "INVALID_REQUEST");
    let other = json!({"session_id": "ses_other"});
    let foreign = desk
        .change(&desk.one, "notes.md", other, json!([{"type": "delete", "position": {"paragraph": 0}}]))
        .await;
    assert_eq!(foreign.refused(404), "NOT_FOUND");
    let unnamed = json!({"changes": [{"type": "delete", "position": {"paragraph": 0}}]});
    let unnamed = desk.server.post("/document/apply-changes", &desk.one, &unnamed).await;
    assert_eq!(unnamed.refused(400), "INVALID_REQUEST");
    assert_eq!(desk.on_disk("notes.md"), NOTES);
}

#[tokio::test]
async fn positions_follow_what_others_did_and_touched_text_is_a_conflict() {
    let desk = desk().await;
    for document in ["notes.md", "contract.docx"] {
        let read = desk.context(&desk.one, &format!("{document}?from=0&count=4")).await;
        desk.context(&desk.two, document).await;
        let text = read["paragraphs"][2]["text"].as_str().unwrap().to_owned();
        // Bob inserts a paragraph above, which Ann has not seen.
        let above = json!([{"type": "insert", "position": {"paragraph": 1, "place": "before"}, "content": "Bob was here."}]);
        let bob = desk.change(&desk.two, document, json!({}), above).await;
        assert_eq!(bob.status, 200, "{}", bob.body);
        let ann =
            json!([{"type": "insert", "position": {"paragraph": 2, "character": 0}, "content": "Ann: "}]);
        let ann = desk.change(&desk.one, document, json!({}), ann).await;
        assert_eq!(ann.status, 200, "{}", ann.body);
        assert_eq!(ann.body["places"][0]["text"], format!("Ann: {text}"), "{}", ann.body);
        assert_eq!(ann.body["places"][0]["paragraph"], 3);
        assert_eq!(ann.body["meanwhile"][0]["author"], "Bob");
        // Bob still counts as he last saw it, and the first letters of that paragraph are other ones now.
        let touched = json!([{"type": "replace", "position": {"paragraph": 3, "character": 0, "length": 2}, "content": "X"}]);
        let base = json!({"base_revision": bob.body["revision"]});
        let over = desk
            .change(&desk.one, document, json!({"base_revision": ann.body["revision"]}), touched.clone())
            .await;
        assert_eq!(over.status, 200, "{}", over.body);
        let stale = json!([{"type": "delete", "position": {"paragraph": 3}}]);
        let stale = desk.change(&desk.two, document, base, stale).await;
        assert_eq!(stale.refused(409), "CONFLICT");
        let data = &stale.body["error"]["data"];
        assert_eq!(
            (&data["revision"], &data["current"][0]["text"]),
            (&over.body["revision"], &json!(format!("Xn: {text}"))),
            "{data}"
        );
        let unknown = json!({"base_revision": "rev-77-00000000"});
        let unknown = desk.change(&desk.two, document, unknown, touched).await;
        assert_eq!(unknown.refused(409), "CONFLICT");
    }
}

#[tokio::test]
async fn numbers_mean_nothing_once_others_moved_them_between_a_look_and_an_own_change() {
    let desk = desk().await;
    let above = |text: &str| json!([{"type": "insert", "position": {"paragraph": 1, "place": "before"}, "content": text}]);
    let write = |text: &str| json!([{"type": "insert", "position": {"paragraph": 2, "character": 0}, "content": text}]);
    for document in ["notes.md", "contract.docx"] {
        desk.context(&desk.one, document).await;
        desk.context(&desk.two, document).await;
        assert_eq!(desk.change(&desk.two, document, json!({}), above("Bob was here.")).await.status, 200);
        // Ann's change is followed; what she reads on her screen after it is not the document.
        assert_eq!(desk.change(&desk.one, document, json!({}), write("Ann: ")).await.status, 200);
        let before = desk.context(&desk.two, &format!("{document}?from=0")).await;
        let again = desk.change(&desk.one, document, json!({}), write("lost ")).await;
        assert_eq!(again.refused(409), "CONFLICT");
        assert_eq!(desk.context(&desk.two, &format!("{document}?from=0")).await, before);
        // What is named by itself is found all the same.
        let named = json!([{"type": "insert", "position": {"text": "Bob was here.", "place": "after"}, "content": " Yes."}]);
        assert_eq!(desk.change(&desk.one, document, json!({}), named).await.status, 200);
        desk.context(&desk.one, document).await;
        assert_eq!(desk.change(&desk.one, document, json!({}), write("found ")).await.status, 200);
    }
    // A cell is followed from where it was seen.
    let set = |cell: &str| json!([{"type": "replace", "position": {"cell": cell}, "content": "7"}]);
    desk.context(&desk.one, "budget.xlsx").await;
    desk.context(&desk.two, "budget.xlsx").await;
    for cell in ["Z1", "Z2", "Z3"] {
        let bob = desk.change(&desk.two, "budget.xlsx", json!({}), set(&cell.replace('Z', "Y"))).await;
        assert_eq!(bob.status, 200, "{}", bob.body);
        let ann = desk.change(&desk.one, "budget.xlsx", json!({}), set(cell)).await;
        assert_eq!(ann.status, 200, "{}", ann.body);
    }
}

#[tokio::test]
async fn words_at_the_end_of_a_paragraph_stay_with_it_when_others_write_a_new_one_behind() {
    let desk = desk().await;
    desk.context(&desk.one, "notes.md").await;
    desk.context(&desk.two, "notes.md").await;
    let behind =
        json!([{"type": "insert", "position": {"paragraph": 1, "place": "after"}, "content": "Bob's own."}]);
    assert_eq!(desk.change(&desk.two, "notes.md", json!({}), behind).await.status, 200);
    let end = "First paragraph.".len();
    let more =
        json!([{"type": "insert", "position": {"paragraph": 1, "character": end}, "content": " More."}]);
    let ann = desk.change(&desk.one, "notes.md", json!({}), more).await;
    assert_eq!(ann.status, 200, "{}", ann.body);
    let text = desk.on_disk("notes.md");
    assert!(text.starts_with("# Notes\n\nFirst paragraph. More.\n\n"), "{text}");
    assert!(text.contains("Bob's own.\n\n"), "{text}");
}

#[tokio::test]
async fn cells_are_set_cleared_and_guarded() {
    let desk = desk().await;
    desk.context(&desk.one, "budget.xlsx").await;
    desk.context(&desk.two, "budget.xlsx").await;
    let set = |cell: &str, content: &str| json!([{"type": "replace", "position": {"cell": cell}, "content": content}]);
    let done = desk.change(&desk.one, "budget.xlsx", json!({}), set("Z9", "25%")).await;
    assert_eq!((done.status, &done.body["saved"]), (200, &json!(true)), "{}", done.body);
    assert_eq!(done.body["places"][0]["text"], "25%", "{}", done.body);
    // Bob saw the cell empty.
    let over = desk.change(&desk.two, "budget.xlsx", json!({}), set("Z9", "7")).await;
    assert_eq!(over.refused(409), "CONFLICT");
    assert_eq!(over.body["error"]["data"]["current"][0]["text"], "25%", "{}", over.body);
    let full = json!([{"type": "insert", "position": {"cell": "Z9"}, "content": "1"}]);
    assert_eq!(desk.change(&desk.one, "budget.xlsx", json!({}), full).await.refused(409), "CONFLICT");
    let clear = json!([{"type": "delete", "position": {"cell": "Z9"}}]);
    assert_eq!(desk.change(&desk.one, "budget.xlsx", json!({}), clear).await.status, 200);
    let sheet = json!([{"type": "delete", "position": {"cell": "Nowhere!A1"}}]);
    assert_eq!(desk.change(&desk.one, "budget.xlsx", json!({}), sheet).await.refused(404), "NOT_FOUND");
}

#[tokio::test]
async fn edits_of_prose_wait_where_the_server_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.md"), NOTES).unwrap();
    let desk = desk_of(folder, Approval::default()).await;
    let change = json!([{"type": "replace", "position": {"paragraph": 1}, "content": "Whole."}]);
    let staged = desk.change(&desk.one, "notes.md", json!({}), change).await;
    assert_eq!((staged.status, &staged.body["status"]), (200, &json!("suggested")), "{}", staged.body);
    assert_eq!(staged.body["saved"], Value::Null);
    assert_eq!(desk.context(&desk.one, "notes.md").await["pending_suggestions"], 1);
    assert!(staged.body["suggestion_id"].is_string() && staged.body["undo"].is_object(), "{}", staged.body);
    assert_eq!(desk.on_disk("notes.md"), NOTES);
    // A person decides; the session may take back what it asked for.
    let decide = |token: &str, what: &str| {
        let path = format!("/document/suggestions/{}/{what}", staged.body["suggestion_id"].as_str().unwrap());
        let (server, token) = (&desk.server, token.to_owned());
        async move { server.post(&path, &token, &json!({})).await }
    };
    assert_eq!(decide(&desk.one, "approve").await.refused(403), "FORBIDDEN");
    assert_eq!(decide(&desk.two, "deny").await.refused(404), "NOT_FOUND");
    let path = staged.body["undo"]["path"].as_str().unwrap().strip_prefix("/api/v1").unwrap();
    let undone = desk.server.post(path, &desk.one, &staged.body["undo"]["body"]).await;
    assert_eq!((undone.status, &undone.body["status"]), (200, &json!("denied")), "{}", undone.body);
    assert_eq!(decide(&desk.one, "deny").await.refused(409), "CONFLICT");
    assert_eq!(desk.context(&desk.one, "notes.md").await["pending_suggestions"], 0);
}

#[tokio::test]
async fn a_session_that_asks_for_less_gets_less() {
    let desk = desk().await;
    let change = json!([{"type": "replace", "position": {"paragraph": 1}, "content": "Whole."}]);
    let careful = desk.server.session("", &json!({"approval": "ask-write"})).await.1;
    let asked = desk.change(&careful, "notes.md", json!({}), change.clone()).await;
    assert_eq!((asked.status, &asked.body["status"]), (200, &json!("pending")), "{}", asked.body);
    let reader = desk.server.session("", &json!({"approval": "read-only"})).await.1;
    let refused = desk.change(&reader, "notes.md", json!({}), change.clone()).await;
    assert_eq!(refused.refused(403), "FORBIDDEN");
    let tried = desk.change(&reader, "notes.md", json!({"dry_run": true}), change).await;
    assert_eq!(tried.body["status"], "dry_run", "{}", tried.body);
    let undo = desk.server.post("/document/undo", &reader, &json!({"document_id": "notes.md"})).await;
    assert_eq!(undo.refused(403), "FORBIDDEN");
    assert_eq!(desk.on_disk("notes.md"), NOTES);

    // What waits for the session's own leave is made when it gives it, by nobody else, and can be taken back.
    let path = format!("/document/suggestions/{}", asked.body["suggestion_id"].as_str().unwrap());
    for (token, status) in [(&desk.one, 404), (&reader, 403)] {
        desk.server.post(&format!("{path}/approve"), token, &json!({})).await.refused(status);
    }
    let made = desk.server.post(&format!("{path}/approve"), &careful, &json!({})).await;
    assert_eq!(
        (&made.body["status"], &made.body["saved"]),
        (&json!("applied"), &json!(true)),
        "{}",
        made.body
    );
    assert!(desk.on_disk("notes.md").contains("Whole."));
    let undo = made.body["undo"]["path"].as_str().unwrap().strip_prefix("/api/v1").unwrap();
    assert_eq!(desk.server.post(undo, &careful, &made.body["undo"]["body"]).await.status, 200);
    assert_eq!(desk.on_disk("notes.md"), NOTES);
}

#[tokio::test]
async fn a_key_is_known_again_after_a_restart() {
    let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("notes.md"), NOTES).unwrap();
    let caller = || Caller {
        roots: vec![folder.path().to_owned()],
        approval: Approval::auto(),
        ..Caller::agent("Tester", "")
    };
    let body = |text: &str| {
        json!({"document_id": "notes.md", "base_revision": null, "changes": [
            {"type": "insert", "position": {"text": "First", "place": "before"}, "content": text}
        ]})
    };
    let server = start_for(caller(), Some(state.path()), |_| {}).await;
    let token = server.session("", &json!({})).await.1;
    let first = server.post_once("/document/apply-changes", &token, "key", &body("Once. ")).await;
    assert_eq!(first.status, 200, "{}", first.body);
    server.end().await;
    let server = start_for(caller(), Some(state.path()), |_| {}).await;
    let again = server.post_once("/document/apply-changes", &token, "key", &body("Once. ")).await;
    assert_eq!(again.status, 200, "{}", again.body);
    for same in ["revision", "status", "summary", "saved"] {
        assert_eq!(again.body[same], first.body[same], "{same}");
    }
    let other = server.post_once("/document/apply-changes", &token, "key", &body("Twice. ")).await;
    assert_eq!(other.refused(409), "CONFLICT");
    let text = std::fs::read_to_string(folder.path().join("notes.md")).unwrap();
    assert_eq!(text, NOTES.replace("First", "Once. First"));
}

#[tokio::test]
async fn a_request_that_is_sent_again_is_answered_again() {
    let desk = desk().await;
    let body = json!({"document_id": "notes.md", "changes": [
        {"type": "insert", "position": {"paragraph": 1, "character": 0}, "content": "Once. "}
    ]});
    let bearer = format!("Bearer {}", desk.one);
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        ("Idempotency-Key", "once"),
    ];
    let body = body.to_string();
    let send = || desk.server.send("POST /api/v1/document/apply-changes", &headers, &body);
    let (first, second) = (send().await, send().await);
    assert_eq!((first.status, second.status), (200, 200), "{}", second.body);
    assert_eq!(first.body["revision"], second.body["revision"]);
    assert!(desk.on_disk("notes.md").contains("\n\nOnce. First paragraph."), "{}", desk.on_disk("notes.md"));
    let other = json!({"document_id": "notes.md", "changes": [
        {"type": "insert", "position": {"paragraph": 1, "character": 0}, "content": "Twice. "}
    ]});
    let other = desk.server.send("POST /api/v1/document/apply-changes", &headers, &other.to_string()).await;
    assert_eq!(other.refused(409), "CONFLICT");
}

#[tokio::test]
async fn a_key_is_known_again_also_where_numbers_mean_nothing_any_more() {
    let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("notes.md"), NOTES).unwrap();
    let caller = || Caller {
        roots: vec![folder.path().to_owned()],
        approval: Approval::auto(),
        ..Caller::agent("Tester", "")
    };
    let body = json!({"document_id": "notes.md", "changes": [
        {"type": "insert", "position": {"paragraph": 1, "place": "after"}, "content": "Between."}
    ]});
    let server = start_for(caller(), Some(state.path()), |_| {}).await;
    let token = server.session("", &json!({})).await.1;
    server.get("/document/context/notes.md", &token).await;
    let first = server.post_once("/document/apply-changes", &token, "n", &body).await;
    assert_eq!(first.status, 200, "{}", first.body);
    server.end().await;
    let server = start_for(caller(), Some(state.path()), |_| {}).await;
    assert_eq!(
        server.post_once("/document/apply-changes", &token, "m", &body).await.refused(409),
        "CONFLICT"
    );
    assert_eq!(server.post("/document/apply-changes", &token, &body).await.refused(409), "CONFLICT");
    let again = server.post_once("/document/apply-changes", &token, "n", &body).await;
    assert_eq!((again.status, &again.body["revision"]), (200, &first.body["revision"]), "{}", again.body);
    let text = std::fs::read_to_string(folder.path().join("notes.md")).unwrap();
    assert_eq!(text.matches("Between.").count(), 1);
}

#[tokio::test]
async fn own_cells_are_own_however_much_others_write_beside_them() {
    let desk = desk().await;
    let set = |token: &str, cell: &str, content: &str| {
        let (token, changes) =
            (token.to_owned(), json!([{"type": "replace", "position": {"cell": cell}, "content": content}]));
        let desk = &desk;
        async move { desk.change(&token, "budget.xlsx", json!({}), changes).await }
    };
    let (one, two) = (desk.one.clone(), desk.two.clone());
    desk.context(&one, "budget.xlsx").await;
    desk.context(&two, "budget.xlsx").await;
    for round in 0..4 {
        for (token, cell) in [(&one, "Inputs!D2"), (&two, "Inputs!D4"), (&one, "Inputs!D3")] {
            let answer = set(token, cell, &format!("{round} {cell}")).await;
            assert_eq!(answer.status, 200, "{round} {cell}: {}", answer.body);
        }
    }
    // What the other wrote there, and was not read since, is not written over.
    assert_eq!(set(&one, "Inputs!D4", "mine").await.refused(409), "CONFLICT");
    assert_eq!(set(&two, "Inputs!D2", "mine").await.refused(409), "CONFLICT");
    assert_eq!(set(&two, "Inputs!D4", "still mine").await.status, 200);
    desk.context(&one, "budget.xlsx").await;
    assert_eq!(set(&one, "Inputs!D4", "mine").await.status, 200);
}
