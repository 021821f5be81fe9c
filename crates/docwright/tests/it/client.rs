//! An MCP client of the real binary, for tests that call many tools.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::binary::Session;

/// The tools of the two sets, as they are documented.
pub(crate) const DOCUMENTED: &str = "document_get_content document_set_content document_insert_at_cursor \
    document_insert_at_position document_search document_replace selection_get selection_set selection_replace \
    selection_delete cursor_get_context cursor_set_position format_toggle format_set_link format_remove_link \
    format_clear block_set_type block_toggle block_insert_horizontal_rule list_toggle list_indent list_outdent \
    table_insert table_delete table_add_row table_delete_row table_add_column table_delete_column \
    table_toggle_header_row editor_undo editor_redo editor_focus insert_math_inline insert_math_block \
    insert_mermaid insert_wiki_link cjk_punctuation_convert cjk_spacing_fix workspace_list_windows \
    workspace_get_focused workspace_focus_window workspace_new_document workspace_open_document \
    workspace_save_document workspace_save_document_as workspace_get_document_info workspace_close_window \
    workspace_list_recent_files workspace_get_info tabs_list tabs_get_active tabs_switch tabs_close tabs_create \
    tabs_get_info tabs_reopen_closed suggestion_list suggestion_accept suggestion_reject suggestion_accept_all \
    suggestion_reject_all get_capabilities get_document_revision get_document_ast get_document_digest \
    list_blocks resolve_targets get_section batch_edit apply_diff replace_text_anchored update_section \
    insert_section move_section table_modify list_modify";

/// A client that keeps count of what it called.
pub(crate) struct Client {
    session: Session,
    pub(crate) called: BTreeSet<String>,
    pub(crate) refused: BTreeSet<String>,
}

impl Client {
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Self {
        let session = Session::start(folder, &[&["--tools", "all"], more].concat());
        Self { session, called: BTreeSet::new(), refused: BTreeSet::new() }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.session.ask(method, params)["result"].take()
    }

    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.called.insert(name.to_owned());
        self.ask("tools/call", json!({ "name": name, "arguments": arguments }))
    }

    /// The structured answer of a call that must succeed.
    #[track_caller]
    pub(crate) fn good(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments.clone());
        assert!(!result["isError"].as_bool().unwrap_or(false), "{name} {arguments}: {}", text(&result));
        match result.get("structuredContent") {
            Some(structured) => structured.clone(),
            None => json!(text(&result)),
        }
    }

    /// A call that must be refused with all of these words.
    #[track_caller]
    pub(crate) fn bad(&mut self, name: &str, arguments: Value, words: &str) {
        let result = self.call(name, arguments.clone());
        self.refused.insert(name.to_owned());
        assert_eq!(result["isError"], true, "{name} {arguments}: {result}");
        for word in words.split('&') {
            let text = text(&result);
            assert!(text.contains(word.trim()), "{name} {arguments}: `{word}` is not in {text}");
        }
    }

    #[track_caller]
    pub(crate) fn content(&mut self) -> String {
        let result = self.call("document_get_content", json!({}));
        text(&result).to_owned()
    }

    /// A fresh document with this text and the cursor at `⟦⟧`, or that selection.
    #[track_caller]
    pub(crate) fn with(&mut self, marked: &str) {
        self.good("workspace_new_document", json!({}));
        let start = marked.chars().position(|c| c == '⟦').expect("a selection");
        let bare = marked.replacen('⟦', "", 1);
        let end = bare.chars().position(|c| c == '⟧').expect("its end");
        let bare = bare.replacen('⟧', "", 1);
        if !bare.is_empty() {
            self.good("document_set_content", json!({ "content": bare }));
        }
        self.good("selection_set", json!({ "from": start, "to": end }));
    }

    /// A tool on a fresh document, and what it leaves.
    #[track_caller]
    pub(crate) fn leaves(&mut self, marked: &str, name: &str, arguments: Value, after: &str) -> Value {
        self.with(marked);
        let answer = self.good(name, arguments);
        assert_eq!(self.content(), after, "{name}");
        answer
    }
}

pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}
