//! `delete_paragraph`: take one paragraph out of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::word::{DeleteParagraph, Edit, Expect};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About =
    About { title: "Delete Word paragraph", sets: &[Set::Core, Set::Word], hints: Hints::EDIT };

/// Deletes one paragraph of a .docx. A paragraph that must stay, such as the last one of a table cell, loses only
/// its text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    target_paragraph_id: String,
    /// Refuse if the paragraph says something else by now than in read_file's json.
    expect_text_hash: Option<String>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?
        .overriding(input.override_protection);
    let edit = Edit::DeleteParagraph(DeleteParagraph {
        paragraph: word::paragraph(cx, &target, "target_paragraph_id", &input.target_paragraph_id)?,
        expect: input.expect_text_hash.map(|text_hash| Expect { text_hash }),
        markup: input.track.markup(),
    });
    word::edit(cx, &target, vec![edit], input.track, input.dry_run, None)
}
