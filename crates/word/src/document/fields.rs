//! Fields that span paragraphs.
//!
//! A table of contents is one field over many paragraphs: between its `begin` and its `separate` nothing is
//! on the page, whatever paragraph it stands in. What is open at the start of a paragraph therefore depends on
//! those before it. Fields that nobody closes are taken for damage and hide nothing beyond their paragraph.

use edit::Cut;

use crate::document::index::{BoxKind, NOWHERE, Part, flag};
use crate::document::paragraph::{AtomKind, Paragraph, Phase};

/// What is open behind a paragraph. Between two of these nothing changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenFields {
    index: u32,
    /// The text box or note it is in; fields do not cross into or out of those.
    story: u32,
    phases: Vec<Phase>,
}

impl Part {
    /// The fields open where a paragraph starts, the outermost first.
    pub(crate) fn open_fields_at(&self, index: u32) -> &[Phase] {
        let known = self.open_fields.get_or_init(|| open_fields(self));
        if known.is_empty() {
            return &[];
        }
        let story = story_box(self, index as usize);
        let before = known.partition_point(|open| open.index < index);
        let last = known.part(..before).iter().rev().find(|open| open.story == story);
        last.map_or(&[], |open| &open.phases)
    }
}

/// A paragraph, its story, and the fields open behind it, by number.
type Behind = (u32, u32, Vec<(usize, Phase)>);

fn open_fields(part: &Part) -> Vec<OpenFields> {
    let mut found: Vec<Behind> = Vec::new();
    let mut closed: Vec<bool> = Vec::new();
    let flagged =
        part.paragraphs.flags.iter().enumerate().filter(|(_, flags)| *flags & flag::OPEN_FIELD != 0);
    for (index, _) in flagged {
        let story = story_box(part, index);
        let span = part.paragraphs.span(index);
        let source = part.blob.slice(span.clone());
        let Ok(paragraph) = Paragraph::read(&source, span.start, part.scope(index), true, &[]) else {
            continue;
        };
        let mut open = found.iter().rev().find(|known| known.1 == story).map(|known| known.2.clone());
        let open = open.get_or_insert_default();
        for atom in &paragraph.atoms {
            match atom.kind {
                AtomKind::FieldBegin => {
                    open.push((closed.len(), Phase::Instruction));
                    closed.push(false);
                }
                AtomKind::FieldSeparate => {
                    if let Some((_, phase)) = open.last_mut() {
                        *phase = Phase::Result;
                    }
                }
                AtomKind::FieldEnd => {
                    if let Some((field, _)) = open.pop()
                        && let Some(closed) = closed.get_mut(field)
                    {
                        *closed = true;
                    }
                }
                _ => {}
            }
        }
        found.push((index as u32, story, std::mem::take(open)));
    }
    let is_closed = |field: &usize| closed.get(*field).copied().unwrap_or(false);
    found
        .into_iter()
        .map(|(index, story, open)| {
            let phases = open.into_iter().filter(|(field, _)| is_closed(field)).map(|(_, phase)| phase);
            OpenFields { index, story, phases: phases.collect() }
        })
        .collect()
}

fn story_box(part: &Part, index: usize) -> u32 {
    let boxed = part.paragraphs.boxed.get(index).unwrap_or(NOWHERE);
    let apart = |kind: BoxKind| {
        matches!(kind, BoxKind::TextBox | BoxKind::Footnote | BoxKind::Endnote | BoxKind::Comment)
    };
    part.around(boxed).find(|(_, block)| apart(block.kind)).map_or(NOWHERE, |(index, _)| index)
}
