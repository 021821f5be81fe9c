//! `document_read`: a Markdown document, or a part of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::{
    OpenIn,
    markdown::{Node, Prefix, section},
};

use crate::{
    block_ids::Reliance,
    cx::Cx,
    error::ToolError,
    prose::{Prose, refused},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Read Markdown", sets: &[Set::Core], hints: Hints::READ };

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

pub(crate) fn more(offset: usize, shown: usize, total: usize) -> Option<String> {
    let next = offset + shown;
    (next < total).then(|| format!("showing {offset}..{next} of {total}; pass offset={next}"))
}

#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Output {
    revision: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<[&'static str; 3]>,
    /// As the columns say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Value>>")]
    blocks: Option<Vec<(Option<String>, usize, String)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Output, ToolError> {
    if let Some(path) = &input.path {
        cx.workspace.open(path, OpenIn::Tab(None))?;
    }
    let prose = Prose::read(cx, input.window_id)?;
    let range = match &input.node_id {
        None => 0..prose.view.len(),
        Some(text) => {
            let id = prose.named(cx, text, None, Reliance::Block)?;
            match id.prefix {
                Prefix::Heading => section(&prose.view, id).map_err(refused)?.range,
                _ => prose.view.node(id).map_err(refused)?.range(),
            }
        }
    };
    let mut told = Output { revision: prose.revision.to_string(), ..Output::default() };
    let offset = input.offset.unwrap_or(0);
    match input.format {
        Format::Markdown => {
            let text = prose.view.slice(range.clone());
            let page: String = text.chars().skip(offset).take(input.limit.unwrap_or(40_000)).collect();
            told.more = more(offset, page.chars().count(), text.chars().count());
            told.from = Some(prose.position(range.start) + offset);
            told.content = Some(page);
        }
        Format::Blocks => {
            let inside = |node: &Node<'_>| node.range().start >= range.start && node.range().end <= range.end;
            let blocks: Vec<_> =
                prose.view.nodes().filter(|(id, node)| id.is_some() && inside(node)).collect();
            let page = blocks.iter().skip(offset).take(input.limit.unwrap_or(200));
            let listed: Vec<_> = page
                .map(|(id, node)| {
                    let id = id.map(|id| prose.told(id));
                    (id, prose.position(node.range().start), workspace::excerpt(&node.plain(), 160))
                })
                .collect();
            told.columns = Some(["nodeId", "position", "text"]);
            told.more = more(offset, listed.len(), blocks.len());
            told.blocks = Some(listed);
        }
    }
    Ok(told)
}
