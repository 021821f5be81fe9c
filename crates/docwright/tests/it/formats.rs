//! Every documented tool on a document of each format: it works, or says what to do instead.

use serde_json::{Value, json};

use crate::binary::root;
use crate::client::{Client, text};
use crate::refusals::documented;

/// What has a meaning for every document, whatever its format.
const EVERYWHERE: &str = "document_search get_document_digest editor_undo editor_redo editor_focus \
    workspace_list_windows workspace_get_focused workspace_focus_window workspace_new_document \
    workspace_open_document workspace_save_document workspace_save_document_as workspace_get_document_info \
    workspace_list_recent_files workspace_get_info tabs_list tabs_get_active tabs_create tabs_get_info \
    tabs_reopen_closed suggestion_list suggestion_reject_all suggestion_accept_all get_capabilities \
    get_document_revision";

/// What needs a thing that the test does not make first, or closes what it looks at.
const APART: &str = "tabs_switch tabs_close workspace_close_window suggestion_accept suggestion_reject";

fn open(sample: &str) -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::copy(root().join("samples").join(sample), folder.path().join(sample)).expect("copied");
    std::fs::write(folder.path().join("note.md"), "# A\n\none one\n").expect("written");
    let mut client = Client::start(folder.path(), &["--agents-may-accept"]);
    client.good("workspace_open_document", json!({ "path": sample }));
    (folder, client)
}

#[test]
fn each_tool_works_on_every_format_or_says_what_does() {
    let everywhere: Vec<&str> = EVERYWHERE.split_whitespace().collect();
    let apart: Vec<&str> = APART.split_whitespace().collect();
    for sample in ["handbook.md", "contract.docx", "budget.xlsx"] {
        let (folder, mut client) = open(sample);
        let before = std::fs::read(folder.path().join(sample)).expect("read");
        for (name, mut arguments) in documented() {
            if apart.contains(&name) {
                continue;
            }
            // Tools that open something else go last in a window of their own.
            if name == "workspace_save_document_as" {
                let extension = sample.rsplit('.').next().unwrap_or_default();
                arguments.insert("path".into(), format!("copy.{extension}").into());
            }
            let result = client.call(name, arguments.clone().into());
            let (failed, said) = (result["isError"] == true, text(&result).to_owned());
            if everywhere.contains(&name) {
                assert!(!failed, "{name} on {sample}: {said}");
            } else if sample.ends_with(".md") {
                // Whatever does not fit this cursor is refused by its own words, never by the format.
                assert!(!said.contains("UNSUPPORTED_FORMAT"), "{name} on {sample}: {said}");
            } else {
                assert!(failed && said.starts_with("UNSUPPORTED_FORMAT: "), "{name} on {sample}: {said}");
                assert!(said.contains("Hint: "), "{name} on {sample}: {said}");
            }
            // What opened another document: back to the one in question.
            client.good("workspace_open_document", json!({ "path": sample }));
        }
        let after = std::fs::read(folder.path().join(sample)).expect("read");
        assert!(before == after, "{sample} was not to be changed on disk");
    }
}

#[test]
fn outlines_and_searches_tell_of_every_format() {
    let told = |sample: &str, query: &str| -> (Value, Value, Value) {
        let (_folder, mut client) = open(sample);
        let digest = client.good("get_document_digest", json!({}));
        let found = client.good("document_search", json!({ "query": query }));
        let outline = client.ask("resources/read", json!({ "uri": "vmark://document/outline" }));
        let outline = outline["contents"][0]["text"].as_str().unwrap_or_default();
        (digest, found["result"].clone(), serde_json::from_str(outline).expect("JSON"))
    };
    for (sample, query) in [("handbook.md", "the"), ("contract.docx", "the"), ("budget.xlsx", "a")] {
        let (digest, found, outline) = told(sample, query);
        let sections = digest["sections"].as_array().expect("sections");
        assert!(!sections.is_empty(), "{sample}: {digest}");
        assert!(digest["wordCount"].as_u64().is_some_and(|count| count > 10), "{sample}: {digest}");
        assert!(sections.iter().all(|section| section["nodeId"].is_string() && section["title"].is_string()));
        assert_eq!(outline.as_array().map(Vec::len), Some(sections.len()), "{sample}");
        let first = &found[0];
        assert!(
            first["nodeId"].is_string() && first["from"].is_u64() && first["context"].is_string(),
            "{sample}: {found}"
        );
        let text = first["text"].as_str().unwrap_or_default().to_lowercase();
        assert_eq!(text, query, "{sample}");
    }
    let (_, found, _) = told("budget.xlsx", "a");
    assert!(found[0]["nodeId"].as_str().is_some_and(|cell| cell.contains('!')), "{found}");
}

/// Suggestions, revisions, undo and tabs on a Word document, beside a Markdown one in the same window.
#[test]
fn a_word_document_is_suggested_accepted_undone_and_switched() {
    let (_folder, mut client) = open("contract.docx");
    let c = &mut client;
    let word = c.good("tabs_get_active", json!({}))["id"].clone();
    let first = c.good("document_search", json!({ "query": "the" }))["result"][0].clone();
    let revision = c.good("get_document_revision", json!({}))["revision"].clone();
    let edit = json!({
        "target_paragraph_id": first["nodeId"], "old_string": first["context"], "new_string": "Changed words", "track": "suggest"
    });
    let staged = c.good("smart_edit", edit);
    assert_eq!(staged["status"], "suggested", "{staged}");
    assert_eq!(c.good("get_document_revision", json!({}))["revision"], revision);
    let listed = c.good("suggestion_list", json!({}));
    assert_eq!((&listed["count"], &listed["suggestions"][0]["id"]), (&json!(1), &staged["suggestion_id"]));
    // From the tab of another document: a suggestion knows its own.
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    assert_eq!(c.good("suggestion_list", json!({}))["count"], 0);
    c.good("suggestion_accept", json!({ "suggestionId": staged["suggestion_id"] }));
    c.good("tabs_switch", json!({ "tabId": word }));
    let changed = c.good("document_search", json!({ "query": "Changed words" }));
    assert_eq!(changed["result"][0]["nodeId"], first["nodeId"], "{changed}");
    c.good("editor_undo", json!({}));
    assert_eq!(c.good("suggestion_list", json!({}))["count"], 1);
    let gone = c.good("document_search", json!({ "query": "Changed words" }));
    assert_eq!(gone["result"], json!([]));
    c.good("suggestion_reject_all", json!({}));
    assert_eq!(c.good("tabs_get_info", json!({ "tabId": word }))["isDirty"], false);
}
