//! Edits that all speak of the same revision, planned one after the other.
//!
//! `edit::plan` gives each edit the result of the last, which is right for edits that build on one another.
//! A batch from an agent names what it saw in one reading: so each edit is fixed in that reading first, and
//! carried over what the edits before it did.

use edit::{Batch, Content, Context, Lost, Patch, Plan, Planned, Refusal, RevisionId, Step};

use crate::formats::Opens;

/// Plan anchored edits of one revision together, all or none.
pub(crate) fn together<F: Opens>(
    content: &Content,
    view: F::View,
    base: RevisionId,
    edits: &[F::Edit],
    cx: &Context,
) -> Result<Batch<F>, Refusal> {
    let (mut content, mut view) = (content.clone(), view);
    let mut steps: Vec<Step> = Vec::with_capacity(edits.len());
    let mut outcomes = Vec::with_capacity(edits.len());
    for (index, edit) in edits.iter().enumerate() {
        let in_batch = |cause: Refusal| cause.in_batch(index, edits.len());
        let edit = carry_one::<F>(edit, steps.iter().map(|step| &step.patch)).map_err(|lost| {
            in_batch(Refusal::Unsafe {
                why: format!("it and an earlier edit of the batch change the same place ({})", lost.why),
                instead: Some("make one edit of the two".into()),
            })
        })?;
        let Planned { step, outcome } = F::plan(&view, &edit, cx).map_err(in_batch)?;
        (content, view) = advance::<F>(content, view, &step).map_err(in_batch)?;
        steps.push(step);
        outcomes.push(outcome);
    }
    if let Some(step) = F::settle(&view, cx)? {
        (content, view) = advance::<F>(content, view, &step)?;
        steps.push(step);
    }
    Ok(Batch { plan: Plan { base, steps }, outcomes, content, view })
}

/// Edits as they read after these patches.
pub(crate) fn carried<'a, F: Opens>(
    edits: &[F::Edit],
    patches: impl Iterator<Item = &'a Patch> + Clone,
) -> Result<Vec<F::Edit>, Lost> {
    edits.iter().map(|edit| carry_one::<F>(edit, patches.clone())).collect()
}

fn carry_one<'a, F: Opens>(
    edit: &F::Edit,
    patches: impl Iterator<Item = &'a Patch>,
) -> Result<F::Edit, Lost> {
    let mut edit = edit.clone();
    for patch in patches {
        edit = F::carry(&edit, patch)?;
    }
    Ok(edit)
}

pub(crate) fn advance<F: Opens>(
    content: Content,
    view: F::View,
    step: &Step,
) -> Result<(Content, F::View), Refusal> {
    if step.patch.is_empty() {
        return Ok((content, view));
    }
    let content = step.patch.apply(&content)?;
    let view = F::view_after(view, &step.patch, &content)?;
    Ok((content, view))
}
