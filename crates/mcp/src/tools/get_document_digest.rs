//! `get_document_digest`: a document's structure in brief.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::markdown::{Prefix, sections, words};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Document digest", sets: &[Set::Markdown], hints: Hints::READ };

/// Sections with ids and word counts, and counts of what the document holds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    window_id: Option<Window>,
}

/// The sections of a document, and how much of what it holds.
pub(crate) fn digest(prose: &Prose) -> Value {
    let view = &prose.view;
    let found = sections(view);
    let listed: Vec<Value> = found
        .iter()
        .map(|section| {
            json!({
                "nodeId": section.heading.to_string(),
                "level": section.level,
                "title": section.title,
                "from": prose.position(section.range.start),
                "to": prose.position(section.range.end),
                "line": view.line_column(section.range.start).line,
                "wordCount": words(&view.slice(section.range.clone())),
            })
        })
        .collect();
    json!({
        "sections": listed,
        "headingCount": view.count(Prefix::Heading),
        "paragraphCount": view.count(Prefix::Paragraph),
        "codeBlockCount": view.count(Prefix::Code),
        "tableCount": view.count(Prefix::Table),
        "listItemCount": view.count(Prefix::Item),
        "wordCount": words(&view.text()),
        "charCount": view.size().chars,
        "revision": prose.revision.to_string(),
    })
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    Ok(reply(digest(&prose)))
}
