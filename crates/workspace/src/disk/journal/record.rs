//! What a journal says happened.
//!
//! A log begins with how things stood: where the file is, the revisions and the stacks of undo and redo, what was staged
//! and decided, which ranges had names. After that comes what was done, in a form that does the same again: an undo is
//! written as an undo, so that it is one in the next life, too.

use std::path::PathBuf;

use edit::{How, RevisionId, Whose};
use serde::{Deserialize, Serialize};

use crate::disk::journal::RequestName;
use crate::disk::journal::wire::WirePatch;
use crate::ids::{RangeId, SuggestionId};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Record {
    /// First in each log.
    Opened(Opened),
    /// What leads from the base to the oldest revision that is known.
    Root(WirePatch),
    /// A revision from before the log began, the oldest first.
    Past(Past),
    /// How the rest stood when the log began. Suggestions and ranges before it stood so, too; what comes after it
    /// happened.
    Standing(Standing),

    Made {
        /// Logs of version 2 do not say.
        to: Option<Revision>,
        patch: WirePatch,
        summary: String,
        by: By,
        at: i64,
        /// The suggestions that it came from.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        accepted: Vec<SuggestionId>,
        /// The requests that it was made for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        operations: Vec<RequestName>,
    },
    Undone {
        to: Revision,
        by: By,
        at: i64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        operations: Vec<RequestName>,
    },
    Redone {
        to: Revision,
        by: By,
        at: i64,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        operations: Vec<RequestName>,
    },
    Staged(Staged),
    Rejected {
        ids: Vec<SuggestionId>,
        by: String,
        at: i64,
    },
    Named(Named),
    /// The file is about to be replaced by bytes of this hash.
    Saving {
        hash: String,
    },
    /// The file has bytes of this hash, which are the head; or what they were before with this patch, if another program
    /// wrote them while there were unsaved edits.
    Saved {
        hash: String,
        file: Option<Identity>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        theirs: Option<WirePatch>,
    },
    /// The file has bytes of this hash, which could not be taken in.
    Conflict {
        hash: String,
    },
    /// Somebody closed the document and gave its unsaved edits up.
    Closed,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Opened {
    pub(crate) version: u32,
    pub(crate) path: Option<PathBuf>,
    pub(crate) title: String,
    /// The document's kind, by name.
    pub(crate) kind: String,
    /// SHA-256 of the base, which is the file as it was on disk; in hexadecimal.
    pub(crate) file: Option<String>,
    #[serde(default)]
    pub(crate) identity: Option<Identity>,
    /// The oldest revision that is known, and its digest in hexadecimal.
    #[serde(default)]
    pub(crate) first: Option<(u64, String)>,
    pub(crate) at: i64,
}

/// A file by its number, which it keeps when it is renamed. Another file gets the number when this one is removed, so
/// only the time at which it was made tells that it is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    /// Nanoseconds since 1970-01-01 UTC, where that is known.
    pub(crate) born: Option<u64>,
}

/// The name of a revision, such as `rev-3-1f2e3d4c`. Doing again what a log says must lead to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Revision(String);

/// Author and caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct By(String, String);

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Past {
    pub(crate) how: WireHow,
    pub(crate) patch: WirePatch,
    /// In hexadecimal.
    pub(crate) digest: String,
    pub(crate) summary: String,
    pub(crate) by: By,
    pub(crate) at: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) operations: Vec<RequestName>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum WireHow {
    Made,
    Undone,
    Redone,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) undo: Vec<Entry>,
    pub(crate) redo: Vec<Entry>,
    /// The digest of the state that the file has, if the history ever had it.
    pub(crate) saved: Option<String>,
    /// The number of that revision, as long as it is known.
    pub(crate) saved_at: Option<u64>,
    /// How many revisions the file does not have, and whose they are.
    pub(crate) unsaved: usize,
    pub(crate) unsaved_of: Vec<By>,
    /// The hash of another program's version that could not be taken in.
    pub(crate) conflict: Option<String>,
    /// What ranges stood for that are gone.
    pub(crate) gone: Vec<(RangeId, String)>,
}

/// A change on the stack of undo or redo.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) revision: u64,
    pub(crate) summary: String,
    pub(crate) made: By,
    pub(crate) undone: Option<By>,
    /// Suggestions that it ended, with their edits.
    pub(crate) accepted: Vec<(SuggestionId, String)>,
    pub(crate) lost: Vec<(SuggestionId, String)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Staged {
    pub(crate) id: SuggestionId,
    pub(crate) group: Option<String>,
    pub(crate) author: String,
    pub(crate) client: String,
    pub(crate) at: i64,
    pub(crate) summary: String,
    /// What it would change as people read it: place, before, after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) shown: Vec<(String, String, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) operations: Vec<RequestName>,
    pub(crate) status: WireStatus,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum WireStatus {
    /// With the edits in their own notation.
    Pending(String),
    Stale(String),
    Accepted {
        by: String,
        at: i64,
    },
    Rejected {
        by: String,
        at: i64,
    },
}

/// A range with a name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Named {
    pub(crate) id: RangeId,
    pub(crate) part: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) touched: bool,
    pub(crate) caller: String,
}

impl From<RevisionId> for Revision {
    fn from(id: RevisionId) -> Self {
        Self(id.to_string())
    }
}

impl Revision {
    /// Nothing if it is no revision at all.
    pub(crate) fn id(&self) -> Option<RevisionId> {
        self.0.parse().ok()
    }

    /// The digits that name its content.
    pub(crate) fn digest(&self) -> Option<u32> {
        self.id().map(|id| id.digest)
    }
}

impl From<&Whose> for By {
    fn from(whose: &Whose) -> Self {
        Self(whose.author.clone(), whose.caller.clone())
    }
}

impl From<By> for Whose {
    fn from(By(author, caller): By) -> Self {
        Self { author, caller }
    }
}

impl By {
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// For logs that did not know callers.
    pub(crate) fn author(author: String) -> Self {
        Self(author, String::new())
    }
}

impl From<How> for WireHow {
    fn from(how: How) -> Self {
        match how {
            How::Made => Self::Made,
            How::Undone => Self::Undone,
            How::Redone => Self::Redone,
        }
    }
}

impl From<WireHow> for How {
    fn from(how: WireHow) -> Self {
        match how {
            WireHow::Made => Self::Made,
            WireHow::Undone => Self::Undone,
            WireHow::Redone => Self::Redone,
        }
    }
}
