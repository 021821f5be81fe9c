//! Putting a text together.

use crate::eval::Answer;
use crate::eval::args::text;
use crate::eval::operators::MAX_TEXT;

/// A text made of pieces. What no cell could hold is not kept: a short formula can ask for gigabytes.
#[derive(Debug, Default)]
pub(super) struct Growing(String);

impl Growing {
    pub(super) fn push(&mut self, piece: &str) {
        if !self.is_too_long() {
            self.0.push_str(piece);
        }
    }

    /// No UTF-16 unit takes more than three bytes, so a text of more bytes has too many units whatever they are.
    pub(super) fn is_too_long(&self) -> bool {
        self.0.len() > 3 * MAX_TEXT
    }

    pub(super) fn done(self) -> Answer {
        text(self.0)
    }
}
