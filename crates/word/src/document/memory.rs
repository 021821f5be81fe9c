//! A few things that were met before, and which of them is likely to come next.
//!
//! Documents repeat a few spellings thousands of times, and in the same order. So the one to try first is the one that
//! followed the last time.

#[derive(Debug)]
pub(crate) struct Memory<T> {
    most: usize,
    known: Vec<Known<T>>,
    /// Whose place the next one takes when there are enough.
    oldest: usize,
    /// The one met last.
    last: usize,
}

#[derive(Debug)]
struct Known<T> {
    what: T,
    /// Which one came next when this was last met.
    next: usize,
}

impl<T> Memory<T> {
    pub(crate) fn of(most: usize) -> Self {
        Self { most, known: Vec::new(), oldest: 0, last: 0 }
    }

    /// The one that fits.
    pub(crate) fn meet(&mut self, mut fits: impl FnMut(&T) -> bool) -> Option<&T> {
        let guess = self.known.get(self.last).map_or(0, |known| known.next);
        let others = (0..self.known.len()).filter(|index| *index != guess);
        let mut order = std::iter::once(guess).chain(others);
        let found = order.find(|index| self.known.get(*index).is_some_and(|known| fits(&known.what)))?;
        self.met(found);
        self.known.get(found).map(|known| &known.what)
    }

    /// One more was met. Only those are to be added that do not fit yet.
    pub(crate) fn add(&mut self, what: T) {
        if self.most == 0 {
            return;
        }
        let known = Known { what, next: self.last };
        match self.known.get_mut(self.oldest) {
            Some(slot) => *slot = known,
            None => self.known.push(known),
        }
        self.met(self.oldest);
        self.oldest = (self.oldest + 1) % self.most;
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::of(self.most);
    }

    fn met(&mut self, index: usize) {
        if let Some(last) = self.known.get_mut(self.last) {
            last.next = index;
        }
        self.last = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_followed_is_tried_first() {
        let mut memory = Memory::of(3);
        ["a", "b", "c"].into_iter().for_each(|what| memory.add(what));
        for _ in 0..2 {
            for what in ["a", "c", "b"] {
                assert_eq!(memory.meet(|known| *known == what), Some(&what));
            }
        }
        let mut tried = Vec::new();
        memory.meet(|known| {
            tried.push(*known);
            false
        });
        assert_eq!(tried, ["a", "b", "c"]);
        memory.add("d");
        assert_eq!(memory.meet(|known| *known == "a"), None);
        assert_eq!(memory.meet(|known| *known == "d"), Some(&"d"));
    }

    #[test]
    fn nothing_is_kept_where_there_is_no_room() {
        let mut memory = Memory::of(0);
        memory.add("a");
        assert_eq!(memory.meet(|_| true), None);
    }
}
