//! What was done under which name, so that who lost the answer to a request does not have to guess.
//!
//! The names of requests stand in the journal beside the changes that they made, written in the same stroke: a process
//! that ends in between has both or neither. They are known as long as the history knows the change.

use edit::{Revision, RevisionId};

use crate::disk::journal::{NamedRequest, Performed, PerformedAs, RequestName, named};
use crate::document::Document;

/// The names of a document's requests.
#[derive(Debug, Default)]
pub(crate) struct RequestNames {
    /// What is being done now is done under these.
    now: Vec<RequestName>,
    /// By the number of the revision that they made, the oldest first.
    made: Vec<(u64, Vec<RequestName>)>,
}

impl RequestNames {
    pub(crate) fn begin(&mut self, now: Vec<RequestName>) {
        self.now = now;
    }

    pub(crate) fn also(&mut self, operation: RequestName) {
        self.now.push(operation);
    }

    pub(crate) fn now(&self) -> Vec<RequestName> {
        self.now.clone()
    }

    /// This revision was made by what is being done now; those before `oldest` are forgotten.
    pub(crate) fn made(&mut self, revision: u64, oldest: u64) {
        self.made.retain(|(known, _)| *known > oldest);
        if !self.now.is_empty() {
            self.made.push((revision, self.now.clone()));
        }
    }

    /// Whether anything was made under a name that begins so.
    pub(crate) fn any_begins(&self, start: &str) -> bool {
        self.made.iter().flat_map(|(_, operations)| operations).any(|known| known.begins(start))
    }

    pub(crate) fn of(&self, revision: u64) -> Vec<RequestName> {
        let found = self.made.iter().rfind(|(known, _)| *known == revision);
        found.map(|(_, operations)| operations.clone()).unwrap_or_default()
    }
}

impl Document {
    /// Do something under the name of a request, if it has one.
    pub(crate) fn under<T>(&mut self, operation: Option<&str>, work: impl FnOnce(&mut Self) -> T) -> T {
        let now = operation.map(|id| RequestName::new(id.to_owned(), None));
        self.operations.begin(now.into_iter().collect());
        let done = work(self);
        self.operations.begin(Vec::new());
        done
    }

    /// Keep what is being done now for callers that ask for the same again, when this document may be closed.
    pub(crate) fn remember(&self, what: &PerformedAs, summary: &str, at: i64) {
        let (Some(journals), Some(file)) = (self.journals(), &self.file) else { return };
        for operation in self.operations.now.iter().filter(|operation| operation.may_come_again()) {
            let (operation, path) = (operation.clone(), file.path.clone());
            let (what, summary) = (what.to_string(), summary.to_owned());
            journals.requests.add(NamedRequest { operation, path, what, summary, at });
        }
    }

    /// What was done under this name, and the name as it was given then.
    pub(crate) fn performed(&self, id: &str) -> Vec<(RequestName, Performed)> {
        let (path, title) = (self.file.as_ref().map(|file| file.path.clone()), self.title.clone());
        let told = |what, summary: &str| Performed {
            path: path.clone(),
            title: title.clone(),
            what,
            summary: summary.to_owned(),
        };
        let mut done = Vec::new();
        for (number, operations) in &self.operations.made {
            let revision = self.history.revisions().iter().find(|revision| revision.id.number == *number);
            if let (Some(revision), Some(operation)) = (revision, named(operations, id)) {
                done.push((operation.clone(), told(PerformedAs::Revision(revision.id), &revision.summary)));
            }
        }
        for entry in &self.suggestions.entries {
            if let Some(operation) = named(&entry.proposal.operations, id) {
                let what = PerformedAs::Suggestion(entry.proposal.id.clone());
                done.push((operation.clone(), told(what, &entry.proposal.summary)));
            }
        }
        if let (true, Some(journals), Some(file)) = (done.is_empty(), self.journals(), &self.file)
            && let Some(request) = journals.requests.find(id, &file.path)
            && let Some(what) = PerformedAs::read(&request.what)
        {
            done.push((request.operation, told(what, &request.summary)));
        }
        done
    }

    /// The revision that was made under this name, with the one before it.
    pub(crate) fn step_of(&self, made: RevisionId) -> Option<(RevisionId, &Revision)> {
        let revisions = self.history.revisions();
        let at = revisions.iter().position(|revision| revision.id == made)?;
        let before = at.checked_sub(1).and_then(|before| revisions.get(before));
        Some((before.map_or(self.history.opened(), |before| before.id), revisions.get(at)?))
    }
}
