//! The tools, a file each. The router is this list.

use serde_json::Value;

use crate::tool::{Hints, Reply, Tool};

/// Declares the modules and the list of them; a tool is called what its file is called, or what it says.
macro_rules! tools {
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $called:literal) => { $called };
    ($($name:ident $(as $called:literal)?,)*) => {
        $(pub(crate) mod $name;)*

        /// Every tool there is.
        pub(crate) fn all() -> Vec<Tool> {
            vec![$(Tool::new(tools!(@name $name $($called)?), $name::ABOUT, $name::run),)*]
        }

        /// What they are called.
        pub(crate) const NAMES: &[&str] = &[$(tools!(@name $name $($called)?),)*];

        fn hints(name: &str) -> Option<Hints> {
            $(if name == tools!(@name $name $($called)?) { return Some($name::ABOUT.hints); })*
            None
        }
    };
}

/// Names under which clients know tools of ours. They can be called, and are not listed a second time.
const ALIASES: [(&str, &str); 3] =
    [("download", "save"), ("insert_paragraph", "smart_insert"), ("replace_text", "smart_edit")];

/// The name under which a tool is listed.
pub(crate) fn listed_name(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, meant)| *meant)
}

/// How a tool answers faults of its arguments, if its answers have a form of their own for them.
pub(crate) fn own_faults(name: &str) -> Option<fn(&Value, &str) -> Reply> {
    match name {
        "mcp_word__editTask" => Some(mcp_word_edit_task::refused),
        "xlsx_exec" => Some(xlsx_exec::misshapen),
        _ => None,
    }
}

pub use batch_edit_docx::edits as batch_edits;

/// Whether the tool of this name only reads, so that calling it twice does no harm; nothing if there is none.
pub fn reads(name: &str) -> Option<bool> {
    hints(listed_name(name)).map(|hints| hints.read_only)
}

/// Whether all that the tool of this name changes is open documents, whose journals then tell of it; nothing if there is
/// no such tool.
pub fn only_edits(name: &str) -> Option<bool> {
    hints(listed_name(name)).map(|hints| !hints.destructive && !hints.open_world)
}

tools! {
    accept_changes,
    apply_diff,
    apply_template,
    ask,
    batch_edit,
    batch_edit_docx,
    block_insert_horizontal_rule,
    block_set_type,
    block_toggle,
    cjk_punctuation_convert,
    cjk_spacing_fix,
    compare_documents,
    cursor_get_context,
    cursor_set_position,
    delete_paragraph,
    document_edit,
    document_find,
    document_get_content,
    document_insert_at_cursor,
    document_insert_at_position,
    document_outline,
    document_read,
    document_replace,
    document_search,
    document_set_content,
    docx_comments,
    docx_references,
    editor_focus,
    editor_redo,
    editor_undo,
    format_clear,
    format_remove_link,
    format_set_link,
    format_toggle,
    get_capabilities,
    get_document_ast,
    get_document_digest,
    get_document_revision,
    get_section,
    grep,
    insert_math_block,
    insert_math_inline,
    insert_mermaid,
    insert_section,
    insert_wiki_link,
    list_blocks,
    list_changes,
    list_indent,
    list_modify,
    list_outdent,
    list_toggle,
    mcp_word_edit_task as "mcp_word__editTask",
    move_section,
    read_file,
    reject_changes,
    replace_text_anchored,
    resolve_targets,
    review_documents,
    review_items,
    save,
    selection_delete,
    selection_get,
    selection_replace,
    selection_set,
    smart_edit,
    smart_insert,
    suggestion_accept,
    suggestion_accept_all,
    suggestion_list,
    suggestion_reject,
    suggestion_reject_all,
    suggestion_restore,
    suggestion_review,
    suggestion_wait,
    table_add_column,
    table_add_row,
    table_delete,
    table_delete_column,
    table_delete_row,
    table_insert,
    table_modify,
    table_toggle_header_row,
    tabs_close,
    tabs_create,
    tabs_get_active,
    tabs_get_info,
    tabs_list,
    tabs_reopen_closed,
    tabs_switch,
    update_section,
    workspace_close_window,
    workspace_focus_window,
    workspace_get_document_info,
    workspace_get_focused,
    workspace_get_info,
    workspace_list_recent_files,
    workspace_list_windows,
    workspace_new_document,
    workspace_open_document,
    workspace_save_document,
    workspace_save_document_as,
    xlsx_calc,
    xlsx_edit,
    xlsx_exec,
    xlsx_lint,
    xlsx_read,
    xlsx_render,
}
