//! From text to blocks.
//!
//! `pulldown-cmark` says where each block lies; what it says is put right here, in one place: ranges are
//! trimmed to the text of the block, front matter is recognised only where it can stand, and the text of a
//! tight list item becomes a paragraph. Nothing downstream sees a raw range of the parser.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::Cut as _;
use edit::OrEmpty;
use pulldown_cmark::{
    BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd,
};
use unicase::UniCase;

use crate::block::{Block, CodeStyle, HeadingStyle, Kind, ListKind};

/// What one paragraph may refer to and another defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Definitions {
    pub(crate) links: BTreeMap<UniCase<String>, Target>,
    pub(crate) footnotes: BTreeSet<UniCase<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) href: String,
    pub(crate) title: String,
}

/// A definition with its place, in document order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Definition {
    Link(UniCase<String>, Target),
    Footnote(UniCase<String>),
}

/// Blocks of a stretch of text that starts and ends at a top-level boundary.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// Ranges count from the start of the stretch.
    pub(crate) blocks: Vec<Block>,
    pub(crate) definitions: Vec<(usize, Definition)>,
}

/// Whether the stretch begins where the document begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    DocumentStart,
    Inside,
}

pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS
        | Options::ENABLE_DEFINITION_LIST
}

/// Resolves references against definitions that stand outside the stretch being parsed.
pub(crate) fn resolver<'input>(
    known: &Definitions,
) -> impl FnMut(BrokenLink<'input>) -> Option<(CowStr<'input>, CowStr<'input>)> {
    |link| {
        let target = known.links.get(&UniCase::new(link.reference.to_string()))?;
        Some((target.href.clone().into(), target.title.clone().into()))
    }
}

/// The text for the parser, which takes any line that starts with a colon for a definition. `:label:` and `:::` are
/// directives of other dialects, so a colon without a blank behind it is shown to the parser as a semicolon. Ranges stay
/// what they are.
pub(crate) fn without_directives(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let directive = |at: &usize| {
        let before = bytes[..*at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
        let first = at.checked_sub(before + 1).and_then(|before| bytes.get(before));
        let line = || bytes[*at..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        // `:-:` is the line of dashes of a table.
        let dashes = || {
            line().all(|byte| matches!(byte, b':' | b'-' | b'|' | b' ' | b'\t'))
                && line().any(|byte| *byte == b'-')
        };
        matches!(first, None | Some(b'\n' | b'\r'))
            && !matches!(bytes.get(*at + 1), Some(b' ' | b'\t'))
            && !dashes()
    };
    let found: Vec<usize> = memchr::memchr_iter(b':', bytes).filter(directive).collect();
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut from = 0;
    for at in found {
        shown.push_str(text.part(from..at));
        shown.push(';');
        from = at + 1;
    }
    shown.push_str(text.part(from..));
    Cow::Owned(shown)
}

pub(crate) fn parse(text: &str, position: Position, known: &Definitions) -> Parsed {
    let front = match position {
        Position::DocumentStart => front_matter(text),
        Position::Inside => None,
    };
    let offset = front.as_ref().map_or(0, |front| front.body);
    let body = without_directives(text.part(offset..));
    let mut builder = Builder { text, offset, blocks: Vec::new(), open: Vec::new(), notes: Vec::new() };
    if let Some(front) = front {
        builder.push(Kind::FrontMatter, 0..front.end);
        builder.open.clear();
    }
    let parser = Parser::new_with_broken_link_callback(&body, options(), Some(resolver(known)));
    let mut events = parser.into_offset_iter();
    for (event, range) in events.by_ref() {
        builder.event(&event, range.start + offset..range.end + offset);
    }
    let mut definitions = builder.notes;
    for (label, found) in events.reference_definitions().iter() {
        let target = Target {
            href: found.dest.to_string(),
            title: found.title.as_ref().map(ToString::to_string).or_empty(),
        };
        let label = UniCase::new(label.to_owned());
        definitions.push((found.span.start + offset, Definition::Link(label, target)));
    }
    definitions.sort_by_key(|(at, _)| *at);
    Parsed { blocks: builder.blocks, definitions }
}

struct FrontMatter {
    /// Behind the closing line's text.
    end: usize,
    /// Where the Markdown begins.
    body: usize,
}

/// YAML between `---` lines or TOML between `+++` lines, at the very start of the document.
fn front_matter(text: &str) -> Option<FrontMatter> {
    let fence = front_matter_fence(text)?;
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim_end();
        if index == 1 && bare.is_empty() {
            // A rule and a blank line: nobody's metadata.
            return None;
        }
        if index > 0 && (bare == fence || fence == "---" && bare == "...") {
            return Some(FrontMatter { end: at + bare.len(), body: at + line.len() });
        }
        at += line.len();
    }
    None
}

/// The fence of a first line that could open front matter.
pub(crate) fn front_matter_fence(text: &str) -> Option<&'static str> {
    let first = text.split('\n').next().unwrap_or(text).trim_end();
    match first {
        "---" => Some("---"),
        "+++" => Some("+++"),
        _ => None,
    }
}

struct Builder<'a> {
    text: &'a str,
    offset: usize,
    blocks: Vec<Block>,
    open: Vec<Open>,
    notes: Vec<(usize, Definition)>,
}

struct Open {
    index: usize,
    raw: Range<usize>,
    /// A paragraph that only we see: the text of a tight item.
    implied: bool,
    /// How deep we are in inline tags, and what stood at the top of them.
    depth: usize,
    inlines: usize,
    sole: Option<Kind>,
}

impl Builder<'_> {
    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => match self.block_kind(tag, &range) {
                Some(kind) => {
                    self.close_implied();
                    if let Tag::FootnoteDefinition(label) = tag {
                        let label = UniCase::new(label.to_string());
                        self.notes.push((range.start, Definition::Footnote(label)));
                    }
                    self.push(kind, range);
                }
                None => {
                    let sole = matches!(tag, Tag::Image { .. }).then_some(Kind::Image);
                    self.inline(range, sole, 1);
                }
            },
            Event::End(tag) if is_block_end(*tag) => {
                self.close_implied();
                self.close();
            }
            Event::End(_) => {
                if let Some(open) = self.open.last_mut() {
                    open.depth = open.depth.saturating_sub(1);
                }
            }
            Event::Rule => {
                self.close_implied();
                self.push(Kind::Rule, range);
                self.close();
            }
            Event::TaskListMarker(checked) => self.check_box(*checked, &range),
            Event::DisplayMath(_) => self.inline(range, Some(Kind::Math), 0),
            // Text of code and HTML blocks belongs to its block already.
            Event::Text(_) | Event::Html(_) if self.in_verbatim() => {}
            _ => self.inline(range, None, 0),
        }
    }

    fn block_kind(&self, tag: &Tag<'_>, range: &Range<usize>) -> Option<Kind> {
        Some(match tag {
            Tag::Paragraph => Kind::Paragraph,
            Tag::Heading { level, .. } => Kind::Heading { level: level_of(*level), style: self.style(range) },
            Tag::BlockQuote(_) => Kind::Quote,
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => Kind::Code(CodeStyle::Fenced),
            Tag::CodeBlock(CodeBlockKind::Indented) => Kind::Code(CodeStyle::Indented),
            Tag::HtmlBlock => Kind::Html,
            Tag::List(Some(_)) => Kind::List(ListKind::Ordered),
            Tag::List(None) => Kind::List(ListKind::Bullet),
            Tag::Item => Kind::Item(None),
            Tag::FootnoteDefinition(_) => Kind::Footnote,
            Tag::DefinitionList => Kind::DefinitionList,
            Tag::DefinitionListTitle => Kind::Term,
            Tag::DefinitionListDefinition => Kind::Definition,
            Tag::Table(_) => Kind::Table,
            Tag::TableHead => Kind::TableHead,
            Tag::TableRow => Kind::TableRow,
            Tag::TableCell => Kind::TableCell,
            Tag::MetadataBlock(_) => Kind::FrontMatter,
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. } => return None,
        })
    }

    fn style(&self, range: &Range<usize>) -> HeadingStyle {
        let source = self.text.part(range.clone()).trim_start();
        // A setext heading may begin with `#` too: `#tag` is text. Its underline tells.
        let atx = source.starts_with('#') && {
            let hashes = source.bytes().take_while(|byte| *byte == b'#').count();
            hashes <= 6
                && source[hashes..].chars().next().is_none_or(|next| matches!(next, ' ' | '\t' | '\r' | '\n'))
        };
        if atx { HeadingStyle::Atx } else { HeadingStyle::Setext }
    }

    fn in_verbatim(&self) -> bool {
        self.open
            .last()
            .and_then(|open| self.blocks.get(open.index))
            .is_some_and(|block| matches!(block.kind, Kind::Code(_) | Kind::Html | Kind::FrontMatter))
    }

    /// Something inline at the current place; `opens` is 1 if an end will follow.
    fn inline(&mut self, range: Range<usize>, sole: Option<Kind>, opens: usize) {
        let Some(open) = self.open.last() else { return };
        let holds_blocks = self.blocks.get(open.index).is_some_and(|block| block.kind.is_container());
        if holds_blocks {
            // The backslash of an escape is no part of the text it escapes.
            let escaped = range.start > 0 && self.text.as_bytes().get(range.start - 1) == Some(&b'\\');
            let start = range.start - usize::from(escaped);
            self.push(Kind::Paragraph, start..range.end);
            if let Some(open) = self.open.last_mut() {
                open.implied = true;
            }
        }
        if let Some(open) = self.open.last_mut() {
            if open.implied {
                open.raw.end = open.raw.end.max(range.end);
            }
            if open.depth == 0 {
                open.inlines += 1;
                open.sole = sole;
            }
            open.depth += opens;
        }
    }

    fn check_box(&mut self, checked: bool, range: &Range<usize>) {
        let item = self.open.iter().rposition(|open| {
            self.blocks.get(open.index).is_some_and(|block| matches!(block.kind, Kind::Item(_)))
        });
        let Some(item) = item else { return };
        for open in &mut self.open[item + 1..] {
            // In a loose list the box stands in the paragraph; the paragraph's text begins behind it.
            let behind = self.text.as_bytes()[range.end..].iter().take_while(|b| matches!(b, b' ' | b'\t'));
            open.raw.start = range.end + behind.count();
            if let Some(block) = self.blocks.get_mut(open.index) {
                block.start = open.raw.start as u32;
            }
        }
        let open = &mut self.open[item];
        if let Some(block) = self.blocks.get_mut(open.index) {
            block.kind = Kind::Item(Some(checked));
            block.end = block.end.max(range.end as u32);
            let list = block.parent as usize;
            if let Some(Block { kind: kind @ Kind::List(ListKind::Bullet), .. }) = self.blocks.get_mut(list) {
                *kind = Kind::List(ListKind::Task);
            }
        }
    }

    fn push(&mut self, kind: Kind, raw: Range<usize>) {
        let index = self.blocks.len();
        let parent = self.open.last().map_or(Block::TOP, |open| open.index as u32);
        let start = self.start_of(kind, &raw);
        self.blocks.push(Block { kind, start: start as u32, end: raw.end as u32, last: 0, parent });
        // Containers grow with what they hold.
        if let Some(block) = self.blocks.last_mut() {
            block.end = block.start;
            block.last = index as u32 + 1;
            if matches!(kind, Kind::FrontMatter) {
                block.end = raw.end as u32;
            }
        }
        self.open.push(Open { index, raw, implied: false, depth: 0, inlines: 0, sole: None });
    }

    fn start_of(&self, kind: Kind, raw: &Range<usize>) -> usize {
        let bytes = self.text.as_bytes();
        match kind {
            Kind::TableCell | Kind::FrontMatter => raw.start,
            // Its range begins behind the indentation that makes it code.
            Kind::Code(CodeStyle::Indented) => {
                let before = &bytes[self.offset.min(raw.start)..raw.start];
                let mut start = raw.start;
                for byte in before.iter().rev().take(4) {
                    match byte {
                        b' ' => start -= 1,
                        b'\t' => {
                            start -= 1;
                            break;
                        }
                        _ => break,
                    }
                }
                start
            }
            _ => {
                // A list that a tab indents is said to start at the line ending before it.
                let early = matches!(kind, Kind::List(_) | Kind::Item(_));
                let blank = bytes[raw.clone()].iter().take_while(|byte| {
                    matches!(byte, b' ' | b'\t') || early && matches!(byte, b'\n' | b'\r')
                });
                let blank = blank.count();
                if blank == raw.len() { raw.start } else { raw.start + blank }
            }
        }
    }

    /// Where the text of the line below the one that holds `at` ends.
    fn line_below(&self, at: usize) -> usize {
        let line_end = |from: usize| {
            let rest = self.text.as_bytes().get(from..).and_then(|rest| memchr::memchr2(b'\n', b'\r', rest));
            rest.map_or(self.text.len(), |found| from + found)
        };
        let end = line_end(at);
        let crlf = self.text.as_bytes().get(end..end + 2) == Some(b"\r\n");
        let below = (end + 1 + usize::from(crlf)).min(self.text.len());
        below + self.text.part(below..line_end(below)).trim_end().len()
    }

    fn close_implied(&mut self) {
        if self.open.last().is_some_and(|open| open.implied) {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let next = self.blocks.len() as u32;
        let in_quote = self
            .open
            .iter()
            .any(|outer| self.blocks.get(outer.index).is_some_and(|block| matches!(block.kind, Kind::Quote)));
        let Some(block) = self.blocks.get_mut(open.index) else { return };
        let sole = open.sole.filter(|_| open.inlines == 1 && block.kind == Kind::Paragraph);
        if let Some(kind) = sole {
            block.kind = kind;
        }
        block.last = next;
        let raw_text = self.text.part(block.start as usize..open.raw.end.max(block.start as usize));
        let trimmed = match block.kind {
            Kind::TableCell => open.raw.end,
            Kind::Quote if in_quote => block.end as usize,
            Kind::Quote => block.start as usize + raw_text.trim_end().len(),
            Kind::TableHead | Kind::TableRow => block.start as usize + raw_text.trim_end().len(),
            // An empty item is its first line; what follows may be the prefix of a quote around it.
            kind if kind.is_container() && block.end == block.start => {
                let first = raw_text.split(['\n', '\r']).next().unwrap_or(raw_text);
                block.start as usize + first.trim_end().len()
            }
            kind if kind.is_container() => block.end as usize,
            _ => block.start as usize + raw_text.trim_end().len(),
        };
        block.end = block.end.max(trimmed as u32);
        let (kind, mut end, parent) = (block.kind, block.end, block.parent);
        match kind {
            // The parser leaves the line of dashes out of a table that has no rows.
            Kind::Table if self.blocks[open.index + 1..].iter().all(|inner| inner.kind != Kind::TableRow) => {
                end = end.max(self.line_below(end as usize) as u32);
                self.blocks[open.index].end = end;
            }
            // A short row has cells that are not in the text; they stand at its end.
            Kind::TableHead | Kind::TableRow => {
                for cell in &mut self.blocks[open.index + 1..] {
                    cell.start = cell.start.min(end);
                    cell.end = cell.end.min(end);
                }
            }
            Kind::TableCell => return,
            _ => {}
        }
        if let Some(parent) = self.blocks.get_mut(parent as usize) {
            parent.end = parent.end.max(end);
        }
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn is_block_end(tag: TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image
    )
}

/// The parser leaves the empty brackets of `[text][]` out of the link's range.
pub(crate) fn link_range(text: &str, kind: LinkType, range: Range<usize>) -> Range<usize> {
    let collapsed = matches!(kind, LinkType::Collapsed | LinkType::CollapsedUnknown);
    if collapsed && text.get(range.end..).is_some_and(|rest| rest.starts_with("[]")) {
        return range.start..range.end + 2;
    }
    range
}
