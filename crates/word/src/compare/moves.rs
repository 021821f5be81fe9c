//! Paragraphs that only changed their place.
//!
//! One that says the same in both documents, and says it once, was moved if it is out of order among the others.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::outline::Item;
use super::report::Told;
use crate::document::view::Place;
use crate::edits::dialect::Dialect;
use crate::edits::redline::{BY, FRESH};
use crate::text::tokens::{compare as diff, is_word, tokens};

/// The moved paragraphs, by where they begin in the original and in the revised document.
#[derive(Debug, Default)]
pub(super) struct Moves {
    old: BTreeMap<Place, usize>,
    new: BTreeMap<Place, usize>,
}

/// A heading of one word may come and go by chance; a sentence does not.
const WORDS: usize = 4;

impl Moves {
    pub(super) fn find(old: &[Item], new: &[Item]) -> Self {
        let keys = |items: &[Item]| -> Vec<Cow<'static, str>> {
            items.iter().map(|item| Cow::Owned(item.key())).collect()
        };
        let (mut gone, mut come): (Vec<&Told>, Vec<&Told>) = (Vec::new(), Vec::new());
        for hunk in diff(&keys(old), &keys(new)).into_iter().filter(|hunk| !hunk.same) {
            gone.extend(old.get(hunk.old).into_iter().flatten().filter_map(Item::paragraph));
            come.extend(new.get(hunk.new).into_iter().flatten().filter_map(Item::paragraph));
        }
        let words = |told: &Told| {
            let text = &told.text;
            tokens(text).into_iter().filter(|range| text.get(range.clone()).is_some_and(is_word)).count()
        };
        let once = |all: &[&Told]| -> BTreeSet<String> {
            let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
            for told in all {
                *seen.entry(told.key.as_str()).or_insert(0) += 1;
            }
            seen.into_iter().filter(|(_, count)| *count == 1).map(|(key, _)| key.to_owned()).collect()
        };
        let (single, only) = (once(&gone), once(&come));
        let mut moves = Self::default();
        let wanted = |told: &&&Told| {
            told.parts.len() == 1
                && words(told) >= WORDS
                && single.contains(&told.key)
                && only.contains(&told.key)
        };
        for (number, told) in gone.iter().filter(wanted).enumerate() {
            let mate = come.iter().find(|mate| mate.key == told.key && mate.parts.len() == 1);
            if let (Some(from), Some(to)) = (told.first(), mate.and_then(|mate| mate.first())) {
                moves.old.insert(from, number + 1);
                moves.new.insert(to, number + 1);
            }
        }
        moves
    }

    pub(super) fn number_of_old(&self, told: &Told) -> Option<usize> {
        self.old.get(&told.first()?).copied()
    }

    pub(super) fn number_of_new(&self, told: &Told) -> Option<usize> {
        self.new.get(&told.first()?).copied()
    }

    pub(super) fn goes(&self, item: &Item) -> bool {
        item.paragraph().is_some_and(|told| self.number_of_old(told).is_some())
    }

    pub(super) fn comes(&self, item: &Item) -> bool {
        item.paragraph().is_some_and(|told| self.number_of_new(told).is_some())
    }
}

/// A paragraph in its new place.
pub(super) fn arrived(number: usize, paragraph: &str, dialect: &Dialect) -> String {
    let [before, behind] = ends("moveTo", number, dialect);
    format!("{before}{paragraph}{behind}")
}

/// What stands around a paragraph in its old place.
pub(super) fn departed(number: usize, dialect: &Dialect) -> [String; 2] {
    ends("moveFrom", number, dialect)
}

fn ends(name: &str, number: usize, dialect: &Dialect) -> [String; 2] {
    let (element, attribute) = (&dialect.element, &dialect.attribute);
    let id = format!("{attribute}id=\"{FRESH}{name}{number}{FRESH}\"");
    let start = format!("<{element}{name}RangeStart {id}{BY} {attribute}name=\"compared{number}\"/>");
    [start, format!("<{element}{name}RangeEnd {id}/>")]
}
