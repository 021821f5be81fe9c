//! `replace_text_anchored`: replace text where its context says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Mode, Prose, Span},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Replace anchored text", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Replaces `anchor.text` where the text before and behind it is most like the context; refuses when that does not decide.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    anchor: Anchor,
    replacement: String,
    #[schemars(extend("default" = "apply"))]
    mode: Option<Mode>,
    base_revision: Option<String>,
    window_id: Option<Window>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Anchor {
    #[schemars(length(min = 1))]
    text: String,
    before_context: Option<String>,
    after_context: Option<String>,
}

/// What the answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct More {
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Span>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer<More>, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let Anchor { text, before_context, after_context } = input.anchor;
    let edit = Edit::ReplaceAnchored {
        text,
        before: before_context.unwrap_or_default(),
        after: after_context.unwrap_or_default(),
        with: input.replacement,
    };
    let asked = EditOptions { mode: input.mode, base: input.base_revision, request: None };
    let edited = prose.edit(cx, edit, asked)?;
    let range = edited.reports().matches.first().map(|found| prose.span(&found.range));
    Ok(edited.with(More { range }))
}
