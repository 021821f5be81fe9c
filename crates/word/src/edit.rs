//! What can be asked of a Word document.

use edit::{Context, Lost, Patch, Planned, Refusal};
use serde::{Deserialize, Serialize};

use crate::View;

/// One edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Edit {}

/// What an edit has to report beside its patch.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {}

pub(crate) fn anchor(_view: &View, edit: &Edit) -> Result<Edit, Refusal> {
    match *edit {}
}

pub(crate) fn carry(edit: &Edit, _patch: &Patch) -> Result<Edit, Lost> {
    match *edit {}
}

pub(crate) fn plan(_view: &View, edit: &Edit, _cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    match *edit {}
}
