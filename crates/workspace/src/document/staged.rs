//! The edits of a suggestion, whatever their format.
//!
//! Suggestions, undo and the journal carry edits, write them down and put them back without knowing what they say; only
//! the engine that made them looks inside.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use edit::{Lost, Patch, Refusal};

use crate::document::formats::Opens;

/// Edits that are anchored in one revision.
pub(crate) trait Staged: Send + Sync {
    /// As they read after `patch`.
    fn carried(&self, patch: &Patch) -> Result<Arc<dyn Staged>, Lost>;
    /// In their own notation.
    fn written(&self) -> Result<String, Refusal>;
    /// What they change, if that is known without planning them.
    fn splices(&self) -> Option<Patch>;
    fn as_any(&self) -> &dyn Any;
}

pub(crate) struct Anchored<F: Opens>(pub(crate) Vec<F::Edit>);

impl<F: Opens> Anchored<F> {
    pub(crate) fn read(written: &str) -> Result<Self, Refusal> {
        let read = serde_json::from_str(written);
        read.map(Self).map_err(|error| Refusal::Corrupt {
            what: "the edits of a suggestion".into(),
            why: error.to_string(),
        })
    }

    /// The edits themselves, for the engine of their format.
    pub(crate) fn of(staged: &dyn Staged) -> Result<&[F::Edit], Refusal> {
        let own = staged.as_any().downcast_ref::<Self>();
        own.map(|own| own.0.as_slice()).ok_or_else(|| Refusal::internal("staged edits of another format"))
    }
}

impl<F: Opens> Staged for Anchored<F> {
    fn carried(&self, patch: &Patch) -> Result<Arc<dyn Staged>, Lost> {
        let carried: Result<Vec<F::Edit>, Lost> = self.0.iter().map(|edit| F::carry(edit, patch)).collect();
        Ok(Arc::new(Self(carried?)))
    }

    fn written(&self) -> Result<String, Refusal> {
        serde_json::to_string(&self.0)
            .map_err(|error| Refusal::internal(format!("staged edits cannot be written down: {error}")))
    }

    fn splices(&self) -> Option<Patch> {
        match self.0.as_slice() {
            [only] => F::splices_of(only),
            _ => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl fmt::Debug for dyn Staged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Staged")
    }
}
