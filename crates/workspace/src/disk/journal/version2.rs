//! Logs as they were before version 3, read as if they had been written today.
//!
//! They know neither callers nor undo: what was undone is a change of its own, and a suggestion that it gave back is
//! staged again.

use std::path::PathBuf;

use serde::Deserialize;

use crate::disk::journal::record::{self, By, Opened, WireStatus};
use crate::disk::journal::wire::WirePatch;
use crate::ids::SuggestionId;

pub(crate) const VERSION: u32 = 2;

#[derive(Deserialize)]
enum Record {
    Opened {
        version: u32,
        path: Option<PathBuf>,
        title: String,
        kind: String,
        file: Option<String>,
        at: i64,
    },
    Changed {
        patch: WirePatch,
        summary: String,
        author: String,
        at: i64,
        accepted: Vec<SuggestionId>,
        restaged: Vec<Staged>,
    },
    Staged(Staged),
    Rejected {
        ids: Vec<SuggestionId>,
        by: String,
        at: i64,
    },
    Saving {
        hash: String,
    },
    Saved {
        hash: String,
    },
    Closed,
}

#[derive(Deserialize)]
struct Staged {
    id: SuggestionId,
    group: Option<String>,
    author: String,
    client: String,
    at: i64,
    summary: String,
    edits: Option<String>,
    stale: Option<String>,
}

pub(crate) fn opened(payload: &[u8]) -> Option<Opened> {
    let Record::Opened { version: VERSION, path, title, kind, file, at } =
        serde_json::from_slice(payload).ok()?
    else {
        return None;
    };
    Some(Opened { version: VERSION, path, title, kind, file, identity: None, first: None, at })
}

pub(crate) fn records(payload: &[u8]) -> Option<Vec<record::Record>> {
    Some(match serde_json::from_slice(payload).ok()? {
        Record::Opened { .. } => return None,
        Record::Changed { patch, summary, author, at, accepted, restaged } => {
            let by = By::author(author);
            let made =
                record::Record::Made { to: None, patch, summary, by, at, accepted, operations: Vec::new() };
            let staged = restaged.into_iter().map(|staged| record::Record::Staged(staged.into()));
            std::iter::once(made).chain(staged).collect()
        }
        Record::Staged(staged) => vec![record::Record::Staged(staged.into())],
        Record::Rejected { ids, by, at } => vec![record::Record::Rejected { ids, by, at }],
        Record::Saving { hash } => vec![record::Record::Saving { hash }],
        Record::Saved { hash } => vec![record::Record::Saved { hash, file: None, theirs: None }],
        Record::Closed => vec![record::Record::Closed],
    })
}

impl From<Staged> for record::Staged {
    fn from(staged: Staged) -> Self {
        let Staged { id, group, author, client, at, summary, edits, stale } = staged;
        let status = match (edits, stale) {
            (Some(edits), None) => WireStatus::Pending(edits),
            (_, Some(why)) => WireStatus::Stale(why),
            (None, None) => WireStatus::Stale("its place was gone".into()),
        };
        let (shown, operations) = (Vec::new(), Vec::new());
        Self { id, group, author, client, at, summary, shown, operations, status }
    }
}
