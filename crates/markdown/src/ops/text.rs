//! Text put in, taken out or replaced at a place.

use std::ops::Range;

use edit::Refusal;

use super::{Draft, line_excerpt};
use crate::PART;
use crate::format::preview;
use crate::inline::SpanKind;
use crate::prefix::{self, Prefix};
use crate::safety;
use crate::view::View;

pub(super) fn write(view: &View, content: &str) -> Result<Draft, Refusal> {
    if !view.slice(0..view.len()).trim().is_empty() {
        return Err(Refusal::Unsafe {
            why: "the document is not empty".to_owned(),
            instead: Some("use document_insert_at_cursor or selection_replace".to_owned()),
        });
    }
    Ok(Draft::new("Write the document").splice(0..view.len(), content))
}

pub(super) fn replace(
    view: &View,
    range: &Range<usize>,
    expected: Option<&str>,
    with: &str,
) -> Result<Draft, Refusal> {
    let range = valid(view, range)?;
    if let Some(expected) = expected {
        expect(view, &range, expected)?;
    }
    let original = view.slice(range.clone());
    let summary = match (original.is_empty(), with.is_empty()) {
        (true, _) => format!("Insert \"{}\"", line_excerpt(with, 40)),
        (false, true) => format!("Delete \"{}\"", line_excerpt(&original, 40)),
        _ => format!("Replace \"{}\" with \"{}\"", line_excerpt(&original, 40), line_excerpt(with, 40)),
    };
    let range = with_its_marks(view, range, with);
    let draft =
        |with: &str| Draft::new(summary.clone()).splice(range.clone(), localise(view, range.start, with));
    let plain = draft(with);
    if !with.contains(['\n', '\r']) || stays_apart(view, &plain)? {
        return Ok(plain);
    }
    // A blank line behind what is put in keeps the lines below it out of its last list or quote.
    let apart = draft(&format!("{with}\n"));
    Ok(if stays_apart(view, &apart)? { apart } else { plain })
}

/// A mark that would be left without text goes with its text.
fn with_its_marks(view: &View, range: Range<usize>, with: &str) -> Range<usize> {
    let leaf = view.node_at(range.start).filter(|node| range.end <= node.range().end);
    let Some(leaf) = leaf.and_then(|node| node.leaf()).filter(|_| with.is_empty() && !range.is_empty())
    else {
        return range;
    };
    let mut wide = range;
    // Inner spans come behind outer ones.
    for span in leaf.spans.iter().rev() {
        let marks =
            matches!(span.kind, SpanKind::Mark(_) | SpanKind::Link { .. } | SpanKind::WikiLink { .. });
        let all = !span.inner.is_empty() && wide.start <= span.inner.start && span.inner.end <= wide.end;
        if marks && all {
            wide = wide.start.min(span.outer.start)..wide.end.max(span.outer.end);
        }
    }
    wide
}

/// Whether what stands below a place in its block, or begins at it, stays in the block it is in.
fn stays_apart(view: &View, draft: &Draft) -> Result<bool, Refusal> {
    let patch = draft.patch()?;
    let after = preview(view, &patch)?;
    if safety::check(view, &after, &patch).is_err() {
        return Ok(false);
    }
    for (range, _) in &draft.splices {
        let Some(node) = view.node_at(range.end) else { continue };
        let below = view.next_line(range.end);
        let tail = view.slice(range.end..view.line_end(range.end));
        if node.leaf().is_none() || below >= node.range().end || !tail.trim().is_empty() {
            continue;
        }
        let stands = |view: &View, at: usize| -> Option<Vec<&'static str>> {
            Some(view.node_at(view.line_end(at))?.ancestors().map(|around| around.kind().name()).collect())
        };
        if stands(view, below) != stands(&after, patch.map(PART, below, edit::Gravity::Right)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A range inside the document that cuts neither a character nor a line ending in two.
pub(super) fn valid(view: &View, range: &Range<usize>) -> Result<Range<usize>, Refusal> {
    let inside = range.start <= range.end
        && range.end <= view.len()
        && view.is_char_boundary(range.start)
        && view.is_char_boundary(range.end);
    if !inside {
        let found = format!("{}..{}", range.start, range.end);
        return Err(Refusal::invalid("range", found, format!("a range in 0..{}", view.len())));
    }
    let splits = |at: usize| at > 0 && &*view.slice(at - 1..at + 1) == "\r\n";
    match (splits(range.start), splits(range.end)) {
        (false, false) => Ok(range.clone()),
        (true, true) if range.is_empty() => Ok(range.start - 1..range.start - 1),
        (start, end) => Ok(range.start - usize::from(start)..range.end + usize::from(end)),
    }
}

pub(super) fn expect(view: &View, range: &Range<usize>, expected: &str) -> Result<(), Refusal> {
    let found = view.slice(range.clone());
    if range.start <= range.end && range.end <= view.len() && *found == *expected {
        return Ok(());
    }
    Err(Refusal::Unsafe {
        why: format!("it expects `{}` and found `{}`", line_excerpt(expected, 60), line_excerpt(&found, 60)),
        instead: Some("read the document again and repeat the edit".to_owned()),
    })
}

/// Text as it has to be written at a place: with the document's line endings, and with the prefix of the
/// list or quote around it on each further line.
pub(super) fn localise(view: &View, at: usize, text: &str) -> String {
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    let prefix = match view.node_at(at) {
        Some(node) => {
            let around = if node.kind().is_container() { prefix::inside(&node) } else { prefix::of(&node) };
            // At the very start of a line the text stands before the prefix, and brings its own.
            if at == view.line_start(at) { Prefix::default() } else { around }
        }
        None => Prefix::default(),
    };
    let has = |line: &str| line.trim().is_empty() || line.starts_with(prefix.as_str());
    if prefix::lines(text).skip(1).all(has) {
        return Prefix::default().join(text, view.eol());
    }
    prefix.join(text, view.eol())
}
