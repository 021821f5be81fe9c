//! `apply_template`: fill in the placeholders of a Word document.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::word::{Edit, FillTemplate};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About = About { title: "Fill Word template", sets: &[Set::Word], hints: Hints::EDIT };

/// Fills {{placeholders}} and content controls of a .docx from values by name. Says what was filled, what had no
/// place and what had no value.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    values: BTreeMap<String, String>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    let edit = Edit::FillTemplate(FillTemplate { values: input.values, markup: input.track.markup() });
    word::edit(cx, &target, vec![edit], input.track, input.dry_run, None)
}
