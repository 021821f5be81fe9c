//! One caller's place at the desk: every door reaches documents through it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use edit::{Content, Context, Level, Note, Patch, Refusal, Revision, RevisionId, Stop, Way};

use crate::caller::seat::{OpenIn, Seat, Seen};
use crate::caller::windows::WindowLabel;
use crate::caller::{Access, Caller, CallerId, Role, Scope};
use crate::desk::config::Config;
use crate::desk::rehearsal::Rehearsal;
use crate::desk::{Cell, Desk, DocumentStatus};
use crate::disk;
use crate::disk::files;
use crate::disk::image;
use crate::disk::policy::Policy;
use crate::disk::recent::RecentFile;
use crate::document::edits::{Actor, EditRequest, Outcome};
use crate::document::formats::{Count, Opens};
use crate::document::moving_ranges::{NamedRange, Selection};
use crate::document::saving::{self, Overwrite, Refreshed, SaveReport};
use crate::document::{Document, OnDisk};
use crate::ids::{DocId, RangeId, SessionId, TabId};
use crate::kind::Kind;

mod changes;
mod decide;
mod gate;
mod gone;
mod overview;
mod places;
mod pointing;
mod recover;
mod redline;
mod rules;
mod saves;
mod scripts;
mod tabs;
mod visibility;

pub use changes::{ChangeRequest, Changed, ChangedPlace, Current, Meanwhile, Unchanged};
pub use overview::{Cursor, Overview, ParagraphText};
pub use pointing::Pointed;
pub use redline::Redlined;
pub use scripts::{ScriptFailure, ScriptText, Scripted};
pub use tabs::{Closing, TabStatus, WindowStatus};

/// A caller at the desk. Clones share the seat, which is left with the last of them.
#[derive(Clone)]
pub struct Workspace {
    desk: Arc<Desk>,
    seated: Arc<Seated>,
    stop: Stop,
    /// The request that this place is used for, as the journal names it.
    operation: Option<Arc<str>>,
}

struct Seated {
    desk: Arc<Desk>,
    caller: Caller,
    policy: Policy,
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

/// A revision before the head.
#[expect(missing_debug_implementations, reason = "views are large and have no form worth printing")]
pub struct Earlier<F: Opens> {
    pub revision: RevisionId,
    pub view: F::View,
    /// What made the head of it.
    pub since: Patch,
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
    pub(crate) fn take(desk: Arc<Desk>, caller: Caller) -> Result<Self, Refusal> {
        let policy = Policy::new(&caller.roots)?;
        desk.sweep();
        let (now, told) = (desk.now(), desk.notices.lock().count());
        let mut registry = desk.registry.lock();
        registry.room_for(&caller.id)?;
        let seat = registry.seats.entry(caller.id.clone()).or_insert_with(|| Seat::new(now, told));
        seat.taken += 1;
        seat.used = now;
        drop(registry);
        let seated = Arc::new(Seated { desk: Arc::clone(&desk), caller, policy });
        Ok(Self { desk, seated, stop: Stop::never(), operation: None })
    }

    /// A desk for one.
    pub fn alone(caller: Caller, config: Config) -> Result<Self, Refusal> {
        Desk::new(config)?.seat(caller)
    }

    /// The same place, for work that may be asked to stop.
    #[must_use]
    pub fn until(&self, stop: Stop) -> Self {
        Self { stop, ..self.clone() }
    }

    /// The same place, for a request of this name: it stands in the journal beside each change that the request makes.
    #[must_use]
    pub fn under(&self, operation: &str) -> Self {
        Self { operation: Some(operation.into()), ..self.clone() }
    }

    /// What work that takes long asks.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// A refusal to return with `?` between the steps of long work, once nobody wants it any more.
    pub(crate) fn still_wanted(&self) -> Result<(), Refusal> {
        self.stop.check()
    }

    pub fn caller(&self) -> &Caller {
        &self.seated.caller
    }

    pub fn desk(&self) -> &Arc<Desk> {
        &self.desk
    }

    pub fn folder(&self) -> Folder {
        let roots: Vec<PathBuf> = self.policy().roots().map(Path::to_owned).collect();
        let root = roots.first().cloned();
        let name = root.as_deref().map(disk::name_of);
        Folder { scope: self.caller().scope, root, name, roots }
    }

    /// Files that this caller used, and those of earlier runs in its folders.
    pub fn recent(&self) -> Vec<RecentFile> {
        let registry = self.desk.registry.lock();
        let others =
            |caller: &str| registry.seats.get(&CallerId::new(caller)).is_some_and(|seat| seat.taken > 0);
        let recent = self.desk.recent.lock();
        recent.files(self.id().as_str(), |path| self.policy().holds(path), others)
    }

    /// Open a file, or go to it if it is open: then what is unsaved in it stays.
    pub fn open(&self, path: impl AsRef<Path>, place: OpenIn) -> Result<Opened, Refusal> {
        let (cell, was_open, notes) = self.load_file(path.as_ref())?;
        let tab = self.show(cell.id, &place)?;
        let path = cell.status.lock().path.clone();
        if let Some(path) = path {
            self.used(&path);
        }
        // What was found out while opening is told now.
        self.desk.with(&cell, |_| Ok(()))?;
        if was_open {
            self.refresh(cell.id)?;
        }
        Ok(Opened { document: cell.id, tab, was_open, notes })
    }

    /// The document at a path, whoever has it open, with what was noticed of it; read from disk if nobody has.
    fn load_file(&self, path: &Path) -> Result<(Arc<Cell>, bool, Vec<Note>), Refusal> {
        let file = match self.policy().existing(path) {
            Ok(file) => file,
            Err(refusal @ Refusal::Disk { fault: edit::Fault::Missing, .. }) => {
                return self.load_gone(path, refusal);
            }
            Err(refusal) => return Err(refusal),
        };
        let path = file.path.clone();
        // Two that open it at once would each take what the other needs: one the unsaved work, the other the path.
        let _opening = self.desk.opening.lock(path.clone());
        let mut registry = self.desk.registry.lock();
        let known = registry.open_or_closed(&path).and_then(|id| registry.documents.get(&id).cloned());
        if let Some(cell) = known {
            return Ok((cell, true, Vec::new()));
        }
        drop(registry);
        if self.caller().access == Access::ReadWrite {
            self.desk.leftovers.sweep(&file);
        }
        let read = files::read(&file, self.desk.config.limits.file_bytes)?;
        let mut notes = Vec::new();
        if read.links > 1 {
            let text = format!("the file has {} names; saving changes only this one", read.links);
            notes.push(Note { level: Level::Info, text });
        }
        let document = self.load(&path, read)?;
        let (cell, was_open) = self.register(path, document);
        Ok((cell, was_open, notes))
    }

    /// A document that was made of the file at `path` is open from now on; under the id that it had before a restart, if
    /// it was open then.
    fn register(&self, path: PathBuf, document: Document) -> (Arc<Cell>, bool) {
        let mut registry = self.desk.registry.lock();
        // Another thread may have been faster.
        if let Some(cell) = registry.paths.get(&path).and_then(|id| registry.documents.get(id)).cloned() {
            return (cell, true);
        }
        let asleep = registry.asleep_at(&path);
        let id = asleep.unwrap_or_else(|| self.desk.document_id());
        let cell = registry.add(id, document, self.id());
        registry.paths.insert(path, id);
        (cell, asleep.is_some())
    }

    /// A new document without a file.
    pub fn create(&self, title: Option<&str>, kind: Kind, place: OpenIn) -> Result<Opened, Refusal> {
        let Some(bytes) = kind.empty() else {
            return Err(Refusal::unsupported(format!("making a new {kind} document")));
        };
        let hash = image::hash(&bytes);
        let id = self.desk.document_id();
        let title = title.map_or_else(|| self.untitled(), str::to_owned);
        let (limits, now) = (&self.desk.config.limits, self.now());
        let mut document = Document::open(kind, title, Arc::new(bytes), hash, None, limits, now)?;
        document.protection = self.protection();
        self.desk.registry.lock().add(id, document, self.id());
        let tab = self.show(id, &place)?;
        Ok(Opened { document: id, tab, was_open: false, notes: Vec::new() })
    }

    /// A title that none of the documents has which this caller can see.
    fn untitled(&self) -> String {
        let titles: Vec<String> = self.documents().into_iter().map(|status| status.title).collect();
        let free = (1..).map(|number| format!("Untitled-{number}")).find(|title| !titles.contains(title));
        free.unwrap_or_else(|| "Untitled".to_owned())
    }

    /// Take in what another program wrote to the file. Cheap when nothing was: call it before reading.
    pub fn refresh(&self, document: DocId) -> Result<Refreshed, Refusal> {
        let cx = Context { author: "another program".into(), caller: String::new(), ..self.context() };
        self.with(document, |document| saving::refresh(document, &self.saving_desk(), &cx))
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

    /// A revision that the history still has, and what happened since; the newest if several are meant.
    pub fn earlier<F: Opens>(
        &self,
        id: DocId,
        meant: impl Fn(RevisionId) -> bool,
    ) -> Result<Option<Earlier<F>>, Refusal> {
        let (revision, content, since) = {
            let cell = self.cell(id)?;
            let document = cell.document.lock();
            document.typed::<F>()?;
            let history = &document.history;
            let known =
                history.revisions().iter().rev().map(|revision| revision.id).chain([history.opened()]);
            let Some(revision) = known.into_iter().find(|revision| meant(*revision)) else { return Ok(None) };
            let patches: Vec<&Patch> = history.since(revision)?.collect();
            (revision, history.content_at(revision)?, Patch::joined(&patches))
        };
        Ok(Some(Earlier { revision, view: F::view(&content)?, since }))
    }

    /// The revision in which this caller was last told the names of a document's blocks.
    pub fn last_read(&self, id: DocId) -> Option<RevisionId> {
        self.seat(|seat| seat.read.get(&id).copied())
    }

    /// The caller is told the names of a document's blocks.
    pub fn has_read(&self, id: DocId, revision: RevisionId) {
        self.seat(|seat| seat.read.insert(id, revision));
        self.has_seen(id, revision);
    }

    /// The revision in which this caller last saw a document: shown to it, or made by it.
    pub fn last_seen(&self, id: DocId) -> Option<RevisionId> {
        self.seen(id).map(|seen| seen.last)
    }

    pub(crate) fn seen(&self, id: DocId) -> Option<Seen> {
        self.seat(|seat| seat.seen.get(&id).copied())
    }

    /// The caller is shown a document in this revision.
    pub fn has_seen(&self, id: DocId, revision: RevisionId) {
        self.seat(|seat| seat.seen.insert(id, Seen { last: revision, shown: None }));
    }

    /// The caller made this revision of a document.
    fn has_made(&self, id: DocId, revision: RevisionId) -> Result<(), Refusal> {
        let shown = match self.seen(id) {
            None => None,
            Some(Seen { shown: Some(shown), .. }) => Some(shown),
            Some(Seen { last, shown: None }) => {
                let others = self.meanwhile(id, last, revision)?;
                (!others.is_empty()).then_some(last)
            }
        };
        self.seat(|seat| seat.seen.insert(id, Seen { last: revision, shown }));
        Ok(())
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
    pub fn rehearsal<F: Opens>(&self, document: DocId) -> Result<Rehearsal<F>, Refusal> {
        Ok(Rehearsal::new(self.snapshot::<F>(document)?, self.context()))
    }

    pub fn status(&self, document: DocId) -> Result<DocumentStatus, Refusal> {
        Ok(self.cell(document)?.status.lock().clone())
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
        Ok(self.cell(document)?.document.lock().selections.get(&self.viewer(window)).cloned())
    }

    pub fn select(&self, document: DocId, window: &WindowLabel, selection: Selection) -> Result<(), Refusal> {
        self.with(document, |document| {
            let length = document.history.head().read(&selection.part)?.map(|blob| blob.len());
            let fits = selection.range.start <= selection.range.end;
            if !fits || length.is_none_or(|length| selection.range.end > length) {
                let expected = format!("a range within {} of {}", length.unwrap_or(0), selection.part);
                return Err(Refusal::invalid("selection", format!("{:?}", selection.range), expected));
            }
            document.selections.insert(self.viewer(window), selection);
            Ok(())
        })
    }

    /// Give a range a name under which it can be found while the document changes around it. `text` is what
    /// it stands for, for the day it is gone.
    pub fn name_range(&self, document: DocId, place: Selection, text: &str) -> Result<RangeId, Refusal> {
        let id = self.desk.ids.range();
        let Selection { part, range } = place;
        let range =
            NamedRange { part, range, text: text.to_owned(), touched: false, caller: self.id().to_string() };
        self.with(document, |document| {
            document.name(id.clone(), range);
            Ok(id)
        })
    }

    pub fn range(&self, document: DocId, id: &RangeId) -> Result<NamedRange, Refusal> {
        let range = self.cell(document)?.document.lock().ranges.find(id).cloned()?;
        let own = range.caller == self.id().as_str();
        own.then_some(range).ok_or_else(|| Refusal::not_found("range", id.to_string()))
    }

    /// Work on a document by an explicit id, for an hour after each use.
    pub fn begin_session(&self, document: DocId) -> Result<SessionId, Refusal> {
        let title = self.status(document)?.title;
        let id = self.desk.ids.session();
        let now = self.now();
        self.seat(|seat| seat.sessions.begin(id.clone(), document, title, now));
        self.desk.keep_seat(self.id());
        Ok(id)
    }

    /// The document of a session, which is used by asking.
    pub fn session(&self, id: &SessionId) -> Result<DocId, Refusal> {
        self.desk.sweep();
        let now = self.now();
        self.seat(|seat| seat.sessions.find(id, now))
    }

    /// The session in which this caller works on the document already.
    pub fn session_of(&self, document: DocId) -> Option<SessionId> {
        self.seat(|seat| seat.sessions.of(document))
    }

    /// The session in which this caller works on the document, begun if there is none.
    pub fn working_session(&self, document: DocId) -> Result<SessionId, Refusal> {
        self.session_of(document).map_or_else(|| self.begin_session(document), Ok)
    }

    pub(crate) fn id(&self) -> &CallerId {
        &self.caller().id
    }

    fn policy(&self) -> &Policy {
        &self.seated.policy
    }

    fn actor(&self) -> Actor {
        let Caller { id, name, role, .. } = self.caller();
        Actor { name: name.clone(), client: id.to_string(), role: *role }
    }

    /// Look at this caller's seat, or change it.
    fn seat<T>(&self, work: impl FnOnce(&mut Seat) -> T) -> T {
        let mut registry = self.desk.registry.lock();
        let (now, id) = (self.now(), self.id());
        // Taken with the handle, so it is there; one that was swept by a clock that jumped is made anew.
        let seat = registry.seats.entry(id.clone()).or_insert_with(|| Seat { taken: 1, ..Seat::new(now, 0) });
        work(seat)
    }

    fn show(&self, id: DocId, place: &OpenIn) -> Result<Option<(WindowLabel, TabId)>, Refusal> {
        let shown = self.seat(|seat| seat.show(id, place, || self.desk.tab_id()))?;
        self.desk.keep_seat(self.id());
        Ok(shown)
    }

    /// Names a window of this caller among those of all.
    fn viewer(&self, window: &WindowLabel) -> WindowLabel {
        window.seen_by(self.id())
    }

    fn with<T>(
        &self,
        id: DocId,
        work: impl FnOnce(&mut Document) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let operation = self.operation.as_deref();
        self.desk.with(&*self.cell(id)?, |document| document.under(operation, work))
    }

    fn used(&self, path: &Path) {
        self.desk.recent.lock().add(path, self.now(), self.id().as_str());
    }

    fn saving_desk(&self) -> saving::SavingDesk<'_> {
        let file_bytes = self.desk.config.limits.file_bytes;
        let Desk { ids, side_thread, leftovers, .. } = &*self.desk;
        saving::SavingDesk { policy: self.policy(), ids, side_thread, leftovers, file_bytes }
    }

    /// Seconds since 1970-01-01 UTC, by the clock that this desk goes by.
    pub fn now(&self) -> i64 {
        self.desk.now()
    }

    fn context(&self) -> Context {
        let Caller { id, name, language, .. } = self.caller();
        let (author, caller, language) = (name.clone(), id.to_string(), language.clone());
        Context {
            author,
            caller,
            now: self.now(),
            seed: self.desk.ids.seed(),
            language,
            stop: self.stop.clone(),
        }
    }

    fn writable(&self, what: &str) -> Result<(), Refusal> {
        match self.caller().access {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => Err(Refusal::Denied {
                what: what.to_owned(),
                why: "the server was started read-only".into(),
                instead: Some("try the edit as a dry run".into()),
            }),
        }
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        let mut registry = self.desk.registry.lock();
        if let Some(seat) = registry.seats.get_mut(&self.caller.id) {
            seat.taken = seat.taken.saturating_sub(1);
            seat.used = self.desk.now();
        }
    }
}

/// Names the bytes of a document, however they came to be.
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
        f.debug_struct("Workspace").field("caller", self.caller()).finish_non_exhaustive()
    }
}
