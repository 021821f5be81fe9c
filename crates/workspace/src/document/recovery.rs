//! A document and its journal: what is written down, and when.

use std::sync::Arc;

use edit::{Refusal, Way};

use crate::caller::notices::Event;
use crate::disk::image::{self, Hash};
use crate::disk::journal::record::{Identity, Record};
use crate::disk::journal::{Journal, Journals};
use crate::document::Document;

mod replay;
mod standing;

pub(crate) use replay::Replayed;
pub(crate) use standing::staged;

/// Where a document's unsaved work is written down.
#[derive(Debug, Default)]
pub(crate) enum Protection {
    /// Nowhere: there is no state directory, or the document is being made from a journal.
    #[default]
    Off,
    /// There is nothing to protect yet.
    Ready(Arc<Journals>),
    On(Journal),
    /// Writing failed, and was last tried at that time. What is in the journal is older than the document.
    Failed(Arc<Journals>, Option<Journal>, i64),
}

/// Seconds after which writing is tried again.
const RETRY: i64 = 10;

impl Document {
    /// Write down what just happened. If nothing has been written so far, the whole state is.
    pub(crate) fn protect(&mut self, record: impl FnOnce(&Document) -> Result<Record, Refusal>) {
        self.protect_with(|document| Ok(vec![record(document)?]));
    }

    /// As `protect`, for records of which there must be all or none.
    pub(crate) fn protect_with(&mut self, records: impl FnOnce(&Document) -> Result<Vec<Record>, Refusal>) {
        match &self.protection {
            Protection::Off => return,
            Protection::Failed(_, _, at) if self.changed_at - at < RETRY => return,
            Protection::Ready(_) if !self.has_story() => return,
            Protection::Failed(..) | Protection::Ready(_) => return self.protect_anew(),
            Protection::On(_) => {}
        }
        let (records, idle, first) = (records(self), self.is_idle(), self.history.opened().number);
        let Protection::On(journal) = &mut self.protection else { return };
        journal.idle = idle;
        let forgot = journal.first < first;
        let records = records.map_err(|refusal| refusal.to_string());
        match records.and_then(|records| journal.append(&records).map_err(|error| error.to_string())) {
            Ok(()) if forgot || journal.has_outgrown() => self.shorten_journal(),
            Ok(()) => {}
            Err(why) => self.unprotected(why),
        }
    }

    /// Write down the last revision, which came from these suggestions.
    pub(crate) fn protect_change(&mut self, accepted: &[crate::ids::SuggestionId]) {
        self.protect(|document| document.change_record(accepted));
    }

    /// Say what the file will be, in case the process ends before it can say that it was saved.
    pub(crate) fn protect_saving(&mut self, hash: &Hash) {
        if let Protection::On(_) = &self.protection {
            self.protect(|_| Ok(Record::Saving { hash: image::hex(hash) }));
        }
        if let Protection::Failed(_, Some(journal), _) = &mut self.protection {
            journal.outlived_by(&image::hex(hash));
        }
    }

    /// The file was saved. A journal that could not follow the document has nothing to say any more.
    pub(crate) fn protect_saved(&mut self) {
        match std::mem::take(&mut self.protection) {
            Protection::Failed(journals, journal, _) => {
                if let Some(journal) = journal {
                    journal.remove();
                }
                self.protection = Protection::Ready(journals);
                if !self.is_idle() {
                    self.protect_anew();
                }
            }
            Protection::Ready(journals) => {
                self.protection = Protection::Ready(journals);
                if self.has_story() {
                    self.protect_anew();
                }
            }
            other => {
                self.protection = other;
                self.protect(|document| document.saved_record(None));
                // What could not be told of the save must not be told as if there had been none.
                if self.is_idle() && matches!(self.protection, Protection::Failed(..)) {
                    self.protect_saved();
                }
            }
        }
    }

    /// Write the state of a document down anew that has a journal.
    pub(crate) fn protect_all(&mut self) {
        match &self.protection {
            Protection::Off | Protection::Ready(_) => {}
            Protection::On(_) | Protection::Failed(..) => self.protect_anew(),
        }
    }

    /// Write all of the state down, in a journal that is begun if there is none.
    pub(crate) fn protect_anew(&mut self) {
        let (journals, journal, known) = match std::mem::take(&mut self.protection) {
            Protection::Off => return,
            Protection::Ready(journals) => (journals, None, false),
            Protection::On(journal) => (Arc::clone(journal.journals()), Some(journal), false),
            Protection::Failed(journals, journal, _) => (journals, journal, true),
        };
        let path = self.file.as_ref().map(|file| file.path.as_path());
        let begun = journal.map_or_else(|| journals.begin(path).map_err(|error| error.to_string()), Ok);
        let (journal, written) = match begun {
            Ok(mut journal) => {
                let written = self.write_all(&mut journal);
                (Some(journal), written)
            }
            Err(why) => (None, Err(why)),
        };
        self.protection = match (journal, written) {
            (Some(mut journal), Ok(())) => {
                journal.idle = self.is_idle();
                Protection::On(journal)
            }
            (journal, written) => {
                if let (Err(why), false) = (written, known) {
                    self.events.push(Event::Unprotected { why });
                }
                Protection::Failed(journals, journal, self.changed_at)
            }
        };
    }

    /// The log says more than it must, since some of it is forgotten. If it cannot be written anew it can still be added to.
    fn shorten_journal(&mut self) {
        let Protection::On(mut journal) = std::mem::take(&mut self.protection) else { return };
        if self.write_all(&mut journal).is_err() {
            journal.put_up_with(self.history.opened().number);
        }
        self.protection = Protection::On(journal);
    }

    fn write_all(&self, journal: &mut Journal) -> Result<(), String> {
        let (base, hash) = match &self.file {
            Some(file) => (Arc::clone(&file.image.bytes), file.image.hash),
            None => {
                let base = self.engine.pack(&self.saved.content).map_err(|refusal| refusal.to_string())?;
                let hash = image::hash(&base);
                (Arc::new(base), hash)
            }
        };
        let records = self.standing_records(image::hex(&hash)).map_err(|refusal| refusal.to_string())?;
        journal.restart(&base, &records).map_err(|error| error.to_string())?;
        journal.first = self.history.opened().number;
        Ok(())
    }

    /// The journal of the path that the document had until now, which is over once there is one for the new path.
    pub(crate) fn detach_journal(&mut self) -> Option<Journal> {
        let (journals, journal) = match std::mem::take(&mut self.protection) {
            Protection::Off => return None,
            Protection::Ready(journals) => (journals, None),
            Protection::On(journal) => (Arc::clone(journal.journals()), Some(journal)),
            Protection::Failed(journals, journal, _) => (journals, journal),
        };
        self.protection = Protection::Ready(journals);
        journal
    }

    /// Where unsaved work of all documents is written down.
    pub(crate) fn journals(&self) -> Option<&Arc<Journals>> {
        match &self.protection {
            Protection::Off => None,
            Protection::Ready(journals) | Protection::Failed(journals, _, _) => Some(journals),
            Protection::On(journal) => Some(journal.journals()),
        }
    }

    /// Close a file that was replaced by a save.
    pub(crate) fn let_go(&self, replaced: Arc<std::fs::File>) {
        match &self.protection {
            Protection::Off => drop(replaced),
            Protection::Ready(journals) | Protection::Failed(journals, _, _) => journals.let_go(replaced),
            Protection::On(journal) => journal.journals().let_go(replaced),
        }
    }

    /// The folder of its journal, by name.
    pub(crate) fn journal_name(&self) -> Option<String> {
        match &self.protection {
            Protection::On(journal) => Some(journal.name()),
            Protection::Off | Protection::Ready(_) | Protection::Failed(..) => None,
        }
    }

    pub(crate) fn is_protected(&self) -> bool {
        matches!(self.protection, Protection::On(_))
    }

    /// Whether everything is saved and decided.
    pub(crate) fn is_idle(&self) -> bool {
        !self.is_dirty() && !self.suggestions.entries.iter().any(|entry| entry.undecided())
    }

    /// Whether there is anything that its file does not tell.
    fn has_story(&self) -> bool {
        !self.history.revisions().is_empty()
            || !self.suggestions.entries.is_empty()
            || !self.ranges.is_empty()
    }

    fn unprotected(&mut self, why: String) {
        if let Protection::On(journal) = std::mem::take(&mut self.protection) {
            let journals = Arc::clone(journal.journals());
            let journal = Some(journal).filter(|journal| !journal.is_removed());
            self.protection = Protection::Failed(journals, journal, self.changed_at);
        }
        self.events.push(Event::Unprotected { why });
    }

    /// What made the head.
    pub(crate) fn change_record(&self, accepted: &[crate::ids::SuggestionId]) -> Result<Record, Refusal> {
        let last = self.history.revisions().last();
        let last = last.ok_or_else(|| Refusal::internal("a change that left no revision"))?;
        let (to, by, at) = (last.id.into(), (&last.whose()).into(), last.at);
        let operations = self.operations.of(last.id.number);
        Ok(match last.how {
            edit::How::Undone => Record::Undone { to, by, at, operations },
            edit::How::Redone => Record::Redone { to, by, at, operations },
            edit::How::Made => Record::Made {
                to: Some(to),
                patch: (&last.patch).into(),
                summary: last.summary.clone(),
                by,
                at,
                accepted: accepted.to_vec(),
                operations,
            },
        })
    }

    /// That the file has what the head has, or what it had before with a patch of another program.
    pub(crate) fn saved_record(&self, theirs: Option<&edit::Patch>) -> Result<Record, Refusal> {
        let file = self.file.as_ref().ok_or_else(|| Refusal::internal("a save that left no file"))?;
        let (hash, identity) = (image::hex(&file.image.hash), file.stamp.identity());
        Ok(Record::Saved { hash, file: identity, theirs: theirs.map(Into::into) })
    }

    pub(crate) fn identity(&self) -> Option<Identity> {
        self.file.as_ref().and_then(|file| file.stamp.identity())
    }

    pub(crate) fn entries(&self, way: Way) -> &[edit::Entry<crate::document::Beside>] {
        self.history.entries(way)
    }
}
