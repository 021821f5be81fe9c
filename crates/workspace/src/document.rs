//! One open document: its history, its engine, and everything that is carried along when its bytes change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use edit::{Change, Content, Context, Patch, Refusal, Revision, RevisionId, Way, Whose};

use crate::caller::notices::Event;
use crate::caller::windows::WindowLabel;
use crate::disk::files::Stamp;
use crate::disk::image::{Hash, Image};
use crate::disk::journal::record::{Named, Record};
use crate::document::engine::{Engine, Typed};
use crate::document::formats::{Count, Limits, Opens};
use crate::document::moving_ranges::{NamedRange, Ranges, Selection};
use crate::document::named_requests::RequestNames;
use crate::document::recovery::Protection;
use crate::document::staged::Anchored;
use crate::document::suggestions::{Ended, Proposal, StagedEdits, Status, Suggestions};
use crate::ids::{RangeId, SuggestionId};
use crate::kind::Kind;

pub(crate) mod formats;
pub(crate) mod text;

pub(crate) mod engine;
pub(crate) mod planning;
pub(crate) mod staged;

pub(crate) mod edits;
pub(crate) mod moving_ranges;
pub(crate) mod named_requests;
pub(crate) mod recovery;
pub(crate) mod saving;
pub(crate) mod shown;
pub(crate) mod suggestions;

pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) history: History,
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) file: Option<OnDisk>,
    /// What the file has, or what an untitled document began with.
    pub(crate) saved: Saved,
    pub(crate) unsaved: Unsaved,
    pub(crate) suggestions: Suggestions,
    pub(crate) ranges: Ranges,
    pub(crate) operations: RequestNames,
    pub(crate) selections: Selections,
    /// When the head came to be.
    pub(crate) changed_at: i64,
    /// Told to the clients when the document is let go.
    pub(crate) events: Vec<Event>,
    pub(crate) protection: Protection,
    /// Made of a file in the old binary format, which is never written.
    pub(crate) only_read: bool,
    /// What of its author's protection was set aside, for the receipt.
    pub(crate) overridden: Vec<String>,
    /// Memory that the next file can be written to.
    pub(crate) room: Vec<u8>,
    counted: Option<(RevisionId, Count)>,
}

pub(crate) type History = edit::History<Beside>;

/// What an undo entry keeps beside the patch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beside {
    /// Where the selections were; of an earlier run nobody knows.
    selections: Option<Selections>,
    pub(crate) ended: Ended,
}

impl Beside {
    pub(crate) fn of_an_earlier_run(ended: Ended) -> Self {
        Self { selections: None, ended }
    }
}

pub(crate) type Selections = BTreeMap<WindowLabel, Selection>;

/// The file behind a document, as it was when it was last read or written.
#[derive(Debug, Clone)]
pub(crate) struct OnDisk {
    pub(crate) path: std::path::PathBuf,
    pub(crate) stamp: Stamp,
    /// What was read or written.
    pub(crate) image: Image,
    /// Another program's version that could not be taken in.
    pub(crate) conflict: Option<Hash>,
    /// The file itself, where having it open makes the stamp certain.
    pub(crate) held: Option<Arc<std::fs::File>>,
}

/// The changes that the file does not have.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unsaved {
    pub(crate) edits: usize,
    pub(crate) whose: BTreeSet<Whose>,
    /// Callers who want what they changed so far to be in the file, and had to wait for somebody else.
    pub(crate) to_be_saved: BTreeSet<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Saved {
    pub(crate) content: Content,
    /// `None` when the file has a state that the history never had.
    pub(crate) digest: Option<[u8; 32]>,
    pub(crate) revision: Option<RevisionId>,
}

impl Document {
    pub(crate) fn open(
        kind: Kind,
        title: String,
        bytes: Arc<Vec<u8>>,
        hash: Hash,
        file: Option<OnDisk>,
        limits: &Limits,
        now: i64,
    ) -> Result<Self, Refusal> {
        let (engine, content) = engine::open(kind, bytes, limits)?;
        let history = History::new(content.clone(), hash, limits.history);
        let saved = Saved { content, digest: Some(history.digest()), revision: Some(history.current()) };
        Ok(Self {
            title,
            history,
            engine,
            file,
            saved,
            unsaved: Unsaved::default(),
            suggestions: Suggestions::default(),
            ranges: Ranges::default(),
            operations: RequestNames::default(),
            selections: Selections::new(),
            changed_at: now,
            events: Vec::new(),
            protection: Protection::Off,
            only_read: false,
            overridden: Vec::new(),
            room: Vec::new(),
            counted: None,
        })
    }

    pub(crate) fn is_dirty(&self) -> bool {
        self.saved.digest != Some(self.history.digest())
    }

    pub(crate) fn revision(&self) -> RevisionId {
        self.history.current()
    }

    /// Whose change an undo would take back.
    pub(crate) fn undoable(&self) -> Option<&Whose> {
        self.history.entries(Way::Undo).last().map(|entry| &entry.made)
    }

    /// Who made the change that a redo would make again, and who took it back.
    pub(crate) fn redoable(&self) -> Option<(&Whose, &Whose)> {
        let entry = self.history.entries(Way::Redo).last()?;
        Some((&entry.made, entry.undone.as_ref()?))
    }

    /// Whose changes would be lost if the document became what its file is. What another program wrote is in the file.
    pub(crate) fn unsaved_of(&self) -> Vec<Whose> {
        match self.is_dirty() {
            true => self.unsaved.whose.iter().filter(|whose| !whose.caller.is_empty()).cloned().collect(),
            false => Vec::new(),
        }
    }

    /// The file has what the head has.
    pub(crate) fn saved_here(&mut self) {
        let (content, digest) = (self.history.head().clone(), self.history.digest());
        self.saved = Saved { content, digest: Some(digest), revision: Some(self.history.current()) };
        self.unsaved = Unsaved::default();
    }

    /// Counted once for each revision.
    pub(crate) fn count(&mut self) -> Result<Count, Refusal> {
        let revision = self.revision();
        if let Some((of, count)) = self.counted
            && of == revision
        {
            return Ok(count);
        }
        let count = self.engine.count(self.history.head())?;
        self.counted = Some((revision, count));
        Ok(count)
    }

    pub(crate) fn typed<F: Opens>(&self) -> Result<&Typed<F>, Refusal> {
        let kind = self.engine.kind();
        self.engine.as_any().downcast_ref().ok_or_else(|| other_kind::<F>(kind, &self.title))
    }

    pub(crate) fn typed_mut<F: Opens>(&mut self) -> Result<&mut Typed<F>, Refusal> {
        let refusal = other_kind::<F>(self.engine.kind(), &self.title);
        self.engine.as_any_mut().downcast_mut().ok_or(refusal)
    }

    /// Make a planned change, whose content and view are known.
    pub(crate) fn commit_to<F: Opens>(
        &mut self,
        view: F::View,
        content: Content,
        patch: Patch,
        summary: String,
        cx: &Context,
    ) -> Result<(), Refusal> {
        self.typed::<F>()?;
        let moves = self.may_move(&patch).then(|| self.history.head().clone());
        self.make(patch, content, summary, &[], cx)?;
        self.typed_mut::<F>()?.view = view;
        self.protect_moved(moves, &[])
    }

    /// Make a change that comes from elsewhere: accepted suggestions, or another program.
    pub(crate) fn commit(
        &mut self,
        patch: Patch,
        after: Content,
        summary: String,
        accepted: &[SuggestionId],
        cx: &Context,
    ) -> Result<(), Refusal> {
        let moves = self.may_move(&patch).then(|| self.history.head().clone());
        self.change(patch, after, summary, accepted, cx)?;
        self.protect_moved(moves, accepted)
    }

    /// As `commit`, for somebody who writes it down together with what follows from it.
    pub(crate) fn change(
        &mut self,
        patch: Patch,
        after: Content,
        summary: String,
        accepted: &[SuggestionId],
        cx: &Context,
    ) -> Result<(), Refusal> {
        // The engine first: it reads the new content, and may refuse it.
        self.engine.changed(&patch, &after)?;
        self.make(patch, after, summary, accepted, cx)
    }

    /// A change, and all that goes along with it but the view.
    pub(crate) fn make(
        &mut self,
        patch: Patch,
        after: Content,
        summary: String,
        accepted: &[SuggestionId],
        cx: &Context,
    ) -> Result<(), Refusal> {
        let change =
            Change { patch: patch.clone(), summary, author: cx.author.clone(), caller: cx.caller.clone() };
        let selections = Some(self.selections.clone());
        self.change_by(cx.whose());
        self.history.commit_planned(change, after, Beside::default(), cx.now)?;
        if !cx.caller.is_empty() {
            // What another program did was asked for by nobody.
            self.note_operations();
        }
        self.carry_marks(&patch);
        self.changed_at = cx.now;
        let ended = self.suggestions.follow(&patch, accepted, cx, &mut self.events);
        self.keep_beside(Way::Undo, Beside { selections, ended })
    }

    /// Whether a change may take whole lines from one place to another: what they were to become goes along then.
    fn may_move(&self, patch: &Patch) -> bool {
        let splices = patch.splices(markdown::PART);
        self.engine.kind() == Kind::Markdown
            && self.suggestions.pending().next().is_some()
            && splices.iter().any(|splice| !splice.range.is_empty())
            && splices.iter().any(|splice| splice.with.len() > 1 && splice.with.bytes().contains(&b'\n'))
    }

    /// Write the last change down, and where the suggestions are that it moved.
    fn protect_moved(&mut self, before: Option<Content>, accepted: &[SuggestionId]) -> Result<(), Refusal> {
        let found = match before {
            Some(before) => self.find_again(&before)?,
            None => Vec::new(),
        };
        self.protect_with(|document| {
            let mut records = vec![document.change_record(accepted)?];
            records.extend(document.found_records(&found)?);
            Ok(records)
        });
        Ok(())
    }

    /// Give suggestions that the last change took the place from the place that it moved them to. Gives their names.
    pub(crate) fn find_again(&mut self, before: &Content) -> Result<Vec<SuggestionId>, Refusal> {
        let lost =
            self.history.next_mut(Way::Undo).map(|entry| entry.with.ended.lost.clone()).unwrap_or_default();
        let mut found = Vec::new();
        for (id, staged_edits) in lost {
            let now = self.engine.found_again(&*staged_edits.edits, before, self.history.head())?;
            if let (Some(now), Some(entry)) = (now, self.suggestions.find_mut(&id)) {
                entry.status = Status::Pending;
                entry.staged_edits = Some(StagedEdits::new(now, None));
                self.events.retain(|event| !matches!(event, Event::Stale { id: stale, .. } if *stale == id));
                found.push(id);
            }
        }
        Ok(found)
    }

    /// What has to be written down of suggestions that were found again.
    pub(crate) fn found_records(&self, found: &[SuggestionId]) -> Result<Vec<Record>, Refusal> {
        found.iter().map(|id| Ok(Record::Staged(recovery::staged(self.suggestions.find(id)?)?))).collect()
    }

    /// Take the last change back, or make it again.
    pub(crate) fn step(&mut self, way: Way, cx: &Context) -> Result<Option<Revision>, Refusal> {
        let Some((patch, after)) = self.history.ahead(way)? else { return Ok(None) };
        self.engine.changed(patch, &after)?;
        let stepped = self.step_along(way, cx)?;
        self.protect_change(&[]);
        Ok(stepped)
    }

    /// A step through the history, and all that goes along with it but the view.
    pub(crate) fn step_along(&mut self, way: Way, cx: &Context) -> Result<Option<Revision>, Refusal> {
        self.change_by(cx.whose());
        let Some(revision) = self.history.step(way, cx.whose(), cx.now)?.cloned() else { return Ok(None) };
        self.note_operations();
        let entry = self.history.next_mut(way.back());
        let Beside { selections: restored, ended } =
            entry.map(|entry| std::mem::take(&mut entry.with)).ok_or_else(no_entry)?;
        let selections = Some(self.selections.clone());
        self.carry_marks(&revision.patch);
        if let Some(restored) = restored {
            self.selections = restored;
        }
        self.changed_at = cx.now;
        let ended = match way {
            Way::Undo => self.suggestions.follow_undo(&revision.patch, ended, &mut self.events),
            Way::Redo => self.suggestions.follow_redo(&revision.patch, ended, cx, &mut self.events),
        };
        self.keep_beside(way.back(), Beside { selections, ended })?;
        Ok(Some(revision))
    }

    /// The head was made by what is being done now.
    pub(crate) fn note_operations(&mut self) {
        self.operations.made(self.history.current().number, self.history.opened().number);
    }

    /// The head is about to change.
    fn change_by(&mut self, whose: Whose) {
        if !self.is_dirty() {
            self.unsaved = Unsaved::default();
        }
        self.unsaved.edits += 1;
        self.unsaved.to_be_saved.remove(&whose.caller);
        self.unsaved.whose.insert(whose);
    }

    /// Put what the step back needs into its entry.
    fn keep_beside(&mut self, way: Way, beside: Beside) -> Result<(), Refusal> {
        self.history.next_mut(way).ok_or_else(no_entry)?.with = beside;
        Ok(())
    }

    /// Keep edits for somebody to decide on.
    pub(crate) fn stage<F: Opens>(
        &mut self,
        proposal: Proposal,
        edits: Vec<F::Edit>,
        patch: Patch,
    ) -> Result<(), Refusal> {
        let id = proposal.id.clone();
        self.typed::<F>()?;
        self.suggestions.add(proposal, StagedEdits::new(Arc::new(Anchored::<F>(edits)), Some(patch)));
        self.protect(|document| Ok(Record::Staged(recovery::staged(document.suggestions.find(&id)?)?)));
        Ok(())
    }

    /// Give a range a name.
    pub(crate) fn name(&mut self, id: RangeId, range: NamedRange) {
        let named = Named::new(&id, &range);
        self.ranges.add(id, range);
        self.protect(|_| Ok(Record::Named(named)));
    }

    fn carry_marks(&mut self, patch: &Patch) {
        for selection in self.selections.values_mut() {
            *selection = selection.carried(patch);
        }
        self.ranges.carry(patch);
    }
}

fn no_entry() -> Refusal {
    Refusal::internal("a change that left no undo entry")
}

fn other_kind<F: Opens>(kind: Kind, title: &str) -> Refusal {
    Refusal::Unsupported {
        what: format!("this on `{title}`, which is a {kind} document,"),
        instead: Some(format!("it works on {} documents", F::KIND)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::text::{TEXT, Text};

    fn document(text: &str) -> Document {
        let bytes = Arc::new(text.as_bytes().to_vec());
        let hash = crate::disk::image::hash(&bytes);
        Document::open(Kind::Text, "a.cfg".into(), bytes, hash, None, &Limits::default(), 0).unwrap()
    }

    fn by(name: &str) -> Context {
        Context { caller: format!("{name}-1"), ..Context::new(name, 0, 0) }
    }

    fn whose(name: &str) -> Whose {
        by(name).whose()
    }

    fn insert(document: &mut Document, text: &str, name: &str) {
        let mut patch = Patch::new();
        patch.splice(&edit::PartName::new(TEXT), 0..0, text).unwrap();
        let content = patch.apply(document.history.head()).unwrap();
        let view = <Text as edit::Format>::view(&content).unwrap();
        document.commit_to::<Text>(view, content, patch, format!("Insert {text}"), &by(name)).unwrap();
    }

    #[test]
    fn a_document_knows_whose_its_changes_are() {
        let mut document = document("x");
        assert_eq!((document.undoable(), document.redoable()), (None, None));
        insert(&mut document, "a", "ann");
        insert(&mut document, "b", "bot");
        assert_eq!(document.undoable(), Some(&whose("bot")));
        assert_eq!(document.unsaved_of(), [whose("ann"), whose("bot")]);
        document.step(Way::Undo, &by("ann")).unwrap();
        assert_eq!(document.redoable(), Some((&whose("bot"), &whose("ann"))));
        assert_eq!(document.undoable(), Some(&whose("ann")));
        document.step(Way::Redo, &by("cat")).unwrap();
        assert_eq!((document.undoable(), document.redoable()), (Some(&whose("bot")), None));
        let callers: Vec<&str> =
            document.history.revisions().iter().map(|revision| revision.caller.as_str()).collect();
        assert_eq!(callers, ["ann-1", "bot-1", "ann-1", "cat-1"]);
    }

    #[test]
    fn what_is_saved_or_undone_is_nobodys_unsaved_change() {
        let mut document = document("x");
        insert(&mut document, "a", "ann");
        document.saved_here();
        assert_eq!(document.unsaved_of(), []);
        insert(&mut document, "b", "bot");
        assert_eq!(document.unsaved_of(), [whose("bot")]);
        document.step(Way::Undo, &by("ann")).unwrap();
        assert_eq!(document.unsaved_of(), []);
        insert(&mut document, "c", "cat");
        assert_eq!(document.unsaved_of(), [whose("cat")]);
        // A change of another program is in the file already.
        let outside = Context::new("another program", 0, 0);
        document.change_by(outside.whose());
        assert_eq!(document.unsaved_of(), [whose("cat")]);
    }
}
