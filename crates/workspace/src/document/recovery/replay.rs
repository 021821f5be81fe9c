//! A document as it was when its journal ended, made by doing again what the journal says.
//!
//! The same functions do it that did it first, so undo, suggestions, ranges and revision ids come out the same. Only the
//! engine looks on until the end, and reads the last state once; unless what it calls things depends on the way there.

use std::path::Path;
use std::sync::Arc;

use edit::{Change, Context, Cut, How, PartName, Refusal, RevisionId, Way, Whose};

use crate::disk::image::{self, Hash};
use crate::disk::journal::record::{self, By, Named, Past, Record, Staged, Standing, WireStatus};
use crate::disk::journal::{End, KeptJournal, Log};
use crate::document::formats::Limits;
use crate::document::moving_ranges::NamedRange;
use crate::document::suggestions::{Decision, Ended, Proposal, StagedEdits, Status};
use crate::document::{Beside, Document, History, OnDisk, Saved};
use crate::ids::SuggestionId;
use crate::kind::Kind;
use edit::Shown;

/// A document that was made from a journal.
pub(crate) struct Replayed {
    pub(crate) document: Document,
    /// Why the journal could not be followed to its end.
    pub(crate) damage: Option<String>,
}

impl KeptJournal {
    /// The document as it was when the journal ended. `file` is what is on disk now, `base` what the log starts from.
    pub(crate) fn document(
        &self,
        base: Arc<Vec<u8>>,
        file: Option<OnDisk>,
        limits: &Limits,
        now: i64,
    ) -> Result<Replayed, Refusal> {
        let Log { opened, records, end } = &self.log;
        let known = Kind::named(&opened.kind).or_else(|| opened.path.as_deref().map(Kind::of));
        let kind = known.ok_or_else(|| Refusal::unsupported(format!("a {} document", opened.kind)))?;
        let hash = image::hash(&base);
        let on_disk = file.as_ref().map(|file| file.image.hash);
        let title = match &file {
            Some(file) => crate::disk::name_of(Path::new(&file.path)),
            None => opened.title.clone(),
        };
        let mut document = Document::open(kind, title, base, hash, file, limits, now)?;
        let happened = document.stand_as(&self.log, limits)?;
        document.changed_at = opened.at;
        let mut damage = match end {
            End::Damaged(why) => Some(why.clone()),
            End::Whole(_) | End::Torn => None,
        };
        for record in records.cut(happened..)? {
            let repeated = document.repeat(record, on_disk.as_ref());
            document.operations.begin(Vec::new());
            if let Err(refusal) = repeated {
                damage = Some(refusal.to_string());
                break;
            }
        }
        if !document.engine.names_follow() {
            document.engine.look(document.history.head())?;
        }
        document.events.clear();
        Ok(Replayed { document, damage })
    }
}

impl Document {
    /// Become what the log begins with. Gives the number of records that say it.
    fn stand_as(&mut self, log: &Log, limits: &Limits) -> Result<usize, Refusal> {
        let standing = log.records.iter().position(|record| matches!(record, Record::Standing(_)));
        let count = standing.map_or(0, |at| at + 1);
        if let Some((number, digest)) = &log.opened.first {
            let root = match log.records.first() {
                Some(Record::Root(patch)) => patch.to_patch()?.apply(self.history.head())?,
                _ => self.history.head().clone(),
            };
            self.history = History::from_revision(root, *number, digest_of(digest)?, limits.history);
            if self.engine.names_follow() {
                self.engine.look(self.history.head())?;
            }
        }
        for record in log.records.cut(..count)? {
            match record {
                Record::Root(_) => {}
                Record::Past(past) => self.restore(past)?,
                Record::Standing(standing) => self.stand(standing)?,
                Record::Staged(staged) => self.restage(staged)?,
                other => self.repeat(other, None)?,
            }
        }
        Ok(count)
    }

    fn restore(&mut self, past: &Past) -> Result<(), Refusal> {
        let Past { how, patch, digest, summary, by, at, operations } = past.clone();
        let Whose { author, caller } = by.into();
        let change = Change { patch: patch.to_patch()?, summary, author, caller };
        self.history.restore(how.into(), change, digest_of(&digest)?, at)?;
        self.operations.begin(operations);
        self.note_operations();
        self.operations.begin(Vec::new());
        self.go_along()
    }

    /// The last revision is new.
    fn go_along(&mut self) -> Result<(), Refusal> {
        match self.history.revisions().last() {
            Some(last) if self.engine.names_follow() => self.engine.changed(&last.patch, self.history.head()),
            _ => Ok(()),
        }
    }

    fn stand(&mut self, standing: &Standing) -> Result<(), Refusal> {
        let entries = |document: &Self, entries: &[record::Entry]| {
            entries.iter().map(|entry| document.read_entry(entry)).collect::<Result<Vec<_>, Refusal>>()
        };
        let (undo, redo) = (entries(self, &standing.undo)?, entries(self, &standing.redo)?);
        self.history.restore_entries(Way::Undo, undo)?;
        self.history.restore_entries(Way::Redo, redo)?;
        let digest = standing.saved.as_deref().map(digest_of).transpose()?;
        let revision = digest.zip(standing.saved_at);
        let content = self.saved.content.clone();
        let revision = revision.map(|(digest, number)| RevisionId::new(number, &digest));
        self.saved = Saved { content, digest, revision };
        self.unsaved.edits = standing.unsaved;
        self.unsaved.whose = standing.unsaved_of.iter().cloned().map(Into::into).collect();
        for (id, text) in &standing.gone {
            self.ranges.add_gone(id.clone(), text.clone());
        }
        Ok(())
    }

    fn read_entry(&self, entry: &record::Entry) -> Result<edit::Entry<Beside>, Refusal> {
        let read = |ended: &[(SuggestionId, String)]| {
            let read = ended.iter().map(|(id, edits)| Ok((id.clone(), self.read_edits(edits)?)));
            read.collect::<Result<Vec<_>, Refusal>>()
        };
        let ended = Ended { accepted: read(&entry.accepted)?, lost: read(&entry.lost)? };
        Ok(edit::Entry {
            revision: entry.revision,
            summary: entry.summary.clone(),
            made: entry.made.clone().into(),
            undone: entry.undone.clone().map(Into::into),
            with: Beside::of_an_earlier_run(ended),
        })
    }

    fn read_edits(&self, edits: &str) -> Result<StagedEdits, Refusal> {
        Ok(StagedEdits::new(self.engine.read_staged(edits)?, None))
    }

    /// Do again what a record says.
    fn repeat(&mut self, record: &Record, on_disk: Option<&Hash>) -> Result<(), Refusal> {
        match record {
            Record::Opened(_) | Record::Root(_) | Record::Past(_) | Record::Standing(_) => {
                return Err(corrupt("it begins twice"));
            }
            Record::Made { to, patch, summary, by, at, accepted, operations } => {
                let patch = patch.to_patch()?;
                let after = patch.apply(self.history.head())?;
                self.operations.begin(operations.clone());
                self.make(patch, after, summary.clone(), accepted, &context(by, *at))?;
                self.go_along()?;
                if let Some(to) = to {
                    self.arrived(How::Made, to)?;
                }
            }
            Record::Undone { to, by, at, operations } => {
                self.operations.begin(operations.clone());
                self.step_along(Way::Undo, &context(by, *at))?;
                self.go_along()?;
                self.arrived(How::Undone, to)?;
            }
            Record::Redone { to, by, at, operations } => {
                self.operations.begin(operations.clone());
                self.step_along(Way::Redo, &context(by, *at))?;
                self.go_along()?;
                self.arrived(How::Redone, to)?;
            }
            Record::Staged(staged) => {
                self.restage(staged)?;
                self.suggestions.forget_decided();
            }
            Record::Rejected { ids, by, at } => {
                for id in ids {
                    self.suggestions.reject(id, Decision { by: by.clone(), at: *at });
                }
            }
            Record::Named(named) => self.ranges.add(named.id.clone(), named.clone().into()),
            // The process ended between replacing the file and saying so.
            Record::Saving { hash } if on_disk.is_some_and(|found| *hash == image::hex(found)) => {
                self.saved_here()
            }
            Record::Saving { .. } => {}
            Record::Saved { theirs: None, .. } => self.saved_here(),
            Record::Saved { theirs: Some(patch), .. } => {
                let content = patch.to_patch()?.apply(&self.saved.content)?;
                self.saved = Saved { content, digest: None, revision: None };
            }
            Record::Conflict { .. } | Record::Closed => {}
        }
        Ok(())
    }

    /// Refuses if the last step did not lead where it led before.
    fn arrived(&self, how: How, to: &record::Revision) -> Result<(), Refusal> {
        let last = self.history.revisions().last();
        let same = last.is_some_and(|last| last.how == how && record::Revision::from(last.id) == *to);
        if same { Ok(()) } else { Err(corrupt("what it says does not lead to the revision that it names")) }
    }

    fn restage(&mut self, staged: &Staged) -> Result<(), Refusal> {
        let Staged { id, group, author, client, at, summary, shown, operations, status } = staged.clone();
        let shown = shown.into_iter().map(|(place, before, after)| Shown { place, before, after }).collect();
        let (status, staged_edits) = match status {
            WireStatus::Pending(edits) => (Status::Pending, Some(self.read_edits(&edits)?)),
            WireStatus::Stale(why) => (Status::Stale { why }, None),
            WireStatus::Accepted { by, at } => (Status::Accepted(Decision { by, at }), None),
            WireStatus::Rejected { by, at } => (Status::Rejected(Decision { by, at }), None),
        };
        let proposal = Proposal { id, group, author, client, at, summary, shown, operations };
        self.suggestions.restage(proposal, status, staged_edits);
        Ok(())
    }
}

impl Named {
    pub(crate) fn new(id: &crate::ids::RangeId, range: &NamedRange) -> Self {
        let NamedRange { part, range, text, touched, caller } = range.clone();
        let part = part.as_str().to_owned();
        Self { id: id.clone(), part, start: range.start, end: range.end, text, touched, caller }
    }
}

impl From<Named> for NamedRange {
    fn from(named: Named) -> Self {
        let Named { part, start, end, text, touched, caller, .. } = named;
        Self { part: PartName::new(part), range: start..end, text, touched, caller }
    }
}

fn context(by: &By, at: i64) -> Context {
    let Whose { author, caller } = by.clone().into();
    Context { caller, ..Context::new(author, at, 0) }
}

fn digest_of(hex: &str) -> Result<Hash, Refusal> {
    image::from_hex(hex).ok_or_else(|| corrupt("a digest that is not hexadecimal"))
}

fn corrupt(why: &str) -> Refusal {
    Refusal::Corrupt { what: "the journal".into(), why: why.into() }
}
