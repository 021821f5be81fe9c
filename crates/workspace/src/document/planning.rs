//! Edits that all speak of the same revision, planned one after the other.
//!
//! `edit::plan` gives each edit the result of the last, which is right for edits that build on one another.
//! A batch from an agent names what it saw in one reading: so each edit is fixed in that reading first, and
//! carried over what the edits before it did.

use edit::{Batch, Content, Context, Draft, Lost, Patch, Refusal, RevisionId};

use crate::document::formats::Opens;

/// Plan anchored edits of one revision together, all or none.
pub(crate) fn together<F: Opens>(
    content: &Content,
    view: F::View,
    base: RevisionId,
    edits: &[F::Edit],
    cx: &Context,
) -> Result<Batch<F>, Refusal> {
    let (draft, outcomes) = Draft::<F>::new(content.clone(), view).make_together(edits, cx)?;
    let (draft, settled) = draft.settle(cx)?;
    draft.finish(base, outcomes, settled)
}

/// Edits as they read after these patches.
pub(crate) fn carried<'a, F: Opens>(
    edits: &[F::Edit],
    patches: impl Iterator<Item = &'a Patch> + Clone,
) -> Result<Vec<F::Edit>, Lost> {
    edits.iter().map(|edit| edit::carry::<F>(edit, patches.clone())).collect()
}
