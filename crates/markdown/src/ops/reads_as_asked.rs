//! Whether a replacement reads as it was asked for.
//!
//! What a reader sees of each block must be what he saw, with the new text in the place of the old. A mark that a
//! replacement cuts in two would show as text, and a link that loses its label would be words.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Blob, Gravity, Refusal};

use super::find::Shown;
use super::{Draft, line_excerpt};
use crate::PART;
use crate::format::preview;
use crate::inline::{Leaf, SpanKind};
use crate::view::{Node, View};

pub(super) fn checked(view: &View, draft: Draft, with: &str) -> Result<Draft, Refusal> {
    // New lines are blocks of their own, which is looked at elsewhere.
    if draft.chosen.is_empty() || with.contains(['\n', '\r']) {
        return Ok(draft);
    }
    let mut blocks: BTreeMap<usize, (Node<'_>, Vec<Range<usize>>)> = BTreeMap::new();
    for range in &draft.chosen {
        if let Some(node) = view.node_at(range.start).filter(|node| range.end <= node.range().end) {
            blocks.entry(node.range().start).or_insert_with(|| (node, Vec::new())).1.push(range.clone());
        }
    }
    let patch = draft.patch()?;
    let (offsets, after) = (patch.offsets(PART), preview(view, &patch)?);
    let new = plain(with)?;
    for (start, (node, ranges)) in blocks {
        let Some(leaf) = node.leaf() else { continue };
        let now = after.node_at(offsets.map(start, Gravity::Left)).filter(|now| now.leaf().is_some());
        let Some(now) = now.as_ref().and_then(Node::leaf) else { continue };
        // Who replaces the marks of a heading too writes marks in their place.
        let first = leaf.pieces.first().map_or(start, |piece| piece.range.start);
        let marks = ranges.first().is_some_and(|range| range.start < first) && node.kind().level().is_some();
        let new = if marks { heading(with)?.unwrap_or_else(|| new.clone()) } else { new.clone() };
        let reads = same_words(&expected(&leaf, &ranges, &new), &now.plain());
        if !reads || links(&now) + gone(&leaf, &ranges) < links(&leaf) {
            return Err(Refusal::Unsafe {
                why: format!(
                    "replacing this on line {} would break the marks or the link it stands in: it would read `{}`",
                    view.line_column(start).line,
                    line_excerpt(&now.plain(), 80)
                ),
                instead: Some(
                    "replace words that are marked alike, or update the block with the Markdown that it should have"
                        .to_owned(),
                ),
            });
        }
    }
    Ok(draft)
}

/// What a reader sees of new text by itself.
fn plain(with: &str) -> Result<String, Refusal> {
    let view = View::new(Blob::from(with.trim()))?;
    let mut blocks = view.top();
    let only = blocks.next().filter(|_| blocks.next().is_none());
    Ok(match only.and_then(|node| node.leaf().map(|leaf| leaf.plain())) {
        Some(plain) if only.is_some_and(|node| node.kind() == crate::block::Kind::Paragraph) => plain,
        _ => with.trim().to_owned(),
    })
}

/// What a reader sees of a heading by itself.
fn heading(with: &str) -> Result<Option<String>, Refusal> {
    let view = View::new(Blob::from(with.trim()))?;
    let first = view.top().next().filter(|node| node.kind().level().is_some());
    Ok(first.map(|node| node.plain()))
}

/// What was seen, with the new text in the place of what was replaced.
fn expected(leaf: &Leaf<'_>, ranges: &[Range<usize>], new: &str) -> String {
    let mut text = String::new();
    let mut written: Option<usize> = None;
    for (c, place, _) in &Shown::new(leaf).chars {
        let index = ranges.partition_point(|range| range.end <= place.start);
        match ranges.get(index).filter(|range| range.start < place.end) {
            Some(_) if written == Some(index) => {}
            Some(_) => {
                written = Some(index);
                text.push_str(new);
            }
            None => text.push(*c),
        }
    }
    text
}

/// Blanks do not count: a line may be broken elsewhere, and a mark takes none at its ends.
fn same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    words(one) == words(other)
}

fn links(leaf: &Leaf<'_>) -> usize {
    leaf.spans.iter().filter(|span| is_link(&span.kind)).count()
}

fn is_link(kind: &SpanKind) -> bool {
    matches!(kind, SpanKind::Link { .. } | SpanKind::Image { .. } | SpanKind::WikiLink { .. })
}

/// Links that were replaced with all their text.
fn gone(leaf: &Leaf<'_>, ranges: &[Range<usize>]) -> usize {
    let covered = |inner: &Range<usize>| {
        ranges.iter().any(|range| range.start <= inner.start && inner.end <= range.end)
    };
    leaf.spans.iter().filter(|span| is_link(&span.kind) && covered(&span.inner)).count()
}
