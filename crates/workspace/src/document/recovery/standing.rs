//! How a document stands, as records: what a log begins with.

use edit::{Refusal, Revision, Way};

use crate::disk::image;
use crate::disk::journal::RequestName;
use crate::disk::journal::VERSION;
use crate::disk::journal::record::{Entry, Named, Opened, Past, Record, Staged, Standing, WireStatus};
use crate::document::saving::difference;
use crate::document::suggestions::{self, Proposal, StagedEdits, Status};
use crate::document::{Beside, Document};
use crate::ids::SuggestionId;

impl Document {
    /// The records that lead from the file on disk, which has this hash, to this document.
    pub(super) fn standing_records(&self, hash: String) -> Result<Vec<Record>, Refusal> {
        let history = &self.history;
        let opened = Opened {
            version: VERSION,
            path: self.file.as_ref().map(|file| file.path.clone()),
            title: self.title.clone(),
            kind: self.engine.kind().name().to_owned(),
            file: Some(hash),
            identity: self.identity(),
            first: Some((history.opened().number, image::hex(&history.opened_digest()))),
            at: self.changed_at,
        };
        let mut records = vec![Record::Opened(opened)];
        // How the file came to be is the exact way to the oldest revision; without it the two are compared.
        let saved = self.saved.revision.and_then(|saved| history.way_back(saved).ok());
        let root = match saved {
            Some(back) => back,
            None => difference(&self.saved.content, &history.content_at(history.opened())?)?,
        };
        if !root.is_empty() {
            records.push(Record::Root((&root).into()));
        }
        let past = |revision: &Revision| past(revision, self.operations.of(revision.id.number));
        records.extend(history.revisions().iter().map(|revision| Record::Past(past(revision))));
        for entry in &self.suggestions.entries {
            records.push(Record::Staged(staged(entry)?));
        }
        for (id, range) in self.ranges.all() {
            records.push(Record::Named(Named::new(id, range)));
        }
        records.push(Record::Standing(self.standing()?));
        Ok(records)
    }

    fn standing(&self) -> Result<Standing, Refusal> {
        let entries = |way| self.entries(way).iter().map(entry).collect::<Result<Vec<Entry>, Refusal>>();
        let conflict = self.file.as_ref().and_then(|file| file.conflict.as_ref());
        Ok(Standing {
            undo: entries(Way::Undo)?,
            redo: entries(Way::Redo)?,
            saved: self.saved.digest.as_ref().map(image::hex),
            saved_at: self.saved.revision.map(|revision| revision.number),
            unsaved: self.unsaved.edits,
            unsaved_of: self.unsaved.whose.iter().map(Into::into).collect(),
            conflict: conflict.map(image::hex),
            gone: self.ranges.all_gone(),
        })
    }
}

/// A suggestion, however it stands.
pub(crate) fn staged(entry: &suggestions::Entry) -> Result<Staged, Refusal> {
    let Proposal { id, group, author, client, at, summary, shown, operations } = entry.proposal.clone();
    let shown = shown.into_iter().map(|shown| (shown.place, shown.before, shown.after)).collect();
    let status = match (&entry.status, &entry.staged_edits) {
        (Status::Pending, Some(staged_edits)) => WireStatus::Pending(staged_edits.edits.written()?),
        (Status::Pending, None) => return Err(Refusal::internal("a pending suggestion without edits")),
        (Status::Stale { why }, _) => WireStatus::Stale(why.clone()),
        (Status::Accepted(decision), _) => WireStatus::Accepted { by: decision.by.clone(), at: decision.at },
        (Status::Rejected(decision), _) => WireStatus::Rejected { by: decision.by.clone(), at: decision.at },
    };
    Ok(Staged { id, group, author, client, at, summary, shown, operations, status })
}

fn past(revision: &Revision, operations: Vec<RequestName>) -> Past {
    Past {
        how: revision.how.into(),
        patch: (&revision.patch).into(),
        digest: image::hex(&revision.digest),
        summary: revision.summary.clone(),
        by: (&revision.whose()).into(),
        at: revision.at,
        operations,
    }
}

fn entry(entry: &edit::Entry<Beside>) -> Result<Entry, Refusal> {
    let written = |ended: &[(SuggestionId, StagedEdits)]| {
        let written = ended.iter().map(|(id, staged_edits)| Ok((id.clone(), staged_edits.edits.written()?)));
        written.collect::<Result<Vec<_>, Refusal>>()
    };
    Ok(Entry {
        revision: entry.revision,
        summary: entry.summary.clone(),
        made: (&entry.made).into(),
        undone: entry.undone.as_ref().map(Into::into),
        accepted: written(&entry.with.ended.accepted)?,
        lost: written(&entry.with.ended.lost)?,
    })
}
