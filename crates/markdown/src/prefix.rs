//! What stands before the text on each line inside a quote or a list item.
//!
//! A line that is added inside a container must carry the container's prefix, or it leaves the container.

use crate::block::Kind;
use crate::list::{Marker, column, marker};
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
    let mut around: Vec<Node<'_>> = node.ancestors().filter(|around| prefixes(around.kind())).collect();
    if around.is_empty() {
        // Up to three blanks before a block are its own business.
        return Prefix::default();
    }
    // The markers on this line become the blanks that go on behind them: a check box and the label of a footnote take
    // no room on the lines below.
    around.retain(|around| around.range().start >= line);
    around.reverse();
    let (mut text, mut at) = (String::new(), line);
    for container in around {
        let from = container.range().start;
        if from < at {
            continue;
        }
        text.push_str(&continued(&view.slice(at..from)));
        at = from;
        match container.kind() {
            Kind::Item(_) => {
                if let Some(marker) = marker(&container) {
                    text = content_of(text, &marker);
                    at = marker.range.end.min(start);
                }
            }
            Kind::Footnote => {
                let label = view.slice(from..start);
                let end = label.find("]:").map_or(0, |end| end + 2);
                text.push_str("    ");
                at = start.min(from + end + blanks(&label[end..]));
            }
            _ => {}
        }
    }
    text.push_str(&continued(&view.slice(at..start)));
    Prefix { text }
}

/// What stands before the content of an item whose marker stands behind `before`, in tabs where the marker has them.
fn content_of(before: String, marker: &Marker) -> String {
    let start = column(0, &before);
    let end = start + marker.width();
    if marker.tabbed && end.is_multiple_of(4) {
        let tabs = end / 4 - start / 4;
        return before + &"\t".repeat(tabs);
    }
    before + &" ".repeat(marker.width())
}

fn blanks(text: &str) -> usize {
    text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The prefix for blocks inside a container.
pub(crate) fn inside(node: &Node<'_>) -> Prefix {
    match node.children().next() {
        Some(child) if !matches!(child.kind(), Kind::Item(_)) => of(&child),
        _ => {
            let outer = of(node);
            if let Some(marker) = marker(node) {
                return Prefix::of_width(node, &marker);
            }
            let more = match node.kind() {
                Kind::Quote => "> ".to_owned(),
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
        self.split(line).0
    }

    /// The same, with the columns by which a tab reaches over the end of the prefix.
    pub(crate) fn split<'l>(&self, line: &'l str) -> (&'l str, usize) {
        let mut rest = line;
        let (mut have, mut want) = (0, 0);
        for c in self.text.chars() {
            if c == '>' {
                let Some(behind) = rest.strip_prefix('>') else { break };
                (rest, have, want) = (behind, have + 1, want + 1);
                continue;
            }
            want = column(want, c.encode_utf8(&mut [0; 4]));
            // Blanks may be missing: lazy lines, blank lines, `>` without one.
            while have < want
                && let Some(behind) = rest.strip_prefix([' ', '\t'])
            {
                have = column(have, &rest[..1]);
                rest = behind;
            }
        }
        (rest, have.saturating_sub(want))
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
    pub(crate) fn of_width(item: &Node<'_>, marker: &Marker) -> Self {
        let view = item.view();
        let start = item.range().start;
        let before = view.slice(view.line_start(start)..start);
        Self { text: content_of(continued(&before), marker) }
    }

    pub(crate) fn of_text(text: String) -> Self {
        Self { text }
    }
}
