//! Markup that was walked before.
//!
//! Most bytes of a document stand between the text of one run and that of the next: the end tags of one, the start
//! tags and the properties of the other, and they are the same few spellings thousands of times. A spelling that
//! was walked once, tag by tag, and left everything as it had been, is passed over by comparing bytes when it comes
//! again at the same place in the tree.

use std::ops::Range;
use std::sync::Arc;

use crate::document::finders::DECLARATION;
use crate::document::memory::Memory;
use crate::document::names::{El, Scope};
use crate::document::scan::{Names, Scan};

/// Spellings that are remembered. Comparing with more of them costs about as much as walking.
pub(super) const MOST: usize = 4;

#[derive(Debug)]
pub(super) struct Between {
    known: Memory<Known>,
    /// What has been walked since the last text.
    walked: Option<Walked>,
}

#[derive(Debug)]
struct Known {
    /// One place where it stands.
    span: Range<usize>,
    names: Names,
    scope: Arc<Scope>,
    /// Elements open around it. Fewer are allowed, more might be too many.
    depth: usize,
}

#[derive(Debug, Clone)]
struct Walked {
    from: usize,
    names: Names,
    depth: usize,
    step: Step,
}

/// Only this order is remembered, in which nothing but runs is left and entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Text,
    RunEnded,
    RunBegan,
    Properties,
}

impl Between {
    pub(super) fn new(most: usize) -> Self {
        Self { known: Memory::of(most), walked: None }
    }

    /// A text ended, and the scan stands before the tag behind it.
    pub(super) fn text_ended(&mut self, scan: &Scan<'_>) {
        let names = scan.innermost();
        self.walked =
            names.map(|names| Walked { from: scan.position(), names, depth: scan.depth(), step: Step::Text });
    }

    /// A start tag outside texts was walked, and properties with theirs.
    pub(super) fn began(&mut self, el: El) {
        self.walked = self.walked.take().and_then(|walked| {
            let step = match (walked.step, el) {
                (Step::RunEnded, El::R) => Step::RunBegan,
                (Step::RunBegan, El::RPr) => Step::Properties,
                // Looked at by `text_began`.
                (Step::RunBegan | Step::Properties, El::T) => walked.step,
                _ => return None,
            };
            Some(Walked { step, ..walked })
        });
    }

    pub(super) fn ended(&mut self, el: El) {
        self.walked = self.walked.take().and_then(|walked| {
            let fits = walked.step == Step::Text && el == El::R;
            fits.then_some(Walked { step: Step::RunEnded, ..walked })
        });
    }

    /// Something else was met.
    pub(super) fn broken(&mut self) {
        self.walked = None;
    }

    /// A text begins, and the scan stands behind its tag.
    pub(super) fn text_began(&mut self, scan: &Scan<'_>) {
        let Some(Walked { from, names, depth, step }) = self.walked.take() else { return };
        let span = from..scan.position();
        let same = scan.depth() == depth && scan.innermost().is_some_and(|now| scan.same_names(&now, &names));
        // A declaration makes the same bytes mean something else.
        let plain = !DECLARATION.is_in(scan.slice(span.clone()));
        if !same || !plain || !matches!(step, Step::RunBegan | Step::Properties) {
            return;
        }
        self.known.add(Known { span, names, scope: Arc::clone(scan.scope()), depth });
    }

    /// Passes a spelling over that is known, from behind one text to the beginning of the next.
    pub(super) fn pass(&mut self, scan: &mut Scan<'_>) -> bool {
        let fits = |known: &Known| {
            known.depth >= scan.depth()
                && Arc::ptr_eq(&known.scope, scan.scope())
                && scan.pass(known.span.clone(), &known.names)
        };
        self.known.meet(fits).is_some()
    }
}
