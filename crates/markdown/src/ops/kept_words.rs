//! Which words of a stretch of text a new text changes.
//!
//! A replacement that keeps a bold word, or a link, in its middle must leave the mark with that word.

use std::ops::Range;

use edit::Cut;

use super::cjk::is_cjk;
use crate::inline::{Leaf, PieceKind};

/// Words that are compared; a longer text is replaced as a whole.
const MOST_WORDS: usize = 5_000;

/// A word, a blank or a sign, and where it stands in the source.
struct Word {
    shown: String,
    range: Range<usize>,
}

/// The ranges of the source that become other text when `range` becomes `with`, in order.
pub(super) fn changes(leaf: &Leaf<'_>, range: &Range<usize>, with: &str) -> Vec<(Range<usize>, String)> {
    let whole = || vec![(range.clone(), with.to_owned())];
    let old = words_of(leaf, range);
    let new = split(with);
    if with.contains(['\n', '\r']) || old.len() > MOST_WORDS || new.len() > MOST_WORDS {
        return whole();
    }
    let shown: Vec<&str> = old.iter().map(|word| &*word.shown).collect();
    let hunks = united(edit::diff_pieces(&shown, &new), &shown);
    let kept = |from: usize, to: usize| shown.get(from..to).is_some_and(|words| words.iter().any(is_word));
    let (first, last) = (hunks.first(), hunks.last());
    let any_kept = first.is_some_and(|(before, _)| kept(0, before.start))
        || last.is_some_and(|(before, _)| kept(before.end, old.len()))
        || hunks.len() > 1;
    if !any_kept {
        return whole();
    }
    let text = |words: Range<usize>| new.part(words).concat();
    hunks
        .into_iter()
        .map(|(before, after)| {
            let place = match (old.get(before.start), before.end.checked_sub(1).and_then(|at| old.get(at))) {
                (Some(first), Some(last)) if !before.is_empty() => first.range.start..last.range.end,
                (behind, above) => gap(leaf, range, above, behind),
            };
            (place, text(after))
        })
        .collect()
}

/// Changes with nothing but blanks and signs between them are one.
fn united(hunks: Vec<(Range<usize>, Range<usize>)>, old: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut united: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (before, after) in hunks {
        match united.last_mut() {
            Some((was, is))
                if !old.get(was.end..before.start).is_some_and(|words| words.iter().any(is_word)) =>
            {
                (was.end, is.end) = (before.end, after.end);
            }
            _ => united.push((before, after)),
        }
    }
    united
}

fn is_word(text: &&str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Where text goes that stands between two words: where there are fewer marks around it.
fn gap(leaf: &Leaf<'_>, range: &Range<usize>, above: Option<&Word>, behind: Option<&Word>) -> Range<usize> {
    let depth =
        |at: usize| leaf.spans.iter().filter(|span| span.inner.start <= at && at <= span.inner.end).count();
    // At the end of the whole, marks that began in it are closed first.
    let outside = |at: usize| {
        let closed = leaf.spans.iter().filter(|span| span.inner.end == at && span.outer.start >= range.start);
        closed.map(|span| span.outer.end).max().unwrap_or(at)
    };
    let after = above.map(|word| word.range.end);
    let before = behind.map(|word| word.range.start);
    let at = match (after, before) {
        (Some(after), Some(before)) if depth(after) < depth(before) => after,
        (_, Some(before)) => before,
        (Some(after), None) => outside(after),
        (None, None) => range.start,
    };
    at..at
}

fn words_of(leaf: &Leaf<'_>, range: &Range<usize>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for piece in leaf.pieces.iter() {
        let breaks = piece.kind == PieceKind::SoftBreak;
        for (at, c) in leaf.shown(piece).char_indices() {
            let place = match piece.shown {
                Some(_) => piece.range.clone(),
                None => piece.range.start + at..piece.range.start + at + c.len_utf8(),
            };
            if place.start < range.start || place.end > range.end {
                continue;
            }
            let c = if breaks && c == '\n' { ' ' } else { c };
            let joins = joins(c);
            match words.last_mut() {
                Some(word) if open && joins => {
                    word.shown.push(c);
                    word.range.end = place.end;
                }
                _ => words.push(Word { shown: c.to_string(), range: place }),
            }
            open = joins;
        }
    }
    words
}

/// Characters that make a word with their neighbours; the others stand alone.
fn joins(c: char) -> bool {
    (c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')) && !is_cjk(c)
}

fn split(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let previous = text.get(start..at).and_then(|piece| piece.chars().next_back());
        if at > start && !(joins(c) && previous.is_some_and(joins)) {
            pieces.extend(text.get(start..at));
            start = at;
        }
    }
    if start < text.len() {
        pieces.extend(text.get(start..));
    }
    pieces
}
