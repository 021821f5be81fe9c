//! One road for every edit: request, plan, and then one of three ends.

use std::ops::Range;

use edit::{Blob, Content, Context, Note, PartChange, PartName, Patch, Plan, Refusal, RevisionId};
use serde::Serialize;

use crate::caller::Role;
use crate::disk::journal::{PerformedAs, RequestName};
use crate::document::Document;
use crate::document::formats::Opens;
use crate::document::planning;
use crate::document::suggestions::Proposal;
use crate::ids::SuggestionId;

/// Who is asking, as suggestions and decisions remember it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Actor {
    /// As it appears in the document and in its history.
    pub(crate) name: String,
    /// Which caller; decisions about its suggestions are told to it.
    pub(crate) client: String,
    pub(crate) role: Role,
}

/// What becomes of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Applied, as far as the caller's policy lets it; otherwise tracked or staged.
    Apply,
    /// Staged for somebody to decide, whatever the policy says.
    Suggest,
    DryRun,
}

/// What the edits of one request speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// All of the base revision: ids and positions as they were read there.
    Together,
    /// Each of what the one before it left.
    InTurn,
}

/// Whether edits become tracked changes where the file wants them to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tracking {
    /// As the author of the file has switched it.
    #[default]
    AsTheFile,
    /// As the edits say.
    AsAsked,
}

/// How a request stands to what the author of the file switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    pub tracking: Tracking,
    /// Protection is set aside.
    pub override_protection: bool,
}

#[derive(Debug, Clone)]
pub struct EditRequest<E> {
    pub edits: Vec<E>,
    pub reading: Reading,
    /// The revision the edits were made for; the head if there is none.
    pub base: Option<RevisionId>,
    pub mode: Mode,
    pub tracking: Tracking,
    /// Protection by the author of the file is set aside, which the receipt tells.
    pub override_protection: bool,
    /// Suggestions with the same group are decided together.
    pub group: Option<String>,
    /// A request that is sent again under the same id is answered again, not made again.
    pub request: Option<String>,
    /// A print of what was asked for, where the same wish becomes other edits as the document changes. A request that is
    /// sent again is known by this, and else by its edits.
    pub asked_print: Option<[u8; 32]>,
}

impl<E> EditRequest<E> {
    /// Edits of the head.
    pub fn new(edits: Vec<E>, mode: Mode) -> Self {
        Self {
            edits,
            reading: Reading::Together,
            base: None,
            mode,
            tracking: Tracking::default(),
            override_protection: false,
            group: None,
            request: None,
            asked_print: None,
        }
    }

    #[must_use]
    pub fn standing(self, standing: Standing) -> Self {
        let Standing { tracking, override_protection } = standing;
        Self { tracking, override_protection, ..self }
    }
}

/// What came of a request. The same facts are given for each ending.
#[derive(Debug, Clone)]
pub struct Outcome<O> {
    pub ending: Ending,
    /// The head after it.
    pub revision: RevisionId,
    /// One for each step, for people.
    pub summaries: Vec<String>,
    pub notes: Vec<Note>,
    /// What the plan changes, in the bytes of the head before it.
    pub changes: Vec<Change>,
    /// What the engine reports, one for each edit.
    pub outcomes: Vec<O>,
}

impl<O> Outcome<O> {
    /// All summaries in one line.
    pub fn summary(&self) -> String {
        let told: Vec<&str> =
            self.summaries.iter().map(String::as_str).filter(|summary| !summary.is_empty()).collect();
        told.join("; ")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Applied,
    Suggested(SuggestionId),
    Previewed,
    /// The edits ask for what is there already, so there was nothing to apply or to suggest.
    Unchanged,
}

/// Bytes of a part that become other bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub part: PartName,
    pub range: Range<usize>,
    /// Where the new bytes start after all changes of the part.
    pub after: usize,
    pub original: Blob,
    pub new: Blob,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Insert,
    Replace,
    Delete,
}

impl Change {
    pub fn kind(&self) -> ChangeKind {
        match (self.original.is_empty(), self.new.is_empty()) {
            (true, _) => ChangeKind::Insert,
            (false, true) => ChangeKind::Delete,
            (false, false) => ChangeKind::Replace,
        }
    }
}

/// What a patch changes in `before`.
pub(crate) fn changes(patch: &Patch, before: &Content) -> Result<Vec<Change>, Refusal> {
    let mut changes = Vec::new();
    for (part, change) in patch.parts() {
        // A part that the patch brings was not there before.
        let original = before.read(part)?.unwrap_or_default();
        let whole = |new: Blob| Change {
            part: part.clone(),
            range: 0..original.len(),
            after: 0,
            original: original.clone(),
            new,
        };
        match change {
            PartChange::Put(blob) => changes.push(whole(blob.clone())),
            PartChange::Remove => changes.push(whole(Blob::new())),
            PartChange::Splices(splices) => {
                let mut shift = 0isize;
                for splice in splices {
                    changes.push(Change {
                        part: part.clone(),
                        range: splice.range.clone(),
                        after: splice.range.start.saturating_add_signed(shift),
                        original: original.sub(splice.range.clone()),
                        new: splice.with.clone(),
                    });
                    shift += splice.with.len() as isize - splice.range.len() as isize;
                }
            }
        }
    }
    Ok(changes)
}

/// Plan the request on the head and bring it to its end.
pub(crate) fn edit<F: Opens>(
    document: &mut Document,
    mut request: EditRequest<F::Edit>,
    actor: &Actor,
    cx: &Context,
    new_id: impl FnOnce() -> SuggestionId,
) -> Result<Outcome<F::Outcome>, Refusal> {
    request.request = request.request.map(|id| own_id(actor, &id));
    let print = match (&request.request, request.asked_print) {
        (None, _) => None,
        (Some(_), Some(print)) => Some(print),
        (Some(_), None) => Some(fingerprint::<F>(&request)?),
    };
    if let (Some(id), Some(print)) = (&request.request, &print) {
        if let Some(outcome) = document.typed::<F>()?.answers.find(id, print)? {
            return Ok(outcome);
        }
        made_before(document, id, print)?;
        document.operations.also(RequestName::new(id.clone(), Some(print)));
    }
    let edits = on_head::<F>(document, &request)?;
    let typed = document.typed::<F>()?;
    let (head, current, view) = (document.history.head(), document.history.current(), typed.view.clone());
    let batch = match request.reading {
        Reading::Together => planning::together::<F>(head, view, current, &edits, cx)?,
        Reading::InTurn => edit::plan::<F>(head, view, current, &edits, cx)?,
    };
    cx.stop.check()?;
    let (patch, outcomes) = (batch.plan.patch(), batch.outcomes);
    let changes = changes(&patch, head)?;
    let Plan { steps, .. } = &batch.plan;
    let summaries: Vec<String> = steps.iter().map(|step| step.summary.clone()).collect();
    let notes: Vec<Note> = steps.iter().flat_map(|step| step.notes.clone()).collect();
    let ending = match request.mode {
        Mode::DryRun => Ending::Previewed,
        Mode::Apply | Mode::Suggest if patch.is_empty() => Ending::Unchanged,
        Mode::Apply => {
            document.commit_to::<F>(batch.view, batch.content, patch, batch.plan.summary(), cx)?;
            Ending::Applied
        }
        Mode::Suggest => {
            let anchored = stageable::<F>(document, &request, edits)?;
            let summary = batch.plan.summary();
            let proposal = Proposal {
                id: new_id(),
                group: request.group.clone(),
                author: actor.name.clone(),
                client: actor.client.clone(),
                at: cx.now,
                shown: F::shown(&typed.view, &batch.view, &patch)?,
                summary,
                operations: document.operations.now(),
            };
            let id = proposal.id.clone();
            document.stage::<F>(proposal, anchored, patch)?;
            Ending::Suggested(id)
        }
    };
    let revision = document.history.current();
    let outcome = Outcome { ending, revision, summaries, notes, changes, outcomes };
    match &outcome.ending {
        Ending::Applied => document.remember(&PerformedAs::Revision(revision), &outcome.summary(), cx.now),
        Ending::Suggested(id) => {
            document.remember(&PerformedAs::Suggestion(id.clone()), &outcome.summary(), cx.now);
        }
        Ending::Previewed | Ending::Unchanged => {}
    }
    if let (Some(id), Some(print)) = (request.request, print)
        && request.mode != Mode::DryRun
    {
        document.typed_mut::<F>()?.answers.keep(id, print, outcome.clone());
    }
    Ok(outcome)
}

/// What was answered to a wish that was sent under this id.
pub(crate) fn answered<F: Opens>(
    document: &Document,
    actor: &Actor,
    id: &str,
    print: &[u8; 32],
) -> Result<Option<Outcome<F::Outcome>>, Refusal> {
    document.typed::<F>()?.answers.find(&own_id(actor, id), print)
}

/// A request that an earlier process carried out is not made again, though its answer is not known any more.
fn made_before(document: &Document, id: &str, print: &[u8; 32]) -> Result<(), Refusal> {
    let Some((operation, done)) = document.performed(id).into_iter().next() else { return Ok(()) };
    operation.is_of(print)?;
    let what = match &done.what {
        PerformedAs::Revision(_) => "made",
        PerformedAs::Suggestion(_) => "staged",
    };
    Err(Refusal::Rule {
        code: "ALREADY_MADE",
        why: format!(
            "this request was {what} as {} before the server was started anew ({})",
            done.what, done.summary
        ),
        instead: Some("read the document to see it; another change needs another requestId".into()),
    })
}

/// An id is its caller's: another may use the same for something else.
pub(crate) fn own_id(actor: &Actor, id: &str) -> String {
    format!("{} {id}", actor.client)
}

/// The request's edits as they read on the head.
fn on_head<F: Opens>(document: &Document, request: &EditRequest<F::Edit>) -> Result<Vec<F::Edit>, Refusal> {
    let history = &document.history;
    let current = history.current();
    let anchor_all = |view: &F::View| -> Result<Vec<F::Edit>, Refusal> {
        let count = request.edits.len();
        let anchored = request
            .edits
            .iter()
            .enumerate()
            .map(|(index, edit)| F::anchor(view, edit).map_err(|cause| cause.in_batch(index, count)));
        anchored.collect()
    };
    match request.base {
        Some(base) if base != current => {
            let since: Vec<&Patch> = history.since(base)?.collect();
            let stale = |why: String| Refusal::Stale { expected: base, current, why: Some(why) };
            if request.reading == Reading::InTurn && request.edits.len() > 1 {
                return Err(stale("edits that build on one another need the current revision".into()));
            }
            let view = F::view(&history.content_at(base)?)?;
            planning::carried::<F>(&anchor_all(&view)?, since.iter().copied()).map_err(|lost| stale(lost.why))
        }
        _ if request.reading == Reading::Together && request.edits.len() > 1 => {
            anchor_all(&document.typed::<F>()?.view)
        }
        _ => Ok(request.edits.clone()),
    }
}

/// The edits fixed in the head, so that they can wait there.
fn stageable<F: Opens>(
    document: &Document,
    request: &EditRequest<F::Edit>,
    edits: Vec<F::Edit>,
) -> Result<Vec<F::Edit>, Refusal> {
    let view = &document.typed::<F>()?.view;
    let anchored: Result<Vec<F::Edit>, Refusal> = edits.iter().map(|edit| F::anchor(view, edit)).collect();
    anchored.map_err(|cause| match request.reading {
        Reading::InTurn if edits.len() > 1 => Refusal::Unsupported {
            what: format!("staging edits that build on one another ({cause})"),
            instead: Some("stage them one request at a time, or apply them".into()),
        },
        _ => cause,
    })
}

fn fingerprint<F: Opens>(request: &EditRequest<F::Edit>) -> Result<[u8; 32], Refusal> {
    let base = request.base.map(|base| base.to_string());
    print_of(&(&request.edits, request.reading, base, request.mode, &request.group))
}

/// By what a request is known again. It stands in journals, so it is of what is written there for the purpose, and not
/// of the names that the program happens to have for it.
pub(crate) fn print_of(asked: &impl Serialize) -> Result<[u8; 32], Refusal> {
    let written = serde_json::to_vec(asked)
        .map_err(|error| Refusal::internal(format!("the request cannot be written down: {error}")))?;
    Ok(*blake3::hash(&written).as_bytes())
}
