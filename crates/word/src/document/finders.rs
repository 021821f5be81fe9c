//! Words that are looked for in every byte of a part.
//!
//! A search looks for two letters of its word at a time. Which two are worth it depends on where they are looked for,
//! and in markup those are others than in prose: `xm` begins each `xml:space`.

use std::sync::LazyLock;

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

/// What may be a declaration of a namespace.
pub(crate) static DECLARATION: Needle = Needle::new(|| finder("xmlns", "ln"));
/// What may be the author of something; every tracked change has one.
pub(crate) static AUTHOR: Needle = Needle::new(|| finder("author=", "h="));

pub(crate) struct Needle(LazyLock<Finder<'static>>);

impl Needle {
    const fn new(finder: fn() -> Finder<'static>) -> Self {
        Self(LazyLock::new(finder))
    }

    pub(crate) fn length(&self) -> usize {
        self.0.needle().len()
    }

    pub(crate) fn find(&self, bytes: &[u8]) -> Option<usize> {
        self.0.find(bytes)
    }

    pub(crate) fn find_all<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        self.0.find_iter(bytes)
    }

    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        self.find(bytes).is_some()
    }
}

/// The letters of a word that tell most.
struct Telling(&'static str);

impl HeuristicFrequencyRank for Telling {
    fn rank(&self, byte: u8) -> u8 {
        if self.0.as_bytes().contains(&byte) { 0 } else { u8::MAX }
    }
}

fn finder(word: &'static str, telling: &'static str) -> Finder<'static> {
    FinderBuilder::new().build_forward_with_ranker(Telling(telling), word)
}
