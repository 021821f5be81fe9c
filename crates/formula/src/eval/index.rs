//! Ranges remembered by value, so that the thousandth lookup in a column does not read it again.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::Cx;
use crate::address::Area;
use crate::coerce;
use crate::hash::QuickMap;
use crate::key::Key;
use crate::value::{Array, Value};

/// What counts as the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sameness {
    /// Lookups: type and value, text without case.
    Lookup,
    /// Criteria: besides, text that reads as a number is that number.
    Criteria,
}

/// Positions of each value in an area, row by row from its top left corner.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The number of each value, from one on.
    groups: QuickMap<Key, u32>,
    /// Where each group's positions begin, and after the last where they all end.
    starts: Vec<u32>,
    positions: Vec<u32>,
    /// The group of each position; zero where nothing is.
    group_at: Vec<u32>,
}

/// The indexes of one calculation. They hold as long as no cell changes.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    slots: RefCell<QuickMap<(Area, Sameness), Slot>>,
    answers: RefCell<Answers>,
}

/// What was asked of the cells that meet criteria: how they are put together, which cells, and each tested area
/// with the value of its criterion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    pub(crate) fold: Fold,
    pub(crate) target: Area,
    pub(crate) tests: Vec<(Area, Key)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fold {
    Count,
    Total,
    Average,
    Most,
    Least,
}

/// Answers given before: a report often asks the same question in a thousand rows.
#[derive(Debug, Default)]
struct Answers {
    /// Off unless every cell a formula reads is finished before it runs.
    kept: bool,
    known: QuickMap<Question, Value>,
    /// How often one was there.
    hits: usize,
}

/// So many questions are remembered before it is looked at whether they come again.
const TRIAL: usize = 2000;

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
        self.answers.borrow_mut().known.clear();
    }

    /// Whether answers are remembered from now on.
    pub(crate) fn keep_answers(&self, kept: bool) {
        *self.answers.borrow_mut() = Answers { kept, ..Answers::default() };
    }

    pub(crate) fn keeps_answers(&self) -> bool {
        self.answers.borrow().kept
    }

    pub(crate) fn answer(&self, question: &Question) -> Option<Value> {
        let mut answers = self.answers.borrow_mut();
        let found = answers.known.get(question).cloned();
        answers.hits += usize::from(found.is_some());
        found
    }

    pub(crate) fn remember(&self, question: Question, answer: Value) {
        let mut answers = self.answers.borrow_mut();
        answers.known.insert(question, answer);
        if answers.known.len() >= TRIAL && answers.hits < answers.known.len() / 4 {
            *answers = Answers::default();
        }
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
        let index = Rc::new(build_area(cx, area, sameness));
        self.slots.borrow_mut().insert((area, sameness), Slot::Built(index.clone()));
        Some(index)
    }
}

impl Index {
    pub(crate) fn first(&self, key: &Key) -> Option<usize> {
        self.positions(self.group(key)?).first().map(|at| *at as usize)
    }

    pub(crate) fn last(&self, key: &Key) -> Option<usize> {
        self.positions(self.group(key)?).last().map(|at| *at as usize)
    }

    /// The number of the values equal to the key.
    pub(crate) fn group(&self, key: &Key) -> Option<u32> {
        self.groups.get(key).copied()
    }

    /// The positions of a group, in order.
    pub(crate) fn positions(&self, group: u32) -> &[u32] {
        let at = (group as usize).wrapping_sub(1);
        match (self.starts.get(at), self.starts.get(at.wrapping_add(1))) {
            (Some(from), Some(to)) => &self.positions[*from as usize..*to as usize],
            _ => &[],
        }
    }

    /// The group of the value at a position.
    pub(crate) fn group_at(&self, position: u32) -> u32 {
        self.group_at.get(position as usize).copied().unwrap_or(0)
    }
}

/// The key of a value, or `None` for blanks and errors, which equal nothing.
pub(crate) fn key(value: &Value, sameness: Sameness) -> Option<Key> {
    match value {
        Value::Text(text) if sameness == Sameness::Criteria => match coerce::plain_number(text) {
            Some(number) => Some(Key::number(number)),
            None => Some(Key::of(value)),
        },
        Value::Number(_) | Value::Bool(_) | Value::Text(_) => Some(Key::of(value)),
        Value::Blank | Value::Error(_) => None,
    }
}

/// The indexes of arrays that one formula looks in again and again.
#[derive(Debug, Default)]
pub(super) struct ArrayIndexes {
    /// Each array is held, so that no other can come to lie at its address.
    slots: RefCell<QuickMap<usize, (Arc<Array>, Slot)>>,
}

impl Cx<'_> {
    /// The index of an array, from its third use on.
    pub(crate) fn index_of(&self, array: &Arc<Array>) -> Option<Rc<Index>> {
        if array.len() < SMALL {
            return None;
        }
        let mut slots = self.array_indexes.slots.borrow_mut();
        let at = Arc::as_ptr(array) as usize;
        let (_, slot) = slots.entry(at).or_insert_with(|| (array.clone(), Slot::Seen(0)));
        match slot {
            Slot::Built(index) => return Some(index.clone()),
            Slot::Seen(times) if *times < 2 => {
                *times += 1;
                return None;
            }
            Slot::Seen(_) => {}
        }
        // Whoever asked hears of too much work at the next call.
        let _ = self.charge(array.len());
        let values = array.values();
        let index = Rc::new(build(Sameness::Lookup, &mut |each| {
            values.iter().enumerate().for_each(|(at, value)| each(at, value));
        }));
        *slot = Slot::Built(index.clone());
        Some(index)
    }
}

fn build_area(cx: &Cx<'_>, area: Area, sameness: Sameness) -> Index {
    let cols = area.cols() as u32;
    build(sameness, &mut |each| {
        cx.visit(area, &mut |row, col, value| {
            each(((row - area.top) * cols + (col - area.left)) as usize, value);
        });
    })
}

/// Takes a value and its position.
type Visitor<'a> = dyn FnMut(usize, &Value) + 'a;

fn build(sameness: Sameness, visit: &mut dyn FnMut(&mut Visitor<'_>)) -> Index {
    let mut index = Index::default();
    let mut counts: Vec<u32> = Vec::new();
    visit(&mut |at, value| {
        let Some(key) = key(value, sameness) else { return };
        let next = index.groups.len() as u32 + 1;
        let group = *index.groups.entry(key).or_insert(next);
        match counts.get_mut(group as usize - 1) {
            Some(count) => *count += 1,
            None => counts.push(1),
        }
        if index.group_at.len() <= at {
            index.group_at.resize(at + 1, 0);
        }
        if let Some(slot) = index.group_at.get_mut(at) {
            *slot = group;
        }
    });
    let mut end = 0;
    index.starts.push(0);
    for count in counts {
        end += count;
        index.starts.push(end);
    }
    let mut places = index.starts.clone();
    index.positions = vec![0; end as usize];
    for (at, group) in index.group_at.iter().enumerate().filter(|(_, group)| **group > 0) {
        if let Some(place) = places.get_mut(*group as usize - 1)
            && let Some(slot) = index.positions.get_mut(*place as usize)
        {
            *slot = at as u32;
            *place += 1;
        }
    }
    index
}
