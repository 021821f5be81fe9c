//! Edits tried out one after the other, for requests whose later steps speak of what the earlier ones left.

use std::fmt;

use edit::{Batch, Context, Patch, Refusal};

use crate::edits::{Change, changes};
use crate::formats::Opens;
use crate::workspace::Snapshot;

/// A revision and what edits would make of it. Nothing of it reaches the document.
pub struct Rehearsal<F: Opens> {
    before: Snapshot<F>,
    after: Snapshot<F>,
    patch: Patch,
    cx: Context,
}

impl<F: Opens> fmt::Debug for Rehearsal<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rehearsal").field("patch", &self.patch).finish_non_exhaustive()
    }
}

impl<F: Opens> Rehearsal<F> {
    pub(crate) fn new(before: Snapshot<F>, cx: Context) -> Self {
        Self { after: before.clone(), before, patch: Patch::new(), cx }
    }

    /// The document as it would be.
    pub fn view(&self) -> &F::View {
        &self.after.view
    }

    /// Makes an edit of what the ones before it left.
    pub fn make(&mut self, edit: &F::Edit) -> Result<F::Outcome, Refusal> {
        let Snapshot { revision, content, view, .. } = &self.after;
        let edits = std::slice::from_ref(edit);
        let batch = edit::plan::<F>(content, view.clone(), *revision, edits, &self.cx)?;
        self.patch = self.patch.then(&batch.plan.patch());
        let Batch { outcomes, content, view, .. } = batch;
        self.after = Snapshot { content, view, ..self.after.clone() };
        outcomes.into_iter().next().ok_or_else(|| Refusal::internal("an edit without an outcome"))
    }

    /// All edits together, in bytes of the revision they started from.
    pub fn changes(&self) -> Result<Vec<Change>, Refusal> {
        changes(&self.patch, &self.before.content)
    }
}
