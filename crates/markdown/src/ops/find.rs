//! Text found and replaced, in the source and in what a reader sees of it.
//!
//! A match may run across inline formatting: `hello **wor**ld` holds `hello world`. Words that the new text has too stay
//! as they are, marks, links and all; what is new takes the formatting of the first character that it replaces, as in a
//! word processor.

use std::ops::Range;

use edit::Refusal;

use super::{Draft, kept_words, line_excerpt, text};
use crate::inline::{Leaf, LinkStyle, PieceKind, SpanKind};
use crate::view::{Node, View};
use crate::vocabulary::{Case, Match, Which, Within};

/// All matches that do not overlap, in document order.
pub fn find(view: &View, query: &str, case: Case) -> Vec<Match> {
    if query.is_empty() {
        return Vec::new();
    }
    let text = view.text();
    let plain = in_source(&text, query, case).into_iter().map(|range| Match { range, across: false });
    let mut matches: Vec<Match> = plain.collect();
    let breaks = query.contains(char::is_whitespace);
    // A block that lacks a letter of the query cannot hold it, unless an entity stands for the letter.
    let letters = |text: &str| {
        text.bytes()
            .filter(u8::is_ascii_alphanumeric)
            .fold(0u128, |set, byte| set | 1 << byte.to_ascii_lowercase())
    };
    let needed = letters(query);
    let marked = |text: &str| {
        let bytes = text.as_bytes();
        let marks = |byte: &u8| b"*_`~=+[<&\\$".contains(byte) || breaks && matches!(byte, b'\n' | b'\r');
        (letters(text) & needed == needed || bytes.contains(&b'&')) && bytes.iter().any(marks)
    };
    let mut across = Vec::new();
    for node in view.text_blocks(marked) {
        if let Some(leaf) = node.leaf()
            && (leaf.pieces.len() > 1 || !leaf.spans.is_empty())
        {
            across.extend(in_leaf(&leaf, query, case));
        }
    }
    // What the source has word for word comes first; across formatting only what does not overlap it.
    across.retain(|found| {
        let index = matches.partition_point(|plain| plain.range.end <= found.start);
        matches.get(index).is_none_or(|plain| plain.range.start >= found.end)
    });
    matches.extend(across.into_iter().map(|range| Match { range, across: true }));
    matches.sort_by_key(|found| found.range.start);
    matches
}

fn in_source(text: &str, query: &str, case: Case) -> Vec<Range<usize>> {
    if case == Case::Sensitive {
        let found = memchr::memmem::find_iter(text.as_bytes(), query.as_bytes());
        return found.map(|at| at..at + query.len()).collect();
    }
    let folded: Vec<char> = query.chars().flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = candidate(text, at, query) {
        match folded_len(&text[start..], &folded) {
            Some(len) => {
                found.push(start..start + len);
                at = start + len;
            }
            None => at = start + text[start..].chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// The next place where a match can start.
fn candidate(text: &str, from: usize, query: &str) -> Option<usize> {
    let first = query.chars().next()?;
    let rest = text.get(from..)?;
    // `K` and `ſ` have folds outside ASCII; every other ASCII letter only has its own other case.
    if first.is_ascii() && !matches!(first, 'k' | 'K' | 's' | 'S' | 'i' | 'I') {
        let (low, high) = (first.to_ascii_lowercase() as u8, first.to_ascii_uppercase() as u8);
        return memchr::memchr2(low, high, rest.as_bytes()).map(|at| from + at);
    }
    (!rest.is_empty()).then_some(from)
}

/// How much of `text` folds to exactly `folded`.
fn folded_len(text: &str, folded: &[char]) -> Option<usize> {
    let mut wanted = folded.iter();
    for (at, c) in text.char_indices() {
        if wanted.as_slice().is_empty() {
            return Some(at);
        }
        for low in c.to_lowercase() {
            if wanted.next() != Some(&low) {
                return None;
            }
        }
    }
    wanted.as_slice().is_empty().then_some(text.len())
}

/// Matches in what a reader sees of a block that run over more than one piece.
fn in_leaf(leaf: &Leaf<'_>, query: &str, case: Case) -> Vec<Range<usize>> {
    let shown = Shown::new(leaf);
    let query = query.replace("\r\n", "\n");
    let mut found = Vec::new();
    let mut at = 0;
    let fold = |c: char| -> char {
        match case {
            Case::Sensitive => c,
            Case::Insensitive => c.to_lowercase().next().unwrap_or(c),
        }
    };
    let wanted: Vec<char> = query.chars().map(fold).collect();
    while at + wanted.len() <= shown.chars.len() {
        let here = &shown.chars[at..at + wanted.len()];
        // A line ending that a reader sees as a blank is one.
        let equal = here.iter().zip(&wanted).all(|(have, want)| {
            fold(have.0) == *want || have.0 == '\n' && *want == ' ' && have.2 == PieceKind::SoftBreak
        });
        if equal && let (Some(first), Some(last)) = (here.first(), here.last()) {
            found.push(first.1.start..last.1.end);
            at += wanted.len();
        } else {
            at += 1;
        }
    }
    found
}

/// What a reader sees of a block, character by character with its place in the source.
pub(super) struct Shown {
    pub(super) chars: Vec<(char, Range<usize>, PieceKind)>,
}

impl Shown {
    pub(super) fn new(leaf: &Leaf<'_>) -> Self {
        let mut chars = Vec::new();
        for piece in leaf.pieces.iter() {
            let shown = leaf.shown(piece);
            match &piece.shown {
                None => chars.extend(shown.char_indices().map(|(at, c)| {
                    let start = piece.range.start + at;
                    (c, start..start + c.len_utf8(), piece.kind)
                })),
                Some(_) => chars.extend(shown.chars().map(|c| (c, piece.range.clone(), piece.kind))),
            }
        }
        Self { chars }
    }
}

pub(super) fn substitute(
    view: &View,
    query: &str,
    with: &str,
    which: Which,
    case: Case,
    within: Within,
) -> Result<Draft, Refusal> {
    if query.is_empty() {
        return Err(Refusal::invalid("text", "nothing", "the text to find"));
    }
    let mut matches = find(view, query, case);
    if within == Within::Prose {
        matches.retain(|found| is_prose(view, &found.range));
    }
    let chosen: Vec<&Match> = match which {
        Which::First => matches.first().into_iter().collect(),
        Which::All => matches.iter().collect(),
        Which::Nth(index) => matches.get(index).into_iter().collect(),
        Which::Only if matches.len() > 1 => {
            return Err(Refusal::Ambiguous {
                text: line_excerpt(query, 60),
                count: matches.len(),
                within: "the document".to_owned(),
                contexts: matches.iter().take(20).map(|found| context(view, &found.range)).collect(),
            });
        }
        Which::Only => matches.iter().collect(),
    };
    let mut draft = Draft::new(match chosen.len() {
        1 => format!("Replace \"{}\" with \"{}\"", line_excerpt(query, 40), line_excerpt(with, 40)),
        count => format!(
            "Replace \"{}\" with \"{}\" {count} times",
            line_excerpt(query, 40),
            line_excerpt(with, 40)
        ),
    });
    draft.replaced = chosen.len();
    draft.chosen = chosen.iter().map(|found| found.range.clone()).collect();
    for found in chosen {
        draft.splices.extend(replacement(view, found, with));
    }
    draft.matches = matches;
    Ok(draft)
}

/// Whether a range is all text to a reader, and no address.
pub fn is_prose(view: &View, range: &Range<usize>) -> bool {
    let Some(leaf) = view.node_at(range.start).and_then(|node| node.leaf()) else { return false };
    let mut end = range.start;
    for piece in
        leaf.pieces.iter().filter(|piece| piece.range.start < range.end && range.start < piece.range.end)
    {
        let breaks = matches!(piece.kind, PieceKind::SoftBreak | PieceKind::HardBreak);
        let text = piece.kind == PieceKind::Text || breaks;
        let automatic = leaf.spans_at(piece.range.start).any(|span| {
            matches!(span.kind, SpanKind::Link { style: LinkStyle::Auto, .. } | SpanKind::WikiLink { .. })
        });
        let place = |within: Range<usize>| within.start + piece.range.start..within.end + piece.range.start;
        let address = piece.shown.is_none()
            && super::cjk::addresses(leaf.shown(piece))
                .into_iter()
                .map(place)
                .any(|address| address.start < range.end && range.start < address.end);
        if !text || automatic || address {
            return false;
        }
        end = end.max(piece.range.end);
    }
    end >= range.end
}

/// The text around a match, for telling matches apart.
pub(crate) fn context(view: &View, range: &Range<usize>) -> String {
    let before = view.floor(range.start.saturating_sub(40));
    let after = range.end + 40;
    let line = view.line_column(range.start).line;
    format!("line {line}: …{}…", line_excerpt(&view.slice(before..after), 100))
}

/// The splices that put `with` in the place of a match.
pub fn replacement(view: &View, found: &Match, with: &str) -> Vec<(Range<usize>, String)> {
    let local = text::localise(view, found.range.start, with);
    // Taking all text out of a mark leaves `****`; the mark goes with it.
    if !found.across && !with.trim().is_empty() {
        return vec![(found.range.clone(), local)];
    }
    match view.node_at(found.range.start).and_then(|node| node.leaf().map(|leaf| (node, leaf))) {
        Some((node, leaf)) if covers(&node, &found.range) => {
            let changes = kept_words::changes(&leaf, &found.range, &local);
            changes
                .into_iter()
                .flat_map(|(range, with)| match range.is_empty() {
                    true => vec![(range, with)],
                    false => in_pieces(&leaf, &range, with),
                })
                .collect()
        }
        _ => vec![(found.range.clone(), local)],
    }
}

fn covers(node: &Node<'_>, range: &Range<usize>) -> bool {
    node.range().start <= range.start && range.end <= node.range().end
}

/// New text for the first piece in a range, nothing for the others, and no mark left empty.
fn in_pieces(leaf: &Leaf<'_>, range: &Range<usize>, with: String) -> Vec<(Range<usize>, String)> {
    let within = |inner: &Range<usize>| {
        leaf.pieces
            .iter()
            .filter(|piece| piece.range.start < inner.end && piece.range.end > inner.start)
            .all(|piece| range.start <= piece.range.start && piece.range.end <= range.end)
    };
    let first = leaf.pieces.iter().find(|piece| piece.range.end > range.start).map(|piece| &piece.range);
    let keeps_first = |outer: &Range<usize>| {
        !with.is_empty() && first.is_some_and(|first| outer.start <= first.start && first.end <= outer.end)
    };
    let removable = |kind: &SpanKind| !matches!(kind, SpanKind::Html | SpanKind::FootnoteReference);
    let mut gone: Vec<Range<usize>> = Vec::new();
    for span in leaf.spans.iter() {
        let touched = span.inner.start < range.end && span.inner.end > range.start;
        if touched && removable(&span.kind) && !keeps_first(&span.outer) && within(&span.inner) {
            gone.push(span.outer.clone());
        }
    }
    for (index, piece) in leaf.pieces.iter().enumerate() {
        let start = piece.range.start.max(range.start);
        let mut end = piece.range.end.min(range.end);
        if matches!(piece.kind, PieceKind::SoftBreak | PieceKind::HardBreak)
            && let Some(next) = leaf.pieces.get(index + 1)
            && next.range.start < range.end
        {
            // The prefix of the next line goes with the line ending; what opens on that line does not.
            let opens = leaf.spans.iter().map(|span| span.outer.start).filter(|start| *start >= end);
            end = opens.min().map_or(next.range.start, |start| start.min(next.range.start));
        }
        if start < end {
            gone.push(start..end);
        }
    }
    gone.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut splices: Vec<(Range<usize>, String)> = Vec::new();
    for range in gone {
        match splices.last_mut() {
            Some((last, _)) if range.end <= last.end => {}
            Some((last, _)) if range.start <= last.end => last.end = range.end,
            _ => splices.push((range, String::new())),
        }
    }
    match splices.first_mut() {
        Some((_, first)) => *first = with,
        None => splices.push((range.clone(), with)),
    }
    splices
}
