//! What a person has selected in another program, found in the document as it is here.
//!
//! The program says which paragraph and character, and what stands there. Only what does stand there is selected: a
//! selection that was guessed would have the next request work on other words than the person sees.

use std::ops::Range;

use edit::PartName;
use word::op;

use super::*;
use crate::targets::{text_blocks, word_said};

/// A cursor, and the text that is selected; either may be unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pointed {
    /// Paragraph and character as positions count them. Of a selection, its start or its end.
    pub cursor: Option<(usize, usize)>,
    /// Empty for a cursor without a selection.
    pub text: String,
}

impl Workspace {
    /// Selects what is pointed at in this window; whether it stands there. If not, nothing is selected.
    pub fn point(&self, document: DocId, window: &WindowLabel, pointed: &Pointed) -> Result<bool, Refusal> {
        let found = match self.status(document)?.kind {
            Kind::Word => in_word(&self.snapshot::<word::Word>(document)?.view, pointed)?,
            Kind::Markdown => in_prose(&self.snapshot::<markdown::Markdown>(document)?.view, pointed),
            Kind::Sheet | Kind::Text => None,
        };
        match found {
            Some(selection) => self.select(document, window, selection).map(|()| true),
            None => self.with(document, |document| {
                document.selections.remove(&self.viewer(window));
                Ok(false)
            }),
        }
    }
}

fn in_word(view: &word::View, pointed: &Pointed) -> Result<Option<Selection>, Refusal> {
    let mut said = Vec::new();
    for place in view.body() {
        said.push((place, word_said(view, place)?));
    }
    let Some((number, range)) = place_of(said.iter().map(|(_, text)| text.as_str()), pointed) else {
        return Ok(None);
    };
    let Some((place, _)) = said.get(number) else { return Ok(None) };
    let span = op::span_of(view, *place, range)?;
    Ok(Some(Selection { part: PartName::new(span.part.as_str()), range: span.start..span.end }))
}

fn in_prose(view: &markdown::View, pointed: &Pointed) -> Option<Selection> {
    let blocks: Vec<_> = text_blocks(view).map(|node| (node.range().start, node.source())).collect();
    let (number, range) = place_of(blocks.iter().map(|(_, text)| &**text), pointed)?;
    let (start, _) = blocks.get(number)?;
    let range = start + range.start..start + range.end;
    Some(Selection { part: PartName::new(markdown::PART), range })
}

/// The paragraph that is meant by its number, and bytes of its text.
fn place_of<'a>(
    paragraphs: impl Iterator<Item = &'a str>,
    pointed: &Pointed,
) -> Option<(usize, Range<usize>)> {
    let Pointed { cursor, text } = pointed;
    let Some((number, character)) = *cursor else {
        let mut found = paragraphs.enumerate().flat_map(|(number, paragraph)| {
            paragraph.match_indices(text.as_str()).map(move |(at, _)| (number, at..at + text.len()))
        });
        let only = found.next().filter(|_| !text.is_empty())?;
        return found.next().is_none().then_some(only);
    };
    let paragraph = paragraphs.into_iter().nth(number)?;
    let cursor = byte_at(paragraph, character)?;
    if text.is_empty() {
        return Some((number, cursor..cursor));
    }
    let found: Vec<Range<usize>> =
        paragraph.match_indices(text.as_str()).map(|(at, _)| at..at + text.len()).collect();
    let at_cursor = found.iter().find(|range| range.start == cursor || range.end == cursor);
    let range = match (at_cursor, found.as_slice()) {
        (Some(range), _) | (None, [range]) => range.clone(),
        (None, _) => return None,
    };
    Some((number, range))
}

/// The byte at a character in UTF-16 units.
fn byte_at(text: &str, character: usize) -> Option<usize> {
    let mut units = 0;
    for (byte, found) in text.char_indices() {
        if units == character {
            return Some(byte);
        }
        units += found.len_utf16();
    }
    (units == character).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pointed_at_has_to_stand_there() {
        let paragraphs = ["one two one", "😀 three"];
        let found = |cursor, text: &str| {
            let pointed = Pointed { cursor, text: text.to_owned() };
            place_of(paragraphs.into_iter(), &pointed)
        };
        assert_eq!(found(Some((0, 8)), "one"), Some((0, 8..11)));
        assert_eq!(found(Some((0, 3)), "one"), Some((0, 0..3)));
        assert_eq!(found(Some((0, 5)), "one"), None);
        assert_eq!(found(Some((0, 0)), "two"), Some((0, 4..7)));
        assert_eq!(found(Some((1, 3)), ""), Some((1, 5..5)));
        assert_eq!(found(Some((1, 1)), ""), None);
        assert_eq!(found(Some((1, 99)), ""), None);
        assert_eq!(found(Some((2, 0)), ""), None);
        assert_eq!(found(None, "three"), Some((1, 5..10)));
        assert_eq!((found(None, "one"), found(None, ""), found(None, "four")), (None, None, None));
    }
}
