//! A fast walk over the tags of a part.
//!
//! Opening a document must not cost a tree: a part can be 40 MB. This walk checks that tags nest, tells their
//! meaning and where they stand, and leaves attributes and text alone until somebody asks.

use std::ops::Range;
use std::sync::Arc;

use edit::Cut;
use ooxml::xml::{XmlError, XmlFault};

use crate::document::finders::DECLARATION;
use crate::document::names::{El, Scope};

/// Elements inside each other that are accepted.
const DEEPEST: usize = 256;
const SLOTS: usize = 128;
/// Declarations are looked for so far ahead and no farther, so that what was looked at is still in the processor's
/// cache when it is walked.
const AHEAD: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanEvent {
    Start(Tag),
    /// A start tag that is its own end.
    Empty(Tag),
    End(Tag),
    /// Characters, references not decoded.
    Text(usize, usize),
    /// The characters inside a CDATA section.
    Cdata(usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) el: El,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Where the names of the two innermost elements stand, the inner one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Names([(u32, u32); 2]);

/// Markup that leads into two elements, the inner one right at its end.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// One place where it stands.
    span: Range<usize>,
    /// The two, the outer one first.
    opened: [Open; 2],
    /// Elements open around it. Fewer are allowed, more might be too many.
    depth: usize,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    name: (u32, u32),
    el: El,
    /// Whether this element brought declarations of its own.
    scoped: bool,
}

/// A name met before in the present scope, by its place.
#[derive(Debug, Clone, Copy)]
struct Slot {
    start: u32,
    length: u32,
    el: El,
}

pub(crate) struct Scan<'a> {
    source: &'a [u8],
    position: usize,
    open: Vec<Open>,
    scopes: Vec<Arc<Scope>>,
    cache: [Slot; SLOTS],
    /// The next place that may be a declaration of a namespace; beyond the source if there is none before `looked`.
    next_declaration: usize,
    looked: usize,
}

impl<'a> Scan<'a> {
    /// All offsets are from the start of `source`, which has to be UTF-8.
    pub(crate) fn new(source: &'a [u8], scope: Arc<Scope>) -> Self {
        let mut scan = Self {
            source,
            position: 0,
            open: Vec::with_capacity(16),
            scopes: vec![scope],
            cache: [Slot { start: 0, length: 0, el: El::Other }; SLOTS],
            next_declaration: usize::MAX,
            looked: 0,
        };
        if source.starts_with(b"\xEF\xBB\xBF") {
            scan.position = 3;
        }
        scan
    }

    pub(crate) fn source(&self) -> &'a [u8] {
        self.source
    }

    pub(crate) fn slice(&self, span: Range<usize>) -> &'a [u8] {
        self.source.part(span)
    }

    /// Characters of the source, between tags that were read.
    pub(crate) fn text(&self, span: Range<usize>) -> &'a str {
        std::str::from_utf8(self.slice(span))
            .expect("a part is known to be UTF-8, and a tag ends between characters")
    }

    /// Elements open at this point.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn scope(&self) -> &Arc<Scope> {
        // The outermost scope is never popped.
        self.scopes.last().unwrap_or(&self.scopes[0])
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// The characters up to the next tag, which are passed.
    pub(crate) fn characters(&mut self) -> &'a [u8] {
        let rest = self.source.left(self.position);
        let length = memchr::memchr(b'<', rest).unwrap_or(rest.len());
        self.position += length;
        rest.part(..length)
    }

    /// The two innermost elements, if neither brought declarations.
    pub(crate) fn innermost(&self) -> Option<Names> {
        match self.open.as_slice() {
            [.., outer, inner] if !outer.scoped && !inner.scoped => Some(Names([inner.name, outer.name])),
            _ => None,
        }
    }

    pub(crate) fn same_names(&self, a: &Names, b: &Names) -> bool {
        let name = |(start, length): (u32, u32)| self.slice(start as usize..start as usize + length as usize);
        a.0.iter().zip(&b.0).all(|(a, b)| a == b || name(*a) == name(*b))
    }

    /// Passes the same bytes over as stand at `span`, if they are here. There they led from inside two elements called
    /// `names` to inside two of the same names, without declarations, so they do that here, too.
    pub(crate) fn pass(&mut self, span: Range<usize>, names: &Names) -> bool {
        let end = self.position + span.len();
        let same = self.source.get(self.position..end).is_some_and(|here| *here == *self.slice(span));
        // What may be a declaration in the text before counts for the next tag.
        let passes = same
            && !self.declares_before(end)
            && self.innermost().is_some_and(|now| self.same_names(&now, names));
        if passes {
            self.position = end;
        }
        passes
    }

    /// What has been walked since `from`, if that entered two elements and nothing else, without declarations.
    pub(crate) fn entry(&self, from: usize) -> Option<Entry> {
        let [.., outer, inner] = self.open.as_slice() else { return None };
        let plain = !outer.scoped && !inner.scoped;
        let span = from..self.position;
        let inside = outer.name.0 as usize > from;
        // A declaration makes the same bytes mean something else, also one of an element that was left again.
        let declares = DECLARATION.is_in(self.slice(span.clone()));
        let depth = self.open.len() - 2;
        (plain && inside && !declares).then_some(Entry { span, opened: [*outer, *inner], depth })
    }

    /// Passes the same bytes over as stood there, if they are here, in the same scope; so the same two elements are
    /// open.
    pub(crate) fn enter(&mut self, entry: &Entry) -> bool {
        let end = self.position + entry.span.len();
        let same =
            self.source.get(self.position..end).is_some_and(|here| *here == *self.slice(entry.span.clone()));
        if !same || self.declares_before(end) || self.open.len() > entry.depth {
            return false;
        }
        let moved = self.position as u32;
        let from = entry.span.start as u32;
        self.open.extend(
            entry.opened.map(|open| Open { name: (open.name.0 - from + moved, open.name.1), ..open }),
        );
        self.position = end;
        true
    }

    /// The next piece; comments and instructions are passed over.
    pub(crate) fn next(&mut self) -> Result<Option<ScanEvent>, XmlError> {
        loop {
            let start = self.position;
            match self.source.get(start) {
                None => {
                    return match self.open.last() {
                        Some(open) => Err(malformed(open.name.0 as usize, "an element is not closed")),
                        None => Ok(None),
                    };
                }
                Some(b'<') => {}
                Some(_) => {
                    let rest = self.source.left(start);
                    let end = start + memchr::memchr(b'<', rest).unwrap_or(rest.len());
                    self.position = end;
                    return Ok(Some(ScanEvent::Text(start, end)));
                }
            }
            match self.source.get(start + 1) {
                Some(b'/') => return self.end_tag(start).map(Some),
                Some(b'!') => {
                    if let Some(cdata) = self.declaration(start)? {
                        return Ok(Some(cdata));
                    }
                }
                Some(b'?') => {
                    self.position = self.find(start + 2, b"?>", "an instruction is not closed")? + 2
                }
                _ => return self.start_tag(start).map(Some),
            }
        }
    }

    /// Moves behind the element whose start tag was just read, and answers that place. Nesting is checked by
    /// count alone: what is inside is for others to read.
    pub(crate) fn skip(&mut self) -> Result<usize, XmlError> {
        let Some(opened) = self.open.pop() else {
            return Err(malformed(self.position, "nothing to skip"));
        };
        let mut depth = 1usize;
        let mut position = self.position;
        while depth > 0 {
            let rest = self.source.left(position);
            let Some(found) = memchr::memchr(b'<', rest).map(|at| position + at) else {
                return Err(malformed(opened.name.0 as usize, "an element is not closed"));
            };
            position = match self.source.get(found + 1) {
                Some(b'/') => {
                    depth -= 1;
                    let rest = self.source.left(found);
                    let close = memchr::memchr(b'>', rest);
                    found + close.ok_or_else(|| malformed(found, "a tag is not closed"))? + 1
                }
                Some(b'!') => {
                    self.declaration(found)?;
                    self.position
                }
                Some(b'?') => self.find(found + 2, b"?>", "an instruction is not closed")? + 2,
                _ => {
                    let (end, empty) = self.tag_end(found, found + 1)?;
                    depth += usize::from(!empty);
                    if self.open.len() + depth > DEEPEST {
                        return Err(too_deep(found));
                    }
                    end
                }
            };
        }
        if opened.scoped {
            self.scopes.truncate(self.scopes.len().saturating_sub(1).max(1));
            self.forget();
        }
        self.position = position;
        if self.declares_before(position) {
            self.look_from(position);
        }
        Ok(position)
    }

    fn start_tag(&mut self, start: usize) -> Result<ScanEvent, XmlError> {
        let rest = self.source.left(start + 1);
        let length = rest
            .iter()
            .position(|byte| matches!(byte, b'>' | b' ' | b'/' | b'\t' | b'\r' | b'\n'))
            .ok_or_else(|| malformed(start, "a tag is not closed"))?;
        if length == 0 {
            return Err(malformed(start, "a name is missing"));
        }
        let name_end = start + 1 + length;
        let (end, empty) = self.tag_end(start, name_end)?;
        let scoped = self.declares_before(end);
        if scoped {
            let scope = self.scope().with(self.slice(start..end));
            self.scopes.push(Arc::new(scope));
            self.forget();
            self.look_from(end);
        }
        let el = self.resolve(start + 1, length);
        self.position = end;
        let tag = Tag { el, start, end };
        if empty {
            if scoped {
                self.scopes.pop();
                self.forget();
            }
            return Ok(ScanEvent::Empty(tag));
        }
        if self.open.len() >= DEEPEST {
            return Err(too_deep(start));
        }
        self.open.push(Open { name: (start as u32 + 1, length as u32), el, scoped });
        Ok(ScanEvent::Start(tag))
    }

    fn end_tag(&mut self, start: usize) -> Result<ScanEvent, XmlError> {
        let Some(open) = self.open.pop() else {
            return Err(malformed(start, "an end tag without a start tag"));
        };
        let (from, length) = (open.name.0 as usize, open.name.1 as usize);
        let close = start + 2 + length;
        let same = self.source.get(start + 2..close) == self.source.get(from..from + length);
        let mut end = close;
        while matches!(self.source.get(end), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            end += 1;
        }
        if !same || self.source.get(end) != Some(&b'>') {
            return Err(malformed(start, "an end tag does not match its start tag"));
        }
        if open.scoped {
            self.scopes.pop();
            self.forget();
        }
        self.position = end + 1;
        Ok(ScanEvent::End(Tag { el: open.el, start, end: end + 1 }))
    }

    /// End of the tag, and whether it closes itself. `>` may stand in an attribute value.
    fn tag_end(&self, start: usize, from: usize) -> Result<(usize, bool), XmlError> {
        let rest = self.source.left(from);
        // Most tags have no attributes.
        match rest {
            [b'>', ..] => return Ok((from + 1, false)),
            [b'/', b'>', ..] => return Ok((from + 2, true)),
            _ => {}
        }
        let close = memchr::memchr(b'>', rest).ok_or_else(|| malformed(start, "a tag is not closed"))?;
        let tag = rest.part(..close);
        let (tag, empty) = match tag {
            [tag @ .., b'/'] => (tag, true),
            tag => (tag, false),
        };
        // The first `>` ends the tag if no value is open there. Behind a double quote that closes a value none
        // is, unless single quotes are about; one that opens a value stands behind its equals sign.
        let plain = match tag {
            [] => true,
            [.., before, b'"'] if *before != b'=' => memchr::memchr(b'\'', tag).is_none(),
            _ => memchr::memchr2(b'"', b'\'', tag).is_none(),
        };
        if plain { Ok((from + close + 1, empty)) } else { self.tag_end_slowly(start, from) }
    }

    fn tag_end_slowly(&self, start: usize, from: usize) -> Result<(usize, bool), XmlError> {
        let mut position = from;
        let mut quote = 0u8;
        for byte in self.source.left(from) {
            position += 1;
            if quote != 0 {
                if *byte == quote {
                    quote = 0;
                }
            } else if *byte == b'>' {
                let empty = position >= 2 && self.source.get(position - 2) == Some(&b'/');
                return Ok((position, empty));
            } else if *byte == b'"' || *byte == b'\'' {
                quote = *byte;
            }
        }
        Err(malformed(start, "a tag is not closed"))
    }

    /// Passes a comment over, or answers a CDATA section.
    fn declaration(&mut self, start: usize) -> Result<Option<ScanEvent>, XmlError> {
        let rest = self.source.left(start);
        if rest.starts_with(b"<!--") {
            self.position = self.find(start + 4, b"-->", "a comment is not closed")? + 3;
            return Ok(None);
        }
        if rest.starts_with(b"<![CDATA[") {
            let close = self.find(start + 9, b"]]>", "a CDATA section is not closed")?;
            self.position = close + 3;
            return Ok(Some(ScanEvent::Cdata(start + 9, close)));
        }
        let fault = XmlFault::Unsupported;
        Err(XmlError { offset: start, what: "a document type declaration", fault })
    }

    fn find(&self, from: usize, what: &[u8], otherwise: &'static str) -> Result<usize, XmlError> {
        let rest = self.source.left(from);
        memchr::memmem::find(rest, what).map(|at| from + at).ok_or_else(|| malformed(from, otherwise))
    }

    /// Whether what may be a declaration stands before `end`.
    fn declares_before(&mut self, end: usize) -> bool {
        while self.next_declaration == usize::MAX && self.looked < end.min(self.source.len()) {
            // One may begin in what was looked at and end here.
            let from = self.looked.saturating_sub(DECLARATION.length() - 1);
            let to = self.source.len().min(self.looked + AHEAD);
            let found = DECLARATION.find(self.slice(from..to));
            self.next_declaration = found.map_or(usize::MAX, |at| from + at);
            self.looked = to;
        }
        self.next_declaration < end
    }

    /// Those before `from`, the end of a tag, are done with.
    fn look_from(&mut self, from: usize) {
        (self.next_declaration, self.looked) = (usize::MAX, from);
    }

    fn resolve(&mut self, start: usize, length: usize) -> El {
        let name = self.slice(start..start + length);
        let last = name.last().copied().unwrap_or(0) as usize;
        let middle = name.get(length / 2).copied().unwrap_or(0) as usize;
        let index = (length.wrapping_mul(31) ^ last.wrapping_mul(7) ^ middle.wrapping_mul(3)) % SLOTS;
        if let Some(slot) = self.cache.get(index)
            && slot.length as usize == length
            && self.slice(slot.start as usize..slot.start as usize + length) == name
        {
            return slot.el;
        }
        let el = self.scope().element(name);
        if let Some(slot) = self.cache.get_mut(index) {
            *slot = Slot { start: start as u32, length: length as u32, el };
        }
        el
    }

    fn forget(&mut self) {
        self.cache = [Slot { start: 0, length: 0, el: El::Other }; SLOTS];
    }
}

pub(crate) fn malformed(offset: usize, what: &'static str) -> XmlError {
    XmlError { offset, what, fault: XmlFault::Malformed }
}

fn too_deep(offset: usize) -> XmlError {
    XmlError { offset, what: "elements are nested too deeply", fault: XmlFault::Limit(DEEPEST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(source: &str) -> Result<Vec<String>, XmlError> {
        let mut scan = Scan::new(source.as_bytes(), Arc::new(Scope::usual()));
        let mut seen = Vec::new();
        while let Some(piece) = scan.next()? {
            seen.push(match piece {
                ScanEvent::Start(tag) => format!("+{:?}", tag.el),
                ScanEvent::Empty(tag) => format!("={:?}", tag.el),
                ScanEvent::End(tag) => format!("-{:?}", tag.el),
                ScanEvent::Text(start, end) => source[start..end].to_owned(),
                ScanEvent::Cdata(start, end) => format!("[{}]", &source[start..end]),
            });
        }
        Ok(seen)
    }

    #[test]
    fn pieces_come_in_order_with_their_meaning() {
        let seen = walk("<w:p a='>'><!-- <w:r> --><w:t >x</w:t ><w:br/><![CDATA[<y>]]></w:p>").unwrap();
        assert_eq!(seen.join(" "), "+P +T x -T =Br [<y>] -P");
    }

    #[test]
    fn a_tag_ends_behind_its_values_whatever_is_in_them() {
        for tag in [
            "<w:p a=\">\">",
            "<w:p a='\">'>",
            "<w:p a=\"x>y\" b='>'>",
            "<w:p a=\"\">",
            "<w:p a=\"'\" b=\">\" >",
            "<w:p a=\"/>\"\n>",
            "<w:p a='=\">'>",
            "<w:p a=\"=\">",
        ] {
            assert_eq!(walk(&format!("{tag}<w:br/></w:p>")).unwrap().join(" "), "+P =Br -P", "{tag}");
            assert_eq!(
                walk(&format!("{}/><w:br/>", tag.strip_suffix('>').unwrap())).unwrap().join(" "),
                "=P =Br",
                "{tag}"
            );
        }
    }

    #[test]
    fn a_declaration_counts_for_its_element_only() {
        let w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
        let seen =
            walk(&format!("<x><q:p xmlns:q='{w}'><q:t/><w:t/></q:p><q:p/><w:p xmlns:w='urn:x'/><w:p/></x>"));
        assert_eq!(seen.unwrap().join(" "), "+Other +P =T =T -P =Other =Other =P -Other");
    }

    #[test]
    fn declarations_are_found_wherever_they_stand() {
        let w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
        let declared = format!("<q:p  xmlns:q='{w}'><q:t/></q:p>");
        for gap in (AHEAD - 30..AHEAD + 30).chain(2 * AHEAD - 12..2 * AHEAD) {
            let seen = walk(&format!("<x><w:t>{}</w:t>{declared}{declared}<q:t/></x>", "-".repeat(gap)));
            let seen = seen.unwrap().into_iter().filter(|piece| !piece.starts_with("--"));
            let seen = seen.collect::<Vec<_>>().join(" ");
            assert_eq!(seen, "+Other +T -T +P =T -P +P =T -P =Other -Other", "{gap}");
        }
    }

    #[test]
    fn what_does_not_nest_is_refused() {
        for bad in
            ["<w:p>", "<w:p></w:r>", "</w:p>", "<w:p", "<!DOCTYPE a>", "<w:p><![CDATA[</w:p>", "< w:p/>"]
        {
            assert!(walk(bad).is_err(), "{bad}");
        }
        assert!(walk(&format!("{}{}", "<w:p>".repeat(300), "</w:p>".repeat(300))).is_err());
    }
}
