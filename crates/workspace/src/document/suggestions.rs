//! Edits that wait for somebody to decide on them.
//!
//! A suggestion is its edits, anchored in the head and carried over every change, whoever makes it. It is
//! planned again when it is shown or accepted, so what is shown is what would happen. When its place is gone
//! it is stale: still listed, never applied at a guess.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use edit::{Context, Lost, Patch, Refusal, RevisionId};

use crate::caller::notices::Event;
use crate::disk::journal::Record;
use crate::disk::journal::RequestName;
use crate::document::Document;
use crate::document::edits::{Actor, Change, changes};
use crate::document::engine::Group;
use crate::ids::SuggestionId;
use edit::Shown;

use crate::document::shown;
use crate::document::staged::Staged;

/// Suggestions of a document that are remembered after they were decided.
const MOST_DECIDED: usize = 1000;

/// A suggestion as it stands.
#[derive(Debug, Clone)]
pub struct Suggestion {
    pub id: SuggestionId,
    /// Decided together with all others of the group.
    pub group: Option<String>,
    pub author: String,
    pub client: String,
    /// Seconds since 1970-01-01 UTC.
    pub at: i64,
    pub summary: String,
    pub status: Status,
    /// What it would change in the head; empty unless it is pending.
    pub changes: Vec<Change>,
    /// The same as people read it; of a stale one, as it was when it was made.
    pub shown: Vec<Shown>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    Pending,
    /// Its place in the document is gone.
    Stale {
        why: String,
    },
    Accepted(Decision),
    Rejected(Decision),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub by: String,
    pub at: i64,
}

/// What was accepted, and what could not be.
#[derive(Debug, Clone)]
pub struct Accepted {
    pub revision: RevisionId,
    pub accepted: Vec<SuggestionId>,
    /// Still there, with the reason.
    pub left: Vec<(SuggestionId, Refusal)>,
}

/// What is known of a suggestion from the start.
#[derive(Debug, Clone)]
pub(crate) struct Proposal {
    pub(crate) id: SuggestionId,
    pub(crate) group: Option<String>,
    pub(crate) author: String,
    pub(crate) client: String,
    pub(crate) at: i64,
    pub(crate) summary: String,
    pub(crate) shown: Vec<Shown>,
    /// The requests that it was made for.
    pub(crate) operations: Vec<RequestName>,
}

#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    /// In the order they were made.
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) proposal: Proposal,
    pub(crate) status: Status,
    /// What it would do to the head; only as long as it is pending.
    pub(crate) staged_edits: Option<StagedEdits>,
    /// What it would do if its rejection were taken back.
    turned_down: Option<StagedEdits>,
}

/// What a pending suggestion would do to the head.
#[derive(Debug, Clone)]
pub(crate) struct StagedEdits {
    pub(crate) edits: Arc<dyn Staged>,
    /// As planned when it was staged. Planning all again to show a list would take seconds in a long document;
    /// accepting plans anew.
    patch: Option<Patch>,
    /// The revision in which it was found that they cannot be planned, and why.
    unfit: Option<(RevisionId, String)>,
}

/// The suggestions that a step through the history ended, as they were before it, so that the step back gives them back.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ended {
    /// By the change itself, which is what they asked for.
    pub(crate) accepted: Vec<(SuggestionId, StagedEdits)>,
    /// Because their place was gone.
    pub(crate) lost: Vec<(SuggestionId, StagedEdits)>,
}

impl StagedEdits {
    pub(crate) fn new(edits: Arc<dyn Staged>, patch: Option<Patch>) -> Self {
        Self { edits, patch, unfit: None }
    }

    fn carried(&self, change: &Patch) -> Result<Self, Lost> {
        let patch = self.patch.as_ref().and_then(|patch| patch.rebase(change));
        Ok(Self { edits: self.edits.carried(change)?, patch, unfit: None })
    }
}

impl Entry {
    pub(crate) fn undecided(&self) -> bool {
        matches!(self.status, Status::Pending | Status::Stale { .. })
    }
}

impl Suggestions {
    pub(crate) fn add(&mut self, proposal: Proposal, staged_edits: StagedEdits) {
        self.restage(proposal, Status::Pending, Some(staged_edits));
        self.forget_decided();
    }

    /// Forget the oldest that are decided, if there are too many.
    pub(crate) fn forget_decided(&mut self) {
        let decided = |entry: &Entry| !entry.undecided();
        if self.entries.iter().filter(|entry| decided(entry)).count() > MOST_DECIDED
            && let Some(oldest) = self.entries.iter().position(decided)
        {
            self.entries.remove(oldest);
        }
    }

    pub(crate) fn find(&self, id: &SuggestionId) -> Result<&Entry, Refusal> {
        let found = self.entries.iter().find(|entry| entry.proposal.id == *id);
        found.ok_or_else(|| Refusal::not_found("suggestion", id.to_string()))
    }

    pub(crate) fn find_mut(&mut self, id: &SuggestionId) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.proposal.id == *id)
    }

    pub(crate) fn pending(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.status == Status::Pending)
    }

    /// The suggestion with all pending ones of its group.
    fn group_of(&self, entry: &Entry) -> Vec<SuggestionId> {
        match &entry.proposal.group {
            None => vec![entry.proposal.id.clone()],
            Some(group) => {
                // Another caller may use the same word for a group of its own.
                let same = self.pending().filter(|other| {
                    other.proposal.group.as_ref() == Some(group)
                        && other.proposal.client == entry.proposal.client
                });
                same.map(|other| other.proposal.id.clone()).collect()
            }
        }
    }

    /// Go along with a change that came from the suggestions in `accepted`.
    pub(crate) fn follow(
        &mut self,
        change: &Patch,
        accepted: &[SuggestionId],
        cx: &Context,
        events: &mut Vec<Event>,
    ) -> Ended {
        let mut ended = Ended::default();
        for id in accepted {
            let Some(entry) = self.find_mut(id) else { continue };
            let Some(staged_edits) = entry.staged_edits.take() else { continue };
            entry.status = Status::Accepted(Decision { by: cx.author.clone(), at: cx.now });
            let (client, by) = (entry.proposal.client.clone(), cx.author.clone());
            events.push(Event::Accepted { client, id: id.clone(), by });
            ended.accepted.push((id.clone(), staged_edits));
        }
        ended.lost = self.carry(change, events);
        ended
    }

    /// Go along with a change that is taken back, and that had `ended` some.
    pub(crate) fn follow_undo(&mut self, back: &Patch, ended: Ended, events: &mut Vec<Event>) -> Ended {
        let lost = self.carry(back, events);
        // The bytes are again what they were before the change, so the edits fit as they were.
        self.give_back(&ended.accepted, events);
        self.give_back(&ended.lost, events);
        Ended { lost, ..ended }
    }

    /// Go along with a change that is made again. `ended` are those it came from, and those that lost their place when it
    /// was taken back.
    pub(crate) fn follow_redo(
        &mut self,
        change: &Patch,
        ended: Ended,
        cx: &Context,
        events: &mut Vec<Event>,
    ) -> Ended {
        let accepted: Vec<SuggestionId> = ended.accepted.into_iter().map(|(id, _)| id).collect();
        let now = self.follow(change, &accepted, cx, events);
        self.give_back(&ended.lost, events);
        now
    }

    /// Take what is pending over a patch. Gives those that cannot follow, as they were.
    fn carry(&mut self, patch: &Patch, events: &mut Vec<Event>) -> Vec<(SuggestionId, StagedEdits)> {
        let mut lost = Vec::new();
        for entry in &mut self.entries {
            entry.turned_down =
                entry.turned_down.take().and_then(|staged_edits| staged_edits.carried(patch).ok());
            let Some(staged_edits) = entry.staged_edits.take() else { continue };
            match staged_edits.carried(patch) {
                Ok(carried) => entry.staged_edits = Some(carried),
                Err(Lost { why }) => {
                    let (client, id) = (entry.proposal.client.clone(), entry.proposal.id.clone());
                    entry.status = Status::Stale { why: why.clone() };
                    lost.push((id.clone(), staged_edits));
                    events.push(Event::Stale { client, id, why });
                }
            }
        }
        lost
    }

    /// Make pending again what nobody has rejected in the meantime.
    fn give_back(&mut self, ended: &[(SuggestionId, StagedEdits)], events: &mut Vec<Event>) {
        for (id, staged_edits) in ended {
            if let Some(entry) = self.find_mut(id)
                && !matches!(entry.status, Status::Rejected(_))
            {
                entry.status = Status::Pending;
                entry.staged_edits = Some(staged_edits.clone());
                events.push(Event::Back { client: entry.proposal.client.clone(), id: id.clone() });
            }
        }
    }

    /// Put a suggestion behind all others, however it stands.
    pub(crate) fn restage(&mut self, proposal: Proposal, status: Status, staged_edits: Option<StagedEdits>) {
        self.entries.retain(|entry| entry.proposal.id != proposal.id);
        self.entries.push(Entry { proposal, status, staged_edits, turned_down: None });
    }

    /// How a suggestion was turned down, or that it is no more.
    pub(crate) fn reject(&mut self, id: &SuggestionId, decision: Decision) -> Option<&Entry> {
        let entry = self.find_mut(id)?;
        entry.status = Status::Rejected(decision);
        entry.turned_down = entry.staged_edits.take();
        Some(entry)
    }
}

/// All suggestions that are not decided, in document order, the stale ones last.
pub(crate) fn list(document: &Document, cx: &Context) -> Vec<Suggestion> {
    let mut listed: Vec<Suggestion> =
        document.suggestions.entries.iter().filter_map(|entry| describe(document, entry, cx)).collect();
    listed.sort_by_key(|suggestion| {
        let place = suggestion.changes.first().map(|change| (change.part.clone(), change.range.start));
        (place.is_none(), place)
    });
    listed
}

pub(crate) fn one(document: &Document, id: &SuggestionId, cx: &Context) -> Result<Suggestion, Refusal> {
    let entry = document.suggestions.find(id)?;
    Ok(describe(document, entry, cx)
        .unwrap_or_else(|| suggestion_of(entry, entry.status.clone(), Vec::new())))
}

/// How a suggestion stands. Where others changed what it would change, only planning it tells; that is done once for
/// each revision.
pub(crate) fn standing(document: &mut Document, id: &SuggestionId, cx: &Context) -> Result<Status, Refusal> {
    let revision = document.revision();
    let entry = document.suggestions.find(id)?;
    let Some(staged_edits) = entry.staged_edits.as_ref().filter(|_| entry.status == Status::Pending) else {
        return Ok(entry.status.clone());
    };
    match &staged_edits.unfit {
        _ if staged_edits.patch.is_some() || staged_edits.edits.splices().is_some() => {
            return Ok(Status::Pending);
        }
        Some((at, why)) if *at == revision => return Ok(Status::Stale { why: why.clone() }),
        _ => {}
    }
    let planned = proposed(document, entry, cx);
    cx.stop.check()?;
    let Some(Entry { staged_edits: Some(staged_edits), .. }) = document.suggestions.find_mut(id) else {
        return Ok(Status::Pending);
    };
    match planned {
        Ok(patch) => {
            staged_edits.patch = Some(patch);
            Ok(Status::Pending)
        }
        Err(refusal) => {
            let why = refusal.to_string();
            staged_edits.unfit = Some((revision, why.clone()));
            Ok(Status::Stale { why })
        }
    }
}

fn describe(document: &Document, entry: &Entry, cx: &Context) -> Option<Suggestion> {
    match &entry.status {
        Status::Accepted(_) | Status::Rejected(_) => None,
        Status::Stale { .. } => Some(suggestion_of(entry, entry.status.clone(), Vec::new())),
        Status::Pending => {
            let (kind, head) = (document.engine.kind(), document.history.head());
            let planned = proposed(document, entry, cx).and_then(|patch| {
                let readable = shown::of(kind, head, &patch)?.unwrap_or_else(|| entry.proposal.shown.clone());
                Ok((changes(&patch, head)?, readable))
            });
            Some(match planned {
                Ok((changes, readable)) => {
                    Suggestion { shown: readable, ..suggestion_of(entry, Status::Pending, changes) }
                }
                Err(refusal) => suggestion_of(entry, Status::Stale { why: refusal.to_string() }, Vec::new()),
            })
        }
    }
}

fn proposed(document: &Document, entry: &Entry, cx: &Context) -> Result<Patch, Refusal> {
    let missing = || Refusal::not_found("suggestion", entry.proposal.id.to_string());
    let staged_edits = entry.staged_edits.as_ref().ok_or_else(missing)?;
    if let Some(patch) = staged_edits.patch.clone().or_else(|| staged_edits.edits.splices()) {
        return Ok(patch);
    }
    let (head, revision) = (document.history.head(), document.revision());
    Ok(document.engine.propose(&*staged_edits.edits, head, revision, cx)?.patch())
}

fn suggestion_of(entry: &Entry, status: Status, changes: Vec<Change>) -> Suggestion {
    let Proposal { id, group, author, client, at, summary, shown, .. } = entry.proposal.clone();
    Suggestion { id, group, author, client, at, summary, status, changes, shown }
}

/// Apply a suggestion, and with it its group, as one undo step.
pub(crate) fn accept(document: &mut Document, id: &SuggestionId, cx: &Context) -> Result<Accepted, Refusal> {
    let entry = document.suggestions.find(id)?;
    undecided(document, entry)?;
    let group = in_document_order(document, document.suggestions.group_of(entry), cx);
    let accepted = apply(document, vec![group], cx)?;
    match accepted.left.first() {
        Some((_, refusal)) => Err(refusal.clone()),
        None => Ok(accepted),
    }
}

/// Apply all pending suggestions in document order, as one undo step; with a caller's name only those it made. A group
/// is applied whole or not at all.
pub(crate) fn accept_all(
    document: &mut Document,
    of: Option<&str>,
    cx: &Context,
) -> Result<Accepted, Refusal> {
    let theirs =
        document.suggestions.pending().filter(|entry| of.is_none_or(|of| entry.proposal.client == of));
    let pending = theirs.map(|entry| entry.proposal.id.clone()).collect();
    let mut seen = BTreeSet::new();
    let mut groups = Vec::new();
    for id in in_document_order(document, pending, cx) {
        if !seen.contains(&id) {
            let group = document.suggestions.group_of(document.suggestions.find(&id)?);
            let group = in_document_order(document, group, cx);
            seen.extend(group.iter().cloned());
            groups.push(group);
        }
    }
    apply(document, groups, cx)
}

/// Turn suggestions down. Nothing of it is in the history.
pub(crate) fn reject(
    document: &mut Document,
    ids: &[SuggestionId],
    actor: &Actor,
    now: i64,
) -> Result<Vec<SuggestionId>, Refusal> {
    let mut all = BTreeSet::new();
    for id in ids {
        let entry = document.suggestions.find(id)?;
        if !entry.undecided() {
            return Err(decided(entry));
        }
        all.insert(id.clone());
        all.extend(document.suggestions.group_of(entry));
    }
    let order = document.suggestions.entries.iter().map(|entry| entry.proposal.id.clone());
    let rejected: Vec<SuggestionId> = order.filter(|id| all.contains(id)).collect();
    for id in &rejected {
        let decision = Decision { by: actor.name.clone(), at: now };
        if let Some(entry) = document.suggestions.reject(id, decision) {
            let client = entry.proposal.client.clone();
            document.events.push(Event::Rejected { client, id: id.clone(), by: actor.name.clone() });
        }
    }
    let (by, at) = (actor.name.clone(), now);
    document.protect(|_| Ok(Record::Rejected { ids: rejected.clone(), by, at }));
    Ok(rejected)
}

/// Make rejected suggestions pending again, all or none.
pub(crate) fn restore(document: &mut Document, ids: &[SuggestionId]) -> Result<(), Refusal> {
    let mut back = Vec::new();
    for id in ids {
        let entry = document.suggestions.find(id)?;
        let why = match (&entry.status, &entry.turned_down) {
            (Status::Rejected(_), Some(staged_edits)) => {
                back.push((entry.proposal.clone(), staged_edits.clone()));
                continue;
            }
            (Status::Rejected(_), None) => "what it would change has changed since it was rejected",
            _ => "it is not rejected",
        };
        return Err(Refusal::Unsafe {
            why: format!("{id} cannot be made pending again: {why}"),
            instead: Some("its author can suggest it again".to_owned()),
        });
    }
    for (proposal, staged_edits) in back {
        let (client, id) = (proposal.client.clone(), proposal.id.clone());
        document.suggestions.restage(proposal, Status::Pending, Some(staged_edits));
        document.events.push(Event::Back { client, id: id.clone() });
        document.protect(|document| {
            Ok(Record::Staged(crate::document::recovery::staged(document.suggestions.find(&id)?)?))
        });
    }
    Ok(())
}

fn apply(document: &mut Document, groups: Vec<Vec<SuggestionId>>, cx: &Context) -> Result<Accepted, Refusal> {
    let head = document.history.head().clone();
    let groups: Result<Vec<Group>, Refusal> =
        groups.iter().map(|group| with_edits(document, group)).collect();
    let groups = groups?;
    let (plan, left) = document.engine.propose_all(&groups, &head, document.revision(), cx)?;
    let out: BTreeSet<&SuggestionId> = left.iter().map(|(id, _)| id).collect();
    let all = groups.into_iter().flatten().map(|(id, _)| id);
    let accepted: Vec<SuggestionId> = all.filter(|id| !out.contains(id)).collect();
    if !accepted.is_empty() {
        let patch = plan.patch();
        let after = patch.apply(&head)?;
        let summary = match accepted.len() {
            1 => plan.summary(),
            count => format!("Accept {count} suggestions: {}", plan.summary()),
        };
        document.commit(patch, after, summary, &accepted, cx)?;
    }
    Ok(Accepted { revision: document.revision(), accepted, left })
}

fn with_edits(document: &Document, ids: &[SuggestionId]) -> Result<Group, Refusal> {
    let staged = |id: &SuggestionId| {
        let staged_edits = document.suggestions.find(id)?.staged_edits.as_ref();
        let staged_edits = staged_edits.ok_or_else(|| Refusal::not_found("suggestion", id.to_string()))?;
        Ok((id.clone(), Arc::clone(&staged_edits.edits)))
    };
    ids.iter().map(staged).collect()
}

fn undecided(document: &Document, entry: &Entry) -> Result<(), Refusal> {
    match &entry.status {
        Status::Pending => Ok(()),
        Status::Stale { why } => {
            let current = document.revision();
            Err(Refusal::Stale { expected: current, current, why: Some(why.clone()) })
        }
        Status::Accepted(_) | Status::Rejected(_) => Err(decided(entry)),
    }
}

fn decided(entry: &Entry) -> Refusal {
    let how = match &entry.status {
        Status::Accepted(decision) => format!("{} (accepted by {})", entry.proposal.summary, decision.by),
        Status::Rejected(decision) => format!("{} (rejected by {})", entry.proposal.summary, decision.by),
        Status::Pending | Status::Stale { .. } => entry.proposal.summary.clone(),
    };
    Refusal::Gone { what: "suggestion", id: entry.proposal.id.to_string(), last: how }
}

/// By where each would change the head; at one place, the older first.
fn in_document_order(document: &Document, ids: Vec<SuggestionId>, cx: &Context) -> Vec<SuggestionId> {
    let made: BTreeMap<&SuggestionId, usize> =
        document.suggestions.entries.iter().enumerate().map(|(at, entry)| (&entry.proposal.id, at)).collect();
    let place = |id: &SuggestionId| {
        let patch = proposed(document, document.suggestions.find(id).ok()?, cx).ok()?;
        let (part, _) = patch.parts().next()?;
        Some((part.clone(), patch.splices(part).first().map_or(0, |splice| splice.range.start)))
    };
    let mut placed: Vec<_> = ids.into_iter().map(|id| (place(&id), made.get(&id).copied(), id)).collect();
    placed.sort();
    placed.into_iter().map(|(_, _, id)| id).collect()
}
