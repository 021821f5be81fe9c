//! The facade: every door reaches documents through `Workspace`.
//!
//! Locks: the registry (who is open where) is held for look-ups only; each document has its own lock, so a
//! long calculation in one never holds up another. Whoever holds a document's lock does not take the
//! registry's. What lists need of a document (`DocumentStatus`) is kept beside its lock, so that they never
//! wait for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use edit::{Content, Context, Level, Note, Refusal, Revision, RevisionId, Way};

use crate::aside::Aside;
use crate::config::{Access, Config, Scope};
use crate::disk;
use crate::document::{Document, OnDisk};
use crate::edits::{self, Actor, EditRequest, Ending, Mode, Outcome};
use crate::formats::{Count, Kind, Opens};
use crate::ids::{DocId, Ids, RangeId, SessionId, TabId};
use crate::image;
use crate::journal::Journals;
use crate::marks::{NamedRange, Selection};
use crate::notices::{Notice, Notices};
use crate::policy::{Policy, disk as disk_refusal};
use crate::recent::{Recent, RecentFile};
use crate::rehearsal::Rehearsal;
use crate::saving::{self, Desk, Overwrite, Refreshed, SaveReport};
use crate::sessions::Sessions;
use crate::sync::{Bell, Lock};
use crate::windows::{MOST_CLOSED, Window, WindowLabel, Windows};

mod decide;
mod recover;
mod tabs;

pub use tabs::{Closing, TabStatus, WindowStatus};

/// All open documents.
pub struct Workspace {
    config: Config,
    policy: Policy,
    ids: Ids,
    aside: Aside,
    registry: Lock<Registry>,
    notices: Lock<Notices>,
    recent: Lock<Recent>,
    bell: Bell,
    journals: Option<Arc<Journals>>,
}

struct Registry {
    documents: BTreeMap<DocId, Arc<Cell>>,
    /// The documents that are open, by their files.
    paths: BTreeMap<PathBuf, DocId>,
    windows: Windows,
    sessions: Sessions,
    documents_made: u64,
}

struct Cell {
    id: DocId,
    document: Lock<Document>,
    status: Lock<DocumentStatus>,
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
}

/// A document that was opened or made.
#[derive(Debug, Clone)]
pub struct Opened {
    pub document: DocId,
    /// Where it is shown, unless it was opened in the background.
    pub tab: Option<(WindowLabel, TabId)>,
    /// It was open before, with whatever unsaved edits it has.
    pub was_open: bool,
    pub notes: Vec<Note>,
}

/// Where a document that is opened shall be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenIn {
    /// A tab of this window, or of the focused one.
    Tab(Option<WindowLabel>),
    /// Nowhere; it stays open as long as a session uses it.
    Background,
}

/// The state of a document that optimistic locking needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionState {
    pub revision: RevisionId,
    /// BLAKE3, in hexadecimal: of the text, or of the parts of a package by name.
    pub hash: String,
    /// When the head came to be; seconds since 1970-01-01 UTC.
    pub at: i64,
}

/// The workspace as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    pub scope: Scope,
    /// The first root.
    pub root: Option<PathBuf>,
    pub name: Option<String>,
    pub roots: Vec<PathBuf>,
}

/// One revision of a document, to be read without holding it up.
pub struct Snapshot<F: Opens> {
    pub document: DocId,
    pub revision: RevisionId,
    pub content: Content,
    pub view: F::View,
}

impl<F: Opens> Clone for Snapshot<F> {
    fn clone(&self) -> Self {
        Self {
            document: self.document,
            revision: self.revision,
            content: self.content.clone(),
            view: self.view.clone(),
        }
    }
}

impl Workspace {
    pub fn new(config: Config) -> Result<Self, Refusal> {
        let policy = Policy::new(&config.roots)?;
        let journals = config.state.as_deref().map(|state| {
            Journals::new(state)
                .map(Arc::new)
                .map_err(|error| disk_refusal("opening the state folder", state, &error))
        });
        let journals = journals.transpose()?;
        let recent = Recent::load(config.state.as_deref());
        Ok(Self {
            policy,
            ids: Ids::new(),
            aside: Aside::default(),
            registry: Lock::new(Registry {
                documents: BTreeMap::new(),
                paths: BTreeMap::new(),
                windows: Windows::new(),
                sessions: Sessions::default(),
                documents_made: 0,
            }),
            notices: Lock::default(),
            recent: Lock::new(recent),
            bell: Bell::default(),
            journals,
            config,
        })
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn folder(&self) -> Folder {
        let roots: Vec<PathBuf> = self.policy.roots().map(Path::to_owned).collect();
        let root = roots.first().cloned();
        let name = root.as_deref().map(saving::name_of);
        Folder { scope: self.config.scope, root, name, roots }
    }

    pub fn recent(&self) -> Vec<RecentFile> {
        self.recent.lock().files().to_vec()
    }

    /// Open a file, or go to it if it is open: then what is unsaved in it stays.
    pub fn open(&self, path: impl AsRef<Path>, place: OpenIn) -> Result<Opened, Refusal> {
        let file = self.policy.existing(path.as_ref())?;
        let path = file.path.clone();
        let known = self.registry.lock().open_or_closed(&path);
        let (id, was_open, notes) = match known {
            Some(id) => (id, true, Vec::new()),
            None => {
                let read = disk::read(&file, self.config.limits.file_bytes)?;
                let mut notes = Vec::new();
                if read.links > 1 {
                    let text = format!("the file has {} names; saving changes only this one", read.links);
                    notes.push(Note { level: Level::Info, text });
                }
                let document = self.load(&path, read)?;
                let mut registry = self.registry.lock();
                match registry.paths.get(&path).copied() {
                    // Another thread was faster.
                    Some(id) => (id, true, Vec::new()),
                    None => {
                        let id = registry.add(document);
                        registry.paths.insert(path.clone(), id);
                        (id, false, notes)
                    }
                }
            }
        };
        let tab = self.registry.lock().show(id, &place)?;
        self.recent.lock().add(&path, self.now());
        self.let_go(id);
        if was_open {
            self.refresh(id)?;
        }
        Ok(Opened { document: id, tab, was_open, notes })
    }

    /// A new document without a file.
    pub fn create(&self, title: Option<&str>, kind: Kind, place: OpenIn) -> Result<Opened, Refusal> {
        let Some(bytes) = kind.empty() else {
            return Err(Refusal::unsupported(format!("making a new {kind} document")));
        };
        let hash = image::hash(&bytes);
        let mut registry = self.registry.lock();
        let title = title.map_or_else(|| format!("Untitled-{}", registry.documents_made + 1), str::to_owned);
        let (limits, now) = (&self.config.limits, self.now());
        let mut document = Document::open(kind, title, Arc::new(bytes), hash, None, limits, now)?;
        document.protection = self.protection();
        let id = registry.add(document);
        let tab = registry.show(id, &place)?;
        Ok(Opened { document: id, tab, was_open: false, notes: Vec::new() })
    }

    pub fn save(&self, document: DocId, overwrite: Overwrite) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let report = self.with(document, |document| saving::save(document, overwrite, &self.desk()))?;
        self.recent.lock().add(&report.path, self.now());
        Ok(report)
    }

    /// Save under another path, which is the document's from then on.
    pub fn save_as(
        &self,
        document: DocId,
        path: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let place = self.policy.target(path.as_ref())?;
        let path = place.path.clone();
        let taken = self.registry.lock().paths.get(&path).copied();
        if taken == Some(document) {
            return self.save(document, overwrite);
        }
        if taken.is_some() {
            return Err(Refusal::Locked { path: path.display().to_string(), by: "another tab".into() });
        }
        let report = self.with(document, |document| {
            named_for(document, &path)?;
            saving::save_as(document, place, overwrite, &self.desk())
        })?;
        let mut registry = self.registry.lock();
        registry.paths.retain(|_, id| *id != document);
        registry.paths.insert(path, document);
        drop(registry);
        self.recent.lock().add(&report.path, self.now());
        Ok(report)
    }

    /// Write a copy in which every change is accepted that the document keeps for somebody to decide on, such
    /// as Word's tracked changes. The document and its own file stay as they are.
    pub fn save_clean(
        &self,
        document: DocId,
        path: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<SaveReport, Refusal> {
        self.writable("saving")?;
        let place = self.policy.target(path.as_ref())?;
        if let Some(taken) = self.registry.lock().paths.get(&place.path) {
            let by = if *taken == document { "the document that it is a copy of" } else { "another tab" };
            return Err(Refusal::Locked { path: place.path.display().to_string(), by: by.into() });
        }
        let cx = self.context("");
        self.with(document, |document| {
            named_for(document, &place.path)?;
            saving::save_clean(document, place, overwrite, &self.desk(), &cx)
        })
    }

    /// Take in what another program wrote to the file. Cheap when nothing was: call it before reading.
    pub fn refresh(&self, document: DocId) -> Result<Refreshed, Refusal> {
        let cx = self.context("another program");
        self.with(document, |document| saving::refresh(document, &self.desk(), &cx))
    }

    /// Make the document what its file is now, as one change that can be undone.
    pub fn reload(&self, document: DocId, actor: &Actor) -> Result<Refreshed, Refusal> {
        let cx = self.context(&actor.name);
        self.with(document, |document| saving::reload(document, &self.desk(), &cx))
    }

    /// Plan edits, and apply, stage or only show them.
    pub fn edit<F: Opens>(
        &self,
        document: DocId,
        mut request: EditRequest<F::Edit>,
    ) -> Result<Outcome<F::Outcome>, Refusal> {
        if request.mode == Mode::Suggest && self.config.approval.auto_approve {
            request.mode = Mode::Apply;
        }
        if request.mode != Mode::DryRun {
            self.writable("editing")?;
        }
        let cx = self.context(&request.actor.name);
        let outcome = self.with(document, |document| {
            if document.only_read && request.mode != Mode::DryRun {
                return Err(crate::old::only_read("editing", &document.title));
            }
            edits::edit::<F>(document, request, &cx, || self.ids.suggestion())
        })?;
        if let Ending::Suggested(id) = &outcome.ending {
            self.registry.lock().sessions.suggested(id.clone(), document);
        }
        Ok(outcome)
    }

    pub fn undo(&self, document: DocId, actor: &Actor) -> Result<Option<Revision>, Refusal> {
        self.step(document, Way::Undo, actor)
    }

    pub fn redo(&self, document: DocId, actor: &Actor) -> Result<Option<Revision>, Refusal> {
        self.step(document, Way::Redo, actor)
    }

    fn step(&self, document: DocId, way: Way, actor: &Actor) -> Result<Option<Revision>, Refusal> {
        self.writable("editing")?;
        let cx = self.context(&actor.name);
        self.with(document, |document| document.step(way, &cx))
    }

    /// Read a document with its own types. The document is not held meanwhile.
    pub fn read<F: Opens, T>(&self, document: DocId, read: impl FnOnce(&F::View) -> T) -> Result<T, Refusal> {
        Ok(read(&self.snapshot::<F>(document)?.view))
    }

    pub fn snapshot<F: Opens>(&self, id: DocId) -> Result<Snapshot<F>, Refusal> {
        let cell = self.cell(id)?;
        let document = cell.document.lock();
        let view = document.typed::<F>()?.view.clone();
        let content = document.history.head().clone();
        Ok(Snapshot { document: id, revision: document.revision(), content, view })
    }

    /// Show every revision since the document was opened, the oldest first. It makes each of them again, so it
    /// is for explaining what went wrong rather than for work.
    pub fn look_back<F: Opens>(
        &self,
        id: DocId,
        mut look: impl FnMut(&F::View, RevisionId),
    ) -> Result<(), Refusal> {
        let (mut content, opened, revisions) = {
            let cell = self.cell(id)?;
            let document = cell.document.lock();
            document.typed::<F>()?;
            let opened = document.history.opened();
            (document.history.content_at(opened)?, opened, document.history.revisions().to_vec())
        };
        let mut view = F::view(&content)?;
        look(&view, opened);
        for revision in revisions {
            content = revision.patch.apply(&content)?;
            view = F::view_after(view, &revision.patch, &content)?;
            look(&view, revision.id);
        }
        Ok(())
    }

    /// A copy of the head on which edits can be tried out.
    pub fn rehearsal<F: Opens>(&self, document: DocId, actor: &Actor) -> Result<Rehearsal<F>, Refusal> {
        Ok(Rehearsal::new(self.snapshot::<F>(document)?, self.context(&actor.name)))
    }

    pub fn status(&self, document: DocId) -> Result<DocumentStatus, Refusal> {
        Ok(self.cell(document)?.status.lock().clone())
    }

    /// All documents in tabs and sessions.
    pub fn documents(&self) -> Vec<DocumentStatus> {
        let cells: Vec<Arc<Cell>> = self.registry.lock().documents.values().cloned().collect();
        cells.iter().map(|cell| cell.status.lock().clone()).collect()
    }

    pub fn count(&self, document: DocId) -> Result<Count, Refusal> {
        self.with(document, |document| document.count())
    }

    pub fn content(&self, document: DocId) -> Result<Content, Refusal> {
        Ok(self.cell(document)?.document.lock().history.head().clone())
    }

    /// The file as saving would write it.
    pub fn packed(&self, document: DocId) -> Result<Vec<u8>, Refusal> {
        let cell = self.cell(document)?;
        let document = cell.document.lock();
        document.engine.pack(document.history.head())
    }

    pub fn revision(&self, id: DocId) -> Result<RevisionState, Refusal> {
        let (revision, at, content) = {
            let cell = self.cell(id)?;
            let document = cell.document.lock();
            (document.revision(), document.changed_at, document.history.head().clone())
        };
        Ok(RevisionState { revision, hash: digest(&content)?, at })
    }

    /// The revisions since the document was opened, oldest first.
    pub fn revisions(&self, document: DocId) -> Result<Vec<Revision>, Refusal> {
        Ok(self.cell(document)?.document.lock().history.revisions().to_vec())
    }

    /// The selection of a window in a document, if one was set.
    pub fn selection(&self, document: DocId, window: &WindowLabel) -> Result<Option<Selection>, Refusal> {
        Ok(self.cell(document)?.document.lock().selections.get(window).cloned())
    }

    pub fn select(&self, document: DocId, window: &WindowLabel, selection: Selection) -> Result<(), Refusal> {
        self.with(document, |document| {
            let length = document.history.head().read(&selection.part)?.map(|blob| blob.len());
            let fits = selection.range.start <= selection.range.end;
            if !fits || length.is_none_or(|length| selection.range.end > length) {
                let expected = format!("a range within {} of {}", length.unwrap_or(0), selection.part);
                return Err(Refusal::invalid("selection", format!("{:?}", selection.range), expected));
            }
            document.selections.insert(window.clone(), selection);
            Ok(())
        })
    }

    /// Give a range a name under which it can be found while the document changes around it. `text` is what
    /// it stands for, for the day it is gone.
    pub fn name_range(&self, document: DocId, place: Selection, text: &str) -> Result<RangeId, Refusal> {
        let id = self.ids.range();
        let Selection { part, range } = place;
        let range = NamedRange { part, range, text: text.to_owned(), touched: false, caller: String::new() };
        self.with(document, |document| {
            document.name(id.clone(), range);
            Ok(id)
        })
    }

    pub fn range(&self, document: DocId, id: &RangeId) -> Result<NamedRange, Refusal> {
        self.cell(document)?.document.lock().ranges.find(id).cloned()
    }

    /// Work on a document by an explicit id, for an hour after each use.
    pub fn begin_session(&self, document: DocId) -> Result<SessionId, Refusal> {
        let title = self.status(document)?.title;
        let id = self.ids.session();
        self.registry.lock().sessions.begin(id.clone(), document, title, self.now());
        Ok(id)
    }

    /// The document of a session, which is used by asking.
    pub fn session(&self, id: &SessionId) -> Result<DocId, Refusal> {
        self.sweep();
        self.registry.lock().sessions.find(id, self.now())
    }

    /// A session that works on the document already.
    pub fn session_of(&self, document: DocId) -> Option<SessionId> {
        self.registry.lock().sessions.of(document)
    }

    /// End the sessions that nobody used for an hour. Unsaved edits stay in the journal.
    fn sweep(&self) {
        let mut registry = self.registry.lock();
        for document in registry.sessions.expire(self.now()) {
            registry.release(document);
        }
    }

    fn cell(&self, id: DocId) -> Result<Arc<Cell>, Refusal> {
        let found = self.registry.lock().documents.get(&id).cloned();
        found.ok_or_else(|| Refusal::not_found("document", id.to_string()))
    }

    /// Work on a document, then make known what came of it.
    fn with<T>(
        &self,
        id: DocId,
        work: impl FnOnce(&mut Document) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let cell = self.cell(id)?;
        let mut document = cell.document.lock();
        let result = work(&mut document);
        self.publish(&cell, &mut document);
        result
    }

    fn let_go(&self, id: DocId) {
        if let Ok(cell) = self.cell(id) {
            let mut document = cell.document.lock();
            self.publish(&cell, &mut document);
        }
    }

    fn publish(&self, cell: &Cell, document: &mut Document) {
        let status = status_of(cell.id, document);
        let changed = std::mem::replace(&mut *cell.status.lock(), status.clone()) != status;
        let events = std::mem::take(&mut document.events);
        if !changed && events.is_empty() {
            return;
        }
        let mut notices = self.notices.lock();
        for event in events {
            notices.push(Notice { document: cell.id, title: status.title.clone(), at: self.now(), event });
        }
        drop(notices);
        self.bell.ring();
    }

    fn desk(&self) -> Desk<'_> {
        let file_bytes = self.config.limits.file_bytes;
        Desk { policy: &self.policy, ids: &self.ids, aside: &self.aside, file_bytes }
    }

    fn now(&self) -> i64 {
        self.config.clock.now()
    }

    fn context(&self, author: &str) -> Context {
        Context::new(author.to_owned(), self.now(), self.ids.seed())
    }

    fn writable(&self, what: &str) -> Result<(), Refusal> {
        match self.config.access {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => Err(Refusal::Denied {
                what: what.to_owned(),
                why: "the server was started read-only".into(),
                instead: Some("try the edit as a dry run".into()),
            }),
        }
    }
}

impl Registry {
    fn add(&mut self, document: Document) -> DocId {
        self.documents_made += 1;
        let id = DocId(self.documents_made);
        for entry in &document.suggestions.entries {
            self.sessions.suggested(entry.proposal.id.clone(), id);
        }
        let status = Lock::new(status_of(id, &document));
        self.documents.insert(id, Arc::new(Cell { id, document: Lock::new(document), status }));
        id
    }

    /// The document at a path, if it is open or was closed with nothing unsaved in it. The latter may have
    /// suggestions that nobody else knows.
    fn open_or_closed(&mut self, path: &Path) -> Option<DocId> {
        if let Some(open) = self.paths.get(path) {
            return Some(*open);
        }
        let closed: Vec<DocId> = self.windows.all().iter().flat_map(|window| window.closed.clone()).collect();
        let same = |status: &DocumentStatus| !status.dirty && status.path.as_deref() == Some(path);
        let id = closed.into_iter().rev().find(|id| self.status(*id).as_ref().is_some_and(same))?;
        self.windows.forget_closed(id);
        self.paths.insert(path.to_owned(), id);
        Some(id)
    }

    /// Bring the document's tab to the front; make one if it has none.
    fn show(&mut self, id: DocId, place: &OpenIn) -> Result<Option<(WindowLabel, TabId)>, Refusal> {
        let shown = self.windows.showing(id).map(|(label, tab)| (label.clone(), tab));
        match (place, shown) {
            (OpenIn::Background, shown) => Ok(shown),
            (OpenIn::Tab(_), Some((label, tab))) => {
                self.windows.show(&label, tab)?;
                Ok(Some((label, tab)))
            }
            (OpenIn::Tab(label), None) => {
                let label = self.windows.get(label.as_ref())?.label.clone();
                let tab = self.windows.add_tab(Some(&label), id)?;
                self.windows.focus(&label)?;
                Ok(Some((label, tab)))
            }
        }
    }

    /// Forget a document that no tab, session or list of closed tabs holds any more.
    fn release(&mut self, id: DocId) {
        let closed = self.windows.all().iter().any(|window| window.closed.contains(&id));
        if self.windows.showing(id).is_some() || self.sessions.uses(id) {
            return;
        }
        self.paths.retain(|_, open| *open != id);
        if !closed {
            self.documents.remove(&id);
        }
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
    }
}

/// Names the bytes of a document, however they came to be.
/// An Office document is known by the end of its name, so it must not be saved under another one.
fn named_for(document: &Document, path: &Path) -> Result<(), Refusal> {
    let (kind, named) = (document.engine.kind(), Kind::of(path));
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    if kind == Kind::Sheet && matches!(extension.to_str(), Some("xls" | "xlt" | "xlsb")) {
        return Err(Refusal::Unsupported {
            what: format!("writing {}, a binary workbook,", path.display()),
            instead: Some("give it a name that ends in .xlsx".to_owned()),
        });
    }
    if kind != named && (kind.is_office() || named.is_office()) {
        let found = format!("`{}`", saving::name_of(path));
        return Err(Refusal::invalid("path", found, format!("a name for a {kind} document")));
    }
    Ok(())
}

fn digest(content: &Content) -> Result<String, Refusal> {
    let mut hasher = blake3::Hasher::new();
    let single = content.names().count() == 1;
    for name in content.names() {
        let Some(blob) = content.read(name)? else { continue };
        if !single {
            hasher.update(&(name.as_str().len() as u64).to_le_bytes());
            hasher.update(name.as_str().as_bytes());
            hasher.update(&(blob.len() as u64).to_le_bytes());
        }
        for (_, bytes) in blob.chunks() {
            hasher.update(&bytes);
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

impl<F: Opens> std::fmt::Debug for Snapshot<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Snapshot({} at {})", self.document, self.revision)
    }
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("config", &self.config).finish_non_exhaustive()
    }
}
