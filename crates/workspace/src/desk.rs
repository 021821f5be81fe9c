//! The desk: the documents that all callers share, and who sits at it.
//!
//! Locks: the registry (what is open, and for whom) is held for look-ups only; each document has its own lock, so a
//! long calculation in one never holds up another. Whoever holds a document's lock does not take the registry's; the
//! register's is taken last. What lists need of a document (`DocumentStatus`) is kept beside its lock, so that they never wait for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use edit::{OrEmpty, Refusal, RevisionId};

use crate::caller::notices::{Event, Notice, Notices};
use crate::caller::seat::{self, Seat};
use crate::caller::{Caller, CallerId};
use crate::desk::config::Config;
use crate::desk::register::{Decided, Register, StoredDocument, StoredSeat};
use crate::desk::workspace::Workspace;
use crate::disk::files::Leftovers;
use crate::disk::journal::Journals;
use crate::disk::policy::disk as disk_refusal;
use crate::disk::recent::Recent;
use crate::disk::work_thread::SideThread;
use crate::document::Document;
use crate::document::suggestions::Status;
use crate::ids::{DocId, Ids, SuggestionId, TabId};
use crate::kind::Kind;
use crate::sync::{Bell, Keyed, Lock};

pub(crate) mod config;
pub(crate) mod other_processes;
mod performed;
pub(crate) mod register;

pub(crate) mod rehearsal;
pub(crate) mod workspace;

/// All open documents, and everybody who works on them.
pub struct Desk {
    pub(crate) config: Config,
    pub(crate) ids: Ids,
    pub(crate) side_thread: SideThread,
    pub(crate) leftovers: Leftovers,
    /// The files that are being opened.
    pub(crate) opening: Keyed<PathBuf>,
    pub(crate) registry: Lock<Registry>,
    pub(crate) notices: Lock<Notices>,
    pub(crate) recent: Lock<Recent>,
    pub(crate) register: Lock<Register>,
    pub(crate) bell: Bell,
    pub(crate) journals: Option<Arc<Journals>>,
}

#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) documents: BTreeMap<DocId, Arc<Cell>>,
    /// Documents that callers had open before a restart. They are opened when somebody uses them.
    pub(crate) asleep: BTreeMap<DocId, StoredDocument>,
    /// The documents that are open, by their files.
    pub(crate) paths: BTreeMap<PathBuf, DocId>,
    pub(crate) seats: BTreeMap<CallerId, Seat>,
    pub(crate) suggested: BTreeMap<SuggestionId, DocId>,
}

pub(crate) struct Cell {
    pub(crate) id: DocId,
    /// Who made it; says who may see it as long as it has no file.
    pub(crate) made_by: CallerId,
    pub(crate) document: Lock<Document>,
    pub(crate) status: Lock<DocumentStatus>,
}

/// What lists show of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentStatus {
    pub id: DocId,
    pub kind: Kind,
    pub title: String,
    pub path: Option<PathBuf>,
    pub dirty: bool,
    pub revision: RevisionId,
    /// Suggestions that wait for a decision.
    pub pending: usize,
    /// Where its unsaved work is written down, by the name of the folder.
    pub(crate) journal: Option<String>,
}

impl Desk {
    pub fn new(config: Config) -> Result<Arc<Self>, Refusal> {
        let journals = config.state.as_deref().map(|state| {
            Journals::new(state)
                .map(Arc::new)
                .map_err(|error| disk_refusal("opening the state folder", state, &error))
        });
        let journals = journals.transpose()?;
        let register = Register::open(config.state.as_deref());
        let mut registry = Registry::default();
        let stored = if config.lasting { register.seats() } else { Vec::new() };
        for StoredSeat { caller, seat, documents } in stored {
            registry.asleep.extend(documents);
            // Who does not come back soon does not come back.
            registry.seats.insert(caller, Seat { used: config.clock.now(), ..seat });
        }
        Ok(Arc::new(Self {
            ids: Ids::new(),
            side_thread: SideThread::default(),
            leftovers: Leftovers::default(),
            opening: Keyed::default(),
            registry: Lock::new(registry),
            notices: Lock::default(),
            recent: Lock::new(Recent::load(config.state.as_deref())),
            register: Lock::new(register),
            bell: Bell::default(),
            journals,
            config,
        }))
    }

    /// Give a caller its seat: the one it had, or a new one.
    pub fn seat(self: &Arc<Self>, caller: Caller) -> Result<Workspace, Refusal> {
        Workspace::take(Arc::clone(self), caller)
    }

    /// How many things have happened so far, in any document.
    pub fn beat(&self) -> u64 {
        self.bell.count()
    }

    /// Wait until something happens after `seen`, or the time is up; gives the new beat.
    pub fn wait_for_change(&self, seen: u64, timeout: Duration) -> u64 {
        self.bell.wait(seen, Instant::now() + timeout)
    }

    /// The names of those who are here now.
    pub fn present(&self) -> usize {
        self.registry.lock().seats.values().filter(|seat| seat.taken > 0).count()
    }

    /// The callers who are here now.
    pub(crate) fn callers_here(&self) -> std::collections::BTreeSet<String> {
        let registry = self.registry.lock();
        let here = registry.seats.iter().filter(|(_, seat)| seat.taken > 0);
        here.map(|(caller, _)| caller.as_str().to_owned()).collect()
    }

    /// Seconds since 1970-01-01 UTC, by the clock that this desk goes by.
    pub fn now(&self) -> i64 {
        self.config.clock.now()
    }

    pub(crate) fn document_id(&self) -> DocId {
        DocId(self.register.lock().number())
    }

    pub(crate) fn tab_id(&self) -> TabId {
        TabId(self.register.lock().number())
    }

    /// Work on a document, then make known what came of it.
    pub(crate) fn with<T>(
        &self,
        cell: &Cell,
        work: impl FnOnce(&mut Document) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut document = cell.document.lock();
        let result = work(&mut document);
        self.publish(cell, &mut document);
        result
    }

    fn publish(&self, cell: &Cell, document: &mut Document) {
        let status = status_of(cell.id, document);
        let changed = std::mem::replace(&mut *cell.status.lock(), status.clone()) != status;
        let events = std::mem::take(&mut document.events);
        if !changed && events.is_empty() {
            return;
        }
        self.write_decisions(&status, document, &events);
        let mut notices = self.notices.lock();
        for event in events {
            notices.push(Notice { document: cell.id, title: status.title.clone(), at: self.now(), event });
        }
        drop(notices);
        self.bell.ring();
    }

    /// Decisions outlive the document, for those who ask later.
    fn write_decisions(&self, status: &DocumentStatus, document: &Document, events: &[Event]) {
        for event in events {
            let (client, id) = match event {
                Event::Accepted { client, id, .. } | Event::Rejected { client, id, .. } => (client, id),
                Event::Back { id, .. } => {
                    self.register.lock().undecide(id);
                    continue;
                }
                _ => continue,
            };
            let Ok(entry) = document.suggestions.find(id) else { continue };
            let (accepted, decision) = match &entry.status {
                Status::Accepted(decision) => (true, decision),
                Status::Rejected(decision) => (false, decision),
                Status::Pending | Status::Stale { .. } => continue,
            };
            self.register.lock().decide(Decided {
                id: id.clone(),
                document: status.path.clone(),
                summary: entry.proposal.summary.clone(),
                accepted,
                by: decision.by.clone(),
                at: decision.at,
                caller: client.clone(),
            });
        }
    }

    /// Write a seat down, after it changed.
    pub(crate) fn keep_seat(&self, caller: &CallerId) {
        if !self.config.lasting {
            return;
        }
        let registry = self.registry.lock();
        let stored = registry.stored(caller);
        // Taken before the other is let go, so that what is written last is what was last.
        let register = self.register.lock();
        drop(registry);
        match stored {
            Some(stored) => register.keep(&stored),
            None => register.forget(caller),
        }
    }

    /// Clear the seats of those who went and did not come back, and end sessions that nobody used for an hour. Unsaved
    /// edits stay in the journal.
    pub(crate) fn sweep(&self) {
        let (now, kept) = (self.now(), i64::from(self.config.seats_kept));
        let mut registry = self.registry.lock();
        let gone = registry.seats.iter().filter(|(_, seat)| seat.taken == 0 && now - seat.used > kept);
        let gone: Vec<CallerId> = gone.map(|(id, _)| id.clone()).collect();
        let mut released = Vec::new();
        for id in &gone {
            released.extend(registry.seats.remove(id).iter().flat_map(Seat::documents));
        }
        for seat in registry.seats.values_mut() {
            released.extend(seat.sessions.expire(now));
        }
        let dropped = registry.release_all(&released);
        let cells: Vec<Arc<Cell>> =
            released.iter().filter_map(|id| registry.documents.get(id).cloned()).collect();
        drop(registry);
        for id in &gone {
            self.register.lock().forget(id);
        }
        // Selections of those who went; a document that is busy is cleared by whoever goes next.
        for cell in cells {
            if let Some(mut document) = cell.document.try_lock() {
                document.selections.retain(|viewer, _| !gone.iter().any(|id| viewer.is_of(id)));
            }
        }
        drop(dropped);
        self.look_after_journals();
    }

    /// After documents were let go: unsaved work of those that have no file is kept up to a bound.
    pub(crate) fn look_after_journals(&self) {
        if let Some(journals) = &self.journals {
            journals.look_after();
        }
    }
}

impl Registry {
    pub(crate) fn add(&mut self, id: DocId, document: Document, made_by: &CallerId) -> Arc<Cell> {
        for entry in &document.suggestions.entries {
            self.suggested.insert(entry.proposal.id.clone(), id);
        }
        let status = Lock::new(status_of(id, &document));
        let cell = Arc::new(Cell { id, made_by: made_by.clone(), document: Lock::new(document), status });
        self.asleep.remove(&id);
        self.documents.insert(id, Arc::clone(&cell));
        cell
    }

    /// A seat for one more, at the cost of whoever has been gone for longest.
    pub(crate) fn room_for(&mut self, caller: &CallerId) -> Result<(), Refusal> {
        if self.seats.len() < seat::MOST || self.seats.contains_key(caller) {
            return Ok(());
        }
        let gone = self.seats.iter().filter(|(_, seat)| seat.taken == 0).min_by_key(|(_, seat)| seat.used);
        let Some(gone) = gone.map(|(id, _)| id.clone()) else {
            let (found, limit) = (self.seats.len().to_string(), seat::MOST.to_string());
            return Err(Refusal::Limit { what: "the number of callers".into(), found, limit });
        };
        let released = self.seats.remove(&gone).map(|seat| seat.documents()).or_empty();
        self.release_all(&released);
        Ok(())
    }

    pub(crate) fn status(&self, id: DocId) -> Option<DocumentStatus> {
        Some(self.documents.get(&id)?.status.lock().clone())
    }

    /// The document at a path, if it is open or was closed with nothing unsaved in it. The latter may have
    /// suggestions that nobody else knows.
    pub(crate) fn open_or_closed(&mut self, path: &Path) -> Option<DocId> {
        if let Some(open) = self.paths.get(path) {
            return Some(*open);
        }
        let same = |status: &DocumentStatus| !status.dirty && status.path.as_deref() == Some(path);
        let found = self.documents.iter().rev().find(|(_, cell)| same(&cell.status.lock()));
        let id = *found?.0;
        for seat in self.seats.values_mut() {
            seat.windows.forget_closed(id);
        }
        self.paths.insert(path.to_owned(), id);
        Some(id)
    }

    /// The document that callers had open at a path before a restart.
    pub(crate) fn asleep_at(&self, path: &Path) -> Option<DocId> {
        let file = |stored: &StoredDocument| matches!(stored, StoredDocument::File(of) if of == path);
        self.asleep.iter().find(|(_, stored)| file(stored)).map(|(id, _)| *id)
    }

    pub(crate) fn is_open(&self, id: DocId) -> bool {
        self.seats.values().any(|seat| seat.has_open(id))
    }

    /// Whether anybody but this caller has it open.
    pub(crate) fn is_open_elsewhere(&self, id: DocId, caller: &CallerId) -> bool {
        self.seats.iter().any(|(other, seat)| other != caller && seat.has_open(id))
    }

    /// Forget documents that no tab, session or list of closed tabs holds any more. They are handed back, because
    /// letting go of a large one takes time that nobody should wait for.
    pub(crate) fn release_all(&mut self, ids: &[DocId]) -> Vec<Arc<Cell>> {
        let mut dropped = Vec::new();
        for id in ids {
            if self.is_open(*id) {
                continue;
            }
            self.paths.retain(|_, open| open != id);
            if self.seats.values().any(|seat| seat.remembers(*id)) {
                continue;
            }
            dropped.extend(self.documents.remove(id));
            self.asleep.remove(id);
            self.suggested.retain(|_, document| document != id);
        }
        dropped
    }

    fn stored(&self, caller: &CallerId) -> Option<StoredSeat> {
        let seat = self.seats.get(caller)?;
        let mut documents = BTreeMap::new();
        for id in seat.documents() {
            let found = match self.documents.get(&id) {
                Some(cell) => {
                    let status = cell.status.lock();
                    let file = status.path.clone().map(StoredDocument::File);
                    file.or_else(|| status.journal.clone().map(StoredDocument::Untitled))
                }
                None => self.asleep.get(&id).cloned(),
            };
            documents.extend(found.map(|found| (id, found)));
        }
        Some(StoredSeat {
            caller: caller.clone(),
            seat: seat.clone(),
            documents: documents.into_iter().collect(),
        })
    }
}

fn status_of(id: DocId, document: &Document) -> DocumentStatus {
    DocumentStatus {
        id,
        kind: document.engine.kind(),
        title: document.title.clone(),
        path: document.file.as_ref().map(|file| file.path.clone()),
        dirty: document.is_dirty(),
        revision: document.revision(),
        pending: document.suggestions.pending().count(),
        journal: document.journal_name(),
    }
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("config", &self.config).finish_non_exhaustive()
    }
}
