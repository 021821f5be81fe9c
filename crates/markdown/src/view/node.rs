//! A block of a view, as callers hold it.

use std::borrow::Cow;
use std::ops::Range;

use super::{Chunk, View};
use crate::block::{Block, Kind, NodeId};
use crate::inline::{self, Inlines, Leaf};

/// A block of one revision.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    view: &'a View,
    chunk: usize,
    block: usize,
}

impl<'a> Node<'a> {
    pub(super) fn new(view: &'a View, chunk: usize, block: usize) -> Self {
        Self { view, chunk, block }
    }

    fn chunk(&self) -> &'a Chunk {
        &self.view.chunks[self.chunk].chunk
    }

    fn raw(&self) -> &'a Block {
        &self.chunk().blocks[self.block]
    }

    fn base(&self) -> usize {
        self.view.chunks[self.chunk].at.bytes
    }

    pub fn view(&self) -> &'a View {
        self.view
    }

    pub fn kind(&self) -> Kind {
        self.raw().kind
    }

    /// The bytes of the block: from the first character that belongs to it to the last, without the prefix
    /// of what is around it and without the final line ending.
    pub fn range(&self) -> Range<usize> {
        let base = self.base();
        let raw = self.raw().range();
        base + raw.start..base + raw.end
    }

    pub fn source(&self) -> Cow<'a, str> {
        self.view.slice(self.range())
    }

    pub fn id(&self) -> Option<NodeId> {
        let prefix = self.kind().prefix()?;
        let before: usize =
            self.view.chunks[..self.chunk].iter().map(|p| p.chunk.counts[prefix.index()] as usize).sum();
        let here = self.chunk().blocks[..self.block].iter().filter(|b| b.kind.prefix() == Some(prefix));
        Some(NodeId { prefix, ordinal: before + here.count() })
    }

    pub fn parent(&self) -> Option<Node<'a>> {
        let parent = self.raw().parent;
        (parent != Block::TOP).then_some(Node { block: parent as usize, ..*self })
    }

    /// From the innermost block around this one to the outermost.
    pub fn ancestors(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        std::iter::successors(self.parent(), Node::parent)
    }

    /// This block and what is around it.
    pub fn chain(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        std::iter::successors(Some(*self), Node::parent)
    }

    pub fn children(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let Self { view, chunk, block } = *self;
        let blocks = &self.chunk().blocks;
        let last = self.raw().last as usize;
        let mut next = block + 1;
        std::iter::from_fn(move || {
            let block = next;
            (block < last).then(|| {
                next = blocks[block].last as usize;
                Node { view, chunk, block }
            })
        })
    }

    /// All blocks inside this one, in document order.
    pub fn descendants(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let Self { view, chunk, block } = *self;
        (block + 1..self.raw().last as usize).map(move |block| Node { view, chunk, block })
    }

    /// The next block beside this one.
    pub fn next(&self) -> Option<Node<'a>> {
        match self.parent() {
            Some(parent) => parent.children().find(|node| node.block > self.block),
            None => {
                let later = self.view.chunks.get(self.chunk + 1..)?;
                let skip = later.iter().position(|placed| !placed.chunk.blocks.is_empty())?;
                Some(Node::new(self.view, self.chunk + 1 + skip, 0))
            }
        }
    }

    /// The block beside this one that stands before it.
    pub fn previous(&self) -> Option<Node<'a>> {
        match self.parent() {
            Some(parent) => parent.children().take_while(|node| node.block < self.block).last(),
            None => {
                let before = self.view.chunks.get(..self.chunk)?;
                let chunk = before.iter().rposition(|placed| !placed.chunk.blocks.is_empty())?;
                Some(Node::new(self.view, chunk, 0))
            }
        }
    }

    /// The text and formatting inside this block, if it is one that holds text.
    pub fn leaf(&self) -> Option<Leaf<'a>> {
        self.kind().has_inlines().then(|| inline::leaf(self.inlines(), self.block, self.base()))
    }

    fn inlines(&self) -> &'a Inlines {
        let chunk = self.chunk();
        chunk.inlines.get_or_init(|| inline::parse(chunk.text(), &chunk.blocks, self.view.definitions()))
    }

    /// What a reader sees of this block, without markup; blocks inside it are joined by line feeds.
    pub fn plain(&self) -> String {
        if let Some(leaf) = self.leaf() {
            return leaf.plain();
        }
        match self.kind() {
            Kind::Code(_) => crate::code::body(self),
            kind if kind.is_container() => {
                let texts: Vec<String> = self.children().map(|child| child.plain()).collect();
                let row = matches!(kind, Kind::TableHead | Kind::TableRow);
                texts.join(if row { "\t" } else { "\n" })
            }
            _ => self.source().into_owned(),
        }
    }

    /// Its place in the view: which chunk, and which block of it.
    pub(crate) fn place(&self) -> (usize, usize) {
        (self.chunk, self.block)
    }

    pub(crate) fn same(&self, other: &Node<'_>) -> bool {
        self.chunk == other.chunk && self.block == other.block
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.kind(), self.range())
    }
}
