//! `grep`: find text in every story of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::word::{Language, Search, Word};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set, Text},
    word,
};

pub(crate) const ABOUT: About =
    About { title: "Search Word document", sets: &[Set::Core, Set::Word], hints: Hints::READ };

/// Finds text in a .docx: body, tables, headers, footers, notes, comments and text boxes. Gives paragraph ids and
/// context, in document order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    #[schemars(length(min = 1, max = 50))]
    patterns: Vec<String>,
    #[serde(default)]
    syntax: Syntax,
    #[serde(default)]
    match_case: bool,
    #[serde(default)]
    whole_word: bool,
    #[serde(default)]
    offset: usize,
    #[serde(default = "page")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn page() -> usize {
    50
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Syntax {
    #[default]
    Literal,
    Regex,
    /// Word's own.
    Wildcards,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Text, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    let search = Search {
        patterns: input.patterns,
        language: match input.syntax {
            Syntax::Literal => Language::Literal,
            Syntax::Regex => Language::Regex,
            Syntax::Wildcards => Language::Wildcards,
        },
        match_case: input.match_case,
        whole_word: input.whole_word,
        offset: input.offset,
        limit: input.limit,
        ..Search::default()
    };
    let hits = cx.workspace.read::<Word, _>(target.document, |view| view.grep(&search))??;
    let mut value = serde_json::to_value(&hits)
        .map_err(|error| ToolError::new(ToolError::INTERNAL, error.to_string()))?;
    value["session_id"] = json!(target.session.to_string());
    Ok(Text(value.to_string()))
}
