//! The tokenizer: well-formed pieces of XML, one after another.
//!
//! Written by hand over bytes, because the tree needs exact spans of everything (blanks inside tags too) and
//! because this is the loop where a large part spends its time. It checks each piece by itself; that pieces
//! nest is checked by whoever keeps the stack ([`super::Tree`], or [`find_spans`] for its own elements).

use edit::Cut;
use std::ops::Range;

use super::{XmlError, XmlLimits};

const NAME_START: u8 = 1;
const NAME: u8 = 2;
const BLANK: u8 = 4;
/// Ends plain text: markup, a reference, or a character XML forbids.
const TEXT_STOP: u8 = 8;
const DOUBLE_STOP: u8 = 16;
const SINGLE_STOP: u8 = 32;

const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mut class = 0;
        if b.is_ascii_alphabetic() || b == b'_' || b == b':' || b >= 0x80 {
            class |= NAME_START | NAME;
        }
        if b.is_ascii_digit() || b == b'-' || b == b'.' {
            class |= NAME;
        }
        if matches!(b, b' ' | b'\t' | b'\n' | b'\r') {
            class |= BLANK;
        } else if b < 0x20 {
            class |= TEXT_STOP | DOUBLE_STOP | SINGLE_STOP;
        }
        if b == b'<' || b == b'&' {
            class |= TEXT_STOP | DOUBLE_STOP | SINGLE_STOP;
        }
        if b == b'"' {
            class |= DOUBLE_STOP;
        }
        if b == b'\'' {
            class |= SINGLE_STOP;
        }
        table[byte] = class;
        byte += 1;
    }
    table
}

fn is(byte: u8, class: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Start,
    /// A start tag that is its own end, `<w:p/>`.
    Empty,
    End,
    /// Characters and references up to the next markup.
    Text,
    Cdata,
    Comment,
    /// A processing instruction; the XML declaration is reported as one.
    Instruction,
}

/// One piece of the source. Tokens are adjacent: each starts where the last one ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    /// End of the name in a tag (which starts one or two bytes after `start`); otherwise `start`.
    pub name_end: usize,
    /// Whether a start tag declares a namespace.
    pub declares: bool,
}

impl Token {
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Where the name stands in a tag; empty for everything else.
    pub fn name_span(&self) -> Range<usize> {
        match self.kind {
            TokenKind::Start | TokenKind::Empty => self.start + 1..self.name_end,
            TokenKind::End => self.start + 2..self.name_end,
            _ => self.start..self.start,
        }
    }
}

/// Reads tokens from a source that is known to be UTF-8.
#[derive(Debug)]
pub struct Scanner<'a> {
    source: &'a [u8],
    position: usize,
    limits: XmlLimits,
    /// Name spans of the attributes of the last start tag.
    pub(super) attributes: Vec<(u32, u32)>,
}

impl<'a> Scanner<'a> {
    pub fn new(source: &'a [u8], limits: &XmlLimits) -> Scanner<'a> {
        Scanner::with_buffer(source, limits, Vec::new())
    }

    pub(super) fn with_buffer(
        source: &'a [u8],
        limits: &XmlLimits,
        attributes: Vec<(u32, u32)>,
    ) -> Scanner<'a> {
        Scanner { source, position: 0, limits: *limits, attributes }
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// Continues at `position`, which has to be between two tokens.
    pub fn seek(&mut self, position: usize) {
        self.position = position;
    }

    /// The next token, or `None` at the end of the source.
    #[expect(clippy::should_implement_trait, reason = "an Iterator would make every caller collect Results")]
    pub fn next(&mut self) -> Result<Option<Token>, XmlError> {
        let start = self.position;
        let token = match self.source.get(start) {
            None => return Ok(None),
            Some(b'<') => match self.source.get(start + 1) {
                Some(b'/') => self.end_tag(start)?,
                Some(b'!') => self.declaration(start)?,
                Some(b'?') => self.instruction(start)?,
                _ => self.start_tag(start)?,
            },
            Some(_) => self.text(start)?,
        };
        self.position = token.end;
        Ok(Some(token))
    }

    /// Moves behind the end tag of the element whose start tag was just read, without looking into it, and
    /// answers that position.
    pub fn skip_element(&mut self) -> Result<usize, XmlError> {
        let opened = self.position;
        let mut depth = 1usize;
        let mut position = opened;
        while depth > 0 {
            let Some(found) = self.find(position, b'<') else {
                return Err(XmlError::malformed(opened, "an element is not closed"));
            };
            position = match self.source.get(found + 1) {
                Some(b'/') => {
                    depth -= 1;
                    self.find(found, b'>').ok_or(unclosed_tag(found))? + 1
                }
                Some(b'!') => self.declaration(found)?.end,
                Some(b'?') => self.instruction(found)?.end,
                _ => {
                    let (end, empty) = self.tag_end(found)?;
                    depth += usize::from(!empty);
                    end
                }
            };
        }
        self.position = position;
        Ok(position)
    }

    fn find(&self, from: usize, byte: u8) -> Option<usize> {
        memchr::memchr(byte, self.source.get(from..)?).map(|at| from + at)
    }

    /// End of the tag at `start`, looking only at quotes, and whether it closes itself.
    fn tag_end(&self, start: usize) -> Result<(usize, bool), XmlError> {
        let mut position = start + 1;
        loop {
            let rest = self.source.get(position..).ok_or(unclosed_tag(start))?;
            let at = memchr::memchr3(b'>', b'"', b'\'', rest).ok_or(unclosed_tag(start))?;
            match rest.get(at) {
                Some(b'>') => {
                    let end = position + at + 1;
                    return Ok((end, self.source.get(end.wrapping_sub(2)) == Some(&b'/')));
                }
                Some(quote) => {
                    let from = position + at + 1;
                    position = self.find(from, *quote).ok_or(unclosed_tag(start))? + 1;
                }
                None => return Err(unclosed_tag(start)),
            }
        }
    }

    /// The first position from `from` on whose byte has one of the `stop` classes.
    fn until(&self, from: usize, stop: u8) -> usize {
        let rest = self.source.part(from..);
        from + rest.iter().position(|byte| is(*byte, stop)).unwrap_or(rest.len())
    }

    fn while_class(&self, from: usize, class: u8) -> usize {
        let rest = self.source.part(from..);
        from + rest.iter().position(|byte| !is(*byte, class)).unwrap_or(rest.len())
    }

    fn text(&self, start: usize) -> Result<Token, XmlError> {
        let rest = self.source.part(start..);
        let length = memchr::memchr(b'<', rest).unwrap_or(rest.len());
        // Most text has nothing to stop at. Asking that without an early exit runs many bytes at a time.
        let stops = rest.part(..length).iter().fold(false, |stops, byte| {
            stops | (*byte == b'&') | ((*byte < 0x20) & !matches!(*byte, b'\t' | b'\n' | b'\r'))
        });
        let mut position = if stops { start } else { start + length };
        loop {
            position = self.until(position, TEXT_STOP);
            match self.source.get(position) {
                None | Some(b'<') => break,
                Some(b'&') => position = self.reference(position)?,
                Some(_) => return Err(XmlError::malformed(position, "a forbidden control character")),
            }
        }
        Ok(Token { kind: TokenKind::Text, start, end: position, name_end: start, declares: false })
    }

    /// Checks the reference at `start` and answers where it ends. Without a DTD, XML knows five names.
    fn reference(&self, start: usize) -> Result<usize, XmlError> {
        let rest = self.source.part(start + 1..);
        let window = rest.part(..rest.len().min(12));
        let bad = XmlError::malformed(start, "an unknown entity or a bare `&`");
        let length = window.iter().position(|byte| *byte == b';').ok_or(bad)?;
        let name = window.part(..length);
        let good = match name {
            b"lt" | b"gt" | b"amp" | b"quot" | b"apos" => true,
            _ => super::text::numeric_reference(name).is_some(),
        };
        if good { Ok(start + length + 2) } else { Err(bad) }
    }

    fn name(&self, start: usize) -> Result<usize, XmlError> {
        match self.source.get(start) {
            Some(byte) if is(*byte, NAME_START) => Ok(self.while_class(start + 1, NAME)),
            _ => Err(XmlError::malformed(start, "a name is missing or starts with a forbidden character")),
        }
    }

    fn start_tag(&mut self, start: usize) -> Result<Token, XmlError> {
        let name_end = self.name(start + 1)?;
        self.attributes.clear();
        let mut declares = false;
        let mut position = name_end;
        let (end, kind) = loop {
            let blank_end = self.while_class(position, BLANK);
            match self.source.get(blank_end) {
                Some(b'>') => break (blank_end + 1, TokenKind::Start),
                Some(b'/') if self.source.get(blank_end + 1) == Some(&b'>') => {
                    break (blank_end + 2, TokenKind::Empty);
                }
                None => return Err(unclosed_tag(start)),
                Some(_) if blank_end == position => {
                    return Err(XmlError::malformed(position, "a blank is missing before an attribute"));
                }
                Some(_) => {}
            }
            let attribute_end = self.name(blank_end)?;
            let equals = self.while_class(attribute_end, BLANK);
            if self.source.get(equals) != Some(&b'=') {
                return Err(XmlError::malformed(equals, "an attribute has no value"));
            }
            let quote = self.while_class(equals + 1, BLANK);
            position = self.attribute_value(quote)?;
            declares |= self.record_attribute(blank_end, attribute_end)?;
        };
        self.check_many_attributes(start)?;
        Ok(Token { kind, start, end, name_end, declares })
    }

    fn attribute_value(&self, quote: usize) -> Result<usize, XmlError> {
        let (mark, stop) = match self.source.get(quote) {
            Some(b'"') => (b'"', DOUBLE_STOP),
            Some(b'\'') => (b'\'', SINGLE_STOP),
            _ => return Err(XmlError::malformed(quote, "an attribute value is not quoted")),
        };
        let mut position = quote + 1;
        loop {
            position = self.until(position, stop);
            match self.source.get(position) {
                Some(byte) if *byte == mark => break,
                Some(b'&') => position = self.reference(position)?,
                Some(b'<') => return Err(XmlError::malformed(position, "`<` inside an attribute value")),
                Some(_) => return Err(XmlError::malformed(position, "a forbidden control character")),
                None => return Err(XmlError::malformed(quote, "an attribute value is not closed")),
            }
        }
        if position - quote > self.limits.attribute_bytes {
            return Err(XmlError::limit(
                quote,
                "the length of an attribute value",
                self.limits.attribute_bytes,
            ));
        }
        Ok(position + 1)
    }

    /// Remembers an attribute's name, and answers whether it declares a namespace. Pairs are compared at once
    /// while they are few; a tag with many is checked by sorting, so that no tag costs quadratic time.
    fn record_attribute(&mut self, start: usize, end: usize) -> Result<bool, XmlError> {
        if self.attributes.len() >= self.limits.attributes {
            return Err(XmlError::limit(start, "the number of attributes", self.limits.attributes));
        }
        let name = self.source.part(start..end);
        if self.attributes.len() < FEW {
            let repeated = self.attributes.iter().any(|&(other_start, other_end)| {
                (other_end - other_start) as usize == name.len()
                    && same(self.source.part(other_start as usize..other_end as usize), name)
            });
            if repeated {
                return Err(XmlError::malformed(start, "an attribute occurs twice"));
            }
        }
        self.attributes.push((start as u32, end as u32));
        Ok(name.first() == Some(&b'x')
            && name.starts_with(b"xmlns")
            && matches!(name.get(5), None | Some(b':')))
    }

    fn check_many_attributes(&self, start: usize) -> Result<(), XmlError> {
        if self.attributes.len() <= FEW {
            return Ok(());
        }
        let mut names: Vec<&[u8]> = self
            .attributes
            .iter()
            .filter_map(|&(name_start, name_end)| self.source.get(name_start as usize..name_end as usize))
            .collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(XmlError::malformed(start, "an attribute occurs twice"));
        }
        Ok(())
    }

    fn end_tag(&self, start: usize) -> Result<Token, XmlError> {
        let name_end = self.name(start + 2)?;
        let close = self.while_class(name_end, BLANK);
        if self.source.get(close) != Some(&b'>') {
            return Err(XmlError::malformed(close, "an end tag is not closed"));
        }
        Ok(Token { kind: TokenKind::End, start, end: close + 1, name_end, declares: false })
    }

    /// `<!--`, `<![CDATA[`, or a DTD.
    fn declaration(&self, start: usize) -> Result<Token, XmlError> {
        let rest = self.source.part(start..);
        let token = |kind, end| Token { kind, start, end, name_end: start, declares: false };
        if rest.starts_with(b"<!--") {
            let body = start + 4;
            let dashes = memchr::memmem::find(self.source.part(body..), b"--")
                .map(|at| body + at)
                .ok_or(XmlError::malformed(start, "a comment is not closed"))?;
            if self.source.get(dashes + 2) != Some(&b'>') {
                return Err(XmlError::malformed(dashes, "`--` inside a comment"));
            }
            self.check_characters(body, dashes)?;
            return Ok(token(TokenKind::Comment, dashes + 3));
        }
        if rest.starts_with(b"<![CDATA[") {
            let body = start + 9;
            let close = memchr::memmem::find(self.source.part(body..), b"]]>")
                .map(|at| body + at)
                .ok_or(XmlError::malformed(start, "a CDATA section is not closed"))?;
            self.check_characters(body, close)?;
            return Ok(token(TokenKind::Cdata, close + 3));
        }
        if rest.starts_with(b"<!DOCTYPE") {
            return Err(XmlError::unsupported(start, "a document type declaration"));
        }
        Err(XmlError::malformed(start, "unknown markup"))
    }

    fn instruction(&self, start: usize) -> Result<Token, XmlError> {
        let name_end = self.name(start + 2)?;
        let close = memchr::memmem::find(self.source.part(name_end..), b"?>")
            .map(|at| name_end + at)
            .ok_or(XmlError::malformed(start, "a processing instruction is not closed"))?;
        if close > name_end && self.while_class(name_end, BLANK) == name_end {
            return Err(XmlError::malformed(name_end, "a processing instruction has a bad name"));
        }
        let target = self.source.part(start + 2..name_end);
        if target.eq_ignore_ascii_case(b"xml") && !self.at_document_start(start) {
            return Err(XmlError::malformed(start, "an XML declaration that is not at the start"));
        }
        self.check_characters(name_end, close)?;
        Ok(Token { kind: TokenKind::Instruction, start, end: close + 2, name_end: start, declares: false })
    }

    fn at_document_start(&self, start: usize) -> bool {
        start == 0 || (start == 3 && self.source.starts_with(super::encoding::BOM))
    }

    fn check_characters(&self, from: usize, to: usize) -> Result<(), XmlError> {
        let body = self.source.part(from..to);
        match body.iter().position(|byte| *byte < 0x20 && !is(*byte, BLANK)) {
            Some(at) => Err(XmlError::malformed(from + at, "a forbidden control character")),
            None => Ok(()),
        }
    }
}

const FEW: usize = 16;

/// Whether two names are equal. Names are short, and a call of `memcmp` costs more than reading them.
#[inline(always)]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().rev().zip(b.iter().rev()).all(|(a, b)| a == b)
}

fn unclosed_tag(start: usize) -> XmlError {
    XmlError::malformed(start, "a tag is not closed")
}

/// The spans of all outermost elements called `name`, prefix included, in order.
///
/// For large parts of which only the blocks matter: what is inside the elements is skipped, not checked.
///
/// ```
/// let source = b"<t><r a='1'>x</r><s><r/></s></t>";
/// let rows = ooxml::xml::find_spans(source, b"r", &Default::default())?;
/// assert_eq!(rows, [3..17, 20..24]);
/// # Ok::<(), ooxml::xml::XmlError>(())
/// ```
pub fn find_spans(source: &[u8], name: &[u8], limits: &XmlLimits) -> Result<Vec<Range<usize>>, XmlError> {
    let mut scanner = Scanner::new(source, limits);
    let mut spans = Vec::new();
    let mut position = 0;
    while let Some(start) = scanner.find(position, b'<') {
        position = match source.get(start + 1) {
            Some(b'/') => scanner.find(start, b'>').ok_or(unclosed_tag(start))? + 1,
            Some(b'!') => scanner.declaration(start)?.end,
            Some(b'?') => scanner.instruction(start)?.end,
            _ => {
                let (mut end, empty) = scanner.tag_end(start)?;
                let after = start + 1 + name.len();
                let named = source.get(start + 1..after) == Some(name)
                    && source.get(after).is_some_and(|byte| !is(*byte, NAME));
                if named {
                    if !empty {
                        scanner.seek(end);
                        end = scanner.skip_element()?;
                    }
                    spans.push(start..end);
                }
                end
            }
        };
    }
    Ok(spans)
}
