//! The arena of spans, and the parser that fills it.

use std::ops::Range;
use std::sync::Arc;

use edit::{Blob, Buffer, Cut};

use super::names::{FIRST_RESERVED, Names, ROOT_SCOPE, split};
use super::scanner::same;
use super::{Attributes, Namespaces, Node, Scanner, Token, TokenKind, XmlError, decode_attribute, encoding};

/// How much XML is accepted. The defaults are far above what Office writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XmlLimits {
    /// Elements inside each other.
    pub depth: usize,
    /// Attributes of one tag.
    pub attributes: usize,
    /// Bytes of one attribute value. Pictures of old drawings are kept in attributes, so this is large.
    pub attribute_bytes: usize,
}

impl Default for XmlLimits {
    fn default() -> XmlLimits {
        XmlLimits { depth: 256, attributes: 512, attribute_bytes: 16 << 20 }
    }
}

/// A node of one tree. Numbers grow in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The node above everything: its children are the root element, comments, blanks around it.
    pub const DOCUMENT: NodeId = NodeId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Document,
    Element,
    Text,
    Cdata,
    Comment,
    /// A processing instruction or the XML declaration.
    Instruction,
}

const DOCUMENT: u16 = 0xFFFF;
const TEXT: u16 = 0xFFFE;
const CDATA: u16 = 0xFFFD;
const COMMENT: u16 = 0xFFFC;
const INSTRUCTION: u16 = 0xFFFB;

/// Offsets into the source. `start..tag_end` is the start tag, `tag_end..close` the content and `close..end`
/// the end tag; leaves have no content and no end tag. Nodes stand in document order, so that a node's first
/// child is the next node, and its next sibling the node at `subtree_end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub(super) start: u32,
    pub(super) tag_end: u32,
    pub(super) close: u32,
    pub(super) end: u32,
    pub(super) parent: u32,
    pub(super) subtree_end: u32,
    pub(super) symbol: u16,
    pub(super) scope: u16,
}

impl Raw {
    pub(super) fn kind(&self) -> Kind {
        match self.symbol {
            DOCUMENT => Kind::Document,
            TEXT => Kind::Text,
            CDATA => Kind::Cdata,
            COMMENT => Kind::Comment,
            INSTRUCTION => Kind::Instruction,
            _ => Kind::Element,
        }
    }
}

/// The spans of a piece of XML. The source is kept by the caller, who brings it along to read: see
/// [`Tree::node`], or [`Document`] for both in one.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Raw>,
    names: Arc<Names>,
}

impl Tree {
    /// Parses a whole part: an optional declaration, one root element, nothing else but comments and blanks.
    pub fn parse(source: &[u8], limits: &XmlLimits) -> Result<Tree, XmlError> {
        Tree::parse_reusing(Tree::empty(), source, limits)
    }

    /// [`Tree::parse`] into the memory of a tree that is no longer needed.
    pub fn parse_reusing(mut old: Tree, source: &[u8], limits: &XmlLimits) -> Result<Tree, XmlError> {
        old.nodes.clear();
        old.names = Arc::new(Names::new());
        encoding::check(source)?;
        let mut parser = Parser::new(old, source, limits, ROOT_SCOPE, Extent::Document)?;
        parser.run()?;
        Ok(parser.tree)
    }

    /// Parses a piece of the content of an element, such as one paragraph or several. The piece may hold any
    /// number of elements and text, each of which has to be complete.
    pub fn parse_fragment(
        source: &[u8],
        namespaces: &Namespaces,
        limits: &XmlLimits,
    ) -> Result<Tree, XmlError> {
        if let Err(error) = std::str::from_utf8(source) {
            return Err(XmlError::malformed(error.valid_up_to(), "bytes that are not UTF-8"));
        }
        let tree = Tree { nodes: Vec::new(), names: Arc::clone(&namespaces.names) };
        let mut parser = Parser::new(tree, source, limits, namespaces.scope, Extent::Fragment)?;
        parser.run()?;
        Ok(parser.tree)
    }

    fn empty() -> Tree {
        Tree { nodes: Vec::new(), names: Arc::new(Names::new()) }
    }

    /// The number of nodes; ids are below it.
    #[expect(clippy::len_without_is_empty, reason = "the document node is always there")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node `id`, read from `source`, which has to be what this tree was parsed from.
    pub fn node<'a>(&'a self, source: &'a [u8], id: NodeId) -> Option<Node<'a>> {
        (id.index() < self.nodes.len()).then_some(Node::new(self, source, id))
    }

    /// The node above everything.
    pub fn document<'a>(&'a self, source: &'a [u8]) -> Node<'a> {
        Node::new(self, source, NodeId::DOCUMENT)
    }

    /// The span of a node, for those who need no more than that.
    pub fn span(&self, id: NodeId) -> Range<usize> {
        let raw = self.raw(id);
        raw.start as usize..raw.end as usize
    }

    pub(super) fn raw(&self, id: NodeId) -> Raw {
        const NOTHING: Raw = Raw {
            start: 0,
            tag_end: 0,
            close: 0,
            end: 0,
            parent: 0,
            subtree_end: 0,
            symbol: DOCUMENT,
            scope: ROOT_SCOPE,
        };
        self.nodes.get(id.index()).copied().unwrap_or(NOTHING)
    }

    pub(super) fn names(&self) -> &Arc<Names> {
        &self.names
    }
}

/// Source and tree together: what an engine keeps per part.
#[derive(Clone, Debug)]
pub struct Document {
    source: Buffer,
    tree: Tree,
}

impl Document {
    /// Parses a whole part; see [`Tree::parse`].
    pub fn parse(blob: &Blob, limits: &XmlLimits) -> Result<Document, XmlError> {
        let source = blob.to_buffer();
        let tree = Tree::parse(&source, limits)?;
        Ok(Document { source, tree })
    }

    pub fn source(&self) -> &[u8] {
        &self.source
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The root element.
    pub fn root(&self) -> Node<'_> {
        let document = self.tree.document(&self.source);
        // Parsing made sure of a root element.
        document.elements().next().unwrap_or(document)
    }

    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        self.tree.node(&self.source, id)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Document,
    Fragment,
}

struct Open {
    node: u32,
    name_end: u32,
}

/// A name seen before in the same scope, by its place in the source.
#[derive(Clone, Copy)]
struct Cached {
    start: u32,
    length: u16,
    scope: u16,
    symbol: u16,
}

const CACHE: usize = 512;
const KNOWN: usize = 4;
const NEVER: Cached = Cached { start: 0, length: 0, scope: 0, symbol: 0 };

struct Parser<'a> {
    tree: Tree,
    source: &'a [u8],
    scanner: Scanner<'a>,
    limits: XmlLimits,
    open: Vec<Open>,
    scope: u16,
    outer_scope: u16,
    extent: Extent,
    cache: [Cached; CACHE],
    /// Prefixes of attributes lately found declared, and the scopes they were found in.
    known_prefixes: [(&'a [u8], u16); KNOWN],
    next_known: usize,
}

impl<'a> Parser<'a> {
    fn new(
        tree: Tree,
        source: &'a [u8],
        limits: &XmlLimits,
        scope: u16,
        extent: Extent,
    ) -> Result<Parser<'a>, XmlError> {
        if source.len() >= u32::MAX as usize {
            return Err(XmlError::limit(0, "the number of bytes", u32::MAX as usize - 1));
        }
        Ok(Parser {
            tree,
            source,
            scanner: Scanner::new(source, limits),
            limits: *limits,
            open: Vec::new(),
            scope,
            outer_scope: scope,
            extent,
            cache: [NEVER; CACHE],
            known_prefixes: [(b"", scope); KNOWN],
            next_known: 0,
        })
    }

    fn run(&mut self) -> Result<(), XmlError> {
        let bom = match self.extent {
            Extent::Document if self.source.starts_with(encoding::BOM) => encoding::BOM.len(),
            _ => 0,
        };
        self.scanner.seek(bom);
        let length = self.source.len() as u32;
        self.tree.nodes.push(Raw {
            start: 0,
            tag_end: bom as u32,
            close: length,
            end: length,
            parent: 0,
            subtree_end: 0,
            symbol: DOCUMENT,
            scope: self.scope,
        });
        let mut roots = 0usize;
        while let Some(token) = self.scanner.next()? {
            match token.kind {
                TokenKind::Start | TokenKind::Empty => {
                    roots += usize::from(self.open.is_empty());
                    if roots > 1 && self.extent == Extent::Document {
                        return Err(XmlError::malformed(token.start, "a second root element"));
                    }
                    self.element(&token)?;
                }
                TokenKind::End => self.close(&token)?,
                TokenKind::Text => {
                    self.outside_root(&token)?;
                    self.leaf(&token, TEXT);
                }
                TokenKind::Cdata => {
                    self.outside_root(&token)?;
                    self.leaf(&token, CDATA);
                }
                TokenKind::Comment => self.leaf(&token, COMMENT),
                TokenKind::Instruction => self.leaf(&token, INSTRUCTION),
            }
        }
        if let Some(open) = self.open.last() {
            let start = self.tree.raw(NodeId(open.node)).start as usize;
            return Err(XmlError::malformed(start, "an element is not closed"));
        }
        if roots == 0 && self.extent == Extent::Document {
            return Err(XmlError::malformed(self.source.len(), "there is no root element"));
        }
        let count = self.tree.nodes.len() as u32;
        if let Some(document) = self.tree.nodes.first_mut() {
            document.subtree_end = count;
        }
        Ok(())
    }

    fn outside_root(&self, token: &Token) -> Result<(), XmlError> {
        if !self.open.is_empty() || self.extent == Extent::Fragment {
            return Ok(());
        }
        let text = self.source.part(token.span());
        let blank = token.kind == TokenKind::Text && text.iter().all(|b| b" \t\r\n".contains(b));
        if blank { Ok(()) } else { Err(XmlError::malformed(token.start, "text outside the root element")) }
    }

    fn parent(&self) -> u32 {
        self.open.last().map_or(0, |open| open.node)
    }

    fn leaf(&mut self, token: &Token, symbol: u16) {
        let end = token.end as u32;
        let index = self.tree.nodes.len() as u32;
        self.tree.nodes.push(Raw {
            start: token.start as u32,
            tag_end: end,
            close: end,
            end,
            parent: self.parent(),
            subtree_end: index + 1,
            symbol,
            scope: self.scope,
        });
    }

    fn element(&mut self, token: &Token) -> Result<(), XmlError> {
        let scope_before = self.scope;
        if token.declares {
            self.declare(token)?;
        }
        let symbol = self.symbol(token)?;
        self.check_attribute_prefixes(token)?;
        self.leaf(token, symbol);
        if token.kind == TokenKind::Empty {
            self.scope = scope_before;
            return Ok(());
        }
        if self.open.len() >= self.limits.depth {
            return Err(XmlError::limit(token.start, "the depth of elements", self.limits.depth));
        }
        let node = (self.tree.nodes.len() - 1) as u32;
        self.open.push(Open { node, name_end: token.name_end as u32 });
        Ok(())
    }

    fn close(&mut self, token: &Token) -> Result<(), XmlError> {
        let Some(open) = self.open.pop() else {
            return Err(XmlError::malformed(token.start, "an end tag without a start tag"));
        };
        let count = self.tree.nodes.len() as u32;
        let Some(node) = self.tree.nodes.get_mut(open.node as usize) else { return Ok(()) };
        let opened = self.source.get(node.start as usize + 1..open.name_end as usize);
        let closed = self.source.part(token.name_span());
        if !same(opened.unwrap_or_default(), closed) {
            return Err(XmlError::malformed(token.start, "an end tag does not match its start tag"));
        }
        node.close = token.start as u32;
        node.end = token.end as u32;
        node.subtree_end = count;
        let parent = node.parent;
        self.scope = match self.open.is_empty() {
            true => self.outer_scope,
            false => self.tree.raw(NodeId(parent)).scope,
        };
        Ok(())
    }

    fn declare(&mut self, token: &Token) -> Result<(), XmlError> {
        for attribute in Attributes::of_tag(self.source, token.name_end, token.end) {
            let name = attribute.qualified();
            let prefix = match name.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) => match rest.strip_prefix(':') {
                    Some(prefix) => prefix,
                    None => continue,
                },
                None => continue,
            };
            let offset = attribute.span().start;
            if prefix.contains(':') || (prefix.is_empty() && name.len() > 5) {
                return Err(XmlError::malformed(offset, "a bad namespace prefix"));
            }
            let uri = decode_attribute(attribute.raw());
            self.scope = Arc::make_mut(&mut self.tree.names).declare(self.scope, prefix, &uri, offset)?;
        }
        Ok(())
    }

    fn symbol(&mut self, token: &Token) -> Result<u16, XmlError> {
        let span = token.name_span();
        let name = self.source.part(span.clone());
        let slot = slot(name, self.scope);
        // Two names that share a slot take turns in it and in its neighbour.
        for slot in [slot, slot ^ 1] {
            if let Some(cached) = self.cache.get(slot)
                && cached.scope == self.scope
                && cached.length as usize == name.len()
                && same(self.source.part(cached.start as usize..).part(..name.len()), name)
            {
                return Ok(cached.symbol);
            }
        }
        let symbol = self.symbol_slowly(name, span.start)?;
        if let Ok(length) = u16::try_from(name.len()) {
            let entry = Cached { start: span.start as u32, length, scope: self.scope, symbol };
            let evicted = self.cache.get_mut(slot).map(|first| std::mem::replace(first, entry));
            if let (Some(second), Some(evicted)) = (self.cache.get_mut(slot ^ 1), evicted) {
                *second = evicted;
            }
        }
        Ok(symbol)
    }

    fn symbol_slowly(&mut self, name: &[u8], offset: usize) -> Result<u16, XmlError> {
        let bad_name = XmlError::malformed(offset, "a bad element name");
        let name = std::str::from_utf8(name).map_err(|_| bad_name)?;
        let (prefix, local) = split(name).ok_or(bad_name)?;
        let namespace = self
            .tree
            .names
            .resolve(self.scope, prefix)
            .ok_or(XmlError::malformed(offset, "an undeclared namespace prefix"))?;
        match self.tree.names.symbol(namespace, local) {
            Some(symbol) => Ok(symbol),
            None => Arc::make_mut(&mut self.tree.names).add_symbol(namespace, local, offset),
        }
    }

    fn check_attribute_prefixes(&mut self, token: &Token) -> Result<(), XmlError> {
        for &(start, end) in &self.scanner.attributes {
            let name = self.source.part(start as usize..end as usize);
            let Some(colon) = name.iter().position(|byte| *byte == b':') else { continue };
            let prefix = name.part(..colon);
            if self.known_prefixes.iter().any(|&(known, scope)| scope == self.scope && same(known, prefix)) {
                continue;
            }
            let offset = start as usize;
            let bad_name = XmlError::malformed(offset, "a bad attribute name");
            let (prefix_text, _) = std::str::from_utf8(name).ok().and_then(split).ok_or(bad_name)?;
            if token.declares && prefix_text == "xmlns" {
                continue;
            }
            if self.tree.names.resolve(self.scope, prefix_text).is_none() {
                return Err(XmlError::malformed(offset, "an undeclared namespace prefix"));
            }
            if let Some(oldest) = self.known_prefixes.get_mut(self.next_known) {
                *oldest = (prefix, self.scope);
            }
            self.next_known = (self.next_known + 1) % KNOWN;
        }
        Ok(())
    }
}

fn slot(name: &[u8], scope: u16) -> usize {
    let mut hash = u32::from(scope) ^ 0x811C_9DC5;
    for byte in name {
        hash = (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    }
    (hash >> 23) as usize % CACHE
}

const _: () = assert!(INSTRUCTION >= FIRST_RESERVED && size_of::<Raw>() == 28);
