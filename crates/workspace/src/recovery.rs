//! A document and its journal: what is written down, and how a document is made from it again.

use std::path::PathBuf;
use std::sync::Arc;

use edit::{Context, Patch, Refusal};

use crate::document::{Document, OnDisk};
use crate::formats::{Kind, Limits};
use crate::ids::SuggestionId;
use crate::image;
use crate::journal::{Found, Journal, Journals, Record, Staged};
use crate::notices::Event;
use crate::saving::difference;
use crate::suggestions::{Decision, Entry, Proposal, Status, Wish};

/// Where a document's unsaved work is written down.
#[derive(Debug, Default)]
pub(crate) enum Protection {
    /// Nowhere: there is no state directory, or the document is being made from a journal.
    #[default]
    Off,
    /// There is nothing to protect yet.
    Ready(Arc<Journals>),
    On(Arc<Journals>, Journal),
    /// Writing failed. Tried again at the next save.
    Failed(Arc<Journals>),
}

/// Unsaved work that an earlier run left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoverable {
    /// The name of its folder in the state directory.
    pub id: String,
    pub path: Option<PathBuf>,
    pub title: String,
    pub edits: usize,
    pub suggestions: usize,
    /// It could not be brought back, or was given up, and is kept.
    pub aside: bool,
}

impl Document {
    /// Write down what just happened. If nothing has been written so far, the whole state is.
    pub(crate) fn protect(&mut self, record: impl FnOnce(&Document) -> Result<Record, Refusal>) {
        let record = match &self.protection {
            Protection::Off | Protection::Failed(_) => return,
            Protection::Ready(_) => return self.protect_all(),
            Protection::On(..) => record(self),
        };
        let Protection::On(_, journal) = &mut self.protection else { return };
        let appended = match record {
            Ok(record) => journal.append(&record).map_err(|error| error.to_string()),
            Err(refusal) => Err(refusal.to_string()),
        };
        if let Err(why) = appended {
            self.unprotected(why);
        }
    }

    /// Close a file that was replaced by a save.
    pub(crate) fn let_go(&self, replaced: Arc<std::fs::File>) {
        match &self.protection {
            Protection::Off => drop(replaced),
            Protection::Ready(journals) | Protection::On(journals, _) | Protection::Failed(journals) => {
                journals.let_go(replaced);
            }
        }
    }

    /// The file was saved: nothing is left to protect, except suggestions. A journal of a large file is kept for the
    /// next edit, which then need not write all of the file down first.
    pub(crate) fn protect_saved(&mut self) {
        let undecided = self.suggestions.entries.iter().any(|entry| entry.undecided());
        let Protection::On(_, journal) = &mut self.protection else { return self.protect_all() };
        let Some(file) = &self.file else { return self.protect_all() };
        let rests =
            !undecided && journal.worth_keeping() && journal.rest(image::hex(&file.image.hash)).is_ok();
        if !rests {
            self.protect_all();
        }
    }

    /// Write the state down anew, or remove what was written if there is nothing to protect.
    pub(crate) fn protect_all(&mut self) {
        let (journals, journal) = match std::mem::take(&mut self.protection) {
            Protection::Off => return,
            Protection::Ready(journals) | Protection::Failed(journals) => (journals, None),
            Protection::On(journals, journal) => (journals, Some(journal)),
        };
        let undecided = self.suggestions.entries.iter().any(|entry| entry.undecided());
        if !self.is_dirty() && !undecided {
            if let Some(journal) = journal {
                journal.remove();
            }
            self.protection = Protection::Ready(journals);
            return;
        }
        match self.write_all(&journals, journal) {
            Ok(journal) => self.protection = Protection::On(journals, journal),
            Err(why) => {
                self.protection = Protection::Failed(journals);
                self.events.push(Event::Unprotected { why });
            }
        }
    }

    fn write_all(&self, journals: &Journals, journal: Option<Journal>) -> Result<Journal, String> {
        let (base, hash) = match &self.file {
            Some(file) => (Arc::clone(&file.image.bytes), file.image.hash),
            None => {
                let base = self.engine.pack(&self.saved.content).map_err(|refusal| refusal.to_string())?;
                let hash = image::hash(&base);
                (Arc::new(base), hash)
            }
        };
        let records = self.records(image::hex(&hash)).map_err(|refusal| refusal.to_string())?;
        let path = self.file.as_ref().map(|file| file.path.as_path());
        let begun = match journal {
            Some(journal) => Ok(journal),
            None => journals.begin(path),
        };
        begun
            .and_then(|mut journal| journal.restart(&base, &records).map(|()| journal))
            .map_err(|error| error.to_string())
    }

    /// The records that lead from the file on disk, which has this hash, to this document.
    fn records(&self, hash: String) -> Result<Vec<Record>, Refusal> {
        let path = self.file.as_ref().map(|file| file.path.clone());
        let file = Some(hash);
        let kind = self.engine.kind().name().to_owned();
        let mut records = vec![Record::opened(path, self.title.clone(), kind, file, self.changed_at)];
        let changed = |patch: &Patch, summary: &str, author: &str, at: i64| Record::Changed {
            patch: patch.into(),
            summary: summary.to_owned(),
            author: author.to_owned(),
            at,
            accepted: Vec::new(),
            restaged: Vec::new(),
        };
        match self.saved.revision {
            Some(revision) => {
                let count = self.history.since(revision)?.count();
                let revisions = self.history.revisions();
                for revision in &revisions[revisions.len() - count..] {
                    records.push(changed(&revision.patch, &revision.summary, &revision.author, revision.at));
                }
            }
            None => {
                let patch = difference(&self.saved.content, self.history.head())?;
                if !patch.is_empty() {
                    records.push(changed(&patch, "Unsaved changes", "", self.changed_at));
                }
            }
        }
        for entry in self.suggestions.entries.iter().filter(|entry| entry.undecided()) {
            records.push(Record::Staged(self.staged_record(entry)?));
        }
        Ok(records)
    }

    pub(crate) fn staged_record(&self, entry: &Entry) -> Result<Staged, Refusal> {
        let Proposal { id, group, author, client, at, summary, .. } = entry.proposal.clone();
        let edits = entry.wish.as_ref().map(|wish| wish.edits.written()).transpose()?;
        let stale = match &entry.status {
            Status::Stale { why } => Some(why.clone()),
            Status::Pending | Status::Accepted(_) | Status::Rejected(_) => None,
        };
        Ok(Staged { id, group, author, client, at, summary, edits, stale })
    }

    pub(crate) fn is_protected(&self) -> bool {
        matches!(self.protection, Protection::On(..))
    }

    /// End the journal of the old path; the next one is written for the new path.
    pub(crate) fn move_protection(&mut self) {
        self.protection = match std::mem::take(&mut self.protection) {
            Protection::On(journals, journal) => {
                journal.remove();
                Protection::Ready(journals)
            }
            other => other,
        };
    }

    fn unprotected(&mut self, why: String) {
        if let Protection::On(journals, _) | Protection::Ready(journals) =
            std::mem::take(&mut self.protection)
        {
            self.protection = Protection::Failed(journals);
        }
        self.events.push(Event::Unprotected { why });
    }

    /// Do again what the records say.
    fn replay(&mut self, records: &[Record], on_disk: &image::Hash) -> Result<usize, Refusal> {
        let mut edits = 0;
        for record in records {
            match record {
                Record::Opened { .. } | Record::Closed => {}
                Record::Changed { patch, summary, author, at, accepted, restaged } => {
                    let patch = patch.to_patch()?;
                    let after = patch.apply(self.history.head())?;
                    let cx = Context::new(author.clone(), *at, 0);
                    self.commit(patch, after, summary.clone(), accepted, &cx)?;
                    for staged in restaged {
                        self.restage(staged)?;
                    }
                    edits += 1;
                }
                Record::Staged(staged) => self.restage(staged)?,
                Record::Rejected { ids, by, at } => {
                    for id in ids {
                        self.suggestions.reject(id, Decision { by: by.clone(), at: *at });
                    }
                }
                // The process ended between replacing the file and starting a new log.
                Record::Saving { hash } if *hash == image::hex(on_disk) => {
                    self.saved_here();
                    edits = 0;
                }
                Record::Saved { .. } => {
                    self.saved_here();
                    edits = 0;
                }
                Record::Saving { .. } => {}
            }
        }
        self.events.clear();
        Ok(edits)
    }

    fn restage(&mut self, staged: &Staged) -> Result<(), Refusal> {
        let (status, wish) = match (&staged.edits, &staged.stale) {
            (Some(edits), None) => (Status::Pending, Some(Wish::new(self.engine.read_staged(edits)?, None))),
            (_, why) => (Status::Stale { why: why.clone().unwrap_or_default() }, None),
        };
        let Staged { id, group, author, client, at, summary, .. } = staged.clone();
        let shown = Vec::new();
        self.suggestions.restage(Proposal { id, group, author, client, at, summary, shown }, status, wish);
        Ok(())
    }
}

impl Found {
    /// Whether there is anything in it that was not given up.
    pub(crate) fn given_up(&self) -> bool {
        matches!(self.records.last(), Some(Record::Closed))
    }

    /// Whether a file of this hash is the one the journal is about, before or after its last save.
    pub(crate) fn knows(&self, file: &image::Hash) -> bool {
        let hex = image::hex(file);
        // What was before a save that was completed is no longer what the journal is about.
        let saved = self.records.iter().rposition(|record| matches!(record, Record::Saved { .. }));
        let since = self.records.get(saved.unwrap_or(0)..).unwrap_or_default();
        let named = |record: &Record| matches!(record, Record::Saving { hash } | Record::Saved { hash } if *hash == hex);
        (saved.is_none() && image::hash(&self.base) == *file) || since.iter().any(named)
    }

    pub(crate) fn describe(&self) -> Recoverable {
        let (mut path, mut title, mut edits) = (None, String::new(), 0);
        let mut suggestions = std::collections::BTreeSet::<&SuggestionId>::new();
        for record in &self.records {
            match record {
                Record::Opened { path: of, title: called, .. } => {
                    (path, title) = (of.clone(), called.clone())
                }
                Record::Changed { accepted, restaged, .. } => {
                    edits += 1;
                    accepted.iter().for_each(|id| _ = suggestions.remove(id));
                    suggestions.extend(restaged.iter().map(|staged| &staged.id));
                }
                Record::Staged(staged) => _ = suggestions.insert(&staged.id),
                Record::Rejected { ids, .. } => ids.iter().for_each(|id| _ = suggestions.remove(id)),
                Record::Saved { .. } => edits = 0,
                Record::Saving { .. } | Record::Closed => {}
            }
        }
        let id = self.folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let aside = self.folder.join("why.txt").exists();
        Recoverable { id, path, title, edits, suggestions: suggestions.len(), aside }
    }

    /// The document as it was when the journal ended. `file` is what is on disk now.
    pub(crate) fn document(
        &self,
        file: Option<OnDisk>,
        limits: &Limits,
        now: i64,
    ) -> Result<(Document, usize), Refusal> {
        let Some(Record::Opened { path, title, kind, .. }) = self.records.first() else {
            return Err(Refusal::Corrupt { what: "the journal".into(), why: "it has no beginning".into() });
        };
        let known = Kind::named(kind).or_else(|| path.as_deref().map(Kind::of));
        let kind = known.ok_or_else(|| Refusal::unsupported(format!("a {kind} document")))?;
        let hash = image::hash(&self.base);
        let on_disk = file.as_ref().map_or(hash, |file| file.image.hash);
        let base = Arc::new(self.base.clone());
        let mut document = Document::open(kind, title.clone(), base, hash, file, limits, now)?;
        let edits = document.replay(&self.records, &on_disk)?;
        // Edits that were all undone leave nothing to save.
        if document.saved.content == *document.history.head() {
            document.saved_here();
        }
        Ok((document, edits))
    }
}
