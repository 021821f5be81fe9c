//! A lock that a panic does not close, one for each of many things, and a bell for those who wait for something to
//! happen.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A mutex without poisoning. A panic can only come from an engine, and engines are pure: they run on
/// values, which are put in place when they have returned.
#[derive(Debug, Default)]
pub(crate) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A lock for each key, which is there as long as somebody holds it.
#[derive(Debug)]
pub(crate) struct Keyed<K> {
    held: Lock<BTreeSet<K>>,
    freed: Condvar,
}

impl<K> Default for Keyed<K> {
    fn default() -> Self {
        Self { held: Lock::new(BTreeSet::new()), freed: Condvar::new() }
    }
}

impl<K: Ord + Clone> Keyed<K> {
    pub(crate) fn lock(&self, key: K) -> Held<'_, K> {
        let mut held = self.held.lock();
        while !held.insert(key.clone()) {
            held = self.freed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        Held { all: self, key }
    }
}

/// Frees the key when it is dropped.
#[derive(Debug)]
pub(crate) struct Held<'a, K: Ord + Clone> {
    all: &'a Keyed<K>,
    key: K,
}

impl<K: Ord + Clone> Drop for Held<'_, K> {
    fn drop(&mut self) {
        self.all.held.lock().remove(&self.key);
        self.all.freed.notify_all();
    }
}

/// Counts what happens.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    count: Lock<u64>,
    rung: Condvar,
}

impl Bell {
    pub(crate) fn ring(&self) {
        *self.count.lock() += 1;
        self.rung.notify_all();
    }

    pub(crate) fn count(&self) -> u64 {
        *self.count.lock()
    }

    /// Wait until more than `seen` has happened or the time is up; gives the count.
    pub(crate) fn wait(&self, seen: u64, deadline: Instant) -> u64 {
        let mut count = self.count.lock();
        while *count <= seen {
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                break;
            }
            count = self.rung.wait_timeout(count, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_close_a_lock() {
        let lock = Lock::new(1);
        let panicking = std::panic::AssertUnwindSafe(|| {
            let _held = lock.lock();
            panic!("a defect")
        });
        assert!(std::panic::catch_unwind(panicking).is_err());
        assert_eq!(*lock.lock(), 1);
    }

    #[test]
    fn a_bell_that_rang_before_the_wait_is_heard() {
        let bell = Bell::default();
        let seen = bell.count();
        bell.ring();
        assert_eq!(bell.wait(seen, Instant::now() + Duration::from_secs(60)), 1);
        assert_eq!(bell.wait(1, Instant::now() + Duration::from_millis(1)), 1);
    }
}
