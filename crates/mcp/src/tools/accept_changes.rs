//! `accept_changes`: accept tracked changes of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::word::Resolution;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited},
};

pub(crate) const ABOUT: About =
    About { title: "Accept tracked changes", sets: &[Set::Word], hints: Hints::EDIT };

/// Accepts tracked changes of a .docx, in every story: what was inserted stays, what was deleted goes.
/// Choose by ids, author or paragraphs, or pass all; changes that are not chosen stay as they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    /// From list_changes.
    #[serde(default)]
    ids: Vec<String>,
    author: Option<String>,
    #[serde(default)]
    paragraph_ids: Vec<String>,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    dry_run: bool,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    let which = word::which(input.ids, input.author, &input.paragraph_ids, input.all)?;
    word::resolve(cx, &target, Resolution::Accept, which, input.dry_run)
}
