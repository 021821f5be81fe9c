//! What is asked for wrongly is refused with the reason, by every documented tool, and changes nothing.

use serde_json::{Map, Value, json};

use crate::client::{Client, DOCUMENTED, text};

/// Arguments that would do, for tools that need some.
const NEEDED: &str = r##"{
    "document_set_content": {"content": "x"},
    "document_insert_at_cursor": {"text": "x"},
    "document_insert_at_position": {"text": "x", "position": 0},
    "document_search": {"query": "one"},
    "document_replace": {"search": "one", "replace": "two"},
    "selection_set": {"from": 0, "to": 1},
    "selection_replace": {"text": "x"},
    "cursor_set_position": {"position": 0},
    "format_toggle": {"mark": "bold"},
    "format_set_link": {"href": "u"},
    "block_set_type": {"type": "paragraph"},
    "block_toggle": {"type": "paragraph"},
    "list_toggle": {"type": "bullet"},
    "table_insert": {"rows": 1, "cols": 1},
    "table_add_row": {"position": "after"},
    "table_add_column": {"position": "after"},
    "insert_math_inline": {"latex": "x"},
    "insert_math_block": {"latex": "x"},
    "insert_mermaid": {"code": "x"},
    "insert_wiki_link": {"target": "x"},
    "cjk_punctuation_convert": {"direction": "to-fullwidth"},
    "cjk_spacing_fix": {"action": "add"},
    "workspace_focus_window": {"windowId": "main"},
    "workspace_open_document": {"path": "note.md"},
    "workspace_save_document_as": {"path": "other.md"},
    "tabs_switch": {"tabId": "tab-1"},
    "suggestion_accept": {"suggestionId": "sug_1"},
    "suggestion_reject": {"suggestionId": "sug_1"},
    "resolve_targets": {"targets": ["h-0"]},
    "get_section": {"nodeId": "h-0"},
    "batch_edit": {"operations": [{"type": "delete", "nodeId": "p-0"}]},
    "apply_diff": {"original": "one", "replacement": "two"},
    "replace_text_anchored": {"anchor": {"text": "one"}, "replacement": "two"},
    "update_section": {"nodeId": "h-0", "content": "x"},
    "insert_section": {"after": "h-0", "level": 1, "title": "x"},
    "move_section": {"nodeId": "h-0", "after": "h-0"},
    "table_modify": {"nodeId": "table-0", "operations": [{"type": "addRow"}]},
    "list_modify": {"nodeId": "ul-0", "operations": [{"type": "addItem", "content": "x"}]}
}"##;

/// Every documented tool with arguments that would do.
pub(crate) fn documented() -> Vec<(&'static str, Map<String, Value>)> {
    let needed: Value = serde_json::from_str(NEEDED).expect("the table is JSON");
    let arguments = |name: &str| needed[name].as_object().cloned().unwrap_or_default();
    DOCUMENTED.split_whitespace().map(|name| (name, arguments(name))).collect()
}

const NOTE: &str = "# A\n\none one\n\n```\ncode\n```\n";

fn start(folder: &tempfile::TempDir) -> Client {
    std::fs::write(folder.path().join("note.md"), NOTE).expect("written");
    std::fs::write(folder.path().join("data.csv"), "a,b\n").expect("written");
    std::fs::write(folder.path().join("taken.md"), "taken\n").expect("written");
    Client::start(folder.path(), &["--auto-approve"])
}

/// What the schemas promise is kept: an unknown member, a missing one, one of another type and a window that
/// is not there are each named in the refusal.
#[test]
fn every_tool_refuses_what_its_schema_does_not_allow() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut client = start(&folder);
    let c = &mut client;
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    let list = c.ask("tools/list", json!({}));
    let tools = list["tools"].as_array().expect("a list").clone();
    let mut checked = 0;
    for (name, good) in documented() {
        let tool =
            tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name} is listed"));
        let schema = &tool["inputSchema"];
        let with = |member: &str, value: Value| {
            let mut arguments = good.clone();
            arguments.insert(member.to_owned(), value);
            Value::Object(arguments)
        };
        c.bad(name, with("nonsense", json!(1)), "INVALID_ARGUMENT & `nonsense` & Nothing was changed");
        for (member, shape) in schema["properties"].as_object().expect("its members") {
            let kinds = shape["type"].to_string();
            let wrong = if kinds.contains("boolean") { json!("maybe") } else { json!(true) };
            // A member that takes anything is checked by the tool itself.
            if shape.get("type").is_some() {
                c.bad(name, with(member, wrong), &format!("INVALID_ARGUMENT & `{member}` must be"));
                checked += 1;
            }
            if schema["required"].as_array().is_some_and(|required| required.contains(&json!(member))) {
                let mut arguments = good.clone();
                arguments.remove(member);
                c.bad(name, arguments.into(), &format!("INVALID_ARGUMENT & `{member}` is required"));
            }
        }
        if schema["properties"]["windowId"].is_object() {
            c.bad(name, with("windowId", json!("w-99")), "w-99");
        }
    }
    assert!(checked > 150, "only {checked} members were checked");
    assert_eq!(c.content(), NOTE, "a refusal changes nothing");
    let missing: Vec<&str> =
        DOCUMENTED.split_whitespace().filter(|name| !client.refused.contains(*name)).collect();
    assert_eq!(missing, [""; 0]);
}

/// The very words of the documentation.
#[test]
fn documented_messages_are_word_for_word() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut client = start(&folder);
    let c = &mut client;
    let said = |c: &mut Client, name: &str, arguments: Value| text(&c.call(name, arguments)).to_owned();
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    assert_eq!(
        said(c, "document_set_content", json!({ "content": "x" })),
        "not_empty: document_set_content is only allowed when the document is empty. Nothing was changed.\n\
         Hint: use document_insert_at_cursor, selection_replace or apply_diff for existing content"
    );
    assert_eq!(said(c, "tabs_reopen_closed", json!({})), "No closed tabs to reopen");
    let current =
        c.good("get_document_revision", json!({}))["revision"].as_str().unwrap_or_default().to_owned();
    for (name, mut arguments) in [
        ("batch_edit", json!({ "operations": [{ "type": "delete", "nodeId": "p-0" }] })),
        ("document_edit", json!({ "operations": [{ "type": "delete", "nodeId": "p-0" }] })),
        ("apply_diff", json!({ "original": "one", "replacement": "x" })),
        ("replace_text_anchored", json!({ "anchor": { "text": "code" }, "replacement": "x" })),
        ("update_section", json!({ "nodeId": "h-0", "content": "x" })),
        ("insert_section", json!({ "after": "h-0", "level": 2, "title": "x" })),
    ] {
        arguments["baseRevision"] = json!("rev-9-00000000");
        let result = c.call(name, arguments);
        let told = text(&result);
        let wanted = format!(
            "conflict: Revision conflict: document has changed. Expected rev-9-00000000, current is {current}"
        );
        assert!(told.starts_with(&wanted), "{name}: {told}");
        assert_eq!(
            result["_meta"]["docwright/error"]["data"]["currentRevision"], current,
            "{name}: {result}"
        );
    }
    assert_eq!(said(c, "workspace_get_focused", json!({})), "main");
    let nothing = c.good("document_replace", json!({ "search": "zzz", "replace": "" }));
    assert_eq!(nothing["message"], "No matches found");
    assert_eq!(c.content(), NOTE);
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut client = start(&folder);
    let c = &mut client;
    c.bad("document_get_content", json!({}), "workspace_open_document");
    c.good("workspace_open_document", json!({ "path": "data.csv" }));
    c.bad("list_blocks", json!({}), "UNSUPPORTED_FORMAT & data.csv & Markdown");
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    let before = c.content();
    let bad: &[(&str, Value, &str)] = &[
        ("document_insert_at_position", json!({ "text": "x", "position": 999 }), "behind the end"),
        ("document_insert_at_cursor", json!({}), "text"),
        ("document_search", json!({ "query": "" }), "query"),
        ("document_search", json!({ "queri": "a" }), "query"),
        ("document_replace", json!({ "search": "a" }), "replace"),
        ("selection_set", json!({ "from": 4, "to": 2 }), "behind"),
        ("selection_delete", json!({}), "no text is selected"),
        ("cursor_set_position", json!({ "position": -1 }), "position"),
        ("format_toggle", json!({ "mark": "blink" }), "bold"),
        ("format_set_link", json!({ "href": "a\nb" }), "href"),
        ("format_remove_link", json!({}), "not_found"),
        ("block_set_type", json!({ "type": "heading" }), "level"),
        ("block_set_type", json!({ "type": "heading", "level": 7 }), "level"),
        ("list_toggle", json!({ "type": "x" }), "bullet"),
        ("list_indent", json!({}), "not in a list"),
        ("list_outdent", json!({}), "not in a list"),
        ("table_insert", json!({ "rows": 0, "cols": 1 }), "rows"),
        ("table_delete", json!({}), "not in a table"),
        ("table_add_row", json!({ "position": "above" }), "before"),
        ("table_delete_row", json!({}), "not in a table"),
        ("table_add_column", json!({ "position": "after" }), "not in a table"),
        ("table_delete_column", json!({}), "not in a table"),
        ("table_toggle_header_row", json!({}), "not in a table"),
        ("insert_wiki_link", json!({ "target": "a]b" }), "target"),
        ("insert_math_inline", json!({ "latex": "" }), "latex"),
        ("cjk_punctuation_convert", json!({ "direction": "up" }), "to-fullwidth"),
        ("workspace_focus_window", json!({ "windowId": "w-99" }), "w-99"),
        ("tabs_switch", json!({ "tabId": "x" }), "x"),
        ("tabs_close", json!({ "tabId": "tab-99" }), "tab-99"),
        ("suggestion_accept", json!({ "suggestionId": "nope" }), "nope"),
        ("get_section", json!({ "nodeId": "h-9" }), "not_found & h-9"),
        ("get_section", json!({ "nodeId": "p-0" }), "heading"),
        ("get_section", json!({ "heading": "Zzz" }), "not_found & h-0"),
        ("resolve_targets", json!({}), "targets"),
        ("batch_edit", json!({ "operations": [] }), "operations"),
        (
            "batch_edit",
            json!({ "operations": [{ "type": "update", "nodeId": "p-0" }] }),
            "operations[0] & content",
        ),
        (
            "batch_edit",
            json!({ "operations": [{ "type": "delete", "nodeId": "p-0" }, { "type": "delete", "nodeId": "p-7" }] }),
            "not_found & p-7",
        ),
        (
            "apply_diff",
            json!({ "original": "one", "replacement": "x", "matchPolicy": "error_if_multiple" }),
            "ambiguous_target & 2 times",
        ),
        (
            "apply_diff",
            json!({ "original": "one", "replacement": "x", "matchPolicy": "nth", "nth": 5 }),
            "2 matches",
        ),
        (
            "replace_text_anchored",
            json!({ "anchor": { "text": "one" }, "replacement": "x" }),
            "ambiguous_target",
        ),
        ("replace_text_anchored", json!({ "anchor": { "text": "zzz" }, "replacement": "x" }), "not_found"),
        ("update_section", json!({ "nodeId": "h-0" }), "content"),
        ("insert_section", json!({ "after": "p-0", "level": 9, "title": "x" }), "level"),
        ("move_section", json!({ "nodeId": "h-0", "after": "p-0" }), "part of itself"),
        (
            "table_modify",
            json!({ "nodeId": "table-0", "operations": [{ "type": "deleteRow", "index": 1 }] }),
            "not_found & table-0",
        ),
        (
            "table_modify",
            json!({ "nodeId": "h-0", "operations": [{ "type": "explode" }] }),
            "explode & addRow",
        ),
        (
            "list_modify",
            json!({ "nodeId": "ul-0", "operations": [{ "type": "addItem" }] }),
            "operations[0] & content",
        ),
        ("document_insert_at_position", json!({ "text": "```\n", "position": 5 }), "UNSAFE"),
        ("selection_replace", json!({}), "`text` is required"),
        ("selection_replace", json!({ "text": 5 }), "`text` must be a string"),
        ("cursor_get_context", json!({ "linesBefore": 5000 }), "linesBefore & 1000"),
        ("block_toggle", json!({ "type": "sidebar" }), "type & paragraph & blockquote"),
        ("insert_math_block", json!({}), "latex"),
        ("insert_mermaid", json!({ "code": "" }), "code"),
        ("cjk_spacing_fix", json!({ "action": "guess" }), "add & remove"),
        ("workspace_open_document", json!({ "path": "absent.md" }), "NOT_FOUND & absent.md"),
        ("workspace_open_document", json!({ "path": "../../etc/passwd" }), "PERMISSION_DENIED"),
        ("workspace_save_document_as", json!({ "path": "data.csv" }), "LOCKED & data.csv"),
        ("workspace_save_document_as", json!({ "path": "taken.md" }), "taken.md & overwrite"),
        ("workspace_new_document", json!({ "titel": "x" }), "did you mean `title`"),
        ("suggestion_reject", json!({ "suggestionId": "sug-99" }), "sug-99"),
        ("get_document_ast", json!({ "limit": 0 }), "limit"),
        ("list_blocks", json!({ "limit": 9999 }), "limit & 1000"),
        ("document_get_content", json!({ "offset": 9999 }), "offset & behind the end"),
    ];
    for (name, arguments, words) in bad {
        c.bad(name, arguments.clone(), words);
    }
    assert_eq!(c.content(), before, "a refusal changes nothing");
    c.good("workspace_new_document", json!({}));
    c.bad("workspace_save_document", json!({}), "never been a file & save it under a path");
    c.good("tabs_close", json!({}));
    c.good("document_replace", json!({ "search": "one", "replace": "two" }));
    c.bad("tabs_close", json!({}), "UNSAVED_CHANGES & force");
    c.bad("workspace_close_window", json!({}), "UNSAVED_CHANGES");
    // Another program writes the file: saving over it is refused, and what changed is said.
    std::fs::write(folder.path().join("note.md"), "# A\n\nOTHER\n").expect("written");
    c.bad("workspace_save_document", json!({}), "CHANGED_ON_DISK & note.md & 5 lines removed");
    let disk = std::fs::read_to_string(folder.path().join("note.md")).expect("read");
    assert_eq!(disk, "# A\n\nOTHER\n");
}
