//! Text replaced where its neighbourhood says.
//!
//! The text itself must match exactly; which occurrence is meant is decided by how much of what stands
//! before and behind it is like the context given. When that does not decide, nothing is changed.

use edit::Refusal;

use super::find::{context, find, replacement};
use super::{Draft, line_excerpt};
use crate::view::View;
use crate::vocabulary::{Case, Match};

/// Below this the neighbourhood is another one.
const LIKE: f64 = 0.6;
/// The best must be ahead of the second by this much.
const AHEAD: f64 = 0.1;
/// Context beyond this many characters says nothing more, and comparing costs its square.
const FAR: usize = 240;

pub(super) fn replace(
    view: &View,
    text: &str,
    before: &str,
    after: &str,
    with: &str,
) -> Result<Draft, Refusal> {
    if text.is_empty() {
        return Err(Refusal::invalid("anchor.text", "nothing", "the text to replace"));
    }
    let matches = find(view, text, Case::Sensitive);
    let chosen = choose(view, text, &matches, before, after)?;
    let mut draft =
        Draft::new(format!("Replace \"{}\" with \"{}\"", line_excerpt(text, 40), line_excerpt(with, 40)));
    draft.splices = replacement(view, chosen, with);
    draft.replaced = 1;
    draft.chosen = vec![chosen.range.clone()];
    draft.matches = vec![chosen.clone()];
    Ok(draft)
}

fn choose<'m>(
    view: &View,
    text: &str,
    matches: &'m [Match],
    before: &str,
    after: &str,
) -> Result<&'m Match, Refusal> {
    let ambiguous = |matches: &[&Match]| Refusal::Ambiguous {
        text: line_excerpt(text, 60),
        count: matches.len(),
        within: "the document".to_owned(),
        contexts: matches.iter().take(20).map(|found| context(view, &found.range)).collect(),
    };
    if before.is_empty() && after.is_empty() {
        return match matches {
            [] => Err(Refusal::not_found("text", line_excerpt(text, 60))),
            [only] => Ok(only),
            many => Err(ambiguous(&many.iter().collect::<Vec<_>>())),
        };
    }
    let mut scored: Vec<(f64, &Match)> =
        matches.iter().map(|found| (likeness(view, found, before, after), found)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let nearest = |scored: &[(f64, &Match)]| {
        scored.iter().take(3).map(|(_, found)| context(view, &found.range)).collect::<Vec<_>>()
    };
    match scored.as_slice() {
        [] => Err(Refusal::not_found("text", line_excerpt(text, 60))),
        [(best, _), ..] if *best < LIKE => Err(Refusal::NotFound {
            what: "text in that context",
            id: line_excerpt(text, 60),
            nearest: nearest(&scored),
        }),
        [(best, found), rest @ ..] => {
            let close: Vec<&Match> =
                rest.iter().filter(|(score, _)| best - score < AHEAD).map(|(_, found)| *found).collect();
            if close.is_empty() {
                return Ok(found);
            }
            let all: Vec<&Match> = std::iter::once(*found).chain(close).collect();
            Err(ambiguous(&all))
        }
    }
}

/// Between 0 and 1: how much the neighbourhood of a match is like the context.
fn likeness(view: &View, found: &Match, before: &str, after: &str) -> f64 {
    let before: Vec<char> = tail(before).collect();
    let after: Vec<char> = after.chars().take(FAR).collect();
    // Four bytes are enough for any character.
    let source_before = view.slice(found.range.start.saturating_sub(4 * before.len())..found.range.start);
    let source_after = view.slice(found.range.end..found.range.end + 4 * after.len());
    let mut have_before: Vec<char> = source_before.chars().rev().take(before.len()).collect();
    have_before.reverse();
    let have_after: Vec<char> = source_after.chars().take(after.len()).collect();
    let total = before.len() + after.len();
    let same =
        |want: &[char], have: &[char]| want.len().max(have.len()).saturating_sub(distance(want, have)) as f64;
    (same(&before, &have_before) + same(&after, &have_after)) / total.max(1) as f64
}

fn tail(text: &str) -> impl Iterator<Item = char> {
    let skip = text.chars().count().saturating_sub(FAR);
    text.chars().skip(skip)
}

/// How many characters must be put in, taken out or changed.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
