//! What stands before the text on each line inside a quote or a list item.
//!
//! A line that is added inside a container must carry the container's prefix, or it leaves the container.

use crate::block::Kind;
use crate::view::Node;

/// The prefix of the lines of a block, its first line aside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prefix {
    text: String,
}

/// The prefix that continues the blocks around `node`.
pub(crate) fn of(node: &Node<'_>) -> Prefix {
    let view = node.view();
    let start = node.range().start;
    let line = view.line_start(start);
    let before = view.slice(line..start);
    let contained = node.ancestors().any(|around| prefixes(around.kind()));
    if !contained {
        // Up to three blanks before a block are its own business.
        return Prefix::default();
    }
    Prefix { text: continued(&before) }
}

/// The prefix for blocks inside a container.
pub(crate) fn inside(node: &Node<'_>) -> Prefix {
    match node.children().next() {
        Some(child) if !matches!(child.kind(), Kind::Item(_)) => of(&child),
        _ => {
            let outer = of(node);
            let marker = crate::list::marker(node).map_or(0, |marker| marker.width());
            let more = match node.kind() {
                Kind::Quote => "> ".to_owned(),
                Kind::Item(_) => " ".repeat(marker),
                Kind::Footnote | Kind::Definition => "    ".to_owned(),
                _ => String::new(),
            };
            Prefix { text: outer.text + &more }
        }
    }
}

fn prefixes(kind: Kind) -> bool {
    matches!(kind, Kind::Quote | Kind::Item(_) | Kind::Footnote | Kind::Definition)
}

/// Markers of items become blanks; those of quotes are repeated on each line.
fn continued(before: &str) -> String {
    before.chars().map(|c| if matches!(c, '>' | '\t') { c } else { ' ' }).collect()
}

impl Prefix {
    pub(crate) fn quote() -> Self {
        Self { text: "> ".to_owned() }
    }

    pub(crate) fn blanks(count: usize) -> Self {
        Self { text: " ".repeat(count) }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The prefix of a blank line.
    pub(crate) fn blank(&self) -> &str {
        self.text.trim_end()
    }

    /// A line of the container without the prefix, as far as it has it.
    pub(crate) fn strip<'l>(&self, line: &'l str) -> &'l str {
        let mut rest = line;
        for want in self.text.chars() {
            let next = rest.chars().next();
            match next {
                Some(c) if c == want || (want == ' ' && c == '\t') => rest = &rest[c.len_utf8()..],
                // Blanks may be missing: lazy lines, blank lines, `>` without one.
                _ if want == ' ' => {}
                _ => break,
            }
        }
        rest
    }

    /// Lines of `text` joined for this container with the document's line ending; the first line has no
    /// prefix, because it starts where something already stands.
    pub(crate) fn join(&self, text: &str, eol: &str) -> String {
        let mut joined = String::with_capacity(text.len());
        for (index, line) in lines(text).enumerate() {
            if index > 0 {
                joined.push_str(eol);
                joined.push_str(if line.is_empty() { self.blank() } else { &self.text });
            }
            joined.push_str(line);
        }
        joined
    }
}

/// Lines without their endings, whatever these are. Text that ends with one has an empty last line.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let current = rest?;
        match memchr::memchr2(b'\n', b'\r', current.as_bytes()) {
            None => {
                rest = None;
                Some(current)
            }
            Some(at) => {
                let ending = if current[at..].starts_with("\r\n") { 2 } else { 1 };
                rest = Some(&current[at + ending..]);
                Some(&current[..at])
            }
        }
    })
}

impl Prefix {
    /// The prefix of the content of an item.
    pub(crate) fn of_width(item: &Node<'_>, marker: &crate::list::Marker) -> Self {
        let view = item.view();
        let start = item.range().start;
        let before = view.slice(view.line_start(start)..start);
        Self { text: continued(&before) + &" ".repeat(marker.width()) }
    }

    pub(crate) fn of_text(text: String) -> Self {
        Self { text }
    }
}
