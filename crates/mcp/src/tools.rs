//! The tools, a file each. The router is this list.

use crate::tool::Tool;

/// Declares the modules and the list of them; a tool is called what its file is called.
macro_rules! tools {
    ($($name:ident,)*) => {
        $(pub(crate) mod $name;)*

        /// Every tool there is.
        pub(crate) fn all() -> Vec<Tool> {
            vec![$(Tool::new(stringify!($name), $name::ABOUT, $name::run),)*]
        }
    };
}

tools! {
    accept_changes,
    batch_edit_docx,
    delete_paragraph,
    editor_redo,
    editor_undo,
    get_capabilities,
    get_document_revision,
    list_changes,
    read_file,
    reject_changes,
    save,
    smart_edit,
    smart_insert,
    workspace_get_document_info,
    workspace_get_info,
    workspace_list_recent_files,
    workspace_open_document,
    workspace_save_document,
    workspace_save_document_as,
}
