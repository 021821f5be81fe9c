//! The numbers of ordered lists, after items came or went.
//!
//! A list that counts goes on counting, and one that says `1.` throughout goes on saying that. Whatever else somebody
//! numbered by hand stays as it is, unless it is asked for.

use edit::{Patch, Refusal};

use super::list::{item_marker, shift};
use super::{Draft, in_turn, prefix_of_line};
use crate::PART;
use crate::block::{Kind, ListKind};
use crate::format::preview;
use crate::list::Bullet;
use crate::view::{Node, View};

/// How a list is numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbering {
    /// One after the other, from here.
    From(u64),
    /// The same throughout.
    Same(u64),
}

/// A list, by where it starts and how deep it is, and how it is numbered.
pub(super) type Counted = ((usize, usize), Numbering);

/// The list and the list around it, as far as they are numbered in a way that can go on.
pub(super) fn around(list: &Node<'_>) -> Result<Vec<Counted>, Refusal> {
    let mut found = Vec::new();
    for list in list.chain().filter(|node| matches!(node.kind(), Kind::List(_))).take(2) {
        if let Some(numbering) = numbering(&list)? {
            found.push(((list.range().start, list.ancestors().count()), numbering));
        }
    }
    Ok(found)
}

fn numbering(list: &Node<'_>) -> Result<Option<Numbering>, Refusal> {
    if list.kind() != Kind::List(ListKind::Ordered) {
        return Ok(None);
    }
    let mut numbers = Vec::new();
    for item in list.children() {
        if let Bullet::Number { value, .. } = item_marker(&item)?.bullet {
            numbers.push(value);
        }
    }
    let Some(first) = numbers.first().copied() else { return Ok(None) };
    let counts = numbers.iter().zip(first..).all(|(found, wanted)| *found == wanted);
    let same = numbers.iter().all(|found| *found == first);
    Ok(if counts { Some(Numbering::From(first)) } else { same.then_some(Numbering::Same(first)) })
}

/// The draft with the numbers of these lists put right behind it.
pub(super) fn restored(view: &View, draft: Draft, lists: &[Counted]) -> Result<Draft, Refusal> {
    if lists.is_empty() || draft.splices.is_empty() {
        return Ok(draft);
    }
    let first: Patch = draft.patch()?;
    let after = preview(view, &first)?;
    let starts: Vec<Counted> = lists
        .iter()
        .map(|((start, depth), numbering)| {
            ((first.map(PART, *start, edit::Gravity::Left), *depth), *numbering)
        })
        .collect();
    let second = in_turn(&after, String::new(), &starts, |view, ((start, depth), numbering)| {
        numbered(view, *start, *depth, *numbering)
    })?;
    let splices = super::splices_of(&first.then(&second.patch()?))?;
    Ok(Draft { splices, asked: Vec::new(), ..draft })
}

/// The splices that number a list from its start. A list that is gone has no numbers.
pub(super) fn numbered(
    view: &View,
    start: usize,
    depth: usize,
    numbering: Numbering,
) -> Result<Draft, Refusal> {
    let Ok(list) = super::list::list_at(view, start, depth) else { return Ok(Draft::default()) };
    if list.kind() != Kind::List(ListKind::Ordered) {
        return Ok(Draft::default());
    }
    let mut draft = Draft::default();
    for (index, item) in (0u64..).zip(list.children()) {
        let Bullet::Number { value, close } = item_marker(&item)?.bullet else { continue };
        let wanted = match numbering {
            Numbering::From(first) => first.saturating_add(index),
            Numbering::Same(number) => number,
        };
        if value == wanted {
            continue;
        }
        let bullet = Bullet::Number { value: wanted, close };
        if super::node::own_line(&item) {
            draft.splices.extend(shift(&item, &prefix_of_line(&item), bullet)?);
        } else if bullet.text().len() == item_marker(&item)?.bullet.text().len() {
            let at = item.range().start;
            draft.splices.push((at..at + bullet.text().len(), bullet.text()));
        }
    }
    Ok(draft)
}
