//! Before and behind a table, which is outside of it; its start and end are inside.

use edit::Refusal;

use super::Location;
use super::place::{Ground, whole};
use super::text::{Landed, Look, beside_like, raw_paragraphs};
use crate::document::span::Span;
use crate::document::tables::{Neighbour, Position, TableId};
use crate::document::view::View;
use crate::edits::{Draft, check_controls, plain_near};

/// The side of a table that is meant, if it is outside.
pub(crate) fn outside(location: Location) -> Option<Position> {
    match location {
        Location::Before => Some(Position::Before),
        Location::After => Some(Position::After),
        Location::Start | Location::End | Location::Replace => None,
    }
}

/// New paragraphs directly before or behind a table. They look like plain text nearby, not like the heading above it.
pub(crate) fn beside_table(
    draft: &mut Draft<'_>,
    table: &Span,
    position: Position,
    lines: &[&str],
    look: Look,
) -> Result<Landed, Refusal> {
    let view = draft.view();
    match view.beside_table(id_of(view, table)?, position)? {
        Neighbour::Paragraph(paragraph, side) => {
            let place = view.find(paragraph)?;
            let model = plain_near(view, place);
            beside_like(draft, place, side == Position::Before, lines, look, model)
        }
        Neighbour::None { inside, at, like } => {
            check_controls(view, inside)?;
            let model = like.or_else(|| view.body().next()).unwrap_or(inside);
            raw_paragraphs(draft, model, at, lines, look)
        }
    }
}

/// A cursor in the paragraph that stands beside a table.
pub(crate) fn cursor_beside(view: &View, table: &Span, position: Position) -> Result<Ground, Refusal> {
    match view.beside_table(id_of(view, table)?, position)? {
        Neighbour::Paragraph(paragraph, _) => {
            let mut stretch = whole(view, view.find(paragraph)?)?;
            stretch.range = match position {
                Position::Before => stretch.range.end..stretch.range.end,
                Position::After => 0..0,
            };
            Ok(Ground::stretches(vec![stretch]))
        }
        Neighbour::None { .. } => Err(Refusal::Unsupported {
            what: "a cursor beside a table where no paragraph stands".to_owned(),
            instead: Some("insert a paragraph there: insertText before or after the table".to_owned()),
        }),
    }
}

fn id_of(view: &View, table: &Span) -> Result<TableId, Refusal> {
    let known = view.tables().find(|known| known.part.as_str() == table.part && known.span == table.range());
    known.map(|known| known.id).ok_or_else(|| Refusal::internal("a table that the document does not have"))
}
