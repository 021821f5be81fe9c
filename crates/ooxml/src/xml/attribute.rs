//! Attributes, read from the start tag when they are asked for.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use edit::Cut;

use super::encoding::checked_text;
use super::names::{Names, ROOT_SCOPE};
use super::{decode_attribute, ns};

/// One attribute and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    source: &'a [u8],
    start: usize,
    name_end: usize,
    value_start: usize,
    value_end: usize,
    names: Option<&'a Arc<Names>>,
    scope: u16,
}

impl<'a> Attribute<'a> {
    /// From the first letter of the name to behind the closing quote.
    pub fn span(&self) -> Range<usize> {
        self.start..self.value_end + 1
    }

    /// The value between its quotes.
    pub fn value_span(&self) -> Range<usize> {
        self.value_start..self.value_end
    }

    /// The name as written, with its prefix.
    pub fn qualified(&self) -> &'a str {
        self.slice(self.start..self.name_end)
    }

    pub fn local(&self) -> &'a str {
        let qualified = self.qualified();
        qualified.split_once(':').map_or(qualified, |(_, local)| local)
    }

    /// Empty without a prefix: an attribute does not take the default namespace.
    pub fn namespace(&self) -> &'a str {
        let qualified = self.qualified();
        match qualified.split_once(':') {
            None if qualified == "xmlns" => ns::XMLNS,
            None => ns::NONE,
            Some(("xmlns", _)) => ns::XMLNS,
            Some((prefix, _)) => {
                let Some(names) = self.names else { return ns::NONE };
                names.resolve(self.scope, prefix).map_or(ns::NONE, |uri| names.uri(uri))
            }
        }
    }

    /// The value as written, references not decoded.
    pub fn raw(&self) -> &'a str {
        self.slice(self.value_span())
    }

    pub fn value(&self) -> Cow<'a, str> {
        decode_attribute(self.raw())
    }

    fn slice(&self, span: Range<usize>) -> &'a str {
        checked_text(self.source.part(span))
    }
}

/// The attributes of one start tag.
#[derive(Clone, Debug)]
pub struct Attributes<'a> {
    source: &'a [u8],
    position: usize,
    end: usize,
    names: Option<&'a Arc<Names>>,
    scope: u16,
}

impl<'a> Attributes<'a> {
    /// Those between the name and the end of a tag that was checked before.
    pub(super) fn of_tag(source: &'a [u8], name_end: usize, tag_end: usize) -> Attributes<'a> {
        Attributes { source, position: name_end, end: tag_end, names: None, scope: ROOT_SCOPE }
    }

    pub(super) fn resolved(self, names: &'a Arc<Names>, scope: u16) -> Attributes<'a> {
        Attributes { names: Some(names), scope, ..self }
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        let rest = self.source.get(self.position..self.end)?;
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let start = rest.iter().position(|byte| !blank(byte))?;
        if matches!(rest.get(start), Some(b'/' | b'>')) {
            return None;
        }
        let equals = start + memchr::memchr(b'=', rest.get(start..)?)?;
        let name = rest.get(start..equals)?;
        let name_length = name.iter().position(blank).unwrap_or(name.len());
        let quote = equals + 1 + rest.get(equals + 1..)?.iter().position(|byte| !blank(byte))?;
        let length = memchr::memchr(*rest.get(quote)?, rest.get(quote + 1..)?)?;
        let base = self.position;
        self.position = base + quote + length + 2;
        Some(Attribute {
            source: self.source,
            start: base + start,
            name_end: base + start + name_length,
            value_start: base + quote + 1,
            value_end: base + quote + 1 + length,
            names: self.names,
            scope: self.scope,
        })
    }
}
