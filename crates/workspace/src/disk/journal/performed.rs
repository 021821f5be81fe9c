//! What was done under the name of a request, as far as a journal says so.

use std::fmt;
use std::path::PathBuf;

use edit::RevisionId;

use super::record::{Past, Record, Staged};
use super::{Log, named};
use crate::disk::image;
use crate::ids::SuggestionId;

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
    pub(crate) fn read(written: &str) -> Option<Self> {
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

/// What a journal that nobody works with says of a request.
pub(crate) fn performed_in(log: &Log, id: &str) -> Vec<Performed> {
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
