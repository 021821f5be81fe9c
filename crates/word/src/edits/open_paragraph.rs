//! A paragraph laid out for an edit: its atoms, its tree, and how its part spells things.

use edit::{Blob, Context, Cut, OrEmpty, PartName, Patch, Refusal};
use ooxml::xml::{Document, Namespaces, Node, Tree, XmlLimits};

use crate::document::paragraph::{Paragraph, Side, Text};
use crate::document::stamp::Stamp;
use crate::document::view::{Place, View};
use crate::edits::anatomy::Anatomy;
use crate::edits::dialect::Dialect;
use crate::text::quotation::shown_text;

#[derive(Debug)]
pub(crate) struct OpenParagraph {
    pub(crate) part: PartName,
    pub(crate) paragraph: Paragraph,
    tree: Tree,
    text: Text,
    pub(crate) dialect: Dialect,
}

impl OpenParagraph {
    pub(crate) fn open(view: &View, place: Place) -> Result<Self, Refusal> {
        let part = view.part(place).ok_or_else(|| Refusal::internal("a paragraph of another view"))?;
        let paragraph = view.paragraph(place)?;
        let limits = XmlLimits::default();
        let wrong = |error: ooxml::xml::XmlError| error.in_part(&part.name);
        let namespaces = root_namespaces(&part.blob).map_err(wrong)?;
        let (tree, namespaces) = match Tree::parse_fragment(&paragraph.source, &namespaces, &limits) {
            Ok(tree) => (tree, namespaces),
            // A prefix that is declared somewhere between the root and the paragraph.
            Err(_) => {
                let document = Document::parse(&part.blob, &limits).map_err(wrong)?;
                let found = document.root().descendants().find(|node| node.span() == paragraph.span);
                let namespaces = found
                    .and_then(|node| node.parent())
                    .map(|parent| parent.namespaces())
                    .ok_or_else(|| Refusal::internal("a paragraph that the part does not have"))?;
                let tree = Tree::parse_fragment(&paragraph.source, &namespaces, &limits).map_err(wrong)?;
                (tree, namespaces)
            }
        };
        let dialect = Dialect::of(&namespaces)?;
        let text = shown_text(view, &paragraph);
        Ok(Self { part: part.name.clone(), paragraph, tree, text, dialect })
    }

    pub(crate) fn node(&self) -> Result<Node<'_>, Refusal> {
        let mut elements = self.tree.document(&self.paragraph.source).elements();
        elements.next().ok_or_else(|| Refusal::internal("a paragraph without an element"))
    }

    /// The text of the paragraph as a caller quotes it.
    pub(crate) fn text(&self) -> &str {
        &self.text.text
    }

    pub(crate) fn anatomy(&self) -> Result<Anatomy<'_>, Refusal> {
        Ok(self.labelled(Anatomy::of(self.node()?, &self.paragraph, self.text.clone())))
    }

    /// The same without markers, for callers who quote none. What the markers stand for then cannot be touched.
    pub(crate) fn bare_anatomy(&self) -> Result<Anatomy<'_>, Refusal> {
        Ok(self.labelled(Anatomy::of(self.node()?, &self.paragraph, self.paragraph.text(Side::Final))))
    }

    /// Its marks with the signs that a page shows for them.
    fn labelled<'a>(&'a self, mut anatomy: Anatomy<'a>) -> Anatomy<'a> {
        for mark in &mut anatomy.marks {
            let piece = self.text.pieces.iter().find(|piece| piece.atom == mark.atom);
            if let Some(label) = piece.and_then(|piece| self.text.text.get(piece.range.clone())) {
                mark.label = label.to_owned();
            }
        }
        anatomy
    }

    /// Adds splices of the paragraph's own source to the patch of its part.
    pub(crate) fn add_to(
        &self,
        patch: &mut Patch,
        splices: Vec<(std::ops::Range<usize>, String)>,
    ) -> Result<(), Refusal> {
        let base = self.paragraph.span.start;
        for (range, with) in splices {
            patch.splice(&self.part, base + range.start..base + range.end, with)?;
        }
        Ok(())
    }
}

/// The stamp for the tracked changes of one edit.
pub(crate) fn stamp(view: &View, cx: &Context) -> Stamp {
    Stamp::new(&cx.author, cx.now, view.highest_id().saturating_add(1))
}

/// The bytes of every story.
pub(crate) fn story_blobs(view: &View) -> Vec<Blob> {
    let stories = view.layout().stories.iter();
    stories.filter_map(|(_, name)| view.content().read(name).ok().flatten()).collect()
}

/// What the root element of a part declares, without reading the part.
pub(crate) fn root_namespaces(blob: &Blob) -> Result<Namespaces, ooxml::xml::XmlError> {
    const HEAD: usize = 64 << 10;
    let head = blob.slice(0..HEAD.min(blob.len()));
    let whole = || Document::parse(blob, &XmlLimits::default()).map(|d| d.root().namespaces());
    let Some((start, end)) = root_tag(&head) else { return whole() };
    let Some(tag) = head.get(start..end) else { return whole() };
    let name_end = tag.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'/'));
    let name = tag.part(1..name_end.unwrap_or(1));
    let mut alone = tag.to_vec();
    if !tag.ends_with(b"/>") {
        alone.extend_from_slice(b"</");
        alone.extend_from_slice(name);
        alone.push(b'>');
    }
    Document::parse(&Blob::from(alone), &XmlLimits::default()).map(|document| document.root().namespaces())
}

/// Whether older readers are told to pass over what has this prefix, given with its colon.
pub(crate) fn is_ignored(blob: &Blob, prefix: Option<&str>) -> bool {
    let head = blob.slice(0..blob.len().min(64 << 10));
    let tag = root_tag(&head).and_then(|(start, end)| head.get(start..end)).or_empty();
    let list = crate::document::names::attribute(tag, "Ignorable").or_empty();
    prefix.is_some_and(|prefix| list.split_whitespace().any(|known| known == prefix.trim_end_matches(':')))
}

/// Start and end of the first start tag.
fn root_tag(head: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'<', head.get(at..)?)?;
        let rest = head.get(at..)?;
        let skip = match rest.get(1)? {
            b'?' => memchr::memmem::find(rest, b"?>")? + 2,
            b'!' => memchr::memmem::find(rest, b"-->")? + 3,
            _ => {
                let mut quote = 0u8;
                for (index, byte) in rest.iter().enumerate() {
                    match byte {
                        b'"' | b'\'' if quote == 0 => quote = *byte,
                        byte if *byte == quote => quote = 0,
                        b'>' if quote == 0 => return Some((at, at + index + 1)),
                        _ => {}
                    }
                }
                return None;
            }
        };
        at += skip;
    }
}
