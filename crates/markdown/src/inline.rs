//! The text inside a block: what a reader sees of it, where that stands in the source, and how it is marked.
//!
//! Parsed when asked for, a chunk at a time. `==highlight==` and `++underline++` are not in the parser's
//! grammar and are found here, in plain text only.

use std::borrow::Cow;
use std::ops::Range;

use edit::Cut;
use pulldown_cmark::{CowStr, Event, LinkType, Parser, Tag};
use serde::{Deserialize, Serialize};
use unicase::UniCase;

use crate::block::{Block, Kind};
use crate::parse::{Definitions, Target, link_range, options, resolver, without_directives};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    Bold,
    Italic,
    Code,
    Strike,
    Underline,
    Highlight,
}

impl Mark {
    pub const ALL: [Mark; 6] =
        [Self::Bold, Self::Italic, Self::Code, Self::Strike, Self::Underline, Self::Highlight];

    pub fn name(self) -> &'static str {
        match self {
            Self::Bold => "bold",
            Self::Italic => "italic",
            Self::Code => "code",
            Self::Strike => "strike",
            Self::Underline => "underline",
            Self::Highlight => "highlight",
        }
    }
}

/// Something with a beginning and an end inside a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpanKind {
    Mark(Mark),
    Link { href: String, title: String, style: LinkStyle },
    Image { href: String, title: String },
    WikiLink { target: String },
    Math,
    FootnoteReference,
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkStyle {
    Inline,
    Reference,
    /// `<https://…>`
    Auto,
}

/// A span with its delimiters, and what is between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub kind: SpanKind,
    pub outer: Range<usize>,
    pub inner: Range<usize>,
}

/// What kind of text a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    Text,
    Code,
    Math,
    Html,
    /// A line ending in the source that a reader sees as a space.
    SoftBreak,
    HardBreak,
}

/// A stretch of what a reader sees, with its place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlinePiece {
    pub kind: PieceKind,
    pub range: Range<usize>,
    /// Set where the source is not what the reader sees: entities and breaks.
    pub shown: Option<String>,
}

/// The inlines of a chunk. Ranges count from its start.
#[derive(Debug, Default)]
pub(crate) struct Inlines {
    text: String,
    /// By block, in the order of the blocks.
    leaves: Vec<(usize, Vec<InlinePiece>, Vec<Span>)>,
}

/// The inlines of one block. Ranges count from the start of the document.
#[derive(Debug, Clone)]
pub struct Leaf<'a> {
    text: &'a str,
    base: usize,
    pub pieces: Cow<'a, [InlinePiece]>,
    /// Outer before inner, else in document order.
    pub spans: Cow<'a, [Span]>,
}

pub(crate) fn leaf(inlines: &Inlines, block: usize, base: usize) -> Leaf<'_> {
    let found = inlines.leaves.binary_search_by_key(&block, |(block, ..)| *block);
    let Some((_, pieces, spans)) = found.ok().and_then(|index| inlines.leaves.get(index)) else {
        return Leaf { text: &inlines.text, base, pieces: Cow::default(), spans: Cow::default() };
    };
    if base == 0 {
        return Leaf {
            text: &inlines.text,
            base,
            pieces: Cow::Borrowed(pieces),
            spans: Cow::Borrowed(spans),
        };
    }
    let shift = |range: &Range<usize>| range.start + base..range.end + base;
    let pieces = pieces.iter().map(|piece| InlinePiece { range: shift(&piece.range), ..piece.clone() });
    let spans = spans.iter().map(|span| Span {
        kind: span.kind.clone(),
        outer: shift(&span.outer),
        inner: shift(&span.inner),
    });
    Leaf { text: &inlines.text, base, pieces: pieces.collect(), spans: spans.collect() }
}

impl Leaf<'_> {
    /// What the reader sees of a piece.
    pub fn shown<'s>(&'s self, piece: &'s InlinePiece) -> &'s str {
        match &piece.shown {
            Some(shown) => shown,
            None => {
                let local = piece.range.start - self.base..piece.range.end - self.base;
                self.text.part(local)
            }
        }
    }

    /// All of what the reader sees.
    pub fn plain(&self) -> String {
        self.pieces.iter().map(|piece| self.shown(piece)).collect()
    }

    /// The spans around a place in the source, outermost first.
    pub(crate) fn spans_at(&self, byte: usize) -> impl Iterator<Item = &Span> {
        self.spans.iter().filter(move |span| span.outer.start <= byte && byte < span.outer.end)
    }

    /// The marks on a piece.
    pub fn marks(&self, piece: &InlinePiece) -> Vec<Mark> {
        let mut marks: Vec<Mark> = self
            .spans
            .iter()
            .filter(|span| span.outer.start <= piece.range.start && piece.range.end <= span.outer.end)
            .filter_map(|span| match span.kind {
                SpanKind::Mark(mark) => Some(mark),
                _ => None,
            })
            .collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }
}

pub(crate) fn parse(text: &str, blocks: &[Block], known: &Definitions) -> Inlines {
    // Front matter is no Markdown, and may only stand first.
    let body = match blocks.first() {
        Some(block) if block.kind == Kind::FrontMatter => block.end as usize,
        _ => 0,
    };
    // A reference to a footnote counts only if the footnote is defined, and that may be elsewhere.
    let shown = without_directives(text);
    let mut builder = Builder { text: &shown, blocks, known, leaves: Vec::new(), open: Vec::new() };
    let mut source = shown[body..].to_owned();
    if source.contains("[^") {
        for label in &known.footnotes {
            source.push_str(&format!("\n\n[^{}]:\n", label.as_ref()));
        }
    }
    let parser = Parser::new_with_broken_link_callback(&source, options(), Some(resolver(known)));
    for (event, range) in parser.into_offset_iter() {
        if range.end + body <= text.len() {
            builder.event(event, range.start + body..range.end + body);
        }
    }
    let mut leaves = builder.leaves;
    for (_, pieces, spans) in &mut leaves {
        find_marks(text, pieces, spans);
        spans.sort_by_key(|span| (span.outer.start, std::cmp::Reverse(span.outer.end)));
    }
    Inlines { text: text.to_owned(), leaves }
}

struct Builder<'a> {
    text: &'a str,
    blocks: &'a [Block],
    known: &'a Definitions,
    leaves: Vec<(usize, Vec<InlinePiece>, Vec<Span>)>,
    open: Vec<Span>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => {
                if let Some(kind) = self.span_kind(&tag) {
                    let outer = match &tag {
                        Tag::Link { link_type, .. } | Tag::Image { link_type, .. } => {
                            link_range(self.text, *link_type, range)
                        }
                        _ => range,
                    };
                    let inner = self.inner(&kind, &outer);
                    self.open.push(Span { kind, outer, inner });
                }
            }
            Event::End(tag) => {
                use pulldown_cmark::TagEnd;
                if matches!(
                    tag,
                    TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
                ) && let Some(span) = self.open.pop()
                {
                    self.span(span);
                }
            }
            Event::Text(shown) => {
                // Code and HTML blocks give text events too; they have no leaf.
                let shown = (self.text.get(range.clone()) != Some(&*shown)).then(|| shown.into_string());
                self.piece(InlinePiece { kind: PieceKind::Text, range, shown });
            }
            Event::Code(shown) => {
                self.verbatim(SpanKind::Mark(Mark::Code), PieceKind::Code, range, shown, b'`')
            }
            Event::InlineMath(shown) | Event::DisplayMath(shown) => {
                self.verbatim(SpanKind::Math, PieceKind::Math, range, shown, b'$');
            }
            Event::Html(_) | Event::InlineHtml(_) => {
                self.span(Span { kind: SpanKind::Html, outer: range.clone(), inner: range.end..range.end });
            }
            Event::FootnoteReference(_) => {
                let inner = range.end..range.end;
                self.span(Span { kind: SpanKind::FootnoteReference, outer: range, inner });
            }
            Event::SoftBreak => self.line_break(PieceKind::SoftBreak, range),
            Event::HardBreak => self.line_break(PieceKind::HardBreak, range),
            Event::Rule | Event::TaskListMarker(_) => {}
        }
    }

    /// The break reaches over the prefix of the next line, so that pieces touch.
    fn line_break(&mut self, kind: PieceKind, range: Range<usize>) {
        self.piece(InlinePiece { kind, range, shown: Some("\n".to_owned()) });
    }

    fn verbatim(
        &mut self,
        kind: SpanKind,
        piece: PieceKind,
        outer: Range<usize>,
        shown: CowStr<'_>,
        delimiter: u8,
    ) {
        let source = self.text.part(outer.clone());
        let run = source.bytes().take_while(|byte| *byte == delimiter).count().min(source.len() / 2);
        let mut inner = outer.start + run..outer.end - run;
        let between = self.text.part(inner.clone());
        // One blank at each end of a code span only keeps its backticks apart.
        if between != &*shown && between.get(1..between.len().saturating_sub(1)) == Some(&*shown) {
            inner = inner.start + 1..inner.end - 1;
        }
        let same = self.text.get(inner.clone()) == Some(&*shown);
        let shown = (!same).then(|| shown.into_string());
        self.piece(InlinePiece { kind: piece, range: inner.clone(), shown });
        self.span(Span { kind, outer, inner });
    }

    fn span_kind(&self, tag: &Tag<'_>) -> Option<SpanKind> {
        Some(match tag {
            Tag::Emphasis => SpanKind::Mark(Mark::Italic),
            Tag::Strong => SpanKind::Mark(Mark::Bold),
            Tag::Strikethrough => SpanKind::Mark(Mark::Strike),
            Tag::Link { link_type: LinkType::WikiLink { .. }, dest_url, .. } => {
                SpanKind::WikiLink { target: dest_url.to_string() }
            }
            Tag::Link { link_type, dest_url, title, id } => {
                let style = match link_type {
                    LinkType::Inline => LinkStyle::Inline,
                    LinkType::Autolink | LinkType::Email => LinkStyle::Auto,
                    _ => LinkStyle::Reference,
                };
                let Target { href, title } = self.target(style, dest_url, title, id);
                SpanKind::Link { href, title, style }
            }
            Tag::Image { link_type, dest_url, title, id } => {
                let style =
                    if *link_type == LinkType::Inline { LinkStyle::Inline } else { LinkStyle::Reference };
                let Target { href, title } = self.target(style, dest_url, title, id);
                SpanKind::Image { href, title }
            }
            _ => return None,
        })
    }

    /// A definition nearby may be the second of its label; the first in the document counts.
    fn target(&self, style: LinkStyle, href: &str, title: &str, label: &str) -> Target {
        if style == LinkStyle::Reference
            && let Some(target) = self.known.links.get(&UniCase::new(label.to_owned()))
        {
            return target.clone();
        }
        Target { href: href.to_owned(), title: title.to_owned() }
    }

    fn inner(&self, kind: &SpanKind, outer: &Range<usize>) -> Range<usize> {
        let source = self.text.part(outer.clone());
        let (before, after) = match kind {
            SpanKind::Mark(Mark::Bold) => (2, 2),
            SpanKind::Mark(Mark::Strike) => {
                let run = source.bytes().take_while(|byte| *byte == b'~').count().min(2);
                (run, run)
            }
            SpanKind::Mark(_) => (1, 1),
            SpanKind::WikiLink { target } => {
                let before = source.find('|').map_or(2, |at| at + 1);
                let _ = target;
                (before, 2)
            }
            SpanKind::Link { style: LinkStyle::Auto, .. } => {
                let angle = usize::from(source.starts_with('<'));
                (angle, angle)
            }
            // The text ends at the bracket that closes the first one; found from the pieces later on.
            SpanKind::Link { .. } => (1, source.len().saturating_sub(closing_bracket(source, 0))),
            SpanKind::Image { .. } => (2, source.len().saturating_sub(closing_bracket(source, 1))),
            SpanKind::Math | SpanKind::FootnoteReference | SpanKind::Html => (0, 0),
        };
        let start = (outer.start + before).min(outer.end);
        start..outer.end.saturating_sub(after).max(start)
    }

    fn leaf_at(&self, byte: usize) -> Option<usize> {
        let byte = byte as u32;
        // The innermost block that holds text and reaches here.
        let holds = |block: &Block| block.kind.has_inlines() && block.start <= byte && byte <= block.end;
        let upto = self.blocks.partition_point(|block| block.start <= byte);
        self.blocks[..upto].iter().rposition(holds)
    }

    fn leaf_mut(&mut self, byte: usize) -> Option<&mut (usize, Vec<InlinePiece>, Vec<Span>)> {
        let block = match self.leaves.last() {
            // Mostly we are still in the block of the last piece.
            Some((block, ..)) if self.blocks[*block].range().contains(&byte) => *block,
            _ => self.leaf_at(byte)?,
        };
        let index = match self.leaves.binary_search_by_key(&block, |(block, ..)| *block) {
            Ok(index) => index,
            Err(index) => {
                self.leaves.insert(index, (block, Vec::new(), Vec::new()));
                index
            }
        };
        self.leaves.get_mut(index)
    }

    fn piece(&mut self, mut piece: InlinePiece) {
        let blocks = self.blocks;
        if let Some((block, pieces, _)) = self.leaf_mut(piece.range.start) {
            // Blanks at the end of a heading belong to nobody.
            if piece.shown.is_none() {
                piece.range.end = piece.range.end.min(blocks[*block].end as usize);
            }
            if piece.range.start < piece.range.end {
                pieces.push(piece);
            }
        }
    }

    fn span(&mut self, span: Span) {
        if let Some((_, _, spans)) = self.leaf_mut(span.outer.start) {
            spans.push(span);
        }
    }
}

/// Where the text of a link ends: its closing bracket, with brackets inside it, escapes and code skipped.
fn closing_bracket(source: &str, open: usize) -> usize {
    let bytes = source.as_bytes();
    let (mut depth, mut at) = (0usize, open);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => depth += 1,
            b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            b'`' => {
                let run = bytes[at..].iter().take_while(|byte| **byte == b'`').count();
                let fence = &source[at..at + run];
                at += run - 1;
                // A run of backticks of the same length closes the code; without one it is plain text.
                let mut from = at + 1;
                while let Some(found) = source.get(from..).and_then(|rest| rest.find(fence)) {
                    let start = from + found;
                    let length = bytes[start..].iter().take_while(|byte| **byte == b'`').count();
                    if length == run {
                        at = start + run - 1;
                        break;
                    }
                    from = start + length;
                }
            }
            _ => {}
        }
        at += 1;
    }
    source.len()
}

/// `==…==` and `++…++` in the plain text of a block. The delimiters are taken out of the pieces.
fn find_marks(text: &str, pieces: &mut Vec<InlinePiece>, spans: &mut Vec<Span>) {
    for (delimiter, mark) in [("==", Mark::Highlight), ("++", Mark::Underline)] {
        let mut open: Option<(usize, usize)> = None;
        let mut pairs = Vec::new();
        spans.sort_by_key(|span| (span.outer.start, std::cmp::Reverse(span.outer.end)));
        let mut around = Around::new(spans);
        for piece in pieces.iter() {
            let plain = piece.kind == PieceKind::Text && piece.shown.is_none();
            if !plain {
                continue;
            }
            for at in delimiters(text, &piece.range, delimiter) {
                // Identifies the innermost span around, so that pairs do not reach over the edge of one.
                let depth = around.at(at).last().map_or(0, |span| span.outer.start + 1);
                let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
                let after = text[at + 2..].chars().next();
                let before = text[..at].chars().next_back();
                match open {
                    Some((start, parent)) if parent == depth && !blank(before) && at > start + 2 => {
                        pairs.push((start, at));
                        open = None;
                    }
                    _ if !blank(after) => open = Some((at, depth)),
                    _ => {}
                }
            }
        }
        cut_pieces(pieces, pairs.iter().flat_map(|(start, end)| [*start..start + 2, *end..end + 2]));
        spans.extend(pairs.into_iter().map(|(start, end)| Span {
            kind: SpanKind::Mark(mark),
            outer: start..end + 2,
            inner: start + 2..end,
        }));
    }
}

/// The spans around places that are asked for in their order, without looking at all spans for each.
pub(crate) struct Around<'a> {
    /// Outer before inner, else in document order.
    coming: std::slice::Iter<'a, Span>,
    open: Vec<&'a Span>,
}

impl<'a> Around<'a> {
    pub(crate) fn new(spans: &'a [Span]) -> Self {
        Self { coming: spans.iter(), open: Vec::new() }
    }

    /// From the outermost to the innermost.
    pub(crate) fn at(&mut self, byte: usize) -> &[&'a Span] {
        while let Some(span) = self.coming.as_slice().first().filter(|span| span.outer.start <= byte) {
            self.open.retain(|open| open.outer.end > span.outer.start);
            self.open.push(span);
            self.coming.next();
        }
        self.open.retain(|open| open.outer.end > byte);
        &self.open
    }
}

/// Runs of exactly two of the delimiter's character.
fn delimiters<'a>(
    text: &'a str,
    range: &Range<usize>,
    delimiter: &'a str,
) -> impl Iterator<Item = usize> + 'a {
    let (bytes, start) = (text.as_bytes(), range.start);
    let byte = delimiter.as_bytes()[0];
    let source = text.part(range.clone());
    memchr::memmem::find_iter(source.as_bytes(), delimiter.as_bytes()).map(move |at| start + at).filter(
        move |at| {
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            let escaped = before == Some(&b'\\');
            !escaped && before != Some(&byte) && bytes.get(at + 2) != Some(&byte)
        },
    )
}

/// Take ranges, which come in order, out of the pieces they are in.
fn cut_pieces(pieces: &mut Vec<InlinePiece>, gone: impl Iterator<Item = Range<usize>>) {
    let mut gone = gone.peekable();
    if gone.peek().is_none() {
        return;
    }
    let mut kept = Vec::with_capacity(pieces.len());
    for piece in pieces.drain(..) {
        let mut start = piece.range.start;
        while let Some(range) = gone.next_if(|range| range.end <= piece.range.end) {
            if range.start < piece.range.start {
                continue;
            }
            if start < range.start {
                kept.push(InlinePiece { range: start..range.start, ..piece.clone() });
            }
            start = range.end;
        }
        if start < piece.range.end {
            kept.push(InlinePiece { range: start..piece.range.end, ..piece });
        }
    }
    *pieces = kept;
}

impl Leaf<'_> {
    /// Whether a backslash stands before a place of this block.
    pub(crate) fn backslash_before(&self, at: usize) -> bool {
        let before = at.checked_sub(self.base + 1);
        before.is_some_and(|before| self.text.as_bytes().get(before) == Some(&b'\\'))
    }

    /// The source of a range of the document that lies in this block.
    pub(crate) fn source(&self, range: Range<usize>) -> String {
        let local = range.start.saturating_sub(self.base)..range.end.saturating_sub(self.base);
        self.text.part(local).to_owned()
    }
}
