//! `get_document_ast`: the blocks of a document as a tree.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::markdown::{Kind, Node, SpanKind, language};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, reply},
    tool::{About, Hints, Reply, Set},
    wire::Window,
};

pub(crate) const ABOUT: About =
    About { title: "Syntax tree", sets: &[Set::Markdown], hints: Hints::READ };

/// The document's blocks as a tree, with ids, positions and text; `offset` and `limit` count top-level blocks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    offset: Option<usize>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    window_id: Option<Window>,
}

fn tree(prose: &Prose, node: &Node<'_>) -> Value {
    let range = node.range();
    let kind = node.kind();
    let mut told = json!({
        "type": kind.name(),
        "from": prose.position(range.start),
        "to": prose.position(range.end),
    });
    if let Some(id) = node.id() {
        told["nodeId"] = id.to_string().into();
    }
    if let Some(level) = kind.level() {
        told["level"] = level.into();
    }
    if let Some(language) = language(node) {
        told["language"] = language.into();
    }
    if let Kind::Item(Some(checked)) = kind {
        told["checked"] = checked.into();
    }
    if kind.is_container() {
        told["children"] = node.children().map(|child| tree(prose, &child)).collect();
        return told;
    }
    told["text"] = node.plain().into();
    let spans: Vec<Value> = node.leaf().map(|leaf| leaf.spans.iter().map(|span| {
        let mut told = prose.span(&span.outer);
        told["type"] = match &span.kind {
            SpanKind::Mark(mark) => mark.name(),
            SpanKind::Link { .. } => "link",
            SpanKind::Image { .. } => "image",
            SpanKind::WikiLink { .. } => "wikiLink",
            SpanKind::Math => "math",
            SpanKind::FootnoteReference => "footnoteReference",
            SpanKind::Html => "html",
        }
        .into();
        match &span.kind {
            SpanKind::Link { href, .. } | SpanKind::Image { href, .. } => told["href"] = href.clone().into(),
            SpanKind::WikiLink { target } => told["target"] = target.clone().into(),
            _ => {}
        }
        told
    }).collect()).unwrap_or_default();
    if !spans.is_empty() {
        told["marks"] = spans.into();
    }
    told
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Reply, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let top: Vec<Node<'_>> = prose.view.top().collect();
    let (offset, limit) = (input.offset.unwrap_or(0), input.limit.unwrap_or(200));
    let children: Vec<Value> = top.iter().skip(offset).take(limit).map(|node| tree(&prose, node)).collect();
    let next = offset + children.len();
    let mut told = json!({
        "type": "document",
        "from": 0,
        "to": prose.view.size().chars,
        "revision": prose.revision.to_string(),
        "children": children,
    });
    if next < top.len() {
        told["more"] = format!("showing {offset}..{next} of {}; pass offset={next}", top.len()).into();
    }
    Ok(reply(told))
}
