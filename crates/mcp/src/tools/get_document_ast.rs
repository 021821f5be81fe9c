//! `get_document_ast`: the blocks of a document as a tree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::markdown::{Ids, Kind, Node, Places, Span, SpanKind, language};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tool::{About, Hints, Set},
    tools::document_read::more,
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Syntax tree", sets: &[Set::Markdown], hints: Hints::READ };

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

/// What is told at once: about as much as a client takes.
const MOST: usize = 60_000;

/// How deep blocks are told: two levels of JSON each, of which readers take some hundred.
const DEEPEST: usize = 40;

/// A tree in the making, in document order.
struct Telling<'a> {
    prose: &'a Prose,
    ids: Ids<'a>,
    places: Places<'a>,
    /// Bytes that are left to tell, about.
    left: usize,
    /// Blocks that were left out.
    omitted: usize,
}

impl Telling<'_> {
    fn tree(&mut self, node: &Node<'_>, depth: usize) -> Block {
        let range = node.range();
        let kind = node.kind();
        let mut told = Block {
            kind: kind.name(),
            from: self.places.chars(range.start),
            to: 0,
            node_id: self.ids.of(node).map(|id| self.prose.told(id)),
            level: kind.level(),
            language: language(node),
            checked: if let Kind::Item(checked) = kind { checked } else { None },
            text: None,
            marks: Vec::new(),
            children: None,
        };
        self.spend(100);
        if kind.is_container() {
            let mut children = Vec::new();
            for child in node.children() {
                if self.left == 0 || depth >= DEEPEST {
                    self.omitted += 1 + child.descendants().count();
                } else {
                    children.push(self.tree(&child, depth + 1));
                }
            }
            told.children = Some(children);
        } else {
            let text = workspace::excerpt(&node.plain(), self.left.max(200));
            self.spend(text.len());
            told.text = Some(text);
            for span in node.leaf().iter().flat_map(|leaf| leaf.spans.iter()) {
                if self.left == 0 {
                    self.omitted += 1;
                    continue;
                }
                self.spend(60);
                told.marks.push(marked(&mut self.places, span));
            }
        }
        told.to = self.places.chars(range.end);
        told
    }

    fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }
}

fn marked(places: &mut Places<'_>, span: &Span) -> Marked {
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
    let (from, to) = (places.chars(span.outer.start), places.chars(span.outer.end));
    Marked { kind, from, to, href, target }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Tree, ToolError> {
    let prose = Prose::read(cx, input.window_id)?;
    let view = &prose.view;
    let total = view.top().count();
    let (offset, limit) = (input.offset.unwrap_or(0), input.limit.unwrap_or(200));
    let mut telling =
        Telling { prose: &prose, ids: Ids::new(view), places: Places::new(view), left: MOST, omitted: 0 };
    let mut children = Vec::new();
    for node in view.top().skip(offset).take(limit) {
        cx.cancel.check()?;
        if telling.left == 0 {
            break;
        }
        children.push(telling.tree(&node, 1));
    }
    let mut rest = more(offset, children.len(), total);
    if telling.omitted > 0 {
        let omitted = format!(
            "{} inner blocks and marks are left out of what is too long or too deep to tell whole; read it with \
             document_get_content",
            telling.omitted
        );
        rest = Some(rest.map_or_else(|| omitted.clone(), |rest| format!("{omitted}; {rest}")));
    }
    Ok(Tree {
        kind: "document",
        from: 0,
        to: view.size().chars,
        revision: prose.revision.to_string(),
        more: rest,
        children,
    })
}
