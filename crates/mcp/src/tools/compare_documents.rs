//! `compare_documents`: two Word documents as one with tracked changes.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::{
    OpenIn,
    word::{self as engine, Comparison, Formatting, Word},
};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About =
    About { title: "Compare Word documents", sets: &[Set::Core, Set::Word], hints: Hints::EDIT };

/// Makes one .docx say what another says, as tracked changes that keep its formatting. Save it under another name to
/// keep both.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The document that is changed.
    file_path: Option<String>,
    session_id: Option<String>,
    /// The document whose text it shall have.
    revised_path: String,
    /// Show changed formatting too.
    #[serde(default)]
    formatting: bool,
    #[serde(default)]
    dry_run: bool,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    let other = cx.workspace.open(&input.revised_path, OpenIn::Background)?;
    let revised = cx.workspace.snapshot::<Word>(other.document)?;
    let markup = Track::On.markup();
    let before = cx.workspace.snapshot::<Word>(target.document)?;
    let formatting = if input.formatting { Formatting::Compared } else { Formatting::Kept };
    let Comparison { edits, left } =
        engine::compare(&before.view, &revised.view, markup, formatting, cx.workspace.stop())?;
    let mut edited = word::edit(cx, &target, edits, Track::On, input.dry_run, None)?;
    if !left.is_empty() {
        edited.notes.push(format!("warning: these differ and could not be shown: {}", left.join("; ")));
    }
    Ok(edited)
}
