//! Edits tried out one after the other, for requests whose later steps speak of what the earlier ones left.

use std::fmt;

use edit::{Context, Draft, Refusal, Shown};

use crate::desk::workspace::Snapshot;
use crate::document::edits::{Change, changes};
use crate::document::formats::Opens;

/// A revision and what edits would make of it. Nothing of it reaches the document.
pub struct Rehearsal<F: Opens> {
    before: Snapshot<F>,
    after: Draft<F>,
    cx: Context,
}

impl<F: Opens> fmt::Debug for Rehearsal<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rehearsal").field("steps", &self.after.steps()).finish_non_exhaustive()
    }
}

impl<F: Opens> Rehearsal<F> {
    pub(crate) fn new(before: Snapshot<F>, cx: Context) -> Self {
        Self { after: Draft::new(before.content.clone(), before.view.clone()), before, cx }
    }

    /// The document as it would be.
    pub fn view(&self) -> &F::View {
        self.after.view()
    }

    /// Makes an edit of what the ones before it left.
    pub fn make(&mut self, edit: &F::Edit) -> Result<F::Outcome, Refusal> {
        let (made, outcome) = self.after.fork().make(edit, &self.cx)?;
        let (made, _) = made.settle(&self.cx)?;
        self.after.join(made);
        Ok(outcome)
    }

    /// All edits together, as people read them.
    pub fn shown(&self) -> Result<Vec<Shown>, Refusal> {
        F::shown(&self.before.view, self.after.view(), &self.after.patch())
    }

    /// All edits together, in bytes of the revision they started from.
    pub fn changes(&self) -> Result<Vec<Change>, Refusal> {
        changes(&self.after.patch(), &self.before.content)
    }
}
