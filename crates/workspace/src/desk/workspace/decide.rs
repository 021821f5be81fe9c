//! Suggestions, from being looked at to being decided, and what is told of it meanwhile.

use edit::Refusal;

use super::Workspace;
use crate::caller::notices::Notice;
use crate::caller::{Gate, Role};
use crate::document::suggestions::{self, Accepted, Decision, Status, Suggestion};
use crate::ids::{DocId, SuggestionId};

impl Workspace {
    /// The suggestions that are not decided, in document order, the stale ones last.
    pub fn suggestions(&self, document: DocId) -> Result<Vec<Suggestion>, Refusal> {
        let cx = self.context();
        Ok(suggestions::list(&self.cell(document)?.document.lock(), &cx))
    }

    pub fn suggestion(&self, document: DocId, id: &SuggestionId) -> Result<Suggestion, Refusal> {
        let cx = self.context();
        suggestions::one(&self.cell(document)?.document.lock(), id, &cx)
    }

    /// The document a suggestion was made for.
    pub fn document_of(&self, id: &SuggestionId) -> Result<DocId, Refusal> {
        let known = || self.desk.registry.lock().suggested.get(id).copied();
        let document = known().or_else(|| {
            self.wake_all();
            known()
        });
        let seen = document.filter(|document| self.cell(*document).is_ok());
        seen.ok_or_else(|| Refusal::not_found("suggestion", id.to_string()))
    }

    /// Apply a suggestion, and with it its group, as one undo step.
    pub fn accept(&self, document: DocId, id: &SuggestionId) -> Result<Accepted, Refusal> {
        self.writable("accepting a suggestion")?;
        self.may_accept(document, id)?;
        let cx = self.context();
        self.with(document, |document| suggestions::accept(document, id, &cx))
    }

    /// Whether this caller may make what it staged in a document: where its policy would have let it at once.
    pub fn may_carry_out(&self, document: DocId) -> Result<bool, Refusal> {
        let caller = self.caller();
        let gate = caller.approval.of(self.status(document)?.kind);
        Ok(caller.role == Role::Person || caller.approval.agents_may_accept || gate == Gate::Apply)
    }

    /// Make what this caller staged itself, because somebody asked it to wait and now lets it.
    pub fn carry_out(&self, document: DocId, id: &SuggestionId) -> Result<Accepted, Refusal> {
        self.writable("making a change that waited")?;
        if !self.may_carry_out(document)? {
            self.may_accept_any()?;
        }
        self.own_suggestion(document, id, "making a change that waited")?;
        let cx = self.context();
        let accepted = self.with(document, |document| suggestions::accept(document, id, &cx))?;
        self.has_made(document, accepted.revision)?;
        Ok(accepted)
    }

    /// Apply all pending suggestions that this caller may decide on, in document order, as one undo step.
    pub fn accept_all(&self, document: DocId) -> Result<Accepted, Refusal> {
        self.writable("accepting suggestions")?;
        self.may_accept_any()?;
        let (cx, own) = (self.context(), self.decides_on());
        self.with(document, |document| suggestions::accept_all(document, own.as_deref(), &cx))
    }

    /// Turn a suggestion down, and with it its group.
    pub fn reject(&self, document: DocId, id: &SuggestionId) -> Result<Vec<SuggestionId>, Refusal> {
        self.writable("rejecting a suggestion")?;
        self.own_suggestion(document, id, "rejecting a suggestion")?;
        let (now, actor) = (self.now(), self.actor());
        self.with(document, |document| suggestions::reject(document, std::slice::from_ref(id), &actor, now))
    }

    /// Turn down all suggestions that this caller may decide on.
    pub fn reject_all(&self, document: DocId) -> Result<Vec<SuggestionId>, Refusal> {
        self.writable("rejecting suggestions")?;
        let (now, actor, own) = (self.now(), self.actor(), self.decides_on());
        self.with(document, |document| {
            let undecided = document.suggestions.entries.iter().filter(|entry| entry.undecided());
            let theirs =
                undecided.filter(|entry| own.as_ref().is_none_or(|own| entry.proposal.client == *own));
            let all: Vec<SuggestionId> = theirs.map(|entry| entry.proposal.id.clone()).collect();
            suggestions::reject(document, &all, &actor, now)
        })
    }

    /// Take back that suggestions were rejected: they are pending again. People change their minds; an agent that does
    /// can suggest anew.
    pub fn restore(&self, document: DocId, ids: &[SuggestionId]) -> Result<(), Refusal> {
        let what = "taking back a rejection";
        self.writable(what)?;
        if self.caller().role == Role::Agent {
            return Err(Refusal::Denied {
                what: what.into(),
                why: "a person decides on suggestions in this workspace".into(),
                instead: Some("suggest it again".into()),
            });
        }
        self.with(document, |document| suggestions::restore(document, ids))
    }

    /// How suggestions stand, also of documents that were closed since.
    pub fn decisions(&self, ids: &[SuggestionId]) -> Result<Vec<(SuggestionId, Status)>, Refusal> {
        ids.iter().map(|id| Ok((id.clone(), self.stands(id)?))).collect()
    }

    fn stands(&self, id: &SuggestionId) -> Result<Status, Refusal> {
        let open = self.document_of(id).and_then(|document| {
            suggestions::standing(&mut self.cell(document)?.document.lock(), id, &self.context())
        });
        let Err(unknown) = open else { return open };
        let decided = self.desk.register.lock().decided(id);
        let seen = decided.filter(|decided| match &decided.document {
            Some(path) => self.policy().holds(path),
            None => decided.caller == self.id().as_str() || self.caller().role == Role::Person,
        });
        let Some(decided) = seen else { return Err(unknown) };
        let decision = Decision { by: decided.by, at: decided.at };
        Ok(if decided.accepted { Status::Accepted(decision) } else { Status::Rejected(decision) })
    }

    /// What this caller has not been told yet.
    pub fn notices(&self) -> Vec<Notice> {
        let notices = self.desk.notices.lock();
        let (count, id) = (notices.count(), self.id().to_string());
        self.seat(|seat| {
            let told = std::mem::replace(&mut seat.told, count);
            match told == count {
                true => Vec::new(),
                false => notices.after(told, &id, |document| seat.has_open(document)),
            }
        })
    }

    /// Whose suggestions this caller decides on; everybody's if there is no name.
    fn decides_on(&self) -> Option<String> {
        match self.caller().role {
            Role::Person => None,
            Role::Agent => Some(self.id().to_string()),
        }
    }

    /// With the gate on, an agent must not approve what agents suggest, unless the policy says so.
    fn may_accept_any(&self) -> Result<(), Refusal> {
        let caller = self.caller();
        match caller.role {
            Role::Person => Ok(()),
            Role::Agent if caller.approval.agents_may_accept => Ok(()),
            Role::Agent => Err(Refusal::Denied {
                what: "accepting a suggestion".into(),
                why: "a person decides on suggestions in this workspace".into(),
                instead: Some(
                    "suggestion_wait waits for the decision; people decide with `docwright review`".into(),
                ),
            }),
        }
    }

    fn may_accept(&self, document: DocId, id: &SuggestionId) -> Result<(), Refusal> {
        self.may_accept_any()?;
        self.own_suggestion(document, id, "accepting a suggestion")
    }

    /// An agent decides on what it suggested itself, never on what others did.
    fn own_suggestion(&self, document: DocId, id: &SuggestionId, what: &str) -> Result<(), Refusal> {
        let Some(own) = self.decides_on() else { return Ok(()) };
        let cell = self.cell(document)?;
        let document = cell.document.lock();
        let proposal = &document.suggestions.find(id)?.proposal;
        match proposal.client == own {
            true => Ok(()),
            false => Err(Refusal::Denied {
                what: what.to_owned(),
                why: format!("{id} was made by {}, and an agent decides only on its own", proposal.author),
                instead: Some("a person can decide on it with `docwright review`".into()),
            }),
        }
    }
}
