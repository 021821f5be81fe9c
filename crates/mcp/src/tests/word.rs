//! Reading and editing a Word document by its session.

use super::operations::desk;
use super::*;

/// The answer's text, which must not be an error.
fn said(answer: &Value) -> &str {
    assert!(!answer["result"]["isError"].as_bool().unwrap_or(false), "{answer}");
    text(answer)
}

#[expect(clippy::disallowed_methods, reason = "tests look at the files themselves")]
fn contract(folder: &std::path::Path) -> Vec<u8> {
    std::fs::read(folder.join("contract.docx")).unwrap()
}

/// Session and paragraph that the cases below work on.
async fn opened(client: &mut Client) -> (String, String) {
    let page = client.call(1, "read_file", json!({"file_path": "contract.docx"})).await;
    let page = said(&page);
    let session = page.split_whitespace().nth(1).unwrap().to_owned();
    let row = page.lines().find(|line| line.contains("pay each invoice")).unwrap();
    (session, row.split(' ').next().unwrap().to_owned())
}

#[tokio::test]
async fn a_document_is_read_edited_undone_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;

    let edit = json!({"session_id": session, "target_paragraph_id": paragraph, "old_string": "thirty (30) days",
        "new_string": "forty-five (45) days", "track": "on", "instruction": "as agreed"});
    let edited: Value = serde_json::from_str(said(&client.call(2, "smart_edit", edit).await)).unwrap();
    assert_eq!(edited["status"], "applied");
    assert_eq!(edited["instruction"], "as agreed");
    assert!(edited["edits"][0]["after"].as_str().unwrap().contains("forty-five (45) days"));
    let changes = client.call(3, "list_changes", json!({"session_id": session, "author": "Agent"})).await;
    assert_eq!(serde_json::from_str::<Value>(said(&changes)).unwrap()["total"], 2);

    let inserted = json!({"session_id": session, "positional_anchor_node_id": paragraph, "position": "BEFORE",
        "new_string": "“Closing Cash” means the cash at closing."});
    said(&client.call(4, "smart_insert", inserted).await);
    let found = client.call(5, "grep", json!({"session_id": session, "patterns": ["closing cash"]})).await;
    assert_eq!(serde_json::from_str::<Value>(said(&found)).unwrap()["total"], 1);

    // The document is in front, so undo reaches it; the tracked change is still there.
    said(&client.call(6, "editor_undo", json!({})).await);
    let found = client.call(7, "grep", json!({"session_id": session, "patterns": ["closing cash"]})).await;
    assert_eq!(serde_json::from_str::<Value>(said(&found)).unwrap()["total"], 0);

    let saved = client.call(8, "save", json!({"session_id": session})).await;
    assert_eq!(serde_json::from_str::<Value>(said(&saved)).unwrap()["written"], true);
    let original =
        client.call(9, "read_file", json!({"file_path": "contract.docx", "view": "original"})).await;
    assert!(said(&original).contains("thirty (30) days"));
}

#[tokio::test]
async fn undo_by_a_session_is_of_its_document_and_not_of_the_one_in_front() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    std::fs::copy(folder.path().join("contract.docx"), folder.path().join("other.docx")).unwrap();
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    said(&client.call(2, "read_file", json!({"file_path": "other.docx", "limit": 1})).await);
    let edit = json!({"session_id": session, "target_paragraph_id": paragraph, "old_string": "thirty (30)",
        "new_string": "ninety (90)"});
    let edited = client.call(3, "smart_edit", edit).await;
    assert!(said(&edited).contains("editor_undo with this session_id"), "{edited}");

    let read = json!({"session_id": session, "node_ids": [paragraph]});
    let by_session = json!({"session_id": session});
    assert!(said(&client.call(4, "editor_undo", by_session.clone()).await).contains("ninety"));
    assert!(said(&client.call(5, "read_file", read.clone()).await).contains("thirty (30)"));
    said(&client.call(6, "editor_redo", by_session).await);
    assert!(said(&client.call(7, "read_file", read).await).contains("ninety (90)"));
    let in_front = client.call(8, "editor_undo", json!({})).await;
    assert!(said(&in_front).contains("nothing to undo"), "{in_front}");
}

#[tokio::test]
async fn a_batch_is_all_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let replace = |old: &str, new: &str| json!({"op": "replace", "paragraph_id": paragraph, "old_string": old, "new_string": new});
    let bad = json!({"session_id": session, "edits": [replace("thirty (30)", "sixty (60)"), replace("no such text", "x")]});
    let refused = client.call(2, "batch_edit_docx", bad).await;
    assert_eq!(refused["result"]["isError"], true);
    assert!(
        text(&refused).contains("edit 2 of 2 (index 1)") && text(&refused).contains("Nothing was changed"),
        "{refused}"
    );
    let read = client.call(3, "read_file", json!({"session_id": session, "node_ids": [paragraph]})).await;
    assert!(said(&read).contains("thirty (30) days"));

    let deleted = json!({"op": "delete", "paragraph_id": paragraph});
    let bad = json!({"session_id": session, "edits": [deleted, replace("thirty (30)", "sixty (60)")]});
    let refused = client.call(6, "batch_edit_docx", bad).await;
    assert!(text(&refused).contains("an edit before it in this call deletes it"), "{refused}");

    // Each edit sees what the one before it left.
    let good = json!({"session_id": session, "edits": [replace("thirty (30)", "sixty (60)"), replace("sixty (60)", "ninety (90)")]});
    said(&client.call(4, "batch_edit_docx", good).await);
    let read = client.call(5, "read_file", json!({"session_id": session, "node_ids": [paragraph]})).await;
    assert!(said(&read).contains("ninety (90) days"));
}

#[tokio::test]
async fn what_cannot_be_done_is_said_and_leaves_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let cases = [
        (
            "smart_edit",
            json!({"session_id": session, "target_paragraph_id": "p1", "old_string": "a", "new_string": "b"}),
            "INVALID_ARGUMENT",
        ),
        (
            "smart_edit",
            json!({"session_id": session, "target_paragraph_id": paragraph, "old_string": "i", "new_string": "b"}),
            "MULTIPLE_MATCHES",
        ),
        (
            "smart_edit",
            json!({"session_id": "ses_none", "target_paragraph_id": paragraph, "old_string": "a", "new_string": "b"}),
            "NOT_FOUND",
        ),
        ("accept_changes", json!({"session_id": session}), "INVALID_ARGUMENT"),
        ("accept_changes", json!({"session_id": session, "ids": ["999"]}), "NOT_FOUND"),
        ("grep", json!({"session_id": session, "patterns": ["("], "syntax": "regex"}), "INVALID_ARGUMENT"),
        ("read_file", json!({"file_path": "missing.docx"}), "FILE_NOT_FOUND"),
    ];
    for (id, (tool, arguments, code)) in cases.into_iter().enumerate() {
        let answer = client.call(10 + id as u64, tool, arguments.clone()).await;
        assert_eq!(answer["result"]["isError"], true, "{tool} {arguments}: {answer}");
        assert!(text(&answer).starts_with(code), "{tool} {arguments}: {}", text(&answer));
        let of_session = arguments["session_id"] == "ses_none";
        assert!(!of_session || text(&answer).contains("file_path begins one"), "{}", text(&answer));
    }
    let status = client.call(50, "workspace_get_document_info", json!({})).await;
    assert_eq!(serde_json::from_str::<Value>(said(&status)).unwrap()["isDirty"], false);
}

#[tokio::test]
async fn a_deleted_paragraph_is_remembered_and_a_wrong_id_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let edit = |id: &str, old: &str, new: &str| json!({"session_id": session, "target_paragraph_id": id, "old_string": old, "new_string": new});
    let unbalanced = client.call(2, "smart_edit", edit(&paragraph, "thirty", "<b>sixty")).await;
    assert!(text(&unbalanced).starts_with("UNBALANCED_TAGS"), "{unbalanced}");
    let absent = client.call(3, "smart_edit", edit(&paragraph, "pay every invoice", "x")).await;
    assert!(
        text(&absent).starts_with("TEXT_NOT_FOUND") && text(&absent).contains("pay each invoice"),
        "{absent}"
    );
    let mut stale = edit(&paragraph, "thirty", "sixty");
    stale["expect"] = json!({"text_hash": "0000000000000000"});
    assert!(text(&client.call(4, "smart_edit", stale).await).starts_with("TEXT_CHANGED"));

    let deleted = client
        .call(6, "delete_paragraph", json!({"session_id": session, "target_paragraph_id": paragraph}))
        .await;
    let revision =
        serde_json::from_str::<Value>(said(&deleted)).unwrap()["revision"].as_str().unwrap().to_owned();
    let gone = client.call(7, "smart_edit", edit(&paragraph, "thirty", "sixty")).await;
    let gone = text(&gone);
    assert!(
        gone.starts_with("PARAGRAPH_DELETED") && gone.contains(&revision) && gone.contains("pay each"),
        "{gone}"
    );
    let never = client.call(8, "smart_edit", edit("jr_para_000000000001", "thirty", "sixty")).await;
    let never = text(&never);
    assert!(never.starts_with("PARAGRAPH_NOT_FOUND") && never.contains("ever had this id"), "{never}");
}

#[tokio::test]
async fn what_a_paragraph_said_is_expected_by_the_hash_that_reading_gave() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let read = json!({"session_id": session, "node_ids": [paragraph], "format": "json", "view": "redline"});
    let page: Value = serde_json::from_str(said(&client.call(2, "read_file", read).await)).unwrap();
    let hash = &page["nodes"][0]["text_hash"];
    let edit = json!({"session_id": session, "target_paragraph_id": paragraph, "old_string": "thirty",
        "new_string": "sixty", "expect": {"text_hash": hash}});
    said(&client.call(3, "smart_edit", edit).await);
    let delete = json!({"session_id": session, "target_paragraph_id": paragraph, "expect_text_hash": hash});
    assert!(text(&client.call(4, "delete_paragraph", delete).await).starts_with("TEXT_CHANGED"));
}

#[tokio::test]
async fn comments_notes_links_and_templates() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let answered = |answer: &Value| serde_json::from_str::<Value>(said(answer)).unwrap();

    let add = json!({"session_id": session, "action": "add", "paragraph_id": paragraph, "quote": "thirty (30) days",
        "text": "Too short?"});
    let added = answered(&client.call(2, "docx_comments", add).await);
    let comment = added["edits"][0]["made"].as_str().unwrap().to_owned();
    let reply = json!({"session_id": session, "action": "reply", "comment_id": comment, "text": "No."});
    said(&client.call(3, "docx_comments", reply).await);
    let listed =
        answered(&client.call(4, "docx_comments", json!({"session_id": session, "action": "list"})).await);
    assert_eq!(listed["comments"].as_array().unwrap().len(), 3, "{listed}");
    let delete = json!({"session_id": session, "action": "delete", "comment_id": comment});
    said(&client.call(5, "docx_comments", delete).await);
    let listed =
        answered(&client.call(6, "docx_comments", json!({"session_id": session, "action": "list"})).await);
    assert_eq!(listed["comments"].as_array().unwrap().len(), 1, "{listed}");

    let note = json!({"session_id": session, "action": "add_footnote", "paragraph_id": paragraph,
        "quote": "invoice", "value": "As defined by law."});
    said(&client.call(7, "docx_references", note).await);
    let link = json!({"session_id": session, "action": "add_link", "paragraph_id": paragraph,
        "quote": "thirty (30) days", "value": "https://example.com/terms"});
    said(&client.call(8, "docx_references", link).await);
    let unfinished = json!({"session_id": session, "action": "add_link", "paragraph_id": paragraph});
    let refused = client.call(9, "docx_references", unfinished).await;
    assert!(text(&refused).starts_with("INVALID_ARGUMENT: quote is needed"), "{refused}");

    for (action, bookmark, value) in [
        ("add_bookmark", None, Some("Terms")),
        ("add_link", None, Some("#Terms")),
        ("rename_bookmark", Some("Terms"), Some("Payment")),
        ("delete_bookmark", Some("Payment"), None),
    ] {
        let change = json!({"session_id": session, "action": action, "paragraph_id": paragraph, "quote": "Customer",
            "bookmark": bookmark, "value": value});
        let told = answered(&client.call(22, "docx_references", change).await);
        assert_eq!(told["status"], "applied", "{told}");
        let notes = told.to_string();
        assert_eq!(notes.contains("points at the new name"), action == "rename_bookmark", "{notes}");
        assert_eq!(notes.contains("no target any more"), action == "delete_bookmark", "{notes}");
    }
    let unknown = json!({"session_id": session, "action": "delete_bookmark", "bookmark": "Payment"});
    let refused = client.call(23, "docx_references", unknown).await;
    assert!(text(&refused).contains("bookmark `Payment`"), "{refused}");

    let blank = json!({"session_id": session, "positional_anchor_node_id": paragraph, "new_string": "Signed in {{city}} in {{year}}."});
    said(&client.call(10, "smart_insert", blank).await);
    let fill = json!({"session_id": session, "values": {"city": "Lisbon", "country": "Portugal", "year": 2026, "ok": true}});
    let filled = answered(&client.call(11, "apply_template", fill).await);
    assert_eq!(
        filled["edits"][0]["filled"],
        json!({"values": {"city": 1, "year": 1}, "unused": ["country", "ok"], "missing": []})
    );
    let many = json!({"session_id": session, "values": {"city": ["Lisbon", "Porto"]}});
    let refused = client.call(24, "apply_template", many).await;
    assert!(
        text(&refused).contains("`values.city` must be a string or a number or true or false"),
        "{refused}"
    );

    for (action, pages, value) in [
        ("set_footer", "even", "Page {PAGE}"),
        ("set_header", "first", "Draft"),
        ("set_header", "first", "Final"),
    ] {
        let set = json!({"session_id": session, "action": action, "pages": pages, "value": value});
        said(&client.call(20, "docx_references", set).await);
    }
    let all = client
        .call(21, "read_file", json!({"session_id": session, "all_stories": true, "format": "simple"}))
        .await;
    assert!(said(&all).contains("Final") && said(&all).contains("Page 1"), "{}", text(&all));

    std::fs::copy(folder.path().join("contract.docx"), folder.path().join("old.docx")).unwrap();
    said(&client.call(12, "save", json!({"session_id": session, "output_path": "new.docx"})).await);
    let compare = json!({"file_path": "old.docx", "revised_path": "new.docx"});
    let compared = answered(&client.call(13, "compare_documents", compare).await);
    assert_eq!(compared["status"], "applied");
    let found = client.call(14, "grep", json!({"file_path": "old.docx", "patterns": ["Lisbon"]})).await;
    assert_eq!(answered(&found)["total"], 1);
}

#[tokio::test]
async fn a_save_answers_with_a_receipt_tracked_clean_or_both() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let answered = |answer: &Value| serde_json::from_str::<Value>(said(answer)).unwrap();
    let edit = json!({"session_id": session, "target_paragraph_id": paragraph, "old_string": "thirty (30) days",
        "new_string": "forty-five (45) days", "track": "on"});
    said(&client.call(2, "replace_text", edit).await);

    let both = answered(
        &client
            .call(3, "download", json!({"session_id": session, "format": "both", "output_path": "out.docx"}))
            .await,
    );
    assert_eq!(both["parts_changed"], json!(["word/document.xml"]), "{both}");
    assert_eq!((&both["edits"], &both["tracked_changes"]["Agent"]), (&json!(1), &json!(2)), "{both}");
    assert_eq!(both["lint"]["status"], "no new problems");
    assert_eq!(both["clean"]["tracked_changes"], json!({}));
    assert!(both["sha256_before"] != both["sha256"] && both["sha256"] != both["clean"]["sha256"]);
    assert!(both["clean"]["path"].as_str().unwrap().ends_with("out.clean.docx"), "{both}");
    for (path, view, wanted) in
        [("out.docx", "original", "thirty (30)"), ("out.clean.docx", "original", "forty-five (45)")]
    {
        let read = client.call(4, "read_file", json!({"file_path": path, "view": view})).await;
        assert!(said(&read).contains(wanted), "{path}");
    }

    // What was handed on was a copy: the document goes on under its own name, and has yet to be saved.
    let more = json!({"file_path": "contract.docx", "format": "clean", "output_path": "more.docx"});
    assert_eq!(answered(&client.call(4, "save", more).await)["edits"], 1);
    assert!(both["notes"].to_string().contains("contract.docx has not been saved yet"), "{both}");
    let own = answered(&client.call(5, "save", json!({"file_path": "contract.docx"})).await);
    assert_eq!((&own["written"], &own["tracked_changes"]["Agent"]), (&json!(true), &json!(2)), "{own}");

    let again = answered(&client.call(5, "save", json!({"session_id": session})).await);
    assert_eq!((&again["written"], &again["lint"]["status"]), (&json!(false), &json!("nothing changed")));
    let taken = client
        .call(6, "save", json!({"session_id": session, "format": "clean", "output_path": "contract.docx"}))
        .await;
    assert_eq!(taken["result"]["isError"], true, "{taken}");
    let clean = answered(
        &client
            .call(7, "save", json!({"session_id": session, "format": "clean", "output_path": "c.docx"}))
            .await,
    );
    assert_eq!(clean["sha256"], both["clean"]["sha256"]);
}

#[tokio::test]
async fn other_names_of_the_tools_work_and_are_not_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let insert =
        json!({"session_id": session, "positional_anchor_node_id": paragraph, "new_string": "More."});
    said(&client.call(2, "insert_paragraph", insert).await);
    said(&client.call(3, "download", json!({"session_id": session, "output_path": "x.docx"})).await);
    let listed = client.ask(json!({"jsonrpc": "2.0", "id": 4, "method": "tools/list"})).await;
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    for name in ["replace_text", "insert_paragraph", "download"] {
        assert!(!names.contains(&name), "{name}");
    }
}

#[tokio::test]
async fn an_edit_of_another_revision_writes_nothing_and_says_which_is_current() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    client.initialize("2025-11-25").await;
    let (session, paragraph) = opened(&mut client).await;
    let answered = |answer: &Value| serde_json::from_str::<Value>(said(answer)).unwrap();
    let edit = |revision: &str, new: &str| {
        json!({"session_id": session, "target_paragraph_id": paragraph, "old_string": "thirty (30) days",
            "new_string": new, "expect": {"revision": revision}})
    };
    let page = client.call(2, "read_file", json!({"session_id": session, "format": "json"})).await;
    let read = answered(&page)["revision"].as_str().unwrap().to_owned();
    let current = answered(&client.call(3, "smart_edit", edit(&read, "forty (40) days")).await)["revision"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(current, read);
    let bytes = contract(folder.path());

    // What was expected no longer holds, whether or not the text still stands.
    for old in ["thirty (30) days", "forty (40) days"] {
        let mut late = edit(&read, "sixty (60) days");
        late["old_string"] = json!(old);
        let late = client.call(4, "smart_edit", late).await;
        assert_eq!(late["result"]["isError"], true, "{late}");
        assert!(text(&late).starts_with("CONFLICT") && text(&late).contains("Nothing was changed"), "{late}");
    }
    let insertion = json!({"session_id": session, "positional_anchor_node_id": paragraph, "new_string": "More.",
        "expect_revision": read});
    let batch = json!({"session_id": session, "expect_revision": read, "edits": [
        {"op": "replace", "paragraph_id": paragraph, "old_string": "forty", "new_string": "sixty"}]});
    for (tool, late) in [("smart_insert", insertion), ("batch_edit_docx", batch)] {
        let late = client.call(4, tool, late).await;
        assert!(text(&late).starts_with("CONFLICT"), "{tool}: {late}");
    }
    // A revision that never was.
    let mut never = edit("rev-77-00000000", "sixty (60) days");
    never["old_string"] = json!("forty (40) days");
    let refused = client.call(5, "smart_edit", never).await;
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    let message = text(&refused);
    assert!(message.starts_with("CONFLICT: Revision conflict"), "{message}");
    assert!(message.contains("rev-77-00000000") && message.contains(&current), "{message}");
    assert!(message.contains("read the document again"), "{message}");
    let shown = client
        .call(6, "read_file", json!({"session_id": session, "node_ids": [paragraph], "format": "json"}))
        .await;
    let shown = answered(&shown);
    assert_eq!(shown["revision"], current.as_str());
    let now = shown["nodes"][0]["text"].as_str().unwrap();
    assert!(now.contains("forty (40) days") && !now.contains("sixty"), "{now}");
    assert_eq!(contract(folder.path()), bytes);
    // What the message teaches works.
    let mut again = edit(&current, "sixty (60) days");
    again["old_string"] = json!("forty (40) days");
    said(&client.call(7, "smart_edit", again).await);
}

#[tokio::test]
async fn content_controls_are_listed_and_filled() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = desk(folder.path());
    let form = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/form.docx");
    std::fs::copy(form, folder.path().join("form.docx")).unwrap();
    client.initialize("2025-11-25").await;
    let answered = |answer: &Value| serde_json::from_str::<Value>(said(answer)).unwrap();
    let list = json!({"file_path": "form.docx", "format": "controls"});
    let listed = answered(&client.call(1, "read_file", list.clone()).await);
    let controls = listed["controls"].as_array().unwrap();
    let column =
        |name: &str| -> Vec<Value> { controls.iter().map(|control| control[name].clone()).collect() };
    assert_eq!(column("tag"), ["customer", "terms", "start", "approved", "reference", "scope"]);
    assert_eq!(column("kind"), ["plainText", "dropDown", "date", "checkBox", "plainText", "richText"]);
    assert_eq!(controls[1]["choices"][1], json!({"text": "Net 60", "value": "60"}));
    assert_eq!((&controls[1]["id"], &controls[1]["title"]), (&json!("102"), &json!("Payment terms")));
    assert_eq!((&controls[3]["checked"], &controls[4]["locked"]), (&json!(false), &json!("both")));
    assert_eq!(
        (&controls[5]["text"], &controls[0]["locked"]),
        (&json!("Design.\nDelivery."), &json!("open"))
    );

    let values = json!({"customer": "Contoso", "terms": "60", "start": "2026-11-16", "approved": "yes",
        "scope": "Design.\n\nTraining.\n\nDelivery."});
    let fill = json!({"session_id": listed["session_id"], "values": values});
    said(&client.call(2, "apply_template", fill).await);
    let listed = answered(&client.call(3, "read_file", list).await);
    let said: Vec<&str> = listed["controls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|control| control["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        said,
        ["Contoso", "Net 60", "16 November 2026", "\u{2612}", "2026-001", "Design.\nTraining.\nDelivery."]
    );
}
