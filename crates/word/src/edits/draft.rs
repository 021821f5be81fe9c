//! A change that is made in several strokes, each on the result of the last, and is one patch in the end.

use edit::{Context, Level, Note, PartName, Patch, Planned, Refusal, Step};

use super::finish::{About, finish};
use super::open_paragraph::{OpenParagraph, stamp};
use super::{DeleteParagraph, InsertParagraphs, Markup, Outcome, delete, insert};
use crate::document::Word;
use crate::document::stamp::Stamp;
use crate::document::view::{Place, View};

pub(crate) struct Draft<'a> {
    strokes: edit::Draft<Word>,
    pub(crate) notes: Vec<Note>,
    pub(crate) markup: Markup,
    pub(crate) cx: &'a Context,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(view: &View, markup: Markup, cx: &'a Context) -> Self {
        let strokes = edit::Draft::new(view.content().clone(), view.clone());
        Self { strokes, notes: Vec::new(), markup, cx }
    }

    /// The document as it is now.
    pub(crate) fn view(&self) -> &View {
        self.strokes.view()
    }

    /// All that was done so far.
    pub(crate) fn patch(&self) -> Patch {
        self.strokes.patch()
    }

    pub(crate) fn apply(&mut self, patch: &Patch) -> Result<(), Refusal> {
        if patch.is_empty() {
            return Ok(());
        }
        let step = Step { patch: patch.clone(), ..Step::default() };
        let next = self.strokes.fork().take(step)?;
        self.strokes.join(next);
        Ok(())
    }

    pub(crate) fn delete(&mut self, edit: &DeleteParagraph) -> Result<Outcome, Refusal> {
        let planned = delete::plan(self.view(), edit, self.cx)?;
        self.take(planned)
    }

    pub(crate) fn insert(&mut self, edit: &InsertParagraphs) -> Result<Outcome, Refusal> {
        let planned = insert::plan(self.view(), edit, self.cx)?;
        self.take(planned)
    }

    fn take(&mut self, planned: Planned<Outcome>) -> Result<Outcome, Refusal> {
        let Planned { step, outcome } = finish(self.view(), planned, About::Text)?;
        for Note { level, text } in step.notes {
            self.note(level, text);
        }
        self.apply(&step.patch)?;
        Ok(outcome)
    }

    /// Present when changes are to be tracked.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        (self.markup == Markup::Tracked).then(|| stamp(self.view(), self.cx))
    }

    pub(crate) fn open(&self, place: Place) -> Result<OpenParagraph, Refusal> {
        OpenParagraph::open(self.view(), place)
    }

    pub(crate) fn part(&self, place: Place) -> Result<PartName, Refusal> {
        self.view().part_of(place).cloned().ok_or_else(|| Refusal::internal("a paragraph of another view"))
    }

    pub(crate) fn note(&mut self, level: Level, text: impl Into<String>) {
        let note = Note { level, text: text.into() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The draft as one step.
    pub(crate) fn finish(self, summary: String) -> Step {
        Step { patch: self.patch(), summary, notes: self.notes }
    }
}
