//! Inline formatting on a selection.
//!
//! Delimiters are put in and taken out of the source; the text between them is left alone. The result is
//! parsed before it counts: if a reader would see other text than before, the edit is refused.

use std::ops::Range;

use edit::Refusal;

use super::{Draft, line_excerpt, text};
use crate::block::NodeId;
use crate::format::preview;
use crate::inline::{InlinePiece, Leaf, LinkStyle, Mark, PieceKind, Span, SpanKind};
use crate::view::{Node, View};

type Splices = Vec<(Range<usize>, String)>;

fn delimiter(mark: Mark) -> &'static str {
    match mark {
        Mark::Bold => "**",
        Mark::Italic => "*",
        Mark::Code => "`",
        Mark::Strike => "~~",
        Mark::Underline => "++",
        Mark::Highlight => "==",
    }
}

pub(super) fn format_node(view: &View, id: NodeId, mark: Mark) -> Result<Draft, Refusal> {
    let range = view.node(id)?.range();
    toggle(view, &range, mark)
}

pub(super) fn toggle(view: &View, range: &Range<usize>, mark: Mark) -> Result<Draft, Refusal> {
    let selected = selected(view, range)?;
    let marked = selected.iter().all(|(leaf, range)| is_marked(leaf, range, mark));
    let mut splices = Splices::new();
    for (leaf, range) in &selected {
        if marked {
            for span in leaf.spans.iter().filter(|span| span.kind == SpanKind::Mark(mark)) {
                splices.extend(unmark(leaf, span, range));
            }
        } else if mark == Mark::Code {
            splices.extend(mark_code(leaf, range)?);
        } else {
            splices.extend(add(leaf, range, mark));
        }
    }
    let verb = if marked { "Remove" } else { "Set" };
    let shown = line_excerpt(&view.slice(range.clone()), 40);
    checked(view, Draft { splices, ..Draft::new(format!("{verb} {} on \"{shown}\"", mark.name())) })
}

pub(super) fn clear(view: &View, range: &Range<usize>) -> Result<Draft, Refusal> {
    let mut splices = Splices::new();
    for (leaf, range) in &selected(view, range)? {
        for span in leaf.spans.iter() {
            match span.kind {
                SpanKind::Mark(_) => splices.extend(unmark(leaf, span, range)),
                SpanKind::Link { .. } | SpanKind::WikiLink { .. } if overlaps(&span.inner, range) => {
                    splices.extend(unlink(span));
                }
                _ => {}
            }
        }
    }
    let shown = line_excerpt(&view.slice(range.clone()), 40);
    checked(view, Draft { splices, ..Draft::new(format!("Clear formatting of \"{shown}\"")) })
}

pub(super) fn set_link(
    view: &View,
    range: &Range<usize>,
    href: &str,
    title: Option<&str>,
) -> Result<Draft, Refusal> {
    let range = text::valid(view, range)?;
    if href.contains(['\n', '\r']) || href.trim().is_empty() {
        return Err(Refusal::invalid(
            "href",
            format!("`{}`", line_excerpt(href, 60)),
            "a link target on one line",
        ));
    }
    let target = destination(href, title);
    let draft = Draft::new(format!("Link to {}", line_excerpt(href, 60)));
    if let Some(span) = link_around(view, &range) {
        // The text of the link stays; what follows it is written anew.
        let splices = match &span.kind {
            SpanKind::Link { style: LinkStyle::Auto, .. } | SpanKind::WikiLink { .. } => vec![
                (span.outer.start..span.inner.start, "[".to_owned()),
                (span.inner.end..span.outer.end, format!("]({target})")),
            ],
            _ => vec![(span.inner.end..span.outer.end, format!("]({target})"))],
        };
        return checked(view, Draft { splices, ..draft });
    }
    let selected = selected(view, &range)?;
    let [(leaf, range)] = selected.as_slice() else {
        return Err(Refusal::Unsafe {
            why: "a link cannot span several blocks".to_owned(),
            instead: Some("select text in one block".to_owned()),
        });
    };
    let parts = whole_parts(leaf, range, None);
    let [part] = parts.as_slice() else {
        return Err(Refusal::Unsafe {
            why: "the selection begins or ends inside formatting that it does not cover".to_owned(),
            instead: Some("select the formatted text as a whole".to_owned()),
        });
    };
    let mut splices = Splices::new();
    for span in leaf.spans.iter().filter(|span| overlaps(&span.inner, part)) {
        if matches!(span.kind, SpanKind::Link { .. } | SpanKind::WikiLink { .. }) {
            splices.extend(unlink(span));
        }
    }
    splices.push((part.start..part.start, "[".to_owned()));
    splices.push((part.end..part.end, format!("]({target})")));
    checked(view, Draft { splices, ..draft })
}

pub(super) fn remove_link(view: &View, range: &Range<usize>) -> Result<Draft, Refusal> {
    let range = text::valid(view, range)?;
    let mut splices = Splices::new();
    for (_, leaf) in leaves(view, &range) {
        for span in leaf.spans.iter() {
            let link = matches!(span.kind, SpanKind::Link { .. } | SpanKind::WikiLink { .. });
            let touched = span.outer.start <= range.end && range.start <= span.outer.end;
            let apart = range.is_empty() || span.outer.start < range.end && range.start < span.outer.end;
            if link && touched && apart {
                splices.extend(unlink(span));
            }
        }
    }
    if splices.is_empty() {
        return Err(Refusal::not_found("link", line_excerpt(&view.slice(range), 60)));
    }
    checked(view, Draft { splices, ..Draft::new("Remove link") })
}

/// `url "title"`, as it stands between the parentheses of a link.
pub(crate) fn destination(href: &str, title: Option<&str>) -> String {
    let plain = !href.contains([' ', '\t', '<', '>', '(', ')', '\\']);
    let href = if plain {
        href.to_owned()
    } else {
        format!("<{}>", href.replace('\\', "\\\\").replace('<', "\\<").replace('>', "\\>"))
    };
    match title.filter(|title| !title.is_empty()) {
        None => href,
        Some(title) => {
            let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{href} \"{}\"", title.replace('\\', "\\\\").replace('"', "\\\""))
        }
    }
}

fn link_around(view: &View, range: &Range<usize>) -> Option<Span> {
    let leaf = view.node_at(range.start)?.leaf()?;
    let around = leaf.spans.iter().find(|span| {
        matches!(span.kind, SpanKind::Link { .. } | SpanKind::WikiLink { .. })
            && span.outer.start <= range.start
            && range.end <= span.outer.end
    });
    around.cloned()
}

fn unlink(span: &Span) -> Splices {
    vec![(span.outer.start..span.inner.start, String::new()), (span.inner.end..span.outer.end, String::new())]
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The blocks with text that a range touches.
fn leaves<'a>(view: &'a View, range: &Range<usize>) -> Vec<(Node<'a>, Leaf<'a>)> {
    if range.is_empty() {
        let node = view.node_at(range.start);
        return node.and_then(|node| Some((node, node.leaf()?))).into_iter().collect();
    }
    view.blocks_in(range.clone())
        .filter(|node| node.kind().has_inlines())
        .filter_map(|node| Some((node, node.leaf()?)))
        .collect()
}

/// The part of each block's text that is selected, blanks at its ends left out. A cursor selects its word.
fn selected<'a>(view: &'a View, range: &Range<usize>) -> Result<Vec<(Leaf<'a>, Range<usize>)>, Refusal> {
    let range = text::valid(view, range)?;
    let mut found = Vec::new();
    for (_, leaf) in leaves(view, &range) {
        let wanted = if range.is_empty() { word(&leaf, range.start) } else { Some(range.clone()) };
        if let Some(wanted) = wanted.and_then(|wanted| trimmed(&leaf, &wanted)) {
            found.push((leaf, wanted));
        }
    }
    if found.is_empty() {
        return Err(Refusal::Unsafe {
            why: "there is no text to format in the selection".to_owned(),
            instead: Some(
                "select text with selection_set; code, math and HTML blocks have no formatting".to_owned(),
            ),
        });
    }
    Ok(found)
}

fn word(leaf: &Leaf<'_>, at: usize) -> Option<Range<usize>> {
    let piece = leaf.pieces.iter().find(|piece| piece.range.start <= at && at <= piece.range.end)?;
    if piece.shown.is_some() {
        return None;
    }
    let shown = leaf.shown(piece);
    let local = at - piece.range.start;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let start = shown[..local].char_indices().rev().take_while(|(_, c)| is_word(*c)).last();
    let start = start.map_or(local, |(at, _)| at);
    let end =
        shown[local..].char_indices().find(|(_, c)| !is_word(*c)).map_or(shown.len(), |(at, _)| local + at);
    (start < end).then(|| piece.range.start + start..piece.range.start + end)
}

/// The source range of the text a reader sees inside `range`, without blanks at its ends.
fn trimmed(leaf: &Leaf<'_>, range: &Range<usize>) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    for (_, c, place) in shown_chars(leaf).filter(|(_, _, place)| overlaps(place, range)) {
        if c.is_whitespace() {
            continue;
        }
        found = Some(match found {
            None => place,
            Some(before) => before.start..place.end,
        });
    }
    found
}

fn shown_chars<'l>(leaf: &'l Leaf<'_>) -> impl Iterator<Item = (PieceKind, char, Range<usize>)> + 'l {
    leaf.pieces.iter().flat_map(move |piece: &InlinePiece| {
        let escape = |start: usize| start;
        leaf.shown(piece).char_indices().map(move |(at, c)| {
            let place = match piece.shown {
                Some(_) => piece.range.clone(),
                None => escape(piece.range.start + at)..piece.range.start + at + c.len_utf8(),
            };
            (piece.kind, c, place)
        })
    })
}

fn is_marked(leaf: &Leaf<'_>, range: &Range<usize>, mark: Mark) -> bool {
    shown_chars(leaf).filter(|(_, c, place)| overlaps(place, range) && !c.is_whitespace()).all(
        |(_, _, place)| {
            leaf.spans.iter().any(|span| {
                span.kind == SpanKind::Mark(mark)
                    && span.inner.start <= place.start
                    && place.end <= span.inner.end
            })
        },
    )
}

/// Take a mark off `range`, and leave it on what the range does not cover.
fn unmark(leaf: &Leaf<'_>, span: &Span, range: &Range<usize>) -> Splices {
    if !overlaps(&span.inner, range) {
        return Splices::new();
    }
    let mut splices = Splices::new();
    let open = leaf.source(span.outer.start..span.inner.start);
    let close = leaf.source(span.inner.end..span.outer.end);
    let left = trimmed(leaf, &(span.inner.start..range.start.max(span.inner.start)));
    let right = trimmed(leaf, &(range.end.min(span.inner.end)..span.inner.end));
    let code = span.kind == SpanKind::Mark(Mark::Code);
    match left {
        Some(left) => splices.push((left.end..left.end, close.clone())),
        None => splices.push((span.outer.start..span.inner.start, String::new())),
    }
    if code {
        // What was code was not read as markup; outside it would be.
        let bare = range.start.max(span.inner.start)..range.end.min(span.inner.end);
        let source = leaf.source(bare.clone());
        let escaped = escape(&source);
        if escaped != source {
            splices.push((bare, escaped));
        }
    }
    match right {
        Some(right) => splices.push((right.start..right.start, open)),
        None => splices.push((span.inner.end..span.outer.end, String::new())),
    }
    splices
}

/// Put a mark on `range`: around whole spans, in parts where it would cross the edge of one.
fn add(leaf: &Leaf<'_>, range: &Range<usize>, mark: Mark) -> Splices {
    let mut splices = Splices::new();
    let delimiter = delimiter(mark);
    // Text that is marked already grows into the new mark.
    let mut range = range.clone();
    for span in leaf.spans.iter().filter(|span| span.kind == SpanKind::Mark(mark)) {
        if span.outer.start <= range.end && range.start <= span.outer.end {
            range = range.start.min(span.outer.start)..range.end.max(span.outer.end);
            splices.push((span.outer.start..span.inner.start, String::new()));
            splices.push((span.inner.end..span.outer.end, String::new()));
        }
    }
    for part in whole_parts(leaf, &range, Some(mark)) {
        splices.push((part.start..part.start, delimiter.to_owned()));
        splices.push((part.end..part.end, delimiter.to_owned()));
    }
    // At one place a delimiter that goes comes before one that is put in.
    merge(splices)
}

/// Ranges that together cover `range` and cross the edge of no span. Spans of `ignored` are no obstacle.
fn whole_parts(leaf: &Leaf<'_>, range: &Range<usize>, ignored: Option<Mark>) -> Vec<Range<usize>> {
    let mut parts = vec![range.clone()];
    for span in leaf.spans.iter() {
        if ignored.is_some_and(|mark| span.kind == SpanKind::Mark(mark)) {
            continue;
        }
        parts = parts
            .into_iter()
            .flat_map(|part| {
                let inside = span.inner.start <= part.start && part.end <= span.inner.end;
                let around = part.start <= span.outer.start && span.outer.end <= part.end;
                if inside && part != span.inner || around || !overlaps(&part, &span.outer) {
                    return vec![part];
                }
                let verbatim = matches!(
                    span.kind,
                    SpanKind::Mark(Mark::Code)
                        | SpanKind::Math
                        | SpanKind::Link { style: LinkStyle::Auto, .. }
                );
                if verbatim || part == span.inner && !matches!(span.kind, SpanKind::Link { .. }) {
                    // Inside code a delimiter is text: mark all of it from outside.
                    let whole = part.start.min(span.outer.start)..part.end.max(span.outer.end);
                    return Vec::from([whole]);
                }
                if part == span.inner {
                    return vec![part];
                }
                let before = part.start..span.outer.start;
                let within = part.start.max(span.inner.start)..part.end.min(span.inner.end);
                let after = span.outer.end..part.end;
                [before, within, after].into_iter().filter(|part| part.start < part.end).collect()
            })
            .collect();
    }
    parts.iter().filter_map(|part| trimmed(leaf, part).map(|seen| widen(leaf, part, &seen))).collect()
}

/// Blanks at the ends of a part are left out; delimiters of spans inside it are not.
fn widen(leaf: &Leaf<'_>, part: &Range<usize>, seen: &Range<usize>) -> Range<usize> {
    let mut wide = seen.clone();
    for span in leaf.spans.iter() {
        let inside = part.start <= span.outer.start && span.outer.end <= part.end;
        if inside && overlaps(&span.outer, &wide) {
            wide = wide.start.min(span.outer.start)..wide.end.max(span.outer.end);
        }
    }
    // An escaped character takes its backslash along.
    if wide.start > part.start && leaf.backslash_before(wide.start) {
        wide.start -= 1;
    }
    wide
}

/// Code has no markup inside: what a reader sees becomes the code.
fn mark_code(leaf: &Leaf<'_>, range: &Range<usize>) -> Result<Splices, Refusal> {
    let mut whole = range.clone();
    for span in leaf.spans.iter().filter(|span| overlaps(&span.outer, range)) {
        let covers = range.start <= span.inner.start && span.inner.end <= range.end;
        let around = span.inner.start <= range.start && range.end <= span.inner.end;
        let code = span.kind == SpanKind::Mark(Mark::Code);
        if around && !covers && !code {
            continue;
        }
        whole = whole.start.min(span.outer.start)..whole.end.max(span.outer.end);
    }
    let shown: String =
        shown_chars(leaf).filter(|(_, _, place)| overlaps(place, &whole)).map(|(_, c, _)| c).collect();
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    Ok(vec![(whole, format!("{fence}{pad}{}{pad}{fence}", shown.replace('\n', " ")))])
}

/// Plain text written so that it stays plain.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '$' | '&' | '|' | '=' | '+') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Splices that touch at one place become one, in the order given.
fn merge(mut splices: Splices) -> Splices {
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    let mut merged = Splices::new();
    for (range, with) in splices {
        match merged.last_mut() {
            Some((last, text))
                if last.end == range.start && (last.start == last.end || range.start == range.end) =>
            {
                last.end = range.end;
                text.push_str(&with);
            }
            _ => merged.push((range, with)),
        }
    }
    merged
}

/// Formatting must not change what a reader sees.
fn checked(view: &View, draft: Draft) -> Result<Draft, Refusal> {
    let draft = super::cells::contained(view, Draft { splices: merge(draft.splices), ..draft })?;
    let patch = draft.patch()?;
    let after = preview(view, &patch)?;
    for (range, _) in &draft.splices {
        let Some(node) = view.node_at(range.start) else { continue };
        let at = patch.map(crate::PART, node.range().start, edit::Gravity::Left);
        let seen = |node: &Node<'_>| node.plain().split_whitespace().collect::<Vec<_>>().join(" ");
        let same = after.node_at(at).is_some_and(|now| seen(&now) == seen(&node));
        if !same {
            return Err(Refusal::Unsafe {
                why: "Markdown cannot express this formatting here: its delimiters would show as text"
                    .to_owned(),
                instead: Some("select whole words, without the punctuation beside them".to_owned()),
            });
        }
    }
    Ok(draft)
}
