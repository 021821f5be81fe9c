//! A page as text.

use edit::Cut;

use crate::document::paragraph::Side;
use crate::document::props::{RunProps, Toggle};
use crate::text::read::Page;

const IMPORTS: &str = "more text is in files or web pages that Word imports when it opens the document (altChunk); it is not shown";

/// The page in rows of five columns.
///
/// Lines that start with `#` are about the rows: tables and cells before what stands in them, notes,
/// warnings and where to go on behind all rows.
pub fn toon(page: &Page) -> String {
    let mut out = String::from("#SCHEMA id | list_label | header | style | text\n");
    let mut cell = None;
    let mut story = page.nodes.first().map_or("body", |_| "body");
    for node in &page.nodes {
        if node.story != story {
            out += &format!("#STORY {}\n", node.story);
            story = &node.story;
        }
        if node.cell != cell {
            match node.cell {
                Some(grid) => {
                    if cell.is_none_or(|before: crate::document::tables::Grid| before.table != grid.table) {
                        let facts = page.tables.iter().find(|facts| facts.id == grid.table);
                        let size = facts
                            .map_or_else(String::new, |facts| format!(" {}x{}", facts.rows, facts.columns));
                        out += &format!("#TABLE {}{size}\n", grid.table);
                    }
                    out += &format!("#CELL r{}c{}\n", grid.row, grid.column);
                }
                None => out += "#END TABLE\n",
            }
            cell = node.cell;
        }
        let columns = [&node.list_label, &node.header, &node.style, &node.text].map(|column| escape(column));
        out += &format!("{} | {}\n", node.id, columns.join(" | "));
    }
    for note in &page.notes {
        let author =
            note.author.as_deref().map_or_else(String::new, |author| format!(" {}:", escape(author)));
        let id = note.id.map_or_else(String::new, |id| format!(" {id}"));
        out += &format!("#NOTE {}{id}{author} {}\n", note.mark, escape(&note.text));
    }
    for node in page.nodes.iter().filter(|node| !node.warnings.is_empty()) {
        let warnings: Vec<&str> = node.warnings.iter().map(|warning| warning.as_str()).collect();
        out += &format!("#WARNING {} has {}\n", node.id, warnings.join(", "));
    }
    if page.imports {
        out += &format!("#WARNING {IMPORTS}\n");
    }
    if page.tracked_changes && page.side != Side::Redline {
        out += "#NOTE tracked changes present; read with view=redline to see both sides\n";
    }
    let beside = |story: &str| story.starts_with("header") || story.starts_with("footer");
    let beside = page.other_stories.iter().filter(|facts| page.is_last && beside(&facts.story)).count();
    if beside > 0 {
        out += &format!("#NOTE not shown: headers and footers ({beside}); read with all_stories\n");
    }
    if page.nodes.is_empty() && page.total_paragraphs > 0 {
        out += &format!("#NOTE nothing here; total_paragraphs={}\n", page.total_paragraphs);
    }
    if let Some(next) = page.next_offset {
        out += &format!("#MORE next_offset={next} total_paragraphs={}\n", page.total_paragraphs);
    }
    out
}

/// The page as plain lines, each with its id.
pub fn simple(page: &Page) -> String {
    let mut out = String::new();
    for node in &page.nodes {
        let header = if node.opening.is_empty() { String::new() } else { format!("{} ", node.opening) };
        let label = if node.list_label.is_empty() { String::new() } else { format!("{} ", node.list_label) };
        out += &format!("[{}] {label}{}\n", node.id, one_line(&(header + &node.text)));
    }
    for note in &page.notes {
        out += &format!("{}: {}\n", note.mark, note.text.replace('\n', " "));
    }
    if page.imports {
        out += &format!("({IMPORTS})\n");
    }
    if let Some(next) = page.next_offset {
        out += &format!("(more from {next} of {})\n", page.total_paragraphs);
    }
    out
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\u{C}', '\u{E}'], " ")
}

/// Columns are told apart by bars and rows by line ends, so neither may stand inside one.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '|' => out.push_str("\\|"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\u{C}' => out.push_str("\\f"),
            '\u{E}' => out.push_str("\\v"),
            character => out.push(character),
        }
    }
    out
}

/// The text that a row writes so; none if it has nothing that rows escape.
pub(crate) fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut found) = (text, false);
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let stands_for = match behind.chars().next() {
            Some(character @ ('\\' | '|')) => Some(character),
            Some('t') => Some('\t'),
            Some('n' | 'r') => Some('\n'),
            Some('f') => Some('\u{C}'),
            Some('v') => Some('\u{E}'),
            _ => None,
        };
        out.push(stands_for.unwrap_or('\\'));
        found |= stands_for.is_some();
        rest = behind.left(usize::from(stands_for.is_some()));
    }
    out.push_str(rest);
    found.then_some(out)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Change {
    #[default]
    None,
    Inserted,
    Deleted,
}

impl Change {
    pub(super) fn mark(self, text: &str) -> String {
        format!("{}{text}{}", opening(self), closing(self))
    }
}

/// The tags for what a run has beyond its paragraph.
pub(super) fn tags(base: &RunProps, run: &RunProps) -> Vec<String> {
    let mut tags = Vec::new();
    let mut add = |tag: &str, has: bool, had: bool| {
        if has && !had {
            tags.push(tag.to_owned());
        }
    };
    add("b", run.is(Toggle::Bold), base.is(Toggle::Bold));
    add("i", run.is(Toggle::Italic), base.is(Toggle::Italic));
    add("u", run.is_underlined(), base.is_underlined());
    add("s", run.is(Toggle::Strike), base.is(Toggle::Strike));
    let raised = |run: &RunProps, how: &str| run.vertical.as_deref() == Some(how);
    add("sup", raised(run, "superscript"), raised(base, "superscript"));
    add("sub", raised(run, "subscript"), raised(base, "subscript"));
    if let Some(color) = run.highlight.as_deref().filter(|color| *color != "none") {
        tags.push(if color == "yellow" {
            "highlight".to_owned()
        } else {
            format!("highlight color=\"{color}\"")
        });
    }
    tags
}

/// Text that is shown among tags: what would be read as one of them is marked as literal.
pub(super) fn literal(text: &str) -> String {
    const NAMES: [&str; 14] = [
        "b",
        "strong",
        "i",
        "em",
        "u",
        "s",
        "strike",
        "sup",
        "sub",
        "highlight",
        "highlighting",
        "definition",
        "header",
        "runinheader",
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let inner = from.left(1);
        let name = inner.strip_prefix('/').unwrap_or(inner);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = name.part(..end).to_ascii_lowercase();
        if NAMES.contains(&name.as_str()) {
            out.push('\\');
        }
        out.push('<');
        rest = inner;
    }
    out.push_str(rest);
    out
}

/// Joins stretches of text, opening and closing as little as it can.
#[derive(Debug, Default)]
pub(super) struct Tagged {
    out: String,
    open: Vec<String>,
    change: Change,
}

impl Tagged {
    pub(super) fn push(&mut self, text: &str, change: Change, tags: Vec<String>) {
        if change != self.change {
            self.close(0);
            self.out.push_str(closing(self.change));
            self.out.push_str(opening(change));
            self.change = change;
        }
        let shared = self.open.iter().zip(&tags).take_while(|(open, wanted)| open == wanted).count();
        self.close(shared);
        for tag in tags.into_iter().skip(shared) {
            self.out += &format!("<{tag}>");
            self.open.push(tag);
        }
        self.out.push_str(text);
    }

    fn close(&mut self, keep: usize) {
        while self.open.len() > keep {
            if let Some(tag) = self.open.pop() {
                let name = tag.split(' ').next().unwrap_or(&tag);
                self.out += &format!("</{name}>");
            }
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.close(0);
        self.out.push_str(closing(self.change));
        self.out
    }
}

fn opening(change: Change) -> &'static str {
    match change {
        Change::None => "",
        Change::Inserted => "{+",
        Change::Deleted => "[-",
    }
}

fn closing(change: Change) -> &'static str {
    match change {
        Change::None => "",
        Change::Inserted => "+}",
        Change::Deleted => "-]",
    }
}
