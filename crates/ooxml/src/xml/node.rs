//! A node together with the source it is read from.

use edit::{Cut, OrEmpty};
use std::borrow::Cow;
use std::ops::Range;

use super::encoding::checked_text;
use super::tree::Raw;
use super::{Attribute, Attributes, Kind, Name, Namespaces, NodeId, Tree, decode_text};

/// A place in a tree; cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    tree: &'a Tree,
    source: &'a [u8],
    id: NodeId,
}

impl<'a> Node<'a> {
    pub(super) fn new(tree: &'a Tree, source: &'a [u8], id: NodeId) -> Node<'a> {
        Node { tree, source, id }
    }

    fn raw(&self) -> Raw {
        self.tree.raw(self.id)
    }

    fn at(&self, index: u32) -> Node<'a> {
        Node { id: NodeId(index), ..*self }
    }

    pub fn id(&self) -> NodeId {
        self.id
    }

    pub fn kind(&self) -> Kind {
        self.raw().kind()
    }

    pub fn is_element(&self) -> bool {
        self.kind() == Kind::Element
    }

    /// Everything: start tag, content, end tag.
    pub fn span(&self) -> Range<usize> {
        let raw = self.raw();
        raw.start as usize..raw.end as usize
    }

    /// The start tag, or the whole of a leaf.
    pub fn tag_span(&self) -> Range<usize> {
        let raw = self.raw();
        raw.start as usize..raw.tag_end as usize
    }

    /// Between the tags. Empty, and no place to insert into, when [`Node::closes_itself`].
    pub fn content_span(&self) -> Range<usize> {
        let raw = self.raw();
        raw.tag_end as usize..raw.close as usize
    }

    /// The end tag; empty for leaves and for `<w:p/>`.
    pub fn end_tag_span(&self) -> Range<usize> {
        let raw = self.raw();
        raw.close as usize..raw.end as usize
    }

    /// Whether this is an element written as one tag, `<w:p/>`.
    pub fn closes_itself(&self) -> bool {
        let raw = self.raw();
        raw.kind() == Kind::Element && raw.close == raw.end
    }

    /// The bytes of [`Node::span`].
    pub fn source(&self) -> &'a [u8] {
        self.source.part(self.span())
    }

    /// Namespace and local name of an element; both empty for other nodes.
    pub fn name(&self) -> Name<'a> {
        let tree: &'a Tree = self.tree;
        tree.names().name(self.raw().symbol).unwrap_or(Name { namespace: "", local: "" })
    }

    /// Whether this is the element `local` of `namespace`.
    pub fn is(&self, namespace: &str, local: &str) -> bool {
        let name = self.name();
        name.local == local && name.namespace == namespace && self.is_element()
    }

    /// The name as written, with its prefix.
    pub fn qualified(&self) -> &'a str {
        if !self.is_element() {
            return "";
        }
        let tag = self.source.part(self.tag_span()).part(1..);
        let end = tag.iter().position(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'/' | b'>'));
        checked_text(tag.part(..end.unwrap_or(0)))
    }

    /// The prefix as written; empty without one.
    pub fn prefix(&self) -> &'a str {
        self.qualified().split_once(':').map_or("", |(prefix, _)| prefix)
    }

    /// The attributes of an element in their order, declarations of namespaces included.
    pub fn attributes(&self) -> Attributes<'a> {
        let raw = self.raw();
        if raw.kind() != Kind::Element {
            return Attributes::of_tag(self.source, 0, 0);
        }
        let name_end = raw.start as usize + 1 + self.qualified().len();
        Attributes::of_tag(self.source, name_end, raw.tag_end as usize).resolved(self.tree.names(), raw.scope)
    }

    /// The attribute `local` of `namespace`, which is [`super::ns::NONE`] for one without a prefix.
    pub fn attribute(&self, namespace: &str, local: &str) -> Option<Attribute<'a>> {
        self.attributes().find(|attribute| attribute.local() == local && attribute.namespace() == namespace)
    }

    /// The decoded value of an attribute.
    pub fn value(&self, namespace: &str, local: &str) -> Option<Cow<'a, str>> {
        self.attribute(namespace, local).map(|attribute| attribute.value())
    }

    /// What parsing a piece of this element's content needs.
    pub fn namespaces(&self) -> Namespaces {
        Namespaces { names: self.tree.names().clone(), scope: self.raw().scope }
    }

    /// The element around this one; none for the document.
    pub fn parent(&self) -> Option<Node<'a>> {
        (self.id != NodeId::DOCUMENT).then(|| self.at(self.raw().parent))
    }

    /// From the parent up to the document.
    pub fn ancestors(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        std::iter::successors(self.parent(), Node::parent)
    }

    pub fn children(&self) -> Children<'a> {
        Children { next: self.id.0 + 1, end: self.raw().subtree_end, node: *self }
    }

    /// Child elements.
    pub fn elements(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        self.children().filter(Node::is_element)
    }

    /// The first child element of that name.
    pub fn child(&self, namespace: &str, local: &str) -> Option<Node<'a>> {
        self.elements().find(|node| node.is(namespace, local))
    }

    pub fn next_sibling(&self) -> Option<Node<'a>> {
        let next = self.raw().subtree_end;
        (next < self.parent()?.raw().subtree_end).then(|| self.at(next))
    }

    /// Everything below this node, in document order.
    pub fn descendants(&self) -> Descendants<'a> {
        Descendants { next: self.id.0 + 1, end: self.raw().subtree_end, node: *self }
    }

    /// Whether `other` is this node or below it.
    pub fn contains(&self, other: NodeId) -> bool {
        self.id <= other && other.0 < self.raw().subtree_end
    }

    /// Decoded text: of a text or CDATA node itself, of anything else all text below it.
    pub fn text(&self) -> Cow<'a, str> {
        match self.kind() {
            Kind::Text => decode_text(checked_text(self.source())),
            Kind::Cdata => {
                let inner = self.source().get(9..).and_then(|rest| rest.strip_suffix(b"]]>"));
                super::text::normalize_lines(checked_text(inner.or_empty()))
            }
            Kind::Comment | Kind::Instruction => Cow::Borrowed(""),
            Kind::Document | Kind::Element => {
                let mut pieces = self
                    .descendants()
                    .filter(|node| matches!(node.kind(), Kind::Text | Kind::Cdata))
                    .map(|node| node.text());
                let Some(mut whole) = pieces.next() else { return Cow::Borrowed("") };
                for piece in pieces {
                    whole.to_mut().push_str(&piece);
                }
                whole
            }
        }
    }
}

/// See [`Node::children`].
#[derive(Clone, Debug)]
pub struct Children<'a> {
    node: Node<'a>,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Children<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        if self.next >= self.end {
            return None;
        }
        let child = self.node.at(self.next);
        self.next = child.raw().subtree_end.max(self.next + 1);
        Some(child)
    }
}

/// See [`Node::descendants`].
#[derive(Clone, Debug)]
pub struct Descendants<'a> {
    node: Node<'a>,
    next: u32,
    end: u32,
}

impl<'a> Descendants<'a> {
    /// Goes on behind the node that was answered last, instead of into it.
    pub fn skip_below(&mut self) {
        if self.next > self.node.id.0 + 1 {
            self.next = self.node.at(self.next - 1).raw().subtree_end.max(self.next);
        }
    }
}

impl<'a> Iterator for Descendants<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        if self.next >= self.end {
            return None;
        }
        let node = self.node.at(self.next);
        self.next += 1;
        Some(node)
    }
}
