//! A document in the making.
//!
//! Planning, staging, rehearsing and deciding all do the same three things: make a step, take the view along, and
//! remember the step for the patch of all. They are here once. A draft that is refused is gone, because its view was
//! handed over; whoever wants to go back tries on a fork ([`Draft::fork`]).

use crate::{Batch, Content, Context, Format, Lost, Patch, Plan, Planned, Refusal, RevisionId, Step};

/// A content with its view, and the steps that led to it.
#[expect(missing_debug_implementations, reason = "views are large and have no form worth printing")]
pub struct Draft<F: Format> {
    content: Content,
    view: F::View,
    steps: Vec<Step>,
}

impl<F: Format> Draft<F> {
    /// `view` shows `content`.
    pub fn new(content: Content, view: F::View) -> Self {
        Self { content, view, steps: Vec::new() }
    }

    pub fn content(&self) -> &Content {
        &self.content
    }

    pub fn view(&self) -> &F::View {
        &self.view
    }

    /// Each on the result of the last.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// All steps as one.
    pub fn patch(&self) -> Patch {
        joined(&self.steps)
    }

    /// An empty draft on what this one leaves. [`Draft::join`] takes it over; dropping it goes back.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::new(self.content.clone(), self.view.clone())
    }

    /// Go on where a fork of this draft ends.
    pub fn join(&mut self, fork: Self) {
        self.content = fork.content;
        self.view = fork.view;
        self.steps.extend(fork.steps);
    }

    /// An edit that was anchored where the draft began, as it reads now.
    pub fn carry(&self, edit: &F::Edit) -> Result<F::Edit, Lost> {
        carry::<F>(edit, self.steps.iter().map(|step| &step.patch))
    }

    /// Take a step. The view is handed over, so that an engine can change it in place where nobody shares it.
    pub fn take(mut self, step: Step) -> Result<Self, Refusal> {
        if !step.patch.is_empty() {
            self.content = step.patch.apply(&self.content)?;
            self.view = F::view_after(self.view, &step.patch, &self.content)?;
        }
        self.steps.push(step);
        Ok(self)
    }

    /// Make an edit of what the draft shows now.
    pub fn make(self, edit: &F::Edit, cx: &Context) -> Result<(Self, F::Outcome), Refusal> {
        cx.stop.check()?;
        F::make(self, edit, cx)
    }

    /// Make an edit in the one step that it is planned as.
    pub fn make_planned(self, edit: &F::Edit, cx: &Context) -> Result<(Self, F::Outcome), Refusal> {
        let Planned { step, outcome } = F::plan(&self.view, edit, cx)?;
        cx.stop.check()?;
        Ok((self.take(step)?, outcome))
    }

    /// Make edits of which each speaks of what the one before it left, all or none.
    pub fn make_in_turn(
        mut self,
        edits: &[F::Edit],
        cx: &Context,
    ) -> Result<(Self, Vec<F::Outcome>), Refusal> {
        let mut outcomes = Vec::with_capacity(edits.len());
        for (index, edit) in edits.iter().enumerate() {
            let (next, outcome) = self.make(edit, cx).map_err(|cause| cause.in_batch(index, edits.len()))?;
            self = next;
            outcomes.push(outcome);
        }
        Ok((self, outcomes))
    }

    /// Make anchored edits that all speak of what the draft shows now, each carried over what those before it did,
    /// all or none.
    pub fn make_together(self, edits: &[F::Edit], cx: &Context) -> Result<(Self, Vec<F::Outcome>), Refusal> {
        let mut outcomes = Vec::with_capacity(edits.len());
        let from = self.steps.len();
        let mut draft = self;
        for (index, edit) in edits.iter().enumerate() {
            let in_batch = |cause: Refusal| cause.in_batch(index, edits.len());
            let since = draft.steps.iter().skip(from).map(|step| &step.patch);
            let edit = carry::<F>(edit, since).map_err(|lost| {
                in_batch(Refusal::Unsafe {
                    why: format!("it and an earlier edit of the batch change the same place ({})", lost.why),
                    instead: Some("make one edit of the two".into()),
                })
            })?;
            let (next, outcome) = draft.make(&edit, cx).map_err(in_batch)?;
            draft = next;
            outcomes.push(outcome);
        }
        Ok((draft, outcomes))
    }

    /// Make anchored edits of what the draft shows now in one step. `None` leaves the draft as it was; see
    /// [`Format::plan_at_once`].
    pub fn make_at_once(&mut self, edits: &[&F::Edit], cx: &Context) -> Option<()> {
        let step = F::plan_at_once(&self.view, edits, cx)?;
        let made = self.fork().take(step).ok()?;
        self.join(made);
        Some(())
    }

    /// Make the document whole again; answers what was found on the way.
    pub fn settle(mut self, cx: &Context) -> Result<(Self, F::Settled), Refusal> {
        cx.stop.check()?;
        let settlement = F::settle(&self.view, cx)?;
        if let Some(step) = &settlement.step
            && !step.patch.is_empty()
        {
            self.content = step.patch.apply(&self.content)?;
        }
        self.view = F::view_settled(self.view, &settlement, &self.content)?;
        self.steps.extend(settlement.step);
        Ok((self, settlement.found))
    }

    pub fn into_parts(self) -> (Content, F::View, Vec<Step>) {
        (self.content, self.view, self.steps)
    }

    /// The draft as a plan on `base`, which is where it began.
    pub fn finish(
        self,
        base: RevisionId,
        mut outcomes: Vec<F::Outcome>,
        settled: F::Settled,
    ) -> Result<Batch<F>, Refusal> {
        let Self { content, view, steps } = self;
        F::report(&mut outcomes, &settled, &view)?;
        Ok(Batch { plan: Plan { base, steps }, outcomes, settled, content, view })
    }
}

/// An anchored edit as it reads after these patches.
pub fn carry<'a, F: Format>(
    edit: &F::Edit,
    patches: impl Iterator<Item = &'a Patch>,
) -> Result<F::Edit, Lost> {
    let mut edit = edit.clone();
    for patch in patches {
        edit = F::carry(&edit, patch)?;
    }
    Ok(edit)
}

/// All steps as one patch.
pub(crate) fn joined(steps: &[Step]) -> Patch {
    // In halves, because joining costs what both sides hold: a thousand edits one by one would cost half a million
    // splices.
    match steps {
        [] => Patch::new(),
        [only] => only.patch.clone(),
        many => {
            let (first, second) = many.split_at(many.len() / 2);
            joined(first).then(&joined(second))
        }
    }
}
