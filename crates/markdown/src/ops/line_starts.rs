//! Text that comes to stand at the start of a line, and must not become a mark there.
//!
//! `Total - net` without its first word is a list, and `2. Intro` in the place of an underlined title too. What was text
//! stays text: the mark is escaped. Whoever puts in Markdown of his own at the start of a paragraph gets the block that
//! he wrote.

use edit::{Blob, Gravity, Patch, Refusal};

use super::node::Snippet;
use super::{Draft, line_excerpt};
use crate::PART;
use crate::block::{HeadingStyle, Kind};
use crate::format::preview;
use crate::prefix::{self, lines};
use crate::safety::alike;
use crate::view::{Node, View};

/// Where a backslash makes text of a line that would be read as a mark.
pub(super) fn mark_of(line: &str) -> Option<usize> {
    let text = line.trim_start_matches([' ', '\t']);
    let at = line.len() - text.len();
    let first = text.chars().next()?;
    let blank_behind = |length: usize| {
        text.get(length..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
    };
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let row_of = |sign: char, least: usize| bare.len() >= least && bare.chars().all(|c| c == sign);
    let dashes = bare.contains('-') && bare.chars().all(|c| matches!(c, '-' | ':' | '|'));
    let marks = match first {
        '-' | '+' | '*' => blank_behind(1) || row_of(first, 1) || dashes,
        '_' => row_of('_', 3),
        '=' => row_of('=', 1),
        '#' => blank_behind(text.bytes().take_while(|byte| *byte == b'#').count()),
        '>' | '<' => true,
        '`' | '~' => text.chars().take_while(|c| *c == first).count() >= 3,
        '|' => dashes,
        ':' => dashes || blank_behind(1),
        '[' => text.contains("]:"),
        _ => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let closed = text.get(digits..).is_some_and(|rest| rest.starts_with(['.', ')']));
            return ((1..10).contains(&digits) && closed && blank_behind(digits + 1)).then_some(at + digits);
        }
    };
    marks.then_some(at)
}

/// Text in which no line is the mark of a block; blank lines may part it.
pub(super) fn as_paragraphs(text: &str) -> Result<String, Refusal> {
    if is_text(text)? {
        return Ok(text.to_owned());
    }
    let bare: Vec<&str> = lines(text).map(|line| line.trim_start_matches([' ', '\t'])).collect();
    let escaped: Vec<String> = bare.iter().map(|line| escaped(line)).collect();
    // Where only the first line is a mark, the others stay as they are.
    let mut first: Vec<&str> = bare.clone();
    if let (Some(slot), Some(line)) = (first.first_mut(), escaped.first()) {
        *slot = line;
    }
    let first = first.join("\n");
    Ok(if is_text(&first)? { first } else { escaped.join("\n") })
}

pub(super) fn escaped(line: &str) -> String {
    match mark_of(line).and_then(|at| line.split_at_checked(at)) {
        Some((before, mark)) => format!("{before}\\{mark}"),
        None => line.to_owned(),
    }
}

fn is_text(text: &str) -> Result<bool, Refusal> {
    let view = View::new(Blob::from(format!("\n{text}")))?;
    let all = view.top().all(|node| matches!(node.kind(), Kind::Paragraph | Kind::Image | Kind::Math));
    Ok(all && (view.top().next().is_some() || text.trim().is_empty()))
}

/// The draft with marks escaped that nobody meant, or a refusal where a block would become another.
pub(super) fn kept(view: &View, mut draft: Draft, words: Words) -> Result<Draft, Refusal> {
    let patch = draft.patch()?;
    let after = preview(view, &patch)?;
    let changed = others(view, &draft, words, &patch, &after)?;
    if changed.is_empty() {
        unbroken(view, &draft, &patch, &after)?;
        return Ok(draft);
    }
    for index in changed {
        let Some((range, with)) = draft.splices.get(index).cloned() else { continue };
        let Some(node) = view.node_at(range.start) else { continue };
        if let Some(whole) = emptied(&node, &range, &with) {
            draft.splices[index] = whole;
            continue;
        }
        if node.kind() == Kind::Html {
            continue;
        }
        let line = text_start(&node, range.start);
        if !view.slice(line..range.start.max(line)).trim().is_empty() {
            continue;
        }
        let behind = match with.contains(['\n', '\r']) {
            true => String::new(),
            false => view.slice(range.end..view.line_end(range.end)).into_owned(),
        };
        let first = lines(&with).next().unwrap_or("").len();
        let Some(at) = mark_of(&format!("{}{behind}", &with[..first])) else { continue };
        if at <= first {
            draft.splices[index].1.insert(at, '\\');
        } else {
            let place = range.end + at - first;
            draft.splices.push((place..place, "\\".to_owned()));
        }
    }
    let patch = draft.patch()?;
    let after = preview(view, &patch)?;
    let changed = others(view, &draft, words, &patch, &after)?;
    match changed.first().and_then(|index| draft.splices.get(*index)) {
        None => {
            unbroken(view, &draft, &patch, &after)?;
            Ok(draft)
        }
        Some((range, with)) => {
            let was = view.node_at(range.start).map_or("block", |node| node.kind().name());
            Err(Refusal::Unsafe {
                why: format!(
                    "the {was} on line {} would become another block with `{}`",
                    view.line_column(range.start).line,
                    line_excerpt(with, 60)
                ),
                instead: Some("update the block by its id with the Markdown that it should have".to_owned()),
            })
        }
    }
}

/// Whose the new text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// Words for words.
    Words,
    /// Markdown, which may begin a block.
    Markdown,
}

/// The splices after which the block they are in is another one than it was.
fn others(
    view: &View,
    draft: &Draft,
    words: Words,
    patch: &Patch,
    after: &View,
) -> Result<Vec<usize>, Refusal> {
    let offsets = patch.offsets(PART);
    let mut found = Vec::new();
    for (index, (range, with)) in draft.splices.iter().enumerate() {
        let Some(node) = view.node_at(range.start) else { continue };
        let whole = node.range();
        let kind = node.kind();
        let text = matches!(kind, Kind::Paragraph | Kind::Image | Kind::Math | Kind::Heading { .. });
        // An HTML tag that is broken in its middle would be text.
        let tag = kind == Kind::Html && range.start > whole.start;
        if !(text || tag) || range.end > whole.end || range.start < whole.start {
            continue;
        }
        let marks_too =
            range.start == whole.start && matches!(kind, Kind::Heading { style: HeadingStyle::Atx, .. });
        let left = offsets.map(whole.start, Gravity::Left)..offsets.map(whole.end, Gravity::Right);
        let setext = matches!(kind, Kind::Heading { style: HeadingStyle::Setext, .. });
        if marks_too || after.slice(left).trim().is_empty() || *view.slice(range.clone()) == **with {
            continue;
        }
        if words == Words::Markdown && !setext && !tag && begins_block(with)? {
            continue;
        }
        let start = offsets.map(whole.start, Gravity::Left);
        let now = after.node_at(start);
        if !now.is_some_and(|now| alike(&node, &now) && now.range().start <= start + 1) {
            found.push(index);
        }
    }
    Ok(found)
}

/// Whether Markdown by itself begins with another block than text, or is nothing but indentation.
fn begins_block(with: &str) -> Result<bool, Refusal> {
    if with.trim().is_empty() {
        return Ok(!with.is_empty());
    }
    let snippet = Snippet::new(&format!("\n{with}"))?;
    Ok(snippet.first.is_none_or(|kind| !matches!(kind, Kind::Paragraph | Kind::Image | Kind::Math)))
}

/// An underlined title that loses all its text is an empty heading of its level.
fn emptied(
    node: &Node<'_>,
    range: &std::ops::Range<usize>,
    with: &str,
) -> Option<(std::ops::Range<usize>, String)> {
    let Kind::Heading { style: HeadingStyle::Setext, level } = node.kind() else { return None };
    let view = node.view();
    let underline = view.line_start(node.range().end);
    let left = view.slice(node.range().start..range.start).into_owned()
        + with
        + &view.slice(range.end..underline.max(range.end));
    left.trim().is_empty().then(|| (node.range(), "#".repeat(usize::from(level))))
}

/// Where the text of the line that holds `at` begins.
fn text_start(node: &Node<'_>, at: usize) -> usize {
    let view = node.view();
    let line = view.line_start(at);
    if line <= node.range().start {
        return node.range().start;
    }
    let source = view.slice(line..view.line_end(line));
    let rest = prefix::of(node).strip(&source).trim_start_matches([' ', '\t']).len();
    line + source.len() - rest
}

/// Refuse a fence or a comment that the new text opens and nothing closes, and marks behind a check box.
fn unbroken(view: &View, draft: &Draft, patch: &Patch, after: &View) -> Result<(), Refusal> {
    for (range, with) in &draft.splices {
        let start = patch.map(PART, range.start, Gravity::Left);
        let Some(now) = after.node_at(start) else { continue };
        let was = view.node_at(range.start);
        super::list::fits_task_as_it_stands(was.as_ref(), &now)?;
        let source = now.source();
        let open = match now.kind() {
            Kind::Code(_) => crate::code::fence(&now).is_some_and(|fence| !fence.closed),
            Kind::Html => source.starts_with("<!--") && !source.contains("-->"),
            _ => false,
        };
        let before = was.is_some_and(|was| was.kind() == now.kind());
        if open && !before && !with.is_empty() {
            return Err(Refusal::Unsafe {
                why: format!("`{}` opens what nothing closes", line_excerpt(&source, 60)),
                instead: Some("put in both ends at once, or insert the block by itself".to_owned()),
            });
        }
    }
    Ok(())
}
