//! What callers ask of a document beside its text: where they are, what is there, what they may have meant.

use edit::OrEmpty;

use std::ops::Range;

use crate::block::{Kind, ListKind, NodeId, Prefix};
use crate::inline::{LinkStyle, Mark, SpanKind};
use crate::ops::find::find;
use crate::view::{Node, View};
use crate::vocabulary::Case;

/// The place of a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorPlace {
    pub before: String,
    pub after: String,
    pub current_line: String,
    /// The source of the block that holds the cursor; empty between blocks.
    pub current_paragraph: String,
    pub block: Option<PlaceBlock>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceBlock {
    pub kind: Kind,
    pub id: Option<NodeId>,
    pub language: Option<String>,
    pub in_list: Option<ListKind>,
    pub in_quote: bool,
    pub in_table: bool,
    pub start: usize,
}

pub fn place(view: &View, byte: usize, lines_before: usize, lines_after: usize) -> CursorPlace {
    let byte = view.floor(byte.min(view.len()));
    let (line, end) = (view.line_start(byte), view.line_end(byte));
    let mut first = line;
    for _ in 0..lines_before {
        if first == 0 {
            break;
        }
        let above = first - 1;
        let crlf = above > 0 && &*view.slice(above - 1..first) == "\r\n";
        first = view.line_start(above - usize::from(crlf));
    }
    let mut last = view.next_line(end);
    let after_start = last;
    for _ in 0..lines_after {
        last = view.next_line(last);
    }
    let node = view.node_at(byte);
    // Inside a table the cell is too small a block to speak of.
    let block = node.map(|node| {
        let table = node.chain().find(|node| node.kind() == Kind::Table);
        let shown = table.unwrap_or(node);
        let list = node.chain().find_map(|node| match node.kind() {
            Kind::List(kind) => Some(kind),
            _ => None,
        });
        PlaceBlock {
            kind: shown.kind(),
            id: shown.id(),
            language: crate::code::language(&shown),
            in_list: list,
            in_quote: node.chain().any(|node| node.kind() == Kind::Quote),
            in_table: table.is_some(),
            start: shown.range().start,
        }
    });
    let paragraph = node.map(|node| node.chain().find(|node| node.id().is_some()).unwrap_or(node));
    CursorPlace {
        before: trimmed(&view.slice(first..line)),
        after: trimmed(&view.slice(after_start..last)),
        current_line: view.slice(line..end).into_owned(),
        current_paragraph: paragraph.map(|node| node.source().into_owned()).or_empty(),
        block,
    }
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches(['\n', '\r']).to_owned()
}

/// A heading in the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub id: NodeId,
    pub level: u8,
    pub title: String,
    pub range: Range<usize>,
}

pub fn outline(view: &View) -> Vec<Heading> {
    view.nodes()
        .filter_map(|(id, node)| {
            let level = node.kind().level()?;
            Some(Heading { id: id?, level, title: title(&node), range: node.range() })
        })
        .collect()
}

/// What a reader sees of a heading: its attributes, `{#start}`, are for programs.
pub(crate) fn title(heading: &Node<'_>) -> String {
    let mut title = heading.plain();
    if let Some(at) = crate::ops::node::attributes(&title) {
        title.truncate(title.get(..at).map_or(at, |text| text.trim_end().len()));
    }
    title
}

/// Words as a reader counts them: runs of letters and digits, and each ideograph.
pub fn words(text: &str) -> usize {
    let mut count = 0;
    let mut inside = false;
    for c in text.chars() {
        let ideograph = matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0x20000..=0x3134F);
        let part = c.is_alphanumeric() || inside && matches!(c, '\'' | '’' | '-' | '_');
        count += usize::from(ideograph || part && !inside);
        inside = part && !ideograph;
    }
    count
}

/// What a caller looks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// A kind by the name it has at the doors.
    pub kind: Option<String>,
    pub level: Option<u8>,
    pub contains: Option<String>,
    pub marks: Vec<Mark>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub id: NodeId,
    pub kind: Kind,
    pub range: Range<usize>,
    pub text: String,
    /// 1 for the very text, 0.9 for its start, 0.7 for text in it.
    pub score: f64,
    pub why: &'static str,
}

/// Blocks that fit, best first, in document order among equals.
pub fn candidates(view: &View, query: &Query) -> Vec<Candidate> {
    let wanted = query.contains.as_deref().map(str::to_lowercase);
    let mut found: Vec<Candidate> = Vec::new();
    for (id, node) in view.nodes() {
        let Some(id) = id else { continue };
        let kind_fits = query.kind.as_deref().is_none_or(|kind| is_kind(&node, kind));
        let level_fits = query.level.is_none_or(|level| node.kind().level() == Some(level));
        if !kind_fits || !level_fits || !has_marks(&node, &query.marks) {
            continue;
        }
        // A list holds the text of its items; the item is what is meant, unless lists were asked for.
        if wanted.is_some() && query.kind.is_none() && node.kind().is_container() {
            continue;
        }
        let text = node.plain();
        let (score, why) = match &wanted {
            None => (1.0, "kind"),
            Some(wanted) => {
                let text = text.to_lowercase();
                let text = text.trim();
                if text == wanted.trim() {
                    (1.0, "exact")
                } else if text.starts_with(wanted.trim()) {
                    (0.9, "prefix")
                } else if text.contains(wanted.trim()) {
                    (0.7, "contains")
                } else {
                    continue;
                }
            }
        };
        found.push(Candidate { id, kind: node.kind(), range: node.range(), text, score, why });
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Whether a block is of the kind a caller names; families count, and so do the prefixes of ids.
pub fn is_kind(node: &Node<'_>, name: &str) -> bool {
    let kind = node.kind();
    if kind.name().eq_ignore_ascii_case(name) || kind.prefix().map(Prefix::as_str) == Some(name) {
        return true;
    }
    match name.to_ascii_lowercase().as_str() {
        "list" => matches!(kind, Kind::List(_)),
        "code" | "code_block" => matches!(kind, Kind::Code(_)),
        "quote" => kind == Kind::Quote,
        "rule" | "hr" | "horizontal_rule" => kind == Kind::Rule,
        "item" | "list_item" | "taskitem" => matches!(kind, Kind::Item(_)),
        "math" => kind == Kind::Math,
        _ => false,
    }
}

/// The names of all kinds that have ids.
pub const KINDS: [&str; 18] = [
    "frontMatter",
    "heading",
    "paragraph",
    "codeBlock",
    "mathBlock",
    "image",
    "blockquote",
    "bulletList",
    "orderedList",
    "taskList",
    "listItem",
    "table",
    "horizontalRule",
    "html",
    "footnote",
    "definitionList",
    "definitionTerm",
    "definition",
];

/// Whether [`is_kind`] can be true of a block for this name.
pub fn knows_kind(name: &str) -> bool {
    const FAMILIES: [&str; 11] = [
        "list",
        "code",
        "code_block",
        "quote",
        "rule",
        "horizontal_rule",
        "item",
        "list_item",
        "taskitem",
        "math",
        "hr",
    ];
    KINDS.iter().any(|known| known.eq_ignore_ascii_case(name))
        || FAMILIES.contains(&name.to_ascii_lowercase().as_str())
        || Prefix::named(name).is_some()
}

fn has_marks(node: &Node<'_>, marks: &[Mark]) -> bool {
    if marks.is_empty() {
        return true;
    }
    let Some(leaf) = node.leaf() else { return false };
    marks.iter().all(|mark| leaf.spans.iter().any(|span| span.kind == SpanKind::Mark(*mark)))
}

/// What a target of one word or phrase stands for: an id, a heading, or text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    pub range: Range<usize>,
    pub kind: Option<Kind>,
    pub id: Option<NodeId>,
}

pub fn resolve(view: &View, target: &str) -> Option<Resolved> {
    if let Ok(id) = target.parse::<NodeId>() {
        let node = view.node(id).ok()?;
        return Some(Resolved { range: node.range(), kind: Some(node.kind()), id: Some(id) });
    }
    if let Some(id) = heading_called(view, target) {
        let node = view.node(id).ok()?;
        return Some(Resolved { range: node.range(), kind: Some(node.kind()), id: Some(id) });
    }
    let found = find(view, target, Case::Sensitive);
    let found =
        found.into_iter().next().or_else(|| find(view, target, Case::Insensitive).into_iter().next())?;
    let node = view.node_at(found.range.start).and_then(|node| node.chain().find(|node| node.id().is_some()));
    Some(Resolved {
        range: found.range,
        kind: node.map(|node| node.kind()),
        id: node.and_then(|node| node.id()),
    })
}

/// The heading with this title: the very text first, then without regard to case.
pub fn heading_called(view: &View, title: &str) -> Option<NodeId> {
    let title = title.trim().trim_start_matches('#').trim();
    if title.is_empty() {
        return None;
    }
    let outline = outline(view);
    let exact = outline.iter().find(|heading| heading.title.trim() == title);
    let loose = || outline.iter().find(|heading| heading.title.trim().to_lowercase() == title.to_lowercase());
    exact.or_else(loose).map(|heading| heading.id)
}

/// What a place stands in, if marks that are put there would not be read as marks.
pub fn no_markup_at(view: &View, at: usize) -> Option<&'static str> {
    let node = view.node_at(at)?;
    match node.kind() {
        Kind::FrontMatter => return Some("front matter"),
        Kind::Code(_) => return Some("a code block"),
        Kind::Html => return Some("HTML"),
        Kind::Rule => return Some("a rule"),
        _ => {}
    }
    let leaf = node.leaf()?;
    let around = leaf.spans.iter().filter(|span| span.outer.start < at && at < span.outer.end);
    around
        .filter_map(|span| {
            let inside = span.inner.start <= at && at <= span.inner.end;
            match &span.kind {
                SpanKind::Mark(Mark::Code) => Some("code"),
                SpanKind::Math => Some("a formula"),
                SpanKind::Html => Some("an HTML tag"),
                SpanKind::FootnoteReference => Some("the mark of a footnote"),
                SpanKind::Mark(_) => (!inside).then_some("the marks of formatted text"),
                SpanKind::Link { style: LinkStyle::Auto, .. } => Some("an address"),
                SpanKind::WikiLink { .. } | SpanKind::Link { .. } => Some("a link"),
                SpanKind::Image { .. } => Some("a picture"),
            }
        })
        .next()
}
