//! How paragraphs begin.
//!
//! Between the start tag of a paragraph and its first text stand its properties and those of the first run: as what
//! stands [between](super::between) texts, in the same few spellings. One that was walked is passed over by comparing
//! bytes when another paragraph begins with it.

use std::sync::Arc;

use crate::document::memory::Memory;
use crate::document::names::{El, Scope};
use crate::document::scan::{Entry, Scan};

#[derive(Debug)]
pub(super) struct Openings {
    known: Memory<Known>,
    walked: Option<Walked>,
}

#[derive(Debug)]
struct Known {
    entry: Entry,
    scope: Arc<Scope>,
    /// The number of the paragraph's properties.
    properties: u32,
}

/// A paragraph that has begun and has no text yet.
#[derive(Debug, Clone, Copy)]
struct Walked {
    from: usize,
    properties: u32,
    step: Step,
}

/// Only this order is remembered: nothing is passed over that the index would note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Begun,
    Properties,
    Run,
    RunProperties,
}

impl Openings {
    pub(super) fn new(most: usize) -> Self {
        Self { known: Memory::of(most), walked: None }
    }

    /// A paragraph has begun, and the scan stands behind its tag: the number of its properties if it goes on in a way
    /// that is known. Then the scan stands in its first text.
    pub(super) fn pass(&mut self, scan: &mut Scan<'_>) -> Option<u32> {
        let fits = |known: &Known| Arc::ptr_eq(&known.scope, scan.scope()) && scan.enter(&known.entry);
        if let Some(known) = self.known.meet(fits) {
            self.walked = None;
            return Some(known.properties);
        }
        self.walked = Some(Walked { from: scan.position(), properties: 0, step: Step::Begun });
        None
    }

    /// The properties of the paragraph were walked.
    pub(super) fn properties(&mut self, number: u32) {
        self.walked = self.walked.take().and_then(|walked| {
            let first = walked.step == Step::Begun;
            first.then_some(Walked { properties: number, step: Step::Properties, ..walked })
        });
    }

    /// A start tag was walked, and properties with theirs.
    pub(super) fn began(&mut self, el: El) {
        self.walked = self.walked.take().and_then(|walked| {
            let step = match (walked.step, el) {
                // Told by `properties`.
                (Step::Begun, El::PPr) => walked.step,
                (Step::Begun | Step::Properties, El::R) => Step::Run,
                (Step::Run, El::RPr) => Step::RunProperties,
                // Looked at by `text_began`.
                (Step::Run | Step::RunProperties, El::T) => walked.step,
                _ => return None,
            };
            Some(Walked { step, ..walked })
        });
    }

    /// Something else was met.
    pub(super) fn broken(&mut self) {
        self.walked = None;
    }

    /// A text begins, and the scan stands behind its tag.
    pub(super) fn text_began(&mut self, scan: &Scan<'_>) {
        let Some(Walked { from, properties, step }) = self.walked.take() else { return };
        if matches!(step, Step::Run | Step::RunProperties)
            && let Some(entry) = scan.entry(from)
        {
            self.known.add(Known { entry, scope: Arc::clone(scan.scope()), properties });
        }
    }
}
