//! `document_read`: a Markdown document, or a part of it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::{OpenIn, markdown::{Prefix, section}};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, node_or_heading, refused, reply, shorten},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Read Markdown", sets: &[Set::Core], hints: Hints::READ };

/// Reads a Markdown document or one section or block of it, as source or as a list of blocks with ids. Opens `path` if
/// given. Pages by `offset` and `limit`: characters, or blocks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    path: Option<String>,
    /// Section or block: id, or title of a heading.
    node_id: Option<String>,
    #[serde(default)]
    format: Format,
    offset: Option<usize>,
    #[schemars(range(min = 1))]
    limit: Option<usize>,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Markdown,
    Blocks,
}

fn more(told: &mut Value, offset: usize, shown: usize, total: usize) {
    let next = offset + shown;
    if next < total {
        told["more"] = format!("showing {offset}..{next} of {total}; pass offset={next}").into();
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    if let Some(path) = &input.path {
        cx.workspace.open(path, OpenIn::Tab(None))?;
    }
    let prose = Prose::open(cx, input.window_id)?;
    let range = match &input.node_id {
        None => 0..prose.view.len(),
        Some(text) => {
            let id = node_or_heading(&prose, text)?;
            match id.prefix {
                Prefix::Heading => section(&prose.view, id).map_err(refused)?.range,
                _ => prose.view.node(id).map_err(refused)?.range(),
            }
        }
    };
    let mut told = json!({ "revision": prose.revision.to_string() });
    let offset = input.offset.unwrap_or(0);
    match input.format {
        Format::Markdown => {
            let text = prose.view.slice(range.clone());
            let limit = input.limit.unwrap_or(40_000);
            let page: String = text.chars().skip(offset).take(limit).collect();
            let (shown, total) = (page.chars().count(), text.chars().count());
            told["from"] = (prose.position(range.start) + offset).into();
            told["content"] = page.into();
            more(&mut told, offset, shown, total);
        }
        Format::Blocks => {
            let blocks: Vec<_> = prose.view.nodes().filter(|(id, node)| {
                id.is_some() && node.range().start >= range.start && node.range().end <= range.end
            }).collect();
            let page: Vec<_> = blocks.iter().skip(offset).take(input.limit.unwrap_or(200)).collect();
            let listed: Vec<_> = page.iter().map(|(id, node)| {
                json!([id.map(|id| id.to_string()), prose.position(node.range().start), shorten(&node.plain(), 160)])
            }).collect();
            told["columns"] = json!(["nodeId", "position", "text"]);
            told["blocks"] = listed.into();
            more(&mut told, offset, page.len(), blocks.len());
        }
    }
    Ok(reply(told))
}
