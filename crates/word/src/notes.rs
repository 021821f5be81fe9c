//! Footnotes, endnotes and comments: their numbers and their texts.

mod numbers;

use edit::Refusal;

use crate::index::{BoxKind, NOWHERE};
use crate::layout::Story;
use crate::names::attribute;
use crate::paragraph::Side;
use crate::view::{Place, View};

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
        let boxed = part.paragraphs.boxed.get(place.index as usize).copied().unwrap_or(NOWHERE);
        let is_owner = |kind| matches!(kind, BoxKind::Footnote | BoxKind::Endnote | BoxKind::Comment);
        let (_, block) = part.around(boxed).find(|(_, block)| is_owner(block.kind))?;
        let tag = part.blob.slice(block.start as usize..block.inner as usize);
        let id = attribute(&tag, "id").unwrap_or_default().into_owned();
        let special = attribute(&tag, "type").is_some_and(|kind| kind != "normal");
        Some(Owner { kind: block.kind, id, special })
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
                let from = part.paragraphs.start.partition_point(|start| *start < block.start);
                let to = part.paragraphs.start.partition_point(|start| *start < block.end);
                let places: Vec<Place> =
                    (from..to).map(|index| Place { part: number as u32, index: index as u32 }).collect();
                let mut text = Vec::with_capacity(places.len());
                for place in &places {
                    text.push(self.paragraph(*place)?.text(Side::Final).text);
                }
                comments.push(Comment {
                    id: value("id").unwrap_or_default(),
                    author: value("author").unwrap_or_default(),
                    initials: value("initials").unwrap_or_default(),
                    date: value("date"),
                    text: text.join("\n"),
                    places,
                });
            }
        }
        Ok(comments)
    }
}
