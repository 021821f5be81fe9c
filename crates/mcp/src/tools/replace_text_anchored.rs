//! `replace_text_anchored`: replace text where its context says.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Asked, Mode, Prose},
    tool::{About, Hints, Reply, Set},
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
    /// Default suggest.
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

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let Anchor { text, before_context, after_context } = input.anchor;
    let edit = Edit::ReplaceAnchored {
        text,
        before: before_context.unwrap_or_default(),
        after: after_context.unwrap_or_default(),
        with: input.replacement,
    };
    let asked = Asked { mode: input.mode, base: input.base_revision, request: None };
    let edited = prose.edit(cx, edit, asked)?;
    let range = edited.reports().matches.first().map(|found| prose.span(&found.range));
    Ok(edited.reply_with(json!({ "range": range })))
}
