//! What operations do with a draft besides.

use edit::{Note, Planned};

use super::Scope;
use super::place::Places;
use crate::document::span::Span;
use crate::edits::Draft;
use crate::edits::outcome::{Answer, Outcome};

impl Draft<'_> {
    /// An operation on the selection where nobody selected anything works somewhere, and says where.
    pub(crate) fn note_selection(&mut self, scope: &Scope, places: &Places) {
        if let Some(Note { level, text }) = places.no_selection(scope) {
            self.note(level, text);
        }
    }

    pub(crate) fn done(self, summary: String, answer: Answer<Span>) -> Planned<Outcome> {
        Planned { step: self.finish(summary), outcome: Outcome::Op { answer } }
    }
}
