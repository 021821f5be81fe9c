//! A caller's places: what it has open, and what it has been told.
//!
//! A seat outlives the connection, so that a client which comes back finds its windows, tabs and sessions under their
//! names. One that nobody takes again is cleared; unsaved work is in the journal by then.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use edit::{Refusal, RevisionId};
use serde::{Deserialize, Serialize};

use crate::caller::sessions::Sessions;
use crate::caller::windows::{Tab, WindowLabel, Windows};
use crate::ids::{DocId, TabId};

/// Seats at one desk. Names of callers may come from outside, so there is an end to them.
pub(crate) const MOST: usize = 2000;

/// Files of a caller that are known as its own; one that is forgotten is somebody else's.
const MOST_WRITTEN: usize = 500;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) windows: Windows,
    pub(crate) sessions: Sessions,
    /// When it was last taken or left.
    pub(crate) used: i64,
    /// Notices that the caller has been told, or that happened before it came.
    #[serde(skip)]
    pub(crate) told: u64,
    /// The revision of each document in which the caller was last told the names of its blocks.
    #[serde(skip)]
    pub(crate) read: BTreeMap<DocId, RevisionId>,
    /// The revision of each document that the caller was last shown, or that its last change made.
    #[serde(skip)]
    pub(crate) seen: BTreeMap<DocId, Seen>,
    /// Files that the caller put on disk, with the hash of what it put there.
    #[serde(skip)]
    pub(crate) wrote: BTreeMap<PathBuf, String>,
    /// Connections that have it now.
    #[serde(skip)]
    pub(crate) taken: usize,
}

/// The revision in which a caller counts when it does not say which one it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// It was shown to the caller, or made by it.
    pub(crate) last: RevisionId,
    /// What it was last shown, if others changed the document between that and its own last change: it knows what it did,
    /// and does not know what moved.
    pub(crate) shown: Option<RevisionId>,
}

impl Seat {
    pub(crate) fn new(now: i64, told: u64) -> Self {
        Self {
            windows: Windows::new(),
            sessions: Sessions::default(),
            used: now,
            told,
            read: BTreeMap::new(),
            seen: BTreeMap::new(),
            wrote: BTreeMap::new(),
            taken: 0,
        }
    }

    /// Whether a document is in a tab or used by a session.
    pub(crate) fn has_open(&self, document: DocId) -> bool {
        self.windows.showing(document).is_some() || self.sessions.uses(document)
    }

    /// Whether a closed tab of it can be reopened.
    pub(crate) fn remembers(&self, document: DocId) -> bool {
        self.windows.all().iter().any(|window| window.closed.contains(&document))
    }

    /// Everything that is kept in memory for this seat.
    pub(crate) fn documents(&self) -> Vec<DocId> {
        self.windows.documents().chain(self.sessions.documents()).collect()
    }

    /// The caller put a file on disk.
    pub(crate) fn has_written(&mut self, path: &Path, hash: &str) {
        if self.wrote.len() >= MOST_WRITTEN {
            self.wrote.pop_first();
        }
        self.wrote.insert(path.to_owned(), hash.to_owned());
    }

    /// Whether a file of this hash is what the caller put there.
    pub(crate) fn is_as_written(&self, path: &Path, hash: &str) -> bool {
        self.wrote.get(path).is_some_and(|wrote| wrote == hash)
    }

    /// Go on with another document wherever this caller had the first.
    pub(crate) fn go_on(&mut self, from: DocId, to: DocId, title: &str) {
        self.windows.go_on(from, to);
        self.sessions.go_on(from, to, title);
        self.read.remove(&from);
        self.seen.remove(&from);
    }

    /// Show a document: in the tab it has, or in a new one.
    pub(crate) fn show(
        &mut self,
        document: DocId,
        place: &OpenIn,
        new_tab: impl FnOnce() -> TabId,
    ) -> Result<Option<(WindowLabel, TabId)>, Refusal> {
        let shown = self.windows.showing(document).map(|(label, tab)| (label.clone(), tab));
        let (label, front) = match (place, shown) {
            (OpenIn::Background | OpenIn::Beside, Some(shown)) => return Ok(Some(shown)),
            (OpenIn::Background, None) => return Ok(None),
            (OpenIn::Tab(_), Some((label, tab))) => {
                self.windows.show(&label, tab)?;
                return Ok(Some((label, tab)));
            }
            (OpenIn::Beside, None) => (None, false),
            (OpenIn::Tab(label), None) => (label.as_ref(), true),
        };
        let label = self.windows.get(label)?.label.clone();
        let id = new_tab();
        self.windows.add_tab(&label, Tab { id, document }, front)?;
        if front {
            self.windows.focus(&label)?;
        }
        Ok(Some((label, id)))
    }
}

/// Where a document that is opened shall be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenIn {
    /// A tab of this window, or of the focused one, in front.
    Tab(Option<WindowLabel>),
    /// A tab of the focused window, behind what is in front of it.
    Beside,
    /// Nowhere; it stays open as long as a session uses it.
    Background,
}
