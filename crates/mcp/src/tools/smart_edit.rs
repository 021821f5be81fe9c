//! `smart_edit`: replace text in one paragraph of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::word::{Edit, Expect, ReplaceText};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About =
    About { title: "Edit Word text", sets: &[Set::Core, Set::Word], hints: Hints::EDIT };

/// Replaces text in one paragraph of a .docx and keeps its formatting word by word. old_string must occur once in
/// the paragraph; quote enough of it. new_string may hold <b> <i> <u> <highlight> <definition> <header> tags.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    target_paragraph_id: String,
    #[schemars(length(min = 1))]
    old_string: String,
    new_string: String,
    /// Why; comes back with the answer.
    instruction: Option<String>,
    expect: Option<Expected>,
    /// Of a placeholder that is filled in.
    #[serde(default)]
    clear_highlight: bool,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
}

/// Refuse unless this still holds, as read_file gives it in json.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    revision: Option<String>,
    text_hash: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?
        .overriding(input.override_protection);
    let expect = input.expect.unwrap_or_default();
    let edit = Edit::ReplaceText(ReplaceText {
        paragraph: word::paragraph(cx, &target, "target_paragraph_id", &input.target_paragraph_id)?,
        old: input.old_string,
        new: input.new_string,
        expect: expect.text_hash.map(|text_hash| Expect { text_hash }),
        markup: input.track.markup(),
        clear_highlight: input.clear_highlight,
    });
    let edited = word::edit(cx, &target, vec![edit], input.track, input.dry_run, expect.revision.as_deref())?;
    Ok(Edited { instruction: input.instruction, ..edited })
}
