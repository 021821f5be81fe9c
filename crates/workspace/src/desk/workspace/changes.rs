//! Changes at positions: all or none, each meant in the revision that the caller read.

use std::ops::Range;

use edit::{Gravity, PartName, Patch};

use super::*;
use crate::disk::journal::PerformedAs;
use crate::document::edits::{self, Ending, Mode};
use crate::targets::{Act, Position, PositionedChange, mark};

mod followed;
mod formats;

use formats::Positions;

/// Changes that are made together.
#[derive(Debug, Clone)]
pub struct ChangeRequest {
    pub changes: Vec<PositionedChange>,
    /// The revision in which the positions are counted; without one, the one that the caller last saw, or else the head.
    pub base: Option<RevisionId>,
    pub mode: Mode,
    /// See [`EditRequest::request`].
    pub request: Option<String>,
}

/// What came of changes.
#[derive(Debug, Clone)]
pub struct Changed {
    pub ending: Ending,
    /// The revision in which the positions were counted.
    pub base: RevisionId,
    /// The head after it.
    pub revision: RevisionId,
    pub summary: String,
    pub notes: Vec<Note>,
    /// What is other than it was; of a suggestion or a dry run, what would be.
    pub places: Vec<ChangedPlace>,
    /// What others did after the base, the oldest first.
    pub meanwhile: Vec<Meanwhile>,
}

/// A paragraph, a block or a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPlace {
    pub id: String,
    /// Its number among those that are counted in positions.
    pub paragraph: Option<usize>,
    pub text: String,
}

/// A revision that somebody else made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meanwhile {
    pub revision: RevisionId,
    pub author: String,
    pub summary: String,
}

/// Why changes were not made.
#[derive(Debug, Clone)]
pub struct Unchanged {
    pub refusal: Box<Refusal>,
    pub revision: Option<RevisionId>,
    /// What stands by now where the changes were meant to be; only if the document moved on.
    pub current: Vec<Current>,
}

/// What stands where a change was meant to be; nothing if that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    pub change: usize,
    pub text: Option<String>,
}

impl From<Refusal> for Unchanged {
    fn from(refusal: Refusal) -> Self {
        Self { refusal: Box::new(refusal), revision: None, current: Vec::new() }
    }
}

impl Workspace {
    /// Make changes at positions, all or none.
    pub fn change(&self, document: DocId, request: ChangeRequest) -> Result<Changed, Unchanged> {
        match self.status(document)?.kind {
            Kind::Word => self.change_as::<word::Word>(document, request),
            Kind::Markdown => self.change_as::<markdown::Markdown>(document, request),
            Kind::Sheet => self.change_as::<sheet::Sheet>(document, request),
            Kind::Text => Err(Refusal::Unsupported {
                what: "changes at positions of a text file".to_owned(),
                instead: Some("files that end in .md or .txt can be changed so".to_owned()),
            }
            .into()),
        }
    }

    fn change_as<F: Positions>(&self, document: DocId, request: ChangeRequest) -> Result<Changed, Unchanged> {
        let print = edits::print_of(&(&request.changes, request.mode))?;
        if let Some(id) = &request.request {
            let cell = self.cell(document)?;
            let answered = edits::answered::<F>(&cell.document.lock(), &self.actor(), id, &print)?;
            if let Some(outcome) = answered {
                let before = cell.document.lock().step_of(outcome.revision).map(|(before, _)| before);
                let base = request.base.or(before).unwrap_or(outcome.revision);
                return Ok(self.summed_up::<F>(document, base, outcome)?);
            }
            if let Some(changed) = self.made_before::<F>(document, id, &print, request.base)? {
                return Ok(changed);
            }
        }
        let base = self.base_of::<F>(document, &request)?;
        let read = self.read_in::<F>(document, base)?;
        let moved_on = self.status(document)?.revision != read.revision;
        let mut edits = Vec::with_capacity(request.changes.len());
        for (index, change) in request.changes.iter().enumerate() {
            let refused = |cause: Refusal| cause.in_batch(index, request.changes.len());
            let range = self.range_of(document, change, &read).map_err(refused)?;
            let edit = F::edit_at(&read.view, change, range.as_ref()).map_err(refused)?;
            edits.push(if moved_on { F::held(&read.view, edit) } else { edit });
        }
        if let Some((revision, current)) = self.rewritten::<F>(document, &read, &request.changes)? {
            let why =
                Some("what was to be replaced or deleted as a whole says something else by now".to_owned());
            let refusal = Refusal::Stale { expected: read.revision, current: revision, why };
            return Err(Unchanged { refusal: Box::new(refusal), revision: Some(revision), current });
        }
        let made = EditRequest {
            base: Some(read.revision),
            request: request.request.clone(),
            asked_print: Some(print),
            ..EditRequest::new(edits, request.mode)
        };
        match self.edit::<F>(document, made) {
            Ok(outcome) => Ok(self.summed_up::<F>(document, read.revision, outcome)?),
            Err(refusal) if is_conflict(&refusal) || self.status(document)?.revision != read.revision => {
                let (revision, current) = self.current::<F>(document, &read, &request.changes)?;
                Err(Unchanged { refusal: Box::new(refusal), revision: Some(revision), current })
            }
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// The revision that the positions mean: the one that was said, or that block ids are marked with, or the one that
    /// the caller last saw.
    fn base_of<F: Positions>(
        &self,
        document: DocId,
        request: &ChangeRequest,
    ) -> Result<Option<RevisionId>, Unchanged> {
        let seen = match request.base {
            Some(base) => Some(base),
            None => self.counted_in::<F>(document, request)?,
        };
        let marks = request.changes.iter().filter_map(|change| match &change.position {
            Position::Block(name) => F::marked(name).map(|(_, mark)| mark),
            _ => None,
        });
        let mut marks: Vec<&str> = marks.collect();
        marks.dedup();
        let found = match marks.as_slice() {
            [] => return Ok(seen),
            [only] => *only,
            _ => {
                return Err(Refusal::invalid(
                    "position.block_id",
                    "ids of several revisions",
                    "ids of one revision",
                )
                .into());
            }
        };
        if seen.is_some_and(|seen| mark(seen) == found) {
            return Ok(seen);
        }
        let counts = |change: &PositionedChange| matches!(change.position, Position::Paragraph(_));
        if request.base.is_some() || request.changes.iter().any(counts) {
            let expected = "ids and numbers of one revision; leave out what is of another";
            return Err(
                Refusal::invalid("position.block_id", format!("of revision {found}"), expected).into()
            );
        }
        match self.earlier::<F>(document, |known| mark(known) == found)? {
            Some(earlier) => Ok(Some(earlier.revision)),
            None => Err(Refusal::Gone {
                what: "revision",
                id: found.to_owned(),
                last: "a revision that is not known any more".to_owned(),
            }
            .into()),
        }
    }

    /// The revision in which a caller counts that does not say which. Its own last change is known to it, but a number is
    /// worth nothing if others moved what is counted and it has not looked since.
    fn counted_in<F: Positions>(
        &self,
        document: DocId,
        request: &ChangeRequest,
    ) -> Result<Option<RevisionId>, Unchanged> {
        let Some(seen) = self.seen(document) else { return Ok(None) };
        let Some(shown) = seen.shown else { return Ok(Some(seen.last)) };
        let is =
            |wanted: fn(&Position) -> bool| request.changes.iter().any(|change| wanted(&change.position));
        if is(|position| matches!(position, Position::Paragraph(_))) {
            let current = self.status(document)?.revision;
            let why = "others changed the document between what was last read of it and the last change that \
                       was made here, so a number may mean another paragraph by now";
            let refusal = Refusal::Stale { expected: shown, current, why: Some(why.to_owned()) };
            let current_texts = Vec::new();
            return Err(Unchanged {
                refusal: Box::new(refusal),
                revision: Some(current),
                current: current_texts,
            });
        }
        // Cells are followed from where they were seen; what is named by its text or id is found as it is.
        let counts = is(|position| matches!(position, Position::Cell(_)));
        let moved = counts && !self.stood::<F>(document, (shown, seen.last), &request.changes)?;
        Ok(Some(if moved { shown } else { seen.last }))
    }

    /// Whether an earlier process, or this one, did something for this request of the caller.
    pub fn knows_request(&self, document: DocId, request: &str) -> Result<bool, Refusal> {
        let cell = self.cell(document)?;
        let done = cell.document.lock().performed(&edits::own_id(&self.actor(), request));
        Ok(!done.is_empty())
    }

    /// What came of the same request when an earlier process carried it out.
    fn made_before<F: Positions>(
        &self,
        document: DocId,
        id: &str,
        print: &[u8; 32],
        base: Option<RevisionId>,
    ) -> Result<Option<Changed>, Unchanged> {
        let cell = self.cell(document)?;
        let (outcome, before) = {
            let document = cell.document.lock();
            let done = document.performed(&edits::own_id(&self.actor(), id)).into_iter().next();
            let Some((operation, done)) = done else { return Ok(None) };
            operation.is_of(print)?;
            let told = |ending, revision, changes| Outcome {
                ending,
                revision,
                summaries: vec![done.summary.clone()],
                notes: Vec::new(),
                changes,
                outcomes: Vec::new(),
            };
            match done.what {
                PerformedAs::Suggestion(id) => {
                    let current = document.revision();
                    (told(Ending::Suggested(id), current, Vec::new()), current)
                }
                PerformedAs::Revision(revision) => {
                    let Some((before, step)) = document.step_of(revision) else {
                        let mut outcome = told(Ending::Applied, revision, Vec::new());
                        let text =
                            "it was made before the document was opened anew; where is not known any more";
                        outcome.notes.push(Note { level: Level::Info, text: text.to_owned() });
                        return Ok(Some(Self::summed_up_without(outcome, base.unwrap_or(revision))));
                    };
                    let changes = edits::changes(&step.patch, &document.history.content_at(before)?)?;
                    (told(Ending::Applied, revision, changes), before)
                }
            }
        };
        Ok(Some(self.summed_up::<F>(document, base.unwrap_or(before), outcome)?))
    }

    /// The document as it was in this revision.
    fn read_in<F: Opens>(&self, document: DocId, base: Option<RevisionId>) -> Result<Earlier<F>, Unchanged> {
        let snapshot = self.snapshot::<F>(document)?;
        let Some(base) = base.filter(|base| *base != snapshot.revision) else {
            let Snapshot { revision, view, .. } = snapshot;
            return Ok(Earlier { revision, view, since: Patch::new() });
        };
        let earlier = self.earlier::<F>(document, |revision| revision == base)?;
        earlier.ok_or_else(|| {
            let why = Some("the revision is not known any more, or never was".to_owned());
            let refusal = Refusal::Stale { expected: base, current: snapshot.revision, why };
            Unchanged { refusal: Box::new(refusal), revision: Some(snapshot.revision), current: Vec::new() }
        })
    }

    /// The bytes of a range that a change names. They follow every edit, so they are of the head.
    fn range_of<F: Opens>(
        &self,
        document: DocId,
        change: &PositionedChange,
        read: &Earlier<F>,
    ) -> Result<Option<Selection>, Refusal> {
        let Position::Range(id) = &change.position else { return Ok(None) };
        let found = self.range(document, id)?;
        let current = self.status(document)?.revision;
        if read.revision != current {
            let why = Some("a range_id says where the range is by now".to_owned());
            return Err(Refusal::Stale { expected: read.revision, current, why });
        }
        Ok(Some(Selection { part: found.part, range: found.range }))
    }

    /// What came of a request of which only that is known.
    fn summed_up_without<O>(outcome: Outcome<O>, base: RevisionId) -> Changed {
        let summary = outcome.summary();
        let Outcome { ending, revision, notes, .. } = outcome;
        Changed { ending, base, revision, summary, notes, places: Vec::new(), meanwhile: Vec::new() }
    }

    fn summed_up<F: Positions>(
        &self,
        document: DocId,
        base: RevisionId,
        outcome: Outcome<F::Outcome>,
    ) -> Result<Changed, Refusal> {
        let summary = outcome.summary();
        let places = match &outcome.ending {
            Ending::Unchanged => Vec::new(),
            Ending::Applied => {
                let after =
                    outcome.changes.iter().map(|change| change.after..change.after + change.new.len());
                self.places_in::<F>(document, &outcome, after)?
            }
            Ending::Suggested(_) | Ending::Previewed => {
                let before = outcome.changes.iter().map(|change| change.range.clone());
                self.places_in::<F>(document, &outcome, before)?
            }
        };
        let meanwhile = self.meanwhile(document, base, outcome.revision)?;
        let Outcome { ending, revision, notes, .. } = outcome;
        Ok(Changed { ending, base, revision, summary, notes, places, meanwhile })
    }

    /// What stands in these bytes of the revision after an edit; nothing if that is no longer known.
    fn places_in<F: Positions>(
        &self,
        document: DocId,
        outcome: &Outcome<F::Outcome>,
        ranges: impl Iterator<Item = Range<usize>>,
    ) -> Result<Vec<ChangedPlace>, Refusal> {
        let Outcome { revision, changes, outcomes, .. } = outcome;
        let spans: Vec<(&PartName, Range<usize>)> =
            changes.iter().map(|change| &change.part).zip(ranges).collect();
        let snapshot = self.snapshot::<F>(document)?;
        if snapshot.revision == *revision {
            return F::places(&snapshot.view, *revision, &spans, outcomes);
        }
        match self.earlier::<F>(document, |known| known == *revision)? {
            Some(earlier) => F::places(&earlier.view, *revision, &spans, outcomes),
            None => Ok(Vec::new()),
        }
    }

    /// What others did between two revisions.
    pub(super) fn meanwhile(
        &self,
        document: DocId,
        base: RevisionId,
        revision: RevisionId,
    ) -> Result<Vec<Meanwhile>, Refusal> {
        let cell = self.cell(document)?;
        let document = cell.document.lock();
        let between = document.history.revisions().iter().filter(|known| {
            (base.number + 1..=revision.number).contains(&known.id.number)
                && known.caller != self.id().as_str()
        });
        let told = between.map(|known| Meanwhile {
            revision: known.id,
            author: known.author.clone(),
            summary: known.summary.clone(),
        });
        Ok(told.collect())
    }

    /// What stands by now where changes of something whole were meant to be, if any of that was written anew. An engine
    /// follows the bytes that it takes away, and would leave what others put right beside them.
    fn rewritten<F: Positions>(
        &self,
        document: DocId,
        read: &Earlier<F>,
        changes: &[PositionedChange],
    ) -> Result<Option<(RevisionId, Vec<Current>)>, Refusal> {
        if self.status(document)?.revision == read.revision {
            return Ok(None);
        }
        let is_whole = |change: &PositionedChange| change.act != Act::Insert && change.characters.is_none();
        let (revision, current) = self.current::<F>(document, read, changes)?;
        for (change, now) in changes.iter().zip(&current).filter(|(change, _)| is_whole(change)) {
            let named_whole = !matches!(change.position, Position::Text { .. } | Position::Range(_));
            let before = F::text_now(&read.view, &read.view, &Patch::new(), change)?;
            if named_whole && before != now.text {
                return Ok(Some((revision, current)));
            }
        }
        Ok(None)
    }

    fn current<F: Positions>(
        &self,
        document: DocId,
        read: &Earlier<F>,
        changes: &[PositionedChange],
    ) -> Result<(RevisionId, Vec<Current>), Refusal> {
        let snapshot = self.snapshot::<F>(document)?;
        // Others may have gone on since, so what happened is looked at anew.
        let since = match self.earlier::<F>(document, |known| known == read.revision)? {
            Some(earlier) => earlier.since,
            None => Patch::new(),
        };
        let texts = changes.iter().enumerate().map(|(index, change)| {
            let text = F::text_now(&read.view, &snapshot.view, &since, change)?;
            Ok(Current { change: index, text })
        });
        Ok((snapshot.revision, texts.collect::<Result<_, Refusal>>()?))
    }

    /// The documents with unsaved changes that were made for requests whose names begin so.
    pub fn changed_for(&self, requests: &str) -> Vec<DocId> {
        let open = self.documents().into_iter().filter(|status| status.dirty && status.path.is_some());
        let named = open.filter(|status| {
            self.cell(status.id).is_ok_and(|cell| cell.document.lock().operations.any_begins(requests))
        });
        named.map(|status| status.id).collect()
    }

    /// Save what is this caller's own, and what others would have saved before if it had not been for somebody else. If
    /// work would go into the file with it that nobody asked to save, it says whose, and is saved when that is.
    pub fn save_own(&self, document: DocId) -> Result<Result<SaveReport, String>, Refusal> {
        self.writable("saving")?;
        let cell = self.cell(document)?;
        let (own, desk) = (self.id().as_str(), self.saving_desk());
        let saved = self.desk.with(&cell, |document| {
            let unsaved = document.unsaved_of();
            document.unsaved.to_be_saved.insert(own.to_owned());
            let waits = &document.unsaved.to_be_saved;
            match unsaved.iter().find(|whose| !waits.contains(&whose.caller)) {
                Some(other) => Ok(Err(other.author.clone())),
                None => saving::save(document, Overwrite::Refuse, &desk).map(Ok),
            }
        })?;
        if let Ok(report) = &saved {
            self.used(&report.path);
        }
        Ok(saved)
    }
}

/// Whether the document moved on, and the edit lost its place.
fn is_conflict(refusal: &Refusal) -> bool {
    match refusal.innermost() {
        Refusal::Stale { .. } | Refusal::Gone { .. } => true,
        Refusal::Rule { code, .. } => *code == "TEXT_CHANGED",
        _ => false,
    }
}

/// Where bytes are after a patch, as far as they are still there.
fn now_at(since: &Patch, part: &PartName, range: &Range<usize>) -> Range<usize> {
    let start = since.map(part, range.start, Gravity::Left);
    start..since.map(part, range.end, Gravity::Right).max(start)
}
