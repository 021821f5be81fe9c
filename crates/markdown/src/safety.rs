//! What an edit must not do: change what it does not speak of.
//!
//! One stray fence turns the rest of a document into code. After each splice the blocks whose lines it did
//! not touch must still be what they were, in the containers they were in.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Patch, Refusal};

use crate::PART;
use crate::block::Kind;
use crate::view::{Node, View};

pub(crate) fn check(before: &View, after: &View, patch: &Patch) -> Result<(), Refusal> {
    let splices = patch.splices(PART);
    if splices.is_empty() {
        return Ok(());
    }
    front_matter(before, after, splices)?;
    // Chunks that both views share need no look; only the neighbourhood was parsed again.
    let (old, new) = (before.fresh_range(after), after.fresh_range(before));
    let now: BTreeMap<usize, Node<'_>> =
        after.leaves_in(new).map(|node| (node.range().start, node)).collect();
    let offsets = patch.offsets(PART);
    let mut index = 0;
    for node in before.leaves_in(old) {
        let range = node.range();
        let lines = before.line_start(range.start)..before.line_end(range.end);
        while splices.get(index).is_some_and(|splice| splice.range.end < lines.start) {
            index += 1;
        }
        if touched(before, splices, index, &lines) {
            continue;
        }
        let Some(carried) = offsets.carry(range.clone()) else { continue };
        let same = now.get(&carried.start).is_some_and(|found| alike(&node, found));
        if same && let Some(found) = now.get(&carried.start) {
            says_the_same(&node, found)?;
        }
        if !same {
            let place = before.line_column(range.start);
            let was = node.kind().name();
            let what = crate::ops::line_excerpt(&node.source(), 60);
            let becomes = match now.range(..=carried.start).next_back() {
                Some((_, found)) if found.range().end >= carried.start => found.kind().name(),
                _ => "nothing",
            };
            return Err(Refusal::Unsafe {
                why: format!(
                    "the {was} on line {} (`{what}`), which the edit does not touch, would become part of another block ({becomes})",
                    place.line
                ),
                instead: Some(
                    "close fences and HTML tags in the new text, and leave blank lines around blocks"
                        .to_owned(),
                ),
            });
        }
    }
    Ok(())
}

/// What is code by its indentation may lose or get some with the lines before it.
fn says_the_same(was: &Node<'_>, is: &Node<'_>) -> Result<(), Refusal> {
    if !matches!(was.kind(), Kind::Code(_)) || crate::code::body(was) == crate::code::body(is) {
        return Ok(());
    }
    Err(Refusal::Unsafe {
        why: format!(
            "the code on line {}, which the edit does not touch, would be indented otherwise",
            was.view().line_column(was.range().start).line
        ),
        instead: Some("insert at the start of a line".to_owned()),
    })
}

/// Front matter is what programs read before anything else; it stays first, or goes as a whole.
fn front_matter(before: &View, after: &View, splices: &[edit::Splice]) -> Result<(), Refusal> {
    let first = |view: &View| view.top().next().map(|node| (node.kind(), node.range()));
    let Some((Kind::FrontMatter, range)) = first(before) else { return Ok(()) };
    let goes = |splice: &edit::Splice| splice.range.start <= range.start && range.end <= splice.range.end;
    let stays = first(after).is_some_and(|(kind, _)| kind == Kind::FrontMatter);
    if stays || splices.iter().any(goes) {
        return Ok(());
    }
    Err(Refusal::Unsafe {
        why: "the front matter would no longer be the first thing in the document, and become text"
            .to_owned(),
        instead: Some("insert behind it, or set it by its id meta-0".to_owned()),
    })
}

/// Whether a splice reaches a line of the block.
fn touched(before: &View, splices: &[edit::Splice], from: usize, lines: &Range<usize>) -> bool {
    for splice in &splices[from..] {
        if splice.range.start > lines.end {
            return false;
        }
        if splice.range.end < lines.start {
            continue;
        }
        if splice.range.end == lines.start {
            // Whole lines put before the block, or taken away before it, leave its line alone.
            let with = &splice.with;
            let whole = if with.is_empty() {
                before.line_start(splice.range.start) == splice.range.start
            } else {
                matches!(with.slice(with.len() - 1..with.len()).first(), Some(b'\n' | b'\r'))
            };
            if whole {
                continue;
            }
            return true;
        }
        if splice.range.start == lines.end {
            // Behind the last character of the block: a new line there is not the block's.
            let with = &splice.with;
            let whole = if with.is_empty() {
                before.line_end(splice.range.end) == splice.range.end
            } else {
                matches!(with.slice(0..1).first(), Some(b'\n' | b'\r'))
            };
            if whole {
                continue;
            }
        }
        return true;
    }
    false
}

/// The same kind of block inside the same kinds of containers. Whether a list is ordered or has check boxes
/// may change with one of its items.
pub(crate) fn alike(one: &Node<'_>, other: &Node<'_>) -> bool {
    let kinds = |node: &Node<'_>| -> Vec<&'static str> {
        node.chain()
            .map(|node| match node.kind() {
                Kind::List(_) => "list",
                Kind::Image | Kind::Math => "paragraph",
                Kind::TableHead => "tableRow",
                kind => kind.name(),
            })
            .collect()
    };
    one.kind().level() == other.kind().level() && kinds(one) == kinds(other)
}
