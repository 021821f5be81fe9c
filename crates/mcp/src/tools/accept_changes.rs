//! `accept_changes`: accept tracked changes of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::word::Resolution;

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{Chosen, Edited},
};

pub(crate) const ABOUT: About =
    About { title: "Accept tracked changes", sets: &[Set::Core, Set::Review, Set::Word], hints: Hints::EDIT };

/// Accepts tracked changes of a .docx, in every story: what was inserted stays, what was deleted goes.
/// Choose by ids, author or paragraphs, or pass all; others stay.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Input(Chosen);

pub(crate) fn run(cx: &Cx<'_>, Input(chosen): Input) -> Result<Edited, ToolError> {
    chosen.resolve(cx, Resolution::Accept)
}
