//! What most characters of a paragraph look like.
//!
//! Naming the looks of a document asks this of each of its paragraphs, and most of their bytes stand between the text
//! of one run and that of the next, in the same few spellings. Each spelling is walked once, tag by tag; where it comes
//! again, comparing bytes tells which properties follow it.

use std::sync::Arc;

use edit::Cut;

use crate::document::finders::DECLARATION;
use crate::document::index::{Part, Spellings};
use crate::document::memory::Memory;
use crate::document::names::{El, Scope};
use crate::document::scan::{Scan, ScanEvent, Tag};

/// Spellings between texts that are remembered.
const MOST: usize = 16;

#[derive(Debug)]
pub(super) struct Dominant {
    /// `w:rPr` as written.
    spellings: Spellings,
    joints: Memory<Joint>,
    /// What the prefixes meant where the joints stand.
    scope: Option<Arc<Scope>>,
}

/// The bytes from the end of a text, or of the paragraph's start tag, to the beginning of the next text or the end of
/// the paragraph.
#[derive(Debug)]
struct Joint {
    bytes: Box<[u8]>,
    /// Those of the run behind it; `None` if it leads to no run, and those before it go on.
    properties: Option<u32>,
    /// Whether it leads to the end of the paragraph.
    ends: bool,
}

/// Characters by the number of their properties, in the order in which these are first met.
#[derive(Debug, Default)]
struct Tally(Vec<(u32, usize)>);

impl Tally {
    fn add(&mut self, properties: u32, length: usize) {
        match self.0.iter_mut().find(|(known, _)| *known == properties) {
            Some((_, count)) => *count += length,
            None => self.0.push((properties, length)),
        }
    }

    /// The first of equals, so that the answer does not hang on how a sort treats ties.
    fn most(&self) -> u32 {
        let mut best = (0, 0);
        for (properties, count) in &self.0 {
            if *count > best.1 {
                best = (*properties, *count);
            }
        }
        best.0
    }
}

impl Dominant {
    pub(super) fn new() -> Self {
        Self::remembering(MOST)
    }

    fn remembering(most: usize) -> Self {
        Self { spellings: Spellings::default(), joints: Memory::of(most), scope: None }
    }

    pub(super) fn spelling(&self, number: u32) -> &[u8] {
        self.spellings.get(number)
    }

    /// The number of the `w:rPr` that most characters of a paragraph have; 0 if they have none.
    pub(super) fn of(&mut self, part: &Part, index: usize) -> u32 {
        let source = part.blob.slice(part.paragraphs.span(index));
        let scope = part.scope(index);
        if self.scope.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &scope)) {
            self.joints.clear();
            self.scope = Some(Arc::clone(&scope));
        }
        match self.compared(&source) {
            Some(number) => number,
            None => self.walked(&source, scope),
        }
    }

    /// The answer, if all of the paragraph's markup is known.
    fn compared(&mut self, source: &[u8]) -> Option<u32> {
        let begin = memchr::memchr(b'>', source)? + 1;
        if DECLARATION.is_in(source.get(..begin)?) {
            return None;
        }
        // Should a value in the start tag have held that `>`, no joint follows: they begin with `<`, and values have
        // none.
        let mut rest = source.get(begin..)?;
        let mut tally = Tally::default();
        let mut current = 0;
        while !rest.is_empty() {
            let joint = self.joints.meet(|joint| rest.starts_with(&joint.bytes))?;
            current = joint.properties.unwrap_or(current);
            rest = rest.get(joint.bytes.len()..)?;
            if joint.ends != rest.is_empty() {
                return None;
            }
            let length = memchr::memchr(b'<', rest).unwrap_or(rest.len());
            if length > 0 {
                tally.add(current, length);
                rest = rest.get(length..)?;
            }
        }
        Some(tally.most())
    }

    /// The answer tag by tag, remembering the markup between texts.
    fn walked(&mut self, source: &[u8], scope: Arc<Scope>) -> u32 {
        let mut scan = Scan::new(source, scope);
        let mut tally = Tally::default();
        let mut current = 0;
        let mut in_text = false;
        let mut from = None;
        // The properties that were met since `from`.
        let mut met = None;
        while let Ok(Some(piece)) = scan.next() {
            match piece {
                ScanEvent::Start(Tag { el: El::P, end, .. }) if scan.depth() == 1 => from = Some(end),
                ScanEvent::Start(tag) => match tag.el {
                    El::R => {
                        current = 0;
                        met = Some(0);
                    }
                    El::RPr if scan.depth() > 2 => {
                        let Ok(end) = scan.skip() else { break };
                        current = self.spellings.number(source.part(tag.start..end));
                        met = Some(current);
                    }
                    El::T => {
                        in_text = true;
                        self.remember(
                            from.take().and_then(|from| source.get(from..tag.end)),
                            met.take(),
                            false,
                        );
                    }
                    El::PPr | El::TxbxContent | El::Del | El::MoveFrom | El::Fallback
                        if scan.skip().is_err() =>
                    {
                        break;
                    }
                    _ => {}
                },
                ScanEvent::End(tag) if tag.el == El::T => {
                    in_text = false;
                    from = Some(tag.start);
                }
                ScanEvent::End(Tag { el: El::P, end, .. }) if scan.depth() == 0 => {
                    self.remember(from.take().and_then(|from| source.get(from..end)), met.take(), true);
                }
                ScanEvent::Text(start, end) | ScanEvent::Cdata(start, end) if in_text => {
                    tally.add(current, end - start)
                }
                _ => {}
            }
        }
        tally.most()
    }

    fn remember(&mut self, bytes: Option<&[u8]>, properties: Option<u32>, ends: bool) {
        let Some(bytes) = bytes else { return };
        // A declaration makes the same bytes mean something else.
        let plain = !DECLARATION.is_in(bytes);
        if plain && self.joints.meet(|joint| *joint.bytes == *bytes).is_none() {
            self.joints.add(Joint { bytes: bytes.into(), properties, ends });
        }
    }
}

#[cfg(test)]
mod tests;
