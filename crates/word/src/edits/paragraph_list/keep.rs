//! What stays of a paragraph whose text is written anew: pictures, text boxes, objects and equations.
//!
//! A header is given another text, and nobody who asks for that wants its logo gone.

use edit::Refusal;
use ooxml::xml::Node;

use super::is_more;
use crate::ParagraphId;
use crate::document::paragraph::{AtomKind, Paragraph, WrapKind};
use crate::document::stamp::Stamp;
use crate::edits::anatomy::{Anatomy, Shape, word_name};
use crate::edits::delete::{inner, track};
use crate::edits::marks::{inside_end, survivors};
use crate::edits::open_paragraph::OpenParagraph;

type Splices = Vec<(std::ops::Range<usize>, String)>;

#[derive(Debug)]
pub(super) struct Kept<'a> {
    paragraph: Node<'a>,
    tops: Vec<Top<'a>>,
    /// The child of the paragraph that holds its first text, and the side of it for new text.
    text: Option<(Node<'a>, Side)>,
}

/// A child of the paragraph that holds what stays.
#[derive(Debug)]
struct Top<'a> {
    node: Node<'a>,
    /// Children of the run beside what stays: the text that goes.
    text: Vec<Node<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl<'a> Kept<'a> {
    pub(super) fn of(
        id: ParagraphId,
        opened: &OpenParagraph,
        anatomy: &Anatomy<'a>,
        tracked: bool,
    ) -> Result<Self, Refusal> {
        let read = &opened.paragraph;
        let paragraph = anatomy.node;
        let would_go = |atom: usize| {
            let shown = match read.atoms.get(atom).map(|atom| &atom.kind) {
                Some(AtomKind::FootnoteReference { .. } | AtomKind::EndnoteReference { .. }) => "a note",
                Some(AtomKind::CommentReference { .. }) => "a comment",
                Some(AtomKind::Math { .. }) => "an equation",
                Some(AtomKind::Object) => "an object",
                _ => "a picture",
            };
            Refusal::Unsafe {
                why: format!("it would delete {shown}, which is no text"),
                instead: Some(format!("edit paragraph {id}")),
            }
        };
        let texts: Vec<Node<'a>> = anatomy
            .units
            .iter()
            .filter(|unit| unit.shape != Shape::Opaque)
            .filter_map(|unit| anatomy.outer_node(unit))
            .collect();
        let mut tops: Vec<Top<'a>> = Vec::new();
        for (index, atom) in read.atoms.iter().enumerate().filter(|(_, atom)| !atom.deleted) {
            if matches!(
                atom.kind,
                AtomKind::FootnoteReference { .. }
                    | AtomKind::EndnoteReference { .. }
                    | AtomKind::CommentReference { .. }
            ) {
                return Err(would_go(index));
            }
            if !is_more(&atom.kind) {
                continue;
            }
            if in_field(read, index) {
                return Err(would_go(index));
            }
            let at = atom.span.start - read.span.start;
            let found = paragraph.descendants().find(|node| node.is_element() && node.span().start == at);
            let found = found.ok_or_else(|| Refusal::internal("a picture that is not there"))?;
            let node = child_above(paragraph, found);
            if tops.iter().any(|top| top.node.id() == node.id()) {
                continue;
            }
            let mut text = Vec::new();
            if texts.iter().any(|text| node.contains(text.id())) {
                if word_name(&node) != "r" || tracked {
                    return Err(would_go(index));
                }
                let stays = |child: &Node<'a>| {
                    let span = child.span();
                    let mut more = read.atoms.iter().filter(|atom| is_more(&atom.kind));
                    more.any(|atom| span.contains(&(atom.span.start - read.span.start)))
                };
                text = node.elements().filter(|child| word_name(child) != "rPr" && !stays(child)).collect();
            }
            tops.push(Top { node, text });
        }
        let text = texts.first().map(|text| child_above(paragraph, *text)).map(|node| {
            let top = tops.iter().find(|top| top.node.id() == node.id());
            let first = node.elements().find(|child| word_name(child) != "rPr");
            let leads = top
                .and_then(|top| top.text.first())
                .is_none_or(|text| Some(text.id()) == first.map(|f| f.id()));
            (node, if leads { Side::Before } else { Side::After })
        });
        Ok(Self { paragraph, tops, text })
    }

    /// The paragraph with these runs in the place of its text.
    pub(super) fn with_text(&self, runs: &str) -> Splices {
        if self.paragraph.closes_itself() {
            return vec![inside_end(self.paragraph, runs)];
        }
        let mut out = String::new();
        let mut gone = Vec::new();
        let put = |out: &mut String, child: Node<'_>, wanted: Side| {
            if self.text.is_some_and(|(node, side)| node.id() == child.id() && side == wanted) {
                out.push_str(runs);
            }
        };
        for child in self.paragraph.elements().filter(|child| word_name(child) != "pPr") {
            put(&mut out, child, Side::Before);
            match self.tops.iter().find(|top| top.node.id() == child.id()) {
                Some(top) => out.push_str(&top.written()),
                None => gone.push(child),
            }
            put(&mut out, child, Side::After);
        }
        if self.text.is_none() {
            out.push_str(runs);
        }
        vec![(inner(self.paragraph), out + &survivors(&gone))]
    }

    /// The same as a tracked change.
    pub(super) fn with_tracked_text(
        &self,
        runs: String,
        opened: &OpenParagraph,
        anatomy: &Anatomy<'_>,
        stamp: &Stamp,
    ) -> Result<Splices, Refusal> {
        let mut splices = track(opened, anatomy, true, stamp)?;
        splices.retain(|(range, _)| !self.tops.iter().any(|top| top.node.span().contains(&range.start)));
        splices.push(match self.text {
            // Behind what is deleted, where nothing stands between that is to stay in front of it.
            Some((node, _)) if !self.tops.is_empty() => (node.span().start..node.span().start, runs),
            _ => inside_end(self.paragraph, &runs),
        });
        splices.sort_by_key(|(range, _)| (range.start, range.end));
        Ok(splices)
    }
}

impl Top<'_> {
    /// Without its text.
    fn written(&self) -> String {
        let base = self.node.span().start;
        let mut out = String::from_utf8_lossy(self.node.source()).into_owned();
        for text in self.text.iter().rev() {
            out.replace_range(text.span().start - base..text.span().end - base, "");
        }
        out
    }
}

/// Whether the atom at `index` is part of what a field shows.
fn in_field(read: &Paragraph, index: usize) -> bool {
    let complex = read.fields.iter().any(|field| {
        field.begin.is_none_or(|begin| begin < index) && field.end.is_none_or(|end| index < end)
    });
    let wrap = read.atoms.get(index).and_then(|atom| atom.wrap);
    complex || read.around(wrap).any(|wrap| matches!(wrap.kind, WrapKind::SimpleField { .. }))
}

/// The child of the paragraph that holds `node`.
fn child_above<'a>(paragraph: Node<'a>, node: Node<'a>) -> Node<'a> {
    let mut top = node;
    for above in node.ancestors().take_while(|above| above.id() != paragraph.id()) {
        top = above;
    }
    top
}
