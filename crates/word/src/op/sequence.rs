//! Operations one after the other, each on what the one before it left: one change, made whole or not at all.

use std::convert::Infallible;

use edit::{Context, Gravity, Patch, Planned, Refusal};

use super::execute::{anchor, plan};
use super::place::Places;
use super::{Op, Operation};
use crate::document::span::Span;
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::outcome::Answer;
use crate::edits::{Markup, Outcome};

pub(crate) fn plan_all(
    view: &View,
    operations: &[Operation],
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let count = operations.len();
    let mut draft = Draft::new(view, Markup::Plain, cx);
    let mut answers: Vec<Answer<Span>> = Vec::with_capacity(count);
    let mut summaries: Vec<String> = Vec::new();
    let mut rest = operations.to_vec();
    rest.reverse();
    let mut selection = None;
    while let Some(operation) = rest.pop() {
        let index = answers.len();
        let in_batch = |cause: Refusal| cause.in_batch(index, count);
        let Planned { step, outcome } = plan(draft.view(), &operation, cx).map_err(in_batch)?;
        let Outcome::Op { answer } = outcome else {
            return Err(Refusal::internal("an operation without an answer"));
        };
        for earlier in &mut answers {
            *earlier = followed(earlier, &step.patch);
        }
        // Who selects, and then speaks of the selection, means the new one; who replaces what is selected, and goes on,
        // means what stands there now.
        let selects = match (&operation.op, &answer) {
            (Op::SetSelection(_), Answer::Selection { range, .. }) => Some(range.clone()),
            _ => None,
        };
        let written = match &answer {
            Answer::Text { range, .. } => Some(range.clone()),
            _ => None,
        };
        if let Some(selected) = &selects {
            selection = Some(selected.clone());
        } else if let Some(selected) = &mut selection {
            *selected = moved(selected, &step.patch, written.as_ref());
        }
        for later in &mut rest {
            later.places = carried(&later.places, &step.patch, written.as_ref());
            if let Some(selected) = &selects {
                later.places.selection = Some(selected.clone());
            }
        }
        draft.notes.extend(step.notes);
        draft.apply(&step.patch).map_err(in_batch)?;
        summaries.extend(Some(step.summary).filter(|summary| !summary.is_empty()));
        answers.push(answer);
    }
    let outcome = Outcome::Ops { answers, selection };
    let step = edit::Step { patch: draft.patch(), summary: summaries.join("; "), notes: draft.notes };
    Ok(Planned { step, outcome })
}

/// Fixes the first operation that changes something, and what is read before it; the others speak of what it leaves.
pub(crate) fn anchor_all(view: &View, operations: &[Operation]) -> Result<Vec<Operation>, Refusal> {
    let mut changed = false;
    let anchored = operations.iter().map(|operation| {
        let first = !changed;
        changed |= !operation.op.only_reads();
        if first { anchor(view, operation) } else { Ok(operation.clone()) }
    });
    anchored.collect()
}

/// Names whose text is gone are left out: an operation that needs one says so.
fn carried(places: &Places, patch: &Patch, written: Option<&Span>) -> Places {
    let named = places.named.iter().filter_map(|(id, span)| Some((id.clone(), span.carried(patch)?)));
    let selection = places.selection.as_ref().map(|selection| moved(selection, patch, written));
    Places { selection, named: named.collect() }
}

fn moved(selection: &Span, patch: &Patch, written: Option<&Span>) -> Span {
    selection.carried(patch).or_else(|| written.cloned()).unwrap_or_else(|| cursor(selection, patch))
}

fn cursor(span: &Span, patch: &Patch) -> Span {
    let at = patch.map(&span.part, span.start, Gravity::Left);
    Span { part: span.part.clone(), start: at, end: at }
}

/// An answer in the bytes of the document after a later operation.
fn followed(answer: &Answer<Span>, patch: &Patch) -> Answer<Span> {
    let follow =
        |span: Span, _| Ok::<Span, Infallible>(span.carried(patch).unwrap_or_else(|| cursor(&span, patch)));
    match answer.clone().map(follow) {
        Ok(answer) => answer,
        Err(never) => match never {},
    }
}
