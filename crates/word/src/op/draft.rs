//! A change that is made in several strokes, each on the result of the last, and is one patch in the end.

use edit::{Context, Level, Note, PartName, Patch, Planned, Refusal, Step};

use super::Scope;
use super::answer::Answer;
use super::place::{Places, Span};
use crate::document::stamp::Stamp;
use crate::document::view::{Place, View};
use crate::edits::open_paragraph::{OpenParagraph, stamp};
use crate::edits::{Edit, Markup, Outcome};

pub(crate) struct Draft<'a> {
    pub(crate) view: View,
    pub(crate) patch: Patch,
    pub(crate) notes: Vec<Note>,
    pub(crate) markup: Markup,
    pub(crate) cx: &'a Context,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(view: &View, markup: Markup, cx: &'a Context) -> Self {
        Self { view: view.clone(), patch: Patch::new(), notes: Vec::new(), markup, cx }
    }

    pub(crate) fn apply(&mut self, patch: &Patch) -> Result<(), Refusal> {
        if patch.is_empty() {
            return Ok(());
        }
        let after = patch.apply(self.view.content())?;
        self.view = self.view.clone().after(patch, &after)?;
        self.patch = self.patch.then(patch);
        Ok(())
    }

    /// Makes one of the plain edits.
    pub(crate) fn edit(&mut self, edit: &Edit) -> Result<Outcome, Refusal> {
        let Planned { step, outcome } = crate::edits::plan(&self.view, edit, self.cx)?;
        for Note { level, text } in step.notes {
            self.note(level, text);
        }
        self.apply(&step.patch)?;
        Ok(outcome)
    }

    /// Present when changes are to be tracked.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        (self.markup == Markup::Tracked).then(|| stamp(&self.view, self.cx))
    }

    pub(crate) fn open(&self, place: Place) -> Result<OpenParagraph, Refusal> {
        OpenParagraph::open(&self.view, place)
    }

    pub(crate) fn part(&self, place: Place) -> Result<PartName, Refusal> {
        self.view.part_of(place).cloned().ok_or_else(|| Refusal::internal("a paragraph of another view"))
    }

    pub(crate) fn note(&mut self, level: Level, text: impl Into<String>) {
        let note = Note { level, text: text.into() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// An operation on the selection where nobody selected anything works somewhere, and says where.
    pub(crate) fn note_selection(&mut self, scope: &Scope, places: &Places) {
        if *scope == Scope::Selection && places.selection.is_none() {
            self.note(Level::Info, "no selection was set, so the start of the document was used");
        }
    }

    pub(crate) fn done(self, summary: String, answer: Answer<Span>) -> Planned<Outcome> {
        Planned {
            step: Step { patch: self.patch, summary, notes: self.notes },
            outcome: Outcome::Op { answer },
        }
    }
}
