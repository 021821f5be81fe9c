//! What happened that nobody asked for at the moment: told to each caller once, with its next result.

use std::collections::VecDeque;
use std::fmt;

use crate::ids::{DocId, SuggestionId};

/// Notices that are kept for callers that have not asked.
const MOST: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub document: DocId,
    pub title: String,
    pub at: i64,
    pub event: Event,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Accepted {
        client: String,
        id: SuggestionId,
        by: String,
    },
    Rejected {
        client: String,
        id: SuggestionId,
        by: String,
    },
    /// The change that decided it was undone, so it waits again.
    Back {
        client: String,
        id: SuggestionId,
    },
    /// The suggestion lost its place.
    Stale {
        client: String,
        id: SuggestionId,
        why: String,
    },
    /// Another program changed the file, and the change is now in the document.
    TakenIn {
        change: String,
    },
    /// Another program changed the file where there are unsaved edits.
    Conflict {
        change: String,
    },
    /// Edits that were not saved when the program ended are back.
    Recovered {
        edits: usize,
        suggestions: usize,
    },
    /// There is work that the file never had, and the file is gone.
    FileGone,
    /// The file was renamed, and what was unsaved of it came along.
    Followed {
        from: String,
    },
    /// Unsaved edits that could not be brought back are kept in this folder.
    KeptAside {
        folder: String,
        why: String,
    },
    /// Unsaved edits are not protected against a crash.
    Unprotected {
        why: String,
    },
}

impl Event {
    /// Whom it concerns; `None` is everybody.
    fn client(&self) -> Option<&str> {
        match self {
            Self::Accepted { client, .. }
            | Self::Rejected { client, .. }
            | Self::Back { client, .. }
            | Self::Stale { client, .. } => Some(client),
            Self::TakenIn { .. }
            | Self::Conflict { .. }
            | Self::Recovered { .. }
            | Self::FileGone
            | Self::Followed { .. }
            | Self::KeptAside { .. }
            | Self::Unprotected { .. } => None,
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = &self.title;
        match &self.event {
            Event::Accepted { id, by, .. } => write!(f, "{by} accepted suggestion {id} in {title}"),
            Event::Rejected { id, by, .. } => write!(f, "{by} rejected suggestion {id} in {title}"),
            Event::Back { id, .. } => write!(f, "suggestion {id} in {title} is pending again"),
            Event::Stale { id, why, .. } => write!(f, "suggestion {id} in {title} lost its place: {why}"),
            Event::TakenIn { change } => {
                write!(f, "another program changed {title} ({change}); the change was taken in")
            }
            Event::Conflict { change } => write!(
                f,
                "another program changed {title} ({change}) where there are unsaved edits; both versions are kept"
            ),
            Event::Recovered { edits, suggestions } => write!(
                f,
                "{title} has unsaved work from an earlier run: {edits} edits and {suggestions} suggestions are back"
            ),
            Event::FileGone => write!(f, "the file {title} is gone; saving writes it anew"),
            Event::Followed { from } => {
                write!(
                    f,
                    "{title} was {from} when it was last worked on; what was unsaved of that is here now"
                )
            }
            Event::KeptAside { folder, why } => {
                write!(f, "unsaved work on {title} could not be brought back ({why}) and is kept in {folder}")
            }
            Event::Unprotected { why } => {
                write!(f, "unsaved edits of {title} would not survive a crash: {why}")
            }
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Notices {
    log: VecDeque<(u64, Notice)>,
    count: u64,
}

impl Notices {
    pub(crate) fn push(&mut self, notice: Notice) {
        self.count += 1;
        self.log.push_back((self.count, notice));
        if self.log.len() > MOST {
            self.log.pop_front();
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// What `caller` has not been told after `told` notices: what concerns it, and what happened to documents it has
    /// open.
    pub(crate) fn after(&self, told: u64, caller: &str, open: impl Fn(DocId) -> bool) -> Vec<Notice> {
        let new = self.log.iter().filter(|(count, _)| *count > told).map(|(_, notice)| notice);
        let theirs = new.filter(|notice| match notice.event.client() {
            Some(client) => client == caller,
            None => open(notice.document),
        });
        theirs.cloned().collect()
    }
}
