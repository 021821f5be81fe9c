//! The document tools, from opening to saving, on real files.

use std::{fs, path::Path};

use workspace::{Approval, EditRequest, Mode, Text as PlainText, TextEdit, Workspace};

use super::*;

/// A client of the real tools, the place behind it, and a person at the same desk.
fn open(root: &Path) -> (Client, Workspace, Workspace) {
    let server = Arc::new(Server::new(Desk::new(workspace::Config::default()).unwrap()));
    let person = server.desk.seat(Caller::person("Ann", root)).unwrap();
    let agent = Caller { approval: Approval::auto(), ..Caller::agent("Agent", root) };
    let place = server.desk.seat(agent.clone()).unwrap();
    (Client::connect_to(connect(&server, everything(), agent), Limits::default()), place, person)
}

#[expect(clippy::disallowed_methods, reason = "tests look at the files themselves")]
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "tests make the files themselves")]
fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

fn error_code(answer: &Value) -> &str {
    answer["result"]["_meta"]["docwright/error"]["code"]
        .as_str()
        .unwrap_or_else(|| panic!("no error in {answer}"))
}

#[tokio::test]
async fn a_document_is_opened_changed_undone_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("letter.log");
    write(&file, "Dear Sir");
    let (mut client, workspace, _) = open(folder.path());
    client.initialize("2025-11-25").await;

    let opened = client.call(1, "workspace_open_document", json!({"path": "letter.log"})).await;
    let opened = &opened["result"]["structuredContent"];
    assert_eq!((&opened["title"], &opened["wasOpen"]), (&json!("letter.log"), &json!(false)), "{opened}");
    let window = opened["windowId"].as_str().unwrap();

    let info = client.call(2, "workspace_get_document_info", json!({"windowId": window})).await;
    let info = &info["result"]["structuredContent"];
    assert_eq!(
        (&info["wordCount"], &info["charCount"], &info["isDirty"]),
        (&json!(2), &json!(8), &json!(false))
    );
    assert_eq!(info["filePath"], json!(fs::canonicalize(&file).unwrap()));

    let (_, document) = workspace.active(None).unwrap();
    let edit = EditRequest::new(vec![TextEdit::new(5..8, "Madam")], Mode::Apply);
    workspace.edit::<PlainText>(document, edit).unwrap();
    let changed = client.call(3, "get_document_revision", json!({})).await;
    assert_ne!(changed["result"]["structuredContent"]["revision"], opened["revision"]);

    let undone = client.call(4, "editor_undo", json!({})).await;
    assert_eq!(undone["result"]["structuredContent"]["applied"], true, "{undone}");
    let nothing = client.call(5, "editor_undo", json!({})).await;
    assert_eq!(nothing["result"]["structuredContent"]["message"], "There is nothing to undo");
    let redone = client.call(6, "editor_redo", json!({})).await;
    assert_eq!(redone["result"]["structuredContent"]["applied"], true);

    assert_eq!(read(&file), "Dear Sir");
    let saved = client.call(7, "workspace_save_document", json!({})).await;
    assert_eq!(saved["result"]["structuredContent"]["written"], true, "{saved}");
    assert_eq!(read(&file), "Dear Madam");
    let again = client.call(8, "workspace_save_document", json!({})).await;
    assert_eq!(again["result"]["structuredContent"]["written"], false);

    let copy = client.call(9, "workspace_save_document_as", json!({"path": "copy.log"})).await;
    assert_eq!(copy["result"]["isError"], false, "{copy}");
    assert_eq!(read(&folder.path().join("copy.log")), "Dear Madam");
    let recent = client.call(10, "workspace_list_recent_files", json!({})).await;
    let recent = recent["result"]["structuredContent"]["result"].as_array().unwrap().clone();
    let names: Vec<_> = recent.iter().map(|file| file["name"].clone()).collect();
    assert_eq!(names, [json!("copy.log"), json!("letter.log")]);
    let folder_info = client.call(11, "workspace_get_info", json!({})).await;
    assert_eq!(folder_info["result"]["structuredContent"]["isWorkspaceMode"], true);
}

#[tokio::test]
async fn what_is_refused_says_why_and_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("letter.log");
    write(&file, "Dear Sir");
    let (mut client, workspace, person) = open(folder.path());
    client.initialize("2025-11-25").await;

    let none = client.call(1, "get_document_revision", json!({})).await;
    assert_eq!(none["result"]["isError"], true, "{none}");
    let missing = client.call(2, "workspace_open_document", json!({"path": "lettre.txt"})).await;
    assert_eq!(error_code(&missing), "FILE_NOT_FOUND", "{missing}");
    let outside = client.call(3, "workspace_open_document", json!({"path": "../../etc/passwd"})).await;
    assert_eq!(error_code(&outside), "PERMISSION_DENIED", "{outside}");
    let window = client.call(4, "get_document_revision", json!({"windowId": "window-9"})).await;
    assert_eq!(error_code(&window), "NOT_FOUND", "{window}");

    client.call(5, "workspace_open_document", json!({"path": "letter.log"})).await;
    let (_, document) = workspace.active(None).unwrap();
    let edit = EditRequest::new(vec![TextEdit::new(5..8, "Madam")], Mode::Apply);
    workspace.edit::<PlainText>(document, edit).unwrap();
    write(&file, "Dear Sirs and Madams");
    let saved = client.call(6, "workspace_save_document", json!({})).await;
    assert_eq!(error_code(&saved), "CHANGED_ON_DISK", "{saved}");
    assert_eq!(read(&file), "Dear Sirs and Madams");
    // What somebody else wrote is not an agent's to replace.
    let saved = client.call(7, "workspace_save_document", json!({"overwrite": true})).await;
    assert_eq!(error_code(&saved), "PERMISSION_DENIED", "{saved}");
    assert_eq!(read(&file), "Dear Sirs and Madams");
    person.save(document, ::workspace::Overwrite::Allow).unwrap();
    assert_eq!(read(&file), "Dear Madam");
}

#[tokio::test]
async fn resources_show_the_workspace() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("a.log"), "one two");
    let (mut client, _, _) = open(folder.path());
    client.initialize("2025-11-25").await;
    client.call(1, "workspace_open_document", json!({"path": "a.log"})).await;
    let mut read = async |uri: &str| {
        let message = json!({"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": uri}});
        client.ask(message).await["result"]["contents"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(read("vmark://windows/focused").await, "main");
    let windows: Value = serde_json::from_str(&read("vmark://windows/list").await).unwrap();
    assert_eq!((&windows[0]["label"], &windows[0]["title"]), (&json!("main"), &json!("a.log")));
    let metadata: Value = serde_json::from_str(&read("vmark://document/metadata").await).unwrap();
    assert_eq!(metadata["wordCount"], 2);
}

#[tokio::test]
async fn a_decision_is_told_with_the_next_answer() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("a.log"), "one two");
    let (mut client, workspace, person) = open(folder.path());
    client.initialize("2025-11-25").await;
    client.call(1, "workspace_open_document", json!({"path": "a.log"})).await;
    let (_, document) = workspace.active(None).unwrap();
    let edit = EditRequest::new(vec![TextEdit::new(0..3, "three")], Mode::Suggest);
    workspace.edit::<PlainText>(document, edit).unwrap();
    person.accept_all(document).unwrap();
    let answer = client.call(2, "get_document_revision", json!({})).await;
    let told = answer["result"]["content"][1]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(told.starts_with("Since your last call:\n- Ann accepted suggestion sug_"), "{told}");
    assert_eq!(answer["result"]["structuredContent"]["notices"].as_array().map(Vec::len), Some(1));
    let answer = client.call(3, "get_document_revision", json!({})).await;
    assert_eq!(answer["result"]["content"].as_array().map(Vec::len), Some(1), "it is told once");
}
