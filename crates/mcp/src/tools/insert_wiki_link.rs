//! `insert_wiki_link`: insert `[[target]]`.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::Edit;

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Insert wiki link", sets: &[Set::Markdown], hints: Hints::EDIT };

/// Inserts [[target]] or [[target|displayText]] at the cursor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[schemars(length(min = 1))]
    target: String,
    display_text: Option<String>,
    window_id: Option<Window>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let at = prose.selection(cx)?.end;
    prose.in_text(at, "a wiki link")?;
    let plain = |field: &str, text: &str| match text.contains(['[', ']', '|', '\n', '\r']) {
        true => Err(ToolError::invalid(format!(
            "{field}: brackets, bars and line breaks cannot stand in a wiki link"
        ))),
        false => Ok(()),
    };
    plain("target", &input.target)?;
    let with = match &input.display_text {
        Some(text) if *text != input.target => {
            plain("displayText", text)?;
            format!("[[{}|{text}]]", input.target)
        }
        _ => format!("[[{}]]", input.target),
    };
    let edit = Edit::Replace { range: at..at, expect: None, with };
    Ok(prose.edit(cx, edit, EditOptions::default())?.answer())
}
