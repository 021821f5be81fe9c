//! The walk that finds paragraphs and boxes.

use std::ops::Range;
use std::sync::Arc;

use edit::{Cut, OrEmpty};
use ooxml::xml::XmlError;

use super::between::{self, Between};
use super::openings::Openings;
use super::{Block, BoxKind, Columns, NOWHERE, Spellings, digest, flag, named_key};
use crate::document::finders::AUTHOR;
use crate::document::names::{El, Scope, attribute};
use crate::document::scan::{Scan, ScanEvent, Tag};

/// What one walk found. Offsets are from the start of the part; boxes refer to each other by their place in
/// `boxes`, and the outermost ones have [`NOWHERE`] as parent.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) paragraphs: Columns,
    pub(crate) boxes: Vec<Block>,
    pub(crate) scopes: Vec<Arc<Scope>>,
    pub(crate) keeps_blanks: bool,
    /// Whether a paragraph or a table stands in a paragraph, other than by way of a text box.
    pub(crate) nests: bool,
    /// Whether anything may have an author, as tracked changes have.
    pub(crate) signed: bool,
}

/// Authors are looked for so far ahead, so that what was looked at is still in the processor's cache when it is walked.
const AHEAD: usize = 64 << 10;

/// Walks `source`, which stands at `base` in its part: the whole part, or complete blocks of it.
pub(crate) fn scan_blocks(
    source: &[u8],
    base: usize,
    scope: &Arc<Scope>,
    spellings: &mut Spellings,
) -> Result<Blocks, XmlError> {
    walk(source, base, scope, spellings, between::MOST)
}

/// As [`scan_blocks`], remembering so many spellings between texts.
pub(super) fn walk(
    source: &[u8],
    base: usize,
    scope: &Arc<Scope>,
    spellings: &mut Spellings,
    remembered: usize,
) -> Result<Blocks, XmlError> {
    let mut walk = Walk {
        scan: Scan::new(source, Arc::clone(scope)),
        base,
        found: Blocks { scopes: vec![Arc::clone(scope)], ..Blocks::default() },
        spellings,
        open: Vec::new(),
        branches: Vec::new(),
        text: Vec::new(),
        between: Between::new(remembered),
        openings: Openings::new(remembered),
        unnamed: 0..0,
        looked: 0,
    };
    walk.run().map_err(|error| XmlError { offset: error.offset + base, ..error })?;
    Ok(walk.found)
}

struct Walk<'a, 's> {
    scan: Scan<'a>,
    base: usize,
    found: Blocks,
    spellings: &'s mut Spellings,
    open: Vec<Open>,
    /// For each `mc:AlternateContent` that is open, whether a branch was taken.
    branches: Vec<bool>,
    /// Text of the paragraphs that are open, one behind the other.
    text: Vec<u8>,
    between: Between,
    openings: Openings,
    /// The last start tag of a paragraph without a name.
    unnamed: Range<usize>,
    /// Authors have been looked for up to here.
    looked: usize,
}

#[derive(Clone, Copy)]
struct Open {
    what: What,
    depth: usize,
}

#[derive(Clone, Copy)]
enum What {
    Paragraph {
        index: usize,
        text_from: usize,
        fields: i32,
        lowest: i32,
        has_id: bool,
    },
    Box(u32),
    /// `w:sdtContent` or the branch taken: the content of the box below it on the stack.
    Content(u32),
}

impl Walk<'_, '_> {
    fn run(&mut self) -> Result<(), XmlError> {
        while let Some(piece) = self.scan.next()? {
            match piece {
                ScanEvent::Start(tag) => {
                    self.between.began(tag.el);
                    self.openings.began(tag.el);
                    self.start(tag, false)?;
                }
                ScanEvent::Empty(tag) => {
                    self.broken();
                    self.start(tag, true)?;
                }
                ScanEvent::End(tag) => {
                    self.between.ended(tag.el);
                    self.openings.broken();
                    self.end(tag);
                }
                ScanEvent::Text(..) | ScanEvent::Cdata(..) => self.broken(),
            }
        }
        self.look_to(self.scan.source().len());
        Ok(())
    }

    fn look_to(&mut self, end: usize) {
        let end = end.min(self.scan.source().len());
        let from = self.looked.saturating_sub(AUTHOR.length() - 1);
        self.found.signed = self.found.signed || AUTHOR.is_in(self.scan.slice(from..end));
        self.looked = end;
    }

    fn start(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let in_paragraph = matches!(self.open.last(), Some(Open { what: What::Paragraph { .. }, .. }));
        match tag.el {
            El::P => {
                self.found.nests |= in_paragraph;
                return self.paragraph(tag, empty);
            }
            // No schema has it there, and Word reads it.
            El::Tbl if in_paragraph => {
                self.found.nests = true;
                self.open_box(BoxKind::Table, tag, empty);
            }
            El::T if in_paragraph && !empty => return self.text(),
            El::RPr if in_paragraph && !empty => {
                self.scan.skip()?;
            }
            El::PPr if in_paragraph => return self.paragraph_properties(tag, empty),
            El::FldChar if in_paragraph => self.field(tag),
            El::FootnoteReference | El::EndnoteReference => self.mark(flag::NOTE_REFERENCE),
            El::CommentReference | El::CommentRangeStart => self.mark(flag::COMMENT_REFERENCE),
            El::BookmarkStart => self.mark(flag::BOOKMARK),
            El::Sym => self.mark(flag::SYMBOL),
            El::Ins | El::Del | El::MoveFrom | El::MoveTo if in_paragraph => self.mark(flag::REVISION),
            El::AlternateContent if !empty => {
                self.branches.push(false);
                if !in_paragraph {
                    self.open_box(BoxKind::Branch, tag, false);
                }
            }
            El::Choice | El::Fallback if !empty => return self.branch(tag),
            El::TxbxContent => {
                self.mark(flag::TEXT_BOX);
                self.open_box(BoxKind::TextBox, tag, empty);
            }
            El::SdtContent if !in_paragraph && !empty => self.content(tag),
            El::TblPr | El::TrPr | El::TcPr | El::SdtPr if !in_paragraph => {
                self.box_properties(tag, empty)?
            }
            El::TblGrid | El::TblPrEx | El::SectPr | El::SdtEndPr | El::CustomXmlPr
                if !in_paragraph && !empty =>
            {
                self.scan.skip()?;
            }
            el => {
                if !in_paragraph && let Some(kind) = kind_of(el) {
                    self.open_box(kind, tag, empty);
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, tag: Tag) {
        if tag.el == El::AlternateContent {
            self.branches.pop();
        }
        let Some(open) = self.open.last().copied() else { return };
        if open.depth != self.scan.depth() + 1 {
            return;
        }
        self.open.pop();
        let (start, end) = (self.at(tag.start), self.at(tag.end));
        match open.what {
            What::Paragraph { index, text_from, fields, lowest, has_id } => {
                if let Some(slot) = self.found.paragraphs.end.get_mut(index) {
                    *slot = end;
                }
                if (fields != 0 || lowest != 0)
                    && let Some(flags) = self.found.paragraphs.flags.get_mut(index)
                {
                    *flags |= flag::OPEN_FIELD;
                }
                if !has_id && let Some(key) = self.found.paragraphs.key.get_mut(index) {
                    *key = digest(1, self.text.part(text_from..));
                }
                self.text.truncate(text_from);
            }
            What::Box(index) => {
                if let Some(block) = self.found.boxes.get_mut(index as usize) {
                    // A control without content, or alternatives without one for us, hold nothing.
                    let outer = !matches!(block.kind, BoxKind::Control | BoxKind::Branch);
                    if outer {
                        block.inner_end = start;
                    }
                    block.end = end;
                }
            }
            What::Content(index) => {
                if let Some(block) = self.found.boxes.get_mut(index as usize) {
                    block.inner_end = start;
                }
            }
        }
    }

    /// Markup was met that is not remembered.
    fn broken(&mut self) {
        self.between.broken();
        self.openings.broken();
    }

    fn paragraph(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        if tag.end > self.looked {
            self.look_to(tag.end + AHEAD);
        }
        let source = self.scan.slice(tag.start..tag.end);
        let named = match *source == *self.scan.slice(self.unnamed.clone()) {
            true => None,
            false => key_of_name(source),
        };
        if named.is_none() {
            self.unnamed = tag.start..tag.end;
        }
        let scope = self.scope_number();
        let (start, end, boxed) = (self.at(tag.start), self.at(tag.end), self.innermost_box());
        let paragraphs = &mut self.found.paragraphs;
        let index = paragraphs.len();
        paragraphs.start.push(start);
        paragraphs.end.push(end);
        paragraphs.boxed.push(boxed);
        paragraphs.properties.push(0);
        paragraphs.scope.push(scope);
        paragraphs.flags.push(if named.is_some() { flag::NAMED } else { 0 });
        paragraphs.key.push(named.unwrap_or_else(|| digest(1, b"")));
        paragraphs.id.push(0);
        if !empty {
            let what = What::Paragraph {
                index,
                text_from: self.text.len(),
                fields: 0,
                lowest: 0,
                has_id: named.is_some(),
            };
            self.open.push(Open { what, depth: self.scan.depth() });
            if let Some(properties) = self.openings.pass(&mut self.scan) {
                self.set_properties(properties);
                return self.text();
            }
        }
        Ok(())
    }

    fn paragraph_properties(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let end = if empty { tag.end } else { self.scan.skip()? };
        let number = self.spellings.number(self.scan.slice(tag.start..end));
        self.openings.properties(number);
        self.set_properties(number);
        Ok(())
    }

    fn set_properties(&mut self, number: u32) {
        if let Some(Open { what: What::Paragraph { index, .. }, .. }) = self.open.last()
            && let Some(slot) = self.found.paragraphs.properties.get_mut(*index)
        {
            *slot = number;
        }
    }

    fn text(&mut self) -> Result<(), XmlError> {
        let from = self.text.len();
        let depth = self.scan.depth();
        self.between.text_began(&self.scan);
        self.openings.text_began(&self.scan);
        loop {
            let text = self.scan.characters();
            self.text.extend_from_slice(text);
            if !self.between.pass(&mut self.scan) {
                break;
            }
        }
        self.between.text_ended(&self.scan);
        while self.scan.depth() >= depth {
            match self.scan.next()? {
                Some(ScanEvent::Text(start, end) | ScanEvent::Cdata(start, end)) => {
                    let text = self.scan.slice(start..end);
                    self.text.extend_from_slice(text);
                    self.between.broken();
                }
                Some(ScanEvent::End(_)) if self.scan.depth() < depth => {}
                Some(_) => self.between.broken(),
                None => break,
            }
        }
        if matches!(self.open.last(), Some(Open { what: What::Paragraph { has_id: true, .. }, .. })) {
            self.text.truncate(from);
        }
        Ok(())
    }

    fn field(&mut self, tag: Tag) {
        let kind = attribute(self.scan.slice(tag.start..tag.end), "fldCharType");
        if let Some(Open { what: What::Paragraph { fields, lowest, .. }, .. }) = self.open.last_mut() {
            match kind.as_deref() {
                Some("begin") => *fields += 1,
                Some("end") => *fields -= 1,
                // A separator outside every field of this paragraph belongs to an earlier one.
                Some("separate") if *fields <= 0 => *lowest = -1,
                _ => {}
            }
            *lowest = (*lowest).min(*fields);
        }
    }

    fn branch(&mut self, tag: Tag) -> Result<(), XmlError> {
        let taken = self.branches.last().copied().unwrap_or(false);
        let understood = tag.el == El::Fallback || understands(self.scan.slice(tag.start..tag.end));
        if taken || !understood {
            self.scan.skip()?;
            return Ok(());
        }
        if let Some(taken) = self.branches.last_mut() {
            *taken = true;
        }
        if matches!(self.open.last(), Some(Open { what: What::Box(index), .. })
            if self.found.boxes.get(*index as usize).is_some_and(|block| block.kind == BoxKind::Branch))
        {
            self.content(tag);
        }
        Ok(())
    }

    /// What follows, up to the end of this element, is the content of the box that is open.
    fn content(&mut self, tag: Tag) {
        let inner = self.at(tag.end);
        if let Some(Open { what: What::Box(index), .. }) = self.open.last().copied() {
            if let Some(block) = self.found.boxes.get_mut(index as usize) {
                block.inner = inner;
                block.inner_end = inner;
            }
            self.open.push(Open { what: What::Content(index), depth: self.scan.depth() });
        }
    }

    fn box_properties(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let end = if empty { tag.end } else { self.scan.skip()? };
        let span = (self.at(tag.start), self.at(end));
        if let Some(Open { what: What::Box(index), .. }) = self.open.last()
            && let Some(block) = self.found.boxes.get_mut(*index as usize)
        {
            block.props = span;
        }
        Ok(())
    }

    fn open_box(&mut self, kind: BoxKind, tag: Tag, empty: bool) {
        let (start, inner, parent) = (self.at(tag.start), self.at(tag.end), self.innermost_box());
        let index = self.found.boxes.len() as u32;
        if index == 0 {
            self.found.keeps_blanks = keeps_blanks(self.scan.slice(tag.start..tag.end));
        }
        let scope = self.scope_number();
        self.found.boxes.push(Block {
            kind,
            start,
            inner,
            inner_end: inner,
            end: inner,
            props: (inner, inner),
            parent,
            scope,
        });
        if !empty {
            self.open.push(Open { what: What::Box(index), depth: self.scan.depth() });
        }
    }

    fn innermost_box(&self) -> u32 {
        let boxes = self.open.iter().rev().find_map(|open| match open.what {
            What::Box(index) | What::Content(index) => Some(index),
            What::Paragraph { .. } => None,
        });
        boxes.unwrap_or(NOWHERE)
    }

    fn mark(&mut self, flag: u8) {
        if let Some(Open { what: What::Paragraph { index, .. }, .. }) = self.open.last()
            && let Some(flags) = self.found.paragraphs.flags.get_mut(*index)
        {
            *flags |= flag;
        }
    }

    fn scope_number(&mut self) -> u16 {
        let scope = self.scan.scope();
        let last = self.found.scopes.len() - 1;
        if self.found.scopes.get(last).is_some_and(|known| Arc::ptr_eq(known, scope)) {
            return last as u16;
        }
        match self.found.scopes.iter().position(|known| known == scope) {
            Some(known) => known as u16,
            None if last < usize::from(u16::MAX) => {
                self.found.scopes.push(Arc::clone(scope));
                last as u16 + 1
            }
            None => 0,
        }
    }

    fn at(&self, offset: usize) -> u32 {
        (self.base + offset) as u32
    }
}

fn kind_of(el: El) -> Option<BoxKind> {
    Some(match el {
        El::Document | El::Footnotes | El::Endnotes | El::Comments => BoxKind::Root,
        El::Body => BoxKind::Body,
        El::Hdr => BoxKind::Header,
        El::Ftr => BoxKind::Footer,
        El::Footnote => BoxKind::Footnote,
        El::Endnote => BoxKind::Endnote,
        El::Comment => BoxKind::Comment,
        El::Tbl => BoxKind::Table,
        El::Tr => BoxKind::Row,
        El::Tc => BoxKind::Cell,
        El::Sdt => BoxKind::Control,
        El::CustomXml => BoxKind::CustomXml,
        El::Ins | El::MoveTo => BoxKind::Inserted,
        El::Del | El::MoveFrom => BoxKind::Deleted,
        El::AltChunk => BoxKind::Foreign,
        _ => return None,
    })
}

/// Whether the namespaces that a branch requires are ones whose text we read. A branch for anything newer
/// than we know comes with a fallback, which then is the one to read.
pub(crate) fn understands(tag: &[u8]) -> bool {
    const KNOWN: &[&str] = &[
        "w14", "w15", "w16", "w16se", "w16cid", "w16cex", "w16sdtdh", "w16du", "wp14", "wps", "wpg", "wpc",
        "wpi", "wne", "a14", "a16", "v", "o", "w10", "w", "m", "r", "wp", "pic", "c14", "am3d", "aink",
    ];
    let requires = attribute(tag, "Requires").or_empty();
    requires.split_ascii_whitespace().all(|prefix| KNOWN.contains(&prefix))
}

pub(crate) fn keeps_blanks(tag: &[u8]) -> bool {
    crate::document::names::attributes(tag)
        .any(|attribute| attribute.name == b"xml:space" && attribute.raw == b"preserve")
}

/// The key of a paragraph that carries `w14:paraId`.
fn key_of_name(tag: &[u8]) -> Option<u64> {
    if tag.len() < 20 {
        return None;
    }
    let value = attribute(tag, "paraId")?;
    let number = u32::from_str_radix(&value, 16).ok().filter(|number| *number != 0)?;
    Some(named_key(number))
}
