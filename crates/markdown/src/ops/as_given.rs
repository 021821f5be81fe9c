//! Whether blocks that were put in are there what they are by themselves.
//!
//! A list that is put behind a list becomes part of it, indented code behind an item a paragraph of that item. What can be
//! written otherwise is: lists are kept apart, indented code gets fences. What cannot is refused.

use std::ops::Range;

use edit::{Gravity, Patch, Refusal};

use super::{Asked, Draft, line_excerpt, node::fenced};
use crate::PART;
use crate::block::{CodeStyle, Kind};
use crate::format::preview;
use crate::prefix::lines;
use crate::shape::{APART, Shape, keeps_apart};
use crate::view::{Node, View};
use edit::Blob;

/// Refuse if something that was put in is not what it was given as.
pub(crate) fn checked(view: &View, draft: &Draft, after: &View, patch: &Patch) -> Result<(), Refusal> {
    for asked in &draft.asked {
        let Some((range, _)) = draft.splices.get(asked.splice) else { continue };
        let Some(found) = astray(draft, asked, after, patch)? else { continue };
        let above = view.node_at(range.start.saturating_sub(1)).and_then(|node| node.chain().last());
        let near = above.map_or_else(String::new, |node| format!(" (the {} before it)", node.kind().name()));
        return Err(Refusal::Unsafe {
            why: format!(
                "`{}` would not be the blocks that it is by itself: it would {found}{near}",
                line_excerpt(asked.content.trim(), 60)
            ),
            instead: Some("close what stands before it, or insert it elsewhere".to_owned()),
        });
    }
    Ok(())
}

/// The first way to write `content` in which it is there as it is given; as it is given, if there is none.
pub(super) fn fitting(
    view: &View,
    content: &str,
    write: impl Fn(&str) -> Result<Draft, Refusal>,
) -> Result<Draft, Refusal> {
    let plain = write(content)?;
    if fits(view, &plain)? {
        return Ok(plain);
    }
    // Fences come first: a comment that keeps indented code out of an item would say less.
    let mut bodies: Vec<String> = fenced_start(content)?.into_iter().collect();
    bodies.push(content.to_owned());
    let bare = without_indent(content);
    if bare != content {
        bodies.push(bare);
    }
    for body in bodies {
        let before = format!("{APART}\n\n{body}");
        let after = format!("{body}\n\n{APART}");
        let both = format!("{before}\n\n{APART}");
        for written in [body.as_str(), before.as_str(), after.as_str(), both.as_str()] {
            let draft = write(written)?;
            if fits(view, &draft)? {
                return Ok(draft);
            }
        }
    }
    Ok(plain)
}

fn fits(view: &View, draft: &Draft) -> Result<bool, Refusal> {
    let patch = draft.patch()?;
    let after = preview(view, &patch)?;
    for asked in &draft.asked {
        if astray(draft, asked, &after, &patch)?.is_some() {
            return Ok(false);
        }
    }
    Ok(crate::safety::check(view, &after, &patch).is_ok() && !super::lists_apart::joins(view, &after, &patch))
}

/// What became of the blocks that were asked for, if they are not there.
fn astray(draft: &Draft, asked: &Asked, after: &View, patch: &Patch) -> Result<Option<String>, Refusal> {
    let Some((range, with)) = draft.splices.get(asked.splice) else { return Ok(None) };
    let start = patch.map(PART, range.start, Gravity::Left);
    let written = start..start + with.len();
    let wanted = Shape::alone(&asked.content)?;
    let there = inside(after, &written);
    let found: Vec<Shape> = there.iter().filter(|node| !keeps_apart(node)).map(Shape::of).collect();
    if found == wanted {
        return Ok(None);
    }
    let reads = there.first().map_or("text", |node| node.kind().name());
    Ok(Some(match there.first().and_then(Node::parent) {
        Some(around) => format!("become a {reads} in a {}", around.kind().name()),
        None => format!("become a {reads}"),
    }))
}

/// The outermost blocks that lie in a range.
fn inside<'a>(view: &'a View, range: &Range<usize>) -> Vec<Node<'a>> {
    let holds = |node: &Node<'_>| range.start <= node.range().start && node.range().end <= range.end;
    let outermost = |node: &Node<'_>| holds(node) && node.parent().is_none_or(|parent| !holds(&parent));
    view.blocks_in(range.clone()).filter(outermost).collect()
}

/// Markdown that begins with indented code, with fences around that.
fn fenced_start(content: &str) -> Result<Option<String>, Refusal> {
    let view = View::new(Blob::from(content))?;
    let Some(first) = view.top().next().filter(|node| node.kind() == Kind::Code(CodeStyle::Indented)) else {
        return Ok(None);
    };
    let code = fenced("```", "", &lines(&crate::code::body(&first)).collect::<Vec<_>>().join("\n"));
    Ok(Some(format!("{code}{}", view.slice(first.range().end..view.len()))))
}

/// Up to three blanks before a block are its own business, but not behind a list.
fn without_indent(content: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = lines(content).filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or(0);
    if !(1..4).contains(&least) {
        return content.to_owned();
    }
    lines(content)
        .map(|line| line.split_at_checked(least).map_or("", |(_, text)| text))
        .collect::<Vec<_>>()
        .join("\n")
}
