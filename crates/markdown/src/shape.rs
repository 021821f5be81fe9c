//! What a block is and says, without where it stands and how it is written.
//!
//! Markdown that is put into a document must be there what it is by itself: the same blocks with the same text. Two
//! shapes are the same if a reader would see the same blocks.

use edit::{Blob, Refusal};

use crate::block::{Kind, ListKind};
use crate::prefix::lines;
use crate::view::{Node, View};

/// What keeps two lists apart that would be one.
pub(crate) const APART: &str = "<!-- -->";

/// A block with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    kind: &'static str,
    level: Option<u8>,
    text: String,
    inner: Vec<Shape>,
}

impl Shape {
    pub(crate) fn of(node: &Node<'_>) -> Self {
        let kind = node.kind();
        let inner: Vec<Shape> = match kind {
            Kind::TableCell => Vec::new(),
            kind if kind.is_container() => node.children().map(|child| Self::of(&child)).collect(),
            _ => Vec::new(),
        };
        let text = match kind {
            Kind::Code(_) => crate::code::body(node),
            Kind::Rule => String::new(),
            Kind::Heading { .. } => words(&crate::ops::content(node)),
            kind if kind.is_container() => String::new(),
            _ => words(&node.source()),
        };
        Self { kind: name(kind), level: kind.level(), text, inner }
    }

    /// The shapes of Markdown by itself.
    pub(crate) fn alone(content: &str) -> Result<Vec<Self>, Refusal> {
        // Behind a line ending nothing is front matter.
        let view = View::new(Blob::from(format!("\n{content}")))?;
        Ok(view.top().filter(|node| !keeps_apart(node)).map(|node| Self::of(&node)).collect())
    }
}

/// Whether a block only keeps two lists apart.
pub(crate) fn keeps_apart(node: &Node<'_>) -> bool {
    node.kind() == Kind::Html && node.source().trim() == APART
}

/// A paragraph is an image or a formula by what it holds, and a list has check boxes by its items.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Image | Kind::Math => Kind::Paragraph.name(),
        Kind::List(ListKind::Task) => Kind::List(ListKind::Bullet).name(),
        kind => kind.name(),
    }
}

/// The words of a block, without the prefix of its lines and however they are spread over them.
fn words(source: &str) -> String {
    let bare = |line: &str| {
        line.trim_start_matches([' ', '\t', '>']).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    lines(source).map(bare).collect::<Vec<_>>().join(" ")
}
