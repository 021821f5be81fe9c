//! Ranges remembered by value, so that the thousandth lookup in a column does not read it again.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::Cx;
use crate::address::Area;
use crate::coerce;
use crate::hash::QuickMap;
use crate::value::Value;

/// What counts as the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sameness {
    /// Lookups: type and value, text without case.
    Lookup,
    /// Criteria: besides, text that reads as a number is that number.
    Criteria,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Number(u64),
    Text(Arc<str>),
    Bool(bool),
}

/// Positions of each value in an area, row by row from its top left corner.
#[derive(Debug, Default)]
pub(crate) struct Index {
    ends: QuickMap<Key, (u32, u32)>,
    /// For each position that is not blank, the next one with the same value.
    next: QuickMap<u32, u32>,
}

/// The indexes of one calculation. They hold as long as no cell changes.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    slots: RefCell<QuickMap<(Area, Sameness), Slot>>,
}

#[derive(Debug)]
enum Slot {
    /// Asked for this many times; not worth building yet.
    Seen(u32),
    Built(Rc<Index>),
}

/// Smaller areas are read faster than hashed.
const SMALL: usize = 24;

impl Indexes {
    pub(crate) fn clear(&self) {
        self.slots.borrow_mut().clear();
    }

    /// The index of an area, from its third use on.
    pub(crate) fn get(&self, cx: &Cx<'_>, area: Area, sameness: Sameness) -> Option<Rc<Index>> {
        if area.rows() * area.cols() < SMALL {
            return None;
        }
        let mut slots = self.slots.borrow_mut();
        let slot = slots.entry((area, sameness)).or_insert(Slot::Seen(0));
        match slot {
            Slot::Built(index) => return Some(index.clone()),
            Slot::Seen(times) if *times < 2 => {
                *times += 1;
                return None;
            }
            Slot::Seen(_) => {}
        }
        drop(slots);
        let index = Rc::new(build(cx, area, sameness));
        self.slots.borrow_mut().insert((area, sameness), Slot::Built(index.clone()));
        Some(index)
    }
}

impl Index {
    pub(crate) fn first(&self, key: &Key) -> Option<usize> {
        self.ends.get(key).map(|(first, _)| *first as usize)
    }

    pub(crate) fn last(&self, key: &Key) -> Option<usize> {
        self.ends.get(key).map(|(_, last)| *last as usize)
    }

    pub(crate) fn positions(&self, key: &Key) -> impl Iterator<Item = usize> {
        let mut at = self.ends.get(key).map(|(first, _)| *first);
        std::iter::from_fn(move || {
            let here = at?;
            at = self.next.get(&here).copied();
            Some(here as usize)
        })
    }
}

/// The key of a value, or `None` for blanks and errors, which equal nothing.
pub(crate) fn key(value: &Value, sameness: Sameness) -> Option<Key> {
    match value {
        Value::Number(number) => Some(Key::Number((number + 0.0).to_bits())),
        Value::Bool(flag) => Some(Key::Bool(*flag)),
        Value::Text(text) => {
            if sameness == Sameness::Criteria
                && let Some(number) = coerce::plain_number(text)
            {
                return Some(Key::Number((number + 0.0).to_bits()));
            }
            let folded = !text.is_ascii() || text.bytes().any(|b| b.is_ascii_uppercase());
            Some(Key::Text(if folded { Arc::from(text.to_lowercase()) } else { text.clone() }))
        }
        Value::Blank | Value::Error(_) => None,
    }
}

fn build(cx: &Cx<'_>, area: Area, sameness: Sameness) -> Index {
    let mut index = Index::default();
    let cols = area.cols() as u32;
    cx.visit(area, &mut |row, col, value| {
        let Some(key) = key(value, sameness) else { return };
        let at = (row - area.top) * cols + (col - area.left);
        let next = &mut index.next;
        index
            .ends
            .entry(key)
            .and_modify(|(_, last)| {
                next.insert(*last, at);
                *last = at;
            })
            .or_insert((at, at));
    });
    index
}
