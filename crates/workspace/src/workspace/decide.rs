//! Suggestions, from being looked at to being decided, and what is told of it meanwhile.

use std::time::{Duration, Instant};

use edit::Refusal;

use super::Workspace;
use crate::edits::Actor;
use crate::ids::{DocId, SuggestionId};
use crate::notices::Notice;
use crate::suggestions::{self, Accepted, Status, Suggestion};

impl Workspace {
    /// The suggestions that are not decided, in document order, the stale ones last.
    pub fn suggestions(&self, document: DocId) -> Result<Vec<Suggestion>, Refusal> {
        let cx = self.context("");
        Ok(suggestions::list(&self.cell(document)?.document.lock(), &cx))
    }

    pub fn suggestion(&self, document: DocId, id: &SuggestionId) -> Result<Suggestion, Refusal> {
        let cx = self.context("");
        suggestions::one(&self.cell(document)?.document.lock(), id, &cx)
    }

    /// The document a suggestion was made for.
    pub fn document_of(&self, id: &SuggestionId) -> Result<DocId, Refusal> {
        let known = self.registry.lock().sessions.document_of(id);
        known.ok_or_else(|| Refusal::not_found("suggestion", id.to_string()))
    }

    /// Apply a suggestion, and with it its group, as one undo step.
    pub fn accept(&self, document: DocId, id: &SuggestionId, actor: &Actor) -> Result<Accepted, Refusal> {
        self.deciding(actor)?;
        let cx = self.context(&actor.name);
        self.with(document, |document| suggestions::accept(document, id, &cx))
    }

    /// Apply all pending suggestions in document order, as one undo step.
    pub fn accept_all(&self, document: DocId, actor: &Actor) -> Result<Accepted, Refusal> {
        self.deciding(actor)?;
        let cx = self.context(&actor.name);
        self.with(document, |document| suggestions::accept_all(document, &cx))
    }

    /// Turn a suggestion down, and with it its group.
    pub fn reject(
        &self,
        document: DocId,
        id: &SuggestionId,
        actor: &Actor,
    ) -> Result<Vec<SuggestionId>, Refusal> {
        let now = self.now();
        self.with(document, |document| suggestions::reject(document, std::slice::from_ref(id), actor, now))
    }

    pub fn reject_all(&self, document: DocId, actor: &Actor) -> Result<Vec<SuggestionId>, Refusal> {
        let now = self.now();
        self.with(document, |document| {
            let undecided = document.suggestions.entries.iter().filter(|entry| entry.undecided());
            let all: Vec<SuggestionId> = undecided.map(|entry| entry.proposal.id.clone()).collect();
            suggestions::reject(document, &all, actor, now)
        })
    }

    /// Wait until none of these suggestions is pending, or the time is up; gives how each stands.
    pub fn wait_decided(
        &self,
        document: DocId,
        ids: &[SuggestionId],
        timeout: Duration,
    ) -> Result<Vec<(SuggestionId, Status)>, Refusal> {
        let deadline = Instant::now() + timeout;
        loop {
            let seen = self.bell.count();
            let stands = {
                let cell = self.cell(document)?;
                let document = cell.document.lock();
                let status =
                    |id: &SuggestionId| Ok((id.clone(), document.suggestions.find(id)?.status.clone()));
                ids.iter().map(status).collect::<Result<Vec<_>, Refusal>>()?
            };
            let decided = stands.iter().all(|(_, status)| *status != Status::Pending);
            if decided || Instant::now() >= deadline {
                return Ok(stands);
            }
            self.bell.wait(seen, deadline);
        }
    }

    /// How many things have happened so far, in any document.
    pub fn beat(&self) -> u64 {
        self.bell.count()
    }

    /// Wait until something happens after `seen`, or the time is up; gives the new beat.
    pub fn wait_for_change(&self, seen: u64, timeout: Duration) -> u64 {
        self.bell.wait(seen, Instant::now() + timeout)
    }

    /// What this client has not been told yet.
    pub fn notices(&self, client: &str) -> Vec<Notice> {
        self.notices.lock().take(client)
    }

    fn deciding(&self, actor: &Actor) -> Result<(), Refusal> {
        self.writable("accepting a suggestion")?;
        let approval = self.config.approval;
        suggestions::may_accept(actor, approval.agents_may_accept || approval.auto_approve)
    }
}
