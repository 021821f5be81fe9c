//! Changes at positions: all or none, each meant in the revision that the caller read.

use std::ops::Range;

use edit::{Gravity, PartName, Patch};

use super::*;
use crate::edits::{self, Ending, Mode};
use crate::targets::{Act, Position, PositionedChange, mark};

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
        let wish = *blake3::hash(format!("{:?}{:?}", request.changes, request.mode).as_bytes()).as_bytes();
        if let Some(id) = &request.request {
            let cell = self.cell(document)?;
            let answered = edits::answered::<F>(&cell.document.lock(), &self.actor(), id, &wish)?;
            if let Some(outcome) = answered {
                let base = request.base.unwrap_or(outcome.revision);
                return Ok(self.summed_up::<F>(document, base, outcome)?);
            }
        }
        let read = self.read_in::<F>(document, self.base_of::<F>(document, &request)?)?;
        let mut edits = Vec::with_capacity(request.changes.len());
        for (index, change) in request.changes.iter().enumerate() {
            let refused = |cause: Refusal| cause.in_batch(index, request.changes.len());
            let range = self.range_of(document, change, &read).map_err(refused)?;
            edits.push(F::edit_at(&read.view, change, range.as_ref()).map_err(refused)?);
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
            wish: Some(wish),
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
    ) -> Result<Option<RevisionId>, Refusal> {
        let seen = request.base.or_else(|| self.last_seen(document));
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
                ));
            }
        };
        if seen.is_some_and(|seen| mark(seen) == found) {
            return Ok(seen);
        }
        let counts = |change: &PositionedChange| matches!(change.position, Position::Paragraph(_));
        if request.base.is_some() || request.changes.iter().any(counts) {
            let expected = "ids and numbers of one revision; leave out what is of another";
            return Err(Refusal::invalid("position.block_id", format!("of revision {found}"), expected));
        }
        match self.earlier::<F>(document, |known| mark(known) == found)? {
            Some(earlier) => Ok(Some(earlier.revision)),
            None => Err(Refusal::Gone {
                what: "revision",
                id: found.to_owned(),
                last: "a revision that is not known any more".to_owned(),
            }),
        }
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
    fn meanwhile(
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

    /// Save what is this caller's own; `None`, and whose else it is, if somebody else's work would go with it.
    pub fn save_own(&self, document: DocId) -> Result<Result<SaveReport, String>, Refusal> {
        self.writable("saving")?;
        let cell = self.cell(document)?;
        let (own, desk) = (self.id().as_str(), self.saving_desk());
        let saved = self.desk.with(&cell, |document| {
            let unsaved = document.unsaved_of();
            match unsaved.iter().find(|whose| whose.caller != own) {
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
