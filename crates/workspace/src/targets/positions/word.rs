//! Positions in a Word document: paragraphs of the body by number, any by id, and what is quoted.
//!
//! Characters are those that a paragraph says with all tracked changes accepted.

use ::word::op::{self, InsertText, Location, Op, Operation, Places, Scope, SetSelection, Span};
use ::word::{DeleteParagraph, Edit, Markup, Place, View};
use edit::Refusal;

use super::{Meant, NamedPlace, Position, PositionedChange, Side, bytes_of, not_in, only_place, too_far};
use crate::targets::{Argument, paragraph};

/// What the bytes are called that an operation works on.
const HERE: &str = "here";

pub(crate) fn word_edit(
    view: &View,
    change: &PositionedChange,
    named: NamedPlace<'_>,
) -> Result<Edit, Refusal> {
    if let Some(stretch) = stretch(view, change, named)? {
        return beside_or_instead(&stretch, change);
    }
    let place = place_of(view, &change.position)?;
    let text = said(view, place)?;
    let whole = || op::span_of(view, place, 0..text.len());
    Ok(match change.meant()? {
        Meant::Whole(content) => written(whole()?, Location::Replace, content, false),
        Meant::DeleteWhole => {
            let paragraph = view.id(place);
            Edit::DeleteParagraph(DeleteParagraph { paragraph, expect: None, markup: Markup::Plain })
        }
        Meant::Part(characters, content) => {
            let span = op::span_of(view, place, bytes_of(&text, characters)?)?;
            let location = if characters.length == 0 { Location::After } else { Location::Replace };
            written(span, location, content, false)
        }
        Meant::Beside(Side::Before, content) => written(whole()?, Location::Before, content, true),
        Meant::Beside(Side::After, content) => written(whole()?, Location::After, content, true),
    })
}

/// The text of a paragraph in which characters are counted.
pub(crate) fn said(view: &View, place: Place) -> Result<String, Refusal> {
    Ok(view.paragraph(place)?.text(::word::Side::Final).text)
}

fn place_of(view: &View, position: &Position) -> Result<Place, Refusal> {
    match position {
        Position::Paragraph(index) => {
            view.body().nth(*index).ok_or_else(|| too_far(*index, view.body().count()))
        }
        Position::ParagraphId(name) => {
            view.find(paragraph(view, Argument { field: "position.paragraph_id", name })?)
        }
        Position::Block(_) => Err(not_in("block_id", "a Word document", "name a paragraph by paragraph_id")),
        Position::Cell(_) => {
            Err(not_in("cell", "a Word document", "name a paragraph of the table's cell by paragraph_id"))
        }
        Position::Range(_) | Position::Text { .. } => {
            Err(Refusal::internal("a range and a text are no paragraph"))
        }
    }
}

/// The text that a position quotes or gives a name.
fn stretch(view: &View, change: &PositionedChange, named: NamedPlace<'_>) -> Result<Option<Span>, Refusal> {
    Ok(match (&change.position, named) {
        (Position::Range(_), Some(range)) => Some(Span::new(&range.part, range.range.clone())),
        (Position::Text { text, before, after }, _) if before.is_empty() && after.is_empty() => {
            let select = SetSelection { scope: Scope::Found(text.clone()), location: Location::Replace };
            match op::read(view, &Op::SetSelection(select), &Places::default()) {
                Some(read) => match read?.0 {
                    op::Answer::Selection { range, .. } => Some(range),
                    _ => return Err(Refusal::internal("a selection answered with something else")),
                },
                None => return Err(Refusal::internal("a selection that is no reading")),
            }
        }
        (Position::Text { text, before, after }, _) => Some(between(view, text, before, after)?),
        _ => None,
    })
}

/// A text with what is around it, in one paragraph of the body.
fn between(view: &View, text: &str, before: &str, after: &str) -> Result<Span, Refusal> {
    let mut found: Option<(Place, std::ops::Range<usize>)> = None;
    for place in view.body() {
        match only_place(&said(view, place)?, text, before, after) {
            Ok(range) if found.is_none() => found = Some((place, range)),
            Err(Refusal::NotFound { .. }) => {}
            Ok(_) => {
                let within = "the document".to_owned();
                let (text, contexts) = (text.to_owned(), Vec::new());
                return Err(Refusal::Ambiguous { text, count: 2, within, contexts });
            }
            Err(several) => return Err(several),
        }
    }
    let (place, range) = found.ok_or_else(|| Refusal::not_found("text", text))?;
    op::span_of(view, place, range)
}

/// A change of a stretch of text: instead of it, or right beside it in its paragraph.
fn beside_or_instead(stretch: &Span, change: &PositionedChange) -> Result<Edit, Refusal> {
    if change.characters.is_some() {
        let expected = "no `character`: a range or a text says itself where it is";
        return Err(Refusal::invalid("position.character", "one beside a range or a text", expected));
    }
    Ok(match change.meant()? {
        Meant::Whole(content) | Meant::Part(_, content) => {
            written(stretch.clone(), Location::Replace, content, false)
        }
        Meant::DeleteWhole => written(stretch.clone(), Location::Replace, String::new(), false),
        Meant::Beside(Side::Before, content) => {
            let start = Span { end: stretch.start, ..stretch.clone() };
            written(start, Location::Before, content, false)
        }
        Meant::Beside(Side::After, content) => {
            let end = Span { start: stretch.end, ..stretch.clone() };
            written(end, Location::After, content, false)
        }
    })
}

/// Text in, before or behind these bytes; each line end in it is a paragraph mark.
fn written(span: Span, location: Location, text: String, new_paragraph: bool) -> Edit {
    let scope = Scope::Range(HERE.to_owned());
    let op = Op::InsertText(InsertText { text, scope, location, new_paragraph, keep_formatting: true });
    let named = [(HERE.to_owned(), span)].into_iter().collect();
    Edit::Op(Box::new(Operation { op, places: Places { selection: None, named }, markup: Markup::Plain }))
}
