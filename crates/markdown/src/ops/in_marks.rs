//! Text that goes into a link, a code span or front matter, and must not break it.
//!
//! A backtick ends a code span, a bracket the text of a link, a blank its address, and a colon makes other YAML of a
//! value. Every edit that writes text passes here once, behind [`super::cells`].

use std::ops::Range;

use edit::Refusal;

use super::{Draft, line_excerpt};
use crate::block::Kind;
use crate::inline::{Leaf, LinkStyle, Mark, PieceKind, Span, SpanKind};
use crate::view::View;

pub(super) fn fitted(view: &View, mut draft: Draft) -> Result<Draft, Refusal> {
    for (range, with) in &mut draft.splices {
        let Some(node) = view.node_at(range.start) else { continue };
        let whole = node.range();
        if *range == whole || range.end > whole.end {
            continue;
        }
        if node.kind() == Kind::FrontMatter {
            in_front_matter(view, range, with)?;
            continue;
        }
        let Some(leaf) = node.leaf() else { continue };
        with_its_escape(view, &leaf, range);
        if with.is_empty() {
            continue;
        }
        for span in leaf.spans.iter() {
            let inside = span.inner.start <= range.start && range.end <= span.inner.end;
            let around = span.outer.start < range.start && range.end < span.outer.end;
            if inside {
                in_span(span, with)?;
            } else if around && range.start >= span.inner.end {
                behind_text(view, span, range, with)?;
            }
        }
    }
    Ok(draft)
}

/// The backslash before an escaped character goes with it.
fn with_its_escape(view: &View, leaf: &Leaf<'_>, range: &mut Range<usize>) {
    let bytes = view.slice(view.line_start(range.start)..range.start);
    let backslashes = bytes.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 0 {
        return;
    }
    let escaped = view.slice(range.start..view.line_end(range.start)).bytes().next();
    let in_text =
        leaf.pieces.iter().any(|piece| piece.range.start == range.start && piece.kind == PieceKind::Text);
    if in_text && escaped.is_some_and(|byte| byte.is_ascii_punctuation()) {
        range.start -= 1;
    }
}

fn in_span(span: &Span, with: &mut String) -> Result<(), Refusal> {
    let breaks = |what: &str, sign: char| {
        Err(Refusal::Unsafe {
            why: format!("the text stands in {what}, which `{sign}` would end"),
            instead: Some("update the whole block, with the marks as they should be".to_owned()),
        })
    };
    match &span.kind {
        SpanKind::Mark(Mark::Code) if with.contains('`') => breaks("a code span", '`'),
        SpanKind::Math if with.contains('$') => breaks("a formula", '$'),
        SpanKind::WikiLink { .. } => match with.chars().find(|c| matches!(c, '[' | ']' | '|')) {
            Some(sign) => breaks("a wiki link", sign),
            None => Ok(()),
        },
        SpanKind::Link { style: LinkStyle::Auto, .. } => {
            match with.chars().find(|c| c.is_whitespace() || matches!(c, '<' | '>')) {
                Some(sign) => breaks("an address", sign),
                None => Ok(()),
            }
        }
        SpanKind::Link { .. } | SpanKind::Image { .. } if !balanced(with) => {
            *with = escaped_brackets(with);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether brackets that are not escaped come in pairs.
fn balanced(text: &str) -> bool {
    let (mut depth, mut escaped) = (0_i32, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

fn escaped_brackets(text: &str) -> String {
    let (mut written, mut escaped) = (String::with_capacity(text.len() + 2), false);
    for c in text.chars() {
        if !escaped && matches!(c, '[' | ']') {
            written.push('\\');
        }
        escaped = !escaped && c == '\\';
        written.push(c);
    }
    written
}

/// In the address or the title of a link or picture.
fn behind_text(view: &View, span: &Span, range: &Range<usize>, with: &str) -> Result<(), Refusal> {
    let title = match &span.kind {
        SpanKind::Link { title, style: LinkStyle::Inline, .. } | SpanKind::Image { title, .. } => title,
        _ => return Ok(()),
    };
    let before = view.slice(span.inner.end..range.start);
    let in_title = !title.is_empty() && before.contains(char::is_whitespace);
    let breaks = |c: &char| match in_title {
        true => matches!(c, '"' | '\'' | '(' | ')'),
        false => c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')'),
    };
    match with.chars().find(breaks) {
        None => Ok(()),
        Some(sign) => Err(Refusal::Unsafe {
            why: format!(
                "`{}` would end the {} of a link or picture at `{sign}`",
                line_excerpt(with, 40),
                if in_title { "title" } else { "address" }
            ),
            instead: Some("set the link anew with format_set_link, or update the whole block".to_owned()),
        }),
    }
}

/// A value of one line that YAML would read as something else.
fn in_front_matter(view: &View, range: &Range<usize>, with: &str) -> Result<(), Refusal> {
    let line = view.line_start(range.start)..view.line_end(range.end);
    let before = view.slice(line.start..range.start);
    let after = view.slice(range.end..line.end);
    let Some((key, value)) = before.split_once(": ") else { return Ok(()) };
    let now = format!("{value}{with}{after}");
    let now = now.trim();
    let quoted = now.starts_with('"') || now.starts_with('\'');
    let yaml = view.slice(0..3) == "---" && !key.trim_start().starts_with('#');
    let other = now.contains(": ")
        || now.ends_with(':')
        || now.contains(" #")
        || now.contains(['\n', '\r'])
        || now.starts_with(['[', '{', '&', '*', '!', '|', '>', '%', '@', '`'])
            && !value.starts_with(['[', '{', '|', '>']);
    let breaks_quotes = quoted && now.chars().next().is_some_and(|quote| with.contains(quote));
    if yaml && (other && !quoted || breaks_quotes) {
        return Err(Refusal::Unsafe {
            why: format!(
                "`{}: {}` in the front matter would be other YAML",
                key.trim(),
                line_excerpt(now, 40)
            ),
            instead: Some("replace in prose only, or set meta-0 with the value in quotes".to_owned()),
        });
    }
    Ok(())
}
