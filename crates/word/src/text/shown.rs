//! A change of a document as people read it: paragraphs and rows of tables, as they were and as they are.
//!
//! Tracked changes count as accepted, because that is what whoever agrees to a change will have. Only what the patch
//! touches is read.

mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::{Cut, PartChange, PartName, Patch, Refusal, Shown, ShownList};

use crate::document::index::BoxKind;
use crate::document::layout::Story;
use crate::document::paragraph::Side;
use crate::document::view::{Place, View};

pub(crate) fn shown(before: &View, after: &View, patch: &Patch) -> Result<Vec<Shown>, Refusal> {
    let mut list = ShownList::new();
    let mut beside = Vec::new();
    for (name, change) in patch.parts() {
        let (old, new) = touched(before, after, name, change);
        if old.places.is_empty() && new.places.is_empty() {
            beside.push((name, change));
        }
        show_part(before, after, &old, &new, &mut list)?;
    }
    if list.is_empty() {
        for (name, change) in beside {
            let what = match change {
                PartChange::Splices(_) => "changed",
                PartChange::Put(_) if before.content().contains(name) => "changed",
                PartChange::Put(_) => "added",
                PartChange::Remove => "removed",
            };
            list.push(part_in_words(before, after, name), "", what);
        }
    }
    Ok(list.finish())
}

/// The paragraphs of one side that a patch touches, in order, and the bytes it touches.
struct Touched {
    places: Vec<Place>,
    ranges: Vec<Range<usize>>,
}

fn touched(before: &View, after: &View, name: &PartName, change: &PartChange) -> (Touched, Touched) {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    match change {
        PartChange::Splices(splices) => {
            let mut shift = 0isize;
            for splice in splices {
                let start = splice.range.start.saturating_add_signed(shift);
                shift += splice.with.len() as isize - splice.range.len() as isize;
                old.push(splice.range.clone());
                new.push(start..start + splice.with.len());
            }
        }
        PartChange::Put(_) | PartChange::Remove => {
            old.push(0..usize::MAX);
            new.push(0..usize::MAX);
        }
    }
    (places(before, name, old), places(after, name, new))
}

fn places(view: &View, name: &PartName, ranges: Vec<Range<usize>>) -> Touched {
    let mut found = BTreeSet::new();
    if let Some((number, part)) = view.parts().iter().enumerate().find(|(_, part)| part.name == *name) {
        for range in &ranges {
            // Paragraphs do not come in the order of their ends only where one hangs in another; that one is first.
            let from = part.paragraphs.start.partition_point(|start| (start as usize) < range.start);
            let holding = part.paragraph_holding(&(range.start..range.start));
            let to = part.paragraphs.start.partition_point(|start| (start as usize) < range.end);
            found.extend(holding.into_iter().chain(from..to).map(|index| (number as u32, index as u32)));
        }
    }
    Touched { places: found.into_iter().map(|(part, index)| Place { part, index }).collect(), ranges }
}

/// Paragraphs of both sides that are one, or that one side does not have.
fn pairs(before: &View, after: &View, old: &[Place], new: &[Place]) -> Vec<(Option<Place>, Option<Place>)> {
    let known: BTreeMap<_, _> = new.iter().enumerate().map(|(at, place)| (after.id(*place), at)).collect();
    let mut pairs = Vec::new();
    let (mut waiting, mut done) = (Vec::new(), 0);
    // A view that was read anew may call a paragraph that changed by another name, so what lies between two that are
    // known is taken to be the same in order.
    let mut settle = |waiting: &mut Vec<Place>, until: usize, done: &mut usize| {
        let news = new.part(*done..until);
        let count = waiting.len().max(news.len());
        for index in 0..count {
            pairs.push((waiting.get(index).copied(), news.get(index).copied()));
        }
        waiting.clear();
        *done = until;
    };
    for place in old {
        match known.get(&before.id(*place)).copied().filter(|at| *at >= done) {
            Some(at) => {
                settle(&mut waiting, at, &mut done);
                waiting.push(*place);
                settle(&mut waiting, at + 1, &mut done);
            }
            None => waiting.push(*place),
        }
    }
    settle(&mut waiting, new.len(), &mut done);
    pairs
}

fn show_part(
    before: &View,
    after: &View,
    old: &Touched,
    new: &Touched,
    list: &mut ShownList,
) -> Result<(), Refusal> {
    let mut rows = BTreeSet::new();
    for (was, is) in pairs(before, after, &old.places, &new.places) {
        if list.is_full() {
            list.count(1);
            continue;
        }
        match (was, is) {
            (Some(was), Some(is)) => show_both(before, was, after, is, list)?,
            (Some(was), None) => match row_of(before, was, &old.ranges) {
                Some(row) => {
                    if rows.insert((false, row.start)) {
                        list.push(row_name(before, was), row_text(before, was, &row)?, "");
                    }
                }
                None => push(before, was, text(before, was)?, String::new(), list),
            },
            (None, Some(is)) => match row_of(after, is, &new.ranges) {
                Some(row) => {
                    if rows.insert((true, row.start)) {
                        let shown = row_text(after, is, &row)?;
                        let said = shown.chars().any(|c| c != ' ' && c != '|');
                        list.push(
                            row_name(after, is),
                            "",
                            if said { shown } else { "(an empty row)".to_owned() },
                        );
                    }
                }
                None => push(after, is, String::new(), text(after, is)?, list),
            },
            (None, None) => {}
        }
    }
    Ok(())
}

/// A paragraph that comes or goes; one that says nothing is told of in words.
fn push(view: &View, place: Place, before: String, after: String, list: &mut ShownList) {
    let nothing = || "(an empty paragraph)".to_owned();
    let inserted = before.is_empty();
    let (before, after) = match (before.is_empty(), after.is_empty()) {
        (true, true) if inserted && is_shown(view, place) => (before, nothing()),
        _ => (before, after),
    };
    if !before.is_empty() || !after.is_empty() {
        list.push(name(view, place, if before.is_empty() { &after } else { &before }), before, after);
    }
}

fn show_both(
    before: &View,
    was: Place,
    after: &View,
    is: Place,
    list: &mut ShownList,
) -> Result<(), Refusal> {
    let (old, new) = (text(before, was)?, text(after, is)?);
    if old != new {
        let of = if new.is_empty() { &old } else { &new };
        list.push(name(after, is, of), old, new);
    } else if let Some((old_words, new_words)) = words::of_looks(before, was, after, is)? {
        list.push(name(after, is, &new), old_words, new_words);
    }
    Ok(())
}

/// What a paragraph says once every change is accepted; nothing if it is gone then.
fn text(view: &View, place: Place) -> Result<String, Refusal> {
    let paragraph = view.paragraph(place)?;
    match view.is_row_gone(place, Side::Final) || paragraph.vanishes(Side::Final) {
        true => Ok(String::new()),
        false => Ok(paragraph.text(Side::Final).text),
    }
}

fn is_shown(view: &View, place: Place) -> bool {
    let vanishes = view.paragraph(place).is_ok_and(|paragraph| paragraph.vanishes(Side::Final));
    !vanishes && !view.is_row_gone(place, Side::Final)
}

/// The row around a paragraph, if all of it lies in what the patch brought or took.
fn row_of(view: &View, place: Place, ranges: &[Range<usize>]) -> Option<Range<usize>> {
    let rows = view.enclosures(place).into_iter().filter(|around| around.kind == BoxKind::Row);
    let inside =
        |row: &Range<usize>| ranges.iter().any(|range| range.start <= row.start && row.end <= range.end);
    rows.map(|around| around.span).find(inside)
}

fn row_text(view: &View, place: Place, row: &Range<usize>) -> Result<String, Refusal> {
    let Some(part) = view.parts().get(place.part as usize) else { return Ok(String::new()) };
    let from = part.paragraphs.start.partition_point(|start| (start as usize) < row.start);
    let to = part.paragraphs.start.partition_point(|start| (start as usize) < row.end);
    let places = (from..to).map(|index| Place { part: place.part, index: index as u32 });
    let texts: Vec<String> = places.map(|place| text(view, place)).collect::<Result<_, _>>()?;
    Ok(texts.join(" | "))
}

fn row_name(view: &View, place: Place) -> String {
    let row = view.enclosures(place).into_iter().find(|around| around.kind == BoxKind::Row);
    let found = row.and_then(|row| {
        let part = view.part_of(place)?;
        let tables = view.enclosures(place).into_iter().find(|around| around.kind == BoxKind::Table)?;
        let table = view.tables().find(|table| table.part == *part && table.span == tables.span)?;
        let at = table.rows.iter().position(|known| known.span == row.span)?;
        Some(format!("row {} of table {}", at + 1, table.id))
    });
    found.unwrap_or_else(|| "row of a table".to_owned())
}

/// What people would call a paragraph: its id, its number or first words, and where it stands if not in the body.
fn name(view: &View, place: Place, text: &str) -> String {
    let story = match view.story_of(place) {
        Story::Body => String::new(),
        Story::Header(_) => "header, ".to_owned(),
        Story::Footer(_) => "footer, ".to_owned(),
        Story::Footnotes | Story::Endnotes | Story::Comments => match view.owner(place) {
            Some(owner) if owner.kind == BoxKind::Comment => format!("comment {}, ", owner.id),
            Some(owner) => format!("note {}, ", owner.id),
            None => String::new(),
        },
    };
    let id = view.id(place);
    match view.label(place, Side::Final) {
        Some(label) => format!("{story}paragraph {id} ({label})"),
        None => match first_words(text) {
            words if words.is_empty() => format!("{story}paragraph {id}"),
            words => format!("{story}paragraph {id} ({words})"),
        },
    }
}

fn first_words(text: &str) -> String {
    const WORDS: usize = 5;
    const LONGEST: usize = 40;
    let words: Vec<&str> = text.split_whitespace().take(WORDS + 1).collect();
    let mut shown = words.iter().take(WORDS).copied().collect::<Vec<_>>().join(" ");
    if shown.chars().count() > LONGEST {
        shown = shown.chars().take(LONGEST).collect();
        shown.push('…');
    } else if words.len() > WORDS {
        shown.push('…');
    }
    shown
}

fn part_in_words(before: &View, after: &View, name: &PartName) -> String {
    let is = |known: &Option<PartName>| known.as_ref() == Some(name);
    let layouts = [before.layout(), after.layout()];
    let any =
        |pick: &dyn Fn(&crate::document::layout::Layout) -> bool| layouts.iter().any(|layout| pick(layout));
    match name.as_str() {
        _ if any(&|layout| is(&layout.styles)) => "styles".to_owned(),
        _ if any(&|layout| is(&layout.numbering)) => "definitions of lists".to_owned(),
        _ if any(&|layout| is(&layout.settings)) => "settings of the document".to_owned(),
        _ if any(&|layout| is(&layout.comments_extended)) => "state of comments".to_owned(),
        _ if any(&|layout| layout.stories.iter().any(|(_, part)| part == name)) => {
            "layout of pages or sections".to_owned()
        }
        other => format!("part {other}"),
    }
}

#[cfg(test)]
mod tests;
