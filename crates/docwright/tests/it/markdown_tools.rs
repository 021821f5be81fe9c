//! Every Markdown and workspace tool over the real binary, with good and with bad input.

use serde_json::json;

use crate::client::{Client, DOCUMENTED};

#[test]
fn every_tool_does_what_it_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("note.md"), "# Title\r\n\r\nSome *text* here.\r\n").expect("written");
    let mut client = Client::start(folder.path(), &["--auto-approve"]);
    let c = &mut client;

    // Documents, with positions in code points.
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    assert_eq!(c.content(), "# Title\r\n\r\nSome *text* here.\r\n");
    let inserted = c.good("document_insert_at_position", json!({ "text": "漢", "position": 2 }));
    assert_eq!((&inserted["position"], &inserted["applied"]), (&json!(2), &json!(true)));
    assert!(c.content().starts_with("# 漢Title"));
    c.good("editor_undo", json!({}));
    let found = c.good("document_search", json!({ "query": "TEXT HERE" }));
    assert_eq!(
        (&found["result"][0]["from"], &found["result"][0]["line"]),
        (&json!(17), &json!(3)),
        "{found}"
    );
    let replaced =
        c.good("document_replace", json!({ "search": "text here", "replace": "words", "all": true }));
    assert_eq!(replaced["count"], 1);
    assert_eq!(c.content(), "# Title\r\n\r\nSome *words*.\r\n");
    let none = c.good("document_replace", json!({ "search": "zzz", "replace": "y" }));
    assert_eq!((&none["count"], &none["message"]), (&json!(0), &json!("No matches found")));
    c.good("editor_undo", json!({}));
    c.good("editor_redo", json!({}));
    c.good("workspace_save_document", json!({}));
    let saved = std::fs::read(folder.path().join("note.md")).expect("read");
    assert_eq!(saved, b"# Title\r\n\r\nSome *words*.\r\n");
    let revision = c.good("get_document_revision", json!({}));
    assert!(revision["revision"].as_str().is_some_and(|id| id.starts_with("rev-")));
    let info = c.good("workspace_get_document_info", json!({}));
    assert_eq!((&info["isDirty"], &info["title"]), (&json!(false), &json!("note.md")));

    // Selection and cursor.
    c.leaves("a ⟦b⟧ c\n", "selection_replace", json!({ "text": "x" }), "a x c\n");
    c.leaves("a ⟦b ⟧c\n", "selection_delete", json!({}), "a c\n");
    c.leaves("a⟦⟧ c\n", "document_insert_at_cursor", json!({ "text": "!" }), "a! c\n");
    c.with("# H\n\n> - on⟦⟧e\n");
    let selection = c.good("selection_get", json!({}));
    assert_eq!((&selection["from"], &selection["isEmpty"]), (&json!(11), &json!(true)));
    let context = c.good("cursor_get_context", json!({ "linesBefore": 1 }));
    assert_eq!(context["currentLine"], "> - one");
    assert_eq!(
        (&context["block"]["inList"], &context["block"]["inBlockquote"]),
        (&json!("bullet"), &json!(true))
    );
    c.good("cursor_set_position", json!({ "position": 2 }));
    let context = c.good("cursor_get_context", json!({}));
    assert_eq!((&context["block"]["type"], &context["block"]["level"]), (&json!("heading"), &json!(1)));

    // Formatting, blocks, lists, tables.
    c.leaves("a ⟦b⟧ c\n", "format_toggle", json!({ "mark": "bold" }), "a **b** c\n");
    c.leaves("a ⟦b⟧ c\n", "format_set_link", json!({ "href": "u", "title": "t" }), "a [b](u \"t\") c\n");
    c.leaves("a [b⟦⟧](u) c\n", "format_remove_link", json!({}), "a b c\n");
    c.leaves("⟦**a** ==b==⟧\n", "format_clear", json!({}), "a b\n");
    c.leaves("te⟦⟧xt\n", "block_set_type", json!({ "type": "heading", "level": 3 }), "### text\n");
    c.leaves("### te⟦⟧xt\n", "block_toggle", json!({ "type": "heading", "level": 3 }), "text\n");
    c.leaves("te⟦⟧xt\n", "block_insert_horizontal_rule", json!({}), "text\n\n---\n");
    c.leaves("te⟦⟧xt\n", "list_toggle", json!({ "type": "task" }), "- [ ] text\n");
    c.leaves("- a\n- b⟦⟧\n", "list_indent", json!({}), "- a\n  - b\n");
    c.leaves("- a\n  - b⟦⟧\n", "list_outdent", json!({}), "- a\n- b\n");
    c.leaves("x⟦⟧\n", "table_insert", json!({ "rows": 2, "cols": 1 }), "x\n\n|     |\n| --- |\n|     |\n");
    let table = "| a | b |\n|---|---|\n| 1⟦⟧ | 2 |\n";
    c.leaves(
        table,
        "table_add_row",
        json!({ "position": "after" }),
        "| a | b |\n|---|---|\n| 1 | 2 |\n|   |   |\n",
    );
    c.leaves(table, "table_delete_row", json!({}), "| a | b |\n|---|---|\n");
    c.leaves(
        table,
        "table_add_column",
        json!({ "position": "before" }),
        "|     | a | b |\n| --- |---|---|\n|     | 1 | 2 |\n",
    );
    c.leaves(table, "table_delete_column", json!({}), "| b |\n|---|\n| 2 |\n");
    c.leaves(table, "table_toggle_header_row", json!({}), "|   |   |\n|---|---|\n| a | b |\n| 1 | 2 |\n");
    c.leaves("x\n\n| a |\n|---|\n| 1⟦⟧ |\n", "table_delete", json!({}), "x\n");
    c.leaves("x⟦⟧\n", "insert_math_inline", json!({ "latex": "E = mc^2" }), "x$E = mc^2$\n");
    c.leaves("x⟦⟧\n", "insert_math_block", json!({ "latex": "a" }), "x\n\n$$\na\n$$\n");
    c.leaves("x⟦⟧\n", "insert_mermaid", json!({ "code": "graph TD" }), "x\n\n```mermaid\ngraph TD\n```\n");
    c.leaves("x ⟦⟧\n", "insert_wiki_link", json!({ "target": "P", "displayText": "D" }), "x [[P|D]]\n");
    c.leaves(
        "⟦⟧你好,`a,b`\n",
        "cjk_punctuation_convert",
        json!({ "direction": "to-fullwidth" }),
        "你好，`a,b`\n",
    );
    c.leaves("⟦⟧用Rust写\n", "cjk_spacing_fix", json!({ "action": "add" }), "用 Rust 写\n");

    // Structure.
    let document = "# A\n\none **two**\n\n## B\n\n- x\n- y\n\n| c |\n|---|\n| 1 |\n⟦⟧";
    c.with(document);
    let blocks = c.good("list_blocks", json!({ "type": "heading" }));
    let second = blocks["result"][1]["nodeId"].as_str().expect("an id").to_owned();
    // All ids of one revision carry its mark: its number and two letters.
    let mark = second.strip_prefix("h-1@").expect("a mark").to_owned();
    assert_eq!((mark.len(), mark.starts_with('1')), (3, true), "{mark}");
    let marked = |id: &str| json!(format!("{id}@{mark}"));
    assert_eq!(blocks["result"][1]["level"], 2);
    let tree = c.good("get_document_ast", json!({}));
    assert_eq!(tree["children"][1]["marks"][0]["type"], "bold", "{tree}");
    let digest = c.good("get_document_digest", json!({}));
    assert_eq!((&digest["headingCount"], &digest["sections"][1]["title"]), (&json!(2), &json!("B")));
    let resolved = c.good("resolve_targets", json!({ "targets": [second, "p-99", "B", "two"] }));
    assert_eq!(
        (&resolved["result"][0]["found"], &resolved["result"][1]["found"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&resolved["result"][2]["nodeId"], &resolved["result"][3]["type"]),
        (&marked("h-1"), &json!("paragraph"))
    );
    let scored = c.good("resolve_targets", json!({ "query": { "type": "paragraph", "hasMarks": ["bold"] } }));
    assert_eq!((&scored["count"], &scored["candidates"][0]["nodeId"]), (&json!(1), &marked("p-0")));
    let bare = c.good("get_section", json!({ "nodeId": "h-1" }));
    let section = c.good("get_section", json!({ "nodeId": second }));
    assert_eq!(section, bare, "an id that was just read means the same with and without its mark");
    assert!(
        section["content"].as_str().is_some_and(|text| text.starts_with("## B") && text.ends_with("| 1 |"))
    );
    c.good("get_section", json!({ "heading": "A" }));

    // Mutations, in both dialects.
    let batch = json!({ "operations": [
        { "type": "update", "nodeId": "p-0", "text": "ONE" }, { "type": "delete", "nodeId": "li-0" },
        { "type": "insert", "after": "h-0", "content": "New." }, { "type": "format", "nodeId": "h-1", "marks": ["italic"] }] });
    let done = c.leaves(
        document,
        "batch_edit",
        batch,
        "# A\n\nNew.\n\nONE\n\n## *B*\n\n- y\n\n| c |\n|---|\n| 1 |\n",
    );
    assert_eq!(done["success"], true);
    c.leaves(
        "a b a⟦⟧\n",
        "apply_diff",
        json!({ "original": "a", "replacement": "x", "matchPolicy": "nth", "nth": 1, "mode": "apply" }),
        "a b x\n",
    );
    let nothing = c.leaves("a⟦⟧\n", "apply_diff", json!({ "original": "z", "replacement": "" }), "a\n");
    assert_eq!((&nothing["matchCount"], &nothing["appliedCount"]), (&json!(0), &json!(0)));
    let anchor =
        json!({ "anchor": { "text": "n", "beforeContext": "two ", "afterContext": "" }, "replacement": "m" });
    c.leaves("one n\n\ntwo n⟦⟧\n", "replace_text_anchored", anchor, "one n\n\ntwo m\n");
    c.leaves(
        "# A\n\na⟦⟧\n\n# B\n",
        "update_section",
        json!({ "nodeId": "h-0", "content": "x" }),
        "# A\n\nx\n\n# B\n",
    );
    c.leaves(
        "# A\n\na⟦⟧\n",
        "update_section",
        json!({ "target": { "byIndex": { "level": 1, "index": 0 } }, "newContent": "y" }),
        "# A\n\ny\n",
    );
    c.leaves(
        "# A\n\na⟦⟧\n",
        "insert_section",
        json!({ "after": "h-0", "level": 2, "title": "N" }),
        "# A\n\na\n\n## N\n",
    );
    c.leaves(
        "# A\n\na⟦⟧\n\n# B\n",
        "move_section",
        json!({ "nodeId": "h-0", "after": "h-1" }),
        "# B\n\n# A\n\na\n",
    );
    let cells = json!({ "nodeId": "table-0", "operations": [{ "type": "setCellContent", "row": 1, "col": 0, "content": "9" }, { "action": "add_row", "values": ["3"] }] });
    c.leaves("| a |\n|---|\n| 1 |\n⟦⟧", "table_modify", cells, "| a |\n|---|\n| 9 |\n| 3 |\n");
    let items = json!({ "nodeId": "ul-0", "operations": [{ "type": "addItem", "content": "c" }, { "action": "delete_item", "index": 0 }] });
    c.leaves("- a\n- b\n⟦⟧", "list_modify", items, "- b\n- c\n");
    let dry = c.leaves(
        "a⟦⟧\n",
        "apply_diff",
        json!({ "original": "a", "replacement": "b", "mode": "dryRun" }),
        "a\n",
    );
    assert_eq!(dry["changes"][0]["newContent"], "b", "{dry}");

    // Windows and tabs.
    let windows = c.good("workspace_list_windows", json!({}));
    assert_eq!(windows["result"][0]["isFocused"], true);
    let focused = c.good("workspace_get_focused", json!({}));
    c.good("workspace_focus_window", json!({ "windowId": focused }));
    c.good("editor_focus", json!({}));
    let made = c.good("tabs_create", json!({}));
    let tab = made["tabId"].clone();
    assert_eq!(c.good("tabs_get_active", json!({}))["id"], tab);
    assert_eq!(c.good("tabs_get_info", json!({ "tabId": tab }))["isActive"], true);
    let tabs = c.good("tabs_list", json!({}));
    let first = tabs["result"][0]["id"].clone();
    c.good("tabs_switch", json!({ "tabId": first }));
    c.good("tabs_close", json!({ "tabId": tab }));
    let reopened = c.good("tabs_reopen_closed", json!({}));
    assert!(reopened["tabId"].is_string(), "{reopened}");
    c.good("workspace_save_document_as", json!({ "path": "new.md" }));
    c.good("workspace_list_recent_files", json!({}));
    c.good("workspace_get_info", json!({}));
    c.good("get_capabilities", json!({}));
    c.good("suggestion_list", json!({}));
    c.good("suggestion_accept_all", json!({}));
    c.good("suggestion_reject_all", json!({}));
    c.good("workspace_close_window", json!({ "force": true }));

    let outline = c.ask("resources/list", json!({}));
    for uri in [
        "vmark://document/outline",
        "vmark://document/metadata",
        "vmark://windows/list",
        "vmark://windows/focused",
    ] {
        assert!(outline.to_string().contains(uri), "{uri}");
    }
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    let outline = c.ask("resources/read", json!({ "uri": "vmark://document/outline" }));
    assert!(
        outline["contents"][0]["text"].as_str().is_some_and(|text| text.contains("\"nodeId\":\"h-0@0jz\"")),
        "{outline}"
    );

    // With the gate off nothing is staged, so there is nothing to decide on; that is the next test.
    let decide = ["suggestion_accept", "suggestion_reject"];
    let missing: Vec<&str> = DOCUMENTED
        .split_whitespace()
        .filter(|name| !client.called.contains(*name) && !decide.contains(name))
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn with_the_gate_on_a_person_decides() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("note.md"), "# A\n\none\n").expect("written");
    let mut client = Client::start(folder.path(), &[]);
    let c = &mut client;
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    let base = c.good("get_document_revision", json!({}))["revision"].clone();
    let staged = c.good("apply_diff", json!({ "original": "one", "replacement": "two", "mode": "apply" }));
    assert_eq!((&staged["applied"], &staged["appliedCount"]), (&json!(false), &json!(1)));
    let id = staged["suggestionIds"][0].clone();
    assert_eq!(c.content(), "# A\n\none\n");
    for (name, arguments) in [
        ("format_toggle", json!({ "mark": "bold" })),
        ("insert_mermaid", json!({ "code": "x" })),
        ("block_toggle", json!({ "type": "blockquote" })),
        ("cjk_spacing_fix", json!({ "action": "add" })),
    ] {
        c.good("cursor_set_position", json!({ "position": 2 }));
        let answer = c.good(name, arguments);
        assert_eq!(answer["applied"], false, "{name}: {answer}");
    }
    assert_eq!(c.content(), "# A\n\none\n", "nothing is applied");
    let listed = c.good("suggestion_list", json!({}));
    let first = listed["suggestions"].as_array().expect("a list").iter().find(|one| one["id"] == id).cloned();
    let first = first.expect("the first suggestion");
    assert_eq!(
        (&first["type"], &first["from"], &first["to"]),
        (&json!("replace"), &json!(5), &json!(8)),
        "{first}"
    );
    assert_eq!((&first["newContent"], &first["originalContent"]), (&json!("two"), &json!("one")));
    c.bad("suggestion_accept", json!({ "suggestionId": id }), "PERMISSION_DENIED & a person decides");
    c.bad("suggestion_accept_all", json!({}), "PERMISSION_DENIED");
    c.good("suggestion_reject", json!({ "suggestionId": id }));
    c.bad("suggestion_reject", json!({ "suggestionId": id }), "rejected by");
    c.good(
        "batch_edit",
        json!({ "operations": [{ "type": "update", "nodeId": "p-0", "text": "x" }], "baseRevision": base }),
    );
    let wrong =
        json!({ "operations": [{ "type": "delete", "nodeId": "p-0" }], "baseRevision": "rev-9-00000000" });
    c.bad("batch_edit", wrong, "conflict: Revision conflict: document has changed. Expected rev-9-00000000");
    c.good("suggestion_reject_all", json!({}));
    assert_eq!(c.good("suggestion_list", json!({}))["count"], 0);
}

/// Where the policy lets agents decide, they can, and who decided is recorded.
#[test]
fn agents_decide_where_the_policy_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("note.md"), "# A\n\none two three\n").expect("written");
    let mut client = Client::start(folder.path(), &["--agents-may-accept", "--author", "Ada"]);
    let c = &mut client;
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    let mut stage = |original: &str, replacement: &str| {
        let staged = c.good("apply_diff", json!({ "original": original, "replacement": replacement }));
        assert_eq!(staged["applied"], false);
        staged["suggestionIds"][0].clone()
    };
    let (first, second, third) = (stage("one", "1"), stage("two", "2"), stage("three", "3"));
    let accepted = c.good("suggestion_accept", json!({ "suggestionId": second }));
    assert_eq!(accepted["accepted"], json!([second]));
    assert!(accepted["message"].as_str().is_some_and(|text| text.contains("editor_undo")), "{accepted}");
    assert_eq!(c.content(), "# A\n\none 2 three\n");
    c.bad("suggestion_accept", json!({ "suggestionId": second }), "accepted by Ada");
    // Undoing the decision brings the suggestion back.
    c.good("editor_undo", json!({}));
    assert_eq!(c.good("suggestion_list", json!({}))["count"], 3);
    c.good("suggestion_reject", json!({ "suggestionId": third }));
    let all = c.good("suggestion_accept_all", json!({}));
    assert_eq!((&all["count"], &all["accepted"]), (&json!(2), &json!([first, second])));
    assert_eq!(c.content(), "# A\n\n1 2 three\n");
}

/// A title that several sections have is not guessed at: the refusal names them.
#[test]
fn a_title_of_several_sections_is_refused_with_their_ids() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut c = Client::start(folder.path(), &["--auto-approve"]);
    c.with("# A\n\n## Notes\n\none\n\n## Notes\n\ntwo⟦⟧\n");
    c.bad("get_section", json!({ "heading": "Notes" }), "ambiguous_target & h-1 | h-2");
    c.bad("insert_section", json!({ "after": "notes", "level": 2, "title": "New" }), "h-1 | h-2");
    let found = c.good("get_section", json!({ "nodeId": "h-2" }));
    assert!(found.to_string().contains("two"), "{found}");
}

/// A list that is longer than clients take comes in pages.
#[test]
fn hundreds_of_suggestions_are_listed_in_pages() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text: String = (0..400).map(|number| format!("Paragraph number {number}.\n\n")).collect();
    std::fs::write(folder.path().join("note.md"), text).expect("written");
    let mut client = Client::start(folder.path(), &[]);
    let c = &mut client;
    c.good("workspace_open_document", json!({ "path": "note.md" }));
    for number in 0..400 {
        let operations = json!([{ "type": "update", "nodeId": format!("p-{number}"), "content": "Other" }]);
        c.good("batch_edit", json!({ "operations": operations }));
    }
    let (mut seen, mut offset) = (std::collections::BTreeSet::new(), 0);
    loop {
        let page = c.good("suggestion_list", json!({ "offset": offset }));
        assert_eq!(page["count"], 400);
        let listed = page["suggestions"].as_array().expect("a list");
        offset += listed.len();
        seen.extend(listed.iter().map(|one| one["id"].to_string()));
        if page.get("more").is_none() {
            break;
        }
    }
    assert_eq!((seen.len(), offset), (400, 400));
}
