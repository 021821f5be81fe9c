//! The inside of code blocks.

use std::ops::Range;

use crate::block::{CodeStyle, Kind};
use crate::view::Node;

/// The parts of a fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence {
    /// Backticks or tildes, as opened.
    pub(crate) fence: String,
    /// What follows them on the line.
    pub(crate) info: Range<usize>,
    /// The lines between the fences, with the prefix of what is around them.
    pub(crate) body: Range<usize>,
    pub(crate) closed: bool,
}

pub(crate) fn fence(node: &Node<'_>) -> Option<Fence> {
    if node.kind() != Kind::Code(CodeStyle::Fenced) {
        return None;
    }
    let range = node.range();
    let source = node.source();
    let first = source.split(['\n', '\r']).next().unwrap_or(&source);
    let mark = first.chars().next()?;
    let run = first.chars().take_while(|c| *c == mark).count();
    let info = &first[run..];
    let info_start = range.start + run + (info.len() - info.trim_start().len());
    let info = info_start..info_start + info.trim().len();
    let view = node.view();
    let body_start = view.next_line(range.start).min(range.end);
    let last = view.line_start(range.end);
    let closing = view.slice(last..range.end);
    let bare = closing.trim_start_matches([' ', '\t', '>']);
    let closed = last > range.start && bare.len() >= run && bare.trim_end().chars().all(|c| c == mark);
    let body_end = if closed { last.max(body_start) } else { range.end.max(body_start) };
    Some(Fence { fence: first[..run].to_owned(), info, body: body_start..body_end, closed })
}

/// The first word of the info string.
pub fn language(node: &Node<'_>) -> Option<String> {
    let fence = fence(node)?;
    let info = node.view().slice(fence.info);
    info.split_whitespace().next().map(str::to_owned)
}

/// The code without fences, indentation and the prefix of what is around it.
pub(crate) fn body(node: &Node<'_>) -> String {
    let view = node.view();
    let prefix = crate::prefix::of(node);
    let (range, indent) = match fence(node) {
        // What the fence is indented by, its lines are too, as far as they have it.
        Some(fence) => (fence.body, indent_of(node, &prefix)),
        None => (view.line_start(node.range().start)..node.range().end, 4),
    };
    let source = view.slice(range);
    let mut text = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let line = prefix.strip(line);
        let blanks = line.bytes().take(indent).take_while(|byte| *byte == b' ').count();
        let tab = indent == 4 && blanks < 4 && line.as_bytes().get(blanks) == Some(&b'\t');
        text.push_str(&line[blanks + usize::from(tab)..]);
    }
    text.truncate(text.trim_end_matches(['\n', '\r']).len());
    text
}

fn indent_of(node: &Node<'_>, prefix: &crate::prefix::Prefix) -> usize {
    let view = node.view();
    let start = node.range().start;
    let before = view.slice(view.line_start(start)..start);
    let indent = prefix.strip(&before);
    if indent.bytes().all(|byte| byte == b' ') { indent.len().min(3) } else { 0 }
}
