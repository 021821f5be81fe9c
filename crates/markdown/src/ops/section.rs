//! Sections: a heading and what follows it up to the next heading of its level or above.

use std::ops::Range;

use edit::Refusal;

use super::node::{self, Snippet};
use super::{Draft, line_excerpt};
use crate::block::{Kind, NodeId, Prefix as IdPrefix};
use crate::prefix;
use crate::view::{Node, View};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub heading: NodeId,
    pub level: u8,
    /// As a reader sees it.
    pub title: String,
    /// From the heading to the end of the last block.
    pub range: Range<usize>,
}

/// All sections in document order.
pub fn sections(view: &View) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // Headings at the top level close what is open; those in quotes and lists are found one by one.
    let mut open: Vec<usize> = Vec::new();
    let mut last_end = 0;
    for (id, node) in view.nodes() {
        let top = node.parent().is_none();
        if let (Some(heading), Kind::Heading { level, .. }) = (id, node.kind()) {
            if top {
                while let Some(index) = open.pop_if(|index| sections[*index].level >= level) {
                    sections[index].range.end = last_end;
                }
                open.push(sections.len());
            }
            let range = if top { node.range() } else { node.range().start..blocks(&node).1.range().end };
            sections.push(Section { heading, level, title: crate::read::title(&node), range });
        }
        if top {
            last_end = node.range().end;
        }
    }
    for index in open {
        sections[index].range.end = last_end;
    }
    sections
}

pub fn section(view: &View, heading: NodeId) -> Result<Section, Refusal> {
    let node = heading_node(view, heading)?;
    let (_, last) = blocks(&node);
    let level = node.kind().level().unwrap_or(1);
    Ok(Section {
        heading,
        level,
        title: crate::read::title(&node),
        range: node.range().start..last.range().end,
    })
}

fn heading_node(view: &View, heading: NodeId) -> Result<Node<'_>, Refusal> {
    if heading.prefix != IdPrefix::Heading {
        return Err(Refusal::invalid("nodeId", format!("`{heading}`"), "the id of a heading, such as h-0"));
    }
    view.node(heading)
}

/// The first block of the body, if there is one, and the last block of the section.
fn blocks<'a>(heading: &Node<'a>) -> (Option<Node<'a>>, Node<'a>) {
    let level = heading.kind().level().unwrap_or(1);
    let inside = |node: &Node<'_>| node.kind().level().is_none_or(|other| other > level);
    let first = heading.next().filter(inside);
    let mut last = *heading;
    while let Some(next) = last.next().filter(inside) {
        last = next;
    }
    (first, last)
}

pub(super) fn update(view: &View, heading: NodeId, content: &str) -> Result<Draft, Refusal> {
    let node = heading_node(view, heading)?;
    let level = node.kind().level().unwrap_or(1);
    let (first, last) = blocks(&node);
    let content = content.trim_matches(['\n', '\r']);
    let draft = Draft::new(format!("Update section \"{}\"", line_excerpt(&node.plain(), 40)));
    let with_heading = Snippet::new(content)?.first.and_then(Kind::level) == Some(level);
    let prefix = prefix::of(&node);
    let notes = notes_at_end(&node, last);
    // Notes that the new content does not define itself stay where they are.
    let stays = notes.as_ref().filter(|_| !content.trim().is_empty()).map(|first| -> Option<Node<'_>> {
        let text = view.slice(first.range().start..last.range().end).into_owned();
        let kept = with_notes(content, &text);
        (kept.ends_with(text.trim_end()) && !with_heading).then(|| first.previous()).flatten()
    });
    let (last, content, first) = match (stays.flatten(), &notes) {
        (Some(last), _) if last.same(&node) => (last, content.to_owned(), None),
        (Some(last), _) => (last, content.to_owned(), first),
        (None, Some(note)) if !content.trim().is_empty() => {
            (last, with_notes(content, &view.slice(note.range().start..last.range().end)), first)
        }
        _ => (last, content.to_owned(), first),
    };
    let content = content.as_str();
    let instead_of = |range: std::ops::Range<usize>| {
        super::as_given::fitting(view, content, |content| {
            Ok(draft.clone().asking((range.clone(), prefix.join(content, view.eol())), content))
        })
    };
    if with_heading {
        return instead_of(node::whole_start(&node)..last.range().end);
    }
    match first {
        Some(first) if content.trim().is_empty() => {
            let last = notes.map_or(Some(last), |note| note.previous());
            match last.filter(|last| last.range().start >= first.range().start) {
                Some(last) => {
                    let (range, with) = node::removal(&first, &last);
                    Ok(draft.splice(range, with))
                }
                None => Ok(draft),
            }
        }
        Some(first) => instead_of(node::whole_start(&first)..last.range().end),
        None if content.trim().is_empty() => Ok(draft),
        None => node::behind(draft, &node, content),
    }
}

/// The first of the notes that a section ends with. At the end of a page they are those of all its sections.
fn notes_at_end<'a>(heading: &Node<'a>, last: Node<'a>) -> Option<Node<'a>> {
    let mut first = None;
    let mut at = Some(last);
    while let Some(block) = at.filter(|block| block.kind() == Kind::Footnote && !block.same(heading)) {
        first = Some(block);
        at = block.previous();
    }
    first
}

/// New content, and the notes behind it that it does not define itself.
fn with_notes(content: &str, notes: &str) -> String {
    let defined = |line: &str| {
        line.strip_prefix("[^").and_then(|rest| rest.split_once("]:")).map(|(label, _)| label.to_owned())
    };
    let given: Vec<String> = content.lines().filter_map(defined).collect();
    let mut keep = true;
    let rest: Vec<&str> = notes
        .lines()
        .filter(|line| {
            if let Some(label) = defined(line) {
                keep = !given.contains(&label);
            }
            keep
        })
        .collect();
    format!("{content}\n\n{}", rest.join("\n")).trim_end().to_owned()
}

pub(super) fn insert(
    view: &View,
    after: NodeId,
    level: u8,
    title: &str,
    content: &str,
) -> Result<Draft, Refusal> {
    if !(1..=6).contains(&level) {
        return Err(Refusal::invalid("level", level, "1 to 6"));
    }
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return Err(Refusal::invalid("title", "nothing", "the text of a heading"));
    }
    let target = view.node(after)?;
    let last = end_of(&target);
    let draft = Draft::new(format!("Insert section \"{}\"", line_excerpt(&title, 40))).guard(target.range());
    let hashes = "#".repeat(usize::from(level));
    let title = node::unclosed_hashes(&title);
    let content = content.trim_matches(['\n', '\r']);
    let text = if content.trim().is_empty() {
        format!("{hashes} {title}")
    } else {
        format!("{hashes} {title}\n\n{content}")
    };
    node::behind(draft, &last, &text)
}

/// The last block of the section of a heading; any other block stands for itself, or for the block at the
/// top level around it.
fn end_of<'a>(target: &Node<'a>) -> Node<'a> {
    match target.kind() {
        Kind::Heading { .. } => blocks(target).1,
        _ => target.chain().last().unwrap_or(*target),
    }
}

pub(super) fn move_after(view: &View, heading: NodeId, after: NodeId) -> Result<Draft, Refusal> {
    let node = heading_node(view, heading)?;
    let (_, last) = blocks(&node);
    let target = view.node(after)?;
    let range = node.range().start..last.range().end;
    if range.start <= target.range().start && target.range().end <= range.end {
        return Err(Refusal::Unsafe {
            why: "a section cannot be moved behind a part of itself".to_owned(),
            instead: Some("name a block outside the section".to_owned()),
        });
    }
    let draft = Draft::new(format!("Move section \"{}\"", line_excerpt(&node.plain(), 40)));
    let end = end_of(&target);
    if end.same(&last) || end.next().is_some_and(|next| next.same(&node)) {
        // It stands there already.
        return Ok(draft);
    }
    node::move_blocks(draft, &node, &last, &end)
}
