//! `editor_undo`: take back the last change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{DocId, Revision};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    wire::Window,
    word,
};

pub(crate) const ABOUT: About = About {
    title: "Undo",
    sets: &[Set::Review, Set::Core, Set::Word, Set::Sheet, Set::Markdown, Set::Workspace],
    hints: Hints::EDIT,
};

/// Takes back the last change of the document, in memory. Save to write it to disk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
    #[serde(rename = "session_id")]
    session_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output {
    message: String,
    /// Whether there was anything to do.
    applied: bool,
    revision: String,
    file: String,
}

impl Output {
    /// What became of a step back or forth, which says itself which of them it was.
    pub(crate) fn of(
        cx: &Cx<'_>,
        document: DocId,
        step: Option<Revision>,
        nothing: &str,
    ) -> Result<Self, ToolError> {
        let file = cx.file(document)?;
        Ok(match step {
            Some(step) => Self { message: step.summary, applied: true, revision: step.id.to_string(), file },
            None => {
                let revision = cx.workspace.status(document)?.revision.to_string();
                Self { message: nothing.to_owned(), applied: false, revision, file }
            }
        })
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    let document = meant(cx, input.window_id, input.session_id.as_deref())?;
    cx.cancel.check()?;
    let step = cx.workspace.undo(document)?;
    Output::of(cx, document, step, "There is nothing to undo")
}

/// The document of a session, which need not be in front: with two of them open, what was edited last in one must
/// not be taken back in the other.
pub(crate) fn meant(cx: &Cx<'_>, window: Option<Window>, session: Option<&str>) -> Result<DocId, ToolError> {
    let Some(session) = session else { return Ok(cx.document(window)?.1) };
    let document = word::document_of(cx, &session.parse()?)?;
    cx.workspace.refresh(document)?;
    Ok(document)
}
