//! List items: their content, their order, their depth.

use std::ops::Range;

use edit::{Blob, Refusal};

use crate::block::Kind;
use crate::list::{Marker, marker};
use crate::prefix::{self, Prefix, lines};
use crate::view::{Node, View};

type Splice = (Range<usize>, String);

/// New text for an item. Lists inside it stay.
pub(super) fn item_content(item: &Node<'_>, content: &str) -> Result<Splice, Refusal> {
    let view = item.view();
    let marker = item_marker(item)?;
    let content = without_marker(content)?;
    let own = item.children().take_while(|child| !matches!(child.kind(), Kind::List(_)));
    let own: Vec<Node<'_>> = own.collect();
    let joined = Prefix::of_width(item, &marker).join(&content, view.eol());
    Ok(match (own.first(), own.last()) {
        (Some(first), Some(last)) => (first.range().start..last.range().end, joined),
        _ => {
            let at = marker.range.end;
            let apart = view.slice(marker.range.clone()).ends_with([' ', '\t']);
            (at..at, if apart { joined } else { format!(" {joined}") })
        }
    })
}

/// A new item behind another, in the style of that one.
pub(super) fn item_behind(item: &Node<'_>, content: &str) -> Result<Splice, Refusal> {
    let view = item.view();
    let marker = item_marker(item)?;
    let checked = match Checked::of(content)? {
        Some(checked) => Some(checked),
        None => marker.check.as_ref().map(|_| false),
    };
    let content = without_marker(content)?;
    let bullet = marker.bullet.next();
    let written = write_item(item, &bullet.text(), checked, &content, view.eol());
    let at = view.line_end(item.range().end);
    let gap = gap(item);
    Ok((at..at, format!("{gap}{written}")))
}

/// The line endings between two items of the list: a blank line in a loose list.
fn gap(item: &Node<'_>) -> String {
    let view = item.view();
    let prefix = prefix::of(item);
    let loose = match (item.previous(), item.next()) {
        (_, Some(next)) => Some(view.next_line(item.range().end) < view.line_start(next.range().start)),
        (Some(previous), None) => {
            Some(view.next_line(previous.range().end) < view.line_start(item.range().start))
        }
        _ => None,
    };
    let eol = view.eol();
    match loose {
        Some(true) => format!("{eol}{}{eol}", prefix.blank()),
        _ => eol.to_owned(),
    }
}

/// An item with the indentation of `like`.
fn write_item(like: &Node<'_>, bullet: &str, checked: Option<bool>, content: &str, eol: &str) -> String {
    let view = like.view();
    let start = like.range().start;
    let before = view.slice(view.line_start(start)..start);
    let outer: String = before.chars().map(|c| if matches!(c, '>' | '\t') { c } else { ' ' }).collect();
    let check = match checked {
        Some(true) => "[x] ",
        Some(false) => "[ ] ",
        None => "",
    };
    let inner = format!("{outer}{}", " ".repeat(bullet.len() + 1));
    let body = Prefix::of_text(inner).join(content, eol);
    format!("{outer}{bullet} {check}{body}")
}

pub(super) fn item_marker(item: &Node<'_>) -> Result<Marker, Refusal> {
    marker(item).ok_or_else(|| Refusal::internal("a list item without a marker"))
}

struct Checked;

impl Checked {
    fn of(content: &str) -> Result<Option<bool>, Refusal> {
        let view = View::new(Blob::from(content))?;
        let item = view.top().next().and_then(|list| list.children().next());
        Ok(match item.map(|item| item.kind()) {
            Some(Kind::Item(checked)) => checked,
            _ => None,
        })
    }
}

/// The content of an item that may have been given with its marker.
pub(super) fn without_marker(content: &str) -> Result<String, Refusal> {
    let content = content.trim_matches(['\n', '\r']);
    let view = View::new(Blob::from(content))?;
    let Some(list) = view.top().next().filter(|node| matches!(node.kind(), Kind::List(_))) else {
        return Ok(content.to_owned());
    };
    let mut items = list.children();
    let (Some(item), None, 1) = (items.next(), items.next(), view.top().count()) else {
        return Err(Refusal::invalid("content", "several items", "the content of one item"));
    };
    let marker = item_marker(&item)?;
    let width = Prefix::blanks(marker.width() + item.range().start);
    let text = view.slice(marker.range.end..view.len());
    let stripped: Vec<&str> = lines(&text)
        .enumerate()
        .map(|(index, line)| if index == 0 { line } else { width.strip(line) })
        .collect();
    Ok(stripped.join("\n"))
}
