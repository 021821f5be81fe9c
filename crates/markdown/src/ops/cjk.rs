//! Punctuation and spacing where Chinese, Japanese or Korean meets Latin, in prose only.
//!
//! Code, math, HTML, link targets, addresses, numbers, versions, times and escaped characters are left as
//! they are, and so is every character that would mean something else to Markdown afterwards.

use std::ops::Range;

use edit::Refusal;

use super::Draft;
use crate::inline::{Around, Leaf, PieceKind};
use crate::view::View;
use crate::vocabulary::{Spacing, Width};

const PAIRS: [(char, char); 8] =
    [(',', '，'), ('.', '。'), ('!', '！'), ('?', '？'), (':', '：'), (';', '；'), ('(', '（'), (')', '）')];

/// A character of prose with its place and whether it may be changed.
struct Char {
    c: char,
    range: Range<usize>,
    kind: PieceKind,
    free: bool,
    /// How many spans are around it.
    depth: usize,
}

pub(super) fn punctuation(view: &View, range: Option<&Range<usize>>, to: Width) -> Result<Draft, Refusal> {
    let mut draft = Draft::new(match to {
        Width::Full => "Convert punctuation to full width",
        Width::Half => "Convert punctuation to half width",
    });
    for_each_leaf(view, range, |leaf| {
        let chars = prose(leaf);
        let wanted = match to {
            Width::Full => widened(&chars),
            Width::Half => narrowed(view, &chars),
        };
        for (index, c) in wanted {
            if inside(range, &chars[index].range) {
                draft.splices.push((chars[index].range.clone(), c.to_string()));
            }
        }
    })?;
    draft.replaced = draft.splices.len();
    Ok(draft)
}

pub(super) fn spacing(view: &View, range: Option<&Range<usize>>, action: Spacing) -> Result<Draft, Refusal> {
    let mut draft = Draft::new(match action {
        Spacing::Add => "Add spaces between CJK and Latin text",
        Spacing::Remove => "Remove spaces between CJK and Latin text",
    });
    for_each_leaf(view, range, |leaf| {
        let chars = prose(leaf);
        match action {
            Spacing::Add => {
                for pair in chars.windows(2) {
                    let [a, b] = pair else { continue };
                    let text = |x: &Char| matches!(x.kind, PieceKind::Text | PieceKind::Code);
                    if !text(a) || !text(b) || !meets(a, b) || !(a.free || b.free) {
                        continue;
                    }
                    // Between text and a span that opens or closes there, the blank stands outside the span.
                    let at = if a.depth < b.depth { a.range.end } else { b.range.start };
                    if inside(range, &(at..at)) {
                        draft.splices.push((at..at, " ".to_owned()));
                    }
                }
            }
            Spacing::Remove => {
                for three in chars.windows(3) {
                    let [a, blank, b] = three else { continue };
                    if blank.c == ' '
                        && blank.free
                        && a.free
                        && b.free
                        && meets(a, b)
                        && inside(range, &blank.range)
                    {
                        draft.splices.push((blank.range.clone(), String::new()));
                    }
                }
            }
        }
    })?;
    draft.replaced = draft.splices.len();
    Ok(draft)
}

fn for_each_leaf(
    view: &View,
    range: Option<&Range<usize>>,
    mut visit: impl FnMut(&Leaf<'_>),
) -> Result<(), Refusal> {
    let range = match range {
        Some(range) => super::text::valid(view, range)?,
        None => 0..view.len(),
    };
    for node in view.blocks_in(range).filter(|node| node.kind().has_inlines()) {
        if let Some(leaf) = node.leaf() {
            visit(&leaf);
        }
    }
    Ok(())
}

fn inside(range: Option<&Range<usize>>, place: &Range<usize>) -> bool {
    range.is_none_or(|range| range.start <= place.start && place.end <= range.end)
}

fn prose(leaf: &Leaf<'_>) -> Vec<Char> {
    let mut chars = Vec::new();
    let mut around = Around::new(&leaf.spans);
    for piece in leaf.pieces.iter() {
        let shown = leaf.shown(piece);
        let plain = piece.kind == PieceKind::Text && piece.shown.is_none();
        let escaped = plain && leaf.backslash_before(piece.range.start);
        let spans = around.at(piece.range.start);
        let depth = spans.len();
        let automatic = spans.iter().any(|span| {
            matches!(&span.kind, crate::inline::SpanKind::Link { style: crate::inline::LinkStyle::Auto, .. })
        });
        let addresses = addresses(shown);
        for (at, c) in shown.char_indices() {
            let taken =
                automatic || escaped && at == 0 || addresses.iter().any(|address| address.contains(&at));
            let free = plain && !taken;
            let range = match piece.shown {
                Some(_) => piece.range.clone(),
                None => piece.range.start + at..piece.range.start + at + c.len_utf8(),
            };
            chars.push(Char { c, range, kind: piece.kind, free, depth });
        }
    }
    chars
}

/// Words that are addresses of something: `https://…`, `a@b.c`, `dir/file.md`. One with a scheme reaches to the next
/// blank or wide punctuation, ideographs included, because addresses have them too. Attributes in braces (`{#id .class}`)
/// are no prose either.
pub(super) fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let part = c.is_ascii_graphic();
        match (part, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = &text[from..at];
                let dotted = word.trim_end_matches('.').contains('.');
                if word.contains('@') || dotted && word.contains('/') {
                    found.push(from..at);
                }
                start = None;
            }
            _ => {}
        }
    }
    for (at, _) in text.match_indices("://") {
        let scheme =
            text[..at].bytes().rev().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte));
        let from = at - scheme.count();
        let ends = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '，' | '。'
                        | '；'
                        | '：'
                        | '！'
                        | '？'
                        | '（'
                        | '）'
                        | '、'
                        | '《'
                        | '》'
                        | '「'
                        | '」'
                        | '<'
                        | '>'
                        | '"'
                )
        };
        let length = text[from..].find(ends).unwrap_or(text.len() - from);
        found.push(from..from + length);
    }
    for (at, _) in text.match_indices('{') {
        let attributes = text[at + 1..].starts_with(['#', '.', ':']);
        if let Some(length) = text[at..].find('}').filter(|_| attributes) {
            found.push(at..at + length + 1);
        }
    }
    found
}

fn widened(chars: &[Char]) -> Vec<(usize, char)> {
    let mut changes = Vec::new();
    // What is widened counts as wide for what follows it, so that a second time finds nothing more to do.
    let mut now: Vec<char> = chars.iter().map(|char| char.c).collect();
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (index, char) in chars.iter().enumerate() {
        let at = |index: Option<usize>| index.and_then(|index| now.get(index)).copied();
        let (before, after) = (at(index.checked_sub(1)), at(Some(index + 1)));
        let cjk_before = before.is_some_and(|c| is_cjk(c) || is_wide_punctuation(c));
        match char.c {
            '(' => {
                let wide = char.free && (cjk_before || after.is_some_and(is_cjk));
                open.push((index, wide));
            }
            ')' => {
                if let Some((from, true)) = open.pop()
                    && char.free
                {
                    changes.push((from, '（'));
                    changes.push((index, '）'));
                    now[from] = '（';
                    now[index] = '）';
                }
            }
            '.' if after == Some('.') || before == Some('.') => {}
            c => {
                let wide = PAIRS.iter().find(|(half, _)| *half == c).map(|(_, full)| *full);
                if let Some(wide) = wide
                    && char.free
                    && cjk_before
                    // `第3.5节`, `见a.b`: a dot inside a name is no full stop.
                    && !(c == '.' && after.is_some_and(|c| c.is_ascii_alphanumeric()))
                {
                    changes.push((index, wide));
                    now[index] = wide;
                }
            }
        }
    }
    changes.sort_by_key(|(index, _)| *index);
    changes
}

fn narrowed(view: &View, chars: &[Char]) -> Vec<(usize, char)> {
    let mut changes = Vec::new();
    for (index, char) in chars.iter().enumerate().filter(|(_, char)| char.free) {
        let Some((half, _)) = PAIRS.iter().find(|(_, full)| *full == char.c) else { continue };
        let before = view.slice(char.range.start.saturating_sub(4)..char.range.start);
        let after = view.slice(char.range.end..char.range.end + 4);
        let line_start = view.line_start(char.range.start);
        let first = view
            .slice(line_start..char.range.start)
            .chars()
            .all(|c| c.is_whitespace() || c.is_ascii_digit() || c == '>');
        // `！[` would be an image, `]（` a link, `：` on a line a definition, `1）` a list.
        let markup = *half == '!' && after.starts_with('[')
            || matches!(half, '(' | ':') && before.ends_with(']')
            || first && matches!(half, ':' | ')' | '.');
        if !markup {
            changes.push((index, *half));
        }
    }
    changes
}

fn meets(a: &Char, b: &Char) -> bool {
    let latin = |c: char| c.is_ascii_alphanumeric();
    is_cjk(a.c) && latin(b.c) || latin(a.c) && is_cjk(b.c)
}

/// Ideographs, kana and hangul; punctuation is none of them.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x3040..=0x30FF | 0x3100..=0x312F | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x3005..=0x3007 | 0x20000..=0x3134F)
}

fn is_wide_punctuation(c: char) -> bool {
    matches!(c, '”' | '’' | '」' | '』' | '》' | '〉' | '】' | '）' | '、')
}
