//! `save`: write a Word document to its file or to another one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::Overwrite;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set, Unlisted},
    wire, word,
};

pub(crate) const ABOUT: About =
    About { title: "Save Word document", sets: &[Set::Core, Set::Word], hints: Hints::OVERWRITE };

/// Saves the session's .docx and answers with a receipt. A file that another program changed, or has open, is not
/// overwritten unless overwrite is true.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    /// Default: the file it was read from.
    output_path: Option<String>,
    #[serde(default)]
    overwrite: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Output {
    session_id: String,
    path: String,
    revision: String,
    /// False when the file had these bytes already.
    written: bool,
    bytes: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Unlisted<Output>, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    cx.cancel.check()?;
    let overwrite = if input.overwrite { Overwrite::Allow } else { Overwrite::Refuse };
    let saved = match &input.output_path {
        Some(path) => cx.workspace.save_as(target.document, path, overwrite)?,
        None => cx.workspace.save(target.document, overwrite)?,
    };
    Ok(Unlisted(Output {
        session_id: target.session.to_string(),
        path: saved.path.display().to_string(),
        revision: saved.revision.to_string(),
        written: saved.written,
        bytes: saved.bytes,
        notes: wire::notes(&saved.notes),
    }))
}
