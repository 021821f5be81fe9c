//! Run-in headers: the bold or underlined words that open a paragraph and end in a stop.
//!
//! `Security Incidents: The supplier shall …` has one if its first two words stand out. Only formatting
//! decides, never capital letters: whole sentences would be taken for headers.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use edit::Cut;
use regex::Regex;
use serde::Serialize;

use crate::document::look::{Looks, is_emphasised};
use crate::document::paragraph::{Paragraph, PieceKind, Text};
use crate::document::props::{RunProps, Toggle};
use crate::document::style::Resolved;

/// Longer openings are sentences.
const LONGEST: usize = 120;

/// A header, as a reader wants it and as an editor has to write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Without the stop.
    pub text: String,
    /// As it stands there, with the stop.
    pub opening: String,
    /// What it takes of the paragraph's text, stop and blanks behind it included.
    pub range: Range<usize>,
    pub formatting: HeaderFormatting,
}

impl Header {
    /// Where its stop ends in the text it opens.
    pub(crate) fn opening_end(&self, text: &str) -> usize {
        text.get(self.range.clone()).map_or(self.range.end, |opening| opening.trim_end().len())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct HeaderFormatting {
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
}

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"(?x)^\s* (?: § \s* )? (?: \d+ (?:\.\d+)* [.)]? | \( [0-9A-Za-z]{1,4} \) | [A-Za-z]{1,2} [.)] | [ivxIVX]{1,5} [.)] ) [\s\u{2002}\u{2003}]+";
    Regex::new(pattern).ok()
});

/// Where a number ends that somebody typed at the start of a paragraph, with the blanks behind it.
pub(crate) fn typed_number(text: &str) -> Option<usize> {
    Some(NUMBER.as_ref()?.find(text)?.end())
}

/// The header that opens `text`, which is a text of `paragraph`, from byte `from` on.
pub(crate) fn find(
    looks: &mut Looks<'_>,
    resolved: &Arc<Resolved>,
    paragraph: &Paragraph,
    text: &Text,
    from: usize,
) -> Option<Header> {
    let runs: Vec<(Range<usize>, Option<Arc<RunProps>>)> = text
        .pieces
        .iter()
        .map(|piece| {
            let run = (piece.kind != PieceKind::Marker).then(|| {
                let run = paragraph.atoms.get(piece.atom).and_then(|atom| paragraph.runs.get(atom.run?));
                let properties = run.and_then(|run| run.properties.clone());
                looks.run(resolved, properties.map_or(&[][..], |span| paragraph.bytes(span)))
            });
            (piece.range.start.max(from)..piece.range.end, run)
        })
        .filter(|(range, _)| range.start < range.end)
        .collect();
    let says_something =
        |range: &Range<usize>| text.text.get(range.clone()).is_some_and(|said| !said.trim().is_empty());
    let first = runs.iter().find(|(range, _)| says_something(range))?.1.clone()?;
    if !is_emphasised(&first) {
        return None;
    }
    let whole_end = text.text.trim_end().len();
    // Blanks carry no emphasis that anyone sees, and markers none at all.
    let until = |stands_out: &dyn Fn(&RunProps) -> bool| {
        let mut end = 0;
        for (range, run) in &runs {
            match run {
                Some(run) if says_something(range) => {
                    if !stands_out(run) {
                        break;
                    }
                    end = range.end;
                }
                _ => {}
            }
        }
        end
    };
    let mut end = until(&is_emphasised);
    if end >= whole_end {
        // All of it stands out, so look for an opening that stands out from the rest.
        let same = |run: &RunProps| {
            run.is(Toggle::Bold) == first.is(Toggle::Bold) && run.is_underlined() == first.is_underlined()
        };
        end = until(&same);
        if end >= whole_end {
            return None;
        }
    }
    let (opening, rest) = (text.text.get(from..end)?, text.text.get(end..)?);
    let said = opening.trim_end().trim_end_matches(is_quote);
    let mut taken = end;
    if !said.ends_with(is_stop) {
        // The stop itself is often typed outside the formatting.
        let next = rest.chars().next().filter(|c| is_stop(*c) && !matches!(c, '-' | '‒' | '―'))?;
        if opening.ends_with(char::is_whitespace) && !matches!(next, '–' | '—') {
            return None;
        }
        taken += next.len_utf8();
        // Chinese and Japanese have no blank behind a stop.
        if !is_wide(next) && rest.get(next.len_utf8()..)?.chars().next().is_some_and(|c| !c.is_whitespace()) {
            return None;
        }
    }
    let behind = text.text.get(taken..)?;
    taken += behind.len() - behind.trim_start().len();
    if text.text.get(taken..)?.trim().is_empty() {
        return None;
    }
    let markers = text.pieces.iter().filter(|piece| piece.kind == PieceKind::Marker);
    let marked: Vec<Range<usize>> =
        markers.map(|piece| piece.range.clone()).filter(|range| range.end <= end).collect();
    let clean = |until: usize| {
        let mut clean = String::new();
        let (first, mut from) = (from, from);
        for range in marked.iter().filter(|range| range.start >= first) {
            clean.push_str(text.text.get(from..range.start)?);
            from = range.end;
        }
        clean.push_str(text.text.get(from..until)?);
        Some(clean)
    };
    let header = bare(&clean(end)?).replace(['\n', '\t', '\u{C}'], " ");
    if header.chars().count() > LONGEST || !header.chars().any(char::is_alphanumeric) {
        return None;
    }
    let formatting = HeaderFormatting {
        bold: first.is(Toggle::Bold),
        italic: first.is(Toggle::Italic),
        underline: first.is_underlined(),
    };
    Some(Header { text: header, opening: clean(taken)?.trim().to_owned(), range: from..taken, formatting })
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | ':' | '-' | '–' | '—' | '‒' | '―') || is_wide(c)
}

fn is_wide(c: char) -> bool {
    matches!(c, '：' | '．' | '。')
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»')
}

/// The words without their stop, which may stand before or behind a closing quote, and without quotes around all of
/// them; quotes around some of them stay.
fn bare(opening: &str) -> String {
    let opening = opening.trim();
    let words = opening.trim_end_matches(is_quote);
    let closing = opening.part(words.len()..);
    let words = words.trim_end_matches(|c: char| is_stop(c) || c.is_whitespace());
    let quoted = format!("{words}{closing}");
    let inner = quoted.trim_matches(is_quote);
    let around_all = quoted.starts_with(is_quote) && !inner.contains(['"', '“', '”', '«', '»']);
    if around_all { inner.trim().to_owned() } else { quoted }
}
