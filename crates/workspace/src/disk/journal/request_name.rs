//! The name of a request, under which what it did is known again.

use edit::Refusal;
use serde::{Deserialize, Serialize};

use crate::disk::image;

/// Names a request, so that it is known again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestName {
    id: String,
    /// Of what was asked for, in hexadecimal; another request under the same name is told from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    print: Option<String>,
}

impl RequestName {
    pub(crate) fn new(id: String, print: Option<&[u8; 32]>) -> Self {
        Self { id, print: print.map(image::hex) }
    }

    pub(crate) fn is_named(&self, id: &str) -> bool {
        self.id == id
    }

    pub(crate) fn begins(&self, start: &str) -> bool {
        self.id.starts_with(start)
    }

    /// Whether it was named by whoever sent it, so that it may come again.
    pub(crate) fn may_come_again(&self) -> bool {
        self.print.is_some()
    }

    /// The same request; another one under the same name is a mistake.
    pub(crate) fn is_of(&self, print: &[u8; 32]) -> Result<(), Refusal> {
        match &self.print {
            Some(known) if *known != image::hex(print) => Err(reused()),
            _ => Ok(()),
        }
    }
}

/// The one of these names that is `id`.
pub(crate) fn named<'a>(names: &'a [RequestName], id: &str) -> Option<&'a RequestName> {
    names.iter().find(|name| name.id == id)
}

/// What is said of a name that was used for something else.
pub(crate) fn reused() -> Refusal {
    Refusal::invalid(
        "requestId",
        "an id that was used before for another request",
        "a new id for each new request",
    )
}
