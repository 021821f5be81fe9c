//! `get_document_ast`: the blocks of a document as a tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::markdown::{Kind, Node, Span, SpanKind, language};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tool::{About, Hints, Set},
    tools::document_read::more,
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

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tree {
    #[serde(rename = "type")]
    kind: &'static str,
    from: usize,
    to: usize,
    revision: String,
    children: Vec<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Block {
    #[serde(rename = "type")]
    kind: &'static str,
    from: usize,
    to: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Marked>,
    /// Blocks again; a schema that contains itself is more than clients cope with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Value>>")]
    children: Option<Vec<Block>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Marked {
    #[serde(rename = "type")]
    kind: &'static str,
    from: usize,
    to: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    href: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
}

fn tree(prose: &Prose, node: &Node<'_>) -> Block {
    let range = node.range();
    let kind = node.kind();
    let mut told = Block {
        kind: kind.name(),
        from: prose.position(range.start),
        to: prose.position(range.end),
        node_id: node.id().map(|id| id.to_string()),
        level: kind.level(),
        language: language(node),
        checked: if let Kind::Item(checked) = kind { checked } else { None },
        text: None,
        marks: Vec::new(),
        children: None,
    };
    if kind.is_container() {
        told.children = Some(node.children().map(|child| tree(prose, &child)).collect());
        return told;
    }
    told.text = Some(node.plain());
    if let Some(leaf) = node.leaf() {
        told.marks = leaf.spans.iter().map(|span| marked(prose, span)).collect();
    }
    told
}

fn marked(prose: &Prose, span: &Span) -> Marked {
    let kind = match &span.kind {
        SpanKind::Mark(mark) => mark.name(),
        SpanKind::Link { .. } => "link",
        SpanKind::Image { .. } => "image",
        SpanKind::WikiLink { .. } => "wikiLink",
        SpanKind::Math => "math",
        SpanKind::FootnoteReference => "footnoteReference",
        SpanKind::Html => "html",
    };
    let (href, target) = match &span.kind {
        SpanKind::Link { href, .. } | SpanKind::Image { href, .. } => (Some(href.to_string()), None),
        SpanKind::WikiLink { target } => (None, Some(target.to_string())),
        _ => (None, None),
    };
    let (from, to) = (prose.position(span.outer.start), prose.position(span.outer.end));
    Marked { kind, from, to, href, target }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Tree, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let top: Vec<Node<'_>> = prose.view.top().collect();
    let (offset, limit) = (input.offset.unwrap_or(0), input.limit.unwrap_or(200));
    let children: Vec<Block> = top.iter().skip(offset).take(limit).map(|node| tree(&prose, node)).collect();
    Ok(Tree {
        kind: "document",
        from: 0,
        to: prose.view.size().chars,
        revision: prose.revision.to_string(),
        more: more(offset, children.len(), top.len()),
        children,
    })
}
