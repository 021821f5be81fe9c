//! A workbook as it reads, with what its formulas were last calculated to.
//!
//! The next calculation starts from there, so that an edit costs what depends on it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use edit::{Content, Patch, Refusal, Settlement};

use crate::calc::dirt::{self, Dirt};
use crate::calc::model::Model;
use crate::calc::settled::{Reached, Settled};
use crate::read::book::Book;

/// Excel workbooks: `.xlsx`, `.xlsm`, `.xltx`, `.xltm`.
#[derive(Clone, Copy, Debug)]
pub enum Sheet {}

/// A workbook as it stands in one revision. Everything that a [`Book`] tells, it tells too.
#[derive(Clone)]
pub struct View {
    book: Book,
    /// What was changed since formulas were last brought up to date.
    pub(crate) dirt: Arc<Dirt>,
    /// The workbook as it was last calculated, before what `dirt` says was changed.
    pub(crate) model: Option<Arc<Model>>,
}

impl Deref for View {
    type Target = Book;

    fn deref(&self) -> &Book {
        &self.book
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("book", &self.book).finish_non_exhaustive()
    }
}

impl View {
    pub(crate) fn new(content: &Content) -> Result<View, Refusal> {
        Ok(View { book: Book::new(content)?, dirt: Arc::default(), model: None })
    }

    /// The workbook as the calculation sees it, from the last calculation if nothing changed since.
    pub(crate) fn model(&self) -> Result<Model, Refusal> {
        match &self.model {
            Some(known) if self.dirt.is_nothing() => Ok((**known).clone()),
            _ => Model::build(self),
        }
    }

    pub(crate) fn after(self, patch: &Patch, after: &Content) -> Result<View, Refusal> {
        let book = self.book.after(patch, after)?;
        let dirt = dirt::after(&self.dirt, &self.book, patch, &book)?;
        let model = self.model.filter(|_| !dirt.all && !dirt.surroundings);
        Ok(View { book, dirt: Arc::new(dirt), model })
    }

    /// The view once formulas are up to date.
    pub(crate) fn settled(
        mut self,
        settlement: &Settlement<Settled>,
        after: &Content,
    ) -> Result<View, Refusal> {
        if let Some(step) = settlement.step.as_ref().filter(|step| !step.patch.is_empty()) {
            self.book = self.book.after(&step.patch, after)?;
        }
        match &settlement.found.reached {
            Reached::Nothing if self.dirt.is_empty() => {}
            Reached::Nothing => {
                let dirt = Arc::make_mut(&mut self.dirt);
                (dirt.all, dirt.since, dirt.cells) = (false, None, Vec::new());
            }
            Reached::Values => (self.dirt, self.model) = (Arc::default(), None),
            Reached::Model(model) => (self.dirt, self.model) = (Arc::default(), Some(Arc::clone(model))),
        }
        Ok(self)
    }
}
