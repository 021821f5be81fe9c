//! Names and values that several tools share, as they are written on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{DocumentStatus, Ending, Kind, Level, Note};

// No doc comment: seventy copies of it in the tool list would cost more than the instructions' one sentence.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Window(String);

impl Window {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A moment as JavaScript counts it.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Milliseconds(i64);

impl Milliseconds {
    pub(crate) fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }
}

/// What the caller should know beside the answer; warnings say so.
pub(crate) fn notes(notes: &[Note]) -> Vec<String> {
    notes
        .iter()
        .map(|note| match note.level {
            Level::Info => note.text.clone(),
            Level::Warning => format!("warning: {}", note.text),
        })
        .collect()
}

/// How answers name a document: by its file, or by its title as long as it has none.
pub(crate) fn file(status: &DocumentStatus) -> String {
    status.path.as_ref().map_or_else(|| status.title.clone(), |path| path.display().to_string())
}

/// What became of an edit, and its suggestion if it is one.
pub(crate) fn ending(ending: &Ending) -> (&'static str, Option<String>) {
    match ending {
        Ending::Applied => ("applied", None),
        Ending::Suggested(id) => ("suggested", Some(id.to_string())),
        Ending::Previewed => ("dry_run", None),
        Ending::Unchanged => ("unchanged", None),
    }
}

/// The name of a format: `markdown`, `word`, `text`.
pub(crate) fn format(kind: Kind) -> String {
    kind.name().to_lowercase()
}
