//! Footnotes, endnotes and comments: their numbers and their texts.

mod numbers;

use std::collections::BTreeMap;

use edit::{Cut, OrEmpty, Refusal};

use crate::document::ids::ParagraphId;
use crate::document::index::{BoxKind, NOWHERE, flag};
use crate::document::layout::Story;
use crate::document::names::attribute;
use crate::document::paragraph::{AtomKind, Side};
use crate::document::view::{Place, View};

pub(crate) use numbers::NoteNumbers;

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: String,
    pub author: String,
    pub initials: String,
    pub date: Option<String>,
    pub text: String,
    /// Its paragraphs.
    pub places: Vec<Place>,
}

/// Where a comment hangs, and what became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thread {
    /// The paragraph with its reference.
    pub paragraph: Option<ParagraphId>,
    /// The words that it is about, one line a paragraph; of many, the first ones and the last.
    pub quote: String,
    /// The comment that it answers.
    pub parent: Option<String>,
    pub resolved: bool,
}

/// The id, in the file, of the note or comment a paragraph belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub kind: BoxKind,
    pub id: String,
    /// `separator` and the like, which are no notes.
    pub special: bool,
}

impl View {
    /// The note or comment a paragraph belongs to.
    pub fn owner(&self, place: Place) -> Option<Owner> {
        let part = self.part(place)?;
        let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
        let is_owner = |kind| matches!(kind, BoxKind::Footnote | BoxKind::Endnote | BoxKind::Comment);
        let (_, block) = part.around(boxed).find(|(_, block)| is_owner(block.kind))?;
        let tag = part.blob.slice(block.start as usize..block.inner as usize);
        let id = attribute(&tag, "id").or_empty().into_owned();
        let special = attribute(&tag, "type").is_some_and(|kind| kind != "normal");
        Some(Owner { kind: block.kind, id, special })
    }

    /// Where each comment hangs, by its id.
    pub fn threads(&self) -> Result<BTreeMap<String, Thread>, Refusal> {
        let mut threads: BTreeMap<String, Thread> = BTreeMap::new();
        // Where the ranges begin; a comment may be about several paragraphs.
        let mut begun: BTreeMap<String, Place> = BTreeMap::new();
        for place in self.places() {
            let flags = self.part(place).and_then(|part| part.paragraphs.flags.get(place.index as usize));
            if flags.is_none_or(|flags| flags & flag::COMMENT_REFERENCE == 0) {
                continue;
            }
            let paragraph = self.paragraph(place)?;
            for atom in &paragraph.atoms {
                match &atom.kind {
                    AtomKind::CommentStart { id } => drop(begun.insert(id.clone(), place)),
                    AtomKind::CommentReference { id } => {
                        let first = begun.get(id).copied().filter(|first| first.part == place.part);
                        let thread = threads.entry(id.clone()).or_default();
                        thread.paragraph = Some(self.id(place));
                        thread.quote = self.commented(id, first.unwrap_or(place), place)?;
                    }
                    _ => {}
                }
            }
        }
        self.tell_answers(&mut threads)?;
        Ok(threads)
    }

    /// What a comment is about.
    fn commented(&self, id: &str, first: Place, last: Place) -> Result<String, Refusal> {
        const FIRST: u32 = 10;
        let mut lines = Vec::new();
        for index in first.index..=last.index {
            if index - first.index >= FIRST && index < last.index {
                if index - first.index == FIRST {
                    lines.push("…".to_owned());
                }
                continue;
            }
            let place = Place { part: last.part, index };
            let paragraph = self.paragraph(place)?;
            let text = paragraph.text(Side::Final);
            let at =
                |wanted: &dyn Fn(&AtomKind) -> bool| paragraph.atoms.iter().position(|a| wanted(&a.kind));
            let from = at(&|kind| matches!(kind, AtomKind::CommentStart { id: known } if known == id));
            let to = at(&|kind| matches!(kind, AtomKind::CommentEnd { id: known } if known == id));
            let end = if place == last { 0 } else { paragraph.atoms.len() };
            let about = from.unwrap_or(0)..to.unwrap_or(end);
            let pieces = text.pieces.iter().filter(|piece| about.contains(&piece.atom));
            lines.push(pieces.filter_map(|piece| text.text.get(piece.range.clone())).collect::<String>());
        }
        Ok(lines.join("\n"))
    }

    /// Which comments answer others, and which are resolved: a part of its own says so, by their last paragraphs.
    fn tell_answers(&self, threads: &mut BTreeMap<String, Thread>) -> Result<(), Refusal> {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for comment in self.comments()? {
            let source = comment.places.last().and_then(|place| self.source(*place)).or_empty();
            let tag = source.cut(..memchr::memchr(b'>', &source).unwrap_or(0))?;
            if let Some(name) = attribute(tag, "paraId") {
                names.insert(name.to_uppercase(), comment.id);
            }
        }
        let extended = self.layout().comments_extended.as_ref();
        let Some(blob) = extended.map(|name| self.content().read(name)).transpose()?.flatten() else {
            return Ok(());
        };
        let bytes = blob.bytes();
        for at in memchr::memmem::find_iter(&bytes, b"commentEx ") {
            let rest = bytes.left(at);
            let tag = rest.cut(..memchr::memchr(b'>', rest).unwrap_or(rest.len()))?;
            let named = |name: &str| names.get(&attribute(tag, name)?.to_uppercase()).cloned();
            let Some(thread) = named("paraId").and_then(|id| threads.get_mut(&id)) else { continue };
            thread.parent = named("paraIdParent");
            thread.resolved = attribute(tag, "done").is_some_and(|done| matches!(&*done, "1" | "true"));
        }
        Ok(())
    }

    /// The id in the file of a comment that is called `3`, `c3`, `[c3]` or by the id of one of its paragraphs. What is no
    /// name of a comment comes back as it is, for whoever looks for it to say so.
    pub(crate) fn comment_called(&self, name: &str) -> Result<String, Refusal> {
        let name = name.trim();
        let comments = self.comments()?;
        if let Ok(paragraph) = name.parse::<ParagraphId>() {
            let has = |comment: &&Comment| comment.places.iter().any(|place| self.id(*place) == paragraph);
            return Ok(comments
                .iter()
                .find(has)
                .map_or_else(|| name.to_owned(), |comment| comment.id.clone()));
        }
        let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
        let plain = bare.strip_prefix('c').unwrap_or(bare);
        let known = [name, bare, plain].into_iter().find(|id| comments.iter().any(|known| known.id == *id));
        Ok(known.unwrap_or(name).to_owned())
    }

    /// All comments, in the order of the file.
    pub fn comments(&self) -> Result<Vec<Comment>, Refusal> {
        let mut comments: Vec<Comment> = Vec::new();
        for (number, (story, _)) in self.layout().stories.iter().enumerate() {
            if *story != Story::Comments {
                continue;
            }
            let Some(part) = self.parts().get(number) else { continue };
            for block in part.boxes.iter().filter(|block| block.kind == BoxKind::Comment) {
                let tag = part.blob.slice(block.start as usize..block.inner as usize);
                let value = |name: &str| attribute(&tag, name).map(|value| value.into_owned());
                let from = part.paragraphs.start.partition_point(|start| start < block.start);
                let to = part.paragraphs.start.partition_point(|start| start < block.end);
                let places: Vec<Place> =
                    (from..to).map(|index| Place { part: number as u32, index: index as u32 }).collect();
                let mut text = Vec::with_capacity(places.len());
                for place in &places {
                    text.push(self.paragraph(*place)?.text(Side::Final).text);
                }
                comments.push(Comment {
                    id: value("id").or_empty(),
                    author: value("author").or_empty(),
                    initials: value("initials").or_empty(),
                    date: value("date"),
                    text: text.join("\n"),
                    places,
                });
            }
        }
        Ok(comments)
    }
}
