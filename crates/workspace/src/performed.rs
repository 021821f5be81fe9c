//! What was done under which name, so that who lost the answer to a request does not have to guess.
//!
//! The names of requests stand in the journal beside the changes that they made, written in the same stroke: a process
//! that ends in between has both or neither. They are known as long as the history knows the change.

use std::fmt;
use std::path::PathBuf;

use edit::{Refusal, Revision, RevisionId};
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::document::Document;
use crate::ids::SuggestionId;
use crate::image;
use crate::journal::record::{Past, Record, Staged};
use crate::journal::{Log, NamedRequest};

/// Names a request, so that it is known again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Operation {
    id: String,
    /// Of what was asked for, in hexadecimal; another request under the same name is told from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    print: Option<String>,
}

/// A change that was made, or staged, under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Performed {
    /// The file of the document; an untitled one has none.
    pub path: Option<PathBuf>,
    pub title: String,
    pub what: PerformedAs,
    pub summary: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PerformedAs {
    Revision(RevisionId),
    Suggestion(SuggestionId),
}

impl PerformedAs {
    fn read(written: &str) -> Option<Self> {
        let revision = written.parse().ok().map(Self::Revision);
        revision.or_else(|| written.parse().ok().map(Self::Suggestion))
    }
}

impl fmt::Display for PerformedAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revision(revision) => revision.fmt(f),
            Self::Suggestion(suggestion) => suggestion.fmt(f),
        }
    }
}

/// The names of a document's requests.
#[derive(Debug, Default)]
pub(crate) struct Operations {
    /// What is being done now is done under these.
    now: Vec<Operation>,
    /// By the number of the revision that they made, the oldest first.
    made: Vec<(u64, Vec<Operation>)>,
}

impl Operation {
    pub(crate) fn new(id: String, print: Option<&[u8; 32]>) -> Self {
        Self { id, print: print.map(image::hex) }
    }

    pub(crate) fn is_named(&self, id: &str) -> bool {
        self.id == id
    }

    /// Whether it was named by whoever sent it, so that it may come again.
    fn may_come_again(&self) -> bool {
        self.print.is_some()
    }

    /// The same request; another one under the same name is a mistake.
    pub(crate) fn is_of(&self, print: &[u8; 32]) -> Result<(), Refusal> {
        match &self.print {
            Some(known) if *known != image::hex(print) => Err(reused()),
            _ => Ok(()),
        }
    }
}

/// What is said of a name that was used for something else.
pub(crate) fn reused() -> Refusal {
    Refusal::invalid(
        "requestId",
        "an id that was used before for another request",
        "a new id for each new request",
    )
}

impl Operations {
    pub(crate) fn begin(&mut self, now: Vec<Operation>) {
        self.now = now;
    }

    pub(crate) fn also(&mut self, operation: Operation) {
        self.now.push(operation);
    }

    pub(crate) fn now(&self) -> Vec<Operation> {
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
        self.made.iter().flat_map(|(_, operations)| operations).any(|known| known.id.starts_with(start))
    }

    pub(crate) fn of(&self, revision: u64) -> Vec<Operation> {
        let found = self.made.iter().rfind(|(known, _)| *known == revision);
        found.map(|(_, operations)| operations.clone()).unwrap_or_default()
    }
}

impl Document {
    /// Do something under the name of a request, if it has one.
    pub(crate) fn under<T>(&mut self, operation: Option<&str>, work: impl FnOnce(&mut Self) -> T) -> T {
        let now = operation.map(|id| Operation::new(id.to_owned(), None));
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
    pub(crate) fn performed(&self, id: &str) -> Vec<(Operation, Performed)> {
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

fn named<'a>(operations: &'a [Operation], id: &str) -> Option<&'a Operation> {
    operations.iter().find(|operation| operation.id == id)
}

impl Desk {
    /// What was done under the name of a request, by this process or by one before it; nothing if the request never got
    /// so far, or if it is too long ago.
    pub fn performed(&self, operation: &str) -> Vec<Performed> {
        let open: Vec<_> = self.registry.lock().documents.values().cloned().collect();
        let in_memory = open.iter().flat_map(|cell| cell.document.lock().performed(operation));
        let mut done: Vec<Performed> = in_memory.map(|(_, done)| done).collect();
        for left in self.journals.as_ref().map(|journals| journals.all_left()).unwrap_or_default() {
            if let Ok(found) = &left.found {
                done.extend(in_log(&found.log, operation));
            }
        }
        done
    }
}

/// The same, read from a journal that nobody works with.
fn in_log(log: &Log, id: &str) -> Vec<Performed> {
    let told = |what, summary: &str| Performed {
        path: log.opened.path.clone(),
        title: log.opened.title.clone(),
        what,
        summary: summary.to_owned(),
    };
    let mut number = log.opened.first.as_ref().map_or(0, |(number, _)| *number);
    let mut done = Vec::new();
    for record in &log.records {
        let (operations, revision, summary) = match record {
            Record::Past(Past { operations, digest, summary, .. }) => {
                number += 1;
                let digest = image::from_hex(digest);
                (operations, digest.map(|digest| RevisionId::new(number, &digest)), summary.as_str())
            }
            Record::Made { operations, to, summary, .. } => {
                (operations, to.as_ref().and_then(|to| to.id()), summary.as_str())
            }
            Record::Undone { operations, to, .. } => (operations, to.id(), "Undo"),
            Record::Redone { operations, to, .. } => (operations, to.id(), "Redo"),
            Record::Staged(Staged { operations, id: suggestion, summary, .. }) => {
                if named(operations, id).is_some() {
                    done.push(told(PerformedAs::Suggestion(suggestion.clone()), summary));
                }
                continue;
            }
            _ => continue,
        };
        if let (Some(revision), Some(_)) = (revision, named(operations, id)) {
            done.push(told(PerformedAs::Revision(revision), summary));
        }
    }
    // A suggestion is written again each time it is found again.
    done.dedup();
    done
}
