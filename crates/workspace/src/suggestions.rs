//! Edits that wait for somebody to decide on them.
//!
//! A suggestion is its edits, anchored in the head and carried over every change, whoever makes it. It is
//! planned again when it is shown or accepted, so what is shown is what would happen. When its place is gone
//! it is stale: still listed, never applied at a guess.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Context, Patch, Refusal, RevisionId};

use crate::document::Document;
use crate::edits::{Actor, Change, changes};
use crate::engine::Moved;
use crate::ids::SuggestionId;
use crate::journal::Record;
use crate::notices::Event;

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
    /// What it would do to the head, as planned when it was staged and carried since. Planning all again to
    /// show a list would take seconds in a long document; accepting plans anew.
    pub(crate) patch: Option<Patch>,
}

impl Entry {
    pub(crate) fn undecided(&self) -> bool {
        matches!(self.status, Status::Pending | Status::Stale { .. })
    }
}

impl Suggestions {
    pub(crate) fn add(&mut self, proposal: Proposal, patch: Patch) {
        self.entries.push(Entry { proposal, status: Status::Pending, patch: Some(patch) });
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

    /// Take note of what a change did. Gives the suggestions that an undo brought back although they were
    /// rejected in the meantime.
    pub(crate) fn follow(
        &mut self,
        change: &Patch,
        moved: Moved,
        cx: &Context,
        events: &mut Vec<Event>,
    ) -> Vec<SuggestionId> {
        let mut unwanted = Vec::new();
        for entry in &mut self.entries {
            entry.patch = entry.patch.take().and_then(|patch| patch.rebase(change));
        }
        for id in moved.accepted {
            if let Some(entry) = self.find_mut(&id) {
                entry.status = Status::Accepted(Decision { by: cx.author.clone(), at: cx.now });
                events.push(Event::Accepted {
                    client: entry.proposal.client.clone(),
                    id,
                    by: cx.author.clone(),
                });
            }
        }
        for (id, why) in moved.lost {
            if let Some(entry) = self.find_mut(&id)
                && entry.status == Status::Pending
            {
                entry.status = Status::Stale { why: why.clone() };
                events.push(Event::Stale { client: entry.proposal.client.clone(), id, why });
            }
        }
        for id in moved.back {
            match self.find_mut(&id) {
                Some(Entry { status: Status::Rejected(_), .. }) | None => unwanted.push(id),
                Some(entry) => {
                    entry.status = Status::Pending;
                    entry.patch = None;
                    events.push(Event::Back { client: entry.proposal.client.clone(), id: id.clone() });
                    self.renew(&id);
                }
            }
        }
        unwanted
    }

    /// Put a suggestion behind all others. One that comes back counts as made anew: a journal that was begun
    /// after its decision knows of it only from then on, and the order must be the same in the next life.
    fn renew(&mut self, id: &SuggestionId) {
        if let Some(at) = self.entries.iter().position(|entry| entry.proposal.id == *id) {
            let entry = self.entries.remove(at);
            self.entries.push(entry);
        }
    }

    /// Stage what a journal says was staged.
    pub(crate) fn restage(&mut self, proposal: Proposal, status: Status) {
        self.entries.retain(|entry| entry.proposal.id != proposal.id);
        self.entries.push(Entry { proposal, status, patch: None });
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
    Ok(describe(document, entry, cx).unwrap_or_else(|| shown(entry, entry.status.clone(), Vec::new())))
}

fn describe(document: &Document, entry: &Entry, cx: &Context) -> Option<Suggestion> {
    match &entry.status {
        Status::Accepted(_) | Status::Rejected(_) => None,
        Status::Stale { .. } => Some(shown(entry, entry.status.clone(), Vec::new())),
        Status::Pending => {
            let planned =
                proposed(document, entry, cx).and_then(|patch| changes(&patch, document.history.head()));
            Some(match planned {
                Ok(changes) => shown(entry, Status::Pending, changes),
                Err(refusal) => shown(entry, Status::Stale { why: refusal.to_string() }, Vec::new()),
            })
        }
    }
}

fn proposed(document: &Document, entry: &Entry, cx: &Context) -> Result<Patch, Refusal> {
    if let Some(patch) = &entry.patch {
        return Ok(patch.clone());
    }
    if let Some(patch) = document.engine.splices_of(&entry.proposal.id) {
        return Ok(patch);
    }
    let plan =
        document.engine.propose(&entry.proposal.id, document.history.head(), document.revision(), cx)?;
    Ok(plan.patch())
}

fn shown(entry: &Entry, status: Status, changes: Vec<Change>) -> Suggestion {
    let Proposal { id, group, author, client, at, summary } = entry.proposal.clone();
    Suggestion { id, group, author, client, at, summary, status, changes }
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
        document.engine.unstage(id);
        if let Some(entry) = document.suggestions.find_mut(id) {
            entry.status = Status::Rejected(Decision { by: actor.name.clone(), at: now });
            let client = entry.proposal.client.clone();
            document.events.push(Event::Rejected { client, id: id.clone(), by: actor.name.clone() });
        }
    }
    let (by, at) = (actor.name.clone(), now);
    document.protect(|_| Ok(Record::Rejected { ids: rejected.clone(), by, at }));
    Ok(rejected)
}

fn apply(document: &mut Document, groups: Vec<Vec<SuggestionId>>, cx: &Context) -> Result<Accepted, Refusal> {
    let head = document.history.head().clone();
    let (plan, left) = document.engine.propose_all(&groups, &head, document.revision(), cx)?;
    let out: BTreeSet<&SuggestionId> = left.iter().map(|(id, _)| id).collect();
    let accepted: Vec<SuggestionId> = groups.into_iter().flatten().filter(|id| !out.contains(id)).collect();
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
