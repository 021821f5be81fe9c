//! Who sits at the desk, and since when nobody does.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

use crate::hello::{Hello, Present};

pub(crate) struct Callers {
    list: Mutex<List>,
    /// Beats when somebody came or left.
    moved: Notify,
}

struct List {
    present: BTreeMap<u64, Present>,
    next: u64,
    /// Since when nobody is there.
    empty: Instant,
}

impl Default for Callers {
    fn default() -> Self {
        let list = List { present: BTreeMap::new(), next: 0, empty: Instant::now() };
        Self { list: Mutex::new(list), moved: Notify::new() }
    }
}

/// A caller is there as long as this is.
pub(crate) struct Seated<'a> {
    callers: &'a Callers,
    number: u64,
}

impl Callers {
    pub(crate) fn enter(&self, hello: &Hello) -> Seated<'_> {
        let number = {
            let mut list = self.list();
            let number = list.next;
            list.next += 1;
            list.present.insert(number, Present::from(hello));
            number
        };
        self.moved.notify_waiters();
        Seated { callers: self, number }
    }

    pub(crate) fn present(&self) -> Vec<Present> {
        self.list().present.values().cloned().collect()
    }

    /// Completes when nobody has been there for so long.
    pub(crate) async fn left_alone(&self, linger: Option<Duration>) {
        let Some(linger) = linger else { return std::future::pending().await };
        loop {
            let moved = self.moved.notified();
            match self.empty_since() {
                Some(since) => tokio::select! {
                    () = tokio::time::sleep_until(since + linger) => return,
                    () = moved => {}
                },
                None => moved.await,
            }
        }
    }

    fn empty_since(&self) -> Option<Instant> {
        let list = self.list();
        list.present.is_empty().then_some(list.empty)
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seated<'_> {
    fn drop(&mut self) {
        {
            let mut list = self.callers.list();
            list.present.remove(&self.number);
            list.empty = Instant::now();
        }
        self.callers.moved.notify_waiters();
    }
}
