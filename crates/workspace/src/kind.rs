//! What a document is, as far as doors must tell the kinds apart.

use std::fmt;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Prose: Markdown, and plain text, which is Markdown without marks.
    Markdown,
    Word,
    Sheet,
    /// Any other UTF-8 file: source code, tables of values, settings.
    Text,
}

const KINDS: [Kind; 4] = [Kind::Markdown, Kind::Word, Kind::Sheet, Kind::Text];

impl Kind {
    /// By the name of the file; what is in it is checked when it is opened.
    pub fn of(path: &Path) -> Kind {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            None | Some("md" | "markdown" | "mdown" | "mkd" | "mkdn" | "mdx" | "txt" | "text") => {
                Kind::Markdown
            }
            // The older and the binary forms are refused by the engine that knows what to use instead.
            Some("docx" | "docm" | "dotx" | "dotm" | "doc") => Kind::Word,
            Some("xlsx" | "xlsm" | "xltx" | "xltm" | "xls" | "xlsb") => Kind::Sheet,
            Some(_) => Kind::Text,
        }
    }

    pub(crate) fn named(name: &str) -> Option<Kind> {
        KINDS.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether documents of this kind are packages that Office programs lock while they have them open.
    pub(crate) fn is_office(self) -> bool {
        match self {
            Kind::Word | Kind::Sheet => true,
            Kind::Markdown | Kind::Text => false,
        }
    }

    /// The file that a new document begins with, if one can begin with nothing.
    pub(crate) fn empty(self) -> Option<Vec<u8>> {
        match self {
            Kind::Markdown | Kind::Text => Some(Vec::new()),
            Kind::Sheet => sheet::new_workbook(&["Sheet1"]).ok(),
            Kind::Word => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Markdown => "Markdown",
            Kind::Word => "Word",
            Kind::Sheet => "Excel",
            Kind::Text => "text",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
