//! Lists and maps whose copies share what they have in common.
//!
//! A workbook's calculation is kept from one revision to the next while somebody may still hold the one
//! before, so a copy must cost next to nothing and a change only the page it falls on. Within one calculation
//! nobody else holds the pages, and they are written in place.

use std::hash::{BuildHasher, BuildHasherDefault, Hash};
use std::sync::Arc;

use crate::hash::{Quick, QuickMap};

/// A list in pages of `PAGE` elements.
#[derive(Clone, Debug)]
pub struct Pages<T> {
    pages: Vec<Arc<Vec<T>>>,
    len: usize,
}

const PAGE: usize = 512;

impl<T> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages { pages: Vec::new(), len: 0 }
    }
}

impl<T: Clone> Pages<T> {
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[must_use]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.pages.get(at / PAGE)?.get(at % PAGE)
    }

    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Arc::make_mut(self.pages.get_mut(at / PAGE)?).get_mut(at % PAGE)
    }

    pub fn push(&mut self, value: T) {
        if self.len.is_multiple_of(PAGE) {
            self.pages.push(Arc::new(Vec::new()));
        }
        if let Some(page) = self.pages.last_mut() {
            Arc::make_mut(page).push(value);
            self.len += 1;
        }
    }

    /// Elements from one place up to another, page by page.
    pub fn range(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = &T> {
        self.slices(range).flatten()
    }

    /// The same, as the slices they lie in.
    pub fn slices(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = &[T]> {
        let (first, last) = (range.start / PAGE, range.end / PAGE);
        let pages = self.pages.iter().take(last + 1).skip(first);
        pages.enumerate().map(move |(index, page)| {
            let from = if index == 0 { range.start % PAGE } else { 0 };
            let to = if first + index == last { range.end % PAGE } else { page.len() };
            let to = to.min(page.len());
            &page[from.min(to)..to]
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.pages.iter().flat_map(|page| page.iter())
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.pages.iter_mut().flat_map(|page| Arc::make_mut(page).iter_mut())
    }
}

impl<T: Clone> From<Vec<T>> for Pages<T> {
    fn from(values: Vec<T>) -> Pages<T> {
        let pages = values.chunks(PAGE).map(|page| Arc::new(page.to_vec())).collect();
        Pages { pages, len: values.len() }
    }
}

impl<T: Clone> FromIterator<T> for Pages<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Pages<T> {
        values.into_iter().collect::<Vec<T>>().into()
    }
}

/// A map in shards. Its order means nothing.
#[derive(Clone, Debug)]
pub struct Shards<K, V> {
    shards: Vec<Arc<QuickMap<K, V>>>,
    len: usize,
}

const SHARDS: usize = 256;

impl<K, V> Default for Shards<K, V> {
    fn default() -> Shards<K, V> {
        Shards { shards: Vec::new(), len: 0 }
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Shards<K, V> {
    /// Which shard a key is in: by the middle of its hash, because the map inside uses both ends.
    fn place(key: &K) -> usize {
        (BuildHasherDefault::<Quick>::default().hash_one(key) >> 24) as usize % SHARDS
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.shards.get(Self::place(key))?.get(key)
    }

    #[must_use]
    pub fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    fn shard(&mut self, key: &K) -> Option<&mut QuickMap<K, V>> {
        if self.shards.is_empty() {
            self.shards = (0..SHARDS).map(|_| Arc::default()).collect();
        }
        self.shards.get_mut(Self::place(key)).map(Arc::make_mut)
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let old = self.shard(&key)?.insert(key, value);
        self.len += usize::from(old.is_none());
        old
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        // Looking first keeps a shard shared when there is nothing to remove.
        self.get(key)?;
        let old = self.shard(key)?.remove(key);
        self.len -= usize::from(old.is_some());
        old
    }

    /// The value of a key, which comes to be if it is not there.
    pub fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> Option<&mut V> {
        let mut fresh = false;
        if self.shards.is_empty() {
            self.shards = (0..SHARDS).map(|_| Arc::default()).collect();
        }
        let shard = self.shards.get_mut(Self::place(&key)).map(Arc::make_mut)?;
        let value = shard.entry(key).or_insert_with(|| {
            fresh = true;
            value()
        });
        self.len += usize::from(fresh);
        Some(value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.shards.iter().flat_map(|shard| shard.iter())
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_what_the_other_changes() {
        let mut pages: Pages<usize> = (0..2000).collect();
        let copy = pages.clone();
        *pages.get_mut(1500).unwrap() = 7;
        pages.push(1);
        assert_eq!((pages.get(1500), copy.get(1500)), (Some(&7), Some(&1500)));
        assert_eq!((pages.len(), copy.len(), copy.get(2000)), (2001, 2000, None));
        assert_eq!(copy.range(510..514).copied().collect::<Vec<_>>(), [510, 511, 512, 513]);
        assert_eq!(copy.range(1024..1024).count(), 0);
        assert_eq!(copy.range(0..5000).count(), 2000);
        let shared = pages.pages.iter().zip(&copy.pages).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert_eq!(shared, 2);

        let mut map: Shards<u32, u32> = Shards::default();
        for key in 0..1000 {
            map.insert(key, key);
        }
        let copy = map.clone();
        map.insert(5, 0);
        map.remove(&6);
        *map.get_or_insert_with(2000, || 1).unwrap() += 1;
        assert_eq!((map.get(&5), map.get(&6), map.get(&2000), map.len()), (Some(&0), None, Some(&2), 1000));
        assert_eq!(
            (copy.get(&5), copy.get(&6), copy.get(&2000), copy.len()),
            (Some(&5), Some(&6), None, 1000)
        );
        assert_eq!(copy.keys().count(), 1000);
    }
}
