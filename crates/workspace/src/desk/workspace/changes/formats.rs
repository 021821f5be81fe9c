//! What each format knows of positions.

use std::ops::Range;

use edit::{PartName, Patch, Refusal, RevisionId};
use markdown::Markdown;
use sheet::Sheet;
use word::Word;

use super::{ChangedPlace, now_at};
use crate::document::formats::Opens;
use crate::document::moving_ranges::Selection;
use crate::targets::{
    Cells, Position, PositionedChange, address, block, cell_edit, cells, mark, prose_edit, shown_cell,
    text_blocks, word_edit, word_said,
};

/// More are not told of one change.
const MOST_PLACES: usize = 100;

type Spans<'a> = [(&'a PartName, Range<usize>)];

pub(crate) trait Positions: Opens {
    /// An id and the mark of the revision that it is of, where ids have one.
    fn marked(_name: &str) -> Option<(&str, &str)> {
        None
    }

    fn edit_at(
        view: &Self::View,
        change: &PositionedChange,
        named: Option<&Selection>,
    ) -> Result<Self::Edit, Refusal>;

    /// An edit for a document that others have changed since: what goes to the end of something goes with it.
    fn held(_view: &Self::View, edit: Self::Edit) -> Self::Edit {
        edit
    }

    /// What stands in these bytes, which edits with these outcomes changed.
    fn places(
        view: &Self::View,
        revision: RevisionId,
        spans: &Spans<'_>,
        outcomes: &[Self::Outcome],
    ) -> Result<Vec<ChangedPlace>, Refusal>;

    /// What stands by now where a change was meant to be.
    fn text_now(
        before: &Self::View,
        now: &Self::View,
        since: &Patch,
        change: &PositionedChange,
    ) -> Result<Option<String>, Refusal>;

    /// Whether the position means the same place after a patch as before it. Asked of cells only: whatever else a caller
    /// names is followed by what it is.
    fn stands(_: &Self::View, _: &Patch, _: &PositionedChange) -> bool {
        false
    }
}

/// Whether bytes have something to do with these; nothing at an edge has.
fn touches(range: &Range<usize>, other: &Range<usize>) -> bool {
    match other.is_empty() {
        true => range.start <= other.start && other.start <= range.end,
        false => range.start < other.end && other.start < range.end,
    }
}

impl Positions for Word {
    fn edit_at(
        view: &word::View,
        change: &PositionedChange,
        named: Option<&Selection>,
    ) -> Result<word::Edit, Refusal> {
        word_edit(view, change, named)
    }

    fn places(
        view: &word::View,
        _: RevisionId,
        spans: &Spans<'_>,
        _: &[word::Outcome],
    ) -> Result<Vec<ChangedPlace>, Refusal> {
        let mut places = Vec::new();
        let mut numbers = view.body().enumerate().map(|(number, place)| (place, number)).peekable();
        for place in view.places() {
            while numbers.next_if(|(body, _)| *body < place).is_some() {}
            let number = numbers.peek().filter(|(body, _)| *body == place).map(|(_, number)| *number);
            let (part, range) = (view.part_of(place), view.span(place));
            let is_changed =
                spans.iter().any(|(changed, bytes)| part == Some(*changed) && touches(&range, bytes));
            if is_changed && places.len() < MOST_PLACES {
                let (id, text) = (view.id(place).to_string(), word_said(view, place)?);
                places.push(ChangedPlace { id, paragraph: number, text });
            }
        }
        Ok(places)
    }

    fn text_now(
        before: &word::View,
        now: &word::View,
        _: &Patch,
        change: &PositionedChange,
    ) -> Result<Option<String>, Refusal> {
        let place = match &change.position {
            Position::Paragraph(index) => before.body().nth(*index),
            Position::ParagraphId(id) => id.parse().ok().and_then(|id| before.place_of(id)),
            Position::Text { text, .. } => word::locate(before, text).ok().and_then(|id| before.place_of(id)),
            Position::Range(_) | Position::Block(_) | Position::Cell(_) => None,
        };
        let now_there = place.and_then(|place| now.place_of(before.id(place)));
        now_there.map(|place| word_said(now, place)).transpose()
    }
}

impl Positions for Markdown {
    /// Words at the end of a line go with its last letter: others may have put a line of their own right there.
    fn held(view: &markdown::View, edit: markdown::Edit) -> markdown::Edit {
        let markdown::Edit::Replace { range, with, .. } = &edit else { return edit };
        let line = view.slice(view.line_start(range.start)..range.start);
        let at_end = matches!(view.slice(range.start..view.len()).chars().next(), None | Some('\n' | '\r'));
        match line.chars().next_back() {
            Some(last) if range.is_empty() && at_end && !with.starts_with(['\n', '\r']) => {
                let (range, with) = (range.start - last.len_utf8()..range.end, format!("{last}{with}"));
                markdown::Edit::Replace { range, expect: Some(last.to_string()), with }
            }
            _ => edit,
        }
    }

    fn marked(name: &str) -> Option<(&str, &str)> {
        let (id, mark) = name.rsplit_once('@')?;
        id.parse::<markdown::NodeId>().is_ok().then_some((id, mark))
    }

    fn edit_at(
        view: &markdown::View,
        change: &PositionedChange,
        named: Option<&Selection>,
    ) -> Result<markdown::Edit, Refusal> {
        prose_edit(view, change, named)
    }

    fn places(
        view: &markdown::View,
        revision: RevisionId,
        spans: &Spans<'_>,
        _: &[markdown::Outcome],
    ) -> Result<Vec<ChangedPlace>, Refusal> {
        let mut ids = markdown::Ids::new(view);
        let mut places = Vec::new();
        for (number, node) in text_blocks(view).enumerate() {
            let range = node.range();
            if places.len() < MOST_PLACES && spans.iter().any(|(_, bytes)| touches(&range, bytes)) {
                let name = ids.of(&node).map(|id| format!("{id}@{}", mark(revision)));
                let id = name.unwrap_or_else(|| node.kind().name().to_owned());
                places.push(ChangedPlace { id, paragraph: Some(number), text: node.source().into_owned() });
            }
        }
        Ok(places)
    }

    fn text_now(
        before: &markdown::View,
        now: &markdown::View,
        since: &Patch,
        change: &PositionedChange,
    ) -> Result<Option<String>, Refusal> {
        let range = match &change.position {
            Position::Paragraph(index) => text_blocks(before).nth(*index).map(|node| node.range()),
            Position::Block(name) => {
                let name = Self::marked(name).map_or(name.as_str(), |(id, _)| id);
                let node = block(before, name).and_then(|id| before.node(id));
                node.ok().map(|node| node.range())
            }
            Position::Text { text, .. } => {
                let at = before.text().find(text);
                at.map(|at| at..at + text.len())
            }
            Position::Range(_) | Position::ParagraphId(_) | Position::Cell(_) => None,
        };
        let Some(range) = range else { return Ok(None) };
        let range = now_at(since, &PartName::new(markdown::PART), &range);
        let there = text_blocks(now).find(|node| touches(&node.range(), &range));
        Ok(there.map(|node| node.source().into_owned()))
    }
}

impl Positions for Sheet {
    fn edit_at(
        view: &sheet::View,
        change: &PositionedChange,
        _: Option<&Selection>,
    ) -> Result<sheet::Edit, Refusal> {
        cell_edit(view, change)
    }

    /// The cells that were written; those that are calculated from them are told in the notes.
    fn places(
        view: &sheet::View,
        _: RevisionId,
        _: &Spans<'_>,
        outcomes: &[sheet::Outcome],
    ) -> Result<Vec<ChangedPlace>, Refusal> {
        let mut places = Vec::new();
        for outcome in outcomes {
            for area in outcome.touched.iter().take(MOST_PLACES - MOST_PLACES.min(places.len())) {
                let written = Cells { sheet: outcome.sheet.clone(), area: *area };
                let text = shown_cell(view, &written)?.unwrap_or_default();
                places.push(ChangedPlace { id: written.to_string(), paragraph: None, text });
            }
        }
        Ok(places)
    }

    fn text_now(
        before: &sheet::View,
        now: &sheet::View,
        _: &Patch,
        change: &PositionedChange,
    ) -> Result<Option<String>, Refusal> {
        let Position::Cell(name) = &change.position else { return Ok(None) };
        let Ok(found) = cells(before, &address(name)) else { return Ok(None) };
        shown_cell(now, &found)
    }

    fn stands(view: &sheet::View, patch: &Patch, change: &PositionedChange) -> bool {
        let Position::Cell(name) = &change.position else { return false };
        cells(view, &address(name)).is_ok_and(|found| view.lines_stand(&found.sheet, patch))
    }
}
